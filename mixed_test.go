package op2_test

import (
	_ "embed"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed mixed_kernels_test.go
var mixedKernels string

// mixedFixture is a velocity on nodes, and a pressure on corners, of two cells.
type mixedFixture struct {
	rt                    *op2.Runtime
	cells, nodes, corners *op2.Set
	cell2node, cell2one   *op2.Map
	maps                  *op2.MixedMap
	u, p                  *op2.Dat[float64]
	up, out               *op2.MixedDat[float64]
}

func newMixedFixture(t *testing.T, options ...op2.Option) *mixedFixture {
	f := &mixedFixture{rt: optest.Open(t, append([]op2.Option{op2.WithBackend("go")}, options...)...)}
	f.cells, f.nodes, f.corners = optest.NewSet(t, f.rt, 2, "cells"), optest.NewSet(t, f.rt, 4, "nodes"), optest.NewSet(t, f.rt, 3, "corners")
	f.cell2node = optest.NewMap(t, f.cells, f.nodes, 3, []int32{0, 1, 2, 1, 3, 2}, "cell2node")
	f.cell2one = optest.NewMap(t, f.cells, f.corners, 1, []int32{2, 0}, "cell2one")
	f.maps = op2.NewMixedMap([]*op2.Map{f.cell2node, f.cell2one}, "cell2both")
	f.u = optest.NewDat(t, f.nodes, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8}, "u")
	f.p = optest.NewDat(t, f.corners, 1, []float64{-1, -2, -3}, "p")
	f.up = op2.NewMixedDat([]*op2.Dat[float64]{f.u, f.p}, "up")
	f.out = f.up.Duplicate("out")
	return f
}

func (f *mixedFixture) kernel(k any) *op2.Kernel { return op2.Kernels(mixedKernels).Func(k) }

func TestMixedArithmetic(t *testing.T) {
	f := newMixedFixture(t)
	optest.OK(t, f.out.Scale(10))
	optest.OK(t, f.out.AXPY(2, f.up))
	optest.Expect(t, f.out.Parts()[0], []float64{12, 24, 36, 48, 60, 72, 84, 96})
	optest.Expect(t, f.out.Parts()[1], []float64{-12, -24, -36})
	optest.OK(t, f.out.Copy(f.up))
	optest.Near(t, optest.Must(f.out.Inner(f.up)), 204+14, 0)
	optest.Near(t, optest.Must(f.up.Norm()), math.Sqrt(218), 1e-15)
	optest.Must(f.out.Parts()[1].Data())[2] = 7
	optest.Expect(t, f.out.Parts()[1], []float64{-1, -2, 7})
	optest.OK(t, f.out.Zero())
	optest.Near(t, optest.Must(f.out.Norm()), 0, 0)

	zeros := op2.NewMixedDat([]*op2.Dat[float64]{op2.NewDat[float64](f.nodes, 2, nil, "zero u"), op2.NewDat[float64](f.corners, 1, nil, "zero p")}, "zeros")
	optest.OK(t, zeros.AXPY(1, f.up))
	optest.Expect(t, zeros.Parts()[0], optest.Must(f.u.DataRO()))
	if got := []string{f.out.Parts()[0].Name(), f.up.Name(), f.maps.Parts()[0].Name()}; !slices.Equal(got,
		[]string{"out.u", "up", "cell2node"}) {
		t.Error(got)
	}
}

