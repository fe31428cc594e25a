package vtk

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/internal/wholefile"
)

// VTKHDF is VTK's format of files in HDF5 (https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format): a group with the
// arrays of an unstructured grid, here in one piece or in those of the ranks: each array has the rows of one piece after those of
// the piece before, which move to rank 0 in turn. In a file of several steps, arrays have the values of one step after the
// other, and offsets in the group Steps lead to those of each.

// hdfFile is a file of results at one time, or at several.
type hdfFile struct {
	path   string
	series bool
	steps  int64
	points int64    // the place of the current points
	fields []string // of each step
}

// checkHDF returns an error if there is no library.
func checkHDF() (*hdf5.Library, error) {
	l, err := hdf5.Open(nil)
	if missing := (*native.NotFoundError)(nil); errors.As(err, &missing) {
		err = fmt.Errorf("%w: %w", op2.ErrUnavailable, err)
	}
	return l, err
}

// write writes a step: a new file, or further values of one.
func (f *hdfFile) write(w *writer, t float64, s *step) error {
	var fields []string
	for i := range s.fields {
		if strings.Contains(s.fields[i].name, "/") {
			return fmt.Errorf("field %q: VTKHDF has no names with slashes", s.fields[i].name)
		}
		fields = append(fields, place(&s.fields[i]))
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

// writeStep creates the file with a step, or opens it and adds one. Ranks above 0 have no file.
func (f *hdfFile) writeStep(w *writer, t float64, s *step) error {
	h := hdfWriter{writer: w, grows: f.series, adds: f.steps > 0}
	begun, err := f.open(&h)
	if err := w.agree(err); err != nil {
		return err
	}
	if !h.adds {
		h.grid(w)
	}
	if !h.adds || s.points != nil {
		f.points = h.grow("Points", w.threeDim(), 3, 0)
	}
	f.values(&h, w, t, s)
	if h.file != nil {
		h.err = errors.Join(h.err, h.file.Close())
	}
	if begun == nil {
		return h.err
	}
	if h.err != nil {
		begun.Discard()
		return h.err
	}
	return begun.Finish()
}

// open opens the file on rank 0: a hidden one, if it is new.
func (f *hdfFile) open(h *hdfWriter) (begun *wholefile.File, err error) {
	if h.writer.rank() != 0 {
		return nil, nil
	}
	l, err := checkHDF()
	if err != nil {
		return nil, err
	}
	if h.adds {
		h.file, err = l.Open(f.path, true, nil)
		return nil, err
	}
	if begun, err = wholefile.Begin(f.path); err != nil {
		return nil, err
	}
	if h.file, err = l.Create(begun.Name, nil); err != nil {
		begun.Discard()
	}
	return begun, err
}

// place returns the name of a field's array.
func place(p *prepared) string {
	if p.onNodes {
		return "PointData/" + p.name
	}
	return "CellData/" + p.name
}

// threeDim returns the points with three coordinates.
func (w *writer) threeDim() any {
	if w.single {
		return vtu.Padded(floats(w.points), w.dim())
	}
	return vtu.Padded(w.points, w.dim())
}

// values writes the fields of a step, and in a series where they are.
func (f *hdfFile) values(h *hdfWriter, w *writer, t float64, s *step) {
	for i := range s.fields {
		p := &s.fields[i]
		at := h.grow(place(p), p.values.array(p.width, p.places, w.single), p.width, 0)
		if f.series {
			group, name, _ := strings.Cut(place(p), "/")
			h.once("Steps/"+group+"Offsets/"+name, []int64{at})
		}
	}
	if !f.series {
		return
	}
	h.once("Steps/Values", []float64{t})
	for name, value := range map[string]int64{"PartOffsets": 0, "NumberOfParts": int64(w.ranks()), "PointOffsets": f.points, "CellOffsets": 0, "ConnectivityIdOffsets": 0} {
		h.once("Steps/"+name, []int64{value})
	}
	h.do(func() error { return h.file.SetInteger("VTKHDF/Steps", "NSteps", f.steps+1) })
}

// hdfWriter writes the arrays of a grid. It keeps the first error. Ranks that write pieces make the same calls.
type hdfWriter struct {
	writer *writer
	file   *hdf5.File // nil on ranks above 0
	grows  bool       // arrays of values have those of several steps
	adds   bool       // and there are some
	err    error
}

// do does something with the file, unless there was an error.
func (h *hdfWriter) do(f func() error) {
	if h.err == nil && h.file != nil {
		h.err = f()
	}
}

// array writes numbers, a slice of any type.
func (h *hdfWriter) array(name string, values any) {
	h.dataset(name, values, 1, false, 0)
	h.rows(values, 1, func(of *loop.Layout, rows hdf5.Rows, memory []byte) error {
		return h.file.Write("VTKHDF/"+name, of, rows, memory)
	})
}

// grow writes an array to which the next steps add theirs, in chunks of about a megabyte. It returns the place of the first tuple.
func (h *hdfWriter) grow(name string, values any, width int, chunk uint64) (at int64) {
	path := "VTKHDF/" + name
	if !h.adds {
		h.dataset(name, values, width, h.grows, chunk)
	}
	h.rows(values, width, func(of *loop.Layout, rows hdf5.Rows, memory []byte) error {
		if !h.adds {
			return h.file.Write(path, of, rows, memory)
		}
		first, err := h.file.Append(path, of, rows.Count, memory)
		if rows.First == 0 {
			at = int64(first)
		}
		return err
	})
	return at
}

// once writes a number, which grows with the steps, not with the pieces.
func (h *hdfWriter) once(name string, value any) {
	const chunk = 128
	if h.file == nil {
		value = reflect.Zero(reflect.TypeOf(value)).Interface()
	}
	h.grow(name, value, 1, chunk)
}

// dataset creates a dataset for tuples of all pieces.
func (h *hdfWriter) dataset(name string, values any, width int, grows bool, chunk uint64) {
	n := []int64{int64(reflect.ValueOf(values).Len() / width)}
	if err := h.writer.sum(n); err != nil && h.err == nil {
		h.err = err
	}
	d := hdf5.Dataset{Path: "VTKHDF/" + name, Of: numbersOf(values), Dims: []uint64{uint64(n[0])}, Deflate: 1, Grows: grows, Chunk: chunk}
	if width > 1 {
		d.Dims = append(d.Dims, uint64(width))
	}
	h.do(func() error { return h.file.Create(d) })
}

// rows calls do on rank 0 for the tuples of all pieces, one after the other, some megabytes at a time.
func (h *hdfWriter) rows(values any, width int, do func(of *loop.Layout, rows hdf5.Rows, memory []byte) error) {
	of := numbersOf(values)
	err := h.writer.inTurn(vtu.Bytes(values), width*of.Size, func(first uint64, memory []byte) error {
		h.do(func() error {
			return do(of, hdf5.Rows{First: first, Count: uint64(len(memory) / (width * of.Size))}, memory)
		})
		return nil
	})
	if err != nil && h.err == nil {
		h.err = err
	}
}

// numbersOf returns the layout of the elements of a slice.
func numbersOf(values any) *loop.Layout {
	return hdf5.Numbers(loop.ScalarOf(reflect.TypeOf(values).Elem().Kind()))
}

// grid writes the cells.
func (h *hdfWriter) grid(w *writer) {
	offsets, types, connectivity := []int64{0}, []uint8{}, []int64{}
	for _, b := range w.mesh.CellBlocks() {
		for e := range b.Len() {
			for _, n := range b.Element(e) {
				connectivity = append(connectivity, int64(n))
			}
			offsets, types = append(offsets, int64(len(connectivity))), append(types, b.Kind.VTKType())
		}
	}
	h.array("NumberOfPoints", []int64{int64(w.mesh.Nodes())})
	h.array("NumberOfCells", []int64{int64(len(types))})
	h.array("NumberOfConnectivityIds", []int64{int64(len(connectivity))})
	h.array("Connectivity", connectivity)
	h.array("Offsets", offsets)
	h.array("Types", types)
	h.do(func() error { return h.file.SetText("VTKHDF", "Type", "UnstructuredGrid") })
	h.do(func() error {
		version := []int64{2, 0}
		return h.file.SetAttribute("VTKHDF", "Version", hdf5.Numbers(loop.Int64), []uint64{2}, vtu.Bytes(version))
	})
}
