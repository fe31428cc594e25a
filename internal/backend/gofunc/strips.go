package gofunc

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
)

// over runs the elements of some runs, and adds their contributions to partial results.
func (b *body) over(runs []backend.Run, partials P, w *worker) {
	for _, p := range b.partial {
		w.point(p.slot, add(partials, p.offset), 0)
	}
	for _, run := range runs {
		if b.places != nil {
			b.visitAll(b.fn, b.places, w.table, uintptr(run[0]), uintptr(run[1]))
			continue
		}
		last := int(run[1])
		if b.loop.Layers.Of > 0 {
			for e := int(run[0]); e < last; e++ {
				b.runColumn(w, partials, e)
			}
			continue
		}
		for e := int(run[0]); e < last; e += b.strip {
			b.elements(w, partials, e, min(b.strip, last-e))
		}
	}
}

// elements runs a strip of n elements from e on: it fetches all copies, calls the kernel for one
// element after another, and stores the results in the order of the elements.
func (b *body) elements(w *worker, partials P, e, n int) {
	w.first = e
	for _, x := range b.indices {
		numbers := unsafe.Slice((*int)(add(w.scratch, x.offset)), n)
		for i := range numbers {
			numbers[i] = e + i
		}
	}
	b.clear(w, n)
	for i := range b.before {
		b.before[i].do(w.scratch, partials, e, n, 0)
	}
	if b.walk != nil {
		advance(b.columns, w.strides, uintptr(e))
		b.walk(b.fn, w.strides, w.table, n)
	} else {
		fillColumns(b.columns, w.table, uintptr(e), n)
		b.lengthen(w, n)
		b.call(b.fn, w.table, n)
	}
	b.storeCopies(w, partials, e, n)
}

// lengthen passes the lengths of slices for n elements.
func (b *body) lengthen(w *worker, n int) {
	for _, l := range b.lengths {
		for _, slot := range []int{l.slot, l.slot + 1} {
			c := column{slot: slot}
			for e, rows := 0, c.cells(w.table, n); e < n; e++ {
				rows[e] = uint64(b.lengthAt(w, l.count, e))
			}
		}
	}
	for i := range b.headers {
		if h := &b.headers[i]; h.count > 0 {
			for e := range n {
				h.fillOne(w.scratch, uintptr(e), b.lengthAt(w, h.count, e))
			}
		}
	}
}

// lengthAt returns the length that a parameter leads to for the element e of a strip.
func (b *body) lengthAt(w *worker, count, e int) int {
	return *(*int)(add(w.scratch, b.counts[count]+uintptr(e)*unsafe.Sizeof(0)))
}
