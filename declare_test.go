package op2_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

// everything holds one of each kind of declaration, on a chain of nodes.
type everything struct {
	rt            *op2.Runtime
	nodes, edges  *op2.Set
	ends          *op2.Subset
	edge2node     *op2.Map
	inner         *op2.Map
	u, du         *op2.Dat[float64]
	x             *op2.Dat[float64] // coordinates
	largest       *op2.Global[float64]
	pattern       *op2.Sparsity
	a             *op2.Mat[float64]
	condition     *op2.Condition[float64]
	conditions    *op2.Dirichlet[float64]
	operator      *solver.FuncOperator
	solver        *solver.Solver
	loop          *op2.Loop
	chain         *op2.Chain
	maps          *op2.MixedMap
	both          *op2.MixedDat[float64]
	patterns      *op2.Sparsity
	matrix        *op2.Mat[float64]
	mixedOperator *solver.FuncOperator
	mixedSolver   *solver.Solver
}

// declareEverything declares all of them, the one called fault with an invalid value.
func declareEverything(rt *op2.Runtime, fault string) *everything {
	value := func(name string, right, wrong int) int {
		if name == fault {
			return wrong
		}
		return right
	}
	e := &everything{rt: rt}
	e.nodes = rt.NewSet(value("nodes", 4, -1), "nodes")
	e.edges = rt.NewSet(3, "edges")
	e.ends = op2.NewSubset(e.nodes, []int{0, value("ends", 3, 4)}, "ends")
	e.edge2node = op2.NewMap(e.edges, e.nodes, 2, []int{0, 1, 1, 2, 2, value("edge2node", 3, 4)}, "edge2node")
	e.inner = op2.NewMaskedMap(e.edges, e.nodes, 2, []int{-1, 1, 1, 2, 2, value("inner", -1, 4)}, "inner")
	e.u = op2.NewDat(e.nodes, value("u", 1, 0), []float64{100, 0, 0, 0}, "u")
	e.du = op2.NewDat[float64](e.nodes, 1, nil, "du")
	e.x = op2.NewDat[float64](e.nodes, 2, nil, "x")
	e.largest = op2.NewGlobal(rt, make([]float64, value("largest", 1, 0)), "largest")
	constant := &rate
	if fault == "rate" {
		constant = nil
	}
	op2.NewConst(rt, "rate", constant)
	e.pattern = op2.NewSparsity([]op2.MapPair{{Rows: e.edge2node, Cols: e.edge2node}}, value("pattern", 1, 0), 1, "pattern")
	e.a = op2.NewMat[float64](e.pattern, "a")
	e.condition = op2.Fix(e.ends, make([]float64, value("conditions", 1, 0))...)
	e.conditions = op2.NewDirichlet(e.condition)
	e.operator = solver.NewOperator(e.nodes, value("operator", 1, 0), func(y, x *op2.Dat[float64]) error { return y.Copy(x) }, nil, "operator")
	e.solver = solver.New(e.operator, solver.None, solver.WithMaxIterations(value("solver", 10, -1)))
	args := []op2.Arg{e.u.Read(e.edge2node.At(0)), e.u.Read(e.edge2node.At(1)), e.du.Inc(e.edge2node.At(0)), e.du.Inc(e.edge2node.At(1))}
	e.loop = op2.NewLoop(op2.Kernels(exampleSource).Func(flux), e.edges, args[:value("loop", 4, 3)]...)
	e.chain = op2.NewChain(e.loop, e.loop)
	e.maps = op2.NewMixedMap([]*op2.Map{e.edge2node, e.edge2node}, "maps")
	e.both = op2.NewMixedDat([]*op2.Dat[float64]{e.u, e.du}, "both")
	e.patterns = op2.NewSquareSparsity(e.maps, []int{1, value("patterns", 1, 0)}, "patterns")
	e.matrix = op2.NewMat[float64](e.patterns, "matrix")
	e.mixedOperator = solver.NewOperator([]*op2.Set{e.nodes, e.nodes}, []int{1, value("mixedOperator", 1, 0)}, func(y, x *op2.MixedDat[float64]) error { return y.Copy(x) }, nil, "mixedOperator")
	e.mixedSolver = solver.New(e.mixedOperator)
	return e
}

