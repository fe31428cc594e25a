package mesh

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/native"
)

// Meshes in HDF5, as OP2 lays out its sets, maps and dats: the set nodes with the dat p_x; and
//
//   - of quadrilaterals in the plane whose boundary is the groups wall and far: what OP2's airfoil has in new_grid.h5, the sets
//     cells, edges and bedges, the maps pcell, pedge, pecell, pbedge and pbecell, and the dat p_bound.
//   - of other meshes: for the elements of each kind a set and a map to their nodes, which has the attributes block, its place
//     among the blocks, and kind: cells and pcell where all cells are of one kind, otherwise as triangles and ptriangle. Groups
//     are in groups/0, groups/1 and so on, with the attributes name, tag and dim: the numbers of their elements, by set.

// The names of coordinates and of maps from cells to nodes in files of other programs: of OP2's applications and of Volna.
var (
	hdf5Points = []string{"p_x", "nodeCoords", "x"}
	hdf5Cells  = []string{"pcell", "cellsToNodes", "cell2node"}
)

// openHDF5 loads the library.
func openHDF5() (*hdf5.Library, error) {
	l, err := hdf5.Open(nil)
	if missing := (*native.NotFoundError)(nil); errors.As(err, &missing) {
		err = fmt.Errorf("mesh: %w: %w", op2.ErrUnavailable, err)
	}
	return l, err
}

// hdf5Set returns the name of the set of a block's elements.
func (m *Mesh) hdf5Set(block int) string {
	if block == 0 && len(m.CellBlocks()) == 1 {
		return "cells"
	}
	return plural(m.Blocks[block].Kind)
}
