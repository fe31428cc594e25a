package run

import (
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/entity"
)

// loose is the range and the arguments of a loop, without keeping alive what they lead to.
type loose struct {
	set    weak.Pointer[entity.Set]
	subset weak.Pointer[entity.Subset]
	part   bool // of the set: there is a subset
	args   []looseArg
}

type looseArg struct {
	entity.Arg // without data and maps
	data       weak.Pointer[entity.Data]
	m, cols    weak.Pointer[entity.Map]
	has        [3]bool
}

// loosen returns the loose form of a loop's range and arguments; nil if parts of mixed data are among
// them.
func loosen(over entity.Range, args []entity.Arg) *loose {
	l := &loose{set: weak.Make(over.Set), subset: weak.Make(over.Subset), part: over.Subset != nil}
	for _, a := range args {
		if a.Part != nil {
			return nil
		}
		b := looseArg{a, weak.Make(a.Data), weak.Make(a.Map), weak.Make(a.Cols), [3]bool{a.Data != nil, a.Map != nil, a.Cols != nil}}
		b.Arg.Data, b.Arg.Map, b.Arg.Cols = nil, nil, nil
		l.args = append(l.args, b)
	}
	return l
}

// whole returns the range and the arguments of a loop, unless some of them have become unreachable.
func (l *Loop) whole() (entity.Range, []entity.Arg, bool) {
	if l.keep != nil || l.over.Set != nil {
		return l.over, slices.Clone(l.keep), true
	}
	if l.loose == nil {
		return entity.Range{}, nil, false
	}
	over := entity.Range{Set: l.loose.set.Value(), Subset: l.loose.subset.Value()}
	ok := over.Set != nil && l.loose.part == (over.Subset != nil)
	var args []entity.Arg
	for _, b := range l.loose.args {
		a := b.Arg
		a.Data, a.Map, a.Cols = b.data.Value(), b.m.Value(), b.cols.Value()
		ok = ok && b.has == [3]bool{a.Data != nil, a.Map != nil, a.Cols != nil}
		args = append(args, a)
	}
	return over, args, ok
}
