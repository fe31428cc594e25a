// Command multigrid solves -Δu = 1 on a disc, u = 0 on its rim, by multigrid: V-cycles through meshes of which each
// divides the triangles of the one before into four. Maps connect the levels. The number of cycles does not depend on
// the number of levels, so that the time is proportional to that of unknowns.
package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
	"github.com/go-op2/op2/solver"
)

//go:embed kernels.go
var source string

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 8, "rings of triangles in the disc of the coarsest level")
	levels := flag.Int("levels", 6, "levels")
	backend := flag.String("backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.Parse()
	if err := run(*n, *levels, *backend); err != nil {
		log.Fatal(err)
	}
}

func run(n, levels int, backend string) error {
	rt, err := op2.Open(op2.WithBackend(backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	meshes, err := refined(n, levels)
	if err != nil {
		return err
	}
	fine, err := newLevels(rt, meshes)
	if err != nil {
		return err
	}
	defer fine.close()
	out := rt.Output(os.Stdout)
	fmt.Fprintf(out, "%d levels, %d unknowns on the finest, backend %s\n\n%6s %12s %8s\n", levels, fine.u.Set().Size(), rt.Backend(), "cycle", "residual", "factor")
	before, err := fine.norm()
	if err != nil {
		return err
	}
	first := before
	for cycle := 1; before > 1e-9*first; cycle++ {
		if err := fine.cycle(); err != nil {
			return err
		}
		norm, err := fine.norm()
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%6d %12.3e %8.3f\n", cycle, norm, norm/before)
		before = norm
	}
	u, err := fine.u.Gather(0)
	if err != nil || rt.Rank() != 0 {
		return err
	}
	m := meshes[levels-1]
	field := plot.Field{Mesh: plot.Mesh{XY: m.Points, Cells: m.Blocks[0].Nodes, Corners: 3}, Values: u}
	if err := plot.WriteFile("multigrid.png", field, plot.Options{Title: "-Δu = 1", Label: "u", Smooth: true}); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "picture: multigrid.png")
	return nil
}

// refined returns meshes of a disc, the coarsest first.
func refined(n, levels int) ([]*mesh.Mesh, error) {
	if levels < 1 {
		return nil, fmt.Errorf("%d levels: expected at least 1", levels)
	}
	m, err := mesh.Disc(mesh.Triangle, n, 1)
	if err != nil {
		return nil, err
	}
	all := []*mesh.Mesh{m}
	round := func(_ string, x []float64) { // new nodes of the rim lie on the circle
		r := math.Hypot(x[0], x[1])
		x[0], x[1] = x[0]/r, x[1]/r
	}
	for len(all) < levels {
		if m, err = m.Refine(round); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// level is the system of one mesh, K u = b, and the way to the next coarser one.
type level struct {
	u, b    *op2.Dat[float64]
	r, ku   *op2.Dat[float64] // the residual b - K u, and K u
	k       *op2.Mat[float64]
	sum     *op2.Global[float64] // of the squares of r
	coarser *level               // nil: this is the coarsest
	system  *solver.Solver       // of the coarsest

	assemble, relax, residual, square *op2.Loop
	restrict, clearRim, prolong       *op2.Loop // from and to the coarser level
	fixed                             *op2.Dirichlet[float64]
	d                                 *op2.Dat[float64] // the diagonal of K
}

// newLevels declares the levels of meshes, the coarsest first, assembles their systems, and returns the finest.
func newLevels(rt *op2.Runtime, meshes []*mesh.Mesh) (finest *level, err error) {
	declared, parents := make([]*mesh.Declared, len(meshes)), make([]*op2.Map, len(meshes))
	for i, m := range meshes {
		if declared[i] = m.Declare(rt); i == 0 {
			continue
		}
		if parents[i], err = newParents(declared[i].Nodes, declared[i-1].Nodes, meshes[i-1]); err != nil {
			return nil, err
		}
	}
	op2.NewConst(rt, "omega", &omega)
	if err := rt.Err(); err != nil {
		return nil, err
	}
	if err := rt.Renumber(); err != nil { // refinement puts new nodes far from those around them
		return nil, err
	}
	for i, m := range declared {
		l := newLevel(rt, m)
		if i == 0 {
			l.system = solver.New(l.k, solver.CG, solver.WithRTol(1e-10))
		} else {
			l.connect(finest, parents[i], declared[i-1])
		}
		finest = l
	}
	if err := rt.Err(); err != nil {
		return nil, err
	}
	for l := finest; l != nil; l = l.coarser {
		if err := errors.Join(l.assemble.Compute(), l.fixed.Apply(l.k, l.b), l.k.Diagonal(l.d)); err != nil {
			return nil, err
		}
	}
	return finest, nil
}

// newParents returns the map from the nodes of a mesh to those of the coarser one that it refines: each is in the
// middle of one of its edges, or is one of its nodes, with the same number, and has that twice.
func newParents(from, to *op2.Set, coarser *mesh.Mesh) (*op2.Map, error) {
	edges, err := coarser.Edges()
	if err != nil {
		return nil, err
	}
	var ends []int32
	for n := range int32(coarser.Nodes()) {
		ends = append(ends, n, n)
	}
	return op2.NewMap(from, to, 2, append(ends, edges.Nodes...), "parents"), nil
}

// newLevel declares what belongs to one mesh.
func newLevel(rt *op2.Runtime, m *mesh.Declared) *level {
	dat := func(name string) *op2.Dat[float64] { return op2.NewDat[float64](m.Nodes, 1, nil, name) }
	l := &level{u: dat("u"), b: dat("b"), r: dat("r"), ku: dat("ku"), d: dat("d"),
		k:     op2.NewMat[float64](op2.NewSquareSparsity(m.CellNodes, 1, "pattern"), "k"),
		sum:   op2.NewGlobal(rt, []float64{0}, "sum"),
		fixed: op2.NewDirichlet(op2.Fix(m.NodesOf("outer"), 0.0)),
	}
	kernels := op2.Kernels(source)
	l.assemble = op2.NewLoop(kernels.Func(triangle), m.Cells, m.X.Read(m.CellNodes), l.k.Inc(m.CellNodes, m.CellNodes), l.b.Inc(m.CellNodes))
	l.relax = op2.NewLoop(kernels.Func(relax), m.Nodes, l.u.RW(), l.b.Read(), l.ku.Read(), l.d.Read())
	l.residual = op2.NewLoop(kernels.Func(residual), m.Nodes, l.b.Read(), l.ku.Read(), l.r.Write())
	l.square = op2.NewLoop(kernels.Func(square), m.Nodes, l.r.Read(), l.sum.Inc())
	return l
}

// connect connects a level with the next coarser one, of the mesh coarse.
func (l *level) connect(coarser *level, parents *op2.Map, coarse *mesh.Declared) {
	kernels := op2.Kernels(source)
	l.coarser = coarser
	l.restrict = op2.NewLoop(kernels.Func(restrict), l.r.Set(), l.r.Read(), coarser.b.Inc(parents))
	l.clearRim = op2.NewLoop(kernels.Func(clearRim), coarse.NodesOf("outer"), coarser.b.Write())
	l.prolong = op2.NewLoop(kernels.Func(prolong), l.u.Set(), l.u.RW(), coarser.u.Read(parents))
}

// close releases the coarsest level's solver.
func (l *level) close() {
	for ; l.coarser != nil; l = l.coarser {
	}
	l.system.Close()
}

// cycle is a V-cycle: smooth, let the coarser level correct what is smooth, smooth again.
func (l *level) cycle() error {
	if l.coarser == nil {
		_, err := l.system.Solve(l.u, l.b)
		return err
	}
	if err := l.smooth(); err != nil {
		return err
	}
	if err := l.computeResidual(); err != nil {
		return err
	}
	if err := errors.Join(l.coarser.b.Zero(), l.restrict.Compute(), l.clearRim.Compute(), l.coarser.u.Zero()); err != nil {
		return err
	}
	if err := l.coarser.cycle(); err != nil {
		return err
	}
	if err := l.prolong.Compute(); err != nil {
		return err
	}
	return l.smooth()
}

// smooth reduces the parts of the error that the coarser level cannot represent.
func (l *level) smooth() error {
	for range 2 {
		if err := errors.Join(l.k.Mul(l.ku, l.u), l.relax.Compute()); err != nil {
			return err
		}
	}
	return nil
}

func (l *level) computeResidual() error {
	return errors.Join(l.k.Mul(l.ku, l.u), l.residual.Compute())
}

// norm returns the norm of the residual.
func (l *level) norm() (float64, error) {
	if err := errors.Join(l.computeResidual(), l.sum.Set(0), l.square.Compute()); err != nil {
		return 0, err
	}
	sum, err := l.sum.Value()
	return math.Sqrt(sum), err
}
