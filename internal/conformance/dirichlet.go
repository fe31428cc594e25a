package conformance

import (
	_ "embed"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed dirichlet.go
var dirichletSource string

// pair1 and pair2 couple two elements by a symmetric local matrix.
func pair1(a *[2][2]float64, v *float64) {
	a[0][0] += *v
	a[0][1] += 2 * *v
	a[1][0] += 2 * *v
	a[1][1] += 3 * *v
}

func pair2(a *[4][4]float64, v *float64) {
	for i := range 4 {
		for j := range 4 {
			a[i][j] += *v * float64(1+i+j)
		}
	}
}

// written2 sets what pair2 adds.
func written2(a *[4][4]float64, v *float64) {
	for i := range 4 {
		for j := range 4 {
			a[i][j] = *v * float64(1+i+j)
		}
	}
}

func assign1(x *float64, from *float64) { *x = *from }

func assign2(x *[2]float64, from *[2]float64) { *x = *from }

// lifted applies conditions by definition: a is the matrix as it was assembled.
type lifted struct {
	a        *optest.Dense
	fixed    map[int]float64 // by the number of the value
	diagonal float64
}

func (l *lifted) matrix() *optest.Dense {
	m := &optest.Dense{Cols: l.a.Cols, Values: slices.Clone(l.a.Values)}
	for i := range m.Cols {
		for j := range m.Cols {
			_, row := l.fixed[i]
			_, col := l.fixed[j]
			switch {
			case row && i == j:
				m.Values[i*m.Cols+j] = l.diagonal
			case row || col:
				m.Values[i*m.Cols+j] = 0
			}
		}
	}
	return m
}

func (l *lifted) rhs(b []float64) []float64 {
	b = slices.Clone(b)
	for i := range b {
		for j, g := range l.fixed {
			b[i] -= l.a.Values[i*l.a.Cols+j] * g
		}
	}
	for i, g := range l.fixed {
		b[i] = l.diagonal * g
	}
	return b
}

// conformDirichlet applies conditions of all kinds repeatedly. All numbers are small integers, so
// that the order of additions makes no difference.
func conformDirichlet(t *testing.T, open optest.Opener) {
	for _, dim := range []int{1, 2} {
		t.Run(fmt.Sprint("dim ", dim), func(t *testing.T) { newDirichletTest(t, open(t), dim).run(t) })
	}
}

type dirichletTest struct {
	edges, nodes *op2.Set
	edge2node    *op2.Map
	v            *op2.Dat[float64]
	matrix       *op2.Mat[float64]
	source       *op2.Dat[float64] // of right-hand sides
	b            *op2.Dat[float64]
	want         *lifted
	dim          int
	assign       *op2.Kernel
}

const dirichletNodes = 25

func newDirichletTest(t *testing.T, rt *op2.Runtime, dim int) *dirichletTest {
	const n, m = 60, dirichletNodes
	mesh := optest.NewTopology(n, m)
	d := &dirichletTest{edges: optest.NewSet(t, rt, n, "edges"), nodes: optest.NewSet(t, rt, m, "nodes"), dim: dim}
	d.edge2node = optest.NewMap(t, d.edges, d.nodes, 2, mesh.Anywhere(2), "edge2node")
	d.v = optest.NewDat(t, d.edges, 1, optest.Some[float64](mesh.Random, n), "v")
	d.matrix = op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: d.edge2node, Cols: d.edge2node}}, dim, dim, "sp"), "a")
	d.source, d.b = optest.NewDat(t, d.nodes, dim, optest.Some[float64](mesh.Random, dim*m), "source"), optest.NewDat[float64](t, d.nodes, dim, nil, "b")
	d.want = &lifted{a: &optest.Dense{Cols: dim * m, Values: make([]float64, dim*m*dim*m)}, fixed: map[int]float64{}, diagonal: 1}
	d.assign = op2.Kernels(dirichletSource).Func(assign1)
	if dim == 2 {
		d.assign = op2.Kernels(dirichletSource).Func(assign2)
	}
	return d
}

