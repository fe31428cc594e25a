package op2_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// world has one of everything that can be declared on a runtime, and arguments for methods.
type world struct {
	rt       *op2.Runtime
	set      *op2.Set
	x, y     *op2.Dat[float64]
	m, rows  *op2.Map
	masked   *op2.Map
	subset   *op2.Subset
	g        *op2.Global[float64]
	sparsity *op2.Sparsity
	mat      *op2.Mat[float64]
	solver   *solver.Solver
	fix      *op2.Condition[float64]
	loop     *op2.Loop
	chain    *op2.Chain
	operator *solver.FuncOperator
	dir      *op2.Dirichlet[float64]
	kernel   *op2.Kernel
	place    *op2.Dat[float64]
	file     string // a name that may also be that of a file

	maps     *op2.MixedMap
	dats     *op2.MixedDat[float64]
	others   *op2.MixedDat[float64]
	blocks   *op2.Mat[float64]
	both     *solver.Solver
	function *solver.FuncOperator
}

func (w *world) apply(y, x *op2.Dat[float64]) error { return y.Copy(x) }

func (w *world) applyMixed(y, x *op2.MixedDat[float64]) error { return y.Copy(x) }

func newWorld(t *testing.T, options ...op2.Option) *world {
	w := &world{rt: optest.Must(op2.Open(append(options, op2.WithBackend("go"), op2.WithLog(nil))...))}
	w.file = filepath.Join(t.TempDir(), "name")
	t.Cleanup(func() { w.rt.Close() })
	w.set = optest.NewSet(t, w.rt, 3, "elements")
	w.m = optest.NewMap(t, w.set, w.set, 1, []int32{0, 1, 2}, "m")
	w.subset = op2.NewSubset(w.set, []int{1}, "some")
	w.x, w.y = optest.NewDat[float64](t, w.set, 1, nil, "x"), optest.NewDat[float64](t, w.set, 1, nil, "y")
	w.place = optest.NewDat[float64](t, w.set, 2, nil, "place")
	w.g = optest.NewGlobal(t, w.rt, "g", 1.0)
	w.rows = optest.NewMap(t, w.set, w.set, 1, []int32{0, 1, 2}, "rows")
	w.masked = w.rows.Masked(w.subset, "masked", 0)
	w.sparsity = op2.NewSquareSparsity(w.rows, 1, "pattern")
	w.mat = op2.NewMat[float64](w.sparsity, "a")
	w.solver = solver.New(w.mat)
	w.operator = solver.NewOperator(w.set, 1, w.apply, nil, "identity")
	w.fix = op2.Fix(w.subset, 1.0)
	w.dir = op2.NewDirichlet(w.fix)
	w.maps = op2.NewMixedMap([]*op2.Map{w.rows, w.rows}, "maps")
	w.dats = op2.NewMixedDat([]*op2.Dat[float64]{optest.NewDat[float64](t, w.set, 1, nil, "u"), optest.NewDat[float64](t, w.set, 1, nil, "p")}, "dats")
	w.others = op2.NewMixedDat([]*op2.Dat[float64]{optest.NewDat[float64](t, w.set, 1, nil, "v"), optest.NewDat[float64](t, w.set, 1, nil, "q")}, "others")
	w.blocks = op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: w.maps, Cols: w.maps}}, []int{1, 1}, []int{1, 1}, "patterns"), "blocks")
	w.both = solver.New(w.blocks)
	w.function = solver.NewOperator([]*op2.Set{w.set, w.set}, []int{1, 1}, w.applyMixed, nil, "both")
	w.kernel = op2.Kernels(errorsSource).Func(busy)
	w.loop = op2.NewLoop(w.kernel, w.set, w.x.RW())
	optest.OK(t, w.loop.Compute())
	w.chain = op2.NewChain(w.loop, w.loop)
	return w
}

func (w *world) receivers() []any {
	return []any{w.rt, w.set, w.subset, w.m, w.m.At(0), w.masked, w.x, w.g, w.sparsity, w.mat, w.solver, w.operator, w.fix, w.dir, w.loop, w.chain, w.kernel,
		w.maps, w.dats, w.blocks, w.blocks.Sparsity(), w.both, w.function,
		op2.Kernels("package p")}
}

