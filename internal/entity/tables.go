package entity

import (
	"math"
	"slices"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
)

// Loops read numbers that they pass to kernels, and that are no element's place, from tables, which are dats: the numbers with which
// elements were declared, and the lengths of rows.

// newTable returns a dat with a number for each element.
func newTable[T int32 | int64](s *Set, name string, number func(element int) int64) *Data {
	scalar := loop.Of[T]()
	d := &Data{kind: loop.Dat, rt: s.rt, set: s, dim: 1, scalar: scalar, name: name}
	d.storage = store.NewStorage(device.Shape{Elements: s.Total(), Dim: 1, Size: scalar.Size()})
	d.storage.Memory()
	numbers := Host[T](d)
	for i := range numbers {
		numbers[i] = T(number(i))
	}
	d.share()
	return d
}

// numberTable returns a dat with the declared number of each element, which loops read to pass it to
// kernels; nil if elements have the numbers that they were declared with.
func (s *Set) numberTable() *Data {
	switch {
	case s.table != nil || !s.numbered():
	case s.Whole() > math.MaxInt32:
		s.table = newTable[int64](s, "declared numbers", s.NumberHere)
	default:
		s.table = newTable[int32](s, "declared numbers", s.NumberHere)
	}
	return s.table
}

// rowLengths returns a dat with the length of each row, as it was declared; that of a masked map is the length without masks.
func (m *Map) rowLengths() *Data {
	if m.base != nil {
		return m.base.rowLengths()
	}
	if m.lengths == nil {
		m.lengths = newTable[int32](m.from, "lengths of "+m.name, func(e int) int64 { return int64(rowLength(m.values, e, m.arity)) })
	}
	return m.lengths
}

// rowLength returns the number of targets of an element.
func rowLength(values []int32, element, arity int) int {
	if values == nil { // of a static runtime
		return 0
	}
	row := values[element*arity : (element+1)*arity]
	if n := slices.IndexFunc(row, func(t int32) bool { return t < 0 }); n >= 0 {
		return n
	}
	return arity
}

// Number makes an argument that passes the element's declared number read it from the set's table,
// if there is one, and one that passes the length of a map's row from the map's.
func (a *Arg) Number(s *Set) {
	switch {
	case a.Kind != loop.Index || a.Current:
	case a.Counts != nil:
		a.Data = a.Counts.rowLengths()
	default:
		a.Data = s.numberTable()
	}
}

// withCounts returns arguments with those that pass the lengths of the rows that others lead through: one for
// each map, in the order of their first use.
func withCounts(args []Arg) []Arg {
	var counted []*Map
	for _, a := range args {
		for _, m := range []*Map{a.Map, a.Cols} {
			if m != nil && m.varying && !slices.Contains(counted, m) && !slices.ContainsFunc(args, func(a Arg) bool { return a.Counts == m }) {
				counted = append(counted, m)
			}
		}
	}
	if counted == nil {
		return args
	}
	args = slices.Clip(args)
	for _, m := range counted {
		args = append(args, Arg{Kind: loop.Index, Access: loop.Read, Counts: m})
	}
	return args
}
