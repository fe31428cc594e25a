package optest

import (
	"testing"

	"github.com/go-op2/op2"
)

// Dense is a full matrix, assembled by definition.
type Dense struct {
	Cols   int
	Values []float64
}

// Assemble adds or writes the local matrices of the elements, in order.
func (d *Dense) Assemble(elements []int32, rows, cols []int32, arity, dim [2]int, v []float64, write bool) {
	for _, e := range elements {
		for i := range arity[0] * dim[0] {
			for j := range arity[1] * dim[1] {
				r, c := int(rows[int(e)*arity[0]+i/dim[0]]), int(cols[int(e)*arity[1]+j/dim[1]])
				if r < 0 || c < 0 {
					continue
				}
				at := &d.Values[(r*dim[0]+i%dim[0])*d.Cols+c*dim[1]+j%dim[1]]
				if value := v[e]*float64(i+1) + float64(j); write {
					*at = value
				} else {
					*at += value
				}
			}
		}
	}
}

// ExpectMat fails the test if a matrix has other values.
func ExpectMat[T op2.Scalar](t testing.TB, m *op2.Mat[T], want *Dense) {
	t.Helper()
	got := Must(m.Values())
	if len(got) != len(want.Values) {
		t.Fatalf("%s has %d values, want %d", m.Name(), len(got), len(want.Values))
	}
	for i, v := range got {
		if float64(v) != want.Values[i] {
			t.Fatalf("%s: row %d, column %d is %v, want %v", m.Name(), i/want.Cols, i%want.Cols, v, want.Values[i])
		}
	}
}
