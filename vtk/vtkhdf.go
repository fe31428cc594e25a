package vtk

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/internal/wholefile"
)

// VTKHDF is VTK's format of files in HDF5 (https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format): a group with the
// arrays of an unstructured grid, here in one piece.

// writeHDF writes the cells and their fields to a file.
func (w *writer) writeHDF(path string, s *step) (err error) {
	for i := range s.fields {
		if name := s.fields[i].name; strings.Contains(name, "/") {
			return fmt.Errorf("field %q: VTKHDF has no names with slashes", name)
		}
	}
	l, err := hdf5.Open(nil)
	if missing := (*native.NotFoundError)(nil); errors.As(err, &missing) {
		return fmt.Errorf("%w: %w", op2.ErrUnavailable, err)
	} else if err != nil {
		return err
	}
	begun, err := wholefile.Begin(path)
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
		return fmt.Errorf("%s: %w", path, err)
	}
	hdf := hdfWriter{file: file}
	hdf.grid(w, s)
	if err := errors.Join(hdf.err, file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return begun.Finish()
}

// hdfWriter writes the arrays of a grid. It keeps the first error.
type hdfWriter struct {
	file *hdf5.File
	err  error
}

func (h *hdfWriter) do(f func() error) {
	if h.err == nil {
		h.err = f()
	}
}

// array writes tuples of numbers, a slice of any type.
func (h *hdfWriter) array(name string, values any, width int) {
	of := hdf5.Numbers(loop.ScalarOf(reflect.TypeOf(values).Elem().Kind()))
	dims := []uint64{uint64(reflect.ValueOf(values).Len())}
	if width > 1 {
		dims = []uint64{dims[0] / uint64(width), uint64(width)}
	}
	path := "VTKHDF/" + name
	h.do(func() error { return h.file.Create(hdf5.Dataset{Path: path, Of: of, Dims: dims, Deflate: 1}) })
	h.do(func() error { return h.file.Write(path, of, hdf5.Rows{Count: dims[0]}, vtu.Bytes(values)) })
}

func (h *hdfWriter) grid(w *writer, s *step) {
	offsets, types, connectivity := []int64{0}, []uint8{}, []int64{}
	for _, b := range w.mesh.CellBlocks() {
		for e := range b.Len() {
			for _, n := range b.Element(e) {
				connectivity = append(connectivity, int64(n))
			}
			offsets, types = append(offsets, int64(len(connectivity))), append(types, b.Kind.VTKType())
		}
	}
	points := w.points
	if s.points != nil {
		points = s.points
	}
	h.array("NumberOfPoints", []int64{int64(w.mesh.Nodes())}, 1)
	h.array("NumberOfCells", []int64{int64(len(types))}, 1)
	h.array("NumberOfConnectivityIds", []int64{int64(len(connectivity))}, 1)
	h.array("Points", vtu.Padded(points, w.dim()), 3)
	h.array("Connectivity", connectivity, 1)
	h.array("Offsets", offsets, 1)
	h.array("Types", types, 1)
	h.do(func() error { return h.file.SetText("VTKHDF", "Type", "UnstructuredGrid") })
	h.do(func() error {
		version := []int64{2, 0}
		return h.file.SetAttribute("VTKHDF", "Version", hdf5.Numbers(loop.Int64), []uint64{2}, vtu.Bytes(version))
	})
	for i := range s.fields {
		p := &s.fields[i]
		group := "CellData/"
		if p.onNodes {
			group = "PointData/"
		}
		h.array(group+p.name, p.values.array(p.width, p.places, w.single), p.width)
	}
}