// argument returns a valid argument j for a method.
func (w *world) argument(t *testing.T, receiver any, method string, j int, typ reflect.Type) reflect.Value {
	if typ == reflect.TypeFor[op2.Vector[float64]]() && (receiver == any(w.blocks) || receiver == any(w.both) || receiver == any(w.function)) {
		return reflect.ValueOf([]*op2.MixedDat[float64]{w.others, w.dats}[j%2])
	}
	dims := []int{0}
	if strings.Contains(method, "Mixed") {
		dims = []int{1, 1}
	}
	for _, v := range []any{[]*op2.Dat[float64]{w.y, w.x}[j%2], w.mat, w.subset, w.m, w.set, w.kernel, w.operator, 1.0, 1, true, w.file, io.Discard, op2.SoA,
		[]op2.MapPair{{Rows: w.m, Cols: w.m}}, w.apply, []float64{1, 2, 3}, [][]float64{{1, 2, 3}, {1, 2, 3}}, []int32{0, 1, 2}, dims,
		w.maps, w.others, w.blocks, w.blocks.Sparsity(), []*op2.Set{w.set}, []*op2.Map{w.m}, []op2.MapPair{{Rows: w.maps, Cols: w.maps}}} {
		if reflect.TypeOf(v).AssignableTo(typ) {
			return reflect.ValueOf(v)
		}
	}
	if k := typ.Kind(); k == reflect.Slice || k == reflect.Interface || k == reflect.Func || k == reflect.Struct {
		return reflect.Zero(typ)
	}
	t.Fatalf("%s takes a %v, of which the test has none", method, typ)
	return reflect.Value{}
}

// call calls method i, and returns its error: the last result, or the value of its panic.
func (w *world) call(t *testing.T, receiver any, i int) (name string, fails bool, err error) {
	name, results, err := w.results(t, receiver, i)
	method := reflect.ValueOf(receiver).Method(i).Type()
	n := method.NumOut()
	fails = n > 0 && method.Out(n-1) == reflect.TypeFor[error]()
	if fails && len(results) == n {
		err, _ = results[n-1].Interface().(error)
	}
	if len(results) == 1 && !anytime[name] {
		if made, is := results[0].Interface().(thing); is {
			return name, true, made.Err()
		}
	}
	return name, fails, err
}

// results calls method i, and returns its results, or the value of its panic as an error.
func (w *world) results(t *testing.T, receiver any, i int) (name string, results []reflect.Value, err error) {
	v := reflect.ValueOf(receiver)
	method := v.Method(i)
	kind, _, _ := strings.Cut(v.Type().Elem().Name(), "[")
	name = kind + "." + v.Type().Method(i).Name
	var args []reflect.Value
	for j := range method.Type().NumIn() {
		args = append(args, w.argument(t, receiver, name, j, method.Type().In(j)))
	}
	if values, ok := map[string][]float64{"Dat.Fill": {1}, "Global.Set": {1}, "Condition.Set": {1}}[name]; ok {
		args[0] = reflect.ValueOf(values)
	}
	err = caught(func() error {
		call := method.Call
		if method.Type().IsVariadic() {
			call = method.CallSlice
		}
		results = call(args)
		return nil
	})
	return name, results, err
}

// anytime are the methods that a second goroutine may call: what they read never changes, or is
// locked separately.
var anytime = words(`
	Runtime.Backend Runtime.Output Runtime.Rank Runtime.Ranks
	Set.DeclaredNumbers Set.Halo Set.Name Set.Owned Set.Size
	Subset.Contains Subset.Elements Subset.Name Subset.Of Subset.Size
	Map.Arity Map.At Map.From Map.InDeclaredOrder Map.Name Map.To Map.Values
	Dat.Component Dat.Dim Dat.Inc Dat.Max Dat.Min Dat.NBytes Dat.Name Dat.RW Dat.Read Dat.Reduce Dat.Set Dat.Write
	Global.Dim Global.Inc Global.Max Global.Min Global.Name Global.Read Global.Reduce
	Sparsity.Blocks Sparsity.ColDim Sparsity.ColIdx Sparsity.RowDim Sparsity.RowPtr
	Mat.Block Mat.Cols Mat.Domain Mat.Inc Mat.NBytes Mat.Name Mat.Rows Mat.Sparsity Mat.Write
	
	MixedMap.Parts MixedDat.Inc MixedDat.Max
	MixedDat.Min MixedDat.Name MixedDat.Parts MixedDat.RW MixedDat.Read
	MixedDat.Reduce MixedDat.Write
	Solver.ReusePreconditioner FuncOperator.Domain FuncOperator.Name Kernel.Name Kernel.With Source.Func`)

// atAnyTime reports whether a second goroutine may call a method, such as Err of everything.
func atAnyTime(name string) bool { return anytime[name] || strings.HasSuffix(name, ".Err") }

func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(text) {
		all[word] = true
	}
	return all
}

