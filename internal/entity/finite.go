package entity

import (
	"math"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// Everywhere stands for all elements; on several ranks for those that belong to this one, since
// values of halos may be outdated.
const Everywhere = -1

// CheckFinite transfers the values to the host, and returns an error, a [problem.ValueError], for
// the first one that is infinite or NaN.
func (d *Data) CheckFinite() error {
	if err := d.Bring(false); err != nil {
		return err
	}
	if err := d.NotFinite(Everywhere); err != nil {
		d.Known(err)
		return err
	}
	return nil
}

// Known makes the error name a dat's element by the number that the program knows.
func (d *Data) Known(err *problem.ValueError) {
	if d.kind == loop.Dat {
		err.Row = d.set.Known(err.Row)
	}
}

// NotFinite returns the error for the first infinite or NaN value on the host, of a dat's element
// or everywhere; nil if there is none.
func (d *Data) NotFinite(element int) *problem.ValueError {
	switch d.scalar {
	case loop.Float64:
		return firstNotFinite(d, Host[float64](d), element)
	case loop.Float32:
		return firstNotFinite(d, Host[float32](d), element)
	}
	return d.firstFieldNotFinite(element)
}

func firstNotFinite[T float64 | float32](d *Data, values []T, element int) *problem.ValueError {
	first, last := d.checked(element)
	if d.kind == loop.Dat {
		values = values[first*d.dim : last*d.dim]
	}
	in := FindNotFinite(values)
	if in < 0 {
		return nil
	}
	value := float64(values[in])
	if d.kind == loop.Dat {
		component, field := d.place(in % d.dim)
		return problem.NotFinite(d.Describe(), d.set.name, first+in/d.dim, component, field, value)
	}
	row, col := d.sparsity.place(in)
	return problem.NotFinite("mat "+d.name, "", row, col, "", value)
}

// checked returns the range of a dat's elements to check for an element or everywhere.
func (d *Data) checked(element int) (first, last int) {
	switch {
	case element != Everywhere:
		return element, element + 1
	case d.kind == loop.Dat:
		return 0, d.set.Size()
	}
	return 0, d.Elements()
}

// firstFieldNotFinite is notFinite for values with fields of several types.
func (d *Data) firstFieldNotFinite(element int) *problem.ValueError {
	l := d.values.composite()
	if l == nil || d.kind != loop.Dat {
		return nil
	}
	var floats []loop.Leaf
	for _, leaf := range l.Leaves() {
		if leaf.Scalar.Float() {
			floats = append(floats, leaf)
		}
	}
	dim := d.Dim()
	first, last := d.checked(element)
	for i := first * dim; i < last*dim && len(floats) > 0; i++ {
		at := unsafe.Add(d.storage.Host(), i*l.Size)
		for _, leaf := range floats {
			var value float64
			if p := unsafe.Add(at, leaf.Offset); leaf.Scalar == loop.Float64 {
				value = *(*float64)(p)
			} else {
				value = float64(*(*float32)(p))
			}
			if math.IsNaN(value) || math.IsInf(value, 0) {
				return problem.NotFinite(d.Describe(), d.set.name, i/dim, i%dim, strings.TrimPrefix(leaf.Path, "."), value)
			}
		}
	}
	return nil
}

// FindNotFinite returns the index of the first infinite or NaN value, or -1.
func FindNotFinite[T float64 | float32](values []T) int {
	for i, v := range values {
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return i
		}
	}
	return -1
}

// AllowNonFinite makes diagnostics accept infinity and NaN in the dat.
func (d *Data) AllowNonFinite() { d.anyValue = true }

// place returns the row and the column of the value at that index of a matrix.
func (s *Sparsity) place(at int) (row, col int) {
	if s.of != nil {
		s = s.of
	}
	b := s.blocks
	block, in := int32(at/b.Size()), at%b.Size()
	return s.pattern.RowOf(block)*b.Rows + in%b.Rows, int(s.pattern.ColIdx[block])*b.Cols + in/b.Rows
}
