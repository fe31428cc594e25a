package op2_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// everything holds one of each kind of declaration, on a chain of nodes.
type everything struct {
	nodes, edges *op2.Set
	ends         *op2.Subset
	edge2node    *op2.Map
	inner        *op2.MaskedMap
	u, du        *op2.Dat[float64]
	largest      *op2.Global[float64]
	pattern      *op2.Sparsity
	a            *op2.Mat[float64]
	operator     *op2.FuncOperator
	solver       *op2.Solver
	loop         *op2.Loop
}

// declareEverything declares all of them, the one called fault with an invalid value.
func declareEverything(d *op2.Declarations, fault string) *everything {
	value := func(name string, right, wrong int) int {
		if name == fault {
			return wrong
		}
		return right
	}
	e := &everything{}
	e.nodes = d.Set(value("nodes", 4, -1), "nodes")
	e.edges = d.Set(3, "edges")
	e.ends = op2.DeclareSubset(d, e.nodes, []int{0, value("ends", 3, 4)}, "ends")
	e.edge2node = op2.DeclareMap(d, e.edges, e.nodes, 2, []int{0, 1, 1, 2, 2, value("edge2node", 3, 4)}, "edge2node")
	e.inner = op2.DeclareMaskedMap(d, e.edges, e.nodes, 2, []int{-1, 1, 1, 2, 2, value("inner", -1, 4)}, "inner")
	e.u = op2.DeclareDat(d, e.nodes, value("u", 1, 0), []float64{100, 0, 0, 0}, "u")
	e.du = op2.DeclareDat[float64](d, e.nodes, 1, nil, "du")
	e.largest = op2.DeclareGlobal(d, make([]float64, value("largest", 1, 0)), "largest")
	constant := &rate
	if fault == "rate" {
		constant = nil
	}
	op2.DeclareConst(d, "rate", constant)
	d.Check(e.du.Fill(make([]float64, value("fill", 1, 3))...))
	e.pattern = d.Sparsity([]op2.MapPair{{Rows: e.edge2node, Cols: e.edge2node}}, value("pattern", 1, 0), 1, "pattern")
	e.a = op2.DeclareMat[float64](d, e.pattern, "a")
	e.operator = d.Operator(e.nodes, value("operator", 1, 0), func(y, x *op2.Dat[float64]) error { return y.Copy(x) }, nil, "operator")
	e.solver = d.Solver(e.operator, op2.WithPreconditioner(op2.None), op2.WithMaxIterations(value("solver", 10, -1)))
	args := []op2.Arg{e.u.Read(e.edge2node.At(0)), e.u.Read(e.edge2node.At(1)), e.du.Inc(e.edge2node.At(0)), e.du.Inc(e.edge2node.At(1))}
	e.loop = d.Loop(op2.Kernels(exampleSource).Func(flux), e.edges, args[:value("loop", 4, 3)]...)
	return e
}

func TestDeclare(t *testing.T) {
	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	d := op2.Declare(rt)
	e := declareEverything(d, "")
	if err := d.Err(); err != nil {
		t.Fatal(err)
	}
	if err := e.loop.Compute(); err != nil {
		t.Fatal(err)
	}
	if du := op2.Must(e.du.DataRO()); du[0] != -10 || du[1] != 10 {
		t.Errorf("du is %v", du)
	}
	if e.nodes.Size() != 4 || e.ends.Size() != 2 || e.inner.Values()[5] != -1 || e.a.Rows() != 4 || e.largest.Dim() != 1 {
		t.Errorf("declared %+v", e)
	}
	if _, err := e.solver.Solve(e.u, e.du); err != nil {
		t.Error(err)
	}
}

