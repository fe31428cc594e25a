package hdf5

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/rankfile"
	"github.com/go-op2/op2/internal/store"
)

// runtime returns the runtime of a file; nil for nil.
func (f *File) runtime() *entity.Runtime {
	if f == nil {
		return nil
	}
	return f.rt
}

// declare declares something of the file, as the constructors of op2 do: an error is that of [op2.Runtime.Err].
func declare[T any](f *File, what string, construct func() (T, error), instead func(failed *entity.Runtime) T) T {
	return entity.Declare(entity.Declaration{On: []*entity.Runtime{f.runtime()}, What: what, Of: "file", Together: true}, func() (T, error) {
		if f.closed {
			var none T
			return none, f.wrap(errors.New("the file is closed"))
		}
		return construct()
	}, instead)
}

// Set declares the set of that name. On several ranks each has an equal share of it, as with [op2.Runtime.NewSetShare].
func (f *File) Set(name string) *op2.Set {
	return f.set(name, func() (int64, error) { return f.size("set "+name, name) })
}

// SetOf declares a set that has an element for each row of a dataset: files that do not name their sets, as MG-CFD's, have
// maps and dats alone.
func (f *File) SetOf(dataset, name string) *op2.Set {
	return f.set(name, func() (int64, error) {
		shape, err := f.shape("set "+name, dataset)
		if err != nil {
			return 0, err
		}
		return int64(append(slices.Clone(shape.Dims), 1)[0]), nil
	})
}

func (f *File) set(name string, size func() (int64, error)) *op2.Set {
	return (*op2.Set)(declare(f, "set "+name, func() (*entity.Set, error) {
		n, err := size()
		if err != nil {
			return nil, err
		}
		r, ranks := int64(f.rt.Rank()), int64(f.rt.Comm().Size())
		return f.rt.NewSetShare(int(n*(r+1)/ranks-n*r/ranks), name)
	}, func(failed *entity.Runtime) *entity.Set { return entity.InertSet(failed, name) }))
}

// Map declares the map of that name. The file's integers may have any size.
func (f *File) Map(from, to *op2.Set, arity int, name string) *op2.Map {
	of, target := (*entity.Set)(from), (*entity.Set)(to)
	what := fmt.Sprintf("map %s from %s to %s", name, from.Name(), to.Name())
	return (*op2.Map)(declare(f, what, func() (*entity.Map, error) {
		if err := f.belong(what, from, to); err != nil {
			return nil, err
		}
		if err := whole(what, of, target); err != nil {
			return nil, err
		}
		want := hdf5.Shape{Dims: []uint64{uint64(of.Whole()), uint64(arity)}, Type: "int32"}
		shape, err := f.shape(what, name)
		if err != nil {
			return nil, err
		}
		if !isInteger(shape) || !same(hdf5.Shape{Dims: shape.Dims, Type: want.Type}, want) {
			return nil, f.differs(what, shape, want)
		}
		if shape.Type == "int64" || shape.Type == "uint64" || shape.Type == "uint32" {
			return readMap[int64](f, name, of, target, arity, loop.Int64)
		}
		return readMap[int32](f, name, of, target, arity, loop.Int32)
	}, func(failed *entity.Runtime) *entity.Map { return entity.InertMap(failed, arity, name) }))
}

func readMap[I int32 | int64](f *File, name string, from, to *entity.Set, arity int, as loop.Scalar) (*entity.Map, error) {
	s := rankfile.Section{Path: name, Of: hdf5.Numbers(as), Each: arity * as.Size(), Rows: f.rows(from, from.Shared())}
	values := make([]I, s.Here(f.file)/as.Size())
	if err := f.file.Read(s, store.Bytes(values)); err != nil {
		return nil, f.wrap(err)
	}
	return entity.NewMap(from, to, arity, values, name, false)
}

// whole returns an error for sets that came distributed, with numbers of each rank's own.
func whole(what string, sets ...*entity.Set) error {
	for _, s := range sets {
		if s.IsReady() {
			return fmt.Errorf("op2: %s: %s is a LocalSet, of which each rank declares maps and subsets in local numbers", what, s.Name())
		}
	}
	return nil
}

