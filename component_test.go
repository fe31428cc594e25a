package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed component_kernels_test.go
var componentSource string

// components is a program with loops over components of dats, which it compares with plain loops.
type components struct {
	renumber, chain bool
	edges           int
}

func (c components) run(rt *op2.Runtime) error {
	const nodes = 120
	edges := c.edges
	ends, qs, rs := make([]int, 2*edges), make([]float64, 3*nodes), make([]float64, 2*edges)
	for i := range ends {
		ends[i] = (i/3 + (i*i)%17 + i%2) % nodes
	}
	for i := range qs {
		qs[i] = float64((i*5)%11) - 3
	}
	for i := range rs {
		rs[i] = float64(i % 6)
	}
	ps, bs := make([]pair, 2*nodes), make([]int32, 2*nodes)
	for i := range ps {
		ps[i], bs[i] = pair{float64(i % 4), int32(i % 3)}, int32(i%5)
	}
	edge, node := rt.NewSet(edges, "edges"), rt.NewSet(nodes, "nodes")
	m := op2.NewMap(edge, node, 2, ends, "ends")
	q, r := op2.NewDat(node, 3, qs, "q"), op2.NewDat(edge, 2, rs, "r")
	own, pairs := op2.NewDat[pair](edge, 3, nil, "own"), op2.NewDat(node, 2, ps, "pairs")
	best, bits := op2.NewDat(node, 2, slices.Repeat([]float64{-5}, 2*nodes), "best"), op2.NewDat(node, 2, bs, "bits")
	least := op2.NewDat(node, 3, slices.Repeat([]int32{99}, 3*nodes), "least")
	copied := op2.NewDat[float64](node, 1, nil, "copied")
	var odd []int
	for e := 1; e < edges; e += 2 {
		odd = append(odd, e)
	}
	some := op2.NewSubset(edge, odd, "some")
	if c.renumber {
		if err := rt.Renumber(); err != nil {
			return err
		}
	}
	if err := rt.Err(); err != nil {
		return err
	}
	k := op2.Kernels(componentSource)
	collected := func(over op2.IterationSet) *op2.Loop {
		return op2.NewLoop(k.Func(collect), over, r.Component(1).Read(), q.Component(2).Inc(m.At(0)), q.Component(1).Inc(m.At(1)), best.Component(1).Max(m.At(1)),
			least.Component(2).Min(m.At(0)), bits.Component(0).Reduce(op2.Kernels(varyingSource).Func(either), 0, m.At(1)), own.Component(1).Write())
	}
	loops := []*op2.Loop{
		op2.NewLoop(k.Func(swapParts), edge, q.Component(1).Read(m), q.Component(0).Inc(m), r.Component(0).RW(), r.Component(1).Write(), pairs.Read(m.At(0))),
		collected(edge), collected(some),
		op2.NewLoop(k.Func(settle), node, q.Component(0).RW(), q.Component(1).RW()),
	}
	if c.chain {
		if err := op2.NewChain(loops...).Compute(); err != nil {
			return err
		}
	} else {
		for _, l := range loops {
			if err := l.Compute(); err != nil {
				return err
			}
		}
	}

	wantQ, wantR, wantBest, wantLeast, wantBits := slices.Clone(qs), slices.Clone(rs), slices.Repeat([]float64{-5}, 2*nodes), slices.Repeat([]float64{99}, 3*nodes), make([]float64, 2*nodes)
	wantOwn := make([]pair, 3*edges)
	for i, b := range bs {
		wantBits[i] = float64(b)
	}
	for e := range edges {
		a, b := ends[2*e], ends[2*e+1]
		wantR[2*e+1] = qs[3*a+1] - 2*qs[3*b+1] + rs[2*e]
		wantR[2*e]++
		wantQ[3*a] += qs[3*b+1] + ps[2*a+1].A
		wantQ[3*b] += 3 * qs[3*a+1] * float64(ps[2*a].B)
	}
	for pass := range 2 {
		for e := pass; e < edges; e += 1 + pass {
			a, b, v := ends[2*e], ends[2*e+1], wantR[2*e+1]
			wantQ[3*a+2] += v
			wantQ[3*b+1] -= v
			wantBest[2*b+1] = max(wantBest[2*b+1], v)
			wantLeast[3*a+2] = min(wantLeast[3*a+2], float64(int32(v)))
			wantBits[2*b] = float64(int(wantBits[2*b]) | int(int32(v)&15))
			wantOwn[3*e+1] = pair{v, 7}
		}
	}
	for n := range nodes {
		wantQ[3*n], wantQ[3*n+1] = wantQ[3*n+1]+wantQ[3*n], wantQ[3*n]
	}
	if err := copied.Copy(q.Component(1)); err != nil {
		return err
	}
	wantCopied := make([]float64, nodes)
	for n := range nodes {
		wantCopied[n] = wantQ[3*n+1]
	}
	got, err := own.Gather(0)
	if err == nil && rt.Rank() == 0 && !slices.Equal(got, wantOwn) {
		err = fmt.Errorf("own is %v, want %v", got, wantOwn)
	}
	return errors.Join(err, same(q, wantQ), same(r, wantR), same(best, wantBest), same(least, wantLeast), same(bits, wantBits), same(copied, wantCopied))
}

