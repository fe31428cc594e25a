// Command ocean lets heat diffuse in a cylinder of water: columns of layers over a disc of triangles. Along the ground it is
// computed explicitly, with linear elements on the triangles of each level; upward implicitly, by a tridiagonal system in each
// column. The mode that it starts with is known to decay as exp(-λt).
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
)

//go:embed kernels.go
var source string

func main() {
	log.SetFlags(0)
	rings := flag.Int("n", 16, "rings of the disc, of 6n² triangles")
	layers := flag.Int("layers", 20, "layers of each column")
	steps := flag.Int("steps", 200, "time steps")
	backend := flag.String("backend", "", "go, sequential, openmp, translated, opencl, cuda or auto (default: OP2_BACKEND, or else auto)")
	flag.Parse()
	if err := run(*rings, *layers, *steps, *backend); err != nil {
		log.Fatal(err)
	}
}

func run(rings, layers, steps int, backend string) error {
	rt, err := op2.Open(op2.WithBackend(backend))
	if err != nil {
		return err
	}
	defer rt.Close()
	o, err := newOcean(rt, rings, layers)
	if err != nil {
		return err
	}
	r, err := o.run(steps)
	if err != nil {
		return err
	}
	out := rt.Output(os.Stdout)
	fmt.Fprintf(out, "%d prisms in %d columns, %d steps\n", o.cells.Size(), o.mesh.Cells.Size(), steps)
	fmt.Fprintf(out, "the mode decays to %.3f, by %.1f %% of that from the exact value\n", r.left, 100*r.wrong)
	fmt.Fprintf(out, "heat %.3f, changed by less than 1e-9: %v; mean at the bottom %.3f, at the top %.3f\n", r.heat, math.Abs(r.heat-r.before) < 1e-9, r.bottom, r.top)
	return nil
}

// ocean is water over a disc of radius 1, of height 1, with diffusivity 1.
type ocean struct {
	rt            *op2.Runtime
	mesh          *mesh.Declared
	cells, points *op2.Set // prisms, and their corners
	planes        *op2.Set // the triangles of each level
	corners, flat *op2.Map // of prisms, and of these
	t, flow       *op2.Dat[float64]
	factor        *op2.Dat[float64] // of the tridiagonal systems
	area          *op2.Dat[float64] // of the disc, by its vertices
	step          *op2.Global[float64]
	dt            float64
	levels        int
	kernels       *op2.Source
}

// radial is the first zero of the derivative of the Bessel function J0, where no heat leaves through the wall.
const radial = 3.8317059702075125

// mode is 1 and a mode of the cylinder at a point of the disc.
func mode(x []float64, height float64) float64 {
	return 1 + math.J0(radial*math.Hypot(x[0], x[1]))*math.Cos(math.Pi*height)
}

func newOcean(rt *op2.Runtime, rings, layers int) (*ocean, error) {
	disc, err := mesh.Disc(mesh.Triangle, rings, 1)
	if err != nil {
		return nil, err
	}
	d := disc.Declare(rt)
	o := &ocean{rt: rt, mesh: d, levels: layers + 1, kernels: op2.Kernels(source)}
	o.cells, o.points = op2.NewExtrudedSet(d.Cells, layers, "prisms"), op2.NewExtrudedSet(d.Nodes, o.levels, "points")
	o.planes = op2.NewExtrudedSet(d.Cells, o.levels, "planes")
	o.corners = op2.NewExtrudedMap(o.cells, o.points, d.CellNodes, []int{0, 1}, 1, "corners")
	o.flat = op2.NewExtrudedMap(o.planes, o.points, d.CellNodes, []int{0}, 1, "flat")
	height := 1 / float64(layers)
	o.dt = 0.1 / float64(rings*rings) // explicit across
	var start []float64
	for p := range disc.Nodes() {
		for l := range o.levels {
			start = append(start, mode(disc.Point(int32(p)), float64(l)*height))
		}
	}
	o.t = op2.NewDat(o.points, 1, start, "t")
	o.flow, o.factor = op2.NewDat[float64](o.points, 1, nil, "flow"), op2.NewDat[float64](o.points, 1, nil, "factor")
	o.area = op2.NewDat[float64](d.Nodes, 1, nil, "area")
	o.step = op2.NewGlobal(rt, []float64{o.dt, height}, "step")
	if err := rt.Err(); err != nil {
		return nil, err
	}
	return o, op2.ParLoop(o.kernels.Func(shape), d.Cells, d.X.Read(d.CellNodes), o.area.Inc(d.CellNodes))
}

// results are what is left of the mode after a run, by how much of the exact value that is wrong, and the heat before and after.
type results struct{ left, wrong, before, heat, bottom, top float64 }

func (o *ocean) run(steps int) (r results, err error) {
	d := o.mesh
	if r.before, err = o.heat(); err != nil {
		return r, err
	}
	acrossAll := op2.NewLoop(o.kernels.Func(across), o.planes, d.X.Read(d.CellNodes), o.t.Read(o.flat), o.flow.Inc(o.flat))
	upwardAll := op2.NewLoop(o.kernels.Func(upward), d.Nodes, o.t.RW(), o.flow.RW(), o.factor.Write(), o.area.Read(), o.step.Read())
	for range steps {
		if err := errors.Join(acrossAll.Compute(), upwardAll.Compute()); err != nil {
			return r, err
		}
	}
	var err1, err2, err3, err4 error
	r.heat, err1 = o.heat()
	r.bottom, err2 = o.mean(op2.OnBottom(o.points))
	r.top, err3 = o.mean(op2.OnTop(o.points))
	t, err4 := o.t.InDeclaredOrder()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return r, err
	}
	exact := math.Exp(-(radial*radial + math.Pi*math.Pi) * o.dt * float64(steps))
	r.left = (t[0] - 1) / (mode([]float64{0, 0}, 0) - 1) // in the middle of the disc, which is its first vertex
	r.wrong = math.Abs(r.left/exact - 1)
	return r, nil
}

// heat returns what all of the water holds.
func (o *ocean) heat() (float64, error) {
	d, total := o.mesh, op2.NewGlobal(o.rt, []float64{0}, "total")
	if err := op2.ParLoop(o.kernels.Func(heat), o.cells, d.X.Read(d.CellNodes), o.t.Read(o.corners), o.step.Read(), total.Inc()); err != nil {
		return 0, err
	}
	return total.Value()
}

// mean returns the mean temperature of a plane.
func (o *ocean) mean(over op2.IterationSet) (float64, error) {
	total, size := op2.NewGlobal(o.rt, []float64{0}, "total"), op2.NewGlobal(o.rt, []float64{0}, "size")
	if err := op2.ParLoop(o.kernels.Func(mean), over, o.t.Read(), o.area.Read(), total.Inc(), size.Inc()); err != nil {
		return 0, err
	}
	sum, err1 := total.Value()
	all, err2 := size.Value()
	return sum / all, errors.Join(err1, err2)
}
