package interp

import (
	"math"
	"reflect"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
)

// call calls a function of package math.
func call(name string, args []uint64) [][]uint64 {
	function := mathfn.Lookup(name)
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

// inC returns the result of a function of <math.h>, which may take and return floats of either size.
func inC(e *kernel.Math, args []uint64) uint64 {
	s := kernel.Scalar(e.Args[0].Type())
	wide := make([]uint64, len(args))
	for i, a := range args {
		wide[i] = convert(s, loop.Float64, a)
	}
	switch x, y := number(s, args[0]), number(s, args[len(args)-1]); e.Name {
	case "Max", "Min": // a number takes precedence over NaN
		if x != x {
			return args[1]
		} else if y != y {
			return args[0]
		}
	case "Dim":
		if x <= y { // infinities, too
			return 0
		}
	case "Nextafter":
		if x == y {
			return args[1]
		} else if s == loop.Float32 {
			return float(s, float64(math.Nextafter32(float32(x), float32(y))))
		}
	}
	result := call(e.Name, wide)[0][0]
	if t := kernel.Scalar(e.T); t.Float() {
		return convert(loop.Float64, t, result)
	}
	return result
}
