package vtk

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/rankfile"
	"github.com/go-op2/op2/internal/vtu"
)

// VTKHDF is VTK's format of files in HDF5 (https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format): a group with the
// arrays of an unstructured grid, here in one piece or in those of the ranks: each array has the rows of one piece after those of
// the piece before, and each rank writes its own where the library can. In a file of several steps, arrays have the values of one step after the
// other, and offsets in the group Steps lead to those of each. Several blocks are a collection: each is a grid in a group of its
// own, with its steps, to which the group Assembly has links.

// hdfFile is a file of results at one time, or at several.
type hdfFile struct {
	path   string
	series bool
	steps  int64
	points []int64  // the place of the current points of each block
	fields []string // of each step
}

// write writes a step: a new file, or further values of one.
func (f *hdfFile) write(w *writer, t float64, s *step) error {
	var fields []string
	for i := range s.fields {
		if strings.Contains(s.fields[i].name, "/") {
			return fmt.Errorf("field %q: VTKHDF has no names with slashes", s.fields[i].name)
		}
		fields = append(fields, arrayPath(&s.fields[i]))
	}
	slices.Sort(fields)
	if f.steps > 0 && !slices.Equal(fields, f.fields) {
		return fmt.Errorf("%s: found the fields %s, expected those of the steps before, %s", f.path, strings.Join(fields, ", "), strings.Join(f.fields, ", "))
	}
	if s.points != nil {
		w.points = s.points
	}
	err := w.agree(f.writeStep(w, t, s))
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	f.steps, f.fields = f.steps+1, fields
	return nil
}

// writeStep creates the file with a step, or opens it and adds one.
func (f *hdfFile) writeStep(w *writer, t float64, s *step) (err error) {
	h := hdfWriter{writer: w, grows: f.series, adds: f.steps > 0}
	bare := func(err error) error {
		if err == nil {
			return nil
		}
		return problem.Bare(err)
	}
	if h.adds {
		h.file, err = rankfile.Open(w.rt, f.path, true, bare)
	} else {
		h.file, err = rankfile.Create(w.rt, f.path, bare)
	}
	if err != nil {
		return problem.Bare(err)
	}
	names := w.groupNames()
	if len(names) > 1 && !h.adds {
		h.collection(names)
	}
	for i, b := range w.blocks {
		h.group = "VTKHDF"
		if len(names) > 1 {
			h.group += "/" + names[i]
		}
		if !h.adds {
			h.grid(w, b)
			f.points = append(f.points, 0)
		}
		if !h.adds || s.points != nil {
			f.points[i] = h.grow("Points", w.threeDim(b), 3, 0)
		}
		f.values(&h, b, f.points[i], t, s)
	}
	return cmp.Or(h.err, h.file.Close(h.err != nil))
}

// arrayPath returns the name of a field's array.
func arrayPath(p *prepared) string {
	if p.onNodes {
		return "PointData/" + p.name
	}
	return "CellData/" + p.name
}

// groupNames returns the names of the groups of blocks, which differ.
func (w *writer) groupNames() (names []string) {
	for _, b := range w.blocks {
		own := strings.ReplaceAll(b.name, "/", "_")
		name := own
		for n := 2; slices.Contains(names, name) || name == "Assembly" || strings.Trim(name, ".") == ""; n++ {
			name = fmt.Sprintf("%s_%d", own, n)
		}
		names = append(names, name)
	}
	return names
}

// threeDim returns the points of a block with three coordinates.
func (w *writer) threeDim(b *block) any {
	points := w.pointsOf(b, w.points)
	if single, is := points.([]float32); is {
		return vtu.Padded(single, w.dim())
	}
	return vtu.Padded(points.([]float64), w.dim())
}

// values writes the fields of a step that a block has, and in a series where they are.
func (f *hdfFile) values(h *hdfWriter, b *block, points int64, t float64, s *step) {
	for i := range s.fields {
		p := &s.fields[i]
		values, has := b.take(p)
		if !has {
			continue
		}
		at := h.grow(arrayPath(p), values.array(p.width, p.places, h.writer.single), p.width, 0)
		if f.series {
			group, name, _ := strings.Cut(arrayPath(p), "/")
			h.once("Steps/"+group+"Offsets/"+name, []int64{at})
		}
	}
	if !f.series {
		return
	}
	h.once("Steps/Values", []float64{t})
	for _, of := range []struct {
		name  string
		value int64
	}{{"PartOffsets", 0}, {"NumberOfParts", int64(h.writer.ranks.Size())}, {"PointOffsets", points}, {"CellOffsets", 0}, {"ConnectivityIdOffsets", 0}} {
		h.once("Steps/"+of.name, []int64{of.value})
	}
	h.do(func(file *hdf5.File) error { return file.SetInteger(h.group+"/Steps", "NSteps", f.steps+1) })
}

