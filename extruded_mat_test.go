package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

//go:embed extruded_mat_kernels_test.go
var extrudedMatSource string

// dense is a matrix with all its values, to compare with.
type dense struct {
	cols   int
	values []float64
}

func newDense(rows, cols int) *dense { return &dense{cols, make([]float64, rows*cols)} }

func (d *dense) at(i, j int) *float64 { return &d.values[i*d.cols+j] }

// inc adds a local matrix in rows and columns.
func (d *dense) inc(rows, cols []int, local func(i, j int) float64) {
	for i, r := range rows {
		for j, c := range cols {
			*d.at(r, c) += local(i, j)
		}
	}
}

// mul returns the product with x.
func (d *dense) mul(x []float64) []float64 {
	y := make([]float64, len(d.values)/max(1, d.cols))
	for i := range y {
		for j, v := range x {
			y[i] += *d.at(i, j) * v
		}
	}
	return y
}

// is returns an error unless a matrix has the values.
func (d *dense) is(m *op2.Mat[float64]) error {
	got, err := m.Values()
	if err != nil || slices.Equal(got, d.values) {
		return err
	}
	for i, v := range got {
		if v != d.values[i] {
			return fmt.Errorf("mat %s has %g in row %d and column %d, want %g", m.Name(), v, i/d.cols, i%d.cols, d.values[i])
		}
	}
	return fmt.Errorf("mat %s has %d values, want %d", m.Name(), len(got), len(d.values))
}

// extrudedMats is a program that assembles matrices over columns of layers, and compares them with what plain loops sum up.
type extrudedMats struct {
	extruded
	inOrder bool // the runtime is reproducible on ranks, which do not multiply by transposed matrices
}

