package hdf5_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/hdf5"
	internal "github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/store"
)

// What a file has otherwise than the program is named, on one rank and on several.
func TestErrors(t *testing.T) {
	need(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.h5")
	optest.OK(t, optest.OnRanks(1, func(rt *op2.Runtime) error {
		if err := write(rt, path, "whole"); err != nil {
			return err
		}
		f, err := hdf5.Append(rt, path)
		if err != nil {
			return err
		}
		wrong, outside := int64(-3), [2]int32{0, 7}
		set := rt.NewSet(2, "pair")
		return errors.Join(f.Write(hdf5.Value("negative", &wrong), set, hdf5.As("far", op2.NewDat(set, 1, outside[:], "far"))), f.Close())
	}))
	at := func(name string, content []byte) string {
		optest.OK(t, os.WriteFile(filepath.Join(dir, name), content, 0o666))
		return filepath.Join(dir, name)
	}
	whole := optest.Must(os.ReadFile(path))
	future := slices.Clone(whole)
	future[8] = 9 // the version of the superblock
	at("text.h5", []byte("no HDF5"))
	at("cut.h5", whole[:len(whole)-100])
	at("future.h5", future)
	type names struct{ A, B float32 }
	for _, c := range []struct {
		do   func(rt *op2.Runtime, f *hdf5.File) error
		want string
	}{
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Set("node").Err() },
			"op2: set node: DIR/a.h5 has no dataset \"node\" (did you mean \"nodes\"?)\n  hint: it has cell2node, cells, far, gam, negative, nodes, pair, steps/1/q, third, total, x"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Set("x").Err() },
			"op2: set x: DIR/a.h5 has [30][2]float64 under its name, not one integer"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Set("negative").Err() },
			"op2: set negative: DIR/a.h5 has it with -3 elements"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return hdf5.Dat[float64](f, f.Set("nodes"), 3, "x").Err() },
			"op2: dat x on nodes: DIR/a.h5 has it as [30][2]float64, the program as [30][3]float64"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return hdf5.Dat[float32](f, f.Set("nodes"), 2, "x").Err() },
			"op2: dat x on nodes: DIR/a.h5 has it as [30][2]float64, the program as [30][2]float32"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return hdf5.Dat[float64](f, f.Set("cells"), 2, "x").Err() },
			"op2: dat x on cells: DIR/a.h5 has it as [30][2]float64, the program as [40][2]float64"},
		{func(_ *op2.Runtime, f *hdf5.File) error {
			return hdf5.Dat[names](f, f.Set("cells"), 1, "steps/1/q").Err()
		},
			"op2: dat steps/1/q on cells: DIR/a.h5 has it as [40][1]{Rho float64; Wet bool; Velocity [2]float32}, the program as [40][1]{A float32; B float32}"},
		{func(_ *op2.Runtime, f *hdf5.File) error {
			return f.Map(f.Set("cells"), f.Set("nodes"), 4, "cell2node").Err()
		},
			"op2: map cell2node from cells to nodes: DIR/a.h5 has it as [40][3]int32, the program as [40][4]int32"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Map(f.Set("nodes"), f.Set("cells"), 2, "x").Err() },
			"op2: map x from nodes to cells: DIR/a.h5 has it as [30][2]float64, the program as [30][2]int32"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Map(f.Set("pair"), f.Set("pair"), 1, "far").Err() },
			"op2: map far from pair to pair: value 7, of component 0 for element 1, is not one of the 2 pair"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Subset(f.Set("nodes"), "third").Err() },
			"op2: subset third of nodes: DIR/a.h5 has it as one of cells"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Subset(f.Set("nodes"), "x").Err() },
			"op2: subset x of nodes: DIR/a.h5 has it as [30][2]float64, not as a list of numbers"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return hdf5.Global[int64](f, 3, "total").Err() },
			"op2: global total: DIR/a.h5 has it as [2]int64, the program as [3]int64"},
		{func(_ *op2.Runtime, f *hdf5.File) error {
			var gam [3]float32
			return f.Read(hdf5.Value("gam", &gam))
		}, "op2: value gam: DIR/a.h5 has it as [3]float64, the program as [3]float32"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Read(f.Set("nodes")) },
			"op2: hdf5: DIR/a.h5: nodes: Read takes dats, globals and values\n  hint: the methods of File declare sets, maps and subsets"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Read(hdf5.Value("f", new(func()))) },
			"op2: hdf5: DIR/a.h5: value f: func() is not plain: values are numbers, bools, and arrays and structs of these"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Read(nil) }, "op2: hdf5: DIR/a.h5: thing 0 is nil"},
		{func(_ *op2.Runtime, f *hdf5.File) error { return f.Read((*op2.Dat[float64])(nil)) }, "op2: hdf5: DIR/a.h5: thing 0 is nil"},
		{func(rt *op2.Runtime, f *hdf5.File) error {
			return f.Write(rt.NewSet(1, "new"))
		}, "op2: hdf5: DIR/a.h5: Write: the file is open for reading alone"},
		{func(_ *op2.Runtime, f *hdf5.File) error {
			var unit float64
			return f.Attribute("x", "unit", &unit)
		}, "op2: hdf5: DIR/a.h5: attribute unit of x: it is string, and does not fit into float64"},
		{func(_ *op2.Runtime, f *hdf5.File) error {
			var text string
			err := f.Attribute("", "title", &text)
			if !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%v is not fs.ErrNotExist", err)
			}
			return err
		}, "op2: hdf5: DIR/a.h5: attribute title: file does not exist"},
		{func(rt *op2.Runtime, f *hdf5.File) error { return opening(rt, dir, "text.h5") }, "op2: hdf5: DIR/text.h5: file signature not found"},
		{func(rt *op2.Runtime, f *hdf5.File) error { return opening(rt, dir, "cut.h5") }, "op2: hdf5: DIR/cut.h5: truncated file:"},
		{func(rt *op2.Runtime, f *hdf5.File) error { return opening(rt, dir, "future.h5") }, "op2: hdf5: DIR/future.h5: bad superblock version number"},
		{func(rt *op2.Runtime, f *hdf5.File) error { return opening(rt, dir, "none.h5") }, "op2: hdf5: DIR/none.h5: unable to open file: name = 'DIR/none.h5', errno = 2"},
		{func(rt *op2.Runtime, f *hdf5.File) error { return opening(rt, dir, "") }, "op2: hdf5: DIR: file read failed: time = "},
		{func(rt *op2.Runtime, f *hdf5.File) error {
			_, err := hdf5.Create(rt, filepath.Join(dir, "no/such.h5"))
			return err
		}, "op2: hdf5: create DIR/no/such.h5: there is no folder DIR/no"},
		{func(rt *op2.Runtime, f *hdf5.File) error {
			_, err := hdf5.Create(rt, filepath.Join(dir, "b.h5"), hdf5.Compress(10))
			return err
		}, "op2: hdf5: DIR/b.h5: Compress: expected a level from 1 to 9, found 10"},
	} {
		for _, n := range []int{1, 2} {
			_ = optest.OnRanks(n, func(rt *op2.Runtime) error {
				f := optest.Must(hdf5.Open(rt, path))
				err := c.do(rt, f)
				got := aRank.ReplaceAllString(optest.ErrorText(orNone(err)), "")
				if rt.Rank() == 0 && !strings.HasPrefix(strings.ReplaceAll(got, dir, "DIR"), c.want) {
					t.Errorf("on %d ranks:\n%s\nwant:\n%s", n, got, c.want)
				}
				return nil
			})
		}
	}
}

