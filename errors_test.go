package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed errors_kernels_test.go
var errorsSource string

// fixture is what the errors are about.
type fixture struct {
	rt, other            *op2.Runtime
	nodes, edges, cells  *op2.Set
	edge2node, edge2cell *op2.Map
	edge2three           *op2.Map
	x                    *op2.Dat[float64] // on nodes, dim 2
	q, res               *op2.Dat[float64] // on cells, dim 4
	flux                 *op2.Dat[float64] // on edges, dim 4
	bound                *op2.Dat[int32]   // on edges, dim 1
	rms                  *op2.Global[float64]
	wall                 *op2.Subset       // edges 0 and 2
	matrix               *op2.Mat[float64] // once mass has made it
	foreignSet           *op2.Set          // of the other runtime
	foreign              *op2.Dat[float64]
	kernels              *op2.Source
}

func newFixture(t *testing.T) *fixture {
	f := &fixture{kernels: op2.Kernels(errorsSource)}
	f.rt = optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	f.other = optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	t.Cleanup(func() {
		f.rt.Close()
		f.other.Close()
	})
	f.nodes, f.edges, f.cells = optest.NewSet(t, f.rt, 4, "nodes"), optest.NewSet(t, f.rt, 3, "edges"), optest.NewSet(t, f.rt, 2, "cells")
	f.wall = op2.NewSubset(f.edges, []int{2, 0}, "wall")
	f.edge2node = optest.NewMap(t, f.edges, f.nodes, 2, make([]int32, 6), "edge2node")
	f.edge2cell = optest.NewMap(t, f.edges, f.cells, 2, make([]int32, 6), "edge2cell")
	f.edge2three = optest.NewMap(t, f.edges, f.cells, 3, make([]int32, 9), "edge2three")
	f.x, f.q = optest.NewDat[float64](t, f.nodes, 2, nil, "x"), optest.NewDat[float64](t, f.cells, 4, nil, "q")
	f.res, f.flux = optest.NewDat[float64](t, f.cells, 4, nil, "res"), optest.NewDat[float64](t, f.edges, 4, nil, "flux")
	f.bound, f.rms = optest.NewDat[int32](t, f.edges, 1, nil, "bound"), optest.NewGlobal(t, f.rt, "rms", 0.0)
	f.foreignSet = optest.NewSet(t, f.other, 2, "foreigners")
	f.foreign = optest.NewDat[float64](t, f.foreignSet, 4, nil, "foreign")
	return f
}

// mass returns a mat of nodes by nodes, through edge2node: always the same.
func (f *fixture) mass() *op2.Mat[float64] {
	if f.matrix == nil {
		pairs := []op2.MapPair{{Rows: f.edge2node, Cols: f.edge2node}}
		f.matrix = op2.NewMat[float64](op2.NewSparsity(pairs, 1, 1, "sp"), "mass")
	}
	return f.matrix
}

// rectangle returns a mat of nodes by cells, in blocks of 1 by 2.
func (f *fixture) rectangle() *op2.Mat[float64] {
	pairs := []op2.MapPair{{Rows: f.edge2node, Cols: f.edge2cell}}
	return op2.NewMat[float64](op2.NewSparsity(pairs, 1, 2, "sp"), "rectangle")
}

func newDatOf(set *op2.Set, dim int) *op2.Dat[float64] {
	return op2.NewDat[float64](set, dim, nil, "v")
}

// loop returns the error of a loop that cannot be prepared.
func (f *fixture) loop(kernel any, over op2.IterationSet, args ...op2.Arg) error {
	k, ok := kernel.(*op2.Kernel)
	if !ok {
		k = f.kernels.Func(kernel)
	}
	err := op2.NewLoop(k, over, args...).Err()
	return err
}

