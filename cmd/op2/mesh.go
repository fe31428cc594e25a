package main

import (
	"fmt"

	"github.com/go-op2/op2/mesh"
)

// makeMesh writes the mesh around NACA 0012 as OP2's new_grid.dat.
func makeMesh(c console, args []string) error {
	f := newFlags("mesh", "")
	i := f.Int("i", 400, "cells along the airfoil; the mesh has 3 * i * j cells")
	j := f.Int("j", 600, "cells from the airfoil outwards")
	seed := f.Uint64("shuffle", 0, "number everything at random, by this `seed`; 0: in good order")
	path := f.String("o", "new_grid.dat", "the `file` to write")
	if err := parse(c, f, args); err != nil {
		return err
	}
	m, err := mesh.NACA0012(*i, *j)
	if err != nil {
		return fmt.Errorf("op2 mesh: %w", err)
	}
	if *seed != 0 {
		m.Shuffle(*seed)
	}
	if err := m.WriteFile(*path); err != nil {
		return fmt.Errorf("op2 mesh: %w", err)
	}
	if _, err := fmt.Fprintf(c.results, "%d nodes, %d cells, %d edges, %d boundary edges\n", m.Nodes, m.Cells, m.Edges, m.Bedges); err != nil {
		return err
	}
	return c.wrote(*path)
}