// aRank is which rank has failed alone.
var aRank = regexp.MustCompile(`rank \d: `)

func orNone(err error) error {
	if err == nil {
		return errors.New("no error")
	}
	return err
}

func opening(rt *op2.Runtime, dir, name string) error {
	_, err := hdf5.Open(rt, filepath.Join(dir, name))
	return err
}

// Where a call fails, there is no new file, and the old one stays.
func TestCreateIsAtomic(t *testing.T) {
	need(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.h5")
	optest.OK(t, os.WriteFile(path, []byte("old"), 0o666))
	optest.OK(t, optest.OnRanks(2, func(rt *op2.Runtime) error {
		f := optest.Must(hdf5.Create(rt, path))
		nodes := rt.NewSet(3, "nodes")
		x := op2.NewDat[float64](nodes, 1, nil, "nodes")
		if err := f.Write(nodes, x); err == nil {
			return errors.New("a dat under the name of a set")
		}
		return f.Close()
	}))
	if got := optest.Must(os.ReadFile(path)); string(got) != "old" {
		t.Errorf("the file is %q", got)
	}
	if files := optest.Must(os.ReadDir(dir)); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// What a file has is replaced where it has the same shape.
func TestAppend(t *testing.T) {
	need(t)
	for _, n := range []int{1, 2} {
		path := filepath.Join(t.TempDir(), "a.h5")
		optest.OK(t, optest.OnRanks(n, func(rt *op2.Runtime) error {
			nodes, other := rt.NewSet(5, "nodes"), rt.NewSet(6, "other")
			x := op2.NewDat(nodes, 1, []float64{1, 2, 3, 4, 5}, "x")
			for _, v := range []float64{1, 7} {
				f, err := hdf5.Append(rt, path)
				if err != nil {
					return err
				}
				if err := errors.Join(x.Fill(v), f.Write(nodes, x), f.Close()); err != nil {
					return err
				}
			}
			f := optest.Must(hdf5.Append(rt, path))
			if err := f.Write(hdf5.As("nodes", other)); err == nil || !strings.Contains(err.Error(), "a.h5 has it with 5 elements, the program with 6") {
				t.Errorf("another set: %v", err)
			}
			if err := errors.Join(x.Fill(0), f.Read(x), f.Close()); err != nil {
				return err
			}
			if got := optest.Must(x.InDeclaredOrder()); !slices.Equal(got, []float64{7, 7, 7, 7, 7}) {
				t.Errorf("%v", got)
			}
			return nil
		}))
	}
}

// Sets without elements, files as MG-CFD's that do not name their sets, and calls on what is not there.
func TestOdd(t *testing.T) {
	need(t)
	path := filepath.Join(t.TempDir(), "a.h5")
	optest.OK(t, optest.OnRanks(3, func(rt *op2.Runtime) error {
		none, edges, nodes := rt.NewSet(0, "none"), rt.NewSet(4, "edges"), rt.NewSet(3, "nodes")
		m := op2.NewMap(edges, nodes, 2, []int64{0, 1, 1, 2, 2, 0, 0, 2}, "edge-->node")
		f := optest.Must(hdf5.Create(rt, path))
		return errors.Join(f.Write(none, op2.NewDat[float32](none, 2, nil, "nothing"), op2.NewMap(none, nodes, 1, []int32{}, "nowhere"),
			op2.NewSubset(edges, []int{}, "few"), m), f.Close())
	}))
	optest.OK(t, optest.OnRanks(2, func(rt *op2.Runtime) error {
		f := optest.Must(hdf5.Open(rt, path))
		none, edges, nodes := f.Set("none"), f.SetOf("edge-->node", "edges"), rt.NewSetShare(3*rt.Rank(), "nodes")
		nothing := hdf5.Dat[float32](f, none, 2, "nothing")
		nowhere, ends := f.Map(none, nodes, 1, "nowhere"), f.Map(edges, nodes, 2, "edge-->node")
		few := f.Subset(edges, "few")
		if err := rt.Err(); err != nil {
			return err
		}
		if none.Size() != 0 || edges.Size() != 4 || few.Size() != 0 || nothing.Dim() != 2 || nowhere.Arity() != 1 || !slices.Equal(ends.InDeclaredOrder(), []int32{0, 1, 1, 2, 2, 0, 0, 2}) {
			return fmt.Errorf("%d, %d, %d elements", none.Size(), edges.Size(), few.Size())
		}
		if names, err := f.Datasets(); err != nil || len(names) != 5 {
			return fmt.Errorf("%v: %q", err, names)
		}
		if err := f.Close(); err != nil {
			return err
		}
		if err := f.Close(); err == nil || !strings.Contains(err.Error(), "the file is closed") {
			return fmt.Errorf("closed again: %w", err)
		}
		if err := f.Set("late").Err(); err == nil || !strings.Contains(err.Error(), "the file is closed") {
			return fmt.Errorf("a set of a closed file: %w", err)
		}
		return nil
	}))
	var no *hdf5.File
	if err := errors.Join(no.Set("a").Err(), no.Write(), no.Read(), no.Close()); err == nil || strings.Count(err.Error(), "op2: ") != 4 {
		t.Errorf("a nil file: %v", err)
	}
}

// Sets may have more than 2^32 elements, of which each rank has a share; maps then hold 64 bits.
func TestLargeSets(t *testing.T) {
	need(t)
	const size = 3 << 31
	dir := t.TempDir()
	sets := filepath.Join(dir, "sets.h5")
	optest.OK(t, optest.OnRanks(1, func(rt *op2.Runtime) error {
		large, f := int64(size), optest.Must(hdf5.Create(rt, sets))
		return errors.Join(f.Write(rt.NewSet(5, "few"), hdf5.Value("many", &large)), f.Close())
	}))
	targets := []int64{0, 1 << 31, 1 << 32, size - 1, 7}
	var maps [][]byte
	for _, n := range []int{4, 5} {
		path := filepath.Join(dir, fmt.Sprint(n, ".h5"))
		optest.OK(t, optest.OnRanks(n, func(rt *op2.Runtime) error {
			f := optest.Must(hdf5.Open(rt, sets))
			few, many := f.Set("few"), f.Set("many")
			var far *op2.Map
			if maps == nil {
				r := rt.Rank()
				far = op2.NewMap(few, many, 1, targets[5*r/n:5*(r+1)/n], "far")
			} else {
				g := optest.Must(hdf5.Open(rt, filepath.Join(dir, "4.h5")))
				far = g.Map(few, many, 1, "far")
				optest.OK(t, g.Close())
			}
			if err := rt.Err(); err != nil {
				return err
			}
			if many.Size() != size {
				return fmt.Errorf("%d elements", many.Size())
			}
			out := optest.Must(hdf5.Create(rt, path))
			return errors.Join(out.Write(many, far), out.Close(), f.Close())
		}))
		l := optest.Must(internal.Open(nil))
		file := optest.Must(l.Open(path, false, nil))
		got := make([]byte, 8*len(targets))
		optest.OK(t, file.Read("far", internal.Numbers(loop.Int64), internal.Rows{Count: 5}, got))
		if shape := optest.Must(file.Shape("far")).String() + optest.Must(file.Shape("many")).String(); shape != "[5][1]int64[1]int64" {
			t.Errorf("the shapes are %s", shape)
		}
		optest.OK(t, file.Close())
		maps = append(maps, got)
	}
	for _, got := range maps {
		if !slices.Equal(store.As[int64](got), targets) {
			t.Errorf("the map is %v", store.As[int64](got))
		}
	}
}