func (c extrudedMats) run(rt *op2.Runtime) error {
	random := rand.New(rand.NewPCG(uint64(c.columns), 11))
	n, layers, levels := c.columns, c.layers, c.layers+1
	var corner []int
	for range n {
		corner = append(corner, random.Perm(c.points)[:3]...)
	}
	numbers := func(n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(random.IntN(9) - 4)
		}
		return values
	}
	bounds := make([]int, 2*n)
	for e := range n {
		a, b := 0, layers
		if c.varying && e%5 > 0 {
			a, b = random.IntN(layers+1), random.IntN(layers+1)
		}
		bounds[2*e], bounds[2*e+1] = min(a, b), max(a, b)
	}
	reached := op2.ReachedLevels(bounds, corner, c.points, []int{0, 1}, 1)
	qs, xs, us := numbers(n*layers), numbers(c.points*levels), numbers(c.points*levels)
	if c.varying {
		clearAbsent(qs, bounds, 1)
		clearAbsent(xs, reached, 1)
	}
	var some, coast []int
	for e := range n {
		if random.IntN(3) > 0 {
			some = append(some, e)
		}
	}
	for p := 0; p < c.points; p += 4 {
		coast = append(coast, p)
	}

	newSet, e0, e1, p0, p1 := rt.NewSet, 0, n, 0, c.points
	if c.shares {
		newSet = rt.NewSetShare
		e0, e1, p0, p1 = n*rt.Rank()/rt.Ranks(), n*(rt.Rank()+1)/rt.Ranks(), c.points*rt.Rank()/rt.Ranks(), c.points*(rt.Rank()+1)/rt.Ranks()
	}
	among := func(list []int, first, last int) []int {
		return slices.DeleteFunc(slices.Clone(list), func(e int) bool { return e < first || e >= last })
	}
	own := make([]int, 0, e1-e0)
	for e := e0; e < e1; e++ {
		own = append(own, e)
	}
	base, vertices := newSet(e1-e0, "base"), newSet(p1-p0, "vertices")
	triangle, itself := op2.NewMap(base, vertices, 3, corner[3*e0:3*e1], "triangle"), op2.NewMap(base, base, 1, own, "itself")
	part, shore := op2.NewSubset(base, among(some, e0, e1), "part"), op2.NewSubset(vertices, among(coast, p0, p1), "shore")
	cells, points := op2.NewExtrudedSet(base, layers, "cells"), op2.NewExtrudedSet(vertices, levels, "points")
	if c.varying {
		cells = op2.NewVaryingExtrudedSet(base, layers, bounds[2*e0:2*e1], "cells")
		points = op2.NewVaryingExtrudedSet(vertices, levels, reached[2*p0:2*p1], "points")
	}
	corners, self := op2.NewExtrudedMap(cells, points, triangle, []int{0, 1}, 1, "corners"), op2.NewExtrudedMap(cells, cells, nil, []int{0}, 1, "self")
	wide, above := op2.NewExtrudedMap(cells, points, triangle, []int{0, 1, 2}, 1, "wide"), op2.NewExtrudedMap(cells, cells, nil, []int{0, 1}, 1, "above")
	both, reach := op2.NewMixedMap([]*op2.Map{corners, self}, "both"), op2.NewMixedMap([]*op2.Map{wide, above}, "reach")
	q, x, u := op2.NewDat(cells, 1, qs[e0*layers:e1*layers], "q"), op2.NewDat(points, 1, xs[p0*levels:p1*levels], "x"), op2.NewDat(points, 1, us[p0*levels:p1*levels], "u")
	y, z := op2.NewDat[float64](points, 1, nil, "y"), op2.NewDat[float64](cells, 1, nil, "z")
	work := make([]float64, e1-e0)
	for i := range work {
		work[i] = math.Pow(float64(e0+i), 4)
	}
	weights := op2.NewDat(base, 1, work, "weights")
	if err := rt.Err(); err != nil {
		return err
	}
	if c.renumber {
		if err := rt.Renumber(); err != nil {
			return err
		}
	}
	pairs := func(rows, cols op2.MatMap) []op2.MapPair { return []op2.MapPair{{Rows: rows, Cols: cols}} }
	a := op2.NewMat[float64](op2.NewSquareSparsity(wide, 1, "a"), "a")
	last := op2.NewMat[float64](op2.NewSquareSparsity(corners, 1, "last"), "last")
	b := op2.NewMat[float64](op2.NewSparsity(pairs(corners, self), 2, 1, "b"), "b")
	column := op2.NewMat[float64](op2.NewSparsity(pairs(self, itself), 1, 1, "column"), "column")
	ground := op2.NewMat[float64](op2.NewSparsity(pairs(self, triangle), 1, 1, "ground"), "ground")
	m := op2.NewMat[float64](op2.NewSquareSparsity(reach, []int{1, 1}, "m"), "m")
	if err := rt.Err(); err != nil {
		return err
	}
	k := op2.Kernels(extrudedMatSource)
	loops := []*op2.Loop{
		op2.NewLoop(k.Func(ofCell), cells, q.Read(), a.Inc(corners, corners)),
		op2.NewLoop(k.Func(ofNumber), cells, op2.Index(), last.Write(corners, corners)),
		op2.NewLoop(k.Func(ofPairs), cells, q.Read(), b.Inc(corners, self)),
		op2.NewLoop(k.Func(ofCell), op2.OnBottom(cells), q.Read(), a.Inc(corners, corners)),
		op2.NewLoop(k.Func(ofCell), op2.OnTop(op2.OnColumns(cells, part)), q.Read(), a.Inc(corners, corners)),
		op2.NewLoop(k.Func(ofNumber), op2.OnTop(op2.OnColumns(cells, part)), op2.Index(), last.Write(corners, corners)),
		op2.NewLoop(k.Func(ofFacet), op2.OnInteriorFacets(cells), q.Read(), a.Inc(corners, corners)),
		op2.NewLoop(k.Func(ofColumn), cells, q.Read(), column.Inc(self, itself), ground.Inc(self, triangle)),
		op2.NewLoop(k.Func(ofBoth), cells, q.Read(), m.Inc(both, both)),
		op2.NewLoop(k.Func(ofBothFacets), op2.OnInteriorFacets(cells), q.Read(), m.Inc(both, both)),
	}
	if c.chain {
		if err := op2.NewChain(loops...).Compute(); err != nil {
			return err
		}
		loops = nil
	}
	for i, l := range loops {
		if i == 3 && c.restart != "" {
			if err := rt.Checkpoint(c.restart); err != nil {
				return err
			}
		}
		if i == 3 && c.rebalance {
			if r, err := rt.Rebalance(weights); err != nil || n > 0 && r.Moved == 0 {
				return fmt.Errorf("rebalanced: %+v, %v", r, err)
			}
		}
		if err := l.Compute(); err != nil {
			return err
		}
	}

	np, nc := c.points*levels, n*layers
	wantA, wantLast, wantB := newDense(np, np), newDense(np, np), newDense(2*np, nc)
	wantColumn, wantGround, wantM := newDense(nc, n), newDense(nc, c.points), newDense(np+nc, np+nc)
	isPart := map[int]bool{}
	for _, e := range some {
		isPart[e] = true
	}
	for e := range n {
		bottom, top := bounds[2*e], bounds[2*e+1]
		for l := bottom; l < top; l++ {
			at, cell := make([]int, 6), e*layers+l
			for i := range at {
				at[i] = corner[3*e+i%3]*levels + l + i/3
			}
			v := qs[cell]
			for _, run := range []bool{true, l == bottom, l == top-1 && isPart[e]} {
				if run {
					wantA.inc(at, at, func(i, j int) float64 { return v*float64(i+1) + float64(j*j) })
				}
			}
			for i := range 36 {
				*wantLast.at(at[i/6], at[i%6]) = float64(cell*36 + i)
			}
			for i, p := range at {
				*wantB.at(2*p, cell) += float64(2*i) - v
				*wantB.at(2*p+1, cell) += float64(2*i+1) - v
			}
			*wantColumn.at(cell, e) += v
			for i, p := range corner[3*e : 3*e+3] {
				*wantGround.at(cell, p) += v + float64(i)
			}
			all := append(slices.Clone(at), np+cell)
			wantM.inc(all, all, func(i, j int) float64 { return v + float64(7*i-j) })
			if l == top-1 {
				continue
			}
			for _, p := range at {
				at = append(at, p+1)
			}
			w := []float64{v, qs[cell+1]}
			wantA.inc(at, at, func(i, j int) float64 { return w[i/6] - float64(i)*w[j/6] })
			all = append(slices.Clone(at), np+cell, np+cell+1)
			wantM.inc(all, all, func(i, j int) float64 { return w[0] + 2*w[1] + float64(14*i-j) })
		}
	}
	for _, e := range some { // which write once more
		if l := bounds[2*e+1] - 1; l >= bounds[2*e] {
			for i := range 36 {
				at := func(i int) int { return corner[3*e+i%3]*levels + l + i/3 }
				*wantLast.at(at(i/6), at(i%6)) = float64((e*layers+l)*36 + i)
			}
		}
	}
	err := errors.Join(wantA.is(a), wantLast.is(last), wantB.is(b), wantColumn.is(column), wantGround.is(ground), wantM.is(m))
	if err != nil {
		return err
	}

	// Products, with vectors on the layers.
	if err := errors.Join(a.Mul(y, x), same(y, wantA.mul(xs))); err != nil {
		return err
	}
	wantZ := make([]float64, nc)
	for j := range nc {
		for i := range np {
			wantZ[j] += *wantB.at(2*i, j) * xs[i]
		}
	}
	if x2 := op2.NewDat[float64](points, 2, nil, "x2"); !c.inOrder {
		if err := errors.Join(x2.Component(0).Copy(x), b.MulTranspose(z, x2), same(z, wantZ)); err != nil {
			return err
		}
	}

	// Rows set to zero, and conditions on levels, columns and both.
	bottoms, surface := make([]bool, np), make([]bool, np)
	onShore := make([]bool, np)
	for p := range c.points {
		if low, high := reached[2*p], reached[2*p+1]; !c.varying || low < high {
			if !c.varying {
				low, high = 0, levels
			}
			bottoms[p*levels+low], surface[p*levels+high-1] = true, true
			for l := low; l < high; l++ {
				onShore[p*levels+l] = p%4 == 0
			}
		}
	}
	conditions := op2.NewDirichlet(op2.FixTo(op2.OnColumns(points, shore), u), op2.Fix(op2.OnTop(points), 3.0))
	if err := errors.Join(conditions.Err(), conditions.Apply(a, y), last.ZeroRows(op2.OnBottom(points), 2)); err != nil {
		return err
	}
	if c.rebalance { // what was taken out of the matrix moves, too
		even := op2.NewDat(base, 1, slices.Repeat([]float64{1}, e1-e0), "even")
		r, err := rt.Rebalance(even)
		if err := errors.Join(err, conditions.ApplyRHS(a, y)); err != nil || r.Moved == 0 {
			return fmt.Errorf("rebalanced once more: %+v, %v", r, err)
		}
	}
	fixed := make([]float64, np)
	wantY := wantA.mul(xs)
	isFixed := func(p int) bool { return onShore[p] || surface[p] }
	for p := range np {
		if fixed[p] = us[p]; surface[p] {
			fixed[p] = 3
		}
	}
	for i := range np {
		for j := range np {
			switch v := wantA.at(i, j); {
			case isFixed(i) && i == j:
				*v = 1
			case isFixed(i):
				*v = 0
			case isFixed(j):
				wantY[i] -= *v * fixed[j]
				*v = 0
			}
			if bottoms[i] {
				*wantLast.at(i, j) = 0
			}
		}
		if isFixed(i) {
			wantY[i] = fixed[i]
		}
		if bottoms[i] {
			*wantLast.at(i, i) = 2
		}
	}
	return errors.Join(wantA.is(a), same(y, wantY), wantLast.is(last))
}

