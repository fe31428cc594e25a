package run

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
)

// How far results of a loop may differ that adds in another order, or contracts other products and sums, as fractions
// of the largest value of a dat.
const (
	tolerance64 = 1e-9
	tolerance32 = 1e-3
)

// verify makes a call with what is estimated and with another form, and returns an error if results differ. Then values
// are as before.
func (t *tuned) verify(i int, args []entity.Arg) (differs, failed error) {
	return verify(args, false, func() error { return t.try(0) }, func() error { return t.try(i) })
}

// Verify makes a call of several loops in two ways, and returns an error if results differ, exactly or but for rounding, apart from
// those that nobody reads. Then values are as before.
func Verify(loops []*Loop, unread []*store.Storage, exact bool, plain, other func() error) (differs, failed error) {
	var args []entity.Arg
	for _, l := range loops {
		args = append(args, slices.DeleteFunc(slices.Clone(l.keep), func(a entity.Arg) bool { return a.Data != nil && slices.Contains(unread, a.Data.Storage()) })...)
	}
	return verify(args, exact, plain, other)
}

func verify(args []entity.Arg, exact bool, plain, other func() error) (differs, failed error) {
	var changed []*entity.Data
	for _, a := range args {
		if a.Data != nil && a.Access != loop.Read && !slices.Contains(changed, a.Data) {
			changed = append(changed, a.Data)
		}
	}
	before, err := valuesOf(changed)
	if err != nil {
		return nil, err
	}
	if err := plain(); err != nil {
		return nil, err
	}
	want, err := valuesOf(changed)
	if err != nil {
		return nil, err
	}
	if err := setValues(changed, before); err != nil {
		return nil, err
	}
	differs = other()
	got, err := valuesOf(changed)
	if err != nil {
		return nil, err
	}
	for d := range changed {
		if differs == nil {
			differs = compare(changed[d], exact, got[d], want[d])
		}
	}
	return differs, setValues(changed, before)
}

// try makes a call with a form that other ranks do not join.
func (t *tuned) try(form int) error {
	if h := t.loop.halos; h != nil {
		return h.runHere(t.forms[form].runner)
	}
	return t.loop.call(t.forms[form].runner)
}

// valuesOf returns copies of values.
func valuesOf(data []*entity.Data) (values [][]byte, err error) {
	for _, d := range data {
		if err := d.Bring(false); err != nil {
			return nil, err
		}
		values = append(values, slices.Clone(d.Bytes()))
	}
	return values, nil
}

// setValues sets values to those from valuesOf. What is valid of the halo is as it was, as on the other ranks.
func setValues(data []*entity.Data, values [][]byte) error {
	for i, d := range data {
		halo := d.Storage().Halo()
		valid := *halo
		if err := d.Bring(true); err != nil {
			return err
		}
		*halo = valid
		copy(d.Bytes(), values[i])
	}
	return nil
}

// compare returns an error if values are not those that are wanted, exactly or but for rounding.
func compare(d *entity.Data, exact bool, got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	tolerance := 0.
	switch d.Scalar() {
	case loop.Float64:
		tolerance = tolerance64
	case loop.Float32:
		tolerance = tolerance32
	}
	if exact || tolerance == 0 || d.Record() != nil {
		return fmt.Errorf("%s differs", d.Name())
	}
	g, w := d.Convert(got), d.Convert(want)
	largest := 0.
	for _, v := range w {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			largest = max(largest, math.Abs(v))
		}
	}
	for i := range w {
		if g[i] == w[i] || math.IsNaN(g[i]) && math.IsNaN(w[i]) || math.Abs(g[i]-w[i]) <= tolerance*largest {
			continue
		}
		return fmt.Errorf("%s differs: %v in place of %v", d.Name(), g[i], w[i])
	}
	return nil
}
