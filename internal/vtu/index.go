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
	out := &writer{Writer: bufio.NewWriter(w)}
	out.header("vtkMultiBlockDataSet")
	out.line(1, "<vtkMultiBlockDataSet>")
	for i, b := range blocks {
		out.line(2, `<DataSet index="%d" name="%s" file="%s"/>`, i, escape(b.Name), escape(b.File))
	}
	out.line(1, "</vtkMultiBlockDataSet>")
	out.line(0, "</VTKFile>")
	return out.Flush()
}

// Pieces is a block whose grid is in several files.
type Pieces struct {
	Name  string
	Files []string // relative to the file that lists them, with slashes
}

// WriteBlocksOfPieces writes a VTM file of blocks in pieces.
func WriteBlocksOfPieces(w io.Writer, blocks []Pieces) error {
	out := &writer{Writer: bufio.NewWriter(w)}
	out.header("vtkMultiBlockDataSet")
	out.line(1, "<vtkMultiBlockDataSet>")
	for i, b := range blocks {
		out.line(2, `<Piece index="%d" name="%s">`, i, escape(b.Name))
		for k, file := range b.Files {
			out.line(3, `<DataSet index="%d" file="%s"/>`, k, escape(file))
		}
		out.line(2, "</Piece>")
	}
	out.line(1, "</vtkMultiBlockDataSet>")
	out.line(0, "</VTKFile>")
	return out.Flush()
}

// WriteSeries writes a PVD file, which lists the steps of a series in time.
func WriteSeries(w io.Writer, steps []Part) error {
	out := &writer{Writer: bufio.NewWriter(w)}
	out.header("Collection")
	out.line(1, "<Collection>")
	for _, s := range steps {
		out.line(2, `<DataSet timestep="%s" part="0" file="%s"/>`, strconv.FormatFloat(s.Time, 'g', -1, 64), escape(s.File))
	}
	out.line(1, "</Collection>")
	out.line(0, "</VTKFile>")
	return out.Flush()
}

// WritePieces writes a PVTU file, which joins the grids in files to one. These have the same arrays; piece is one of them.
func WritePieces(w io.Writer, piece *File, files []string) error {
	out := &writer{Writer: bufio.NewWriter(w)}
	out.header("PUnstructuredGrid")
	out.line(1, `<PUnstructuredGrid GhostLevel="0">`)
	for _, s := range []struct {
		name   string
		arrays []*Encoded
	}{{"PPointData", piece.PointData}, {"PCellData", piece.CellData}, {"PPoints", []*Encoded{piece.Points}}} {
		attributes := ""
		if s.name != "PPoints" {
			attributes = active(s.arrays)
		}
		out.line(2, "<%s%s>", s.name, attributes)
		for _, a := range s.arrays {
			out.line(3, "<PDataArray %s/>", a.attributes)
		}
		out.line(2, "</%s>", s.name)
	}
	for _, file := range files {
		out.line(2, `<Piece Source="%s"/>`, escape(file))
	}
	out.line(1, "</PUnstructuredGrid>")
	out.line(0, "</VTKFile>")
	return out.Flush()
}