// extrudedMatShapes are those of the meshes of tests of matrices.
var extrudedMatShapes = []extruded{
	{columns: 45, points: 30, layers: 5},
	{columns: 0, points: 0, layers: 3},
	{columns: 8, points: 7, layers: 1},
	{columns: 3, points: 5, layers: 70},
}

// Matrices over columns of layers on the backends of the host, alone and on ranks.
func TestExtrudedMats(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct {
		name    string
		program extrudedMats
		shapes  int // of extrudedMatShapes
		ranks   int
		options []op2.Option
	}{
		{"go", extrudedMats{}, 4, 1, []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}},
		{"go, varying", extrudedMats{extruded: extruded{varying: true}}, 4, 1, []op2.Option{op2.WithBackend("go"), op2.WithThreads(3), op2.WithBlockSize(4)}},
		{"go on ranks, varying, renumbered", extrudedMats{extruded: extruded{varying: true, renumber: true}}, 4, 3, []op2.Option{op2.WithBackend("go")}},
		{"sequential", extrudedMats{}, 4, 1, []op2.Option{op2.WithBackend("sequential")}},
		{"sequential on ranks, varying", extrudedMats{extruded: extruded{varying: true}}, 2, 4, []op2.Option{op2.WithBackend("sequential"), op2.WithHaloDepth(2)}},
		{"openmp, varying, renumbered", extrudedMats{extruded: extruded{varying: true, renumber: true}}, 4, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithBlockSize(4)}},
		{"in a chain", extrudedMats{extruded: extruded{chain: true}}, 2, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithChains(op2.Fuse)}},
		{"shares", extrudedMats{extruded: extruded{varying: true, shares: true}}, 2, 3, []op2.Option{op2.WithBackend("go")}},
		{"rebalanced", extrudedMats{extruded: extruded{varying: true, rebalance: true}}, 1, 3, []op2.Option{op2.WithBackend("go")}},
		{"lazy", extrudedMats{}, 2, 1, []op2.Option{op2.WithBackend("go"), op2.WithLazy(true)}},
		{"reproducible", extrudedMats{extruded: extruded{varying: true}, inOrder: true}, 2, 3, []op2.Option{op2.WithBackend("go"), op2.WithSameBits(true), op2.WithThreads(2)}},
		{"checkpoint", extrudedMats{extruded: extruded{varying: true, restart: folder}}, 1, 1, []op2.Option{op2.WithBackend("go")}},
		{"restart", extrudedMats{extruded: extruded{varying: true, restart: folder, renumber: true}}, 1, 3, []op2.Option{op2.WithBackend("go"), op2.WithRestart(folder)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, shape := range extrudedMatShapes[:test.shapes] {
				program := test.program
				program.columns, program.points, program.layers = shape.columns, shape.points, shape.layers
				if err := optest.OnRanks(test.ranks, program.run, append(test.options, op2.WithLog(nil))...); err != nil {
					t.Errorf("%+v: %v", program, err)
				}
			}
		})
	}
}

