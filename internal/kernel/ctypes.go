package kernel

import (
	"fmt"
	"regexp"
	"strings"
)

// CTypes returns C declarations of the structs in types that a source mentions and does not declare,
// one line for all, and of those in needed. A struct in C has the name and the fields that it has in
// Go.
func CTypes(source string, types, needed []Type) string {
	d := ctypes{source: source, seen: map[string]bool{}}
	for _, t := range needed {
		d.add(t, true)
	}
	for _, t := range types {
		d.add(t, false)
	}
	return d.text.String()
}

type ctypes struct {
	source string
	seen   map[string]bool
	text   strings.Builder
}

// add declares the structs in t: those that the source mentions, or all that t needs.
func (d *ctypes) add(t Type, needed bool) {
	switch t := t.(type) {
	case *Array:
		d.add(t.Elem, needed)
	case *Struct:
		needed = needed || d.mentions(t.Name)
		if d.seen[t.Name] || d.declares(t.Name) || !IsIdentifier(t.Name) {
			return
		}
		for _, f := range t.Fields {
			d.add(f.Type, needed)
		}
		if !needed {
			return
		}
		d.seen[t.Name] = true
		fmt.Fprintf(&d.text, "typedef struct %s {", t.Name) // which is its own name for fields, in C++, too
		for _, f := range t.Fields {
			if HoldsStructs(f.Type) {
				d.text.WriteString(" struct")
			}
			fmt.Fprintf(&d.text, " %s;", CDeclaration(f.Type, f.Name))
		}
		fmt.Fprintf(&d.text, " } %s; ", t.Name)
	}
}

// IsIdentifier reports whether a name is an identifier of C.
func IsIdentifier(name string) bool { return identifier.MatchString(name) }

var identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// mentions reports whether the source has the word.
func (d *ctypes) mentions(name string) bool {
	return IsIdentifier(name) && regexp.MustCompile(`\b`+name+`\b`).MatchString(d.source)
}

// OnlyTag reports whether a source declares a struct by a tag that is no name of a type alone: struct
// State {...}; State is then none.
func OnlyTag(source, name string) bool {
	d := ctypes{source: source}
	return d.mentions(name) && regexp.MustCompile(`\bstruct\s+`+name+`\s*\{`).MatchString(source) &&
		!regexp.MustCompile(`\}\s*`+name+`\s*;|\btypedef\b[^;{}]*\b`+name+`\s*;`).MatchString(source)
}

// declares reports whether the source declares the type itself.
func (d *ctypes) declares(name string) bool {
	return d.mentions(name) && regexp.MustCompile(`\bstruct\s+`+name+`\b|\}\s*`+name+`\s*;|\btypedef\b[^;{}]*\b`+name+`\s*;`).MatchString(d.source)
}