// hdfWriter writes the arrays of a grid. It keeps the first error, which all ranks that write pieces have, as they make the same
// calls.
type hdfWriter struct {
	writer *writer
	file   *rankfile.File
	group  string // of the grid
	grows  bool   // arrays of values have those of several steps
	adds   bool   // and there are some
	err    error
}

// do does something with the file, unless there was an error.
func (h *hdfWriter) do(f func(file *hdf5.File) error) {
	if h.err == nil {
		h.err = h.file.Act(f)
	}
}

// array writes numbers, a slice of any type.
func (h *hdfWriter) array(name string, values any) { h.write(name, values, 1, false, 0) }

// grow writes an array to which the next steps add theirs, in chunks of about a megabyte. It returns the place of the first tuple.
func (h *hdfWriter) grow(name string, values any, width int, chunk uint64) (at int64) {
	return h.write(name, values, width, h.grows, chunk)
}

// once writes a number, which grows with the steps, not with the pieces.
func (h *hdfWriter) once(name string, value any) {
	const chunk = 128
	if h.writer.ranks.Rank() != 0 {
		value = reflect.Zero(reflect.TypeOf(value)).Interface()
	}
	h.grow(name, value, 1, chunk)
}

// write writes the tuples of all pieces, those of one after those of the piece before: of a new dataset, or after those that a
// growing one has. It returns the place of the first.
func (h *hdfWriter) write(name string, values any, width int, grows bool, chunk uint64) (at int64) {
	offsets, err := halo.Offsets(h.writer.ranks, int64(reflect.ValueOf(values).Len()/width))
	if err != nil {
		err = h.writer.rt.Broken(err)
	}
	if h.err = cmp.Or(h.err, err); h.err != nil {
		return 0
	}
	of := hdf5.Numbers(loop.ScalarOf(reflect.TypeOf(values).Elem().Kind()))
	path, all := h.group+"/"+name, uint64(offsets[len(offsets)-1])
	if grows && h.adds {
		first, err := rankfile.Ask(h.file, func(file *hdf5.File) (uint64, error) { return file.Extend(path, all) })
		at, h.err = int64(first), err
	} else {
		d := hdf5.Dataset{Path: path, Of: of, Dims: []uint64{all}, Deflate: 1, Grows: grows, Chunk: chunk}
		if width > 1 {
			d.Dims = append(d.Dims, uint64(width))
		}
		h.do(func(file *hdf5.File) error { return file.Create(d) })
	}
	if h.err == nil {
		rows := rankfile.Between(offsets)
		for i := range rows {
			rows[i].First += uint64(at)
		}
		h.err = h.file.Write(rankfile.Section{Path: path, Of: of, Each: width * of.Size, Rows: rows}, vtu.Bytes(values))
	}
	return at
}

// grid writes the elements of a block.
func (h *hdfWriter) grid(w *writer, b *block) {
	offsets, types, connectivity := []int64{0}, []uint8{}, []int64{}
	for _, e := range b.all {
		for i, n := range e.nodes {
			if connectivity = append(connectivity, int64(n)); (i+1)%e.kind.Nodes() == 0 {
				offsets, types = append(offsets, int64(len(connectivity))), append(types, e.kind.VTKType())
			}
		}
	}
	nodes := len(b.nodes)
	if b.nodes == nil {
		nodes = w.mesh.Nodes()
	}
	h.array("NumberOfPoints", []int64{int64(nodes)})
	h.array("NumberOfCells", []int64{int64(len(types))})
	h.array("NumberOfConnectivityIds", []int64{int64(len(connectivity))})
	h.array("Connectivity", connectivity)
	h.array("Offsets", offsets)
	h.array("Types", types)
	h.typed(h.group, "UnstructuredGrid", 2, 0)
}

// typed says what a group is, in a version of the format.
func (h *hdfWriter) typed(group, kind string, version ...int64) {
	h.do(func(file *hdf5.File) error { return file.SetText(group, "Type", kind) })
	h.do(func(file *hdf5.File) error {
		return file.SetAttribute(group, "Version", hdf5.Numbers(loop.Int64), []uint64{2}, vtu.Bytes(version))
	})
}

// collection makes the groups of blocks, and the assembly, in which they are in the same order.
func (h *hdfWriter) collection(names []string) {
	h.do(func(file *hdf5.File) error { return file.Group("VTKHDF") })
	h.typed("VTKHDF", "PartitionedDataSetCollection", 2, 2)
	h.do(func(file *hdf5.File) error { return file.Group("VTKHDF/Assembly") })
	for i, name := range names {
		h.do(func(file *hdf5.File) error { return file.Group("VTKHDF/" + name) })
		h.do(func(file *hdf5.File) error { return file.SetInteger("VTKHDF/"+name, "Index", int64(i)) })
		h.do(func(file *hdf5.File) error { return file.Link("VTKHDF/Assembly/"+name, "VTKHDF/"+name) })
	}
}
