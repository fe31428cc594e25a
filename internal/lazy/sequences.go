package lazy

import (
	"encoding/binary"
	"slices"

	"github.com/go-op2/op2/internal/chains"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/tune"
)

// sequences finds repeated sequences of loops in a queue, and makes chains of them. Like the cache of
// loops, it refers to sets, maps and data only weakly.
type sequences struct {
	known map[string]*sequence // by key
	order []*sequence          // oldest first
	key   []byte               // buffer for the key at hand
}

// sequence is a sequence of loops, and their chain once it pays off.
type sequence struct {
	key   string           // the IDs of the loops, and of the globals that are set between them
	seen  int              // how often it has run
	again int64            // runs after which the chain is made anew, with tiles; 0: never
	chain *chains.Repeated // nil before it pays off
}

const (
	mostSequences = 128
	seenOften     = 3 // runs before a sequence becomes a chain
)

// of returns the sequence of a group of calls; nil if it can become no chain.
func (s *sequences) of(rt *entity.Runtime, calls []run.Operation) (*sequence, error) {
	if len(calls) < 2 || rt.Config().Chains == tune.ChainsOff {
		return nil, nil
	}
	s.key = s.key[:0]
	loops := 0
	for i := range calls {
		id := uint64(0)
		switch c := &calls[i]; {
		case c.Loop != nil:
			id = c.Loop.ID()
			loops++
		case chains.MomentOf(calls, i) == chains.Between:
			id = markOf(c.Set.Storage()).id
		default:
			continue
		}
		s.key = binary.LittleEndian.AppendUint64(s.key, id)
	}
	if loops < 2 {
		return nil, nil
	}
	q := s.known[string(s.key)]
	if q == nil {
		q = s.add()
	}
	q.seen++
	often := seenOften
	if rt.Config().Backend.Translate != "" { // with small input, for runs that are longer
		often = 1
	}
	if q.seen == often || q.again > 0 && int64(q.seen) == q.again+1 {
		chain, again, err := chains.Repeat(rt, calls, int64(q.seen)-1)
		if err != nil {
			return nil, err
		}
		if q.again = again; chain != nil {
			q.chain = chain
		}
	}
	return q, nil
}

// add records the sequence with the key at hand. It drops the oldest one if there are too many.
func (s *sequences) add() *sequence {
	if s.known == nil {
		s.known = map[string]*sequence{}
	}
	if len(s.order) == mostSequences {
		delete(s.known, s.order[0].key)
		s.order[0], s.order = nil, s.order[1:]
	}
	q := &sequence{key: string(s.key)}
	s.known[q.key], s.order = q, append(s.order, q)
	return q
}

// drop drops the chains that use any of the objects.
func (s *sequences) drop(objects entity.Objects) {
	s.order = slices.DeleteFunc(s.order, func(q *sequence) bool {
		gone := q.chain != nil && q.chain.UsesAny(objects)
		if gone {
			delete(s.known, q.key)
		}
		return gone
	})
}

// clear drops all chains.
func (s *sequences) clear() { s.known, s.order = nil, nil }
