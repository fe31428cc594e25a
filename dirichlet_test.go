package op2_test

import (
	_ "embed"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/go-op2/op2"
)

//go:embed dirichlet_test.go
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

// written2 is pair2, but sets instead of adding.
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
	a        *dense
	fixed    map[int]float64 // by the number of the value
	diagonal float64
}

func (l *lifted) matrix() *dense {
	m := &dense{l.a.cols, slices.Clone(l.a.values)}
	for i := range m.cols {
		for j := range m.cols {
			_, row := l.fixed[i]
			_, col := l.fixed[j]
			switch {
			case row && i == j:
				m.values[i*m.cols+j] = l.diagonal
			case row || col:
				m.values[i*m.cols+j] = 0
			}
		}
	}
	return m
}

func (l *lifted) rhs(b []float64) []float64 {
	b = slices.Clone(b)
	for i := range b {
		for j, g := range l.fixed {
			b[i] -= l.a.values[i*l.a.cols+j] * g
		}
	}
	for i, g := range l.fixed {
		b[i] = l.diagonal * g
	}
	return b
}

// conformDirichlet applies conditions of all kinds repeatedly. All numbers are small integers, so
// that the order of additions makes no difference.
func conformDirichlet(t *testing.T, open opener) {
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
	mesh := newTopology(n, m)
	d := &dirichletTest{edges: newSet(t, rt, n, "edges"), nodes: newSet(t, rt, m, "nodes"), dim: dim}
	d.edge2node = newMap(t, d.edges, d.nodes, 2, mesh.anywhere(2), "edge2node")
	d.v = newDat(t, d.edges, 1, some[float64](mesh.random, n), "v")
	d.matrix = op2.Must(op2.NewMat[float64](op2.Must(op2.NewSparsity([]op2.MapPair{{Rows: d.edge2node, Cols: d.edge2node}}, dim, dim, "sp")), "a"))
	d.source, d.b = newDat(t, d.nodes, dim, some[float64](mesh.random, dim*m), "source"), newDat[float64](t, d.nodes, dim, nil, "b")
	d.want = &lifted{a: &dense{dim * m, make([]float64, dim*m*dim*m)}, fixed: map[int]float64{}, diagonal: 1}
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
	run(t, k, d.edges, d.matrix.Inc(d.edge2node, d.edge2node), d.v.Read())
	nodes := d.edge2node.Values()
	for e, v := range op2.Must(d.v.InDeclaredOrder()) {
		for i := range 2 * d.dim {
			for j := range 2 * d.dim {
				r, c := int(nodes[2*e+i/d.dim])*d.dim+i%d.dim, int(nodes[2*e+j/d.dim])*d.dim+j%d.dim
				f := float64(1 + i + j)
				if d.dim == 1 {
					f = []float64{1, 2, 2, 3}[2*i+j]
				}
				d.want.a.values[r*d.want.a.cols+c] += v * f
			}
		}
	}
}

// fresh assembles b again, by a loop.
func (d *dirichletTest) fresh(t *testing.T) *op2.Dat[float64] {
	t.Helper()
	run(t, d.assign, d.nodes, d.b.Write(), d.source.Read())
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
	expectMat(t, d.matrix, d.want.matrix())
	d.checkRHS(t, what)
}

func (d *dirichletTest) checkRHS(t *testing.T, what string) {
	t.Helper()
	got := op2.Must(d.b.DataRO())
	for i, w := range d.want.rhs(op2.Must(d.source.DataRO())) {
		if got[i] != w {
			t.Fatalf("%s: b[%d] is %v, want %v", what, i, got[i], w)
		}
	}
}

