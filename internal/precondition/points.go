package precondition

import (
	_ "embed"
	"fmt"
	"math"
	"strings"

	"github.com/go-op2/op2/internal/parallel"
	"github.com/go-op2/op2/internal/userkernel"
)

//go:embed points.go
var pointSource string

// pointDim is the dim of the blocks that invertPoint inverts: in the source that is translated, any.
const pointDim = 1

// PointKernels returns the kernels of Points for one row, of blocks of the given dim.
func PointKernels(dim int) (invert, multiply *userkernel.Kernel) {
	s := userkernel.OwnKernels(strings.Replace(pointSource, "pointDim = 1", fmt.Sprint("pointDim = ", dim), 1))
	return s.Instance("invertPoint", invertPoint), s.Instance("multiplyPoint", multiplyPoint)
}

// Points is point-block Jacobi: the inverse of each row's diagonal block.
type Points struct {
	matrix  *Matrix
	inverse []float64 // [rows][Dim][Dim], by columns like the matrix
	workers int
}

// NewPoints prepares the inverses of a matrix's diagonal blocks.
func NewPoints(m *Matrix, workers int) *Points {
	return &Points{m, make([]float64, m.rows()*m.Dim*m.Dim), workers}
}

// Update inverts the blocks.
func (p *Points) Update() error {
	d := p.matrix.Dim
	size := d * d
	work := make([]float64, size)
	for r := range p.matrix.rows() {
		e := int(p.matrix.diagonal(r))
		if e < 0 {
			return &PivotError{Row: r * d, Missing: true}
		}
		copy(work, p.matrix.Values[e*size:(e+1)*size])
		if i := invert(work, p.inverse[r*size:(r+1)*size], d); i >= 0 {
			return &PivotError{Row: r*d + i}
		}
	}
	return nil
}

// invert writes the inverse of the d by d matrix a, which it destroys, by Gauss-Jordan elimination
// with column pivoting. It returns the column without a pivot, or -1. It does not matter whether
// both are stored by rows or by columns: the inverse of the transpose is the transpose of the
// inverse.
func invert(a, inverse []float64, d int) int {
	for i := range inverse {
		inverse[i] = 0
		if i%(d+1) == 0 {
			inverse[i] = 1
		}
	}
	for k := range d {
		pivot := k
		for i := k + 1; i < d; i++ {
			if math.Abs(a[i*d+k]) > math.Abs(a[pivot*d+k]) {
				pivot = i
			}
		}
		if a[pivot*d+k] == 0 {
			return k
		}
		for j := range d {
			a[k*d+j], a[pivot*d+j] = a[pivot*d+j], a[k*d+j]
			inverse[k*d+j], inverse[pivot*d+j] = inverse[pivot*d+j], inverse[k*d+j]
		}
		scale := 1 / a[k*d+k]
		for j := range d {
			a[k*d+j] *= scale
			inverse[k*d+j] *= scale
		}
		for i := range d {
			if f := a[i*d+k]; i != k && f != 0 {
				for j := range d {
					a[i*d+j] -= f * a[k*d+j]
					inverse[i*d+j] -= f * inverse[k*d+j]
				}
			}
		}
	}
	return -1
}

// piece is the number of rows that a worker takes at a time.
const piece = 4096

// Apply multiplies by the inverses.
func (p *Points) Apply(z, r []float64) {
	d, rows := p.matrix.Dim, p.matrix.rows()
	_ = parallel.EachOn(p.workers, (rows+piece-1)/piece, func(n int) error {
		for row := n * piece; row < min((n+1)*piece, rows); row++ {
			multiplyPoint(z[row*d:(row+1)*d], p.inverse[row*d*d:(row+1)*d*d], r[row*d:(row+1)*d])
		}
		return nil
	})
}

// multiplyPoint is a kernel: it sets z to the product of an inverse with r.
func multiplyPoint(z, inverse, r []float64) {
	for i := range z {
		sum := 0.0
		for j := range r {
			sum += inverse[j*len(z)+i] * r[j]
		}
		z[i] = sum
	}
}

// invertPoint is a kernel for blocks of pointDim by pointDim. First is the first row without a pivot.
func invertPoint(inverse, block []float64, row *int, first *int64) {
	var work [pointDim * pointDim]float64
	for i := range work {
		work[i] = block[i]
	}
	if i := invert(work[:], inverse, pointDim); i >= 0 {
		if at := int64(*row*pointDim + i); at < *first {
			*first = at
		}
	}
}
