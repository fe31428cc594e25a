package vtk

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/partial"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/mesh"
)

var errShare = errors.New("vtk: the mesh is the share of one rank, whose results are in pieces\n" +
	"  hint: the name of such a file or series ends in .pvtu or .vtkhdf; files have fields of dats, and series the option vtk.On(rt)")

// newWriter returns a writer, which has encoded the geometry of all blocks.
// It is of a piece, if there is one, which consists of the mesh.
func newWriter(m *mesh.Mesh, p *rankPiece, c *config) (*writer, error) {
	if m == nil {
		return nil, fmt.Errorf("vtk: there is no mesh")
	}
	if err := m.Valid(); err != nil {
		return nil, fmt.Errorf("vtk: %w", err)
	}
	w := &writer{mesh: m, piece: p, ranks: comm.Alone, points: slices.Clone(m.Points), single: c.single, format: vtu.Format{Text: c.text, Compressed: !c.text}}
	if p != nil {
		w.rt, w.ranks = p.rt, p.rt.Comm()
	}
	if err := w.addBlocks(c); err != nil {
		return nil, fmt.Errorf("vtk: %w", err)
	}
	return w, nil
}

// writerOn returns a writer: of this rank's piece if the file is one in pieces, or in HDF5 and each rank has a mesh;
// otherwise of the whole mesh on rank 0, and nil on others. It is collective then.
func writerOn(runtime *op2.Runtime, m *mesh.Mesh, c *config, pieces, hdf bool) (w *writer, err error) {
	rt := (*entity.Runtime)(runtime)
	var refused error
	if (pieces || hdf) && m != nil && len(m.Blocks) > 0 && m.Blocks[0].Kind == mesh.Polyhedron {
		refused = errors.New("vtk: polyhedra are written whole, and not to .vtkhdf\n  hint: without .pvtu or .vtkhdf, rank 0 writes them to .vtu")
	}
	if runtime.Ranks() > 1 && (pieces || hdf) {
		err = together(rt, func() error {
			if err := rt.Agree(refused); err != nil { // others may have no mesh
				return err
			}
			if lacking, err := rt.AnyRank(m == nil); err != nil || lacking && !pieces {
				return err
			}
			p, here, err := newPiece(rt, m, c)
			if err != nil {
				return fmt.Errorf("vtk: %w", problem.Bare(err))
			}
			w, err = newWriter(here, p, c)
			return err
		})
		if w != nil || err != nil {
			return w, err
		}
	}
	if refused != nil {
		return nil, refused
	}
	if m != nil && errors.As(m.Valid(), new(*partial.MeshError)) {
		return nil, errShare
	}
	for _, p := range c.parts {
		if err := p.checkWhole(); err != nil {
			return nil, fmt.Errorf("vtk: %w", err)
		}
	}
	if runtime.Rank() != 0 {
		return nil, nil
	}
	return newWriter(m, nil, c)
}