func (d *dirichletTest) run(t *testing.T) {
	last := d.dim - 1
	left, right := []int{0, 3, 7, 11}, []int{7, 12, 24}
	subset := func(name string, e []int) *op2.Subset { return op2.Must(op2.NewSubset(d.nodes, e, name)) }
	profile := newDat(t, d.nodes, d.dim, some[float64](newTopology(1, 1).random, d.dim*dirichletNodes), "profile")
	inProfile := func(e, i int) float64 { return op2.Must(profile.InDeclaredOrder())[e*d.dim+i] }
	constant := func(g float64) func(int, int) float64 { return func(int, int) float64 { return g } }

	// Node 7 is in both, and the later condition wins for the last component.
	atLeft := op2.Fix(subset("left", left), 5.0)
	bc := op2.Must(op2.NewDirichlet(atLeft, op2.FixTo(subset("right", right), profile).Components(last)))
	d.fix(left, constant(5))
	d.fix(right, inProfile, last)
	d.assemble(t)
	must(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "at first")

	// Other values, and another right-hand side; twice.
	must(t, atLeft.Set(-2))
	run(t, d.assign, d.nodes, profile.Write(), d.source.Read())
	d.fix(left, constant(-2))
	d.fix(right, inProfile, last)
	for range 2 {
		must(t, bc.ApplyRHS(d.matrix, d.fresh(t)))
		d.check(t, "other values")
	}
	must(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "applied again")
	op2.Must(d.matrix.CSR())
	must(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "looked at")

	// A right-hand side that has been lifted is not lifted again, and takes other values.
	must(t, bc.Apply(d.matrix, d.b))
	d.check(t, "applied twice")
	must(t, atLeft.Set(7))
	d.fix(left, constant(7))
	d.fix(right, inProfile, last)
	must(t, bc.ApplyRHS(d.matrix, d.b))
	d.check(t, "other values for the same right-hand side")

	// More on top, then everything again, with another diagonal.
	d.assemble(t)
	must(t, bc.SetDiagonal(-3))
	d.want.diagonal = -3
	must(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "more on top")
	must(t, d.matrix.Zero())
	clear(d.want.a.values)
	d.assemble(t)
	must(t, bc.Apply(d.matrix, d.fresh(t)))
	d.check(t, "assembled anew")
	if d.dim == 2 {
		run(t, op2.Kernels(dirichletSource).Func(written2), d.edges, d.matrix.Write(d.edge2node, d.edge2node), d.v.Read())
		clear(d.want.a.values)
		for i := range d.want.a.cols {
			for j := range d.want.a.cols {
				d.want.a.values[i*d.want.a.cols+j] = op2.Must(d.matrix.At(i, j))
			}
		}
		must(t, bc.Apply(d.matrix, d.fresh(t)))
		d.check(t, "written")
	}

	// Separate conditions, applied and lifted in any order.
	top := []int{1, 2}
	more := op2.Must(op2.NewDirichlet(op2.Fix(subset("top", top), 9.0)))
	must(t, more.SetDiagonal(-3))
	d.fix(top, constant(9))
	must(t, bc.ApplyRHS(d.matrix, d.fresh(t)))
	must(t, more.Apply(d.matrix, d.b))
	d.check(t, "two")
	must(t, more.ApplyRHS(d.matrix, d.fresh(t)))
	must(t, bc.ApplyRHS(d.matrix, d.b))
	d.check(t, "two, the other way round")

	u := newDat[float64](t, d.nodes, d.dim, nil, "u")
	must(t, bc.ApplyTo(u))
	must(t, more.ApplyTo(u))
	want := make([]float64, d.dim*dirichletNodes)
	for i, g := range d.want.fixed {
		want[i] = g
	}
	expect(t, u, want)

	// Values that are fixed twice over are refused.
	corner := op2.Must(op2.NewDirichlet(op2.Fix(subset("corner", []int{2, 20}), 1.0).Components(last)))
	expectError(t, corner.Apply(d.matrix, d.fresh(t)), fmt.Sprintf("op2: mat a: component %d of element 2 of nodes is fixed by the conditions on corner and, already, by the conditions on top\n"+
		"  hint: give them to one NewDirichlet, where the later one counts", last))

	// A matrix that is assembled again forgets conditions, including unreachable ones.
	for range 3 {
		must(t, d.matrix.Zero())
		clear(d.want.a.values)
		d.assemble(t)
		d.want.fixed, d.want.diagonal = map[int]float64{}, 1
		d.fix([]int{2, 20}, constant(1), last)
		must(t, op2.Must(op2.NewDirichlet(op2.Fix(subset("corner", []int{2, 20}), 1.0).Components(last))).Apply(d.matrix, d.fresh(t)))
		d.check(t, "conditions of their own in each step")
		runtime.GC()
	}

	// Other types, empty conditions and matrices.
	single := op2.Must(op2.NewMat[float32](d.matrix.Sparsity(), "single"))
	rhs := newDat(t, d.nodes, d.dim, make([]float32, d.dim*dirichletNodes), "rhs")
	must(t, op2.Must(op2.NewDirichlet(op2.Fix(d.nodes, float32(4)))).Apply(single, rhs))
	for i := range single.Rows() {
		if v := op2.Must(single.At(i, i)); v != 1 || op2.Must(rhs.Data())[i] != 4 {
			t.Fatalf("row %d: %v on the diagonal", i, v)
		}
	}
	none := op2.Must(op2.NewDirichlet(op2.Fix(subset("nobody", nil), 4.0)))
	must(t, none.Apply(d.matrix, d.fresh(t)))
}

// Devices apply conditions where the matrices and vectors are.
func TestDirichletOnDevice(t *testing.T) {
	eachDevice(t, func(t *testing.T, open opener) {
		newDirichletTest(t, open(t, op2.WithLayout("soa")), 2).run(t)
	})
	const dim = 2
	rt, _ := openTestDevice(t)
	d := newDirichletTest(t, rt, dim)
	d.run(t)
	profile := newDat[float64](t, d.nodes, dim, nil, "profile")
	left, right := op2.Must(op2.NewSubset(d.nodes, []int{0, 4}, "left")), op2.Must(op2.NewSubset(d.nodes, []int{4, 6}, "right"))
	constant := op2.Fix(left, 3.0)
	bc := op2.Must(op2.NewDirichlet(constant, op2.FixTo(right, profile)))
	step := func() {
		must(t, constant.Set(4))
		must(t, d.matrix.Zero())
		d.assemble(t)
		run(t, d.assign, d.nodes, profile.Write(), d.source.Read())
		must(t, bc.Apply(d.matrix, d.fresh(t)))
	}
	step()
	rt.ResetStats()
	step()
	must(t, bc.ApplyTo(profile))
	moved(t, rt, "a step", op2.Transfers{ToDevice: 4, BytesToDevice: 32, ToHost: 1, BytesToHost: 16}) // the constant, the diagonal and the scale, twice; whether b is as it was left
}
