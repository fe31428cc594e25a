package core

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
)

// checkRanks returns an error, on all ranks, unless they are about to run the same loop with valid
// halos. It is collective, and does nothing on one process.
func (l *Loop) checkRanks(over Range, args []Arg) error {
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
func (l *Loop) checkAlike(over Range, args []Arg) error {
	var texts, states []string
	for _, a := range args {
		texts = append(texts, a.String())
	}
	states = append(states, "the hash of its kernel and arguments is "+l.spec.Hash().Short(), fmt.Sprintf("it is over %d elements", over.whole()))
	for i, a := range args {
		switch d := a.data; {
		case a.kind == loop.Dat && d.set.Parts() != nil:
			states = append(states, fmt.Sprintf("the halo of %s is %s", d.name, d.haloState()))
		case a.kind == loop.Global && l.spec.Loop.Args[i].Reduces():
			if err := d.Bring(false); err != nil {
				return err
			}
			states = append(states, fmt.Sprintf("%s is %v", d.name, d.Float64s()))
		}
	}
	return l.rt.alike(fmt.Sprintf("%s (%s)", l.name, strings.Join(texts, "; ")), states)
}

// checkHalos returns an error on all ranks unless the values in halos that are marked as valid are
// those of their owners. It is collective.
func (l *Loop) checkHalos(args []Arg) error {
	for i, a := range args {
		if a.kind != loop.Dat || a.data.set.Parts() == nil {
			continue
		}
		err := a.data.checkHalo()
		if err != nil {
			err = fmt.Errorf("op2: %s: argument %d (%s): %w", l.name, ordinal(args, i), a, err)
		}
		if err := l.rt.Agree(err); err != nil {
			return err
		}
	}
	return nil
}

// checkHalo compares the valid values of a dat's halo with those that owners send.
func (d *Data) checkHalo() error {
	s := d.storage
	if err := d.Bring(false); err != nil {
		return err
	}
	h := s.Halo()
	valid := []stale{d.stale(halo.Owned, h.Valid)}
	if h.Through != nil {
		reached := d.stale(min(h.Valid, h.Reached), h.Reached)
		reached.parts = h.Through.Parts
		valid = append(valid, reached)
	}
	u, err := newUpdate(d.rt.link(), valid)
	if err != nil {
		return err
	}
	defer u.exchange.Free()
	if err := u.start(); err != nil {
		return err
	}
	if err := u.send(); err != nil {
		return err
	}
	if err := u.exchange.Wait(); err != nil {
		return err
	}
	d.clearPadding()
	here, row := d.bytes(), d.dim*d.scalar.Size()
	for _, m := range u.receives.list {
		sent := m.data
		s.ClearPadding(sent)
		for _, r := range m.rows {
			for i := range r.n {
				e := r.element(i)
				if copied := here[e*row:][:row]; d.differ(copied, sent[:row]) {
					return fmt.Errorf("rank %d has %v in its copy of element %d of %s, whose owner, rank %d, has %v\n"+
						"  hint: the copy is marked as valid: was a slice of Data written after the next loop? call Data again before each change",
						d.rt.Rank(), d.Row(copied), d.set.known(e), d.set.name, m.rank, d.Row(sent[:row]))
				}
				sent = sent[row:]
			}
		}
	}
	return nil
}

// differ reports whether two rows of values are not the same, but for roundings: those of elements
// that are executed together may be others than those of elements that are alone.
func (d *Data) differ(a, b []byte) bool {
	if bytes.Equal(a, b) || !d.scalar.Float() {
		return !bytes.Equal(a, b)
	}
	tolerance := 1e-10
	if d.scalar == loop.Float32 {
		tolerance = 1e-4
	}
	x, y := d.Row(a), d.Row(b)
	for i := range x {
		same := x[i] == y[i] || math.IsNaN(x[i]) && math.IsNaN(y[i])
		if !same && !(math.Abs(x[i]-y[i]) <= tolerance*max(1, math.Abs(x[i]))) {
			return true
		}
	}
	return false
}
