package packs

import (
	"fmt"

	"github.com/go-op2/op2/internal/codegen/lanes"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// streamsAhead is how far ahead of a pack the values of all streams are fetched, in bytes: a part of a
// first-level cache, and what memory delivers while a request for more is on its way.
const streamsAhead = 12 << 10

// stream is an array that a loop goes through from one end to the other: a map, or the values of a dat
// at the elements themselves.
type stream struct {
	name    string
	values  int // of an element
	bytes   int // of them
	changes bool
}

// streams returns the arrays that a loop goes through, if fetching them ahead helps: processors keep up
// with contiguous vectors by themselves, but not with many values for each element, nor where they wait
// for values through maps, too.
func (k *Packs) streams() []stream {
	var list []stream
	helps := false
	for _, m := range k.lowered.Maps {
		arity := k.In.Loop.Maps[m].Arity
		list = append(list, stream{k.Maps[m], arity, 4 * arity, false})
		helps = true
	}
	at := map[int]int{}
	for _, m := range k.lowered.Moves {
		if !lanes.Direct(m) || k.lowered.Locals[m.Local].Role == lower.Number {
			continue
		}
		d := m.Place.Data
		if _, ok := at[d]; !ok {
			at[d] = len(list)
			data := k.In.Loop.Data[d]
			list = append(list, stream{k.Data[d], data.Dim, data.Dim * data.Type.Size(), k.In.Loop.DataAccess(d) != loop.Read})
			helps = helps || data.Dim > 1
		}
	}
	if !helps {
		return nil
	}
	return list
}

// fetchAhead prints the fetching of streams for a pack some way ahead.
func (k *Packs) fetchAhead(w *text.Writer) {
	if !k.Streamed {
		return
	}
	list, bytes := k.streams(), 0
	for _, s := range list {
		bytes += s.bytes
	}
	for _, s := range list {
		const most = 16 // elements of a pack
		ahead := max(most, streamsAhead/bytes/most*most)
		changes := 0
		if s.changes {
			changes = 1
		}
		w.Line("for (int b = 0; b < %d * OP2_LANES; b += 64) __builtin_prefetch((const char *)(%s) + b, %d);",
			s.bytes, text.Offset(s.name, s.values, fmt.Sprintf("(%s + %d)", k.Elem, ahead)), changes)
	}
}
