package vtu

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// ReadPart returns a part of the grid that the bytes of a VTU file hold: the points and cells that pointsOf and cellsOf
// return of so many, from lo up to hi, and those data that keep selects by name. Nodes are the points of all pieces, in order.
// Arrays must be appended raw. It decodes what it returns, and at most a compressed block beside it.
func ReadPart(data []byte, pointsOf, cellsOf func(n int) (lo, hi int), keep func(name string) bool) (*Grid, error) {
	d, grid, err := open(data)
	if err != nil {
		return nil, err
	}
	r := reader{pointsOf: pointsOf, cellsOf: cellsOf, keep: func(array *node) bool { return keep(array.get("Name")) }, array: d.window, part: true}
	if err := r.read(grid); err != nil {
		return nil, err
	}
	return &r.grid, nil
}

// window decodes some tuples of an array, which has so many; -1: any number.
func (d *decoder) window(n *node, w window) (Array, error) {
	a, t, err := typed(n)
	if err != nil {
		return a, err
	}
	appended, is := d.appended.(raw)
	if n.get("format") != "appended" || !is {
		return a, errorAt(n.at, "array %q: expected appended raw data, of which a part can be read, found another format; op2 mesh FILE -o NEW.vtu converts it", a.Name)
	}
	offset, err := n.number("offset", 0)
	if err != nil {
		return a, err
	}
	row := int(t.Size()) * a.Components
	most := appended.most()
	if d.decompress != nil {
		most *= mostExpanded
	}
	if (w.hi-w.lo)*row > most { // before there is memory for it
		return a, errorAt(n.at, "array %q: %v", a.Name, errShort)
	}
	a.Values = Make(t, (w.hi-w.lo)*a.Components)
	to := Bytes(a.Values)
	if len(to) == 0 {
		return a, nil
	}
	read := d.plainWindow
	if d.decompress != nil {
		read = d.compressedWindow
	}
	if err := read(appended.from(offset), w.size*row, w.lo*row, to); err != nil {
		return a, errorAt(n.at, "array %q: %v", a.Name, err)
	}
	if d.order.Uint16([]byte{0, 1}) != binary.NativeEndian.Uint16([]byte{0, 1}) {
		swapBytes(to, int(t.Size()))
	}
	return a, nil
}

// plainWindow copies the bytes at a place of data that is not compressed, which has so many; negative: any number.
func (d *decoder) plainWindow(from source, want, at int, to []byte) error {
	size, err := d.numbers(from, 0, 1)
	if err != nil {
		return err
	}
	if want >= 0 && size[0] != want || at+len(to) > size[0] {
		return fmt.Errorf("expected %d bytes, found %d", max(want, at+len(to)), size[0])
	}
	if size[0] > from.most()-d.header {
		return errShort
	}
	data, err := from.from(d.header + at).first(len(to))
	copy(to, data)
	return err
}

// compressedWindow decodes the blocks that hold the bytes at a place.
func (d *decoder) compressedWindow(from source, want, at int, to []byte) error {
	head, err := d.numbers(from, 0, 3)
	if err != nil {
		return err
	}
	blocks, each, last := head[0], head[1], head[2]
	ends, err := d.ends(from, blocks, each, last)
	if err != nil {
		return err
	}
	size := blocks * each
	if last > 0 {
		size -= each - last
	}
	if want >= 0 && size != want || at+len(to) > size {
		return fmt.Errorf("expected %d bytes, found %d", max(want, at+len(to)), size)
	}
	var block []byte
	for b := at / each; b*each < at+len(to); b++ {
		data, err := from.from(ends[b]).first(ends[b+1] - ends[b])
		if err != nil {
			return err
		}
		here := min(each, size-b*each)
		if here > mostExpanded*len(data) { // see compressed
			return fmt.Errorf("a block of %d bytes in %d compressed ones is impossible", here, len(data))
		}
		block = slices.Grow(block, here)
		of := block[:here]
		if err := d.decompress(of, data); err != nil {
			return err
		}
		copy(to[max(b*each-at, 0):], of[max(at-b*each, 0):])
	}
	return nil
}