// thing is what a constructor returns.
type thing interface{ Err() error }

// things returns all that was declared.
func (e *everything) things() []thing {
	return []thing{e.nodes, e.edges, e.ends, e.edge2node, e.inner, e.u, e.du, e.x, e.largest, e.pattern, e.a, e.condition, e.conditions, e.operator, e.solver,
		e.loop, e.chain, e.maps, e.both, e.patterns, e.matrix, e.mixedOperator, e.mixedSolver}
}

// constructors calls all exported constructors and methods that declare something, by name.
var constructors = map[string]func(e *everything) thing{
	"Runtime.NewSet":      func(e *everything) thing { return e.rt.NewSet(1, "new") },
	"Runtime.NewSetShare": func(e *everything) thing { return e.rt.NewSetShare(1, "new") },
	"Runtime.NewLocalSet": func(e *everything) thing { return e.rt.NewLocalSet(op2.LocalSet{}, "new") },
	"NewSubset":           func(e *everything) thing { return op2.NewSubset(e.nodes, []int{0}, "new") },
	"Subset.Union":        func(e *everything) thing { return e.ends.Union(e.ends, "new") },
	"Subset.Intersection": func(e *everything) thing { return e.ends.Intersection(e.ends, "new") },
	"Subset.Difference":   func(e *everything) thing { return e.ends.Difference(e.ends, "new") },
	"NewMap":              func(e *everything) thing { return op2.NewMap(e.edges, e.nodes, 1, []int{0, 1, 2}, "new") },
	"NewVaryingMap": func(e *everything) thing {
		return op2.NewVaryingMap(e.edges, e.nodes, []int{0, 1, 1, 3}, []int{0, 1, 2}, "new")
	},
	"NewVaryingExtrudedSet": func(e *everything) thing {
		return op2.NewVaryingExtrudedSet(e.nodes, 1, make([]int, 2*e.nodes.Size()), "new")
	},
	"NewExtrudedSet": func(e *everything) thing { return op2.NewExtrudedSet(e.nodes, 2, "new") },
	"NewExtrudedMap": func(e *everything) thing {
		return op2.NewExtrudedMap(op2.NewExtrudedSet(e.edges, 2, "from"), op2.NewExtrudedSet(e.nodes, 3, "to"), e.edge2node, []int{0, 1}, 1, "new")
	},
	"NewMaskedMap": func(e *everything) thing { return op2.NewMaskedMap(e.edges, e.nodes, 1, []int{0, -1, 2}, "new") },
	"Compose": func(e *everything) thing {
		return op2.Compose(e.edge2node, op2.NewMap(e.nodes, e.edges, 1, make([]int, e.nodes.Size()), "back"))
	},
	"Map.Masked":            func(e *everything) thing { return e.edge2node.Masked(e.ends, "new") },
	"NewDat":                func(e *everything) thing { return op2.NewDat[int32](e.nodes, 1, nil, "new") },
	"Dat.Duplicate":         func(e *everything) thing { return e.u.Duplicate("new") },
	"solver.RigidBodyModes": func(e *everything) thing { return solver.RigidBodyModes(e.x)[0] },
	"NewGlobal":             func(e *everything) thing { return op2.NewGlobal(e.rt, []bool{true}, "new") },
	"NewSparsity": func(e *everything) thing {
		return op2.NewSparsity([]op2.MapPair{{Rows: e.edge2node, Cols: e.inner}}, 1, 1, "new")
	},
	"NewSquareSparsity": func(e *everything) thing { return op2.NewSquareSparsity(e.edge2node, 1, "new") },
	"NewMat":            func(e *everything) thing { return op2.NewMat[float32](e.pattern, "new") },
	"Fix":               func(e *everything) thing { return op2.Fix(e.ends, 1.0) },
	"FixTo":             func(e *everything) thing { return op2.FixTo(e.ends, e.u) },
	"NewDirichlet":      func(e *everything) thing { return op2.NewDirichlet(op2.FixTo(e.ends, e.u)) },
	"solver.NewOperator": func(e *everything) thing {
		return solver.NewOperator(e.nodes, 1, func(y, x *op2.Dat[float64]) error { return nil }, e.du, "new")
	},
	"solver.New": func(e *everything) thing { return solver.New(e.a) },
	"NewLoop": func(e *everything) thing {
		return op2.NewLoop(ckernel.New("k", "void k(double *x) {}"), e.nodes, e.u.RW())
	},
	"NewChain":        func(e *everything) thing { return op2.NewChain(e.loop) },
	"RecordChain":     func(e *everything) thing { return op2.RecordChain(e.rt, e.loop.Compute) },
	"Chain.With":      func(e *everything) thing { return e.chain.With(op2.WithChains(op2.Off)) },
	"Chain.Temporary": func(e *everything) thing { return e.chain.Temporary(e.du) },
	"NewMixedMap":     func(e *everything) thing { return op2.NewMixedMap([]*op2.Map{e.edge2node, nil}, "new") },
	"NewMixedDat":     func(e *everything) thing { return op2.NewMixedDat([]*op2.Dat[float64]{e.u, e.x}, "new") },
	"MixedDat.Duplicate": func(e *everything) thing {
		return e.both.Duplicate("new")
	},
}

