package op2_test

import (
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed derived_kernels_test.go
var derivedSource string

// derived is a program with loops through composed and permuted maps, which it compares with plain loops over the tables.
type derived struct {
	shares, renumber, chain, late, change bool
	restart                               string // a folder
}

func (c derived) run(rt *op2.Runtime) error {
	const facets, cells, nodes = 140, 90, 110
	random := func(n, to int, seed int) []int {
		v := make([]int, n)
		for i := range v {
			v[i] = (i/7 + (i*i+seed*i)%23 + seed) % to
		}
		return v
	}
	f2c, c2n, xs := random(2*facets, cells, 3), random(3*cells, nodes, 5), make([]float64, 2*nodes)
	for i := range xs {
		xs[i] = float64((i*i)%13) - 4
	}
	zOffsets, zTargets := rows(cells, nodes, 4)
	// What this rank declares.
	newSet, share := rt.NewSet, func(n int) (int, int) { return 0, n }
	if c.shares {
		r, n := rt.Rank(), rt.Ranks()
		newSet, share = rt.NewSetShare, func(all int) (int, int) { return r * all / n, (r + 1) * all / n }
	}
	f0, f1 := share(facets)
	c0, c1 := share(cells)
	n0, n1 := share(nodes)
	facet, cell, node := newSet(f1-f0, "facets"), newSet(c1-c0, "cells"), newSet(n1-n0, "nodes")
	offsets := make([]int, c1-c0+1)
	for i := range offsets {
		offsets[i] = zOffsets[c0+i] - zOffsets[c0]
	}
	facetCells, cellNodes := op2.NewMap(facet, cell, 2, f2c[2*f0:2*f1], "facetCells"), op2.NewMap(cell, node, 3, c2n[3*c0:3*c1], "cellNodes")
	varying := op2.NewVaryingMap(cell, node, offsets, zTargets[zOffsets[c0]:zOffsets[c1]], "varying")
	if c.late { // with halos that are as deep as those that the composed maps need
		op2.Compose(facetCells, cellNodes)
		op2.Compose(facetCells, varying)
		if err := rt.Partition(); err != nil {
			return err
		}
	}
	far, farther, back := op2.Compose(facetCells, cellNodes), op2.Compose(facetCells, varying), cellNodes.Permuted(2, 0)
	first := facetCells.Permuted(0)
	x := op2.NewDat(node, 2, xs[2*n0:2*n1], "x")
	sum, to := op2.NewDat[float64](facet, 1, nil, "sum"), op2.NewDat[float64](node, 1, nil, "to")
	value, mark := op2.NewDat[float64](cell, 1, nil, "value"), op2.NewDat[float64](cell, 1, nil, "mark")
	count, marks := op2.NewDat[int32](facet, 1, nil, "count"), op2.NewDat[int32](node, 1, nil, "marks")
	ones, image := op2.NewDat(node, 1, slices.Repeat([]float64{1}, n1-n0), "ones"), op2.NewDat[float64](node, 1, nil, "image")
	if c.renumber {
		if err := rt.Renumber(); err != nil {
			return err
		}
	}
	if c.shares && !c.late {
		if err := rt.Partition(); err != nil {
			return err
		}
	}
	if err := rt.Err(); err != nil {
		return err
	}
	k := op2.Kernels(derivedSource)
	loops := []*op2.Loop{
		op2.NewLoop(k.Func(gatherFar), facet, sum.Inc(), x.Read(far), to.Inc(far)),
		op2.NewLoop(k.Func(turn), cell, value.Write(), x.Read(back), mark.Inc()),
		op2.NewLoop(k.Func(countFar), facet, count.Write(), marks.Inc(farther)),
	}
	compute := func() error {
		if c.chain {
			return op2.NewChain(loops...).Compute()
		}
		for _, l := range loops {
			if err := l.Compute(); err != nil {
				return err
			}
		}
		return nil
	}
	if err := compute(); err != nil {
		return err
	}
	if c.restart != "" {
		if err := rt.Checkpoint(c.restart); err != nil {
			return err
		}
	}
	times := 1.0
	swapped := slices.Clone(f2c)
	if c.change { // the same cells, from the other side
		for f := range facets {
			swapped[2*f], swapped[2*f+1] = f2c[2*f+1], f2c[2*f]
		}
		values := make([]int32, len(swapped))
		for i, v := range swapped {
			values[i] = int32(v)
		}
		if err := facetCells.SetValues(values); err != nil {
			return err
		}
		times = 2
		if err := compute(); err != nil {
			return err
		}
	}

	wantSum, wantTo, wantValue, wantMark := make([]float64, facets), make([]float64, nodes), make([]float64, cells), make([]float64, cells)
	wantCount, wantMarks, wantImage := make([]float64, facets), make([]float64, nodes), make([]float64, nodes)
	visit := func(table []int) {
		for f := range facets {
			var reached, longer []int
			for _, at := range table[2*f : 2*f+2] {
				reached = append(reached, c2n[3*at:3*at+3]...)
				longer = append(longer, zTargets[zOffsets[at]:zOffsets[at+1]]...)
			}
			for i, n := range reached {
				wantSum[f] += float64(i+1)*xs[2*n] - xs[2*n+1]
				wantTo[n] += xs[2*n] + float64(i)
			}
			wantCount[f] = float64(len(longer))
			for i, n := range longer {
				wantMarks[n] += float64(i + 1)
			}
		}
	}
	visit(f2c)
	if c.change {
		visit(swapped)
	}
	for e := range cells {
		wantValue[e] = 10*xs[2*c2n[3*e+2]] + xs[2*c2n[3*e]]
		wantMark[e] = times * wantValue[e]
	}
	errs := []error{same(sum, wantSum), same(to, wantTo), same(value, wantValue), same(mark, wantMark), same(count, wantCount), same(marks, wantMarks)}
	if !c.change {
		mat := op2.NewMat[float64](op2.NewSquareSparsity(far, 1, "pattern"), "mat")
		err := op2.ParLoop(k.Func(farOuter), facet, x.Read(far), mat.Inc(far, far))
		errs = append(errs, err, mat.Mul(image, ones))
		for f := range facets {
			for i := range 6 {
				n := c2n[3*f2c[2*f+i/3]+i%3]
				wantImage[n] += 6*xs[2*n] + 15
			}
		}
		errs = append(errs, same(image, wantImage))
	}
	var table []int32
	for _, at := range swapped {
		for _, n := range c2n[3*at : 3*at+3] {
			table = append(table, int32(n))
		}
	}
	if got := far.InDeclaredOrder(); !slices.Equal(got, table) {
		errs = append(errs, fmt.Errorf("the composed map is %v, want %v", got, table))
	}
	if got := first.InDeclaredOrder(); len(got) != facets || got[5] != int32(swapped[10]) {
		errs = append(errs, fmt.Errorf("the permuted map is %v", got))
	}
	return errors.Join(errs...)
}

// Composed and permuted maps, in what a program may do.
func TestDerivedMaps(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct {
		name    string
		program derived
		ranks   int
		options []op2.Option
	}{
		{"go", derived{}, 1, []op2.Option{op2.WithBackend("go"), op2.WithDiags(true)}},
		{"go on ranks", derived{}, 3, []op2.Option{op2.WithBackend("go")}},
		{"changed", derived{change: true}, 1, []op2.Option{op2.WithBackend("go")}},
		{"changed, renumbered", derived{change: true, renumber: true}, 1, []op2.Option{op2.WithBackend("go")}},
		{"changed on ranks", derived{change: true}, 3, []op2.Option{op2.WithBackend("go")}},
		{"sequential on ranks, renumbered", derived{renumber: true}, 3, []op2.Option{op2.WithBackend("sequential")}},
		{"openmp", derived{}, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithDiags(true)}},
		{"openmp on ranks, in a chain", derived{chain: true}, 3, []op2.Option{op2.WithBackend("openmp")}},
		{"lazy", derived{change: true}, 1, []op2.Option{op2.WithBackend("go"), op2.WithLazy(true)}},
		{"shares", derived{shares: true}, 3, []op2.Option{op2.WithBackend("go")}},
		{"declared when distributed", derived{late: true}, 3, []op2.Option{op2.WithBackend("go")}},
		{"shares, declared when distributed", derived{late: true, shares: true}, 2, []op2.Option{op2.WithBackend("go")}},
		{"tiles", derived{chain: true}, 1, []op2.Option{op2.WithBackend("openmp"), op2.WithChains(op2.Tile)}},
		{"same bits", derived{}, 3, []op2.Option{op2.WithBackend("go"), op2.WithSameBits(true)}},
		{"checkpoint", derived{restart: folder}, 1, []op2.Option{op2.WithBackend("go")}},
		{"restart", derived{restart: folder, renumber: true}, 3, []op2.Option{op2.WithBackend("go"), op2.WithRestart(folder)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := optest.OnRanks(test.ranks, test.program.run, append(test.options, op2.WithLog(nil))...); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDerivedMapsOnDevices(t *testing.T) {
	optest.NotShort(t)
	eachWatched(t, func(t *testing.T, open optest.Opener, _ *gputest.Watched) {
		if err := (derived{change: true}).run(open(t, op2.WithStrategy(op2.Staged), op2.WithLayout(op2.SoA))); err != nil {
			t.Error(err)
		}
	})
}

// Maps that do not follow each other, values that cannot change, halos that do not reach far enough, and sets without elements.
func TestDerivedMapErrors(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	a, b, none := rt.NewSet(2, "a"), rt.NewSet(3, "b"), rt.NewSet(0, "none")
	ab, bb := op2.NewMap(a, b, 2, []int{0, 1, 2, 1}, "ab"), op2.NewMap(b, b, 1, []int{1, 2, 0}, "bb")
	empty := op2.NewMap[int](none, a, 2, nil, "empty")
	masked := ab.Masked(op2.NewSubset(b, []int{1}, "drop"), "masked")
	varying := op2.NewVaryingMap(a, b, []int{0, 1, 3}, []int{0, 1, 2}, "varying")
	twice := op2.Compose(ab, op2.Compose(bb, bb))
	if got := fmt.Sprint(twice.Values(), op2.Compose(empty, ab).Values(), ab.Permuted(1, 0).Values(), op2.Compose(empty, varying).Arity()); got != "[2 0 1 0] [] [1 0 1 2] 4" {
		t.Error(got)
	}
	if err := bb.SetValues([]int32{0, 0, 1}); err != nil || fmt.Sprint(twice.Values()) != "[0 0 0 0]" {
		t.Error(err, twice.Values())
	}
	sparsity := op2.NewSquareSparsity(op2.Compose(empty, ab), 1, "pattern")
	for _, test := range []struct {
		err  error
		want string
	}{
		{rt.Err(), ""},
		{sparsity.Err(), ""},
		{op2.Compose(ab, ab).Err(), "ab leads to b, ab from a"},
		{op2.Compose(ab, nil).Err(), "a map is nil"},
		{op2.Compose(masked, bb).Err(), "one of its maps is masked"},
		{masked.Permuted(0).Err(), "masked is masked"},
		{varying.Permuted(0).Err(), "rows of different lengths"},
		{ab.Permuted().Err(), "at least one component"},
		{ab.Permuted(0, 2).Err(), "2 is no component of ab"},
		{ab.Permuted(1, 1).Err(), "component 1 is there twice"},
		{twice.SetValues(twice.Values()), "they follow from those of other maps"},
		{empty.SetValues(nil), "the sparsity pattern was built from it"},
	} {
		if (test.err == nil) != (test.want == "") || test.err != nil && !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("error %v, want %q", test.err, test.want)
		}
	}
	err := op2.RunRanks(3, func(rank op2.Option) error {
		rt, err := op2.Open(op2.WithBackend("go"), op2.WithLog(nil), rank)
		if err != nil {
			return err
		}
		defer rt.Close()
		const n = 30
		next, set := make([]int, n), rt.NewSet(n, "ring")
		for i := range next {
			next[i] = (i + 7) % n
		}
		step := op2.NewMap(set, set, 1, next, "step")
		if err := rt.Partition(); err != nil {
			return err
		}
		if err := op2.Compose(step, step).Err(); err == nil || !strings.Contains(err.Error(), "declare maps before the first loop") {
			return fmt.Errorf("composed too late: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// New values reach maps that follow in several ways.
func TestDerivedMapsFollowInOrder(t *testing.T) {
	rt := optest.Must(op2.Open(op2.WithBackend("go"), op2.WithLog(nil)))
	defer rt.Close()
	s := rt.NewSet(4, "s")
	m := op2.NewMap(s, s, 2, []int{0, 1, 1, 2, 2, 3, 3, 0}, "m")
	a, b := m.Permuted(1, 0), m.Permuted(0, 1)
	f := op2.Compose(a, b.Permuted(1, 0))
	h := f.Permuted(1, 0, 2, 3)
	k := h.Permuted(1, 0, 2, 3)
	l := k.Permuted(0, 1, 2, 3)
	optest.OK(t, m.SetValues([]int32{3, 3, 3, 3, 2, 2, 2, 1}))
	want := []int32{1, 2, 1, 2, 1, 2, 1, 2, 2, 2, 2, 2, 3, 3, 2, 2}
	for _, same := range []*op2.Map{f, k, l} {
		if !slices.Equal(same.Values(), want) {
			t.Errorf("%s is %d, want %d", same.Name(), same.Values(), want)
		}
	}
	// On ranks, which compute them together, it does not matter who still has them.
	optest.OK(t, op2.RunRanks(2, func(rank op2.Option) error {
		rt, err := op2.Open(rank, op2.WithBackend("go"))
		if err != nil {
			return err
		}
		defer rt.Close()
		s := rt.NewSetShare(4, "s")
		var own []int64
		for i := range 4 {
			own = append(own, int64(4*rt.Rank()+i))
		}
		m := op2.NewMap(s, s, 1, own, "m")
		if c := op2.Compose(m, m); rt.Rank() == 0 {
			defer runtime.KeepAlive(c)
		}
		err = rt.Partition()
		runtime.GC()
		return errors.Join(err, m.SetValues([]int32{int32(own[1]), int32(own[0]), int32(own[3]), int32(own[2])}))
	}))
}
