package hdf5_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/hdf5"
	internal "github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/mpi/mpitest"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
)

func TestMain(m *testing.M) { optest.Main(m) }

// need skips a test where the library is missing, or fails it if OP2_REQUIRE has hdf5.
func need(t *testing.T) {
	t.Helper()
	rt := optest.OpenBackend(t, "go", op2.WithMPI(op2.Off))
	f, err := hdf5.Create(rt, filepath.Join(t.TempDir(), "a.h5"))
	if errors.Is(err, op2.ErrUnavailable) {
		optest.Require(t, "hdf5", err.Error())
	}
	optest.OK(t, err)
	optest.OK(t, f.Close())
}

type state struct {
	Rho      float64
	Wet      bool
	Velocity [2]float32
}

// forms are those in which a rank has a mesh when it writes it.
var forms = []string{"whole", "whole, renumbered", "shares", "whole, distributed", "whole, renumbered, distributed", "shares, distributed"}

// mesh2d is a small mesh with something of each kind, declared in a form.
type mesh2d struct {
	nodes, cells *op2.Set
	cellNodes    *op2.Map
	x            *op2.Dat[float64]
	state        *op2.Dat[state]
	left         *op2.Subset
	total        *op2.Global[int64]
}

func declare(rt *op2.Runtime, form string) (m mesh2d, err error) {
	of := optest.Must(mesh.Rectangle(mesh.Triangle, 5, 4, 1, 1))
	part := func(n int) (first, end int) { return 0, n }
	set := rt.NewSet
	if strings.HasPrefix(form, "shares") {
		part = func(n int) (first, end int) { // other shares than those of files
			at := func(r int) int { return n * r * r / (rt.Ranks() * rt.Ranks()) }
			return at(rt.Rank()), at(rt.Rank() + 1)
		}
		set = func(n int, name string) *op2.Set {
			first, end := part(n)
			return rt.NewSetShare(end-first, name)
		}
	}
	m.nodes, m.cells = set(of.Nodes(), "nodes"), set(of.Cells(), "cells")
	n0, n1 := part(of.Nodes())
	c0, c1 := part(of.Cells())
	m.cellNodes = op2.NewMap(m.cells, m.nodes, 3, of.Blocks[0].Nodes[3*c0:3*c1], "cell2node")
	m.x = op2.NewDat(m.nodes, 2, of.Points[2*n0:2*n1], "x")
	var states []state
	var some []int
	for i := c0; i < c1; i++ {
		states = append(states, state{float64(i), i%3 == 0, [2]float32{float32(i), 1}})
		if i%3 == 1 {
			some = append(some, i)
		}
	}
	m.state = op2.NewDat(m.cells, 1, states, "q")
	m.left = op2.NewSubset(m.cells, some, "third")
	m.total = op2.NewGlobal(rt, []int64{1 << 40, 2}, "total")
	if err := rt.Err(); err != nil {
		return m, err
	}
	if strings.Contains(form, "renumbered") {
		if err := rt.Renumber(m.x); err != nil {
			return m, err
		}
	}
	if strings.HasSuffix(form, "distributed") {
		err = rt.Partition(m.x)
	}
	return m, err
}

func write(rt *op2.Runtime, path, form string, options ...hdf5.Option) error {
	m, err := declare(rt, form)
	if err != nil {
		return err
	}
	f, err := hdf5.Create(rt, path, options...)
	if err != nil {
		return err
	}
	gam := [3]float64{1.4, 0.4, 2}
	err = f.Write(m.nodes, m.cells, m.cellNodes, m.x, hdf5.As("steps/1/q", m.state), m.left, m.total, hdf5.Value("gam", &gam))
	if err != nil {
		return err
	}
	if err := f.SetAttribute("x", "unit", "m"); err != nil {
		return err
	}
	return f.Close()
}

// read reads the file on ranks that need not be those that have written it, before or after they distribute the mesh.
func read(rt *op2.Runtime, path string, late bool) error {
	f, err := hdf5.Open(rt, path)
	if err != nil {
		return err
	}
	nodes, cells := f.Set("nodes"), f.Set("cells")
	cellNodes := f.Map(cells, nodes, 3, "cell2node")
	x := hdf5.Dat[float64](f, nodes, 2, "x")
	third := f.Subset(cells, "third")
	total := hdf5.Global[int64](f, 2, "total")
	if err := rt.Err(); err != nil {
		return err
	}
	if late {
		if err := rt.Partition(x); err != nil {
			return err
		}
		third = f.Subset(cells, "third")
	}
	q := hdf5.Dat[state](f, cells, 1, "steps/1/q")
	again := op2.NewDat(cells, 1, []state(nil), "again")
	var gam [3]float64
	if err := errors.Join(rt.Err(), f.Read(hdf5.As("steps/1/q", again), hdf5.Value("gam", &gam))); err != nil {
		return err
	}
	var unit string
	if err := errors.Join(f.Attribute("x", "unit", &unit), f.Close()); err != nil {
		return err
	}
	if !late {
		if err := rt.Partition(x); err != nil {
			return err
		}
	}
	of := optest.Must(mesh.Rectangle(mesh.Triangle, 5, 4, 1, 1))
	if got := optest.Must(x.InDeclaredOrder()); !slices.Equal(got, of.Points) {
		return fmt.Errorf("x is %v", got)
	}
	if got := cellNodes.InDeclaredOrder(); !slices.Equal(got, of.Blocks[0].Nodes) {
		return fmt.Errorf("cell2node is %v", got)
	}
	for _, d := range []*op2.Dat[state]{q, again} {
		for i, s := range optest.Must(d.InDeclaredOrder()) {
			if want := (state{float64(i), i%3 == 0, [2]float32{float32(i), 1}}); s != want {
				return fmt.Errorf("%s of %d is %v, not %v", d.Name(), i, s, want)
			}
		}
	}
	for _, e := range third.Elements() {
		if number := cells.DeclaredNumbers()[e]; number%3 != 1 {
			return fmt.Errorf("%d is in the subset", number)
		}
	}
	if values := optest.Must(total.DataRO()); third.Size() != 13 || unit != "m" || gam != [3]float64{1.4, 0.4, 2} || !slices.Equal(values, []int64{1 << 40, 2}) {
		return fmt.Errorf("%d elements, unit %q, gam %v, total %v", third.Size(), unit, gam, values)
	}
	return nil
}