// ofRuntime are the constructors that take a runtime alone.
var ofRuntime = words("Runtime.NewSet Runtime.NewSetShare Runtime.NewLocalSet NewGlobal")

// No constructor is missing among those above: they have a name to give, begin with New, or return a thing that is no
// part of another one.
func TestAllConstructors(t *testing.T) {
	var found []string
	for _, file := range append(optest.Must(filepath.Glob("*.go")), optest.Must(filepath.Glob("solver/*.go"))...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, d := range optest.Must(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)).Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Name.Name == "NewConst" {
				continue
			}
			name := f.Name.Name
			if !declares(f) {
				continue
			}
			if f.Recv != nil {
				name = typeName(f.Recv.List[0].Type) + "." + name
			}
			if of := filepath.Dir(file); of != "." {
				name = of + "." + name
			}
			found = append(found, name)
		}
	}
	slices.Sort(found)
	if want := slices.Sorted(maps.Keys(constructors)); !slices.Equal(found, want) {
		t.Errorf("the constructors are\n%s\nthose tried\n%s", strings.Join(found, " "), strings.Join(want, " "))
	}
}

// declares reports whether a function returns something new that has an Err.
func declares(f *ast.FuncDecl) bool {
	if f.Type.Results == nil || strings.HasPrefix(f.Name.Name, "New") {
		return strings.HasPrefix(f.Name.Name, "New")
	}
	name := typeName(f.Type.Results.List[0].Type)
	if name == "Vector" {
		return f.Name.IsExported()
	}
	for _, thing := range (&everything{}).things() {
		if kind, _, _ := strings.Cut(reflect.TypeOf(thing).Elem().Name(), "["); kind == name {
			made := f.Recv == nil || typeName(f.Recv.List[0].Type) == "Chain"
			for _, p := range f.Type.Params.List {
				made = made || p.Names[0].Name == "name"
			}
			return made
		}
	}
	return false
}

