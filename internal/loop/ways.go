package loop

import (
	"cmp"
	"slices"

	"github.com/go-op2/op2/internal/sorting"
)

// Way is one way from an element to values of a dat: a component of a map, or the element itself.
type Way struct {
	Map       int // or Direct
	Component int // 0 if Direct
}

// Way returns the way to the values of argument a: that of the first component if there are several, which the others
// follow.
func (a Arg) Way() Way {
	if a.WholeMap() || !a.Indirect() {
		return Way{Map: a.Map}
	}
	return Way{a.Map, a.Component}
}

// WaysTo returns the ways in which an element reaches data d, each once and in order.
func (l *Loop) WaysTo(d int) []Way {
	var ways []Way
	for _, a := range l.Args {
		if a.Data != d {
			continue
		}
		first := a.Way()
		for c := range l.Arity(a) {
			ways = append(ways, Way{first.Map, first.Component + c})
		}
	}
	sorting.By(ways, func(a, b Way) int { return cmp.Or(cmp.Compare(a.Map, b.Map), cmp.Compare(a.Component, b.Component)) })
	return slices.Compact(ways)
}

// Alike returns the first of the data of the same kind that an element reaches in the same ways as data d.
func (l *Loop) Alike(d int) int {
	ways := l.WaysTo(d)
	for earlier := range d {
		if l.Data[earlier].Kind == l.Data[d].Kind && slices.Equal(l.WaysTo(earlier), ways) {
			return earlier
		}
	}
	return d
}
