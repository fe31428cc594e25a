package mesh

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
	"github.com/go-op2/op2/internal/wholefile"
)

// WriteHDF5 writes the mesh to a file in HDF5, with sets, maps and dats as OP2 lays them out, for programs that read them with
// package hdf5 or with OP2. A mesh of quadrilaterals in the plane whose boundary is the groups "wall" and "far" becomes what
// OP2's airfoil has in new_grid.h5, its edges with the first cell to the right. The library, libhdf5, is found at run time;
// the error wraps [op2.ErrUnavailable] where it is missing.
func (m *Mesh) WriteHDF5(path string) (err error) {
	if err := cmp.Or(m.Valid(), m.shaped("WriteHDF5")); err != nil {
		return err
	}
	f, bound := m.asAirfoil()
	if f == nil {
		if m, err = m.Joined(); err != nil {
			return err
		}
	}
	l, err := openHDF5()
	if err != nil {
		return err
	}
	begun, err := wholefile.Begin(path)
	if err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	defer func() {
		if err != nil {
			begun.Discard()
		}
	}()
	w := hdf5Writer{m: m}
	if w.file, err = l.Create(begun.Name, nil); err != nil {
		return fmt.Errorf("mesh: %s: %w", path, err)
	}
	w.nodes()
	if f != nil {
		w.airfoil(f, bound)
	} else {
		w.elements()
	}
	if err := errors.Join(w.err, w.file.Close()); err != nil {
		return fmt.Errorf("mesh: %s: %w", path, err)
	}
	if err := begun.Finish(); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	return nil
}

// hdf5Writer writes a mesh. It keeps the first error.
type hdf5Writer struct {
	m    *Mesh
	file *hdf5.File
	err  error
}

func (w *hdf5Writer) do(f func() error) {
	if w.err == nil {
		w.err = f()
	}
}

// table writes a dataset.
func (w *hdf5Writer) table(t hdf5.Table, of loop.Scalar, values []byte) {
	w.do(func() error { return w.file.CreateTable(t) })
	w.do(func() error {
		return w.file.Write(t.Path, hdf5.Numbers(of), hdf5.Rows{Count: t.Dims[0]}, values)
	})
}

func (w *hdf5Writer) set(name string, n int) {
	w.table(hdf5.SetTable(name, int64(n)), loop.Int32, store.Bytes([]int32{int32(n)}))
}

func (w *hdf5Writer) mapTo(name string, arity int, values []int32) {
	w.table(hdf5.MapTable(name, int64(len(values)/arity), arity, 0), loop.Int32, store.Bytes(values))
}

func (w *hdf5Writer) nodes() {
	w.set("nodes", w.m.Nodes())
	w.table(hdf5.DatTable("p_x", hdf5.Numbers(loop.Float64), int64(w.m.Nodes()), max(w.m.Dim, 1)), loop.Float64, store.Bytes(w.m.Points))
}

// elements writes blocks and groups.
func (w *hdf5Writer) elements() {
	for i := range w.m.Blocks {
		b, set, name := &w.m.Blocks[i], w.m.hdf5Set(i), "p"+w.m.Blocks[i].Kind.String()
		if set == "cells" {
			name = "pcell"
		}
		w.set(set, b.Len())
		w.mapTo(name, b.Kind.Nodes(), b.Nodes)
		w.do(func() error { return w.file.SetText(name, "kind", b.Kind.String()) })
		w.do(func() error { return w.file.SetInteger(name, "block", int64(i)) })
	}
	for i := range w.m.Groups {
		w.group(fmt.Sprintf("groups/%d", i), &w.m.Groups[i])
	}
}

func (w *hdf5Writer) group(path string, g *Group) {
	if len(g.Members) == 0 { // its attributes need something to belong to
		g = &Group{g.Name, g.Tag, g.Dim, []Members{{-1, nil}}}
	}
	for _, members := range g.Members {
		set := "nodes"
		if members.Block >= 0 {
			set = w.m.hdf5Set(members.Block)
		}
		name := path + "/" + set
		w.mapTo(name, 1, members.Elements)
		w.do(func() error { return w.file.SetText(name, "set", set) })
	}
	w.do(func() error { return w.file.SetText(path, "name", g.Name) })
	w.do(func() error { return w.file.SetInteger(path, "tag", int64(g.Tag)) })
	w.do(func() error { return w.file.SetInteger(path, "dim", int64(g.Dim)) })
}

// asAirfoil returns the edges of a mesh that has nothing that OP2's airfoil has no place for, and the groups of those of the
// boundary; of others nil.
func (m *Mesh) asAirfoil() (*Facets, []int32) {
	cells := m.CellBlocks()
	if m.Dim != 2 || len(cells) != 1 || cells[0].Kind != Quadrilateral || len(m.Groups) == 0 {
		return nil, nil
	}
	lines := 0
	for i := 1; i < len(m.Blocks); i++ {
		lines += m.Blocks[i].Len()
	}
	grouped := 0
	for i := range m.Groups {
		g := &m.Groups[i]
		if g.Dim != 1 || !slices.Contains(boundNames, g.Name) {
			return nil, nil
		}
		grouped += g.Len()
	}
	f, err := m.Facets()
	if err != nil || lines != f.Boundary.Len() || grouped != lines {
		return nil, nil
	}
	bound, err := f.BoundaryGroups(boundNames...)
	if err != nil {
		return nil, nil
	}
	return f, bound
}

// airfoil writes what OP2's airfoil has.
func (w *hdf5Writer) airfoil(f *Facets, bound []int32) {
	w.set("cells", w.m.Cells())
	w.set("edges", f.Interior.Len())
	w.set("bedges", f.Boundary.Len())
	w.mapTo("pcell", 4, w.m.Blocks[0].Nodes)
	w.mapTo("pedge", 2, f.Interior.Reversed())
	w.mapTo("pecell", 2, f.Interior.Cells)
	w.mapTo("pbedge", 2, f.Boundary.Reversed())
	w.mapTo("pbecell", 1, f.Boundary.Cells)
	w.table(hdf5.DatTable("p_bound", hdf5.Numbers(loop.Int32), int64(len(bound)), 1), loop.Int32, store.Bytes(bound))
}
