package chains

import (
	"slices"

	"github.com/go-op2/op2/internal/record"
	"github.com/go-op2/op2/internal/run"
)

// recordChain adds the segments of a chain whose loops can share tiles to the record, if there is one.
func (c *settings) recordChain(segments []*segment) {
	for _, s := range segments {
		if len(s.loops) > 1 && !slices.ContainsFunc(s.loops, func(l *member) bool { return l.Kernel().Own() || l.untiled() != "" }) {
			run.RecordChain(coreLoops(s.loops), func() (*record.Chain, error) { return c.record(s) })
		}
	}
}

// record returns a segment as inspection sees it; of several ranks, with all elements that are on this one.
func (c *settings) record(s *segment) (*record.Chain, error) {
	in, err := newInspection(s.loops, nil)
	if err != nil {
		return nil, err
	}
	c.divide(in)
	out := &record.Chain{Why: s.why, Bytes: in.rows}
	for _, set := range in.sets {
		out.Sets = append(out.Sets, set.Name())
	}
	for _, d := range in.dats {
		out.Dats = append(out.Dats, d.Name())
	}
	for _, i := range in.of {
		l := s.loops[i]
		out.Loops = append(out.Loops, record.ChainLoop{Kernel: l.Kernel().Name(), Over: l.Binding().Over.Name()})
	}
	out.SetInput(&in.Input)
	return out, nil
}
