package store

import "github.com/go-op2/op2/internal/loop"

// padding is the bytes of each value that belong to no scalar. The zero padding is that of values without any.
type padding struct {
	size int // of a value
	gaps []gap
}

// gap is a range of bytes.
type gap struct{ from, to int }

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

// ClearPadding zeroes the bytes of values like those of the storage that no value uses. Programs that assign structs,
// kernels and devices leave anything in them.
func (s *Storage) ClearPadding(values []byte) { s.padding.clear(values) }

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
