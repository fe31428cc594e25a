package interp

import (
	"math"
	"reflect"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
)

// math returns the results of a function of package math, or of min or max.
func (m *machine) math(e *kernel.Math) [][]uint64 {
	args := make([]uint64, len(e.Args))
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = m.scalar(e.Args[i])
	}
	if e.Name == "min" || e.Name == "max" {
		s := kernel.Scalar(e.T)
		best := args[0]
		for _, a := range args[1:] {
			best = better(e.Name, s, best, a)
		}
		return [][]uint64{{best}}
	}
	function := mathfn.Lookup(e.Name)
	if function == nil {
		panic(ErrUnknown)
	}
	switch f := function.Go.(type) {
	case func(float64) float64:
		return [][]uint64{{math.Float64bits(f(math.Float64frombits(args[0])))}}
	case func(x, y float64) float64:
		return [][]uint64{{math.Float64bits(f(math.Float64frombits(args[0]), math.Float64frombits(args[1])))}}
	}
	f := reflect.ValueOf(function.Go)
	var values []reflect.Value
	for i, a := range args {
		v := reflect.New(f.Type().In(i)).Elem()
		setBits(v, a)
		values = append(values, v)
	}
	var results [][]uint64
	for _, r := range f.Call(values) {
		results = append(results, Bits(r))
	}
	return results
}

// better returns the smaller or the larger of two values.
func better(name string, s loop.Scalar, x, y uint64) uint64 {
	if s.Float() {
		a, b := number(s, x), number(s, y)
		switch {
		case a != a || b != b:
			return float(s, math.NaN())
		case name == "min":
			return float(s, math.Min(a, b))
		}
		return float(s, math.Max(a, b))
	}
	if (compare(kernel.Lt, s, x, y) != 0) == (name == "min") {
		return x
	}
	return y
}