// Any number of ranks reads what any other has written, in any form.
func TestRanks(t *testing.T) {
	need(t)
	dir := t.TempDir()
	for _, writers := range []int{1, 2, 4} {
		for _, form := range forms {
			for _, compression := range []int{0, 3} {
				name := fmt.Sprintf("%d %s %d.h5", writers, form, compression)
				path := filepath.Join(dir, name)
				if err := optest.OnRanks(writers, func(rt *op2.Runtime) error {
					return write(rt, path, form, hdf5.Compress(compression))
				}); err != nil {
					t.Fatalf("%s: written: %v", name, err)
				}
				for _, readers := range []int{1, 3} {
					if err := optest.OnRanks(readers, func(rt *op2.Runtime) error { return read(rt, path, form == "whole") }); err != nil {
						t.Fatalf("%s: read on %d: %v", name, readers, err)
					}
				}
			}
		}
	}
}

// Values come from a device, and go there.
func TestDevice(t *testing.T) {
	need(t)
	path := filepath.Join(t.TempDir(), "a.h5")
	rt := optest.OpenBackend(t, "standin")
	optest.OK(t, write(rt, path, "whole"))
	optest.OK(t, read(rt, path, false))
	x := op2.NewDat[float64](rt.NewSet(30, "points"), 2, nil, "x")
	optest.OK(t, errors.Join(x.Fill(7), x.ToDevice()))
	f := optest.Must(hdf5.Append(rt, path))
	optest.OK(t, f.Write(x))
	optest.OK(t, errors.Join(x.Fill(8), x.ToDevice(), f.Read(x), f.Close()))
	optest.Expect(t, x, slices.Repeat([]float64{7}, 60))
}

// On processes, ranks access a file together where the library can.
func TestProcesses(t *testing.T) {
	const folder = "OP2_TEST_HDF5_FOLDER"
	if !mpitest.Inside() {
		optest.NotShort(t)
		need(t)
		for _, c := range []struct {
			kind   string
			ranks  int
			serial bool // the library has no parallel access
		}{{mpitest.OpenMPI, 2, false}, {mpitest.OpenMPI, 4, false}, {mpitest.OpenMPI, 2, true}, {mpitest.MPICH, 2, false}} {
			t.Run(fmt.Sprint(c), func(t *testing.T) {
				dir := t.TempDir()
				t.Setenv(folder, dir)
				if c.serial {
					t.Setenv(internal.Variable, optest.Must(internal.Open(nil)).Path)
				}
				said := mpitest.Run(t, c.kind, c.ranks, "TestProcesses")
				if through := strings.Contains(said, "rank 0 writes for all ranks"); through && !c.serial {
					optest.Require(t, "hdf5", "the parallel library for "+c.kind)
				} else if !through && c.serial {
					t.Error("no warning that rank 0 writes")
				}
				paths := optest.Must(filepath.Glob(filepath.Join(dir, "*.h5")))
				if len(paths) != 2*len(forms) {
					t.Errorf("%d files", len(paths))
				}
				for _, path := range paths {
					optest.OK(t, optest.OnRanks(1, func(rt *op2.Runtime) error { return read(rt, path, false) }))
				}
			})
		}
		return
	}
	for _, form := range forms {
		for _, compression := range []int{0, 3} {
			path := filepath.Join(os.Getenv(folder), fmt.Sprintf("%s %d.h5", form, compression))
			rt := optest.Must(op2.Open(op2.WithBackend("go")))
			optest.OK(t, write(rt, path, form, hdf5.Compress(compression)))
			optest.OK(t, rt.Close())
			rt = optest.Must(op2.Open(op2.WithBackend("go")))
			optest.OK(t, read(rt, path, form == "whole"))
			optest.OK(t, rt.Close())
			rt = optest.Must(op2.Open(op2.WithBackend("go")))
			m := optest.Must(declare(rt, form))
			x := optest.Must(m.x.InDeclaredOrder())
			f := optest.Must(hdf5.Append(rt, path, hdf5.Compress(compression)))
			optest.OK(t, errors.Join(f.Write(hdf5.As("more/x", m.x), m.total), m.x.Zero(), f.Read(hdf5.As("more/x", m.x)), f.Close()))
			optest.Expect(t, m.x, x)
			optest.OK(t, rt.Close())
		}
	}
}
