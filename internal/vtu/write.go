package vtu

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
)

// File holds the arrays of a VTU file.
type File struct {
	// Points has 3 components. Nodes, Offsets and Types are those of [Grid]: the first two of a type of integers, the
	// last one of uint8.
	Points, Nodes, Offsets, Types *Encoded

	Polyhedra []*Encoded // their faces, and where these end; nil: there are none

	PointData, CellData, FieldData []*Encoded
}

// Write writes a file whose arrays were encoded in the format f. Data on points and cells must have a tuple for each.
func (f Format) Write(w io.Writer, file *File) error {
	for _, a := range slices.Concat([]*Encoded{file.Points, file.Nodes, file.Offsets, file.Types}, file.Polyhedra, file.PointData, file.CellData, file.FieldData) {
		if a.err != nil {
			return a.err
		}
	}
	for _, s := range []struct {
		what   string
		arrays []*Encoded
		tuples int
	}{{"point", file.PointData, file.Points.tuples}, {"cell", file.CellData, file.Types.tuples}} {
		for _, a := range s.arrays {
			if a.tuples != s.tuples {
				return fmt.Errorf("array %s: %d tuples, want one for each %s: %d", a.name, a.tuples, s.what, s.tuples)
			}
		}
	}
	out := &writer{format: f, Writer: bufio.NewWriter(w)}
	out.header("UnstructuredGrid")
	out.line(1, "<UnstructuredGrid>")
	if len(file.FieldData) > 0 {
		out.section(2, "FieldData", "", file.FieldData)
	}
	out.line(2, `<Piece NumberOfPoints="%d" NumberOfCells="%d">`, file.Points.tuples, file.Types.tuples)
	out.section(3, "PointData", active(file.PointData), file.PointData)
	out.section(3, "CellData", active(file.CellData), file.CellData)
	out.section(3, "Points", "", []*Encoded{file.Points})
	out.section(3, "Cells", "", append([]*Encoded{file.Nodes, file.Offsets, file.Types}, file.Polyhedra...))
	out.line(2, "</Piece>")
	out.line(1, "</UnstructuredGrid>")
	out.appended()
	out.line(0, "</VTKFile>")
	return out.Flush() // returns the first error of all
}

// active returns the attributes that name the arrays a program shows first: the first one of each kind.
func active(arrays []*Encoded) string {
	var attributes strings.Builder
	for _, kind := range []struct {
		name       string
		components int
	}{{"Scalars", 1}, {"Vectors", 3}, {"Tensors", 9}} {
		for _, a := range arrays {
			if a.components == kind.components {
				fmt.Fprintf(&attributes, ` %s="%s"`, kind.name, a.name)
				break
			}
		}
	}
	return attributes.String()
}

// writer writes the XML of a file.
type writer struct {
	*bufio.Writer
	format Format
	offset int
	later  [][]byte // what is appended
}

func (w *writer) line(depth int, format string, args ...any) {
	fmt.Fprintf(w, strings.Repeat("  ", depth)+format+"\n", args...)
}

// header begins a file.
func (w *writer) header(kind string) {
	order, compressor := "LittleEndian", ""
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		order = "BigEndian"
	}
	if w.format.Compressed && !w.format.Text {
		compressor = ` compressor="vtkZLibDataCompressor"`
	}
	w.line(0, `<?xml version="1.0"?>`)
	w.line(0, `<VTKFile type="%s" version="1.0" byte_order="%s" header_type="UInt64"%s>`, kind, order, compressor)
}

func (w *writer) section(depth int, name, attributes string, arrays []*Encoded) {
	w.line(depth, "<%s%s>", name, attributes)
	for _, a := range arrays {
		tuples := ""
		if name == "FieldData" {
			tuples = fmt.Sprintf(` NumberOfTuples="%d"`, a.tuples)
		}
		if w.format.Text {
			w.line(depth+1, `<DataArray %s%s format="ascii">`, a.attributes, tuples)
			w.Write(a.data)
			w.line(depth+1, "</DataArray>")
			continue
		}
		w.line(depth+1, `<DataArray %s%s format="appended" offset="%d"/>`, a.attributes, tuples, w.offset)
		w.offset += len(a.data)
		w.later = append(w.later, a.data)
	}
	w.line(depth, "</%s>", name)
}

// appended writes the data of the arrays, to which their offsets lead.
func (w *writer) appended() {
	if len(w.later) == 0 {
		return
	}
	w.line(1, `<AppendedData encoding="raw">`)
	w.WriteByte('_')
	for _, data := range w.later {
		w.Write(data)
	}
	w.line(0, "")
	w.line(1, "</AppendedData>")
}
