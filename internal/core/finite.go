package core

import (
	"math"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// everywhere stands for all elements; on several ranks for those that belong to this one, since
// values of halos may be outdated.
const everywhere = -1

// CheckFinite transfers the values to the host, and returns an error, a [problem.ValueError], for
// the first one that is infinite or NaN.
func (d *Data) CheckFinite() error {
	if err := d.Bring(false); err != nil {
		return err
	}
	if err := d.notFinite(everywhere); err != nil {
		d.known(err)
		return err
	}
	return nil
}

// known makes the error name a dat's element by the number that the program knows.
func (d *Data) known(err *problem.ValueError) {
	if d.kind == loop.Dat {
		err.Row = d.set.known(err.Row)
	}
}

// notFinite returns the error for the first infinite or NaN value on the host, of a dat's element
// or everywhere; nil if there is none.
func (d *Data) notFinite(element int) *problem.ValueError {
	switch d.scalar {
	case loop.Float64:
		return firstNotFinite(d, Host[float64](d), element)
	case loop.Float32:
		return firstNotFinite(d, Host[float32](d), element)
	}
	return nil
}

func firstNotFinite[T float64 | float32](d *Data, values []T, element int) *problem.ValueError {
	first := 0
	switch {
	case element != everywhere:
		first = element * d.dim
		values = values[first : first+d.dim]
	case d.kind == loop.Dat && d.set.distributed():
		values = values[:d.set.Size()*d.dim]
	}
	in := FindNotFinite(values)
	if in < 0 {
		return nil
	}
	at, value := first+in, float64(values[in])
	if d.kind == loop.Dat {
		return problem.NotFinite(d.Describe(), d.set.name, at/d.dim, at%d.dim, value)
	}
	row, col := d.sparsity.place(at)
	return problem.NotFinite("mat "+d.name, "", row, col, value)
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