// The first error is kept, as its constructor returned it, and later declarations are not made:
// names stay free.
func TestDeclareKeepsTheFirstError(t *testing.T) {
	for _, c := range []struct{ fault, want string }{
		{"nodes", "op2: set nodes: a size from 0 to 2147483647 is needed, -1 was given"},
		{"ends", "op2: subset ends of nodes: index 4, number 1 of the list, is not one of the 4 nodes\n  hint: elements are numbered from 0"},
		{"edge2node", "op2: map edge2node from edges to nodes: value 4, of component 1 for element 2, is not one of the 4 nodes\n  hint: elements are numbered from 0"},
		{"inner", "op2: map inner from edges to nodes: value 4, of component 1 for element 2, is not one of the 4 nodes\n  hint: elements are numbered from 0"},
		{"u", "op2: dat u on nodes: a dim of at least 1 is needed, 0 was given"},
		{"largest", "op2: global largest: at least one value is needed"},
		{"rate", "op2: const rate: the pointer is nil"},
		{"fill", "op2: dat du on nodes: Fill takes 1 value, 3 were given"},
		{"pattern", "op2: sparsity pattern of nodes by nodes: blocks of at least 1 × 1 are needed, 0 × 1 was given"},
		{"operator", "op2: operator operator: a dim of at least 1 is needed, 0 was given"},
		{"solver", "op2: solver: at most -1 iterations: a number from 0 is needed"},
		{"loop", "op2: loop flux over edges: the kernel takes 4 arguments, 3 were given\n  hint: flux takes u1 *float64, u2 *float64, du1 *float64, du2 *float64, in example_test.go:14:6: no argument is left for du2"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			rt := op2.Must(op2.Open(op2.WithBackend("go")))
			defer rt.Close()
			d := op2.Declare(rt)
			declareEverything(d, c.fault)
			if err := d.Err(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got:\n%v\nwant:\n%s", err, c.want)
			}
			first := d.Err()
			if d.Check(errors.New("another")) || d.Err() != first {
				t.Errorf("a later error replaces the first: %v", d.Err())
			}
			op2.DeclareConst(d, "later", &rate)
			if err := op2.NewConst(rt, "later", &rate); err != nil {
				t.Errorf("a const was declared after the error: %v", err)
			}
		})
	}
}

