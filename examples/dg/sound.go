package main

import (
	_ "embed"
	"errors"
	"math"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed basis.go
var basisSource string

//go:embed fields.go
var fieldsSource string

//go:embed degree2.go
var degree2Source string

//go:embed degree3.go
var degree3Source string

// kernels are the loops' functions for one degree.
type kernels struct {
	modes                                                            int
	project, volume, flux, wall, update, difference, account, sample any
}

var ofDegree = map[int]kernels{
	2: {modes2, project2, volume2, flux2, wall2, update2, difference2, account2, sample2},
	3: {modes3, project3, volume3, flux3, wall3, update3, difference3, account3, sample3},
}

// A step in time has five stages, each of which uses carry and gain of its own. Order 4 with two
// copies of the unknowns: M. H. Carpenter, C. A. Kennedy, NASA TM 109112 (1994).
var (
	carries = [5]float64{0, -567301805773. / 1357537059087, -2404267990393. / 2016746695238,
		-3550918686646. / 2091501179385, -1275806237668. / 842570457699}
	gains = [5]float64{1432997174477. / 9575080441755, 5161836677717. / 13612068292357,
		1720146321549. / 2090206949498, 3134564353537. / 4481467310338, 2277821191437. / 14882151754819}
)

// sound is pressure and velocity of the air in a closed room, where the speed of sound and the density
// are 1. In each cell they are polynomials, which need not agree at the edges.
type sound struct {
	rt      *op2.Runtime
	cells   *op2.Set
	x       func() op2.Arg // the corners of a cell
	inverse *op2.Dat[float64]
	values  *op2.Dat[float64] // at 16 points of each cell: see fields.go
	u       *op2.Dat[float64]
	size    float64    // the smallest diameter of a circle inscribed in a cell
	stage   *op2.Chain // of a step in time

	source *op2.Source
	k      kernels
	degree int
}

// newSound declares a room of triangles in the runtime. The polynomials have degree 2 or 3.
func newSound(rt *op2.Runtime, m *mesh.Mesh, degree int) (*sound, error) {
	k := ofDegree[degree]
	op2.NewConst(rt, "slopeR", &slopeR)
	op2.NewConst(rt, "slopeS", &slopeS)
	op2.NewConst(rt, "now", &now)
	op2.NewConst(rt, "timeStep", &timeStep)
	op2.NewConst(rt, "carry", &carry)
	op2.NewConst(rt, "gain", &gain)
	room := m.Declare(rt, mesh.WithEdges())
	cells := room.Cells
	dim := 3 * k.modes
	inverse := op2.NewDat[float64](cells, 6, nil, "inverse")
	values := op2.NewDat[float64](cells, 48, nil, "values")
	u := op2.NewDat[float64](cells, dim, nil, "u")
	du := op2.NewDat[float64](cells, dim, nil, "du")
	stage := op2.NewDat[float64](cells, dim, nil, "stage")
	smallest := op2.NewGlobal(rt, []float64{math.Inf(1)}, "smallest")

	source := op2.Kernels(basisSource, fieldsSource, degree2Source, degree3Source)
	left, right, inside := room.EdgeCells.At(0), room.EdgeCells.At(1), room.BedgeCell
	volume := op2.NewLoop(source.Func(k.volume).With(op2.WithSIMD(op2.On)), cells, inverse.Read(), u.Read(), du.Write())
	flux := op2.NewLoop(source.Func(k.flux), room.Edges, room.X.Read(room.EdgeNodes),
		inverse.Read(left), inverse.Read(right), u.Read(left), u.Read(right), du.Inc(left), du.Inc(right))
	wall := op2.NewLoop(source.Func(k.wall), room.Bedges, room.X.Read(room.BedgeNodes), inverse.Read(inside), u.Read(inside), du.Inc(inside))
	update := op2.NewLoop(source.Func(k.update), cells, inverse.Read(), du.Read(), stage.RW(), u.RW())
	s := &sound{rt: rt, cells: cells, inverse: inverse, values: values, u: u, source: source, k: k, degree: degree,
		x: func() op2.Arg { return room.X.Read(room.CellNodes) }}
	s.stage = op2.NewChain(volume, flux, wall, update)
	if err := rt.Err(); err != nil {
		return nil, err
	}
	if err := op2.ParLoop(source.Func(invert), cells, s.x(), inverse.Write()); err != nil {
		return nil, err
	}
	if err := op2.ParLoop(source.Func(size), cells, s.x(), smallest.Min()); err != nil {
		return nil, err
	}
	var err error
	s.size, err = smallest.Value()
	return s, err
}

// set sets pressure and velocity to the polynomials next to what a kernel computes at the points.
func (s *sound) set(field any) error {
	if err := op2.ParLoop(s.source.Func(field), s.cells, s.x(), s.values.Write()); err != nil {
		return err
	}
	return op2.ParLoop(s.source.Func(s.k.project), s.cells, s.values.Read(), s.u.Write())
}

// advance lets time pass, in steps as long as is stable, and returns their number.
func (s *sound) advance(time float64) (steps int, err error) {
	longest := 0.9 * s.size / float64(2*s.degree+1)
	steps = int(math.Ceil(time / longest))
	timeStep = time / float64(steps)
	for range steps {
		for i := range carries {
			carry, gain = carries[i], gains[i]
			if err := s.stage.Compute(); err != nil {
				return 0, err
			}
		}
	}
	return steps, nil
}

// distance returns the norm in L2 of the difference from what a kernel computes at the points.
func (s *sound) distance(field any) (float64, error) {
	sum := op2.NewGlobal(s.rt, []float64{0}, "square")
	if err := op2.ParLoop(s.source.Func(field), s.cells, s.x(), s.values.Write()); err != nil {
		return 0, err
	}
	if err := op2.ParLoop(s.source.Func(s.k.difference), s.cells, s.inverse.Read(), s.u.Read(), s.values.Read(), sum.Inc()); err != nil {
		return 0, err
	}
	square, err := sum.Value()
	return math.Sqrt(square), err
}

// account returns the integral of the pressure, and the energy.
func (s *sound) account() (pressure, energy float64, err error) {
	p, e := op2.NewGlobal(s.rt, []float64{0}, "pressure"), op2.NewGlobal(s.rt, []float64{0}, "energy")
	if err := op2.ParLoop(s.source.Func(s.k.account), s.cells, s.inverse.Read(), s.u.Read(), p.Inc(), e.Inc()); err != nil {
		return 0, 0, err
	}
	pressure, err1 := p.Value()
	energy, err2 := e.Value()
	return pressure, energy, errors.Join(err1, err2)
}
