package mesh

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-op2/op2/internal/wholefile"
)

// format is a format of files.
type format struct {
	extension string
	read      func(r io.Reader, options []ReadOption) (*Mesh, error)
	write     func(m *Mesh, w io.Writer, options []WriteOption) error
}

var formats = []format{
	{".msh",
		func(r io.Reader, options []ReadOption) (*Mesh, error) { return ReadGmsh(r, options...) },
		func(m *Mesh, w io.Writer, options []WriteOption) error { return m.WriteGmsh(w, options...) }},
	{".vtu",
		func(r io.Reader, options []ReadOption) (*Mesh, error) { return ReadVTU(r, options...) },
		func(m *Mesh, w io.Writer, _ []WriteOption) error { return m.WriteVTU(w) }},
	{".dat",
		func(r io.Reader, options []ReadOption) (*Mesh, error) {
			m, err := ReadAirfoil(r, options...)
			if err != nil {
				return nil, err
			}
			return m.Joined()
		},
		func(m *Mesh, w io.Writer, _ []WriteOption) error { return m.WriteAirfoil(w) }},
}

// formatOf returns the format that the extension of a path names.
func formatOf(path string) (format, error) {
	ext := filepath.Ext(path)
	for _, f := range formats {
		if strings.EqualFold(ext, f.extension) {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("mesh: %s: expected a file .msh (Gmsh), .vtu (VTK) or .dat (OP2's airfoil), found the extension %q", path, ext)
}

// ReadFile reads a mesh from the file at path, in the format that its extension names: .msh as [ReadGmsh], .vtu as
// [ReadVTU], .dat as [ReadAirfoil] and [Mesh.Joined]: with single nodes along the cut behind the airfoil.
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
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("mesh: %w", err)
	}
	defer file.Close()
	return f.read(file, options)
}

// WriteFile writes the mesh to the file at path, in the format that its extension names: .msh as [Mesh.WriteGmsh], .vtu
// as [Mesh.WriteVTU], .dat as [Mesh.WriteAirfoil]. Options are for .msh alone.
//
// The file appears, or takes the place of one that was there, only when it is complete.
func (m *Mesh) WriteFile(path string, options ...WriteOption) error {
	f, err := formatOf(path)
	if err != nil {
		return err
	}
	var wrote error
	err = wholefile.Write(path, func(w io.Writer) error {
		wrote = f.write(m, w, options)
		return wrote
	})
	if err != nil && wrote == nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return wrote
}
