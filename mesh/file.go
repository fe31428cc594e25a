package mesh

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/wholefile"
)

// fileFormat is a format of files.
type fileFormat struct {
	extension string
	read      func(path string, options []ReadOption) (*Mesh, error)
	write     func(m *Mesh, path string, options []WriteOption) error
	part      func(rt *entity.Runtime, path string) (*rankPart, error) // what a rank reads of a share; nil: nothing
}

var formats = []fileFormat{
	{".msh", fromStream(ReadGmsh), toStream((*Mesh).WriteGmsh), gmshPart},
	{".vtu", fromStream(ReadVTU), toStream(plain((*Mesh).WriteVTU)), vtuPart},
	{".dat", joining(fromStream(ReadAirfoil)), toStream(plain((*Mesh).WriteAirfoil)), nil},
	{".h5", joining(func(path string, _ []ReadOption) (*Mesh, error) { return ReadHDF5(path) }),
		func(m *Mesh, path string, _ []WriteOption) error { return m.WriteHDF5(path) }, hdf5Part},
}

// fromStream returns what reads a file, given what reads a stream.
func fromStream(read func(io.Reader, ...ReadOption) (*Mesh, error)) func(string, []ReadOption) (*Mesh, error) {
	return func(path string, options []ReadOption) (*Mesh, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("mesh: %w", err)
		}
		defer file.Close()
		return read(file, options...)
	}
}

// toStream returns what writes a file, given what writes a stream.
func toStream(write func(*Mesh, io.Writer, ...WriteOption) error) func(*Mesh, string, []WriteOption) error {
	return func(m *Mesh, path string, options []WriteOption) error {
		var wrote error
		err := wholefile.Write(path, func(w io.Writer) error {
			wrote = write(m, w, options...)
			return wrote
		})
		if err != nil && wrote == nil {
			return fmt.Errorf("mesh: %w", err)
		}
		return wrote
	}
}

// plain returns what writes a stream with options, given what has none.
func plain(write func(*Mesh, io.Writer) error) func(*Mesh, io.Writer, ...WriteOption) error {
	return func(m *Mesh, w io.Writer, _ ...WriteOption) error { return write(m, w) }
}

// joining returns what reads a file and joins cuts.
func joining(read func(string, []ReadOption) (*Mesh, error)) func(string, []ReadOption) (*Mesh, error) {
	return func(path string, options []ReadOption) (*Mesh, error) {
		m, err := read(path, options)
		if err != nil {
			return nil, err
		}
		return m.Joined()
	}
}

// formatOf returns the format that the extension of a path names.
func formatOf(path string) (fileFormat, error) {
	ext := filepath.Ext(path)
	for _, f := range formats {
		if strings.EqualFold(ext, f.extension) {
			return f, nil
		}
	}
	return fileFormat{}, fmt.Errorf("mesh: %s: expected a file .msh (Gmsh), .vtu (VTK), .h5 (HDF5) or .dat (OP2's airfoil), found the extension %q", path, ext)
}

// ReadFile reads a mesh from the file at path, in the format that its extension names: .msh as [ReadGmsh], .vtu as
// [ReadVTU], .h5 as [ReadHDF5], .dat as [ReadAirfoil]. The last two are then [Mesh.Joined]: with single nodes along the cut
// behind the airfoil.
//
// It is an error if the file cannot be read, or is a [*FormatError] if it does not hold its format.
func ReadFile(path string, options ...ReadOption) (*Mesh, error) {
	if strings.EqualFold(filepath.Ext(path), ".geo") {
		base := strings.TrimSuffix(path, filepath.Ext(path))
		return nil, fmt.Errorf("mesh: %s: expected a mesh, found a geometry, of which Gmsh makes one\n  hint: gmsh -2 %s -o %s.msh for areas, -3 for volumes", path, path, base)
	}
	f, err := formatOf(path)
	if err != nil {
		return nil, err
	}
	return f.read(path, options)
}

// WriteFile writes the mesh to the file at path, in the format that its extension names: .msh as [Mesh.WriteGmsh], .vtu
// as [Mesh.WriteVTU], .h5 as [Mesh.WriteHDF5], .dat as [Mesh.WriteAirfoil]. Options are for .msh alone.
//
// The file appears, or takes the place of one that was there, only when it is complete.
func (m *Mesh) WriteFile(path string, options ...WriteOption) error {
	f, err := formatOf(path)
	if err != nil {
		return err
	}
	return f.write(m, path, options)
}

// ReadShare reads a rank's share of the mesh in the file at path: Gmsh's of version 4.1, VTU whose arrays are appended raw,
// as [Mesh.WriteVTU] writes them, or HDF5 as [Mesh.WriteHDF5] writes it. No rank ever has the whole mesh in memory. It is
// collective; all errors are those of all ranks. On one rank, it is [ReadFile].
//
// The mesh has a contiguous piece of the cells and of each other kind of elements, about as many as other ranks, their nodes,
// and all groups, with those of their elements that are here. Numbers count within the share. [Mesh.Declare] takes all
// options, and declares sets, maps and subsets with the numbers of the whole mesh, as [ReadFile] has them. The
// first loop, or Partition, then moves cells to the ranks where they are compact, unless there is [KeepOrder].
// Coordinates are those of the file: what a program makes of Points counts for nothing there, since other ranks have
// some of the nodes, too. [Mesh.Measures] is that of the rank's cells; methods that need a whole mesh return an error. Package vtk writes results in
// pieces, one for each rank.
//
// It is an error if there are fewer cells than ranks, or more than 2^31-1 nodes or elements of a kind.
func ReadShare(rt *op2.Runtime, path string) (m *Mesh, err error) {
	core := (*entity.Runtime)(rt)
	if err := core.Enter(); err != nil {
		return nil, err
	}
	defer core.LeaveTogether(&err)
	if !core.Several() {
		return ReadFile(path)
	}
	f, err := formatOf(path)
	if err == nil && f.part == nil {
		err = fmt.Errorf("mesh: %s: shares are read from .msh, .vtu and .h5, not from %s\n  hint: op2 mesh converts", path, filepath.Ext(path))
	}
	var p *rankPart
	if err == nil {
		p, err = f.part(core, path)
	}
	if err := core.Agree(err); err != nil {
		return nil, err
	}
	if m, err = p.mesh(core); err != nil {
		return nil, fmt.Errorf("mesh: %s: %w", path, err)
	}
	return m, nil
}
