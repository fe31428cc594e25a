package choice

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/spell"
)

// noAtomics is the word of NoAtomics in text.
const noAtomics = "noatomics"

// String returns the choices as text that [Parse] reads: "block=256 cflags='-O2 -g'"; "" for none.
func (c Choices) String() string {
	var all []string
	for _, f := range Fields() {
		if value := f.Of(c); value != "" {
			all = append(all, f.String()+"="+quote(value))
		}
	}
	if c.NoAtomics {
		all = append(all, noAtomics)
	}
	return strings.Join(all, " ")
}

// Parse returns the choices of a text, such as String returns, or an error unless all of them can be.
func Parse(text string) (c Choices, err error) {
	words, err := split(text)
	if err != nil {
		return c, err
	}
	for _, word := range words {
		if word == noAtomics {
			c.NoAtomics = true
			continue
		}
		name, value, _ := strings.Cut(word, "=")
		f, err := fieldOf(name)
		if err != nil {
			return c, err
		}
		if value == "" {
			return c, fmt.Errorf("%s has no value", name)
		}
		if err := f.read(&c, value); err != nil {
			return c, err
		}
	}
	return c, c.Check()
}

// fieldOf returns the field of a name.
func fieldOf(name string) (*field, error) {
	var names []string
	for i := range fields {
		if fields[i].name == name {
			return &fields[i], nil
		}
		names = append(names, fields[i].name)
	}
	return nil, fmt.Errorf("%q is no choice of a loop: %w", name, spell.Expected(name, names))
}
