package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/problem"
)

// A mixed map or dat is a list of parts that loops handle as one: a kernel gets the values of
// all parts of a mixed dat in one parameter, one part after the other. Within loops there are no
// mixed arguments: each is replaced by one argument for each of its parts, which know their place in
// the parameter.

// MixedMap is a list of maps from one set. A part that is nil leads nowhere.
type MixedMap struct {
	from  *Set
	parts []*Map
	name  string
}

// MixedData is a list of dats.
type MixedData struct {
	rt    *Runtime
	parts []*Data
	name  string
}

// NewMixedMap returns a mixed map of which at least one part is not nil.
func NewMixedMap(parts []*Map, name string) (*MixedMap, error) {
	what := "mixed map " + name
	m := &MixedMap{parts: slices.Clone(parts), name: name}
	var first *Map
	for i, p := range parts {
		switch {
		case p == nil:
			continue
		case p.Made() != nil:
			return nil, badPart(what, i, "was not made by NewMap; a part that leads nowhere is nil")
		case first == nil:
			first, m.from = p, p.from
		case p.from.rt != first.from.rt:
			return nil, twoRuntimes(what, i, p.name, p.from.rt, first.from.rt)
		case p.from != first.from:
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("part %d, %s, leads from %s, %s from %s: all parts lead from one set",
				i, p.name, p.from.Besides(first.from), first.name, first.from.Besides(p.from))}
		}
	}
	if first == nil {
		return nil, noParts(what, "map")
	}
	return m, nil
}

// Mixed returns the map as a mixed map of one part; nil if there is none.
func (m *Map) Mixed() *MixedMap {
	if m.Made() != nil {
		return nil
	}
	return &MixedMap{from: m.from, parts: []*Map{m}, name: m.name}
}

// NewMixedData returns a mixed dat.
func NewMixedData(parts []*Data, name string) (*MixedData, error) {
	what := "mixed dat " + name
	if len(parts) == 0 {
		return nil, noParts(what, "dat")
	}
	for i, d := range parts {
		switch {
		case !d.Made():
			return nil, badPart(what, i, "is nil, or was not made by NewDat")
		case d.rt != parts[0].rt:
			return nil, twoRuntimes(what, i, d.name, d.rt, parts[0].rt)
		}
		if j := slices.Index(parts[:i], d); j >= 0 {
			return nil, badPart(what, i, fmt.Sprintf("is %s, as is part %d: each part is another dat", d.name, j))
		}
	}
	return &MixedData{rt: parts[0].rt, parts: slices.Clone(parts), name: name}, nil
}

func noParts(what, kind string) error {
	return &problem.ShapeError{What: what, Msg: fmt.Sprintf("at least one %s is needed", kind)}
}

func badPart(what string, i int, msg string) error {
	return fmt.Errorf("op2: %s: part %d %s", what, i, msg)
}

func twoRuntimes(what string, i int, name string, rt, first *Runtime) error {
	return badPart(what, i, fmt.Sprintf("is %s, which belongs to %s, the first to %s", name, rt.Besides(first), first.Besides(rt)))
}

// From returns the set that all parts lead from.
func (m *MixedMap) From() *Set { return m.from }

// Parts returns the maps, which must not be changed; nil for those that lead nowhere.
func (m *MixedMap) Parts() []*Map { return m.parts }

// Name returns the name the mixed map was declared with.
func (m *MixedMap) Name() string { return m.name }

// Made reports whether there is a mixed map, and it was declared.
func (m *MixedMap) Made() bool { return m != nil && m.from != nil }

// Runtime returns the runtime that the dats belong to.
func (d *MixedData) Runtime() *Runtime { return d.rt }

// Parts returns the dats, which must not be changed.
func (d *MixedData) Parts() []*Data { return d.parts }

// Name returns the name the mixed dat was declared with.
func (d *MixedData) Name() string { return d.name }

// Made reports whether there is a mixed dat, and it was declared.
func (d *MixedData) Made() bool { return d != nil && d.rt != nil }

// Describe returns a description for messages.
func (d *MixedData) Describe() string { return "mixed dat " + d.name }

// Ordinal returns the number that argument i of a loop, or what it is a part of, has for the program,
// which counts from 1.
func Ordinal(args []Arg, i int) int {
	if args[i].LeftOut != nil {
		return args[i].Component + 1
	}
	n := i + 1
	for j := range args[:i+1] {
		if args[j].Placement().Next {
			n--
		}
	}
	_, missing := SplitLeftOut(args)
	for _, a := range missing {
		if a.Component < n {
			n++
		}
	}
	return n
}

// OfParam returns the argument that parameter p is passed, as the program passes it.
func OfParam(args []Arg, p int) (a Arg, found bool) {
	for i, a := range args {
		if Ordinal(args, i) == p+1 {
			if a.Part != nil {
				a.Part = &mixedPart{Of: a.Part.Of}
			}
			return a, true
		}
	}
	return a, false
}

// NamesOf returns the names of arguments for messages, by parameter.
func NamesOf(args []Arg) []string {
	var names []string
	for {
		a, found := OfParam(args, len(names))
		if !found {
			return names
		}
		names = append(names, a.String())
	}
}
