package run

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// Ranks that need the same compiled code compile it once: by its key, each piece falls to one rank, and
// goes to the others by message when the first of them needs it. Keys have the compiler, its flags and
// the processor, so that ranks which differ in them do not share.

// compiles is a backend that compiles code for the host.
type compiles interface{ Builder() *jit.Builder }

// ShareCode gives all ranks the code that they have ordered since its last call: what one has found in its
// cache, or compiles, goes to all that wait for it. It is collective, also for ranks whose backends compile
// nothing, which may be nil.
func ShareCode(c comm.Comm, b backend.Backend) error {
	if c.Size() == 1 {
		return nil
	}
	due := map[string]*jit.Build{}
	if b, ok := b.(compiles); ok && b.Builder() != nil {
		for _, p := range b.Builder().Ordered() {
			due[p.Key()] = p
		}
	}
	for { // each turn shares what the lowest rank needs that still needs some
		leader := []int64{int64(c.Size())}
		if len(due) > 0 {
			leader[0] = int64(c.Rank())
		}
		if err := comm.Min(c, leader); err != nil || int(leader[0]) == c.Size() {
			return err
		}
		list, err := comm.Spread(c, int(leader[0]), []byte(strings.Join(sorting.Keys(due), "")))
		if err != nil {
			return err
		}
		if err := sharePieces(c, due, slices.Collect(slices.Chunk(list, jit.KeySize))); err != nil {
			return err
		}
	}
}

// sharePieces shares the code with these keys, and deletes it from what is due.
func sharePieces(c comm.Comm, due map[string]*jit.Build, keys [][]byte) error {
	ranks, rank := int64(c.Size()), int64(c.Rank())
	senders, lacking := make([]int64, len(keys)), make([]int64, len(keys))
	for i, k := range keys { // the lowest rank of those that are farthest
		senders[i] = (jit.Waiting + 1) * ranks
		if p := due[string(k)]; p != nil {
			senders[i] = int64(p.Stage())*ranks + rank
		}
	}
	if err := comm.Min(c, senders); err != nil {
		return err
	}
	for i, k := range keys {
		switch p := due[string(k)]; {
		case p == nil:
		case senders[i]%ranks == rank:
			p.Begin()
		case int64(p.Stage()) > min(senders[i]/ranks, jit.Begun): // what has begun ends, if another has the code
			lacking[i] = 1
		}
	}
	if err := comm.Max(c, lacking); err != nil {
		return err
	}
	for i, k := range keys {
		p, sender := due[string(k)], int(senders[i]%ranks)
		delete(due, string(k))
		if lacking[i] == 0 {
			continue
		}
		var image []byte
		if sender == c.Rank() {
			image, _ = p.Image() // after an error, the others find it for themselves
		}
		image, err := comm.Spread(c, sender, image)
		switch {
		case err != nil:
			return err
		case p == nil || sender == c.Rank():
		case image == nil:
			p.Begin()
		default:
			p.Give(image)
		}
	}
	return nil
}

// ShareOrdered is ShareCode for a runtime.
func ShareOrdered(rt *entity.Runtime) error {
	if err := ShareCode(rt.Comm(), rt.Backend()); err != nil {
		return rt.Broken(err)
	}
	return nil
}

// shareFirst is ShareCode before the first loop with a meaning runs. Later ones, which one rank may prepare
// again when others do not, share nothing.
func (e *Engine) shareFirst(meaning loop.Hash) error {
	if e.shared[meaning] {
		return nil
	}
	if e.shared == nil {
		e.shared = map[loop.Hash]bool{}
	}
	e.shared[meaning] = true
	return ShareOrdered(e.rt)
}
