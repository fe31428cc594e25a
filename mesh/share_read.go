package mesh

import (
	"fmt"
	"path/filepath"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

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