// belong returns an error unless sets are those of the file's runtime.
func (f *File) belong(what string, sets ...*op2.Set) error {
	for _, set := range sets {
		s := (*entity.Set)(set)
		switch {
		case s == nil:
			return fmt.Errorf("op2: %s: a set is nil", what)
		case s.Runtime().Failed() != nil:
			return s.Runtime().Failed()
		case s.Runtime() != f.rt:
			return fmt.Errorf("op2: %s: %s is of %s, the file of %s", what, s.Name(), s.Runtime().Besides(f.rt), f.rt.Besides(s.Runtime()))
		}
	}
	return nil
}

// Subset declares the subset of that name.
func (f *File) Subset(of *op2.Set, name string) *op2.Subset {
	set := (*entity.Set)(of)
	what := fmt.Sprintf("subset %s of %s", name, of.Name())
	return (*op2.Subset)(declare(f, what, func() (*entity.Subset, error) {
		if err := f.belong(what, of); err != nil {
			return nil, err
		}
		if err := whole(what, set); err != nil {
			return nil, err
		}
		shape, err := f.shape(what, name)
		if err != nil {
			return nil, err
		}
		if !isInteger(shape) || len(trimmed(shape.Dims)) != 1 {
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has it as %s, not as a list of numbers", f.path, shape)}
		}
		owner, err := rankfile.Ask(f.file, func(file *hdf5.File) (string, error) {
			text, err := file.Text(name, "set")
			if errors.Is(err, fs.ErrNotExist) {
				return of.Name(), nil
			}
			return text, f.wrap(err)
		})
		if err == nil && owner != of.Name() {
			err = &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has it as one of %s", f.path, owner)}
		}
		if err != nil {
			return nil, err
		}
		numbers, err := f.numbers(name, set, int64(append(slices.Clone(shape.Dims), 1)[0]))
		if err != nil {
			return nil, err
		}
		return entity.NewSubset(set.All(), numbers, name)
	}, func(failed *entity.Runtime) *entity.Subset { return entity.InertSubset(failed, name) }))
}

// numbers reads a list of n elements of a set, of which this rank keeps those that it declares. Each reads all of it, a part
// at a time.
func (f *File) numbers(name string, set *entity.Set, n int64) (kept []int64, err error) {
	const most = 1 << 20
	slabs := set.Slabs()
	first, end := slabs[f.rt.Rank()], slabs[f.rt.Rank()+1]
	part := make([]int64, min(n, most))
	for at := int64(0); at < n; at += most {
		part = part[:min(most, n-at)]
		rows := f.file.All(int64(len(part)))
		for i := range rows {
			rows[i].First = uint64(at)
		}
		if err := f.file.Read(rankfile.Section{Path: name, Of: hdf5.Numbers(loop.Int64), Each: 8, Rows: rows}, store.Bytes(part)); err != nil {
			return nil, f.wrap(err)
		}
		for _, e := range part {
			outside := e < 0 || e >= set.Whole() // which the constructor reports
			if !set.Shared() || outside || e >= first && e < end {
				kept = append(kept, e)
			}
		}
	}
	return kept, nil
}

// Dat declares the dat of that name, with dim values of type T for each element.
func Dat[T any](f *File, set *op2.Set, dim int, name string) *op2.Dat[T] {
	what := fmt.Sprintf("dat %s on %s", name, set.Name())
	return (*op2.Dat[T])(declare(f, what, func() (*entity.Data, error) {
		if err := f.belong(what, set); err != nil {
			return nil, err
		}
		d, err := entity.NewDat[T]((*entity.Set)(set), dim, nil, name)
		if err := f.rt.Agree(err); err != nil {
			return nil, err
		}
		f.rt.Program().Declare(d)
		return d, f.readDat(name, d)
	}, func(failed *entity.Runtime) *entity.Data {
		return entity.InertDat(failed, dim, loop.TypeFor[T](), name)
	}))
}

// Global declares the global of that name, with dim values of type T.
func Global[T any](f *File, dim int, name string) *op2.Global[T] {
	return (*op2.Global[T])(declare(f, "global "+name, func() (*entity.Data, error) {
		g, err := entity.NewGlobal(f.rt, make([]T, max(dim, 0)), name)
		if err := f.rt.Agree(err); err != nil {
			return nil, err
		}
		f.rt.Program().Declare(g)
		return g, f.readGlobal(name, g)
	}, func(failed *entity.Runtime) *entity.Data {
		return entity.InertGlobal(failed, dim, loop.TypeFor[T](), name)
	}))
}
