package store

import "github.com/go-op2/op2/internal/loop"

// paddingOf returns the padding of values of a layout.
func paddingOf(l *loop.Layout) padding {
	p := padding{size: l.Size}
	end := 0
	for _, leaf := range l.Leaves() {
		if leaf.Offset > end {
			p.gaps = append(p.gaps, gap{end, leaf.Offset})
		}
		end = leaf.Offset + leaf.Scalar.Size()
	}
	if end < l.Size {
		p.gaps = append(p.gaps, gap{end, l.Size})
	}
	return p
}

// clear zeroes the padding of values.
func (p padding) clear(values []byte) {
	if len(p.gaps) == 0 {
		return
	}
	for ; len(values) > 0; values = values[p.size:] {
		for _, g := range p.gaps {
			clear(values[g.from:g.to])
		}
	}
}