// Operations on mixed dats do to each part what they do to a dat.
func TestMixedOperations(t *testing.T) {
	type (
		plain = *op2.Dat[float64]
		mixed = *op2.MixedDat[float64]
	)
	f := newMixedFixture(t)
	x := f.up.Duplicate("x")
	optest.OK(t, x.Scale(3))
	for _, test := range []struct {
		name   string
		on     func(y, x mixed) error
		onEach func(y, x plain) error
	}{
		{"Add", mixed.Add, plain.Add}, {"Sub", mixed.Sub, plain.Sub}, {"Mul", mixed.Mul, plain.Mul}, {"Div", mixed.Div, plain.Div}, {"Copy", mixed.Copy, func(y, x plain) error { return y.Copy(x) }},
		{"Fill", func(y, _ mixed) error { return y.Fill(5) }, func(y, _ plain) error { return y.Fill(5) }},
		{"MAXPY", func(y, x mixed) error { return y.MAXPY([]float64{2, 3}, x, f.out) }, func(y, x plain) error {
			other := f.out.Parts()[0]
			if y.Set() == f.corners {
				other = f.out.Parts()[1]
			}
			return y.MAXPY([]float64{2, 3}, x, other)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			y := f.up.Duplicate("y")
			optest.OK(t, test.on(y, x))
			for i, p := range f.up.Parts() {
				want := p.Duplicate("want")
				optest.OK(t, test.onEach(want, x.Parts()[i]))
				optest.Expect(t, y.Parts()[i], optest.Must(want.DataRO()))
			}
		})
	}
	optest.ExpectError(t, x.MAXPY([]float64{1}, f.up, x), "op2: mixed dat x: part 0: dat x.u on nodes: MAXPY: the other dat is x.u itself\n  hint: Duplicate gives a second one")
}

// Reduce combines each part with what elements leave there by an operation of the program.
func TestMixedReduce(t *testing.T) {
	for _, backend := range []string{"go", "sequential"} {
		f := newMixedFixture(t, op2.WithBackend(backend))
		optest.OK(t, f.out.Fill(4))
		optest.Run(t, f.kernel(copyParts), f.cells, f.up.Read(f.maps), f.out.Reduce(f.kernel(largerOfTwo), math.Inf(-1), f.maps))
		optest.Expect(t, f.out.Parts()[0], []float64{4, 4, 4, 4, 5, 6, 7, 8})
		optest.Expect(t, f.out.Parts()[1], []float64{4, 4, 4})
	}
}

// ParLoop finds loops on mixed dats again, and tells those apart that differ in the places of parts.
func TestMixedLoopCache(t *testing.T) {
	f := newMixedFixture(t)
	for range 3 {
		optest.Run(t, f.kernel(copyParts), f.cells, f.up.Read(f.maps), f.out.Write(f.maps))
	}
	optest.Expect(t, f.out.Parts()[1], []float64{-1, -2, -3})
	optest.OK(t, f.up.Scale(2))
	optest.Run(t, f.kernel(copyParts), f.cells, f.up.Read(f.maps), f.out.Write(f.maps))
	optest.Expect(t, f.out.Parts()[0], []float64{2, 4, 6, 8, 10, 12, 14, 16})
	optest.OK(t, f.cell2one.SetValues([]int32{1, 1}))
	optest.Run(t, f.kernel(copyParts), f.cells, f.up.Read(f.maps), f.out.RW(f.maps))
}

// numbered matches the number of a runtime in a message.
var numbered = regexp.MustCompile(`runtime \d+ of`)

