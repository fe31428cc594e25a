package vtu

import (
	"bufio"
	"io"
	"strconv"
)

// Part is a file of a data set of several blocks, or of a series.
type Part struct {
	Name string
	File string // relative to the file that lists it, with slashes
	Time float64
}

// WriteBlocks writes a VTM file, which joins blocks to one data set.
func WriteBlocks(w io.Writer, blocks []Part) error {
	return writeIndex(w, "vtkMultiBlockDataSet", "", func(out *writer) {
		for i, b := range blocks {
			out.line(2, `<DataSet index="%d" name="%s" file="%s"/>`, i, escape(b.Name), escape(b.File))
		}
	})
}

// Pieces is a block whose grid is in several files.
type Pieces struct {
	Name  string
	Files []string // relative to the file that lists them, with slashes
}

// WriteBlocksOfPieces writes a VTM file of blocks in pieces.
func WriteBlocksOfPieces(w io.Writer, blocks []Pieces) error {
	return writeIndex(w, "vtkMultiBlockDataSet", "", func(out *writer) {
		for i, b := range blocks {
			out.line(2, `<Piece index="%d" name="%s">`, i, escape(b.Name))
			for k, file := range b.Files {
				out.line(3, `<DataSet index="%d" file="%s"/>`, k, escape(file))
			}
			out.line(2, "</Piece>")
		}
	})
}

// WriteSeries writes a PVD file, which lists the steps of a series in time.
func WriteSeries(w io.Writer, steps []Part) error {
	return writeIndex(w, "Collection", "", func(out *writer) {
		for _, s := range steps {
			out.line(2, `<DataSet timestep="%s" part="0" file="%s"/>`, strconv.FormatFloat(s.Time, 'g', -1, 64), escape(s.File))
		}
	})
}

// WritePieces writes a PVTU file, which joins the grids in files to one. These have the same arrays; piece is one of them.
func WritePieces(w io.Writer, piece *File, files []string) error {
	return writeIndex(w, "PUnstructuredGrid", ` GhostLevel="0"`, func(out *writer) {
		for _, s := range []struct {
			name, attributes string
			arrays           []*Encoded
		}{
			{"PPointData", active(piece.PointData), piece.PointData},
			{"PCellData", active(piece.CellData), piece.CellData},
			{"PPoints", "", []*Encoded{piece.Points}},
		} {
			out.line(2, "<%s%s>", s.name, s.attributes)
			for _, a := range s.arrays {
				out.line(3, "<PDataArray %s/>", a.attributes)
			}
			out.line(2, "</%s>", s.name)
		}
		for _, file := range files {
			out.line(2, `<Piece Source="%s"/>`, escape(file))
		}
	})
}

// writeIndex writes a file of a kind without data of its own, whose element of that name has the content.
func writeIndex(w io.Writer, kind, attributes string, content func(out *writer)) error {
	out := &writer{Writer: bufio.NewWriter(w)}
	out.header(kind)
	out.line(1, "<%s%s>", kind, attributes)
	content(out)
	out.line(1, "</%s>", kind)
	out.line(0, "</VTKFile>")
	return out.Flush()
}
