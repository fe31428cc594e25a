package mesh

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Write writes the mesh in the text format of OP2's airfoil, new_grid.dat. Coordinates keep six decimals, no more.
//
// It writes nothing and returns the error of [Airfoil.Check] where the mesh is not one that [ReadAirfoil] would
// accept. Errors of w are wrapped.
func (m *Airfoil) Write(w io.Writer) error {
	if err := m.Check(); err != nil {
		return err
	}
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
	if err := out.Flush(); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return nil
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
// one that was there, only when it is complete: until then it is a hidden file beside path, which is removed on
// an error, and left behind only by a process that is killed.
func (m *Airfoil) WriteFile(path string) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // keep a link, and replace its target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("mesh: write %s: expected a regular file or none, found mode %s", path, info.Mode())
	}
	f, err := createBeside(path)
	if err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	defer func() {
		if err != nil {
			f.Close() // an error if it is already closed, which is fine
			os.Remove(f.Name())
		}
	}()
	if err := m.Write(f); err != nil {
		return err
	}
	// Without the sync, a power failure could leave the new name without the contents.
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return nil
}

// createBeside creates a new hidden file in the folder of path. Unlike os.CreateTemp it leaves the permissions to
// the process's mask, as for any file a program writes.
func createBeside(path string) (*os.File, error) {
	folder, name := filepath.Split(path)
	for {
		temporary := filepath.Join(folder, fmt.Sprintf(".%s.%x.tmp", name, rand.Uint64()))
		f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
