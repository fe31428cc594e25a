package core

import (
	"slices"
	"sync/atomic"
	"weak"

	"github.com/go-op2/op2/internal/tune"
)

// sequences finds the sequences of loops that a queue runs again and again, and makes chains of them.
// Like the cache of loops it keeps no sets, maps and data alive.
type sequences struct {
	known map[uint64]*sequence
	order []*sequence // oldest first
	ids   []uint64    // of the sequence that is looked up
}

// sequence is one sequence of loops.
type sequence struct {
	hash    uint64
	ids     []uint64 // of the loops, and of the globals that are set between them
	seen    int      // how often it has run
	again   int64    // number of calls after which the chain is made again, with tiles; 0: never
	chain   *Chain   // nil before it pays off
	objects map[identity]bool

	standIns []*Data // for globals, one for each call that has one; nil if no loop uses it
}

const (
	mostSequences = 128
	seenOften     = 3 // from then on, a sequence is worth a chain
)

var loopIDs atomic.Uint64

// of returns the sequence of the loops that are called; nil if it can become no chain.
func (s *sequences) of(rt *Runtime, calls []queued) (*sequence, error) {
	if len(calls) < 2 || rt.config.Chains == tune.ChainsOff {
		return nil, nil
	}
	s.ids = s.ids[:0]
	hash, loops := uint64(0), 0
	for i := range calls {
		id := uint64(0)
		switch c := &calls[i]; {
		case c.loop != nil:
			id = c.loop.id
			loops++
		case c.when == between:
			id = c.assign.storage().queued.id
		default:
			continue
		}
		s.ids = append(s.ids, id)
		hash = mix(hash, id)
	}
	if loops < 2 {
		return nil, nil
	}
	q := s.known[hash]
	if q == nil || !slices.Equal(q.ids, s.ids) {
		q = s.add(hash)
	}
	q.seen++
	if q.seen == seenOften || q.again > 0 && int64(q.seen) == q.again+1 {
		if err := q.makeChain(rt, calls); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// add adds the sequence that is looked up, and drops the oldest one if there are many.
func (s *sequences) add(hash uint64) *sequence {
	if s.known == nil {
		s.known = map[uint64]*sequence{}
	}
	if old := s.known[hash]; old != nil {
		s.order = slices.DeleteFunc(s.order, func(o *sequence) bool { return o == old })
	}
	if len(s.order) == mostSequences {
		delete(s.known, s.order[0].hash)
		s.order[0], s.order = nil, s.order[1:]
	}
	q := &sequence{hash: hash, ids: slices.Clone(s.ids)}
	s.known[hash], s.order = q, append(s.order, q)
	return q
}

// drop drops the chains that use any of the objects.
func (s *sequences) drop(objects map[identity]bool) {
	s.order = slices.DeleteFunc(s.order, func(q *sequence) bool {
		for id := range objects {
			if q.objects[id] {
				delete(s.known, q.hash)
				return true
			}
		}
		return false
	})
}

// clear drops all chains.
func (s *sequences) clear() { s.known, s.order = nil, nil }

// identify adds the identities of the objects that the loop uses.
func (l *Loop) identify(objects map[identity]bool) {
	gone := l.rt.unreachable
	identify(l.over.Set, 0, &l.over.Set.identity, gone)
	objects[l.over.Set.identity] = true
	if s := l.over.Subset; s != nil {
		identify(s, 0, &s.identity, gone)
		objects[s.identity] = true
	}
	for _, a := range l.keep {
		if a.data != nil {
			identify(a.data, int64(a.data.storage.Bytes()), &a.data.identity, gone)
			objects[a.data.identity] = true
		}
		for _, m := range []*Map{a.m, a.cols} {
			if m != nil {
				identify(m, m.bytes(), &m.identity, gone)
				objects[m.identity] = true
			}
		}
	}
}

// loose is the range and the arguments of a loop, without keeping alive what they lead to.
type loose struct {
	set    weak.Pointer[Set]
	subset weak.Pointer[Subset]
	part   bool // of the set: there is a subset
	args   []looseArg
}

type looseArg struct {
	Arg     // without data and maps
	data    weak.Pointer[Data]
	m, cols weak.Pointer[Map]
	has     [3]bool
}

// loosen returns the loose form of a loop's range and arguments; nil if parts of mixed data are among
// them.
func loosen(over Range, args []Arg) *loose {
	l := &loose{set: weak.Make(over.Set), subset: weak.Make(over.Subset), part: over.Subset != nil}
	for _, a := range args {
		if a.part != nil {
			return nil
		}
		b := looseArg{a, weak.Make(a.data), weak.Make(a.m), weak.Make(a.cols), [3]bool{a.data != nil, a.m != nil, a.cols != nil}}
		b.Arg.data, b.Arg.m, b.Arg.cols = nil, nil, nil
		l.args = append(l.args, b)
	}
	return l
}

// whole returns the range and the arguments of a loop, unless some of them have become unreachable.
func (l *Loop) whole() (Range, []Arg, bool) {
	if l.keep != nil || l.over.Set != nil {
		return l.over, slices.Clone(l.keep), true
	}
	if l.loose == nil {
		return Range{}, nil, false
	}
	over := Range{l.loose.set.Value(), l.loose.subset.Value()}
	ok := over.Set != nil && l.loose.part == (over.Subset != nil)
	var args []Arg
	for _, b := range l.loose.args {
		a := b.Arg
		a.data, a.m, a.cols = b.data.Value(), b.m.Value(), b.cols.Value()
		ok = ok && b.has == [3]bool{a.data != nil, a.m != nil, a.cols != nil}
		args = append(args, a)
	}
	return over, args, ok
}
