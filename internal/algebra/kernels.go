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

// arithmeticFor returns the kernels below that are the same for signed and unsigned integers.
func arithmeticFor[T loop.Number]() map[string]any {
	return map[string]any{
		"AXPY": datAXPY[T], "MAXPY": datMAXPY[T], "Scale": datScale[T], "Fill": datFill[T], "Copy": datCopy[T],
		"Add": datAdd[T], "Sub": datSub[T], "Mul": datMul[T],
		"Count": datCount[T], "Compare": datCompare[T], "Take": datTake[T], "Place": datPlace[T],
		"Lift": datLift[T], "CompareLifted": datCompareLifted[T], "Pick": datPick[T], "Restore": datRestore[T],
	}
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

// Those that count add to the counts.

func datCount[T loop.Number](x []T, nonzeros []int64) {
	for i := range x {
		if x[i] != 0 {
			nonzeros[0]++
		}
	}
}

func datCompare[T loop.Number](a, b []T, differences []int64) {
	for i := range a {
		if !(a[i] == b[i]) {
			differences[0]++
		}
	}
}

// Conditions take the values of an element, of which owner says whose condition fixes them.

func datTake[T loop.Number](value []T, owner []int32, from []T, place, condition []int32) {
	for i := range value {
		if owner[i] == condition[0] {
			value[i] = from[place[i]]
		}
	}
}

func datPlace[T loop.Number](u, value []T, owner []int32, scale []T) {
	for i := range u {
		if owner[i] != 0 {
			u[i] = scale[0] * value[i]
		}
	}
}

// Liftings take one nonzero, with the values of its row and its column, of which it has one component.

func datLift[T loop.Number](b, kept, value []T, component []int32) {
	b[component[0]] -= kept[0] * value[component[1]]
}

func datCompareLifted[T loop.Number](b, before, after []T, component []int32, differences []int64) {
	if !(b[component[0]] == after[0]) {
		differences[0]++
	}
	if !(before[0] == after[0]) {
		differences[1]++
	}
}

func datPick[T loop.Number](value, b []T, component []int32) { value[0] = b[component[0]] }

func datRestore[T loop.Number](b, value []T, component []int32) { b[component[0]] = value[0] }
