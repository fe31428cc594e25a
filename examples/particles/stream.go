package main

import (
	_ "embed"
	"math/rand/v2"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/mesh"
)

//go:embed kernels.go
var source string

// The domain is a channel above the wall y = 0. Particles enter where |x| < inlet on top, and leave at both ends.
const (
	length, height = 4.0, 1.0
	inlet          = 0.4
)

// stream is particles in a flow.
type stream struct {
	*pool
	number   *op2.Dat[int32] // of particles in each cell
	onTheWay *op2.Global[int32]
	doors    []door
	random   *rand.Rand
	step     int32
	born     int32

	shape             *op2.Dat[cell]
	move, walk, count *op2.Kernel
}

// door is an edge of a cell at which particles are born.
type door struct {
	cell int32
	a, b []float64 // its ends
}

// domain returns a mesh of the channel, of n by 4n squares of two triangles each.
func domain(n int) (*mesh.Mesh, error) {
	m, err := mesh.Rectangle(mesh.Triangle, 4*n, n, length, height)
	if err != nil {
		return nil, err
	}
	for i := range m.Nodes() {
		m.Point(int32(i))[0] -= length / 2
	}
	return m, m.Mark("inlet", func(x []float64) bool { return x[1] == height && x[0] > -inlet && x[0] < inlet })
}

// newStream declares the mesh, the flow, and room for that many particles on each rank.
func newStream(rt *op2.Runtime, channel *mesh.Mesh, room int) (*stream, error) {
	facets, err := channel.Facets()
	if err != nil {
		return nil, err
	}
	m := channel.Declare(rt, mesh.KeepOrder()) // slots, too, stay in the order that the program gives them
	v := op2.NewDat[float64](m.Nodes, 2, nil, "v")
	s := &stream{
		random:   seeded(),
		number:   op2.NewDat[int32](m.Cells, 1, nil, "number"),
		onTheWay: op2.NewGlobal(rt, []int32{0}, "on the way"),
		shape:    op2.NewDat(m.Cells, 1, neighbors(facets), "shape"),
	}
	if s.doors, err = doorsOf(channel, facets); err != nil {
		return nil, err
	}
	op2.NewConst(rt, "dt", &dt)
	op2.NewConst(rt, "spread", &spread)
	if s.pool, err = newPool(rt, m.Cells, room); err != nil {
		return nil, err
	}
	if err := rt.Err(); err != nil {
		return nil, err
	}
	kernels := op2.Kernels(source)
	s.move, s.walk, s.count = kernels.Func(move), kernels.Func(walk), kernels.Func(count)
	if err := op2.ParLoop(kernels.Func(jet), m.Nodes, m.X.Read(), v.Write()); err != nil {
		return nil, err
	}
	return s, op2.ParLoop(kernels.Func(collect), m.Cells, m.X.Read(m.CellNodes), v.Read(m.CellNodes), s.shape.RW())
}

// neighbors returns the cells of a mesh of triangles, with the cell across each side.
func neighbors(f *mesh.Facets) []cell {
	cells := make([]cell, len(f.Cells[0])/3)
	for i, side := range f.Cells[0] {
		next := int32(-1)
		if side := int(side); side < f.Interior.Len() {
			next = f.Interior.Cells[2*side] + f.Interior.Cells[2*side+1] - int32(i/3)
		}
		cells[i/3].Next[(i+2)%3] = next // side 0 is from corner 0 to 1, opposite to corner 2
	}
	return cells
}

// doorsOf returns the edges of the group "inlet".
func doorsOf(m *mesh.Mesh, f *mesh.Facets) ([]door, error) {
	_, edges, err := f.Group(m.Group("inlet"))
	var doors []door
	for _, e := range edges {
		ends := f.Boundary.Blocks[0].Element(int(e))
		doors = append(doors, door{f.Boundary.Cells[e], m.Point(ends[0]), m.Point(ends[1])})
	}
	return doors, err
}

// seeded returns the source of the places where particles are born, the same on all ranks.
func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// births returns new particles, n at each door.
func (s *stream) births(n int) []particle {
	var births []particle
	for _, d := range s.doors {
		for range n {
			t := s.random.Float64()
			x := [2]float64{d.a[0] + t*(d.b[0]-d.a[0]), d.a[1] + t*(d.b[1]-d.a[1])}
			births = append(births, particle{X: x, Number: s.born, Born: s.step, Cell: d.cell})
			s.born++
		}
	}
	return births
}

// advance takes a step, with n births at each door.
func (s *stream) advance(n int) error {
	if err := s.update(s.births(n)); err != nil {
		return err
	}
	s.step++
	if err := op2.ParLoop(s.move, s.living, s.p.RW(), s.shape.Read(s.in.At(0))); err != nil {
		return err
	}
	for {
		if err := s.onTheWay.Set(0); err != nil {
			return err
		}
		if err := op2.ParLoop(s.walk, s.living, s.p.RW(), s.shape.Read(s.in.At(0)), s.onTheWay.Inc()); err != nil {
			return err
		}
		if n, err := s.onTheWay.Value(); err != nil || n == 0 {
			return err
		}
		if err := s.update(nil); err != nil { // the map to the cells that they are in now
			return err
		}
	}
}

// counted returns the number of particles in each cell.
func (s *stream) counted() ([]int32, error) {
	if err := s.number.Zero(); err != nil {
		return nil, err
	}
	if err := op2.ParLoop(s.count, s.living, s.number.Inc(s.in.At(0))); err != nil {
		return nil, err
	}
	return s.number.InDeclaredOrder()
}
