package core

import (
	"slices"
	"weak"
)

// loose is the range and the arguments of a loop, without keeping alive what they lead to.
type loose struct {
	set    weak.Pointer[Set]
	subset weak.Pointer[Subset]
	part   bool // of the set: there is a subset
	args   []looseArg
}

type looseArg struct {
	Arg     // without data and maps
	data    weak.Pointer[Data]
	m, cols weak.Pointer[Map]
	has     [3]bool
}

// loosen returns the loose form of a loop's range and arguments; nil if parts of mixed data are among
// them.
func loosen(over Range, args []Arg) *loose {
	l := &loose{set: weak.Make(over.Set), subset: weak.Make(over.Subset), part: over.Subset != nil}
	for _, a := range args {
		if a.part != nil {
			return nil
		}
		b := looseArg{a, weak.Make(a.data), weak.Make(a.m), weak.Make(a.cols), [3]bool{a.data != nil, a.m != nil, a.cols != nil}}
		b.Arg.data, b.Arg.m, b.Arg.cols = nil, nil, nil
		l.args = append(l.args, b)
	}
	return l
}

// whole returns the range and the arguments of a loop, unless some of them have become unreachable.
func (l *Loop) whole() (Range, []Arg, bool) {
	if l.keep != nil || l.over.Set != nil {
		return l.over, slices.Clone(l.keep), true
	}
	if l.loose == nil {
		return Range{}, nil, false
	}
	over := Range{l.loose.set.Value(), l.loose.subset.Value()}
	ok := over.Set != nil && l.loose.part == (over.Subset != nil)
	var args []Arg
	for _, b := range l.loose.args {
		a := b.Arg
		a.data, a.m, a.cols = b.data.Value(), b.m.Value(), b.cols.Value()
		ok = ok && b.has == [3]bool{a.data != nil, a.m != nil, a.cols != nil}
		args = append(args, a)
	}
	return over, args, ok
}
