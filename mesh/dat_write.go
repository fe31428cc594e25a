package mesh

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/go-op2/op2/internal/wholefile"
)

// Write writes the mesh in the text format of OP2's airfoil, new_grid.dat. Coordinates keep six decimals, no more.
//
// It writes nothing and returns the error of [Airfoil.Check] where the mesh is not one that [ReadAirfoil] would
// accept. Errors of w are wrapped.
func (m *Airfoil) Write(w io.Writer) error {
	if err := m.Check(); err != nil {
		return err
	}
	if err := m.write(w); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return nil
}

// write does the work of Write for a mesh that has been checked.
func (m *Airfoil) write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	// A bufio.Writer keeps its first error and returns it from Flush, so the lines need not check
	// for errors.
	writeInts(out, int32(m.Nodes), int32(m.Cells), int32(m.Edges), int32(m.Bedges))
	for n := range m.Nodes {
		line := appendFixed6(out.AvailableBuffer(), m.XY[2*n])
		line = appendFixed6(append(line, ' '), m.XY[2*n+1])
		out.Write(append(line, '\n'))
	}
	for c := range m.Cells {
		writeInts(out, m.CellNodes[4*c], m.CellNodes[4*c+1], m.CellNodes[4*c+2], m.CellNodes[4*c+3])
	}
	for e := range m.Edges {
		writeInts(out, m.EdgeNodes[2*e], m.EdgeNodes[2*e+1], m.EdgeCells[2*e], m.EdgeCells[2*e+1])
	}
	for b := range m.Bedges {
		writeInts(out, m.BedgeNodes[2*b], m.BedgeNodes[2*b+1], m.BedgeCell[b], m.Bound[b])
	}
	return out.Flush()
}

// writeInts writes a line of four integers.
func writeInts(out *bufio.Writer, a, b, c, d int32) {
	line := strconv.AppendInt(out.AvailableBuffer(), int64(a), 10)
	line = strconv.AppendInt(append(line, ' '), int64(b), 10)
	line = strconv.AppendInt(append(line, ' '), int64(c), 10)
	line = strconv.AppendInt(append(line, ' '), int64(d), 10)
	out.Write(append(line, '\n'))
}

// WriteFile writes the mesh to the file at path as [Airfoil.Write] does. The file appears, or takes the place of
// one that was there, only when it is complete.
func (m *Airfoil) WriteFile(path string) error {
	if err := m.Check(); err != nil {
		return err
	}
	if err := wholefile.Write(path, m.write); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return nil
}
