package userkernel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/interp"
	"github.com/go-op2/op2/internal/loop"
)

// extremeSteps is of a kernel on one sample: longer ones are not tried.
const extremeSteps = 2000

// NoExtremes returns a problem for each argument passed with Min or Max by which a Go kernel does something else than to
// leave the smaller, or the larger, of what it finds and a value of its own: whatever it finds, the one of the two must be the
// same. That is tried on a few random values, with these values of the consts, or random ones. The kernel has been analyzed.
func NoExtremes(ir *kernel.Kernel, consts [][]uint64, access []loop.Access) (problems []kernel.Problem) {
	if ir.IsC() || kernel.Has[*kernel.Print](ir) {
		return nil
	}
	for i, p := range ir.Params() {
		if i >= len(access) || access[i] != loop.Min && access[i] != loop.Max || keepsExtreme(ir, consts, i, access[i]) {
			continue
		}
		name, of, operator := "Min", "smaller", "min"
		if access[i] == loop.Max {
			name, of, operator = "Max", "larger", "max"
		}
		problems = append(problems, kernel.Problem{Pos: ir.Uses[i].Write,
			Msg: fmt.Sprintf("%s is passed with %s, but the kernel does not leave the %s of what it finds there and a value that does not depend on it: results would depend on the order of elements", p.Name, name, of),
			Hint: fmt.Sprintf("set it to %s(%s, x), or to x alone; sums are passed with Inc, other operations with Reduce", operator,
				map[bool]string{true: "*" + p.Name, false: p.Name + "[i]"}[len(kernel.Scalars(p.Type)) == 1])})
	}
	return problems
}

// keepsExtreme reports whether a kernel, for some samples, leaves the same extreme whatever it finds in a parameter.
func keepsExtreme(ir *kernel.Kernel, consts [][]uint64, param int, access loop.Access) bool {
	scalars := kernel.Scalars(ir.Params()[param].Type)
	for sample := range uint64(samples) {
		random := rand.New(rand.NewPCG(sample, 1))
		with := consts
		if with == nil {
			for _, c := range ir.Consts {
				with = append(with, randomScalars(kernel.Scalars(c.Type), random))
			}
		}
		var values [][]uint64
		for i, p := range ir.Entry().Params {
			values = append(values, randomScalars(kernel.Scalars(p.Type), random))
			if i >= len(ir.Params()) { // the length of a row
				values[i] = []uint64{uint64(p.Most)}
			}
		}
		// left returns what the kernel leaves, having found the given values there.
		left := func(found []uint64) (left []uint64, ok bool) {
			copies := make([][]uint64, len(values))
			for i := range values {
				copies[i] = append([]uint64{}, values[i]...)
			}
			copy(copies[param], found)
			return copies[param], interp.Run(ir, copies, with, extremeSteps) == nil
		}
		neutral := make([]uint64, len(scalars))
		for i, s := range scalars {
			neutral[i] = extremeOf(s, access == loop.Min)
		}
		own, ok1 := left(neutral)
		both, ok2 := left(values[param])
		for i, s := range scalars {
			found := asFloat(s, values[param][i])
			want, got := asFloat(s, own[i]), asFloat(s, both[i])
			if access == loop.Min {
				want, got = min(want, found), min(got, found)
			} else {
				want, got = max(want, found), max(got, found)
			}
			if ok1 && ok2 && math.Abs(want-got) > 1e-3*max(math.Abs(want), math.Abs(got)) { // not for NaN
				return false
			}
		}
	}
	return true
}

// randomScalars returns values of both signs, and small integers, which may be indices.
func randomScalars(scalars []loop.Scalar, random *rand.Rand) []uint64 {
	values := make([]uint64, len(scalars))
	for i, s := range scalars {
		x := 4*random.Float64() - 2
		switch {
		case s == loop.Float32:
			values[i] = uint64(math.Float32bits(float32(x)))
		case s.Float():
			values[i] = math.Float64bits(x)
		case s == loop.Bool:
			values[i] = uint64(random.IntN(2))
		default:
			values[i] = uint64(random.IntN(3))
		}
	}
	return values
}

// extremeOf returns a value of a type that is larger, or smaller, than what kernels leave.
func extremeOf(s loop.Scalar, large bool) uint64 {
	x := 1e30
	if !large {
		x = -x
	}
	switch {
	case s == loop.Float32:
		return uint64(math.Float32bits(float32(x)))
	case s.Float():
		return math.Float64bits(x)
	case s.Signed() && !large:
		return ^uint64(99) // -100, of int8, too
	case !large:
		return 0
	}
	return 100
}
