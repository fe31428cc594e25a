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
// arrays of an unstructured grid, here in one piece. In a file of several steps, arrays have the values of one step after the
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
	l, err := checkHDF()
	if err != nil {
		return err
	}
	if s.points != nil {
		w.points = s.points
	}
	if f.steps == 0 {
		err = f.create(l, w, t, s)
	} else {
		err = f.add(l, w, t, s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	f.steps, f.fields = f.steps+1, fields
	return nil
}

// place returns the name of a field's array.
func place(p *prepared) string {
	if p.onNodes {
		return "PointData/" + p.name
	}
	return "CellData/" + p.name
}

// create creates the file with the first step.
func (f *hdfFile) create(l *hdf5.Library, w *writer, t float64, s *step) (err error) {
	begun, err := wholefile.Begin(f.path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			begun.Discard()
		}
	}()
	file, err := l.Create(begun.Name, nil)
	if err != nil {
		return err
	}
	h := hdfWriter{file: file, grows: f.series}
	h.grid(w)
	h.grow("Points", w.threeDim(), 3, 0)
	f.values(&h, w, t, s)
	if err := errors.Join(h.err, file.Close()); err != nil {
		return err
	}
	return begun.Finish()
}

// add adds a step to the file. The number of steps is written last.
func (f *hdfFile) add(l *hdf5.Library, w *writer, t float64, s *step) error {
	file, err := l.Open(f.path, true, nil)
	if err != nil {
		return err
	}
	h := hdfWriter{file: file, grows: true, adds: true}
	if s.points != nil {
		f.points = h.grow("Points", w.threeDim(), 3, 0)
	}
	f.values(&h, w, t, s)
	return errors.Join(h.err, file.Close())
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
	const chunk = 128
	for i := range s.fields {
		p := &s.fields[i]
		at := h.grow(place(p), p.values.array(p.width, p.places, w.single), p.width, 0)
		if f.series {
			group, name, _ := strings.Cut(place(p), "/")
			h.grow("Steps/"+group+"Offsets/"+name, []int64{at}, 1, chunk)
		}
	}
	if !f.series {
		return
	}
	h.grow("Steps/Values", []float64{t}, 1, chunk)
	for name, value := range map[string]int64{"PartOffsets": 0, "NumberOfParts": 1, "PointOffsets": f.points, "CellOffsets": 0, "ConnectivityIdOffsets": 0} {
		h.grow("Steps/"+name, []int64{value}, 1, chunk)
	}
	h.do(func() error { return h.file.SetInteger("VTKHDF/Steps", "NSteps", f.steps+1) })
}

// hdfWriter writes the arrays of a grid. It keeps the first error.
type hdfWriter struct {
	file  *hdf5.File
	grows bool // arrays of values have those of several steps
	adds  bool // and there are some
	err   error
}

func (h *hdfWriter) do(f func() error) {
	if h.err == nil {
		h.err = f()
	}
}

// array writes tuples of numbers, a slice of any type.
func (h *hdfWriter) array(name string, values any) { h.dataset(name, values, 1, false, 0) }

// grow writes an array to which the next steps add theirs, in chunks of so many tuples; 0: of about a megabyte. It returns the
// place of the first tuple.
func (h *hdfWriter) grow(name string, values any, width int, chunk uint64) (at int64) {
	if !h.adds {
		h.dataset(name, values, width, h.grows, chunk)
		return 0
	}
	of, rows := numbersOf(values), uint64(reflect.ValueOf(values).Len()/width)
	h.do(func() error {
		first, err := h.file.Append("VTKHDF/"+name, of, rows, vtu.Bytes(values))
		at = int64(first)
		return err
	})
	return at
}

func (h *hdfWriter) dataset(name string, values any, width int, grows bool, chunk uint64) {
	d := hdf5.Dataset{Path: "VTKHDF/" + name, Of: numbersOf(values), Dims: []uint64{uint64(reflect.ValueOf(values).Len())}, Deflate: 1, Grows: grows, Chunk: chunk}
	if width > 1 {
		d.Dims = []uint64{d.Dims[0] / uint64(width), uint64(width)}
	}
	h.do(func() error { return h.file.Create(d) })
	h.do(func() error { return h.file.Write(d.Path, d.Of, hdf5.Rows{Count: d.Dims[0]}, vtu.Bytes(values)) })
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