// Components of dats in all accesses, directly and through maps, in what a program may do.
func TestComponents(t *testing.T) {
	for _, test := range []struct {
		name    string
		program components
		ranks   int
		options []op2.Option
	}{
		{"go", components{edges: 200}, 1, []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}},
		{"go on ranks", components{edges: 200}, 3, []op2.Option{op2.WithBackend("go")}},
		{"go on ranks, with diagnostics", components{edges: 200}, 2, []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}},
		{"no edges", components{}, 1, []op2.Option{op2.WithBackend("go")}},
		{"lazy", components{edges: 200}, 1, []op2.Option{op2.WithBackend("go"), op2.WithLazy(true)}},
		{"renumbered", components{edges: 200, renumber: true}, 2, []op2.Option{op2.WithBackend("go")}},
		{"same bits", components{edges: 3000}, 2, []op2.Option{op2.WithBackend("openmp"), op2.WithSameBits(true)}},
		{"same bits on go", components{edges: 3000}, 2, []op2.Option{op2.WithBackend("go"), op2.WithSameBits(true)}},
		{"sequential with diagnostics", components{edges: 200}, 1, []op2.Option{op2.WithBackend("sequential"), op2.WithDiags(true)}},
		{"sequential", components{edges: 203}, 1, []op2.Option{op2.WithBackend("sequential"), op2.WithSIMD(op2.On)}},
		{"openmp", components{edges: 203}, 2, []op2.Option{op2.WithBackend("openmp")}},
		{"chain", components{edges: 200, chain: true}, 2, []op2.Option{op2.WithBackend("openmp")}},
		{"tiles", components{edges: 200, chain: true}, 1, []op2.Option{op2.WithBackend("sequential"), op2.WithChains(op2.Tile)}},
		{"fused", components{edges: 200, chain: true}, 1, []op2.Option{op2.WithBackend("sequential"), op2.WithChains(op2.Fuse)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := optest.OnRanks(test.ranks, test.program.run, append(test.options, op2.WithLog(nil))...); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestComponentsOnDevices(t *testing.T) {
	optest.NotShort(t)
	for _, strategy := range []op2.Strategy{op2.Staged, op2.InPlace, op2.Atomic, op2.GlobalColor} {
		for _, layout := range []op2.Layout{op2.AoS, op2.SoA} {
			eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
				if err := (components{edges: 203}).run(open(t, op2.WithStrategy(strategy), op2.WithLayout(layout))); err != nil {
					t.Error(strategy, layout, err)
				}
			})
		}
	}
}

// What a component is not for, and arguments that get in each other's way.
func TestComponentErrors(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	s := rt.NewSet(2, "s")
	q, other, one := op2.NewDat(s, 2, []float64{1, 2, 3, 4}, "q"), op2.NewDat[float64](s, 1, nil, "other"), op2.NewDat(s, 1, []float64{5, 6}, "one")
	k := op2.Kernels(componentSource).Func(settle)
	var none *op2.Dat[float64]
	_, data := q.Component(1).Data()
	_, norm := q.Component(1).Norm()
	_, inner := other.Inner(q.Component(1))
	for _, test := range []struct {
		err  error
		want string
	}{
		{q.Component(1).Err(), ""},
		{op2.ParLoop(k, s, q.Component(0).RW(), q.Component(1).RW()), ""},
		{op2.ParLoop(k, s, one.Component(0).RW(), q.Component(1).RW()), ""},
		{q.Component(2).Err(), "component 2 was asked for, it has components 0 to 1"},
		{op2.ParLoop(k, s, q.Component(-1).RW(), other.RW()), "component -1 was asked for"},
		{q.Component(0).Component(0).Err(), ""},
		{q.Component(1).Component(1).Err(), "dat q[1] on s: component 1 was asked for, it has component 0 alone"},
		{none.Component(0).Err(), "NewDat"},
		{data, "op2: q[1] is a component of a dat, for arguments of loops and for arithmetic alone\n" +
			"  hint: use a dat of dim 1 that has its values, by y.Copy(q.Component(1))\n  called at component_test.go:"},
		{norm, "q[1] is a component of a dat"},
		{inner, "q[1] is a component of a dat"},
		{q.Copy(q.Component(0)), "q[0] is on s and has dim 1"},
		{op2.ParLoop(k, s, q.Component(1).RW(), q.Component(1).RW()), "argument 2 (q[1], read and written): q is also argument 1 (q[1], read and written)"},
		{op2.ParLoop(k, s, q.RW(), q.Component(1).RW()), "q is also argument 1 (q, read and written)"},
		{op2.ParLoop(k, s, q.Component(0).Read(), q.Component(0).RW()), "whether one sees what the other changes"},
		{rt.Err(), ""},
	} {
		if (test.err == nil) != (test.want == "") || test.err != nil && !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want %q", test.err, test.want)
		}
	}
}

