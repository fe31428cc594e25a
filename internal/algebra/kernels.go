package algebra

import (
	_ "embed"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/userkernel"
)

//go:embed kernels.go
var kernelSource string

// sourceFor returns the kernels below for values of one type.
func sourceFor(s loop.Scalar) *userkernel.Source {
	return userkernel.OwnKernels(strings.ReplaceAll(kernelSource, "[T loop.Number]", "") + "\ntype T = " + s.String())
}

// arithmeticFor returns the arithmetic below that is the same for signed and unsigned integers.
func arithmeticFor[T loop.Number]() map[string]any {
	return map[string]any{
		"AXPY": datAXPY[T], "MAXPY": datMAXPY[T], "Scale": datScale[T], "Fill": datFill[T], "Copy": datCopy[T],
		"Add": datAdd[T], "Sub": datSub[T], "Mul": datMul[T],
	}
}

// The others run on devices alone, which have them from the source.
var _ = []any{
	datCompare[float64], matFill[float64], matDiagonal[float64], matSetDiagonal[float64], matAddToDiagonal[float64],
	dirichletTake[float64], dirichletPlace[float64], dirichletLift[float64],
	liftingKeep[float64], liftingCount[float64], liftingCompare[float64], liftingPick[float64], liftingRestore[float64],
}

// Arithmetic takes all values of an element. Factors are one for all of them, or in turn one for each.

func datAXPY[T loop.Number](y, x, a []T) {
	for i := 0; i < len(y); i += len(a) {
		for k := range a {
			y[i+k] += a[k] * x[i+k]
		}
	}
}

func datMAXPY[T loop.Number](y, u, v, w, x, a []T) {
	for i := range y {
		y[i] += a[0] * u[i]
		y[i] += a[1] * v[i]
		y[i] += a[2] * w[i]
		y[i] += a[3] * x[i]
	}
}

func datScale[T loop.Number](y, a []T) {
	for i := 0; i < len(y); i += len(a) {
		for k := range a {
			y[i+k] *= a[k]
		}
	}
}

func datFill[T loop.Number](y, a []T) {
	for i := 0; i < len(y); i += len(a) {
		for k := range a {
			y[i+k] = a[k]
		}
	}
}

func datCopy[T loop.Number](y, x []T) {
	for i := range y {
		y[i] = x[i]
	}
}

func datAdd[T loop.Number](y, x []T) {
	for i := range y {
		y[i] += x[i]
	}
}

func datSub[T loop.Number](y, x []T) {
	for i := range y {
		y[i] -= x[i]
	}
}

func datMul[T loop.Number](y, x []T) {
	for i := range y {
		y[i] *= x[i]
	}
}

func datDiv[T loop.Number](y, x []T) {
	for i := range y {
		y[i] /= x[i]
	}
}

func datInner[T loop.Number](x, y []T, sum *float64) {
	for i := range x {
		*sum += float64(x[i]) * float64(y[i])
	}
}

func datCompare[T loop.Number](a, b []T, differences *int64) {
	for i := range a {
		if !(a[i] == b[i]) {
			*differences++
		}
	}
}

// Kernels of a matrix take one nonzero, or those on the diagonal of an element's row.

func matFill[T loop.Number](nonzero, value *T) { *nonzero = *value }

func matDiagonal[T loop.Number](nonzeros, diagonal []T) {
	for i := range diagonal {
		diagonal[i] = nonzeros[i]
	}
}

func matSetDiagonal[T loop.Number](nonzeros, diagonal []T) {
	for i := range nonzeros {
		nonzeros[i] = diagonal[i]
	}
}

func matAddToDiagonal[T loop.Number](nonzeros, diagonal []T) {
	for i := range diagonal {
		nonzeros[i] += diagonal[i]
	}
}

// Conditions take the values of an element, of which owner says whose condition fixes them.

func dirichletTake[T loop.Number](value []T, owner []int32, from []T, place []int32, condition *int32) {
	for i := range value {
		if owner[i] == *condition {
			value[i] = from[place[i]]
		}
	}
}

func dirichletPlace[T loop.Number](u, value []T, owner []int32, scale *T) {
	for i := range u {
		if owner[i] != 0 {
			u[i] = *scale * value[i]
		}
	}
}

// Liftings take one nonzero, with the values of its row and its column, of which it has one component.

func dirichletLift[T loop.Number](b []T, kept *T, value []T, component *[2]int32) {
	b[component[0]] -= *kept * value[component[1]]
}

func liftingKeep[T loop.Number](kept, nonzero *T) { *kept += *nonzero }

func liftingCount[T loop.Number](nonzero *T, nonzeros *int64) {
	if *nonzero != 0 {
		*nonzeros++
	}
}

func liftingCompare[T loop.Number](b []T, before, after *T, component *[2]int32, differences *[2]int64) {
	if !(b[component[0]] == *after) {
		differences[0]++
	}
	if !(*before == *after) {
		differences[1]++
	}
}

func liftingPick[T loop.Number](value *T, b []T, component *[2]int32) { *value = b[component[0]] }

func liftingRestore[T loop.Number](b []T, value *T, component *[2]int32) { b[component[0]] = *value }