// While a call is in progress in a runtime, everything public that reads or changes its state
// refuses a second goroutine.
func TestSecondGoroutineIsRefused(t *testing.T) {
	w := newWorld(t)
	optest.OK(t, op2.Enter(w.rt))
	for _, receiver := range w.receivers() {
		for i := range reflect.TypeOf(receiver).NumMethod() {
			switch name, fails, err := w.call(t, receiver, i); {
			case atAnyTime(name) && (fails && !strings.HasSuffix(name, ".Err") || err != nil):
				t.Errorf("%s: got %v from what can be called at any time", name, err)
			case !atAnyTime(name) && !errors.Is(err, op2.ErrConcurrentUse):
				t.Errorf("%s: got %v, want ErrConcurrentUse", name, err)
			}
		}
	}
	functions := w.functions()
	for name, f := range functions {
		if err := f(); errors.Is(err, op2.ErrConcurrentUse) == anytime[name] {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, name := range failingFunctions(t) {
		if functions[name] == nil && name != "Open" && name != "RunRanks" && name != "Backends" { // which work without a runtime
			t.Errorf("%s is not in the table of functions", name)
		}
	}
	op2.Leave(w.rt)
	optest.OK(t, w.loop.Compute())
}

// functions calls the package's functions that work in a runtime.
func (w *world) functions() map[string]func() error {
	return map[string]func() error{
		"NewChain":           func() error { return op2.NewChain(w.loop).Err() },
		"NewConst":           func() error { return optest.NewConst(w.rt, "c", new(float64)) },
		"NewDat":             func() error { return op2.NewDat[float64](w.set, 1, nil, "d").Err() },
		"NewDirichlet":       func() error { return op2.NewDirichlet(op2.Fix(w.set, 0.0)).Err() },
		"NewGlobal":          func() error { return op2.NewGlobal(w.rt, []float64{1}, "g").Err() },
		"NewLoop":            func() error { return op2.NewLoop(w.kernel, w.set, w.x.RW()).Err() },
		"NewMixedDat":        func() error { return op2.NewMixedDat([]*op2.Dat[float64]{w.x}, "d").Err() },
		"NewMixedMap":        func() error { return op2.NewMixedMap([]*op2.Map{w.m}, "m").Err() },
		"NewMap":             func() error { return op2.NewMap(w.set, w.set, 1, []int{0, 1, 2}, "m").Err() },
		"NewMaskedMap":       func() error { return op2.NewMaskedMap(w.set, w.set, 1, []int{0, 1, 2}, "m").Err() },
		"NewMat":             func() error { return op2.NewMat[float64](w.sparsity, "a").Err() },
		"solver.NewOperator": func() error { return solver.NewOperator(w.set, 1, w.apply, nil, "o").Err() },
		"solver.New":         func() error { return solver.New(w.mat).Err() },
		"NewSparsity":        func() error { return op2.NewSparsity([]op2.MapPair{{Rows: w.m, Cols: w.m}}, 1, 1, "p").Err() },
		"NewSquareSparsity":  func() error { return op2.NewSquareSparsity(w.m, 1, "p").Err() },
		"NewSubset":          func() error { return op2.NewSubset(w.set, []int{0}, "s").Err() },
		"ParLoop":            func() error { return op2.ParLoop(w.kernel, w.set, w.x.RW()) },
		"RigidBodyModes":     func() error { return solver.RigidBodyModes(w.place)[0].Err() },
	}
}

// failingFunctions returns the names of the package's exported functions that return an error.
func failingFunctions(t *testing.T) []string {
	var names []string
	for _, file := range optest.Must(filepath.Glob("*.go")) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f := optest.Must(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))
		for _, d := range f.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil {
				continue
			}
			if returnsError(f.Type.Results.List) {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// returnsError reports whether the last result is an error.
func returnsError(results []*ast.Field) bool {
	id, ok := results[len(results)-1].Type.(*ast.Ident)
	return ok && id.Name == "error"
}

// Whatever a second goroutine calls during another call, the race detector finds nothing, and both
// can continue.
func TestSecondGoroutineRaces(t *testing.T) {
	w := newWorld(t)
	work := map[string]func() error{
		"NewSet":    func() error { return w.rt.NewSet(1, "s").Err() },
		"SetValues": func() error { return w.m.SetValues([]int32{0, 1, 2}) },
		"ParLoop":   func() error { return op2.ParLoop(w.kernel, w.set, w.y.RW()) },
		"Compute":   w.loop.Compute,
		"assemble": func() error {
			return op2.ParLoop(op2.Kernels(errorsSource).Func(local1x1), w.set, w.mat.Inc(w.masked, w.masked), w.x.Read())
		},
		"Apply":  func() error { return w.dir.Apply(w.mat, w.x) },
		"Solve":  func() error { return optest.Last(w.solver.Solve(w.x, w.y)) },
		"Masked": func() error { return w.m.Masked(w.subset, "masked").Err() },
		"Layout": func() error { w.y.SetLayout(op2.SoA); return nil },
	}
	maps.Copy(work, w.functions())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 20 {
			for _, receiver := range w.receivers() {
				for i := range reflect.TypeOf(receiver).NumMethod() {
					if name := reflect.TypeOf(receiver).Method(i).Name; name == "Close" {
						continue
					}
					if name, _, err := w.call(t, receiver, i); err != nil && strings.HasPrefix(err.Error(), "panic: ") {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
		}
	}()
	for ended := false; !ended; {
		for name, f := range work {
			if err := caught(f); err != nil && strings.HasPrefix(err.Error(), "panic: ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		select {
		case <-done:
			ended = true
		default:
		}
	}
	optest.OK(t, w.loop.Compute())
}

// A panic during a call leaves the runtime usable.
func TestPanicLeavesRuntime(t *testing.T) {
	w := newWorld(t)
	var writer panicWriter
	for name, f := range map[string]func() error{
		"WriteStats":        func() error { return w.rt.WriteStats(writer) },
		"WriteMatrixMarket": func() error { return w.mat.WriteMatrixMarket(writer) },
		"operator": func() error {
			o := solver.NewOperator(w.set, 1, func(y, x *op2.Dat[float64]) error { panic(writer) }, nil, "o")
			return optest.Last(solver.New(o, solver.None).Solve(w.x, w.y))
		},
	} {
		optest.OK(t, w.y.Fill(1))
		if err := caught(f); err == nil || !strings.HasPrefix(err.Error(), "panic: ") {
			t.Errorf("%s: got %v, want a panic", name, err)
		}
		optest.OK(t, w.loop.Compute())
	}
}

type panicWriter struct{}

func (panicWriter) Write([]byte) (int, error) { panic("no") }

// Renumber changes what may be read at any time.
func TestNumbersWhileRenumbered(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	set := optest.NewSet(t, rt, 100, "elements")
	m := optest.NewMap(t, set, set, 1, make([]int32, 100), "m")
	some := op2.NewSubset(set, []int{1, 7}, "some")
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 50 {
			_, _, _, _ = len(m.Values()), m.InDeclaredOrder(), set.DeclaredNumbers(), some.Contains(1)
		}
	}()
	for range 50 {
		optest.OK(t, rt.Renumber())
	}
	<-done
}

// The functions of the program that Solve calls may use the runtime, and may panic.
func TestSolverLendsRuntime(t *testing.T) {
	w := newWorld(t)
	stop := errors.New("stop")
	var system *solver.Solver
	var inMonitor func() error
	system = solver.New(w.operator, solver.None, solver.WithMonitor(func(int, float64) error { return inMonitor() }))
	optest.OK(t, w.y.Fill(1))
	for name, test := range map[string]struct {
		f    func() error
		want error
	}{
		"loop":   {w.loop.Compute, nil},
		"error":  {func() error { return stop }, stop},
		"solve":  {func() error { return optest.Last(system.Solve(w.x, w.y)) }, op2.ErrConcurrentUse},
		"close":  {func() error { return system.Close() }, op2.ErrConcurrentUse},
		"panic":  {func() error { panic(stop) }, stop},
		"others": {func() error { return op2.Enter(w.rt) }, op2.ErrConcurrentUse}, // who do not leave
	} {
		inMonitor = test.f
		err := caught(func() error { return optest.Last(system.Solve(w.x, w.y)) })
		if !errors.Is(err, test.want) || test.want == nil && err != nil {
			t.Errorf("%s: got %v, want %v", name, err, test.want)
		}
		if name == "solve" || name == "close" {
			optest.ExpectError(t, err, fmt.Sprintf("op2: solver cg + none of identity: %s: it is solving: its own operator, diagonal or monitor calls it\n  hint: make a second solver", map[string]string{"solve": "Solve", "close": "Close"}[name]))
		}
		if name == "others" {
			if err := w.x.Fill(0); !errors.Is(err, op2.ErrConcurrentUse) {
				t.Errorf("the runtime was taken from who entered it meanwhile: %v", err)
			}
			op2.Leave(w.rt)
		}
		optest.OK(t, w.loop.Compute())
	}
}

// caught returns the error of a function, or the value of its panic.
func caught(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			var ok bool
			if err, ok = p.(error); !ok {
				err = fmt.Errorf("panic: %v", p)
			}
		}
	}()
	return f()
}