// typeName returns T of *T, []*T, *T[V] and p.T.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ArrayType:
		return typeName(e.Elt)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func TestDeclare(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	e := declareEverything(rt, "")
	for name, construct := range constructors {
		if err := construct(e).Err(); err != nil && name != "Runtime.NewSetShare" && name != "Runtime.NewLocalSet" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, thing := range e.things() {
		optest.OK(t, thing.Err())
	}
	optest.OK(t, rt.Err())
	optest.OK(t, e.loop.Compute())
	if du := optest.Must(e.du.DataRO()); du[0] != -10 || du[1] != 10 {
		t.Errorf("du is %v", du)
	}
	if e.nodes.Size() != 4 || e.ends.Size() != 2 || e.inner.Values()[5] != -1 || e.a.Rows() != 4 || e.largest.Dim() != 1 {
		t.Errorf("declared %+v", e)
	}
	if _, err := e.solver.Solve(e.u, e.du); err != nil {
		t.Error(err)
	}
}

// The runtime keeps the first error, with its place; what does not depend on it is declared.
func TestFirstError(t *testing.T) {
	for _, c := range []struct{ fault, want string }{
		{"nodes", "op2: set nodes: a size from 0 to 2147483647 is needed, -1 was given"},
		{"ends", "op2: subset ends of nodes: index 4, number 1 of the list, is not one of the 4 nodes\n  hint: elements are numbered from 0"},
		{"edge2node", "op2: map edge2node from edges to nodes: value 4, of component 1 for element 2, is not one of the 4 nodes\n  hint: elements are numbered from 0"},
		{"inner", "op2: map inner from edges to nodes: value 4, of component 1 for element 2, is not one of the 4 nodes\n  hint: elements are numbered from 0"},
		{"u", "op2: dat u on nodes: a dim of at least 1 is needed, 0 was given"},
		{"largest", "op2: global largest: at least one value is needed"},
		{"rate", "op2: const rate: the pointer is nil"},
		{"pattern", "op2: sparsity pattern of nodes by nodes: blocks of at least 1 × 1 are needed, 0 × 1 was given"},
		{"conditions", "op2: NewDirichlet: condition 1 (ends): it has no values"},
		{"operator", "op2: operator operator: a dim of at least 1 is needed, 0 was given"},
		{"solver", "op2: solver: at most -1 iterations: a number from 0 is needed"},
		{"loop", "op2: loop flux over edges: the kernel takes 4 arguments, 3 were given\n  hint: flux takes u1 *float64, u2 *float64, du1 *float64, du2 *float64, in example_test.go:17:6: no argument is left for du2"},
		{"patterns", "op2: sparsity patterns[0][1] of nodes by nodes: blocks of at least 1 × 1 are needed, 1 × 0 was given"},
		{"mixedOperator", "op2: operator mixedOperator: part 1: a dim of at least 1 is needed, 0 was given"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			rt := optest.Open(t, op2.WithBackend("go"))
			e := declareEverything(rt, c.fault)
			first := rt.Err()
			if first == nil || !strings.HasPrefix(first.Error(), c.want) || strings.Count(first.Error(), "declared at declare_test.go:") != 1 {
				t.Fatalf("got:\n%v\nwant, with a place:\n%s", first, c.want)
			}
			rt.NewSet(-2, "later")
			if rt.Err() != first {
				t.Errorf("a later error replaces the first: %v", rt.Err())
			}
			inert := slices.DeleteFunc(e.things(), func(x thing) bool { return x.Err() == nil })
			if len(inert) == 0 {
				t.Error("everything was declared")
			}
			for _, x := range inert {
				if !errors.Is(x.Err(), first) || strings.Count(x.Err().Error(), "declared at") != 1 {
					t.Errorf("%T: %v", x, x.Err())
				}
			}
			optest.OK(t, rt.NewSet(1, "another").Err())
		})
	}
}

