package hdf5

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/rankfile"
	"github.com/go-op2/op2/internal/store"
)

// Read reads the values of dats and globals that the program has declared, and of its variables. A call that fails may have
// changed some of them.
func (f *File) Read(into ...Thing) (err error) {
	if err := f.enter((*entity.Runtime).EnterData); err != nil {
		return err
	}
	defer f.rt.LeaveTogether(&err)
	if err := f.rt.Agree(f.wrap(f.made(into))); err != nil {
		return err
	}
	for _, t := range into {
		if err := f.readThing(t.Name(), core(t)); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) readThing(name string, thing any) error {
	switch t := thing.(type) {
	case value:
		return f.readValues("value "+name, name, t.of, t.dim, t.memory)
	case *entity.Data:
		if t.Kind() == loop.Dat {
			return f.readDat(name, t)
		}
		return f.readGlobal(name, t)
	}
	return f.wrap(fmt.Errorf("%s: Read takes dats, globals and values\n  hint: the methods of File declare sets, maps and subsets", name))
}

func (f *File) readGlobal(name string, g *entity.Data) error {
	values, err := entity.Writing[byte](g)
	if err := f.rt.Agree(err); err != nil {
		return err
	}
	return f.readValues(g.Describe(), name, g.Value(), g.Dim(), values)
}

// readValues reads a few values on all ranks.
func (f *File) readValues(what, name string, of *loop.Layout, dim int, values []byte) error {
	if err := f.check(what, name, hdf5.ShapeOf(of, uint64(dim))); err != nil {
		return err
	}
	return f.wrap(f.file.Read(rankfile.Section{Path: name, Of: of, Each: of.Size, Rows: f.file.All(int64(dim))}, values))
}

// rows returns the rows that each rank reads or gives of a set's elements: its slab if they are divided, or else all.
func (f *File) rows(set *entity.Set, divided bool) []hdf5.Rows {
	if divided {
		return rankfile.Between(set.Slabs())
	}
	return f.file.All(set.Whole())
}

func (f *File) readDat(name string, d *entity.Data) error {
	set, each := d.Set(), d.Dim()*d.Value().Size
	if err := f.check(d.Describe(), name, hdf5.ShapeOf(d.Value(), uint64(set.Whole()), uint64(d.Dim()))); err != nil {
		return err
	}
	if f.rt.Config().Static {
		return nil
	}
	s := rankfile.Section{Path: name, Of: d.Value(), Each: each, Rows: f.rows(set, set.Among())}
	values := d.LendBlank()
	if !set.Distributed() || !set.Among() {
		return f.wrap(f.file.Read(s, values[:s.Here(f.file)]))
	}
	slab := store.Room(s.Here(f.file))
	if err := f.file.Read(s, slab); err != nil {
		return f.wrap(err)
	}
	return set.FromSlab(each, values, slab)
}

// size returns the number of elements of a set in the file.
func (f *File) size(what, name string) (int64, error) {
	shape, err := f.shape(what, name)
	if err != nil {
		return 0, err
	}
	if shape.Size() != 1 || !isInteger(shape) {
		return 0, &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has %s under its name, not one integer", f.path, shape)}
	}
	n := make([]int64, 1)
	if err := f.file.Read(rankfile.Section{Path: name, Of: hdf5.Numbers(loop.Int64), Each: 8, Rows: f.file.All(1)}, store.Bytes(n)); err != nil {
		return 0, f.wrap(err)
	}
	if n[0] < 0 {
		return 0, &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has it with %d elements", f.path, n[0])}
	}
	return n[0], nil
}

func isInteger(s hdf5.Shape) bool { return strings.HasPrefix(strings.TrimPrefix(s.Type, "u"), "int") }