// The same on devices.
func TestExtrudedMatsOnDevices(t *testing.T) {
	optest.NotShort(t)
	eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
		for i, options := range [][]op2.Option{nil, {op2.WithStrategy(op2.GlobalColor), op2.WithLayout(op2.SoA)}} {
			program := extrudedMats{extruded: extrudedMatShapes[0]}
			program.varying, program.renumber = i != 1, i == 1
			if err := program.run(open(t, options...)); err != nil {
				t.Errorf("%+v: %v", program, err)
			}
		}
	})
}

// Steady diffusion through a block of prisms under a sloping surface. A temperature that is linear in space solves it, and
// finite elements find it again, from its values on the boundary.
func TestExtrudedDiffusion(t *testing.T) {
	program := func(rt *op2.Runtime, varying bool, options ...solver.Option) error {
		const layers, levels = 4, 5
		flat := optest.Must(mesh.Rectangle(mesh.Triangle, 5, 4, 2, 1))
		n, triangles := flat.Nodes(), flat.CellBlocks()[0].Nodes
		columns := len(triangles) / 3
		var shore, corner, bounds []int
		xs, exact, ends := make([]float64, 0, 3*n*levels), make([]float64, 0, n*levels), make([]float64, n*levels)
		for p := range n {
			at := flat.Point(int32(p))
			if at[0] == 0 || at[0] == 2 || at[1] == 0 || at[1] == 1 {
				shore = append(shore, p)
			}
			for l := range levels {
				z := float64(l) / layers * (1 + at[0]/4 - at[1]/8)
				xs, exact = append(xs, at[0], at[1], z), append(exact, 1+2*at[0]-at[1]+3*z)
			}
		}
		for _, p := range triangles {
			corner = append(corner, int(p))
		}
		for e := range columns {
			bounds = append(bounds, 0, layers)
			if varying && e == 9 { // which has a lid below
				bounds[2*e] = 2
			}
		}
		base, vertices := rt.NewSet(columns, "base"), rt.NewSet(n, "vertices")
		reached := op2.ReachedLevels(bounds, corner, n, []int{0, 1}, 1)
		cells, points := op2.NewVaryingExtrudedSet(base, layers, bounds, "cells"), op2.NewVaryingExtrudedSet(vertices, levels, reached, "points")
		corners := op2.NewExtrudedMap(cells, points, op2.NewMap(base, vertices, 3, corner, "triangle"), []int{0, 1}, 1, "corners")
		coast := op2.NewSubset(vertices, shore, "coast")
		x, u := op2.NewDat(points, 3, xs, "x"), op2.NewDat(points, 1, exact, "u")
		b, got := op2.NewDat[float64](points, 1, nil, "b"), op2.NewDat[float64](points, 1, nil, "got")
		k := op2.NewMat[float64](op2.NewSquareSparsity(corners, 1, "pattern"), "k")
		if err := rt.Err(); err != nil {
			return err
		}
		if err := op2.ParLoop(op2.Kernels(extrudedMatSource).Func(conduct), cells, x.Read(corners), k.Inc(corners, corners)); err != nil {
			return err
		}
		if varying { // of some other temperature, with all values free: rows of levels that are not there need a diagonal
			for i := range ends {
				if l := i % levels; l < reached[2*(i/levels)] || l >= reached[2*(i/levels)+1] {
					ends[i] = 1
				}
			}
			absent := op2.NewDat[float64](points, 1, nil, "absent")
			if err := errors.Join(absent.SetInDeclaredOrder(ends), k.AddToDiagonal(absent), k.AddToDiagonal(u), k.Mul(b, u)); err != nil {
				return err
			}
		} else {
			conditions := op2.NewDirichlet(op2.FixTo(op2.OnColumns(points, coast), u), op2.FixTo(op2.OnBottom(points), u), op2.FixTo(op2.OnTop(points), u))
			if err := conditions.Apply(k, b); err != nil {
				return err
			}
		}
		s := solver.New(k, append(options, solver.WithRTol(1e-13))...)
		if _, err := s.Solve(got, b); err != nil {
			return err
		}
		values, err := got.InDeclaredOrder()
		want, err2 := u.InDeclaredOrder()
		for i, v := range values {
			if math.Abs(v-want[i]) > 1e-10 {
				return errors.Join(err, err2, fmt.Errorf("point %d is %g, want %g", i, v, want[i]))
			}
		}
		return errors.Join(err, err2)
	}
	for _, test := range []struct {
		backend string
		ranks   int
		options []solver.Option
	}{
		{"go", 1, []solver.Option{solver.CG, solver.Jacobi}},
		{"sequential", 3, []solver.Option{solver.CG, solver.ILU}},
		{"openmp", 2, []solver.Option{solver.GMRES, solver.SSOR}},
	} {
		for _, varying := range []bool{false, true} {
			err := optest.OnRanks(test.ranks, func(rt *op2.Runtime) error { return program(rt, varying, test.options...) }, op2.WithBackend(test.backend), op2.WithLog(nil))
			if err != nil {
				t.Errorf("%s, varying %v: %v", test.backend, varying, err)
			}
		}
	}
	rt := optest.OpenPETSc(t)
	for _, preconditioner := range []solver.Preconditioner{"cholesky", "gamg"} {
		optest.OK(t, program(rt, false, solver.PETSc, preconditioner))
	}
}

