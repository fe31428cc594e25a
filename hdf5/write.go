package hdf5

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/rankfile"
	"github.com/go-op2/op2/internal/store"
)

// Write writes things under their names. A dat's values, and those that a map or a subset leads to, are written in declared
// order.
func (f *File) Write(things ...Thing) (err error) {
	if err := f.enterToWrite("Write"); err != nil {
		return err
	}
	defer f.rt.LeaveTogether(&err)
	defer func() { f.failed = f.failed || err != nil }()
	if err := f.rt.Agree(f.wrap(f.made(things))); err != nil {
		return err
	}
	for _, t := range things {
		if err := f.writeThing(t.Name(), core(t)); err != nil {
			return err
		}
	}
	return nil
}

func (f *File) writeThing(name string, thing any) error {
	switch t := thing.(type) {
	case *entity.Set:
		return f.writeSet(name, t)
	case *entity.Map:
		return f.writeMap(name, t)
	case *entity.Subset:
		return f.writeSubset(name, t)
	case value:
		return f.writeValues("value "+name, name, t.of, t.dim, t.memory)
	}
	d := thing.(*entity.Data)
	if d.Kind() == loop.Dat {
		return f.writeDat(name, d)
	}
	values, err := entity.Reading[byte](d)
	if err := f.rt.Agree(err); err != nil {
		return err
	}
	return f.writeValues(d.Describe(), name, d.Value(), d.Dim(), values)
}

// create creates a dataset with attributes besides its own, unless there is one of that shape.
func (f *File) create(what string, t hdf5.Table, attributes func(file *hdf5.File) error) error {
	there, err := f.look(t.Path)
	if err != nil {
		return err
	}
	if want := hdf5.ShapeOf(t.Of, t.Dims...); !there.Missing {
		if !there.Shape.Equal(want) {
			return f.differs(what, there.Shape, want)
		}
		return nil
	}
	if t.Dim > 0 && t.Size >= 0 {
		t.Deflate = f.deflate
	}
	return f.file.Act(func(file *hdf5.File) error {
		err := file.CreateTable(t)
		if err == nil && attributes != nil {
			err = attributes(file)
		}
		return f.wrap(err)
	})
}

// writeValues writes a few values that all ranks have.
func (f *File) writeValues(what, name string, of *loop.Layout, dim int, values []byte) error {
	t := hdf5.ConstTable(name, of, dim)
	if err := f.create(what, t, nil); err != nil {
		return err
	}
	s := rankfile.Section{Path: name, Of: of, Each: of.Size, Rows: f.file.First(int64(dim))}
	return f.wrap(f.file.Write(s, values[:s.Here(f.file)]))
}

// writeSet writes the size of a set. A file that has another one is of another mesh.
func (f *File) writeSet(name string, set *entity.Set) error {
	what := "set " + name
	there, err := f.look(name)
	if err != nil {
		return err
	}
	if !there.Missing {
		size, err := f.size(what, name)
		if err == nil && size != set.Whole() {
			err = &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has it with %d elements, the program with %d", f.path, size, set.Whole())}
		}
		return err
	}
	t := hdf5.SetTable(name, set.Whole())
	if err := f.create(what, t, nil); err != nil {
		return err
	}
	size := []int64{set.Whole()}
	s := rankfile.Section{Path: name, Of: hdf5.Numbers(loop.Int64), Each: 8, Rows: f.file.First(1)}
	return f.wrap(f.file.Write(s, store.Bytes(size)[:s.Here(f.file)]))
}

func (f *File) writeDat(name string, d *entity.Data) error {
	set, each := d.Set(), d.Dim()*d.Value().Size
	if err := f.create(d.Describe(), hdf5.DatTable(name, d.Value(), set.Whole(), d.Dim()), nil); err != nil {
		return err
	}
	values, err := d.Show()
	if err := f.rt.Agree(err); err != nil {
		return err
	}
	return f.writeSlab(rankfile.Section{Path: name, Of: d.Value(), Each: each}, set, values)
}

// writeSlab writes rows of the elements of a set that the program sees here.
func (f *File) writeSlab(s rankfile.Section, set *entity.Set, values []byte) error {
	slab, err := set.ToSlab(s.Each, values)
	if err != nil {
		return err
	}
	s.Rows = rankfile.Between(set.Slabs())
	return f.wrap(f.file.Write(s, slab))
}

func (f *File) writeMap(name string, m *entity.Map) error {
	t := hdf5.MapTable(name, m.From().Whole(), m.Arity(), m.To().Whole())
	if err := f.create(m.What(), t, nil); err != nil {
		return err
	}
	return f.writeSlab(rankfile.Section{Path: name, Of: hdf5.Numbers(loop.Int64), Each: 8 * m.Arity()}, m.From(), store.Bytes(m.TargetNumbers()))
}

// writeSubset writes the numbers of elements in ascending order, and the name of their set.
func (f *File) writeSubset(name string, s *entity.Subset) error {
	numbers, err := s.InSlab()
	if err != nil {
		return err
	}
	offsets, err := f.rt.Offsets(len(numbers))
	if err != nil {
		return err
	}
	n := offsets[len(offsets)-1]
	t := hdf5.MapTable(name, n, 1, s.Of().Whole())
	if err := f.create(fmt.Sprintf("subset %s of %s", name, s.Of().Name()), t, func(file *hdf5.File) error { return file.SetText(name, "set", s.Of().Name()) }); err != nil {
		return err
	}
	return f.wrap(f.file.Write(rankfile.Section{Path: name, Of: hdf5.Numbers(loop.Int64), Each: 8, Rows: rankfile.Between(offsets)}, store.Bytes(numbers)))
}
