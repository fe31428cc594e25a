package gofunc

import (
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// body runs a kernel on elements.
type body struct {
	loop *loop.Loop
	fn   P

	slots    []int                              // of the parameters' first words
	words    int                                // that the kernel takes
	passed   int                                // words that call passes
	call     func(fn, table P, n int)           // calls the kernel with the rows of a table
	walk     func(fn P, s []stride, t P, n int) // if all parameters advance by strides: without a table
	strip    int                                // maximum length of a strip
	places   []place                            // of all parameters, if visitAll calls the kernel: without a table
	visitAll func(fn P, s []place, t P, first, last uintptr)
	columns  []column     // parameters that point at data
	fixed    []fixed      // parameters that always point at the same values
	locals   []localParam // parameters that point at copies
	partial  []localParam // parameters that point at the block's partial results

	constants     []constant
	headers       []headers
	lengths       []varyingLength
	counts        map[int]uintptr // scratch offsets of the lengths of rows, by their Count
	indices       []index         // element numbers, which come from no table unless there are layers
	bounds        P               // of columns, by element; nil if each has all layers
	zeroed        []localParam
	before, after []transfer
	mats          []mat
	// interleaved says that results are stored element by element, rather than argument by
	// argument, since several arguments lead to the same values.
	interleaved bool

	scratchSize uintptr
	workers     []worker
}

// worker is the memory of one goroutine that runs blocks.
type worker struct {
	scratch P // copies, each for all elements of a strip
	table   P // words, a column for each; just one if there are strides, for the mark
	strides []stride
	first   int // the element of the first row; 0 without strips
	body    int // in the first body's worker: the body that the goroutine runs
}

// visit lists the places of all n parameters if nothing is copied and some data is reached through
// maps: addresses that are not contiguous are computed faster than stored in a table.
func (b *body) visit(n int) {
	if len(b.columns)+len(b.fixed) < n || len(b.before) > 0 || n >= len(visits) {
		return
	}
	by := visits[:]
	switch len(b.constants) {
	case 0:
	case 2 * n: // all are slices
		by = slicedVisits[:]
	default:
		return
	}
	passed := n // more than the kernel takes, if there is no such visit: it does not read the others
	for by[passed] == nil {
		passed++
	}
	places := make([]place, passed)
	indirect := false
	for _, c := range b.columns {
		places[slices.Index(b.slots, c.slot)] = c.place
		indirect = indirect || c.place.targets != nil
	}
	for _, f := range b.fixed {
		places[slices.Index(b.slots, f.slot)] = place{base: f.at}
	}
	for i := 0; i < len(b.constants); i += 2 {
		places[i/2].length = int(b.constants[i].word)
	}
	if indirect {
		b.places, b.visitAll = places, by[passed]
	}
}

// useStrides makes the loop run without a table if only copies are reached through maps. Without
// copies, a strip is a whole run.
func (b *body) useStrides() {
	n := b.words
	if n >= len(walks) || len(b.lengths) > 0 || b.loop.Layers.Of == 0 && slices.ContainsFunc(b.columns, func(c column) bool { return c.place.targets != nil }) {
		return
	}
	b.walk = walks[n]
	if len(b.columns)+len(b.fixed)+len(b.partial)+len(b.constants) == n && len(b.before) == 0 {
		b.strip = math.MaxInt32
	}
}

// worker returns the memory of a goroutine, creating it when the goroutine first works on the loop.
func (b *body) worker(number int) *worker {
	w := &b.workers[number]
	if w.table != nil {
		return w
	}
	w.scratch = newLines(b.scratchSize)
	columns := b.passed
	if b.walk != nil {
		w.strides = make([]stride, columns)
		columns = 1
	}
	w.table = newLines(uintptr(columnSize * columns))
	for _, l := range b.locals {
		w.point(l.slot, add(w.scratch, l.offset), l.size)
	}
	for _, f := range b.fixed {
		w.point(f.slot, f.at, 0)
	}
	for _, c := range b.constants {
		w.pass(c.slot, c.word, 0)
	}
	for i := range b.headers {
		b.headers[i].fillAll(w.scratch, b.strip)
	}
	return w
}

// point makes a parameter point at first for the first element of a strip, and size bytes further
// for each following one.
func (w *worker) point(slot int, first P, size uintptr) { w.pass(slot, uintptr(first), size) }

// pass sets a word: to first for the first element of a strip, and to size more for each following
// one.
func (w *worker) pass(slot int, first, size uintptr) {
	if w.strides != nil {
		w.strides[slot] = stride{first, size}
		return
	}
	repeat(w.table, slot, first, size)
}

// clear zeroes what the kernel adds to for n elements.
func (b *body) clear(w *worker, n int) {
	for i := range b.zeroed {
		z := &b.zeroed[i]
		clear(unsafe.Slice((*byte)(add(w.scratch, z.offset)), uintptr(n)*z.size))
	}
}

// storeCopies stores what the kernel left for n elements from e on.
func (b *body) storeCopies(w *worker, partials P, e, n int) {
	if b.interleaved {
		for i := range n {
			for s := range b.after {
				b.after[s].do(w.scratch, partials, e+i, 1, i)
			}
		}
	} else {
		for s := range b.after {
			b.after[s].do(w.scratch, partials, e, n, 0)
		}
	}
	b.putMats(w, e, n)
}

// putMats stores the local matrices of n elements, or layers of a column, from first on.
func (b *body) putMats(w *worker, first, n int) {
	if len(b.mats) == 0 {
		return
	}
	for i := range n {
		for m := range b.mats {
			b.mats[m].put(first+i, i, w.scratch)
		}
	}
}

// newScratch reserves size bytes of scratch memory for each element of a strip.
func (b *body) newScratch(size uintptr) uintptr {
	offset := b.scratchSize
	b.scratchSize += (size*uintptr(b.strip) + 7) &^ 7
	return offset
}