// Matrices of whole columns, on the base set, take dats on columns as vectors.
func TestWholeColumnMats(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	base := rt.NewSet(2, "base")
	itself, cells := op2.NewMap(base, base, 1, []int{0, 1}, "itself"), op2.NewExtrudedSet(base, 3, "cells")
	a := op2.NewMat[float64](op2.NewSquareSparsity(itself, 3, "columns"), "a")
	x, y := op2.NewDat(cells, 1, []float64{1, 2, 3, 4, 5, 6}, "x"), op2.NewDat[float64](cells, 1, nil, "y")
	all := op2.NewDirichlet(op2.FixTo(base, x))
	optest.OK(t, errors.Join(rt.Err(), all.Err(), op2.ParLoop(op2.Kernels(extrudedMatSource).Func(inColumn), base, a.Inc(itself, itself))))
	optest.OK(t, errors.Join(a.Mul(y, x), same(y, []float64{10, 14, 18, 31, 35, 39})))
	solved := op2.NewDat[float64](cells, 1, nil, "solved")
	_, err := solver.New(a, solver.CG).Solve(solved, y)
	optest.OK(t, errors.Join(err, solved.AXPY(-1, x)))
	if n := optest.Must(solved.Norm()); n > 1e-4 {
		t.Errorf("the solution is %g off", n)
	}
	optest.OK(t, errors.Join(all.ApplyTo(y), same(y, []float64{1, 2, 3, 4, 5, 6}), y.Fill(0), all.Apply(a, y), same(y, []float64{1, 2, 3, 4, 5, 6})))
}