// assemble adds the elements' contributions to the matrix.
func (d *dirichletTest) assemble(t *testing.T) {
	t.Helper()
	k := op2.Kernels(dirichletSource).Func(pair1)
	if d.dim == 2 {
		k = op2.Kernels(dirichletSource).Func(pair2)
	}
	optest.Run(t, k, d.edges, d.matrix.Inc(d.edge2node, d.edge2node), d.v.Read())
	nodes := d.edge2node.Values()
	for e, v := range optest.Must(d.v.InDeclaredOrder()) {
		for i := range 2 * d.dim {
			for j := range 2 * d.dim {
				r, c := int(nodes[2*e+i/d.dim])*d.dim+i%d.dim, int(nodes[2*e+j/d.dim])*d.dim+j%d.dim
				f := float64(1 + i + j)
				if d.dim == 1 {
					f = []float64{1, 2, 2, 3}[2*i+j]
				}
				d.want.a.Values[r*d.want.a.Cols+c] += v * f
			}
		}
	}
}

// fresh assembles b again, by a loop.
func (d *dirichletTest) fresh(t *testing.T) *op2.Dat[float64] {
	t.Helper()
	optest.Run(t, d.assign, d.nodes, d.b.Write(), d.source.Read())
	return d.b
}

// fix records that values are fixed to g.
func (d *dirichletTest) fix(elements []int, g func(element, component int) float64, components ...int) {
	for _, e := range elements {
		for i := range d.dim {
			if components == nil || slices.Contains(components, i) {
				d.want.fixed[e*d.dim+i] = g(e, i)
			}
		}
	}
}

func (d *dirichletTest) check(t *testing.T, what string) {
	t.Helper()
	optest.ExpectMat(t, d.matrix, d.want.matrix())
	d.checkRHS(t, what)
}

func (d *dirichletTest) checkRHS(t *testing.T, what string) {
	t.Helper()
	got := optest.Must(d.b.DataRO())
	for i, w := range d.want.rhs(optest.Must(d.source.DataRO())) {
		if got[i] != w {
			t.Fatalf("%s: b[%d] is %v, want %v", what, i, got[i], w)
		}
	}
}

