package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/record"
)

// recordChain adds the segments of a chain whose loops can share tiles, unless the same ones were
// recorded.
func (c *Chain) recordChain(segments []*segment) {
	for _, s := range segments {
		if c.rt.recorder != nil && len(s.loops) > 1 && !slices.ContainsFunc(s.loops, func(l *Loop) bool { return l.kernel.Own() || l.untiled() != "" }) {
			c.recordSegment(s)
		}
	}
}

func (c *Chain) recordSegment(s *segment) {
	var name strings.Builder
	for _, l := range s.loops {
		fmt.Fprintf(&name, "%s %s; ", l.name, l.spec.Hash())
	}
	id, r := recorded{name: name.String()}, c.rt.recorder
	if r.seen[id] {
		return
	}
	r.seen[id] = true
	chain, err := c.record(s)
	if err == nil {
		err = r.writer.AddChain(chain)
	}
	if err != nil {
		c.rt.recordFailed(err)
	}
}

// record returns a segment as inspection sees it; of several ranks, with all elements that are on this one.
func (c *Chain) record(s *segment) (*record.Chain, error) {
	in, err := newInspection(s.loops, nil)
	if err != nil {
		return nil, err
	}
	c.divide(in)
	out := &record.Chain{Why: s.why, Bytes: in.rows}
	for _, set := range in.sets {
		out.Sets = append(out.Sets, set.name)
	}
	for _, storage := range in.storages {
		out.Dats = append(out.Dats, first(s.loops, storage).name)
	}
	for _, i := range in.of {
		l := s.loops[i]
		out.Loops = append(out.Loops, record.ChainLoop{Kernel: l.kernel.Name(), Over: l.over.Name()})
	}
	out.SetInput(&in.Input)
	return out, nil
}

// first returns the first dat of some loops whose values are in a storage.
func first(loops []*Loop, storage *Storage) *Data {
	for _, l := range loops {
		for _, d := range l.binder.datas {
			if d.storage == storage {
				return d
			}
		}
	}
	return nil
}
