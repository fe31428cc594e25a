package choice

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/go-op2/op2/internal/tune"
)

// Field is one of the choices.
type Field int

// The choices.
const (
	Block Field = iota
	Threads
	Schedule
	SIMD
	Width
	Compiler
	HostFlags
	Strategy
	Layout
	Group
	PerItem
	DeviceFlags
	Chains
	Tile
	count
)

// Fields returns all fields, in the order in which they are written.
func Fields() []Field {
	all := make([]Field, count)
	for i := range all {
		all[i] = Field(i)
	}
	return all
}

// String returns the field's name in text and JSON: "block".
func (f Field) String() string { return fields[f].name }

// Of returns the text of a field: "256"; "" if it is not chosen.
func (f Field) Of(c Choices) string { return fields[f].text(&c) }

// field is how a choice is written, read and passed on.
type field struct {
	name     string
	text     func(*Choices) string
	read     func(*Choices, string) error
	complete func(c, from *Choices) // takes the choice from there, unless c has one
	clear    func(*Choices)
}

// fields are the choices, by Field.
var fields = [count]field{
	Block:       number("block", func(c *Choices) *int { return &c.Block }),
	Threads:     number("threads", func(c *Choices) *int { return &c.Threads }),
	Schedule:    text("schedule", func(c *Choices) *tune.Schedule { return &c.Schedule }),
	SIMD:        text("simd", func(c *Choices) *tune.SIMD { return &c.SIMD }),
	Width:       number("width", func(c *Choices) *int { return &c.Width }),
	Compiler:    text("cc", func(c *Choices) *string { return &c.Compiler }),
	HostFlags:   text("cflags", func(c *Choices) *Flags { return &c.HostFlags }),
	Strategy:    text("strategy", func(c *Choices) *tune.Strategy { return &c.Strategy }),
	Layout:      text("layout", func(c *Choices) *tune.Layout { return &c.Layout }),
	Group:       number("group", func(c *Choices) *int { return &c.Group }),
	PerItem:     number("items", func(c *Choices) *int { return &c.PerItem }),
	DeviceFlags: text("deviceflags", func(c *Choices) *Flags { return &c.DeviceFlags }),
	Chains:      text("chains", func(c *Choices) *tune.Chains { return &c.Chains }),
	Tile:        number("tile", func(c *Choices) *int { return &c.Tile }),
}

func number(name string, of func(*Choices) *int) field {
	return choosable(name, of,
		func(n int) string { return strconv.Itoa(n) },
		func(s string) (int, error) {
			n, err := strconv.Atoi(s)
			if err != nil {
				return 0, fmt.Errorf("%s=%s: expected a number", name, s)
			}
			return cmp.Or(n, Zero), nil
		})
}

func text[T ~string](name string, of func(*Choices) *T) field {
	return choosable(name, of,
		func(v T) string { return string(v) },
		func(s string) (T, error) { return T(s), nil })
}

// choosable returns the field of a name and a place.
func choosable[T comparable](name string, of func(*Choices) *T, write func(T) string, parse func(string) (T, error)) field {
	var none T
	return field{
		name: name,
		text: func(c *Choices) string {
			if *of(c) == none {
				return ""
			}
			return write(*of(c))
		},
		read: func(c *Choices, s string) (err error) {
			*of(c), err = parse(s)
			return err
		},
		complete: func(c, from *Choices) {
			if *of(c) == none {
				*of(c) = *of(from)
			}
		},
		clear: func(c *Choices) { *of(c) = none },
	}
}