func (d *dirichletTest) run(t *testing.T) {
	last := d.dim - 1
	left, right := []int{0, 3, 7, 11}, []int{7, 12, 24}
	subset := func(name string, e []int) *op2.Subset { return op2.NewSubset(d.nodes, e, name) }
	profile := optest.NewDat(t, d.nodes, d.dim, optest.Some[float64](optest.NewTopology(1, 1).Random, d.dim*dirichletNodes), "profile")
	inProfile := func(e, i int) float64 { return optest.Must(profile.InDeclaredOrder())[e*d.dim+i] }
	constant := func(g float64) func(int, int) float64 { return func(int, int) float64 { return g } }

	// Node 7 is in both, and the later condition wins for the last component.
	atLeft := op2.Fix(subset("left", left), 5.0)
	bc := op2.NewDirichlet(atLeft, op2.FixTo(subset("right", right), profile).Components(last))
	d.fix(left, constant(5))
	d.fix(right, inProfile, last)
	d.assemble(t)
	optest.OK(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "at first")

	// Other values, and another right-hand side; twice.
	optest.OK(t, atLeft.Set(-2))
	optest.Run(t, d.assign, d.nodes, profile.Write(), d.source.Read())
	d.fix(left, constant(-2))
	d.fix(right, inProfile, last)
	for range 2 {
		optest.OK(t, bc.ApplyRHS(d.matrix, d.fresh(t)))
		d.check(t, "other values")
	}
	optest.OK(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "applied again")
	optest.Must(d.matrix.CSR())
	optest.OK(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "looked at")

	// A right-hand side that has been lifted is not lifted again, and takes other values.
	optest.OK(t, bc.Apply(d.matrix, d.b))
	d.check(t, "applied twice")
	optest.OK(t, atLeft.Set(7))
	d.fix(left, constant(7))
	d.fix(right, inProfile, last)
	optest.OK(t, bc.ApplyRHS(d.matrix, d.b))
	d.check(t, "other values for the same right-hand side")

	// More on top, then everything again, with another diagonal.
	d.assemble(t)
	optest.OK(t, bc.SetDiagonal(-3))
	d.want.diagonal = -3
	optest.OK(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "more on top")
	optest.OK(t, d.matrix.Zero())
	clear(d.want.a.Values)
	d.assemble(t)
	optest.OK(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "assembled anew")
	if d.dim == 2 {
		optest.Run(t, op2.Kernels(dirichletSource).Func(written2), d.edges, d.matrix.Write(d.edge2node, d.edge2node), d.v.Read())
		clear(d.want.a.Values)
		for i := range d.want.a.Cols {
			for j := range d.want.a.Cols {
				d.want.a.Values[i*d.want.a.Cols+j] = optest.Must(d.matrix.At(i, j))
			}
		}
		optest.OK(t, bc.Apply(d.matrix, d.fresh(t)))
		d.check(t, "written")
	}

	// Separate conditions, applied and lifted in any order.
	top := []int{1, 2}
	more := op2.NewDirichlet(op2.Fix(subset("top", top), 9.0))
	optest.OK(t, more.SetDiagonal(-3))
	d.fix(top, constant(9))
	optest.OK(t, bc.ApplyRHS(d.matrix, d.fresh(t)))
	optest.OK(t, more.Apply(d.matrix, d.b))
	d.check(t, "two")
	optest.OK(t, more.ApplyRHS(d.matrix, d.fresh(t)))
	optest.OK(t, bc.ApplyRHS(d.matrix, d.b))
	d.check(t, "two, the other way round")

	u := optest.NewDat[float64](t, d.nodes, d.dim, nil, "u")
	optest.OK(t, bc.ApplyTo(u))
	optest.OK(t, more.ApplyTo(u))
	want := make([]float64, d.dim*dirichletNodes)
	for i, g := range d.want.fixed {
		want[i] = g
	}
	optest.Expect(t, u, want)

	// Values that are fixed twice over are refused.
	corner := op2.NewDirichlet(op2.Fix(subset("corner", []int{2, 20}), 1.0).Components(last))
	optest.ExpectError(t, corner.Apply(d.matrix, d.fresh(t)), fmt.Sprintf("op2: mat a: component %d of element 2 of nodes is fixed by the conditions on corner and, already, by the conditions on top\n"+
		"  hint: give them to one NewDirichlet, where the later one counts", last))

	// A matrix that is assembled again forgets conditions, including unreachable ones.
	for range 3 {
		optest.OK(t, d.matrix.Zero())
		clear(d.want.a.Values)
		d.assemble(t)
		d.want.fixed, d.want.diagonal = map[int]float64{}, 1
		d.fix([]int{2, 20}, constant(1), last)
		optest.OK(t, op2.NewDirichlet(op2.Fix(subset("corner", []int{2, 20}), 1.0).Components(last)).Apply(d.matrix, d.fresh(t)))
		d.check(t, "conditions of their own in each step")
		runtime.GC()
	}

	// Other types, empty conditions and matrices.
	single := op2.NewMat[float32](d.matrix.Sparsity(), "single")
	rhs := optest.NewDat(t, d.nodes, d.dim, make([]float32, d.dim*dirichletNodes), "rhs")
	optest.OK(t, op2.NewDirichlet(op2.Fix(d.nodes, float32(4))).Apply(single, rhs))
	for i := range single.Rows() {
		if v := optest.Must(single.At(i, i)); v != 1 || optest.Must(rhs.Data())[i] != 4 {
			t.Fatalf("row %d: %v on the diagonal", i, v)
		}
	}
	none := op2.NewDirichlet(op2.Fix(subset("nobody", nil), 4.0))
	optest.OK(t, none.Apply(d.matrix, d.fresh(t)))
}