// Arithmetic takes components as it takes dats of dim 1.
func TestComponentArithmetic(t *testing.T) {
	for _, options := range [][]op2.Option{
		{op2.WithBackend("go")}, {op2.WithBackend("go"), op2.WithLazy(true)}, {op2.WithBackend("sequential")}, {op2.WithBackend("openmp"), op2.WithSameBits(true)},
	} {
		err := op2.RunRanks(2, func(rank op2.Option) error {
			rt, err := op2.Open(append(options, op2.WithLog(nil), rank)...)
			if err != nil {
				return err
			}
			defer rt.Close()
			const n = 50
			s, qs, want := rt.NewSet(n, "s"), make([]float64, 3*n), make([]float64, 3*n)
			for i := range qs {
				qs[i] = float64(i%9) + 1
			}
			q, x := op2.NewDat(s, 3, qs, "q"), op2.NewDat[float64](s, 1, nil, "x")
			flags := op2.NewDat[bool](s, 2, nil, "flags")
			a, b, c := q.Component(0), q.Component(1), q.Component(2)
			err = errors.Join(x.Copy(b), a.Add(c), b.AXPY(2, x), c.Mul(a), b.Sub(a), a.Scale(3), c.MAXPY([]float64{2, 1}, a, x), b.Copy(c), a.Fill(7), c.Div(x))
			for e := range n {
				v := qs[3*e : 3*e+3]
				x, a := v[1], v[0]+v[2]
				c := v[2]*a + 6*a + x
				want[3*e], want[3*e+1], want[3*e+2] = 7, c, c/x
			}
			if err := flags.Component(0).Fill(true); err == nil || !strings.Contains(err.Error(), "is a component of a dat") {
				return fmt.Errorf("a component of bools is filled: %v", err)
			}
			err = errors.Join(err, same(q, want), b.Zero())
			for e := range n {
				want[3*e+1] = 0
			}
			return errors.Join(err, same(q, want), rt.Err())
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// A component through all of a map in a loop over layers, and through rows of different lengths.
func TestComponentsThroughWholeMaps(t *testing.T) {
	for _, backend := range []string{"go", "sequential", "openmp"} {
		rt := optest.OpenBackend(t, backend)
		const n, layers = 5, 3
		nodes, base := rt.NewSet(n, "nodes"), rt.NewSet(n, "base")
		ends, offsets, targets, qs := make([]int, 2*n), []int{0}, []int(nil), make([]float64, n*layers)
		wantE, wantV := make([]float64, 3*n), make([]float64, 3*n)
		for i := range n {
			ends[2*i], ends[2*i+1] = i, (i+1)%n
			for k := range i % 3 {
				targets = append(targets, (i+k)%n)
				wantV[3*((i+k)%n)+1]++
			}
			offsets = append(offsets, len(targets))
			for l := range layers {
				q := float64(i*layers + l + 1)
				qs[i*layers+l] = q
				wantE[3*i+1] += q
				wantE[3*((i+1)%n)+1] += 2 * q
			}
		}
		pair, varying := op2.NewMap(base, nodes, 2, ends, "pair"), op2.NewVaryingMap(base, nodes, offsets, targets, "varying")
		cells := op2.NewExtrudedSet(base, layers, "cells")
		q, e, v := op2.NewDat(cells, 1, qs, "q"), op2.NewDat[float64](nodes, 3, nil, "e"), op2.NewDat[float64](nodes, 3, nil, "v")
		k := op2.Kernels(componentSource)
		optest.OK(t, op2.ParLoop(k.Func(addBoth), cells, q.Read(), e.Component(1).Inc(pair)))
		optest.OK(t, op2.ParLoop(k.Func(countEach), base, v.Component(1).Inc(varying)))
		for _, test := range []struct {
			dat  *op2.Dat[float64]
			want []float64
		}{{e, wantE}, {v, wantV}} {
			if got := optest.Must(test.dat.DataRO()); !slices.Equal(got, test.want) {
				t.Errorf("%s: %s is %v, want %v", backend, test.dat.Name(), got, test.want)
			}
		}
	}
}
