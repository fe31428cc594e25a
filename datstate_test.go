package op2_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// State says where values are, and what moves them is counted: once each way, and never for DataWO.
func TestDatState(t *testing.T) {
	for _, layout := range []op2.Layout{op2.AoS, op2.SoA} {
		rt, _ := openTestDevice(t, op2.WithLayout(layout))
		const bytes = 8 * 40
		up, down := op2.Transfers{ToDevice: 1, BytesToDevice: bytes}, op2.Transfers{ToHost: 1, BytesToHost: bytes}
		cells := optest.NewSet(t, rt, 10, "cells")
		values := optest.Some[float64](optest.NewTopology(1, 1).Random, 40)
		q, r := optest.NewDat(t, cells, 4, values, "q"), optest.NewDat[float64](t, cells, 4, nil, "r")
		k := op2.Kernels(mirrorSource).Func(keep4)
		step := func(name string, do func() error, moved op2.Transfers, d *op2.Dat[float64], want op2.DatState) {
			t.Helper()
			optest.OK(t, do())
			optest.Moved(t, rt, name, moved)
			if got := d.State(); got != want {
				t.Errorf("%s: the state is %+v, want %+v", name, got, want)
			}
		}
		copyTo := func(from, to *op2.Dat[float64]) func() error {
			return func() error { return op2.ParLoop(k, cells, from.Read(), to.Write()) }
		}
		nothing := func() error { return nil }
		host, device, both := op2.DatState{Host: true}, op2.DatState{Device: true}, op2.DatState{Host: true, Device: true}

		step("declared", nothing, op2.Transfers{}, q, host)
		step("zeros", nothing, op2.Transfers{}, r, op2.DatState{})
		step("ToDevice", q.ToDevice, up, q, both)
		step("ToDevice again", q.ToDevice, op2.Transfers{}, q, both)
		step("a loop", copyTo(q, r), op2.Transfers{}, r, device)
		step("ToHost", r.ToHost, down, r, both)
		step("ToHost again", r.ToHost, op2.Transfers{}, r, both)
		optest.Expect(t, r, values)
		step("a loop that overwrites", copyTo(q, r), op2.Transfers{}, r, device)
		step("DataWO", func() error {
			written, err := r.DataWO()
			for i := range written {
				written[i] = float64(i)
			}
			return err
		}, op2.Transfers{}, r, host)
		step("a loop after DataWO", copyTo(r, q), up, q, device)
		step("Data", func() error { _, err := q.Data(); return err }, down, q, host)
		if got := optest.Must(q.DataRO()); got[0] != 0 || got[39] != 39 {
			t.Errorf("the device got %v", got)
		}
	}
}

// On the host, values are there, ToDevice does nothing, and a loop sees what DataWO was written with, in declared
// order and, with diagnostics, NaN where it was not.
func TestDataWOOnHost(t *testing.T) {
	for _, renumber := range []bool{false, true} {
		rt := optest.OpenBackend(t, "go", op2.WithDiags(true))
		m := newRing(t, rt, 9)
		if renumber {
			optest.OK(t, rt.Renumber())
		}
		optest.OK(t, m.x.ToDevice())
		optest.OK(t, m.x.ToHost())
		if got := m.x.State(); got != (op2.DatState{Host: true}) {
			t.Errorf("the state is %+v", got)
		}
		values := optest.Must(m.x.DataWO())
		if !math.IsNaN(values[0]) || len(values) != 9 {
			t.Errorf("DataWO shows %v", values)
		}
		want := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5}
		copy(values, want)
		if got := optest.Must(m.x.InDeclaredOrder()); !slices.Equal(got, want) {
			t.Errorf("renumbered %t: got %v, want %v", renumber, got, want)
		}
	}
	var none *op2.Dat[float64]
	if none.State() != (op2.DatState{}) || none.ToDevice() == nil || none.ToHost() == nil {
		t.Error("a nil dat has a state, or can be moved")
	}
	if _, err := none.DataWO(); err == nil {
		t.Error("a nil dat has values")
	}
}

// A rank that writes its own values leaves the halos of others stale, until something brings them up to date.
func TestStateOfHalos(t *testing.T) {
	optest.Ranks(t, 2, optest.Open, func(t *testing.T, open optest.Opener) {
		m := newRing(t, open(t, op2.WithBackend("go")), 12)
		optest.OK(t, m.rt.Partition())
		if m.x.State().StaleHalo {
			t.Error("the halo of a dat is stale from the start")
		}
		values := optest.Must(m.x.DataWO())
		for i := range values {
			values[i] = float64(i)
		}
		if !m.x.State().StaleHalo {
			t.Error("the halo is not stale after a write")
		}
		if _, err := m.x.DataWithHalos(); err != nil || m.x.State().StaleHalo {
			t.Errorf("the halo is stale after an update (%v)", err)
		}
	})
}
