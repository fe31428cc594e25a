package op2_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// Nothing public panics on nil, on values that no constructor made, or on such arguments: methods
// that can return an error do.
func TestNilAndZeroValues(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	set := optest.NewSet(t, rt, 3, "elements")
	m := optest.NewMap(t, set, set, 1, make([]int32, 3), "m")
	k := ckernel.New("k", "void k(double *x) {}")
	made := []any{rt, set, m, m.At(0), optest.NewDat[float64](t, set, 1, nil, "x"), optest.NewGlobal(t, rt, "g", 1.0), k, op2.Kernels("package p"),
		op2.NewSubset(set, []int{1}, "some")}
	empty := []any{&op2.Runtime{}, &op2.Set{}, &op2.Map{}, &op2.Dat[float64]{}, &op2.Global[float64]{}, &op2.Kernel{}, &op2.Source{},
		&op2.Subset{}, &op2.Loop{}, &op2.Chain{}, &op2.Mat[float64]{}, &op2.Sparsity{}, &solver.Solver{}, &solver.FuncOperator{}, &op2.Dirichlet[float64]{},
		&op2.MixedMap{}, &op2.MixedDat[float64]{}}
	for _, receiver := range append(append([]any{}, made...), empty...) {
		v := reflect.ValueOf(receiver)
		callAll(t, v, false)
		callAll(t, reflect.Zero(v.Type()), true)
	}
	for _, receiver := range empty {
		callAll(t, reflect.ValueOf(receiver), true)
	}
	var noSet *op2.Set
	var noMap *op2.Map
	for what, f := range map[string]func() error{
		"NewMap":        func() error { return op2.NewMap(&op2.Set{}, set, 1, []int{0, 0, 0}, "m").Err() },
		"NewMap nil":    func() error { return op2.NewMap(noSet, set, 1, []int{0, 0, 0}, "m").Err() },
		"NewMap to":     func() error { return op2.NewMap(set, &op2.Set{}, 1, []int{0, 0, 0}, "m").Err() },
		"NewMaskedMap":  func() error { return op2.NewMaskedMap(set, &op2.Set{}, 1, []int{0, 0, 0}, "m").Err() },
		"NewDat":        func() error { return op2.NewDat[float64](&op2.Set{}, 1, nil, "x").Err() },
		"NewDat nil":    func() error { return op2.NewDat[float64](nil, 1, nil, "x").Err() },
		"NewGlobal":     func() error { return op2.NewGlobal(&op2.Runtime{}, []float64{1}, "g").Err() },
		"NewGlobal nil": func() error { return op2.NewGlobal(nil, []float64{1}, "g").Err() },
		"NewConst":      func() error { return optest.NewConst(&op2.Runtime{}, "c", new(float64)) },
		"NewConst nil":  func() error { return optest.NewConst(nil, "c", new(float64)) },
		"NewSubset":     func() error { return op2.NewSubset(&op2.Set{}, []int{0}, "s").Err() },
		"NewSubset nil": func() error { return op2.NewSubset(noSet, []int{0}, "s").Err() },
		"NewSparsity": func() error {
			return op2.NewSparsity([]op2.MapPair{{Rows: &op2.Map{}, Cols: &op2.Map{}}}, 1, 1, "s").Err()
		},
		"NewSparsity nil": func() error {
			return op2.NewSparsity([]op2.MapPair{{Rows: noMap, Cols: noMap}}, 1, 1, "s").Err()
		},
		"NewMixedMap":       func() error { return op2.NewMixedMap([]*op2.Map{noMap, noMap}, "m").Err() },
		"NewMixedDat":       func() error { return op2.NewMixedDat([]*op2.Dat[float64]{{}}, "x").Err() },
		"NewSparsity mixed": func() error { return op2.NewSquareSparsity(&op2.MixedMap{}, []int{1, 1}, "s").Err() },
		"NewMat":            func() error { return op2.NewMat[float64](&op2.Sparsity{}, "m").Err() },
		"NewLoop set":       func() error { return op2.NewLoop(k, &op2.Set{}).Err() },
		"NewLoop nil set":   func() error { return op2.NewLoop(k, noSet).Err() },
		"NewLoop subset":    func() error { return op2.NewLoop(k, &op2.Subset{}).Err() },
		"NewLoop kernel":    func() error { return op2.NewLoop(&op2.Kernel{}, set).Err() },
		"ParLoop":           func() error { return op2.ParLoop(nil, nil) },
		"ParLoop set":       func() error { return op2.ParLoop(k, &op2.Set{}) },
		"ParLoop kernel":    func() error { return op2.ParLoop(&op2.Kernel{}, set, op2.Index()) },
		"ParLoop arg":       func() error { return op2.ParLoop(k, set, op2.Arg{}) },
		"ParLoop dat":       func() error { return op2.ParLoop(k, set, (&op2.Dat[float64]{}).RW()) },
		"ParLoop nil dat":   func() error { return op2.ParLoop(k, set, (*op2.Dat[float64])(nil).RW()) },
		"ParLoop global":    func() error { return op2.ParLoop(k, set, (&op2.Global[float64]{}).Inc()) },
		"ParLoop reduce": func() error {
			return op2.ParLoop(k, set, op2.NewGlobal(rt, []float64{1}, "g").Reduce(nil, 0))
		},
		"ParLoop map":     func() error { return op2.ParLoop(k, set, newDatOf(set, 1).Inc(new(op2.Map))) },
		"ParLoop nil map": func() error { return op2.ParLoop(k, set, newDatOf(set, 1).Inc(noMap.At(0))) },
		"ParLoop At":      func() error { return op2.ParLoop(k, set, newDatOf(set, 1).Inc(new(op2.Map).At(0))) },
	} {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("panic: %v", p)
				}
			}()
			if err := f(); err == nil {
				t.Error("no error")
			}
		})
	}
	// None of this has locked the runtime.
	optest.OK(t, rt.NewSet(1, "after").Err())
	if optest.Must(op2.Open(nil, op2.WithBackend("go"))).Close() != nil {
		t.Error("a nil option")
	}
}

// Methods that succeed on values which no constructor made, or whose error does not mean failure.
var harmless = map[string]bool{"Runtime.Close": true, "Solver.Close": true}

// callAll calls all methods, with zero arguments. Those that can fail must, if fail is set. An error says where they were called: from
// a function of package reflect.
func callAll(t *testing.T, v reflect.Value, fail bool) {
	for i := range v.NumMethod() {
		method := v.Method(i)
		name := fmt.Sprintf("%s.%s", v.Type().Elem().Name(), v.Type().Method(i).Name)
		if name == "Runtime.Close" && !fail {
			continue
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("%s (nil: %t): panic: %v", name, v.IsNil(), p)
				}
			}()
			var args []reflect.Value
			for j := range method.Type().NumIn() {
				args = append(args, reflect.Zero(method.Type().In(j)))
			}
			var results []reflect.Value
			if method.Type().IsVariadic() {
				results = method.CallSlice(args)
			} else {
				results = method.Call(args)
			}
			if n := len(results); n > 0 && fail && !harmless[name] {
				if err := results[n-1]; err.Type() == reflect.TypeFor[error]() && err.IsNil() {
					t.Errorf("%s (nil: %t): no error", name, v.IsNil())
				}
			}
			if n := len(results); n > 0 {
				if err, _ := results[n-1].Interface().(error); err != nil && !strings.Contains(err.Error(), "\n  called at value.go:") {
					t.Errorf("%s (nil: %t) names no place: %v", name, v.IsNil(), err)
				}
			}
		}()
	}
}