// Vectors on columns stay on devices between the loops of an operator and the arithmetic of its solver.
func TestExtrudedSolvesStayOnDevices(t *testing.T) {
	eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
		rt := open(t, op2.WithLayout(op2.SoA))
		cells := op2.NewExtrudedSet(rt.NewSet(50, "base"), 6, "cells")
		k := op2.Kernels(extrudedSource)
		a := solver.NewOperator(cells, 1, func(y, x *op2.Dat[float64]) error {
			return errors.Join(op2.ParLoop(k.Func(triple), cells, x.Read(), y.Write()), op2.ParLoop(k.Func(couple), op2.OnInteriorFacets(cells), x.Read(), y.Inc()))
		}, nil, "a")
		x, b := op2.NewDat[float64](cells, 1, nil, "x"), op2.NewDat(cells, 1, slices.Repeat([]float64{1, 2, 5}, 100), "b")
		optest.OK(t, errors.Join(rt.Err(), a.Err()))
		s := solver.New(a, solver.None)
		for range 2 {
			rt.ResetStats()
			c, err := s.Solve(x, b)
			optest.OK(t, err)
			if moved := rt.Transfers(); moved.BytesToHost > int64(64+32*c.Iterations) {
				t.Errorf("%d iterations moved %+v", c.Iterations, moved)
			}
			optest.OK(t, op2.ParLoop(k.Func(triple), cells, x.Read(), b.Write()))
		}
	})
}
