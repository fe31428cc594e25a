package choice

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Made is choices with who made each. The zero value is that nothing is chosen.
type Made struct {
	Choices
	by [count]By
}

// By returns the choices as those of one authority. What c leaves to others, auto, is not chosen.
func (c Choices) By(who By) Made {
	m := Made{Choices: c.Settled()}
	for _, f := range Fields() {
		if f.Of(m.Choices) != "" {
			m.by[f] = who
		}
	}
	return m
}

// Who returns who has made a choice.
func (m Made) Who(f Field) By { return m.by[f] }

// From returns the choices of one authority.
func (m Made) From(who By) Made {
	for _, f := range Fields() {
		if m.by[f] != who {
			m.Drop(f)
		}
	}
	return m
}

// Has reports whether somebody has made a choice.
func (m Made) Has(who By) bool { return slices.Contains(m.by[:], who) }

// Over returns the choices of m, completed by those of a lower authority. A limit of either counts.
func (m Made) Over(lower Made) Made {
	for i, f := range fields {
		if m.by[i] == Nobody {
			f.complete(&m.Choices, &lower.Choices)
			m.by[i] = lower.by[i]
		}
	}
	m.NoAtomics = m.NoAtomics || lower.NoAtomics
	return m
}

// Took sets a choice to the text of what was taken; "" for nothing. It is the estimate's, unless somebody has chosen the
// same. A text that is none of a field is a mistake of the caller.
func (m *Made) Took(f Field, value string) {
	switch {
	case value == f.Of(m.Choices):
	case value == "":
		m.Drop(f)
	default:
		if err := fields[f].read(&m.Choices, value); err != nil {
			panic(err)
		}
		m.by[f] = Estimate
	}
}

// Drop takes back a choice.
func (m *Made) Drop(f Field) {
	fields[f].clear(&m.Choices)
	m.by[f] = Nobody
}

// Only returns the choices of some fields: of those that a backend has.
func (m Made) Only(these ...Field) Made {
	for _, f := range Fields() {
		if !slices.Contains(these, f) {
			m.Drop(f)
		}
	}
	return m
}

// Split returns the choices of some fields, without those limits that c has, and c without them.
func (c Choices) Split(these ...Field) (of, rest Choices) {
	rest = c
	for _, f := range these {
		fields[f].complete(&of, &c)
		fields[f].clear(&rest)
	}
	return of.Settled(), rest
}

// String returns what was chosen, and by whom: "block=256 (user), strategy=staged (estimate)".
func (m Made) String() string {
	var all []string
	for _, f := range Fields() {
		if value := f.Of(m.Choices); value != "" {
			all = append(all, fmt.Sprintf("%s=%s (%s)", f, quote(value), m.by[f]))
		}
	}
	if m.NoAtomics {
		all = append(all, "noatomics")
	}
	return strings.Join(all, ", ")
}

// made is the form of Made in JSON.
type made struct {
	Choices
	By map[string]By `json:"by,omitempty"`
}

// MarshalJSON returns the choices, and in "by" who made each.
func (m Made) MarshalJSON() ([]byte, error) {
	j := made{Choices: m.Choices, By: map[string]By{}}
	for _, f := range Fields() {
		if m.by[f] != Nobody {
			j.By[f.String()] = m.by[f]
		}
	}
	return json.Marshal(j)
}

// UnmarshalJSON sets m to what MarshalJSON has returned.
func (m *Made) UnmarshalJSON(data []byte) error {
	var j made
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*m = Made{Choices: j.Choices}
	for _, f := range Fields() {
		m.by[f] = j.By[f.String()]
	}
	return nil
}