// If Err is not checked, everything that uses what could not be declared fails, and reports the
// first error.
func TestUseAfterFailedDeclaration(t *testing.T) {
	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	d := op2.Declare(rt)
	nodes := d.Set(4, "nodes")
	edges := d.Set(3, "edges")
	u := op2.DeclareDat(d, nodes, 1, []float64{1, 2, 3, 4}, "u")
	d.Set(-1, "cells")
	e := declareEverything(d, "")
	sound := op2.Must(op2.NewMap(edges, nodes, 2, make([]int, 6), "sound"))
	pattern := op2.Must(op2.NewSparsity([]op2.MapPair{{Rows: sound, Cols: sound}}, 1, 1, "pattern"))
	a := op2.Must(op2.NewMat[float64](pattern, "a"))
	fixed := op2.Must(op2.NewSubset(nodes, []int{0}, "fixed"))
	solver := op2.Must(op2.NewSolver(a))
	kernel := op2.Kernels(exampleSource).Func(flux)

	for _, c := range []struct {
		what string // the start of the error, before the first error
		err  error
	}{
		{"loop flux over edges: ", op2.ParLoop(kernel, e.edges)},
		{"loop flux over ends: ", op2.ParLoop(kernel, e.ends)},
		{"loop flux over edges: ", failed(op2.NewLoop(kernel, e.edges))},
		{"loop flux over edges: argument 1 (u, read through edge2node[0]): ", op2.ParLoop(kernel, edges, u.Read(e.edge2node.At(0)))},
		{"loop flux over nodes: argument 1 (du, incremented): ", op2.ParLoop(kernel, nodes, e.du.Inc())},
		{"loop flux over nodes: argument 2 (largest, maximized): ", op2.ParLoop(kernel, nodes, u.Read(), e.largest.Max())},
		{"loop flux over edges: argument 1 (a, incremented through edge2node by edge2node): ", op2.ParLoop(kernel, edges, a.Inc(e.edge2node, e.edge2node))},
		{"loop flux over edges: argument 1 (a, incremented through sound by inner): ", op2.ParLoop(kernel, edges, a.Inc(sound, e.inner))},
		{"loop flux over edges: argument 1 (a, incremented through sound by sound): ", op2.ParLoop(kernel, edges, e.a.Inc(sound, sound))},
		{"", e.loop.Compute()},
		{"", failed(e.loop.Generate())},
		{"", failed(e.u.Data())},
		{"", e.u.Fill(1)},
		{"", e.u.Zero()},
		{"dat u on nodes: Copy: ", u.Copy(e.u)},
		{"dat u on nodes: Copy: ", e.u.Copy(u)},
		{"", failed(e.u.Duplicate("v"))},
		{"", failed(e.u.InDeclaredOrder())},
		{"", failed(e.largest.Value())},
		{"", e.largest.Set(1)},
		{"", failed(op2.NewSubset(e.nodes, []int{0}, "first"))},
		{"subset both: union: ", failed(fixed.Union(e.ends, "both"))},
		{"", failed(op2.NewMap(e.edges, nodes, 1, make([]int, 3), "m"))},
		{"map m from edges to nodes: ", failed(op2.NewMap(edges, e.nodes, 1, make([]int, 3), "m"))},
		{"", failed(op2.NewDat[float64](e.nodes, 1, nil, "v"))},
		{"masked map m of sound: ", failed(sound.Masked(e.ends, "m"))},
		{"sparsity s: ", failed(op2.NewSparsity([]op2.MapPair{{Rows: e.edge2node, Cols: sound}}, 1, 1, "s"))},
		{"", failed(op2.NewMat[float64](e.pattern, "b"))},
		{"", e.a.Zero()},
		{"", failed(e.a.At(0, 0))},
		{"", e.a.Mul(u, u)},
		{"mat a: Mul into y: ", a.Mul(e.u, u)},
		{"mat a: ZeroRows: ", a.ZeroRows(e.ends, 1)},
		{"operator operator: Mul: ", e.operator.Mul(u, u)},
		{"", failed(op2.NewSolver(e.operator))},
		{"solver: ", failed(e.solver.Solve(u, u))},
		{"solver cg + jacobi of a: Solve: ", failed(solver.Solve(e.u, u))},
		{"Renumber: dat u: ", renumbered(e.u)},
	} {
		optest.ExpectError(t, c.err, "op2: "+c.what+"not declared, because of an earlier error: set cells: a size from 0 to 2147483647 is needed, -1 was given")
		var shape *op2.ShapeError
		if !errors.As(c.err, &shape) {
			t.Errorf("%s is no *ShapeError", c.err)
		}
	}
	// Methods that return no error are safe.
	e.edge2node.InDeclaredOrder()
	_, _, _ = e.loop.Stats(), e.loop.Plan(), e.pattern.Blocks()
	e.u.SetLayout(op2.SoA)
	if e.solver.Close() != nil || e.u.Set().Size() != 0 || e.ends.Of().Size() != 0 || e.a.Rows() != 0 {
		t.Error("something is there")
	}
}

// failed returns the error of a call with a result.
func failed(_ any, err error) error { return err }

// renumbered returns the error of Renumber on a fresh runtime with coordinates.
func renumbered(x op2.Coordinates) error {
	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	return rt.Renumber(x)
}

// A nil runtime is an ordinary error, and so are nil sets.
func TestDeclareNothing(t *testing.T) {
	d := op2.Declare(nil)
	e := declareEverything(d, "")
	optest.ExpectError(t, d.Err(), "op2: set nodes: there is no runtime")
	optest.ExpectError(t, e.loop.Compute(), "op2: not declared, because of an earlier error: set nodes: there is no runtime")

	rt := op2.Must(op2.Open(op2.WithBackend("go")))
	defer rt.Close()
	d = op2.Declare(rt)
	op2.DeclareMap(d, nil, nil, -1, []int{}, "m").At(3)
	op2.DeclareDat[float64](d, nil, 1, nil, "u")
	optest.ExpectError(t, d.Err(), "op2: map m: there is no set")
}
