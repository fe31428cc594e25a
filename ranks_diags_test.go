package op2_test

import (
	_ "embed"
	"fmt"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed ranks_diags_test.go
var ranksDiagsSource string

func spreadOut(x, y *float64) { *y += *x }

func takeOver(y, x *float64) { *x = *y }

// Diagnostics say how ranks differ, on all of them, before they run a loop.
func TestRanksThatDiffer(t *testing.T) {
	kernels := op2.Kernels(ranksDiagsSource)
	spread, take := kernels.Func(spreadOut), kernels.Func(takeOver)
	const n = 9
	for _, test := range []struct {
		name string
		run  func(m *ring, rank int) error
		want string
	}{
		{"another order", func(m *ring, rank int) error {
			if rank == 1 {
				return m.loop(take, m.y.Read(), m.x.Write())
			}
			return m.loop(spread, m.x.Read(m.next.At(0)), m.y.Inc())
		}, `op2: ranks do not do the same: on ranks 0, 2 loop spreadOut over cells (x, read through next[0]; y, incremented), on rank 1 loop takeOver over cells (y, read; x, written)
  hint: all ranks make the same calls in the same order`},
		{"a loop instead of another call", func(m *ring, rank int) error {
			if rank == 2 {
				return optest.Last(m.x.InDeclaredOrder())
			}
			return m.loop(take, m.y.Read(), m.x.Write())
		}, `op2: ranks do not do the same: on ranks 0-1 loop takeOver over cells (y, read; x, written), on rank 2 values on cells are gathered
  hint: all ranks make the same calls in the same order`},
		{"a norm on one rank", func(m *ring, rank int) error {
			if rank == 0 {
				return optest.Last(m.x.Norm())
			}
			return m.loop(take, m.y.Read(), m.x.Write())
		}, `op2: ranks do not do the same: on rank 0 values on cells are summed up, on ranks 1-2 loop takeOver over cells (y, read; x, written)
  hint: all ranks make the same calls in the same order`},
		{"Data on one rank", func(m *ring, rank int) error {
			if err := m.loop(spread, m.x.Read(m.next.At(0)), m.y.Inc()); err != nil {
				return err
			}
			if rank == 0 {
				optest.Must(m.x.Data())
			}
			return m.loop(spread, m.x.Read(m.next.At(0)), m.y.Inc())
		}, `op2: loop spreadOut over cells (x, read through next[0]; y, incremented): ranks do not do it alike: on rank 0 the halo of x is outdated, on ranks 1-2 the halo of x is valid where next leads
  hint: all ranks make the same calls in the same order; Data, which marks halos as outdated, is one of them`},
		{"another sum", func(m *ring, rank int) error {
			if rank > 0 {
				optest.OK(m.t, m.sum.Set(7))
			}
			return m.loop(spread, m.x.Read(), m.sum.Inc())
		}, `op2: loop spreadOut over cells (x, read; sum, incremented): ranks do not do it alike: on rank 0 sum is [0], on ranks 1-2 sum is [7]
  hint: all ranks make the same calls in the same order; Data, which marks halos as outdated, is one of them`},
	} {
		t.Run(test.name, func(t *testing.T) {
			optest.Ranks(t, 3, optest.Open, func(t *testing.T, open optest.Opener) {
				m := newRing(t, open(t, op2.WithBackend("go"), op2.WithDiags(true)), n)
				optest.OK(t, m.loop(take, m.y.Read(), m.x.RW()))
				optest.ExpectError(t, test.run(m, m.rt.Rank()), test.want)
			})
		})
	}
}

// Diagnostics find values in halos that are not those of their owners.
func TestWrongHalos(t *testing.T) {
	spread := op2.Kernels(ranksDiagsSource).Func(spreadOut)
	optest.Ranks(t, 3, optest.Open, func(t *testing.T, open optest.Opener) {
		m := newRing(t, open(t, op2.WithBackend("go"), op2.WithDiags(true)), 9)
		optest.Must(m.x.Data())
		again := func() error { return m.loop(spread, m.x.Read(m.next.At(0)), m.y.Inc()) }
		optest.OK(t, again())
		kept := optest.Must(m.x.Data())
		optest.OK(t, again())
		if m.rt.Rank() == 1 {
			kept[0] = 5 // too late
		}
		want := `rank 0 has [0] in its copy of element 3 of cells, whose owner, rank 1, has [5]
  hint: the copy is marked as valid: was a slice of Data written after the next loop? call Data again before each change`
		loop := "op2: loop spreadOut over cells: argument 1 (x, read through next[0]): "
		optest.ExpectError(t, again(), loop+want)
	})
}

// What a distributed mesh has no halo for is an error on all ranks, which go on.
func TestMapsOfDistributedMeshes(t *testing.T) {
	spread := op2.Kernels(ranksDiagsSource).Func(spreadOut)
	const n = 9
	optest.Ranks(t, 3, optest.Open, func(t *testing.T, open optest.Opener) {
		m := newRing(t, open(t, op2.WithBackend("go")), n)
		optest.OK(t, m.loop(spread, m.x.Read(m.next.At(0)), m.y.Inc()))
		far, near := make([]int32, n), make([]int32, n)
		for i := range far {
			far[i], near[i] = int32(i+5)%n, int32(i|1)%n
		}
		const hint = ": the mesh has been distributed without this map\n  hint: declare maps before the first loop, sparsity and solver"
		want := "op2: map next from cells to cells: element 0 of cells, on rank 0, leads to element 5 of cells, which is not in the rank's halo" + hint
		if m.rt.Rank() > 0 {
			want = "op2: rank 0: " + want
		}
		if err := m.next.SetValues(far); m.rt.Rank() == 0 {
			optest.ExpectError(t, err, want)
		} else if err == nil {
			t.Error("no error on another rank")
		}
		far[0] = 12
		if err := m.next.SetValues(far); err == nil {
			t.Error("element 12 of 9 is no error")
		}
		optest.OK(t, m.next.SetValues(near))
		if got := m.next.InDeclaredOrder(); fmt.Sprint(got) != fmt.Sprint(near) {
			t.Errorf("the values are %v, want %v", got, near)
		}
		optest.OK(t, m.y.Zero())
		optest.OK(t, m.x.SetInDeclaredOrder([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}))
		optest.OK(t, m.loop(spread, m.x.Read(m.next.At(0)), m.y.Inc()))
		optest.Expect(t, m.y, []float64{2, 2, 4, 4, 6, 6, 8, 8, 1})
	})
}

// ring is a ring of cells, of which each rank owns a run.
type ring struct {
	t     *testing.T
	rt    *op2.Runtime
	cells *op2.Set
	next  *op2.Map
	x, y  *op2.Dat[float64]
	sum   *op2.Global[float64]
}

func newRing(t *testing.T, rt *op2.Runtime, n int) *ring {
	optest.Distribute(rt, func(_ string, element int) int { return element * rt.Ranks() / n })
	m := &ring{t: t, rt: rt, cells: optest.NewSet(t, rt, n, "cells")}
	next := make([]int32, n)
	for i := range next {
		next[i] = int32(i+1) % int32(n)
	}
	m.next = optest.NewMap(t, m.cells, m.cells, 1, next, "next")
	m.x, m.y = optest.NewDat[float64](t, m.cells, 1, nil, "x"), optest.NewDat[float64](t, m.cells, 1, nil, "y")
	m.sum = optest.NewGlobal(t, rt, "sum", 0.0)
	return m
}

func (m *ring) loop(k *op2.Kernel, args ...op2.Arg) error { return op2.ParLoop(k, m.cells, args...) }