func TestMixedErrors(t *testing.T) {
	f := newMixedFixture(t)
	other := newMixedFixture(t)
	edges := optest.NewSet(t, f.rt, 5, "edges")
	edge2node := optest.NewMap(t, edges, f.nodes, 3, make([]int32, 15), "edge2node")
	one := op2.NewMixedDat([]*op2.Dat[float64]{f.p}, "one")
	swapped := op2.NewMixedMap([]*op2.Map{f.cell2one, f.cell2node}, "swapped")
	absent := op2.NewMixedMap([]*op2.Map{nil, f.cell2one}, "absent")
	fromEdges := op2.NewMixedMap([]*op2.Map{edge2node, nil}, "fromEdges")
	loop := func(k any, args ...op2.Arg) error {
		return op2.NewLoop(f.kernel(k), f.cells, args...).Err()
	}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"no maps", op2.NewMixedMap([]*op2.Map{nil, nil}, "none").Err(), "op2: mixed map none: at least one map is needed"},
		{"maps from two sets", op2.NewMixedMap([]*op2.Map{f.cell2node, nil, edge2node}, "both").Err(),
			"op2: mixed map both: part 2, edge2node, leads from edges, cell2node from cells: all parts lead from one set"},
		{"maps of two runtimes", op2.NewMixedMap([]*op2.Map{f.cell2node, other.cell2one}, "both").Err(),
			"op2: mixed map both: part 1 is cell2one, which belongs to runtime N of the process, opened at PLACE, go, the first to runtime N of the process, opened at PLACE, go"},
		{"no dats", op2.NewMixedDat[float64](nil, "none").Err(), "op2: mixed dat none: at least one dat is needed"},
		{"nil dat", op2.NewMixedDat([]*op2.Dat[float64]{f.u, nil}, "up").Err(), "op2: mixed dat up: part 1 is nil, or was not made by NewDat"},
		{"a dat twice", op2.NewMixedDat([]*op2.Dat[float64]{f.u, f.p, f.u}, "up").Err(), "op2: mixed dat up: part 2 is u, as is part 0: each part is another dat"},
		{"dats of two runtimes", op2.NewMixedDat([]*op2.Dat[float64]{f.u, other.p}, "up").Err(), "op2: mixed dat up: part 1 is p, which belongs to runtime N of the process, opened at PLACE, go, the first to runtime N of the process, opened at PLACE, go"},

		{"another number of parts", f.up.Copy(one), "op2: mixed dat up: Copy takes a mixed dat of 2 parts, one, the other one, has 1"},
		{"another set", f.up.Copy(op2.NewMixedDat([]*op2.Dat[float64]{f.out.Parts()[1], f.p}, "pp")),
			"op2: mixed dat up: part 0: dat u on nodes: Copy takes a dat on nodes with dim 2, out.p is on corners and has dim 1"},
		{"itself", f.up.AXPY(1, f.up), "op2: mixed dat up: part 0: dat u on nodes: AXPY: the other dat is u itself\n  hint: Duplicate gives a second one"},
		{"nil", optest.Last(f.up.Inner(nil)), "op2: mixed dat up: Inner: the other mixed dat is nil, or was not made by NewMixedDat"},

		{"nil mixed dat", loop(copyParts, (*op2.MixedDat[float64])(nil).Read(f.maps), f.out.Write(f.maps)),
			"op2: loop copyParts over cells: argument 1 (nil, read): the mixed dat is nil, or was not made by NewMixedDat"},
		{"nil mixed map", loop(copyParts, f.up.Read(f.maps), f.out.Write(nil)),
			"op2: loop copyParts over cells: argument 2 (nil, written): the mixed map is nil, or was not made by NewMixedMap"},
		{"numbers of parts", loop(copyParts, one.Read(f.maps), f.out.Write(f.maps)),
			"op2: loop copyParts over cells: argument 1 (one, read through cell2both): one has 1 part, cell2both 2\n" +
				"  hint: part i of the map leads to the set of part i of the dat, or is nil"},
		{"sets of parts", loop(copyParts, f.up.Read(f.maps), f.out.Write(swapped)),
			"op2: loop copyParts over cells: argument 2 (out[0]: out.u, written through cell2one): cell2one leads to corners, out.u is on nodes"},
		{"another set", loop(copyParts, f.up.Read(fromEdges), f.out.Write(f.maps)),
			"op2: loop copyParts over cells: argument 1 (up[0]: u, read through edge2node): edge2node leads from edges, the loop is over cells"},
		{"values", loop(eightValues, f.up.Read(f.maps), f.out.Write(f.maps)),
			"op2: loop eightValues over cells: argument 1 (up, read through cell2both): the kernel takes *[8]float64, " +
				"u holds 2 float64 for each of nodes, cell2node leads to 3 of them; p holds 1 float64 for each of corners, cell2one leads to 1 of them: together 7 values\n" +
				"  hint: declare the parameter in mixed_kernels_test.go:8:18 as *[7]float64, or as a struct with a field for each part"},
		{"an absent part", loop(copyParts, f.up.Read(absent), f.out.Write(f.maps)),
			"op2: loop copyParts over cells: argument 1 (up, read through absent): the kernel takes *[7]float64, " +
				"p holds 1 float64 for each of corners, cell2one leads to 1 of them: together 1 value\n" +
				"  hint: declare the parameter in mixed_kernels_test.go:4:16 as *float64, or as a struct with a field for each part"},
		{"number of arguments", loop(copyParts, f.up.Read(f.maps)), "op2: loop copyParts over cells: the kernel takes 2 arguments, 1 was given\n" +
			"  hint: copyParts takes x *[7]float64, y *[7]float64, in mixed_kernels_test.go:4:6: no argument is left for y"},
		{"two accesses", loop(copyParts, f.up.Read(f.maps), f.p.Write(f.cell2one)),
			"op2: loop copyParts over cells: argument 2 (p, written through cell2one): p is also argument 1 (up[1]: p, read through cell2one): " +
				"whether one sees what the other changes would depend on the order of elements\n  hint: use one access for all, or a second dat"},
		{"too many parts", loop(copyParts, slices.Repeat([]op2.Arg{f.up.Read(f.maps)}, 33)...),
			"op2: loop copyParts over cells: 66 arguments, with the parts of mixed ones, were given, a loop has at most 64\n" +
				"  hint: pass all targets of a map at once, or join dats of one set"},
		{"not all written", loop(setsSix, f.up.Read(f.maps), f.out.Write(f.maps)),
			"op2: loop setsSix over cells: kernel setsSix: mixed_kernels_test.go:16:1: y[6], in out.p is not written on the path that ends here, but y is passed with Write\n" +
				"  hint: write every component on every path, or pass it with RW"},
		{"written", loop(changesRead, f.up.Read(f.maps), f.out.Inc(f.maps)),
			"op2: loop changesRead over cells: kernel changesRead: mixed_kernels_test.go:19:2: x is written, but passed with Read\n" +
				"  hint: pass it with Write, RW or Inc, or copy it to a local variable first"},
		{"outside", op2.ParLoop(f.kernel(readsOutside), f.cells, op2.Index(), f.up.Inc(f.maps)),
			"op2: loop readsOutside over cells: mixed_kernels_test.go:23:45: index out of range [7] with length 7: " +
				"argument 2 (up, incremented through cell2both), element 1 of cells"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.err == nil {
				t.Fatal("no error")
			}
			got := place.ReplaceAllString(numbered.ReplaceAllString(optest.ErrorText(test.err), "runtime N of"), "$1 PLACE")
			if got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

// What depends on declarations that failed says so.
func TestMixedInert(t *testing.T) {
	f := newMixedFixture(t)
	bad := f.rt.NewSet(-1, "bad")
	maps := op2.NewMixedMap([]*op2.Map{f.cell2node, op2.NewMap(f.cells, bad, 1, []int{}, "bad")}, "maps")
	x := op2.NewMixedDat([]*op2.Dat[float64]{f.u, op2.NewDat[float64](bad, 1, nil, "bad")}, "x")
	first := strings.TrimPrefix(f.rt.Err().Error(), "op2: ")
	for _, err := range []error{
		x.Zero(), f.up.Copy(x), x.Duplicate("y").Err(),
		op2.ParLoop(f.kernel(copyParts), f.cells, f.up.Read(maps), f.out.Write(f.maps)),
		op2.ParLoop(f.kernel(copyParts), f.cells, f.up.Read(f.maps), x.Write(f.maps)),
	} {
		if err == nil || !strings.Contains(err.Error(), first) {
			t.Errorf("%v", err)
		}
	}
}
