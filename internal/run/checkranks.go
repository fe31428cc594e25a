package run

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/exchange"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// checkRanks returns an error, on all ranks, unless they are about to run the same loop with valid
// halos. It is collective, and does nothing on one process.
func (l *Loop) checkRanks(over entity.Range, args []entity.Arg) error {
	if !l.halos.together() {
		return nil
	}
	if err := l.checkAlike(over, args); err != nil {
		return err
	}
	return l.checkHalos(args)
}

// checkAlike returns an error on all ranks unless all are about to run this loop, with the same
// arguments and halos that are valid to the same extent. It is collective.
func (l *Loop) checkAlike(over entity.Range, args []entity.Arg) error {
	var texts, states []string
	for _, a := range args {
		texts = append(texts, a.String())
	}
	states = append(states, "the hash of its kernel and arguments is "+l.spec.Hash().Short(), fmt.Sprintf("it is over %d elements", over.Whole()))
	for i, a := range args {
		switch d := a.Data; {
		case a.Kind == loop.Dat:
			states = append(states, fmt.Sprintf("the halo of %s is %s", d.Name(), d.HaloState()))
		case a.Kind == loop.Global && l.spec.Loop.Args[i].Reduces():
			if err := d.Bring(false); err != nil {
				return err
			}
			states = append(states, fmt.Sprintf("%s is %v", d.Name(), d.Float64s()))
		}
	}
	return l.rt.Alike(fmt.Sprintf("%s (%s)", l.name, strings.Join(texts, "; ")), states)
}

// checkHalos returns an error on all ranks unless the values in halos that are marked as valid are
// those of their owners. It is collective.
func (l *Loop) checkHalos(args []entity.Arg) error {
	for i, a := range args {
		if a.Kind != loop.Dat {
			continue
		}
		err := checkHalo(a.Data)
		if err != nil {
			err = fmt.Errorf("op2: %s: argument %d (%s): %w", l.name, entity.Ordinal(args, i), a, err)
		}
		if err := l.rt.Agree(err); err != nil {
			return err
		}
	}
	return nil
}

// checkHalo compares the valid values of a dat's halo with those that owners send.
func checkHalo(d *entity.Data) error {
	s := d.Storage()
	if err := d.Bring(false); err != nil {
		return err
	}
	h := s.Halo()
	valid := []exchange.Stale{d.Stale(halo.Owned, h.Valid)}
	if h.Through != nil {
		reached := d.Stale(min(h.Valid, h.Reached), h.Reached)
		reached.Parts = h.Through.Parts
		valid = append(valid, reached)
	}
	u, err := exchange.NewUpdate(d.Runtime().Link(), valid)
	if err != nil {
		return err
	}
	defer u.Exchange.Free()
	if err := u.Start(); err != nil {
		return err
	}
	if err := u.Send(); err != nil {
		return err
	}
	if err := u.Exchange.Wait(); err != nil {
		return err
	}
	d.ClearPadding()
	here, row := d.Bytes(), d.Width()*d.Scalar().Size()
	for _, m := range u.Receives.List {
		sent := m.Data
		s.ClearPadding(sent)
		for _, r := range m.Rows {
			for i := range r.N {
				e := r.Element(i)
				if copied := here[e*row:][:row]; differ(d, copied, sent[:row]) {
					return fmt.Errorf("rank %d has %v in its copy of element %d of %s, whose owner, rank %d, has %v\n"+
						"  hint: the copy is marked as valid: was a slice of Data written after the next loop? call Data again before each change",
						d.Runtime().Rank(), d.Convert(copied), d.Set().Known(e), d.Set().Name(), m.Rank, d.Convert(sent[:row]))
				}
				sent = sent[row:]
			}
		}
	}
	return nil
}

// differ reports whether two rows of values are not the same, but for roundings: those of elements
// that are executed together may be others than those of elements that are alone.
func differ(d *entity.Data, a, b []byte) bool {
	if bytes.Equal(a, b) || !d.Scalar().Float() {
		return !bytes.Equal(a, b)
	}
	tolerance := 1e-10
	if d.Scalar() == loop.Float32 {
		tolerance = 1e-4
	}
	x, y := d.Convert(a), d.Convert(b)
	for i := range x {
		same := x[i] == y[i] || math.IsNaN(x[i]) && math.IsNaN(y[i])
		if !same && !(math.Abs(x[i]-y[i]) <= tolerance*max(1, math.Abs(x[i]))) {
			return true
		}
	}
	return false
}