// What is made from something inert is inert, for the same reason, and so is what is made of nothing: without a runtime,
// without sets.
func TestInertArguments(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	first := rt.NewSet(-1, "cells").Err()
	broken := op2.NewDat[float64](rt.NewSet(-1, "cells"), 1, nil, "broken").Err()
	inert := declareEverything((*op2.Runtime)(nil), "")
	for name, construct := range constructors {
		err := construct(inert).Err()
		if err == nil || strings.Count(err.Error(), "declared at") > 1 {
			t.Errorf("%s of things without a runtime: %v", name, err)
		}
		if construct(&everything{}).Err() == nil {
			t.Errorf("%s of nil: no error", name)
		}
	}
	if first == broken || rt.Err() != first {
		t.Errorf("the first error is %v", rt.Err())
	}

	rt = optest.Open(t, op2.WithBackend("go"))
	e := declareEverything(rt, "nodes")
	for name, construct := range constructors {
		if err := construct(e).Err(); !ofRuntime[name] && !errors.Is(err, rt.Err()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// All that can fail of something inert does, and returns the error of the declaration.
func TestInertVerbs(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	e := declareEverything(rt, "nodes")
	for _, x := range e.things() {
		if x.Err() == nil { // the edges, and the global
			continue
		}
		v := reflect.ValueOf(x)
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			err, fails := callWithZeros(v.Method(i))
			if fails && name != "Close" && !errors.Is(err, rt.Err()) {
				t.Errorf("%T.%s: got %v", x, name, err)
			}
		}
	}
	if e.solver.Close() != nil || e.u.Set().Size() != 0 || e.ends.Of().Size() != 0 || e.a.Rows() != 0 {
		t.Error("something is there")
	}
}

// callWithZeros calls a method with zero arguments, and returns its error, if it can return one.
func callWithZeros(method reflect.Value) (err error, fails bool) {
	var args []reflect.Value
	for i := range method.Type().NumIn() {
		args = append(args, reflect.Zero(method.Type().In(i)))
	}
	call := method.Call
	if method.Type().IsVariadic() {
		call = method.CallSlice
	}
	results := call(args)
	if n := len(results); n > 0 && results[n-1].Type() == reflect.TypeFor[error]() {
		err, _ = results[n-1].Interface().(error)
		return err, true
	}
	return nil, false
}

// A call with an argument that could not be declared returns the error, and says which argument it is.
func TestCallsWithInertArguments(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	sound := declareEverything(rt, "")
	nodes, edges, u, a, system := sound.nodes, sound.edges, sound.u, sound.a, solver.New(sound.a)
	cells := rt.NewSet(-1, "cells")
	e := &everything{nodes: cells}
	e.ends = op2.NewSubset(cells, []int{0}, "ends")
	e.edge2node = op2.NewMap(edges, cells, 1, []int{0, 0, 0}, "edge2node")
	e.inner = op2.NewMaskedMap(edges, cells, 1, []int{0, 0, 0}, "inner")
	e.u, e.du = op2.NewDat[float64](cells, 1, nil, "u"), op2.NewDat[float64](cells, 1, nil, "du")
	e.a = op2.NewMat[float64](op2.NewSquareSparsity(e.edge2node, 1, "pattern"), "a")
	e.both = op2.NewMixedDat([]*op2.Dat[float64]{e.u, e.du}, "both")
	kernel := op2.Kernels(exampleSource).Func(flux)

	for _, c := range []struct {
		what string // the start of the error, before the first error
		err  error
	}{
		{"", op2.ParLoop(kernel, cells)},
		{"", op2.ParLoop(kernel, e.ends)},
		{"loop flux over edges: argument 1 (u, read through edge2node[0]): ", op2.ParLoop(kernel, edges, u.Read(e.edge2node.At(0)))},
		{"loop flux over edges: argument 1 (u, read through edge2node[0]): ", op2.NewLoop(kernel, edges, u.Read(e.edge2node.At(0))).Err()},
		{"loop flux over nodes: argument 1 (du, incremented): ", op2.ParLoop(kernel, nodes, e.du.Inc())},
		{"loop flux over edges: argument 1 (a, incremented through edge2node by edge2node): ", op2.ParLoop(kernel, edges, a.Inc(e.edge2node, e.edge2node))},
		{"loop flux over edges: argument 1 (a, incremented through edge2node by inner): ", op2.ParLoop(kernel, edges, a.Inc(sound.edge2node, e.inner))},
		{"loop flux over edges: argument 1 (a, incremented through edge2node by edge2node): ", op2.ParLoop(kernel, edges, e.a.Inc(sound.edge2node, sound.edge2node))},
		{"dat u on nodes: Copy: ", u.Copy(e.u)},
		{"dat u on nodes: Inner: ", optest.Last(u.Inner(e.u))},
		{"mat a: Mul into u: ", a.Mul(e.u, u)},
		{"mat a: ZeroRows: ", a.ZeroRows(e.ends, 1)},
		{"operator operator: Mul: ", sound.operator.Mul(e.u, u)},
		{"solver cg + jacobi of a: Solve: ", optest.Last(system.Solve(e.u, u))},
		{"", sound.both.Copy(e.both)},
		{"", sound.conditions.Apply(e.a, u)},
		{"Renumber: dat u: ", optest.Open(t, op2.WithBackend("go")).Renumber(e.u)},
	} {
		want := "op2: set cells: a size from 0 to 2147483647 is needed, -1 was given"
		if c.what != "" {
			want = "op2: " + c.what + "not declared, because of an earlier error: " + strings.TrimPrefix(want, "op2: ")
		}
		optest.ExpectError(t, c.err, want)
		var shape *op2.ShapeError
		if !errors.As(c.err, &shape) || strings.Count(c.err.Error(), "declared at declare_test.go:") != 1 {
			t.Errorf("%s is no *ShapeError with a place", c.err)
		}
	}
}