var errorTexts = []struct {
	name string
	call func(f *fixture) error
	want string
}{
	// Declarations.
	{"set size", func(f *fixture) error {
		return f.rt.NewSet(-1, "nodes").Err()
	}, `op2: set nodes: a size from 0 to 2147483647 is needed, -1 was given`},
	{"set too large", func(f *fixture) error {
		return f.rt.NewSet(math.MaxInt32+1, "nodes").Err()
	}, `op2: set nodes: a size from 0 to 2147483647 is needed, 2147483648 was given`},
	{"renumber without a runtime", func(f *fixture) error {
		return (*op2.Runtime)(nil).Renumber()
	}, `op2: the runtime is nil, or was not made by Open`},
	{"renumber by a nil dat", func(f *fixture) error {
		return f.rt.Renumber(f.x, (*op2.Dat[float64])(nil))
	}, `op2: Renumber: coordinates 2 are nil`},
	{"renumber by coordinates of another runtime", func(f *fixture) error {
		return f.rt.Renumber(f.foreign)
	}, `op2: Renumber: dat foreign belongs to the runtime opened at PLACE, go, not to the runtime opened at PLACE, go`},
	{"renumber late", func(f *fixture) error {
		if err := op2.NewLoop(f.kernels.Func(copyQ), f.cells, f.q.Read(), f.res.Write()).Err(); err != nil {
			return err
		}
		return f.rt.Renumber()
	}, `op2: Renumber: loops have been prepared already, the first was loop copyQ over cells: they depend on the previous numbers
  hint: call it before the first sparsity and the first loop: what is declared later gets the same order`},
	{"declared order length", func(f *fixture) error {
		return f.x.SetInDeclaredOrder(make([]float64, 3))
	}, `op2: dat x on nodes: 8 values are needed, 2 for each of 4 nodes; 3 were given`},
	{"set without a runtime", func(f *fixture) error {
		return (*op2.Runtime)(nil).NewSet(1, "nodes").Err()
	}, `op2: set nodes: there is no runtime`},
	{"map without a set", func(f *fixture) error {
		return op2.NewMap(f.edges, nil, 2, []int{}, "edge2node").Err()
	}, `op2: map edge2node: there is no set`},
	{"map between runtimes", func(f *fixture) error {
		return op2.NewMap(f.edges, f.foreignSet, 2, []int{}, "edge2node").Err()
	}, `op2: map edge2node from edges to foreigners: its sets belong to two runtimes: edges (of the runtime opened at PLACE, go), foreigners (of the runtime opened at PLACE, go)`},
	{"map arity", func(f *fixture) error {
		return op2.NewMap(f.edges, f.nodes, 0, []int{}, "edge2node").Err()
	}, `op2: map edge2node from edges to nodes: an arity of at least 1 is needed, 0 was given`},
	{"map length", func(f *fixture) error {
		return op2.NewMap(f.edges, f.nodes, 2, []int{1, 2, 3, 0}, "edge2node").Err()
	}, `op2: map edge2node from edges to nodes: 6 values are needed, 2 for each of 3 edges; 4 were given`},
	{"dim that no memory holds", func(f *fixture) error {
		return op2.NewDat[float64](f.nodes, 1<<62, nil, "q").Err()
	}, `op2: dat q on nodes: a dim of at most 549755813888 is possible, 4611686018427387904 was given`},
	{"arity that no memory holds", func(f *fixture) error {
		return op2.NewMap(f.edges, f.nodes, math.MaxInt, []int{}, "m").Err()
	}, `op2: map m from edges to nodes: an arity of at most 1048576 is possible, 9223372036854775807 was given`},
	{"const without a name", func(f *fixture) error {
		return optest.NewConst(f.rt, "", new(float64))
	}, `op2: const "": the name of a Go variable is needed
  hint: kernels read consts by name: op2.NewConst(rt, "gam", &gam)`},
	{"const with a name that is none", func(f *fixture) error {
		return optest.NewConst(f.rt, "a b", new(float64))
	}, `op2: const "a b": the name of a Go variable is needed
  hint: kernels read consts by name: op2.NewConst(rt, "gam", &gam)`},
	{"number of the element written", func(f *fixture) error {
		return f.loop(ckernel.New("k", "void k(int *n) { *n = 1; }"), f.cells, op2.Index())
	}, `op2: loop k over cells: kernel k: k.c:1:18: n is written, but it is the element's number
    void k(int *n) { *n = 1; }
                     ^
  hint: copy it to a local variable first`},
	{"global read and written", func(f *fixture) error {
		return f.loop(ckernel.New("k", "void k(double *g) { *g = 1; }"), f.cells, f.rms.Read())
	}, `op2: loop k over cells: kernel k: k.c:1:21: g is written, but passed with Read
    void k(double *g) { *g = 1; }
                        ^
  hint: pass it with Inc, Min or Max, or copy it to a local variable first`},
	{"map value", func(f *fixture) error {
		return op2.NewMap(f.edges, f.nodes, 2, []int{1, 2, 3, 4, 0, 0}, "edge2node").Err()
	}, `op2: map edge2node from edges to nodes: value 4, of component 1 for element 1, is not one of the 4 nodes
  hint: elements are numbered from 0`},
	{"map value below zero", func(f *fixture) error {
		return op2.NewMap(f.edges, f.nodes, 2, []int{1, 2, 3, 0, -1, 0}, "edge2node").Err()
	}, `op2: map edge2node from edges to nodes: value -1, of component 0 for element 2, is not one of the 4 nodes
  hint: elements are numbered from 0; maps that leave out rows and columns of mats are made by NewMaskedMap`},
	{"new map values", func(f *fixture) error {
		return f.edge2node.SetValues([]int32{1, 2, 3, 4, 0, 0})
	}, `op2: map edge2node from edges to nodes: value 4, of component 1 for element 1, is not one of the 4 nodes
  hint: elements are numbered from 0`},
	{"number of new map values", func(f *fixture) error {
		return f.edge2node.SetValues([]int32{1})
	}, `op2: map edge2node from edges to nodes: 6 values are needed, 2 for each of 3 edges; 1 was given`},
	{"new values of a sparsity's map", func(f *fixture) error {
		f.mass()
		return f.edge2node.SetValues(make([]int32, 6))
	}, `op2: map edge2node from edges to nodes: its values cannot change: the sparsity sp was built from it
  hint: declare another map for what changes`},
	{"new values of a map with a masked one", func(f *fixture) error {
		f.edge2node.Masked(op2.NewSubset(f.nodes, []int{0}, "fixed"), "free")
		return f.edge2node.SetValues(make([]int32, 6))
	}, `op2: map edge2node from edges to nodes: its values cannot change: the masked map free was made from it
  hint: declare another map for what changes`},
	{"map value of 32 bits", func(f *fixture) error {
		return op2.NewMap(f.edges, f.nodes, 1, []uint32{1, math.MaxUint32, 0}, "edge2node").Err()
	}, `op2: map edge2node from edges to nodes: value 4294967295, of component 0 for element 1, is not one of the 4 nodes
  hint: elements are numbered from 0`},
	{"subset without a set", func(f *fixture) error {
		return op2.NewSubset[int](nil, nil, "wall").Err()
	}, `op2: subset wall: there is no set`},
	{"subset of nil", func(f *fixture) error {
		return op2.NewSubset[int]((*op2.Subset)(nil), nil, "wall").Err()
	}, `op2: subset wall: there is no set`},
	{"subset index", func(f *fixture) error {
		return op2.NewSubset(f.nodes, []int{0, 4}, "wall").Err()
	}, `op2: subset wall of nodes: index 4, number 1 of the list, is not one of the 4 nodes
  hint: elements are numbered from 0`},
	{"subset index below zero", func(f *fixture) error {
		return op2.NewSubset(f.wall, []int{-1}, "corner").Err()
	}, `op2: subset corner of wall: index -1, number 0 of the list, is not one of the 2 wall
  hint: elements are numbered from 0`},
	{"union with nil", func(f *fixture) error {
		return f.wall.Union(nil, "walls").Err()
	}, `op2: subset walls: union: a subset is nil`},
	{"difference of subsets of two sets", func(f *fixture) error {
		return f.wall.Difference(op2.NewSubset(f.nodes, []int{1}, "corner"), "walls").Err()
	}, `op2: subset walls: difference: wall is of edges, corner of nodes`},
	{"dat without a set", func(f *fixture) error {
		return op2.NewDat[float64](nil, 1, nil, "q").Err()
	}, `op2: dat q: there is no set`},
	{"dat dim", func(f *fixture) error {
		return op2.NewDat[float64](f.cells, 0, nil, "q").Err()
	}, `op2: dat q on cells: a dim of at least 1 is needed, 0 was given`},
	{"dat length", func(f *fixture) error {
		return op2.NewDat(f.cells, 4, make([]float32, 7), "q").Err()
	}, `op2: dat q on cells: 8 values are needed, 4 for each of 2 cells; 7 were given`},
	{"dat fill", func(f *fixture) error {
		return f.q.Fill(1, 2, 3)
	}, `op2: dat q on cells: Fill takes 1 value or 4, 3 were given`},
	{"dat copy of nil", func(f *fixture) error {
		return f.q.Copy(nil)
	}, `op2: dat q on cells: Copy: the other dat is nil, or was not made by NewDat`},
	{"dat copy", func(f *fixture) error {
		return f.q.Copy(f.x)
	}, `op2: dat q on cells: Copy takes a dat on cells with dim 4, x is on nodes and has dim 2`},
	{"dat inner product", func(f *fixture) error {
		return optest.Last(f.q.Inner(f.flux))
	}, `op2: dat q on cells: Inner takes a dat on cells with dim 4, flux is on edges and has dim 4`},
	{"global without values", func(f *fixture) error {
		return op2.NewGlobal(f.rt, []float64{}, "rms").Err()
	}, `op2: global rms: at least one value is needed`},
	{"global without a runtime", func(f *fixture) error {
		return op2.NewGlobal(nil, []float64{1}, "rms").Err()
	}, `op2: global rms: there is no runtime`},
	{"global set", func(f *fixture) error {
		return f.rms.Set(1, 2)
	}, `op2: global rms: Set takes 1 value, 2 were given`},
	{"const of nil", func(f *fixture) error {
		return optest.NewConst[float64](f.rt, "gam", nil)
	}, `op2: const gam: the pointer is nil`},
	{"const of a string", func(f *fixture) error {
		return optest.NewConst(f.rt, "name", new(string))
	}, `op2: const name: string is not plain: values are numbers, bools, and arrays and structs of these`},
	{"const twice", func(f *fixture) error {
		return errors.Join(optest.NewConst(f.rt, "gam", new(float64)), optest.NewConst(f.rt, "gam", new(float64)))
	}, `op2: const gam: there is one of that name already, declared at PLACE`},
	{"const without a runtime", func(f *fixture) error {
		return optest.NewConst(nil, "gam", new(float64))
	}, `op2: the runtime is nil, or was not made by Open`},
	// Matrices.
	{"masked map of nil", func(f *fixture) error {
		return f.edge2node.Masked(nil, "free").Err()
	}, `op2: masked map free of edge2node: the subset is nil`},
	{"masked map by a subset of another set", func(f *fixture) error {
		return f.edge2node.Masked(f.wall, "free").Err()
	}, `op2: masked map free of edge2node: edge2node leads to nodes, wall is a subset of edges`},
	{"dat through a masked map", func(f *fixture) error {
		return f.loop(busy, f.edges, f.x.Read(op2.NewMaskedMap(f.edges, f.nodes, 1, []int{-1, 0, 1}, "free").At(0)))
	}, `op2: loop busy over edges: argument 1 (x, read through free[0]): some elements have no target in free: it is a masked map
  hint: mats take masked maps; for others, declare a map with a target for each element, and run over a subset`},
	{"masked map value", func(f *fixture) error {
		return op2.NewMaskedMap(f.edges, f.nodes, 2, []int{-1, 2, 3, 4, 0, 0}, "free").Err()
	}, `op2: map free from edges to nodes: value 4, of component 1 for element 1, is not one of the 4 nodes
  hint: elements are numbered from 0`},
	{"sparsity without pairs", func(f *fixture) error {
		return op2.NewSparsity(nil, 1, 1, "sp").Err()
	}, `op2: sparsity sp: there are no pairs of maps`},
	{"sparsity of nil", func(f *fixture) error {
		return op2.NewSparsity([]op2.MapPair{{Rows: f.edge2node}}, 1, 1, "sp").Err()
	}, `op2: sparsity sp: pair 1: a map is nil`},
	{"sparsity of a nil map", func(f *fixture) error {
		return op2.NewSparsity([]op2.MapPair{{Rows: f.edge2node, Cols: (*op2.Map)(nil)}}, 1, 1, "sp").Err()
	}, `op2: sparsity sp: pair 1: a map is nil`},
	{"sparsity of maps from two sets", func(f *fixture) error {
		node2node := op2.NewMap(f.nodes, f.nodes, 1, []int{0, 0, 0, 0}, "node2node")
		return op2.NewSparsity([]op2.MapPair{{Rows: f.edge2node, Cols: node2node}}, 1, 1, "sp").Err()
	}, `op2: sparsity sp: pair 1: edge2node leads from edges, node2node from nodes`},
	{"sparsity of rows in two sets", func(f *fixture) error {
		return op2.NewSparsity([]op2.MapPair{{Rows: f.edge2node, Cols: f.edge2node}, {Rows: f.edge2cell, Cols: f.edge2node}}, 1, 1, "sp").Err()
	}, `op2: sparsity sp: pair 2: edge2cell leads to cells, the rows are nodes`},
	{"sparsity of columns in two sets", func(f *fixture) error {
		return op2.NewSparsity([]op2.MapPair{{Rows: f.edge2node, Cols: f.edge2node}, {Rows: f.edge2node, Cols: f.edge2cell}}, 1, 1, "sp").Err()
	}, `op2: sparsity sp: pair 2: edge2cell leads to cells, the columns are nodes`},
	{"sparsity dims", func(f *fixture) error {
		return op2.NewSparsity([]op2.MapPair{{Rows: f.edge2node, Cols: f.edge2cell}}, 2, 0, "sp").Err()
	}, `op2: sparsity sp of nodes by cells: blocks of at least 1 × 1 are needed, 2 × 0 was given`},
	{"mat without a sparsity", func(f *fixture) error {
		return op2.NewMat[float64](nil, "mass").Err()
	}, `op2: mat mass: there is no sparsity`},
	{"renumber after a sparsity", func(f *fixture) error {
		f.mass()
		return f.rt.Renumber()
	}, `op2: Renumber: sparsities have been built already, the first was sparsity sp: they depend on the previous numbers
  hint: call it before the first sparsity and the first loop: what is declared later gets the same order`},
	{"mat at", func(f *fixture) error {
		return optest.Last(f.mass().At(4, 0))
	}, `op2: mat mass: At(4, 0): the matrix has 4 rows and 4 columns`},
	{"mat in full", func(f *fixture) error {
		many := f.other.NewSet(5000, "many")
		m := op2.NewMap(many, many, 1, make([]int, 5000), "m")
		return optest.Last(op2.NewMat[int8](op2.NewSparsity([]op2.MapPair{{Rows: m, Cols: m}}, 1, 1, "sp"), "large").Values())
	}, `op2: mat large: Values gives at most 16777216 values, 5000 rows of 5000 have more
  hint: CSR gives those that the matrix holds`},
	{"rows of nil", func(f *fixture) error {
		return f.mass().ZeroRows((*op2.Subset)(nil), 1)
	}, `op2: mat mass: ZeroRows: the set is nil`},
	{"rows of another set", func(f *fixture) error {
		return f.mass().ZeroRows(f.wall, 1)
	}, `op2: mat mass: ZeroRows: the rows are nodes, elements of edges were given`},
	{"rows of a component that is not there", func(f *fixture) error {
		return f.mass().ZeroRows(f.nodes, 1, 0, 1)
	}, `op2: mat mass: ZeroRows: the rows of an element have component 0 alone, not 1`},
	{"diagonal of a rectangular matrix", func(f *fixture) error {
		return f.rectangle().ZeroRows(f.nodes, 1)
	}, `op2: mat rectangle: ZeroRows with a diagonal takes a square matrix, the rows are nodes with dim 1, the columns cells with dim 2`},
	{"diagonal of a dat of nil", func(f *fixture) error {
		return f.mass().Diagonal(nil)
	}, `op2: mat mass: Diagonal: the dat is nil`},
	{"diagonal from a dat of another dim", func(f *fixture) error {
		return f.mass().SetDiagonal(f.x)
	}, `op2: mat mass: SetDiagonal takes a dat on nodes with dim 1, x is on nodes and has dim 2`},
	{"diagonal plus a dat of another set", func(f *fixture) error {
		return f.mass().AddToDiagonal(f.q)
	}, `op2: mat mass: AddToDiagonal takes a dat on nodes with dim 1, q is on cells and has dim 4`},
	{"product into another set", func(f *fixture) error {
		return f.mass().Mul(f.q, f.x)
	}, `op2: mat mass: Mul into q takes a dat on nodes with dim 1, q is on cells and has dim 4`},
	{"product of another dim", func(f *fixture) error {
		return f.rectangle().MulTranspose(newDatOf(f.cells, 2), f.x)
	}, `op2: mat rectangle: MulTranspose of x takes a dat on nodes with dim 1, x is on nodes and has dim 2`},
	{"product in place", func(f *fixture) error {
		v := newDatOf(f.nodes, 1)
		return f.mass().Mul(v, v)
	}, `op2: mat mass: Mul: v is both the factor and the product`},
	{"mat that is not finite", func(f *fixture) error {
		optest.Must(f.mass().CSR()).Values[2] = math.Inf(-1)
		return f.mass().CheckFinite()
	}, `op2: mat mass: the value in row 2 and column 2 is -Inf`},
	{"value outside of a mat", func(f *fixture) error {
		return f.mass().Set(0, 4, 1)
	}, `op2: mat mass: Set(0, 4): the matrix has 4 rows and 4 columns`},
	{"value that the pattern lacks", func(f *fixture) error {
		return f.mass().Add(1, 0, 1)
	}, `op2: mat mass: Add(1, 0): the pattern has no such value
  hint: a sparsity has what its maps connect, and the diagonal`},
	{"sum of dats on other sets", func(f *fixture) error {
		return f.q.Add(f.flux)
	}, `op2: dat q on cells: Add takes a dat on cells with dim 4, flux is on edges and has dim 4`},
	{"sum of a dat and itself", func(f *fixture) error {
		return f.q.AXPY(2, f.q)
	}, `op2: dat q on cells: AXPY: the other dat is q itself
  hint: Duplicate gives a second one`},
	{"sum with nil", func(f *fixture) error {
		return f.q.Sub(nil)
	}, `op2: dat q on cells: Sub: the other dat is nil, or was not made by NewDat`},
	{"linear combination of too few", func(f *fixture) error {
		return f.q.MAXPY([]float64{1, 2}, f.res)
	}, `op2: dat q on cells: MAXPY takes a factor for each dat; 2 factors were given for 1`},
	{"quotient of integers", func(f *fixture) error {
		return f.bound.Div(f.bound)
	}, `op2: dat bound on edges: Div is for floating-point numbers, the values are int32`},
	{"copy over another set", func(f *fixture) error {
		return f.q.Copy(f.res, f.wall)
	}, `op2: dat q on cells: Copy takes elements of cells, those of wall are of edges`},
	{"copy over nothing", func(f *fixture) error {
		return f.q.Copy(f.res, (*op2.Subset)(nil))
	}, `op2: dat q on cells: Copy: the set is nil`},
	{"sparsity of huge blocks", func(f *fixture) error {
		pairs := []op2.MapPair{{Rows: f.edge2node, Cols: f.edge2node}}
		return op2.NewSparsity(pairs, 1<<32, 1<<32, "sp").Err()
	}, `op2: sparsity sp of nodes by nodes: blocks of at most 65536 values are possible, 4294967296 × 4294967296 was given`},
	{"sparsity of an undeclared map", func(f *fixture) error {
		return op2.NewSquareSparsity(new(op2.Map), 1, "sp").Err()
	}, `op2: sparsity sp: pair 1: a map is nil`},
	{"sparsity of a nil map", func(f *fixture) error {
		return op2.NewSquareSparsity((*op2.Map)(nil), 1, "sp").Err()
	}, `op2: sparsity sp: pair 1: a map is nil`},
	{"mask of an undeclared map", func(f *fixture) error {
		return new(op2.Map).Masked(f.wall, "free").Err()
	}, `op2: masked map free: the map is nil`},
	{"mask by an undeclared subset", func(f *fixture) error {
		return f.edge2node.Masked(new(op2.Subset), "free").Err()
	}, `op2: masked map free of edge2node: the subset is nil`},
	{"union with an undeclared subset", func(f *fixture) error {
		return f.wall.Union(new(op2.Subset), "both").Err()
	}, `op2: subset both: union: a subset is nil`},
	{"mat of an undeclared sparsity", func(f *fixture) error {
		return op2.NewMat[float64](new(op2.Sparsity), "m").Err()
	}, `op2: mat m: there is no sparsity`},
	{"mask of a component below 0", func(f *fixture) error {
		return f.edge2node.Masked(op2.NewSubset(f.nodes, []int{0}, "some"), "free", -1).Err()
	}, `op2: masked map free of edge2node: components are numbered from 0, -1 was given`},
	{"mask of a component too many", func(f *fixture) error {
		free := f.edge2node.Masked(op2.NewSubset(f.nodes, []int{0}, "some"), "free", 1)
		return f.loop(copyQ, f.edges, f.mass().Inc(free, f.edge2node))
	}, `op2: loop copyQ over edges: argument 1 (mass, incremented through free by edge2node): free leaves out components that its blocks, with 1 rows, have not`},
	{"masks of components beside whole maps", func(f *fixture) error {
		free := f.edge2node.Masked(op2.NewSubset(f.nodes, []int{0}, "some"), "free", 0)
		return f.loop(copyQ, f.edges, f.mass().Inc(free, free), f.mass().Inc(f.edge2node, f.edge2node))
	}, `op2: loop copyQ over edges: argument 2 (mass, incremented through edge2node by edge2node): mass is also argument 1: the maps of only one of them leave out components
  hint: give the other one maps that leave out components of an empty subset, or use two loops`},
	{"undeclared mat", func(f *fixture) error {
		for _, m := range []*op2.Mat[float64]{nil, new(op2.Mat[float64])} {
			errs := []error{m.Zero(), m.CheckFinite(), m.Set(0, 0, 1), m.ZeroRows(f.nodes, 1), m.Diagonal(f.x), m.Mul(f.x, f.x), m.MulTranspose(f.x, f.x),
				optest.Last(m.CSR()), optest.Last(m.At(0, 0)), optest.Last(m.Values()), optest.Last(m.Norm()), m.WriteMatrixMarket(nil)}
			for i, err := range errs {
				if err == nil || optest.ErrorText(err) != optest.ErrorText(errs[0]) {
					return fmt.Errorf("%d: %w", i, err)
				}
			}
		}
		return new(op2.Mat[float64]).Zero()
	}, `op2: the mat is nil, or was not made by NewMat`},
	{"undeclared mat as an argument", func(f *fixture) error {
		return f.loop(copyQ, f.edges, (*op2.Mat[float64])(nil).Inc(f.edge2node, f.edge2node))
	}, `op2: loop copyQ over edges: argument 1 (nil, incremented through edge2node by edge2node): the mat is nil, or was not made by NewMat`},
	{"no conditions", func(f *fixture) error {
		return op2.NewDirichlet[float64]().Err()
	}, `op2: NewDirichlet: there are no conditions`},
	{"nil condition", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.wall, 0.0), nil).Err()
	}, `op2: NewDirichlet: condition 2 is nil`},
	{"condition on nothing", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix((*op2.Subset)(nil), 0.0)).Err()
	}, `op2: NewDirichlet: condition 1: the set is nil, or was not made by NewSet`},
	{"conditions on several sets", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 0.0), op2.Fix(f.wall, 0.0)).Apply(f.mass(), nil)
	}, `op2: conditions on wall: they are on edges, mass is on nodes`},
	{"condition to nil", func(f *fixture) error {
		return op2.NewDirichlet(op2.FixTo[float64](f.wall, nil)).Err()
	}, `op2: NewDirichlet: condition 1 (wall): the dat is nil`},
	{"condition to a dat elsewhere", func(f *fixture) error {
		return op2.NewDirichlet(op2.FixTo(f.wall, f.x)).Err()
	}, `op2: NewDirichlet: condition 1 (wall): the values must be on edges, x is on nodes`},
	{"condition without values", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix[float64](f.wall)).Err()
	}, `op2: NewDirichlet: condition 1 (wall): it has no values`},
	{"condition without components", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.wall, 1.0).Components()).Err()
	}, `op2: NewDirichlet: condition 1 (wall): it has no components
  hint: leave Components out to mean all`},
	{"condition with more values than components", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.wall, 1.0, 2, 3).Components(0, 1)).Err()
	}, `op2: NewDirichlet: condition 1 (wall): Fix takes 1 value or 2, 3 were given`},
	{"condition on a component below 0", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.wall, 1.0).Components(-1)).Err()
	}, `op2: NewDirichlet: condition 1 (wall): components are numbered from 0, -1 was given`},
	{"condition on a component twice", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.wall, 1.0).Components(1, 1)).Err()
	}, `op2: NewDirichlet: condition 1 (wall): component 1 is given twice`},
	{"condition on a component too many", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0).Components(0, 2)).ApplyTo(f.x)
	}, `op2: conditions on nodes: that on nodes: the unknowns have components 0 to 1, not 2`},
	{"condition with too many values", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0, 2, 3)).ApplyTo(f.x)
	}, `op2: conditions on nodes: that on nodes: Fix takes 1 value or 2, 3 were given`},
	{"condition with another dim", func(f *fixture) error {
		return op2.NewDirichlet(op2.FixTo(f.nodes, newDatOf(f.nodes, 3))).ApplyTo(f.x)
	}, `op2: conditions on nodes: that on nodes: 2 values for each element are needed, v has dim 3`},
	{"conditions for several dims", func(f *fixture) error {
		bc := op2.NewDirichlet(op2.Fix(f.nodes, 1.0))
		return errors.Join(bc.ApplyTo(f.x), bc.Apply(f.mass(), nil))
	}, `op2: conditions on nodes: they have been applied to unknowns of dim 2, these have dim 1`},
	{"conditions on a rectangle", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0)).Apply(f.rectangle(), nil)
	}, `op2: mat rectangle: Dirichlet takes a square matrix, the rows are nodes with dim 1, the columns cells with dim 2`},
	{"conditions on other rows", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.wall, 1.0)).Apply(f.mass(), nil)
	}, `op2: conditions on wall: they are on edges, mass is on nodes`},
	{"conditions on another right-hand side", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0)).Apply(f.mass(), f.x)
	}, `op2: conditions on nodes: Apply takes a dat on nodes with dim 1, x is on nodes and has dim 2`},
	{"conditions on no mat", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0)).Apply(nil, f.x)
	}, `op2: the mat is nil, or was not made by NewMat`},
	{"no conditions on a mat", func(f *fixture) error {
		return new(op2.Dirichlet[float64]).Apply(f.mass(), nil)
	}, `op2: the conditions are nil, or were not made by NewDirichlet`},
	{"conditions to no dat", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0)).ApplyTo(nil)
	}, `op2: conditions on nodes: ApplyTo: the dat is nil`},
	{"conditions that were not applied", func(f *fixture) error {
		bc := op2.NewDirichlet(op2.Fix(f.nodes, 1.0))
		if err := errors.Join(bc.Apply(f.mass(), nil), f.mass().Zero()); err != nil {
			return err
		}
		return bc.ApplyRHS(f.mass(), newDatOf(f.nodes, 1))
	}, `op2: mat mass: ApplyRHS: the conditions on nodes have not been applied to it since it was zeroed
  hint: Apply applies them, once the matrix has been assembled`},
	{"condition that is not finite", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1, math.NaN())).Err()
	}, `op2: NewDirichlet: condition 1 (nodes): a value is NaN`},
	{"condition that becomes infinite", func(f *fixture) error {
		return op2.Fix(f.nodes, float32(1)).Set(float32(math.Inf(1)))
	}, `op2: condition on nodes: Set: value 0 is +Inf`},
	{"condition to a dat that is not finite", func(f *fixture) error {
		x := newDatOf(f.nodes, 1)
		optest.Must(x.Data())[2] = math.NaN()
		return op2.NewDirichlet(op2.FixTo(f.nodes, x)).ApplyTo(newDatOf(f.nodes, 1))
	}, `op2: conditions on nodes: that on nodes: v holds NaN, at element 2 of nodes`},
	{"conditions with a diagonal of zero", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0)).SetDiagonal(0)
	}, `op2: conditions on nodes: the diagonal cannot be 0
  hint: the matrix would be singular`},
	{"conditions with a diagonal that is no number", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0)).SetDiagonal(math.NaN())
	}, `op2: conditions on nodes: the diagonal cannot be NaN`},
	{"conditions with an infinite diagonal", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.nodes, 1.0)).SetDiagonal(math.Inf(1))
	}, `op2: conditions on nodes: the diagonal cannot be +Inf`},
	{"values of a condition", func(f *fixture) error {
		return op2.Fix(f.nodes, 1.0).Set(1, 2)
	}, `op2: condition on nodes: Set takes as many values as Fix, 1; 2 were given`},
	{"values of a condition with a dat", func(f *fixture) error {
		return op2.FixTo(f.nodes, f.x).Set(1)
	}, `op2: condition on nodes: Set: it takes its values from the dat x`},
	{"values of no condition", func(f *fixture) error {
		return new(op2.Condition[float64]).Set(1)
	}, `op2: condition: it was made by neither Fix nor FixTo`},
	{"rigid body modes on a line", func(f *fixture) error {
		return solver.RigidBodyModes(newDatOf(f.nodes, 1))[0].Err()
	}, `op2: dat v on nodes: RigidBodyModes takes coordinates in 2 or 3 dimensions, these have 1`},
	{"rigid body modes of nothing", func(f *fixture) error {
		return solver.RigidBodyModes(nil)[0].Err()
	}, `op2: RigidBodyModes: the dat of coordinates is nil`},
	{"dat that is not finite", func(f *fixture) error {
		if err := f.q.CheckFinite(); err != nil {
			return err
		}
		optest.Must(f.q.Data())[6] = math.NaN()
		return f.q.CheckFinite()
	}, `op2: dat q on cells: component 2 of element 1 of cells is NaN`},
	// Kernels.
	{"kernel of nil", func(f *fixture) error {
		return f.loop(f.kernels.Func(nil), f.cells, f.q.Read())
	}, `op2: a kernel is a Go function, nil was given`},
	{"kernel that is no function", func(f *fixture) error {
		return f.loop(f.kernels.Func(3), f.cells, f.q.Read())
	}, `op2: a kernel is a Go function, a value of type int was given`},
	{"kernel that is nil", func(f *fixture) error {
		return f.loop(f.kernels.Func((func(*float64))(nil)), f.cells, f.q.Read())
	}, `op2: a kernel is a Go function, a nil func(*float64) was given`},
	{"kernel with a result", func(f *fixture) error {
		return f.loop(withResult, f.cells, f.q.Read())
	}, `op2: loop withResult over cells: kernel withResult: it has results
  hint: a kernel leaves its results where its parameters point`},
	{"kernel with a parameter by value", func(f *fixture) error {
		return f.loop(byValue, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop byValue over cells: kernel byValue: parameter 1 is a [4]float64
  hint: every parameter of a kernel is a pointer, *[n]T or *T for a single value, or a slice, []T`},
	{"kernel with any number of parameters", func(f *fixture) error {
		return f.loop(variadic, f.cells, f.q.Read())
	}, `op2: loop variadic over cells: kernel variadic: it takes any number of arguments
  hint: declare one pointer for each argument of the loop`},
	{"generic kernel", func(f *fixture) error {
		return f.loop(generic[float64], f.cells, f.q.Write())
	}, `op2: loop generic[...] over cells: kernel generic[...]: it is not a plain top-level function
  hint: kernels are declared as func name(x *[2]float64, ...); methods, function literals and generic functions cannot be translated`},
	{"method as kernel", func(f *fixture) error {
		return f.loop(method{}.kernel, f.cells, f.q.Read())
	}, `op2: loop method.kernel over cells: kernel method.kernel: it is not a plain top-level function
  hint: kernels are declared as func name(x *[2]float64, ...); methods, function literals and generic functions cannot be translated`},
	{"kernel without its source", func(f *fixture) error {
		return f.loop(op2.Kernels("package op2_test\n\nfunc other(x *float64) {}\n").Func(one), f.cells, f.q.Read())
	}, `op2: loop one over cells: kernel one: errors_kernels_test.go:65: the source given has no function one
  hint: //go:embed errors_kernels_test.go, which declares it, and give its text to op2.Kernels`},
	{"kernel from an old source", func(f *fixture) error {
		return f.loop(op2.Kernels("package op2_test\n\nfunc one(x *float64) { *x = 1 }\n").Func(one), f.cells, f.q.Read())
	}, `op2: loop one over cells: kernel one: errors_kernels_test.go:3:6: one is here in the source given, but the compiled function is at line errors_kernels_test.go:65
  hint: //go:embed the file that declares one, and rebuild`},
	{"kernel outside of the subset", func(f *fixture) error {
		return f.loop(refused, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop refused over cells: kernel refused: errors_kernels_test.go:59:7: a part of an array as a slice
  hint: give a function the whole array, and the first index
errors_kernels_test.go:61:3: a go statement
  hint: a kernel is the work for one element; the loop runs the elements in parallel`},
	{"c kernel without the function", func(f *fixture) error {
		return f.loop(ckernel.New("flux", "void flx(double *q) { *q = 1; }"), f.cells, f.q.Write())
	}, `op2: loop flux over cells: kernel flux: the source defines no function flux
  hint: did you mean flx?`},
	{"c kernel that does not parse", func(f *fixture) error {
		return f.loop(ckernel.New("flux", "void flux(double *q) { *q = ; }"), f.cells, f.q.Write())
	}, `op2: loop flux over cells: kernel flux: flux.c:1:29: unexpected ';', expected unary expression
    void flux(double *q) { *q = ; }
                                ^`},
	{"c kernel with a name that is none", func(f *fixture) error {
		return f.loop(ckernel.New("flux 2", ";"), f.cells, f.q.Write())
	}, `op2: loop flux 2 over cells: kernel flux 2: the name "flux 2" is not an identifier of C
  hint: give the name of the function in the source`},
	{"c kernel without a source", func(f *fixture) error {
		return f.loop(ckernel.New("flux", " \n"), f.cells, f.q.Write())
	}, `op2: loop flux over cells: kernel flux: the source is empty: is //go:embed missing?
  hint: embed the kernels' file: //go:embed kernels.c, and in the next line: var source string`},
	{"empty source", func(f *fixture) error {
		return f.loop(op2.Kernels("").Func(copyQ), f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop copyQ over cells: kernel copyQ: the source is empty: is //go:embed missing?
  hint: embed the kernels' file: //go:embed kernels.go, and in the next line: var source string`},
	{"no source", func(f *fixture) error {
		return f.loop(op2.Kernels().Func(copyQ), f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop copyQ over cells: kernel copyQ: no source is given
  hint: pass the text of the kernels' file to op2.Kernels`},
	{"a file's name as source", func(f *fixture) error {
		return f.loop(op2.Kernels(errorsSource, "flux.go").Func(copyQ), f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop copyQ over cells: kernel copyQ: source 2 is "flux.go": this is a file's name, its text is needed
  hint: embed it: //go:embed flux.go, and in the next line: var source string`},
	{"a file's name as source in C", func(f *fixture) error {
		return f.loop(ckernel.New("flux", "flux.c"), f.cells, f.q.Write())
	}, `op2: loop flux over cells: kernel flux: the source is "flux.c": this is a file's name, its text is needed
  hint: embed it: //go:embed flux.c, and in the next line: var source string`},
	{"kernel of no source", func(f *fixture) error {
		return f.loop((*op2.Source)(nil).Func(copyQ), f.cells, f.q.Read(), f.res.Write())
	}, `op2: the kernel's *Source is nil, or was not made by Kernels`},
	// Loops.
	{"loop without a kernel", func(f *fixture) error {
		return op2.NewLoop(nil, f.cells).Err()
	}, `op2: NewLoop: the kernel is nil`},
	{"loop without a set", func(f *fixture) error {
		return op2.ParLoop(f.kernels.Func(copyQ), nil, f.q.Read())
	}, `op2: ParLoop of kernel copyQ: the set is nil, or was not made by NewSet or NewSubset`},
	{"loop over a nil set", func(f *fixture) error {
		return op2.ParLoop(f.kernels.Func(copyQ), (*op2.Set)(nil), f.q.Read())
	}, `op2: ParLoop of kernel copyQ: the set is nil, or was not made by NewSet or NewSubset`},
	{"loop over a nil subset", func(f *fixture) error {
		return op2.NewLoop(f.kernels.Func(copyQ), (*op2.Subset)(nil), f.q.Read()).Err()
	}, `op2: NewLoop of kernel copyQ: the set is nil, or was not made by NewSet or NewSubset`},
	{"no map from a subset", func(f *fixture) error {
		return f.loop(copyQ, f.wall, f.q.Read(), f.flux.Write())
	}, `op2: loop copyQ over wall: argument 1 (q, read): q is on cells, the loop is over wall, a subset of edges
  hint: pass it through a map from edges to cells`},
	{"all of a map where one component is meant", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read(f.edge2cell), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read through edge2cell): the kernel takes *[4]float64, q holds 4 float64 for each of cells, edge2cell leads to 2 of them
  hint: declare the parameter in errors_kernels_test.go:9:12 as *[2][4]float64, or pass one target: edge2cell.At(0)`},
	{"shape", func(f *fixture) error {
		return f.loop(resCalc, f.edges, f.x.Read(f.edge2node.At(0)), f.x.Read(f.edge2node.At(1)), f.q.Read(f.edge2cell.At(0)), f.res.Inc(f.edge2cell.At(1)))
	}, `op2: loop resCalc over edges: argument 3 (q, read through edge2cell[0]): the kernel takes *[3]float64, q holds 4 float64 for each of cells
  hint: declare the parameter in errors_kernels_test.go:5:34 as *[4]float64`},
	{"shape of a direct argument", func(f *fixture) error {
		return f.loop(one, f.edges, f.flux.Write())
	}, `op2: loop one over edges: argument 1 (flux, written): the kernel takes *float64, flux holds 4 float64 for each of edges
  hint: declare the parameter in errors_kernels_test.go:65:10 as *[4]float64`},
	{"shape of a whole map", func(f *fixture) error {
		return f.loop(packedQ, f.edges, f.q.Read(f.edge2cell), op2.Index(), f.rms.Inc())
	}, `op2: loop packedQ over edges: argument 1 (q, read through edge2cell): the kernel takes *[3][4]float64, q holds 4 float64 for each of cells, edge2cell leads to 2 of them
  hint: declare the parameter in errors_kernels_test.go:40:14 as *[2][4]float64`},
	{"shape of one component", func(f *fixture) error {
		return f.loop(packedQ, f.edges, f.q.Read(f.edge2three.At(1)), op2.Index(), f.rms.Inc())
	}, `op2: loop packedQ over edges: argument 1 (q, read through edge2three[1]): the kernel takes *[3][4]float64, q holds 4 float64 for each of cells
  hint: declare the parameter in errors_kernels_test.go:40:14 as *[4]float64`},
	{"shape of a global", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.q.Read(), f.rms.Inc())
	}, `op2: loop copyQ over cells: argument 2 (rms, incremented): the kernel takes *[4]float64, rms holds 1 float64
  hint: declare the parameter in errors_kernels_test.go:9:15 as *float64`},
	{"shape of the number", func(f *fixture) error {
		return f.loop(copyQ, f.cells, op2.Index(), f.q.Write())
	}, `op2: loop copyQ over cells: argument 1 (the element's number): the kernel takes *[4]float64, the number is an int
  hint: declare the parameter in errors_kernels_test.go:9:12 as *int`},
	{"type", func(f *fixture) error {
		return f.loop(one, f.edges, f.bound.Write())
	}, `op2: loop one over edges: argument 1 (bound, written): the kernel takes *float64, bound holds 1 int32 for each of edges
  hint: declare the parameter in errors_kernels_test.go:65:10 as *int32`},
	// Slices.
	{"subscripts that leave slices", func(f *fixture) error {
		return f.loop(sliced, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop sliced over cells: kernel sliced: errors_kernels_test.go:106:11: subscript 4 of q is out of range: there is 0 to 3
  hint: the slice has a fixed length in each loop: compare the subscript with len`},
	{"subscripts that leave rows", func(f *fixture) error {
		return f.loop(slicedRows, f.edges, f.q.Read(f.edge2cell), f.rms.Inc())
	}, `op2: loop slicedRows over edges: kernel slicedRows: errors_kernels_test.go:111:13: subscript 2 of x is out of range: there is 0 to 1
  hint: the slice has a fixed length in each loop: compare the subscript with len`},
	{"subscripts that leave arrays", func(f *fixture) error {
		if err := f.loop(maybePastArray, f.cells, f.q.Read(), f.res.Write()); err != nil { // only some values lead there
			return err
		}
		return f.loop(pastArray, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop pastArray over cells: kernel pastArray: errors_kernels_test.go:128:12: subscript 4 of q is out of range: there is 0 to 3
  hint: the kernel would end there for each element: compare the subscript with len`},
	{"a slice for a whole map", func(f *fixture) error {
		return f.loop(sliced, f.edges, f.q.Read(f.edge2cell), f.flux.Write())
	}, `op2: loop sliced over edges: argument 1 (q, read through edge2cell): the kernel takes []float64, q holds 4 float64 for each of cells, edge2cell leads to 2 of them
  hint: declare the parameter in errors_kernels_test.go:104:13 as [][]float64, or pass one target: edge2cell.At(0)`},
	{"slices of slices for values of one element", func(f *fixture) error {
		return f.loop(slicedRows, f.cells, f.q.Read(), f.rms.Inc())
	}, `op2: loop slicedRows over cells: argument 1 (q, read): the kernel takes [][]float64, q holds 4 float64 for each of cells
  hint: declare the parameter in errors_kernels_test.go:109:17 as []float64`},
	{"slices of another type", func(f *fixture) error {
		return f.loop(sliced, f.edges, f.flux.Read(), f.bound.Write())
	}, `op2: loop sliced over edges: argument 2 (bound, written): the kernel takes []float64, bound holds 1 int32 for each of edges
  hint: declare the parameter in errors_kernels_test.go:104:16 as []int32`},
	{"a slice for a mat", func(f *fixture) error {
		return f.loop(sliced, f.edges, f.mass().Inc(f.edge2node, f.edge2node), f.flux.Write())
	}, `op2: loop sliced over edges: argument 1 (mass, incremented through edge2node by edge2node): the kernel takes []float64, mass is a mat of float64 in blocks of 1 by 1, of which edge2node by edge2node make 2 by 2, a local matrix of 2 by 2
  hint: declare the parameter in errors_kernels_test.go:104:13 as [][]float64`},
	{"a slice for the number", func(f *fixture) error {
		return f.loop(slicedNumber, f.edges, op2.Index(), f.flux.Write())
	}, `op2: loop slicedNumber over edges: argument 1 (the element's number): the kernel takes []int64, the number is an int
  hint: declare the parameter in errors_kernels_test.go:115:19 as *int`},
	{"slices of arrays of another dim", func(f *fixture) error {
		return f.loop(slicedPairs, f.edges, f.q.Read(f.edge2cell), f.rms.Inc())
	}, `op2: loop slicedPairs over edges: argument 1 (q, read through edge2cell): the kernel takes [][2]float64, q holds 4 float64 for each of cells, edge2cell leads to 2 of them
  hint: declare the parameter in errors_kernels_test.go:123:18 as [][]float64`},
	{"a slice that is not written completely", func(f *fixture) error {
		return f.loop(slicedHalf, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop slicedHalf over cells: kernel slicedHalf: errors_kernels_test.go:121:1: to[0] is not written on the path that ends here, but to is passed with Write
  hint: write every component on every path, or pass it with RW`},
	{"shape in c", func(f *fixture) error {
		return f.loop(ckernel.New("sum", "void sum(double q[3][3], double *rms) { *rms += q[0][0]; }"), f.edges, f.q.Read(f.edge2three), f.rms.Inc())
	}, `op2: loop sum over edges: argument 1 (q, read through edge2three): the kernel takes double q[3][3], q holds 4 float64 for each of cells, edge2three leads to 3 of them
    void sum(double q[3][3], double *rms) { *rms += q[0][0]; }
                    ^
  hint: declare the parameter in sum.c:1:17 as double *q[3]`},
	{"type in c", func(f *fixture) error {
		return f.loop(ckernel.New("sum", "void sum(float q[4], double *rms) { *rms += q[0]; }"), f.cells, f.q.Read(), f.rms.Inc())
	}, `op2: loop sum over cells: argument 1 (q, read): the kernel takes float q[4], q holds 4 float64 for each of cells
    void sum(float q[4], double *rms) { *rms += q[0]; }
                   ^
  hint: declare the parameter in sum.c:1:16 as double q[4]`},
	{"number in c", func(f *fixture) error {
		return f.loop(ckernel.New("sum", "void sum(double *n, double *rms) { *rms += *n; }"), f.cells, op2.Index(), f.rms.Inc())
	}, `op2: loop sum over cells: argument 1 (the element's number): the kernel takes double *n, the number is an int
    void sum(double *n, double *rms) { *rms += *n; }
                    ^
  hint: declare the parameter in sum.c:1:17 as int64_t *n`},
	{"too few arguments", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.q.Read())
	}, `op2: loop copyQ over cells: the kernel takes 2 arguments, 1 was given
  hint: copyQ takes q *[4]float64, to *[4]float64, in errors_kernels_test.go:9:6: no argument is left for to`},
	{"too many arguments", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.q.Read(), f.res.Write(), f.rms.Inc())
	}, `op2: loop copyQ over cells: the kernel takes 2 arguments, 3 were given
  hint: copyQ takes q *[4]float64, to *[4]float64, in errors_kernels_test.go:9:6: no parameter is left for argument 3 (rms, incremented)`},
	{"more arguments than any loop has", func(f *fixture) error {
		return f.loop(copyQ, f.cells, slices.Repeat([]op2.Arg{f.q.Read()}, 65)...)
	}, `op2: loop copyQ over cells: 65 arguments were given, a loop has at most 64
  hint: pass all targets of a map at once, or join dats of one set`},
	{"no arguments", func(f *fixture) error {
		return f.loop(nothing, f.cells)
	}, `op2: loop nothing over cells: kernel nothing: errors_kernels_test.go:44:6: kernel nothing has no parameters
  hint: add one pointer for each argument of the loop`},
	{"empty argument", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.q.Read(), op2.Arg{})
	}, `op2: loop copyQ over cells: argument 2: it is empty
  hint: arguments are made by the methods of dats and globals, as q.Read()`},
	{"nil map", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read((*op2.Map)(nil)), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read): the map is nil, or was not made by NewMap`},
	{"nil via", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read(nil), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read): the map is nil, or was not made by NewMap`},
	{"nil component", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read((*op2.Map)(nil).At(0)), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read): the map is nil, or was not made by NewMap`},
	{"two maps", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read(f.edge2cell, f.edge2three), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read): it goes through several maps, one at most is possible`},
	{"component that is not there", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read(f.edge2cell.At(2)), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read through edge2cell[2]): edge2cell has components 0 to 1`},
	{"component below zero", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read(f.edge2cell.At(-1)), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read through edge2cell[-1]): components are numbered from 0`},
	{"no map", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read(), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read): q is on cells, the loop is over edges
  hint: pass it through a map from edges to cells`},
	{"map from another set", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.q.Read(f.edge2cell.At(0)), f.res.Write())
	}, `op2: loop copyQ over cells: argument 1 (q, read through edge2cell[0]): edge2cell leads from edges, the loop is over cells`},
	{"map to another set", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read(f.edge2node.At(0)), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read through edge2node[0]): edge2node leads to nodes, q is on cells`},
	{"another runtime", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.q.Read(), f.foreign.Write())
	}, `op2: loop copyQ over cells: argument 2 (foreign, written): foreign belongs to the runtime opened at PLACE, go; cells to the runtime opened at PLACE, go
  hint: declare all that a loop uses on one runtime`},
	{"two sets of one name", func(f *fixture) error {
		again := f.rt.NewSet(7, "cells")
		return f.loop(copyQ, again, f.q.Read(), f.res.Write())
	}, `op2: loop copyQ over cells: argument 1 (q, read): q is on cells (2 elements, declared at PLACE), the loop is over cells (7 elements, declared at PLACE)
  hint: what belongs together is declared on one set`},
	{"map to another set of one name", func(f *fixture) error {
		again := f.rt.NewSet(1, "cells")
		m := op2.NewMap(f.edges, again, 1, make([]int, 3), "m")
		return f.loop(copyQ, f.edges, f.q.Read(m.At(0)), f.flux.Write())
	}, `op2: loop copyQ over edges: argument 1 (q, read through m[0]): m leads to cells (1 element, declared at PLACE), q is on cells (2 elements, declared at PLACE)`},
	{"copy of a dat on another set of one name", func(f *fixture) error {
		again := f.rt.NewSet(2, "cells")
		return f.q.Copy(op2.NewDat[float64](again, 4, nil, "q2"))
	}, `op2: dat q on cells: Copy takes a dat on cells (2 elements, declared at PLACE) with dim 4, q2 is on cells (2 elements, declared at PLACE) and has dim 4`},
	{"copy over another set of one name", func(f *fixture) error {
		return f.q.Copy(f.res, op2.NewSubset(f.rt.NewSet(2, "cells"), []int{1}, "some"))
	}, `op2: dat q on cells: Copy takes elements of cells (2 elements, declared at PLACE), those of some are of cells (2 elements, declared at PLACE)`},
	{"rows of another set of one name", func(f *fixture) error {
		return f.mass().ZeroRows(f.rt.NewSet(3, "nodes"), 1)
	}, `op2: mat mass: ZeroRows: the rows are nodes (4 elements, declared at PLACE), elements of nodes (3 elements, declared at PLACE) were given`},
	{"conditions on another set of one name", func(f *fixture) error {
		return op2.NewDirichlet(op2.Fix(f.rt.NewSet(3, "nodes"), 0.0)).Apply(f.mass(), nil)
	}, `op2: conditions on nodes: they are on nodes (3 elements, declared at PLACE), mass is on nodes (4 elements, declared at PLACE)`},
	{"mask by a subset of another set of one name", func(f *fixture) error {
		return f.edge2node.Masked(op2.NewSubset(f.rt.NewSet(3, "nodes"), []int{1}, "some"), "free").Err()
	}, `op2: masked map free of edge2node: edge2node leads to nodes (4 elements, declared at PLACE), some is a subset of nodes (3 elements, declared at PLACE)`},
	{"solver of a matrix on two sets of one name", func(f *fixture) error {
		other := op2.NewMap(f.edges, f.rt.NewSet(4, "nodes"), 2, make([]int, 6), "other")
		return solver.New(op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: f.edge2node, Cols: other}}, 1, 1, "sp"), "m")).Err()
	}, `op2: mat m: a solver takes a square matrix, this one has rows on nodes (4 elements, declared at PLACE) with dim 1, and columns on nodes (4 elements, declared at PLACE) with dim 1`},
	{"runtimes opened in one place", func(f *fixture) error {
		var sets [2]*op2.Set
		for i := range sets {
			rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
			defer rt.Close()
			sets[i] = rt.NewSet(2, "cells")
		}
		err := op2.NewMap(sets[0], sets[1], 1, []int{0, 1}, "m").Err()
		return errors.New(numbered.ReplaceAllString(err.Error(), "runtime N of"))
	}, `op2: map m from cells to cells: its sets belong to two runtimes: cells (of runtime N of the process, opened at PLACE, go), cells (of runtime N of the process, opened at PLACE, go)`},
	{"const that could not be declared", func(f *fixture) error {
		op2.NewConst[float64](f.rt, "gamma0", nil)
		return f.loop(readsConst, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop readsConst over cells: const gamma0: not declared, because of an earlier error: const gamma0: the pointer is nil`},
	{"const of a kernel in C that could not be declared", func(f *fixture) error {
		op2.NewConst[float64](f.rt, "gamma0", nil)
		return f.loop(ckernel.New("k", "void k(double *q) { q[0] = gamma0; }"), f.cells, f.q.RW())
	}, `op2: loop k over cells: const gamma0: not declared, because of an earlier error: const gamma0: the pointer is nil`},
	{"two accesses", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.Read(f.edge2cell.At(0)), f.q.Inc(f.edge2cell.At(1)))
	}, `op2: loop copyQ over edges: argument 2 (q, incremented through edge2cell[1]): q is also argument 1 (q, read through edge2cell[0]): whether one sees what the other changes would depend on the order of elements
  hint: use one access for all, or a second dat`},
	{"two accesses of one kind", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.q.RW(), f.q.Write())
	}, `op2: loop copyQ over cells: argument 2 (q, written): q is also argument 1 (q, read and written): whether one sees what the other changes would depend on the order of elements
  hint: use one access for all, or a second dat`},
	{"written twice", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.q.Write(), f.q.Write())
	}, `op2: loop copyQ over cells: argument 2 (q, written): q is also argument 1 (q, written): the kernel would change the same values twice
  hint: pass them once`},
	{"written twice through a map", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.RW(f.edge2cell.At(1)), f.q.RW(f.edge2cell))
	}, `op2: loop copyQ over edges: argument 2 (q, read and written through edge2cell): q is also argument 1 (q, read and written through edge2cell[1]): the kernel would change the same values twice
  hint: pass them once`},
	{"written through two components with one target", func(f *fixture) error {
		return f.loop(copyQ, f.edges, f.q.RW(f.edge2cell.At(0)), f.q.RW(f.edge2cell.At(1)))
	}, `op2: loop copyQ over edges: argument 2 (q, read and written through edge2cell[1]): element 0 of edges reaches element 0 of cells twice, through edge2cell[0] and through edge2cell[1]: whether one sees what the kernel sets through the other would depend on the backend
  hint: pass it with Inc, Min or Max, run over a subset without such elements, or use one loop for each component`},
	{"written through a whole map with one target", func(f *fixture) error {
		m := op2.NewMap(f.edges, f.cells, 2, []int32{0, 1, 0, 0, 1, 1}, "m")
		return f.loop(copyQ, f.wall, f.q.Write(m), f.res.Write(m))
	}, `op2: loop copyQ over wall: argument 1 (q, written through m): element 2 of edges reaches element 1 of cells twice, through m[0] and through m[1]: whether one sees what the kernel sets through the other would depend on the backend
  hint: pass it with Inc, Min or Max, run over a subset without such elements, or use one loop for each component`},
	{"written directly and through a map", func(f *fixture) error {
		m := op2.NewMap(f.cells, f.cells, 1, []int32{1, 1}, "next")
		return f.loop(copyQ, f.cells, f.q.Write(), f.q.Write(m.At(0)))
	}, `op2: loop copyQ over cells: argument 2 (q, written through next[0]): element 1 of cells reaches element 1 of cells twice, directly and through next[0]: whether one sees what the kernel sets through the other would depend on the backend
  hint: pass it with Inc, Min or Max, run over a subset without such elements, or use one loop for each component`},
	{"global twice", func(f *fixture) error {
		return f.loop(copyQ, f.cells, f.rms.Min(), f.rms.Min())
	}, `op2: loop copyQ over cells: argument 2 (rms, minimized): rms is also argument 1 (rms, minimized): the kernel would change the same values twice
  hint: pass them once`},
	{"mat through nil", func(f *fixture) error {
		return f.loop(local2x2, f.edges, f.mass().Inc(f.edge2node, nil))
	}, `op2: loop local2x2 over edges: argument 1 (mass, incremented through edge2node): the map is nil, or was not made by NewMap`},
	{"mat through maps from another set", func(f *fixture) error {
		return f.loop(local2x2, f.cells, f.mass().Inc(f.edge2node, f.edge2node))
	}, `op2: loop local2x2 over cells: argument 1 (mass, incremented through edge2node by edge2node): edge2node leads from edges, the loop is over cells`},
	{"mat with rows elsewhere", func(f *fixture) error {
		return f.loop(local2x2, f.edges, f.mass().Inc(f.edge2cell, f.edge2node))
	}, `op2: loop local2x2 over edges: argument 1 (mass, incremented through edge2cell by edge2node): edge2cell leads to cells, the rows of mass are nodes`},
	{"mat with columns elsewhere", func(f *fixture) error {
		return f.loop(local2x2, f.edges, f.mass().Inc(f.edge2node, f.edge2cell))
	}, `op2: loop local2x2 over edges: argument 1 (mass, incremented through edge2node by edge2cell): edge2cell leads to cells, the columns of mass are nodes`},
	{"mat through maps that its sparsity does not know", func(f *fixture) error {
		other := op2.NewMap(f.edges, f.nodes, 2, []int{1, 1, 1, 1, 1, 1}, "other")
		return f.loop(local2x2, f.edges, f.mass().Write(f.edge2node, other))
	}, `op2: loop local2x2 over edges: argument 1 (mass, written through edge2node by other): the sparsity sp (declared at PLACE) lacks nonzeros of edge2node by other
  hint: give NewSparsity that pair, too; that of NewSquareSparsity is a map by itself`},
	{"mat of another shape", func(f *fixture) error {
		return f.loop(local2x2, f.edges, f.rectangle().Inc(f.edge2node, f.edge2cell))
	}, `op2: loop local2x2 over edges: argument 1 (rectangle, incremented through edge2node by edge2cell): the kernel takes *[2][2]float64, rectangle is a mat of float64 in blocks of 1 by 2, of which edge2node by edge2cell make 2 by 2, a local matrix of 2 by 4
  hint: declare the parameter in errors_kernels_test.go:67:15 as *[2][4]float64`},
	{"mat of another shape in c", func(f *fixture) error {
		return f.loop(ckernel.New("local", "void local(double a[2][2]) { a[0][0] = 1; }"), f.edges, f.rectangle().Inc(f.edge2node, f.edge2cell))
	}, `op2: loop local over edges: argument 1 (rectangle, incremented through edge2node by edge2cell): the kernel takes double a[2][2], rectangle is a mat of float64 in blocks of 1 by 2, of which edge2node by edge2cell make 2 by 2, a local matrix of 2 by 4
    void local(double a[2][2]) { a[0][0] = 1; }
                      ^
  hint: declare the parameter in local.c:1:19 as double a[2][4]`},
	{"mat written twice", func(f *fixture) error {
		return f.loop(local2x2Twice, f.edges, f.mass().Write(f.edge2node, f.edge2node), f.mass().Write(f.edge2node, f.edge2node))
	}, `op2: loop local2x2Twice over edges: argument 2 (mass, written through edge2node by edge2node): mass is also argument 1: of two places that write a value only one would count
  hint: pass it once`},
	{"mat written and incremented", func(f *fixture) error {
		return f.loop(local2x2Twice, f.edges, f.mass().Inc(f.edge2node, f.edge2node), f.mass().Write(f.edge2node, f.edge2node))
	}, `op2: loop local2x2Twice over edges: argument 2 (mass, written through edge2node by edge2node): mass is also argument 1 (mass, incremented through edge2node by edge2node): whether one sees what the other changes would depend on the order of elements
  hint: use one access for all, or a second mat`},
	// The contract of the accesses.
	{"mat not written completely", func(f *fixture) error {
		return f.loop(local2x2Half, f.edges, f.mass().Write(f.edge2node, f.edge2node))
	}, `op2: loop local2x2Half over edges: kernel local2x2Half: errors_kernels_test.go:81:1: a[1][0] is not written on the path that ends here, but a is passed with Write
  hint: write every component on every path, or pass it with Inc`},
	{"written, but read", func(f *fixture) error {
		return f.loop(writesRead, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop writesRead over cells: kernel writesRead: errors_kernels_test.go:14:2: q is written, but passed with Read
  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
	{"not written completely", func(f *fixture) error {
		return f.loop(writesHalf, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop writesHalf over cells: kernel writesHalf: errors_kernels_test.go:24:1: to[1] is not written on the path that ends here, but to is passed with Write
  hint: write every component on every path, or pass it with RW`},
	{"read before it is written", func(f *fixture) error {
		return f.loop(readsEarly, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop readsEarly over cells: kernel readsEarly: errors_kernels_test.go:27:2: to[0] is read before it is written, but to is passed with Write
  hint: write it first, or pass it with RW`},
	{"c kernel that is defined twice", func(f *fixture) error {
		return f.loop(ckernel.New("zero", "void zero(double *q)\n{\n\tq[0] = 0;\n}\nvoid zero(double *q)\n{\n}"), f.cells, f.q.RW())
	}, `op2: loop zero over cells: kernel zero: zero.c:5:6: zero is defined twice, first in line 1
    void zero(double *q)
         ^
  hint: leave one of them, or give them different names`},
	{"reduction too large for stacks", func(f *fixture) error {
		sums := op2.NewGlobal(f.rt, make([]float64, 1_000_000), "sums")
		return f.loop(ckernel.New("add", "void add(double *q, double *sums) { sums[(int)q[0]] += 1; }"), f.cells, f.q.Read(), sums.Inc())
	}, `op2: loop add over cells: argument 2 (sums, incremented): the loop's reductions have 8000000 bytes, 1048576 are possible
  hint: increment a dat through a map instead`},
	{"local arrays too large for stacks", func(f *fixture) error {
		return f.loop(ckernel.New("add", "static double sum(double x) { double a[30000]; a[(int)x] = x; return a[0]; }\nvoid add(double *q) { double b[5000]; b[(int)q[0]] = 1; q[1] = sum(b[0]); }"), f.cells, f.q.RW())
	}, `op2: loop add over cells: kernel add has local variables of 280000 bytes, 262144 are possible
  hint: keep large arrays in a dat, which is passed with RW`},
	{"c kernel with names of generated code", func(f *fixture) error {
		return f.loop(ckernel.New("set", "// op2_free\nstatic double op2_run(double x) { return x; }\nvoid set(double *q)\n{\n\tq[0] = op2_run(1);\n}"), f.cells, f.q.RW())
	}, `op2: loop set over cells: kernel set: set.c:2:15: op2_run: names that begin with op2_ are reserved for generated code
    static double op2_run(double x) { return x; }
                  ^
  hint: give it another name
set.c:5:9: op2_run: names that begin with op2_ are reserved for generated code
    	q[0] = op2_run(1);
    	       ^
  hint: give it another name`},
	{"c kernel that writes READ by memset", func(f *fixture) error {
		return f.loop(ckernel.New("zero", "#include <string.h>\nvoid zero(double *q)\n{\n\tmemset(q, 0, 4 * sizeof *q);\n}"), f.cells, f.q.Read())
	}, `op2: loop zero over cells: kernel zero: zero.c:4:2: q is written, but passed with Read
    	memset(q, 0, 4 * sizeof *q);
    	^
  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
	{"c kernel that writes READ through a cast", func(f *fixture) error {
		return f.loop(ckernel.New("zero", "void zero(const double *q)\n{\n\t*(long *)q = 0;\n}"), f.cells, f.q.Read())
	}, `op2: loop zero over cells: kernel zero: zero.c:3:2: q is written, but passed with Read
    	*(long *)q = 0;
    	^
  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
	{"c kernel that leaves its argument", func(f *fixture) error {
		return f.loop(ckernel.New("set", "void set(double *q)\n{\n\tq[4] = 1;\n}"), f.cells, f.q.RW())
	}, `op2: loop set over cells: kernel set: set.c:3:2: subscript 4 of q is out of range: there is 0 to 3
    	q[4] = 1;
    	^
  hint: the argument has no such value: what lies there is another one's`},
	{"c kernel whose loop leaves its argument", func(f *fixture) error {
		return f.loop(ckernel.New("set", "static void all(double *x, int n) { for (int i = 0; i < n; i++) x[i] = i; }\nvoid set(double *q) { all(q, 4); if (q[0] > 1) q[1] = 2; all(q + 1, 4); }"), f.cells, f.q.RW())
	}, `op2: loop set over cells: kernel set: set.c:1:65: subscript 3 of q is out of range: there is -1 to 2
    static void all(double *x, int n) { for (int i = 0; i < n; i++) x[i] = i; }
                                                                    ^
  hint: the argument has no such value: what lies there is another one's`},
	{"c kernel that leaves an array of pointers", func(f *fixture) error {
		return f.loop(ckernel.New("sum", "void sum(double *q[3], double *rms) { *rms += q[3][0]; }"), f.edges, f.q.Read(f.edge2three), f.rms.Inc())
	}, `op2: loop sum over edges: kernel sum: sum.c:1:47: subscript 3 of q is out of range: there is 0 to 2
    void sum(double *q[3], double *rms) { *rms += q[3][0]; }
                                                  ^
  hint: the argument has no such value: what lies there is another one's`},
	{"c kernel that leaves a row", func(f *fixture) error {
		return f.loop(ckernel.New("sum", "void sum(double *q[3], double *rms) { *rms += q[0][4]; }"), f.edges, f.q.Read(f.edge2three), f.rms.Inc())
	}, `op2: loop sum over edges: kernel sum: sum.c:1:47: subscript 4 of q is out of range: there is 0 to 3
    void sum(double *q[3], double *rms) { *rms += q[0][4]; }
                                                  ^
  hint: the argument has no such value: what lies there is another one's`},
	{"written, but read, in c", func(f *fixture) error {
		return f.loop(ckernel.New("zero", "void zero(double *q)\n{\n\tq[1] = 0;\n}"), f.cells, f.q.Read())
	}, `op2: loop zero over cells: kernel zero: zero.c:3:2: q is written, but passed with Read
    	q[1] = 0;
    	^
  hint: pass it with Write, RW or Inc, or copy it to a local variable first`},
	// Consts.
	{"unknown consts", func(f *fixture) error {
		return f.loop(readsConst, f.cells, f.q.Read(), f.res.Write())
	}, `op2: loop readsConst over cells: kernel readsConst: errors_kernels_test.go:37:26: the kernel reads the variable gamma0, which is no const of the runtime
  hint: declare it with op2.NewConst(rt, "gamma0", &gamma0), or pass it as an argument
errors_kernels_test.go:37:42: the kernel reads the variable table0, which is no const of the runtime
  hint: declare it with op2.NewConst(rt, "table0", &table0), or pass it as an argument`},
	{"const of a similar name", func(f *fixture) error {
		return errors.Join(optest.NewConst(f.rt, "gamma", new(float64)), optest.NewConst(f.rt, "table0", &table0), f.loop(readsConst, f.cells, f.q.Read(), f.res.Write()))
	}, `op2: loop readsConst over cells: kernel readsConst: errors_kernels_test.go:37:26: the kernel reads the variable gamma0, which is no const of the runtime (did you mean "gamma"?)
  hint: declare it with op2.NewConst(rt, "gamma0", &gamma0), or pass it as an argument`},
	{"const of another type", func(f *fixture) error {
		return errors.Join(optest.NewConst(f.rt, "gamma0", &gamma0), optest.NewConst(f.rt, "table0", new([3]float64)), f.loop(readsConst, f.cells, f.q.Read(), f.res.Write()))
	}, `op2: loop readsConst over cells: kernel readsConst: errors_kernels_test.go:37:42: the const table0 is a [3]float64, the kernel reads it as a [3]float32
  hint: declare it with op2.NewConst(rt, "table0", &table0), with the address of that variable itself`},
	{"unknown name in c", func(f *fixture) error {
		return f.loop(ckernel.New("scale", "void scale(double *q) { for (int i = 0; i < 4; i++) q[i] *= gam; }"), f.cells, f.q.RW())
	}, `op2: loop scale over cells: kernel scale: scale.c:1:61: undefined: gam
    void scale(double *q) { for (int i = 0; i < 4; i++) q[i] *= gam; }
                                                                ^
  hint: a value of the program is registered with op2.NewConst(rt, "gam", &gam)`},
	// Backends and options.
	{"unknown backend", func(f *fixture) error {
		return optest.Last(op2.Open(op2.WithBackend("fpga")))
	}, `op2: there is no backend "fpga": not available
  hint: this version has auto, BACKENDS`},
	{"misspelled backend", func(f *fixture) error {
		return optest.Last(op2.Open(op2.WithBackend("sequental")))
	}, `op2: there is no backend "sequental" (did you mean "sequential"?): not available
  hint: this version has auto, BACKENDS`},
	{"no threads", func(f *fixture) error {
		return optest.Last(op2.Open(op2.WithThreads(0)))
	}, `op2: 0 threads: at least one is needed`},
	{"negative blocks", func(f *fixture) error {
		return optest.Last(op2.Open(op2.WithBlockSize(-1)))
	}, `op2: blocks of -1 elements: at least one is needed`},
	{"blocks of nothing", func(f *fixture) error {
		return optest.Last(op2.Open(op2.WithBlockSize(0)))
	}, `op2: blocks of 0 elements: at least one is needed`},
}

// backendNames returns the names in the registry, as messages list them.
func backendNames(t testing.TB) string {
	t.Helper()
	infos, err := op2.Backends()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, b := range infos {
		names = append(names, b.Name)
	}
	return strings.Join(names, ", ")
}

// place matches where the test declared or opened something.
var place = regexp.MustCompile(`\b(declared at|opened at) \w+\.go:\d+\b`)

// The positions of calls: of methods, functions and generic functions.
func TestErrorsNamePlaces(t *testing.T) {
	_, _, line, _ := runtime.Caller(0)
	rt, other := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil))),
		optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	steps := optest.Steps(rt)
	cells := rt.NewSet(2, "cells")
	steps.Check(steps.Err())
	again, foreigners := rt.NewSet(2, "cells"), optest.NewSet(t, other, 2, "cells")
	q := op2.NewDat[float64](again, 4, nil, "q")
	optest.OK(t, steps.Err())
	k := op2.Kernels(errorsSource).Func(copyQ)
	optest.ExpectError(t, op2.ParLoop(k, cells, q.Read(), q.Read()), fmt.Sprintf(`op2: loop copyQ over cells: argument 1 (q, read): q is on cells (2 elements, declared at errors_test.go:%d), the loop is over cells (2 elements, declared at errors_test.go:%d)
  hint: what belongs together is declared on one set`, line+6, line+4))
	two := op2.NewDat[float64](cells, 4, nil, "q")
	err := op2.ParLoop(k, cells, q.Read(), q.Read())
	for _, want := range []string{fmt.Sprintf("\n  q was declared at errors_test.go:%d\n", line+7), fmt.Sprintf("\n  called at errors_test.go:%d", line+13)} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if err, want := q.Copy(two), fmt.Sprintf(", q (declared at errors_test.go:%d) is on ", line+12); !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
	optest.ExpectError(t, op2.ParLoop(k, foreigners, q.Read(), q.Read()), fmt.Sprintf(`op2: loop copyQ over cells: argument 1 (q, read): q belongs to the runtime opened at errors_test.go:%d, go; cells to the runtime opened at errors_test.go:%d, go
  hint: declare all that a loop uses on one runtime`, line+1, line+2))
	optest.OK(t, errors.Join(rt.Close(), other.Close()))
}

// A fault says where its argument was declared, in a loop that the program keeps and in one that it does not.
func TestFaultsNamePlaces(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	cells := optest.NewSet(t, rt, 1, "cells")
	at := optest.NewDat(t, cells, 1, []int32{2}, "at")
	_, _, line, _ := runtime.Caller(0)
	y := op2.NewDat[float64](cells, 2, nil, "y")
	k := ckernel.New("k", "void k(const int *at, double *y) { y[*at] = 1; }")
	for _, compute := range []func() error{
		op2.NewLoop(k, cells, at.Read(), y.RW()).Compute,
		func() error { return op2.ParLoop(k, cells, at.Read(), y.RW()) },
	} {
		if err, want := compute(), fmt.Sprintf("\n  y was declared at errors_test.go:%d\n", line+1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	optest.NotShort(t)
	for _, test := range errorTexts {
		t.Run(test.name, func(t *testing.T) {
			err := test.call(newFixture(t))
			if err != nil {
				err = errors.New(place.ReplaceAllString(optest.ErrorText(err), "$1 PLACE"))
			}
			optest.ExpectError(t, err, strings.ReplaceAll(test.want, "BACKENDS", backendNames(t)))
		})
	}
}

// Function literals have compiler-generated names.
func TestErrorOfFunctionLiteral(t *testing.T) {
	f := newFixture(t)
	err := f.loop(func(q *[4]float64) { q[0] = 1 }, f.cells, f.q.RW())
	if err == nil || !strings.Contains(err.Error(), ": it is not a plain top-level function\n") {
		t.Errorf("got %v", err)
	}
}

// Errors that a program may want to distinguish have a type or a sentinel.
func TestErrorTypes(t *testing.T) {
	f := newFixture(t)
	var (
		shape  *op2.ShapeError
		arg    *op2.ArgError
		kernel *op2.KernelError
	)
	for _, test := range []struct {
		err    error
		target any
	}{
		{f.rt.NewSet(-1, "nodes").Err(), &shape},
		{f.loop(one, f.edges, f.flux.Write()), &shape},
		{f.loop(copyQ, f.cells, f.q.Read()), &shape},
		{f.loop(copyQ, f.edges, f.q.Read(), f.flux.Write()), &arg},
		{f.loop(copyQ, f.cells, f.q.RW(), f.q.Write()), &arg},
		{f.loop(refused, f.cells, f.q.Read(), f.res.Write()), &kernel},
		{f.loop(writesRead, f.cells, f.q.Read(), f.res.Write()), &kernel},
		{f.loop(readsConst, f.cells, f.q.Read(), f.res.Write()), &kernel},
		{f.loop(withResult, f.cells, f.q.Read()), &kernel},
	} {
		if !errors.As(test.err, test.target) {
			t.Errorf("%v is no %T", test.err, test.target)
		}
	}
	if len(kernel.Problems) != 0 { // that of withResult, the last
		t.Errorf("%v has problems with a place", kernel)
	}
	if errors.As(f.loop(readsConst, f.cells, f.q.Read(), f.res.Write()), &kernel); len(kernel.Problems) != 2 ||
		kernel.Problems[0].Pos.String() != "errors_kernels_test.go:37:26" {
		t.Errorf("got %v", kernel.Problems)
	}
	if err := optest.Last(op2.Open(op2.WithBackend("fpga"))); !errors.Is(err, op2.ErrUnavailable) {
		t.Errorf("%v is not ErrUnavailable", err)
	}
	for backend, tried := range map[string]string{"sequential": "sequential", "openmp": "openmp", "auto": "openmp"} {
		err := optest.Last(op2.Open(op2.WithBackend(backend), op2.WithCompiler("no-such-cc")))
		if !errors.Is(err, op2.ErrUnavailable) || !strings.HasPrefix(err.Error(), "op2: backend "+tried+": not available: ") ||
			!strings.Contains(err.Error(), "no-such-cc") {
			t.Errorf("backend %s without its compiler: got %v", backend, err)
		}
	}
}

// The errors of valid loops.
func TestErrorTextsOfCompute(t *testing.T) {
	f := newFixture(t)
	faulty := op2.NewLoop(op2.Kernels(errorsSource).Func(faultDivide), f.edges, optest.NewDat[int64](t, f.edges, 1, nil, "k").Read(), optest.NewDat[float64](t, f.edges, 1, nil, "out").Write())
	err := faulty.Compute()
	var fault *op2.FaultError
	if !errors.As(err, &fault) {
		t.Fatalf("got %v", err)
	}
	optest.ExpectError(t, fault, "op2: loop faultDivide over edges: "+fault.Pos.String()+": integer divide by zero: element 0 of edges")

	static := optest.Must(op2.Open(op2.Static(), op2.WithBackend("go")))
	cells := optest.NewSet(t, static, 0, "cells")
	loop := op2.NewLoop(f.kernels.Func(one), cells, optest.NewDat[float64](t, cells, 1, nil, "x").Write())
	optest.ExpectError(t, loop.Compute(), "loop one over cells: op2: the runtime is static: it generates code and has no data")
	static.Close()
	optest.ExpectError(t, loop.Compute(), "op2: the runtime is closed")
	optest.ExpectError(t, op2.ErrConcurrentUse, "op2: a runtime belongs to one goroutine, and another one is at work in it")
}

// A compiler's messages use the program's names, although generated code has others.
func TestNamesInCompilersMessages(t *testing.T) {
	optest.RequireCompiler(t)
	rt := optest.OpenBackend(t, "sequential")
	cells := optest.NewSet(t, rt, 2, "cells")
	const source = "double lost(double a);\nint lost(double a) { return 1; }\nvoid misnamed(double *x) { *x = lost(1); }"
	err := op2.ParLoop(ckernel.New("misnamed", source), cells, optest.NewDat[float64](t, cells, 1, nil, "x").RW())
	if !strings.Contains(err.Error(), "misnamed.c:2:5: error: ") || !strings.Contains(err.Error(), "'lost'") {
		t.Errorf("got %v", err)
	}
	var compile *op2.CompileError
	if !errors.As(err, &compile) || strings.Contains(compile.Log, "'lost_'") || !strings.Contains(compile.Source, "#define lost lost_") {
		t.Errorf("got %+v", err)
	}
}

// A compiler that rejects its input is reported at the first Compute, briefly.
func TestErrorOfCompiler(t *testing.T) {
	optest.RequireCompiler(t)
	rt := optest.Must(op2.Open(op2.WithBackend("sequential"), op2.WithLog(nil), op2.WithCFlags("-no-such-flag")))
	defer rt.Close()
	cells := optest.NewSet(t, rt, 2, "cells")
	loop := op2.NewLoop(op2.Kernels(errorsSource).Func(one), cells, optest.NewDat[float64](t, cells, 1, nil, "x").Write())
	for range 2 { // and again
		err := loop.Compute()
		var compile *op2.CompileError
		if !errors.As(err, &compile) || !strings.HasPrefix(err.Error(), "op2: loop one over cells: ") || !strings.Contains(err.Error(), "no-such-flag") {
			t.Fatalf("got %v, want a *CompileError", err)
		}
		if want := "op2: loop one over cells: " + fmt.Sprintf("%+v", compile) + "\n  declared at errors_test.go:"; !strings.HasPrefix(fmt.Sprintf("%+v", err), want) {
			t.Errorf("in full:\n%+v\nwant:\n%s", err, want)
		}
		for verb, want := range map[string]string{"%v": err.Error(), "%s": err.Error(), "%q": strconv.Quote(err.Error()), "%.3s": "op2"} {
			if got := fmt.Sprintf(verb, err); got != want {
				t.Errorf("%s gives %s", verb, got)
			}
		}
	}
}
