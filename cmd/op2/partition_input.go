package main

import (
	"cmp"
	"errors"
	"os"
	"slices"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/plot"
)

// partitionInput is a mesh to partition, and loops over it.
type partitionInput struct {
	mesh      *order.Mesh
	names     []string // of its sets
	leader    int      // the set that is divided, and that others follow
	assumed   bool     // the loops are not those of a program
	iteration *partition.Iteration
	// drawn returns the elements of a set as polygons, with values by element.
	drawn    func(values []float64) (plot.Field, error)
	drawnSet int
}

// readPartitionInput reads a folder of records, or a mesh.
func readPartitionInput(c console, path, points string) (*partitionInput, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		all, err := records(c, []string{path})
		if err != nil {
			return nil, err
		}
		largest := slices.MaxFunc(all, func(a, b *record.Runtime) int { return cmp.Compare(a.Mesh.Elements(), b.Mesh.Elements()) })
		return fromRecord(largest, points)
	}
	if points != "" {
		return nil, errors.New("-x goes with the folder of a record")
	}
	progress, remove := c.progress()
	m, err := mesh.ReadFile(path, progress)
	remove()
	if err != nil {
		return nil, err
	}
	return fromMesh(m)
}

// finish finds the leading set and follows the loops.
func (in *partitionInput) finish(loops []record.Loop) error {
	in.leader = in.mesh.Leader(func(int) bool { return false })
	if in.leader < 0 || in.mesh.Sets[in.leader].Size == 0 {
		return errors.New("the mesh has no maps, or no elements")
	}
	if in.assumed {
		loops = in.assume()
	}
	in.iteration = partition.NewIteration(in.mesh, in.names, loops)
	return nil
}

// assumedBytes are the bytes of an element that an assumed loop reads: those of four float64.
const assumedBytes = 32

// assume returns the loops of an explicit scheme: one adds to the elements of the leading set, through the map
// that connects them, one updates them and computes a norm.
func (in *partitionInput) assume() []record.Loop {
	name := in.names[in.leader]
	update := record.Loop{Kernel: "update", Set: name, Reduces: true, Args: []record.Arg{
		{Dat: 0, Set: name, Bytes: assumedBytes, Access: loop.RW}, {Dat: 1, Set: name, Bytes: assumedBytes, Access: loop.RW}}}
	f := in.mesh.Connecting(in.leader)
	if f == nil {
		return []record.Loop{update}
	}
	return []record.Loop{{Kernel: "flux", Set: in.names[f.From], Plan: plan.Input{Maps: []plan.Map{{Arity: f.Arity}}}, Args: []record.Arg{
		{Dat: 0, Set: name, Bytes: assumedBytes, Access: loop.Read, Mapped: true}, {Dat: 1, Set: name, Bytes: assumedBytes, Access: loop.Inc, Mapped: true}}}, update}
}

// fromRecord returns the mesh of a program and its loops.
func fromRecord(r *record.Runtime, points string) (*partitionInput, error) {
	in := &partitionInput{mesh: &order.Mesh{}}
	seen := map[int]bool{}
	weights := map[string]int{}
	for _, l := range r.Loops {
		for _, a := range l.Args {
			if !seen[a.Dat] {
				seen[a.Dat] = true
				weights[a.Set] += a.Bytes
			}
		}
	}
	for _, s := range r.Mesh.Sets {
		in.mesh.Sets = append(in.mesh.Sets, order.Set{Size: s.Size, Weight: weights[s.Name]})
		in.names = append(in.names, s.Name)
	}
	for _, f := range r.Mesh.Maps {
		in.mesh.Maps = append(in.mesh.Maps, order.Map{From: f.From, To: f.To, Arity: f.Arity, Values: f.Values})
	}
	at, err := coordinates(&r.Mesh, points)
	if err != nil && points != "" {
		return nil, err
	}
	if err == nil {
		in.mesh.Sets[at.Set].Coordinates, in.mesh.Sets[at.Set].Dim = at.Values, at.Dim
	}
	if err := in.finish(r.Loops); err != nil {
		return nil, err
	}
	in.drawnSet = in.leader
	in.drawn = func(values []float64) (plot.Field, error) {
		if err != nil {
			return plot.Field{}, err
		}
		drawn, err := newGeometry(&r.Mesh, at).shapes(in.names[in.leader], within(0, len(values), nil))
		if err != nil {
			return plot.Field{}, err
		}
		return plot.Field{Mesh: drawn.mesh, Values: values}, nil
	}
	return in, nil
}

// fromMesh returns the nodes and cells of a mesh, and the edges or faces between them.
func fromMesh(m *mesh.Mesh) (*partitionInput, error) {
	const nodes, cells = 0, 1
	in := &partitionInput{mesh: &order.Mesh{}, assumed: true, drawnSet: cells}
	add := func(name string, s order.Set) int {
		in.mesh.Sets, in.names = append(in.mesh.Sets, s), append(in.names, name)
		return len(in.names) - 1
	}
	link := func(from, to int, rows [][]int32) {
		f := order.Map{From: from, To: to, Arity: 1}
		for _, row := range rows {
			f.Arity = max(f.Arity, len(row))
		}
		for _, row := range rows {
			f.Values = append(f.Values, row...)
			for range f.Arity - len(row) {
				f.Values = append(f.Values, -1)
			}
		}
		in.mesh.Maps = append(in.mesh.Maps, f)
	}
	add("nodes", order.Set{Size: m.Nodes(), Weight: 1, Coordinates: m.Points, Dim: m.Dim})
	add("cells", order.Set{Size: m.Cells(), Weight: 1000})
	link(cells, nodes, elementsOf(m.CellBlocks()))
	if m.CellDim() >= 2 {
		f, err := m.Facets()
		if err != nil {
			return nil, err
		}
		names := [2]string{"edges", "bedges"}
		if m.CellDim() == 3 {
			names = [2]string{"faces", "bfaces"}
		}
		for i, sides := range []*mesh.Sides{&f.Interior, &f.Boundary} {
			set := add(names[i], order.Set{Size: sides.Len()})
			link(set, nodes, elementsOf(sides.Blocks))
			if sides.Len() > 0 {
				link(set, cells, slices.Collect(slices.Chunk(sides.Cells, len(sides.Cells)/sides.Len())))
			}
		}
	}
	in.drawn = func(values []float64) (plot.Field, error) {
		faces, err := facesOf(m)
		if err != nil {
			return plot.Field{}, err
		}
		if len(faces) == 0 {
			return plot.Field{}, errors.New("the mesh has neither faces nor volumes to draw")
		}
		cellOf := func(face int) int32 { return int32(face) }
		if m.CellDim() == 3 {
			f, err := m.Facets()
			if err != nil {
				return plot.Field{}, err
			}
			cellOf = func(face int) int32 { return f.Boundary.Cells[face] }
		}
		for i := range faces {
			faces[i].value = values[cellOf(i)]
		}
		return pictureOf(m, faces), nil
	}
	return in, in.finish(nil)
}

// elementsOf returns the nodes of all elements of blocks.
func elementsOf(blocks []mesh.Block) [][]int32 {
	var rows [][]int32
	for i := range blocks {
		for e := range blocks[i].Len() {
			rows = append(rows, blocks[i].Element(e))
		}
	}
	return rows
}

// divided is a mesh in parts.
type divided struct {
	parts   int
	owners  [][]int32
	figures *partition.Figures
}
