package gofunc

import "unsafe"

// A column runs its layers in order, in strips like those of elements. From one layer to the next, each place is a fixed number of
// bytes further, whether a map leads to it or not.

// runColumn runs the layers of column e.
func (b *body) runColumn(w *worker, partials P, e int) {
	bottom, top := 0, b.loop.Layers.Of
	if b.bounds != nil {
		of := (*[2]int32)(add(b.bounds, 8*uintptr(e)))
		bottom, top = int(of[0]), int(of[1])
	}
	first, last := b.loop.Layers.Region.Of(bottom, top)
	for layer := first; layer < last; layer += b.strip {
		b.someLayers(w, partials, e, layer, min(b.strip, last-layer))
	}
}

// someLayers runs a strip of n layers of column e, as elements runs elements.
func (b *body) someLayers(w *worker, partials P, e, layer, n int) {
	w.first = e
	for i := range b.indices {
		x := &b.indices[i]
		first := x.numberOf(e)*b.loop.Layers.Of + layer
		for at := range unsafe.Slice((*int)(add(w.scratch, x.offset)), n) {
			*(*int)(add(w.scratch, x.offset+uintptr(at)*unsafe.Sizeof(first))) = first + at
		}
	}
	b.clear(w, n)
	for i := range b.before {
		b.before[i].doLayers(w.scratch, partials, e, layer, n, 0)
	}
	for i := range b.columns {
		c := &b.columns[i]
		if first := uintptr(c.place.atLayer(uintptr(e), uintptr(layer))); b.walk != nil {
			w.strides[c.slot] = stride{first, c.place.rise}
		} else {
			fillEven(w.table, c.slot, uint64(first), uint64(c.place.rise), n)
		}
	}
	if b.walk != nil {
		b.walk(b.fn, w.strides, w.table, n)
	} else {
		b.call(b.fn, w.table, n)
	}
	each := n
	if b.interleaved {
		each = 1
	}
	for i := 0; i < n; i += each {
		for s := range b.after {
			b.after[s].doLayers(w.scratch, partials, e, layer+i, each, i)
		}
	}
	b.putMats(w, e*b.loop.Layers.Of+layer, n)
}

// reserveTargets makes room for the targets of each transfer's rows.
func (b *body) reserveTargets() {
	for _, list := range [][]transfer{b.before, b.after} {
		for i := range list {
			s := &list[i]
			s.targets = b.newScratch(uintptr(4 * len(s.levels) * s.place.rows))
		}
	}
}
