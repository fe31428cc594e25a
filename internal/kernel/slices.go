package kernel

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// Parameters of Go kernels may be slices, of as many values as there are behind an argument. In the
// IR they are pointers to arrays of that length: a kernel is lowered for each combination of
// lengths.

// SliceLengths returns the lengths of a parameter that is a slice of elem, or with two levels a
// slice of slices of it, for values of the given shape. For another shape than it can take, the
// lengths are such that it does not fit.
func SliceLengths(levels int, elem Type, s Shape) []Length {
	if s.LeftOut {
		return []Length{{}}
	}
	rows := Length{s.Rows, s.RowCount}
	if levels == 2 {
		return []Length{rows, {s.Cols, s.ColCount}}
	}
	if Is[*Array](elem) && !(s.Value != nil && Same(elem, TypeOf(s.Value))) { // [][2]float64
		return []Length{rows}
	}
	if s.Cols == 1 && !s.Matrix {
		return []Length{rows}
	}
	return []Length{{Most: s.Rows * s.Cols}}
}

// Length is the length of a slice: Most, or at most that where the parameter with this Count points to it; see [Array].
// The zero Length is that of a parameter, a slice or not, whose argument is left out.
type Length struct{ Most, Count int }

// Params returns the parameters that the kernel's source has.
func (k *Kernel) Params() []*Var {
	params := k.Entry().Params
	if i := slices.IndexFunc(params, func(v *Var) bool { return v.Count > 0 }); i >= 0 {
		params = params[:i]
	}
	if len(k.LeftOut) == 0 {
		return params
	}
	params = slices.Clone(params)
	for _, m := range k.LeftOut {
		params = slices.Insert(params, m.At, m.Var)
	}
	return params
}

// Takes reports whether parameter v can take values of the given shape and type, as Fits.
func (k *Kernel) Takes(v *Var, s Shape, wholeMap bool, scalar loop.Scalar) bool {
	switch {
	case v.Slices > 0 && s.Number:
		return false
	case v.Slices == 2 && wholeMap && s.Cols == 1 && !s.Matrix: // a kernel for any dim takes dim 1
		rows := Elem(v.Type).(*Array)
		row, ok := rows.Elem.(*Array)
		return ok && k.Fits(&Pointer{&Array{Len: rows.Len, Elem: row.Elem}}, s, wholeMap, scalar)
	}
	return k.Fits(v.Type, s, wholeMap, scalar)
}

// TakesTarget reports whether parameter v can take values of the given shape and type at one target
// instead of all.
func (k *Kernel) TakesTarget(v *Var, s Shape, scalar loop.Scalar) bool {
	if v.Slices == 1 {
		return Same(Elem(v.Type).(*Array).Elem, s.valueType(scalar))
	}
	return k.Takes(v, s, false, scalar)
}

// SliceDeclaration returns how the kernel's source should declare a slice for a shape, as a hint.
func (k *Kernel) SliceDeclaration(s Shape, wholeMap bool, scalar loop.Scalar) string {
	elem := paramElem(s, wholeMap, scalar)
	levels := 0
	for a, ok := elem.(*Array); ok && levels < 2; a, ok = elem.(*Array) {
		elem = a.Elem
		levels++
	}
	return strings.Repeat("[]", max(1, levels)) + elem.String()
}
