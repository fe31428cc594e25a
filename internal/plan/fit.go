package plan

import (
	"slices"
	"sort"
)

// Fit returns a number of elements for blocks of which none needs more than room bytes of fast memory: the largest multiple
// of step, at most most, that bisection finds, or 0; below most, it is how many the largest block has. Bytes are those of a
// target of each of the data, as in [Plan.SharedBytes].
func (in *Input) Fit(bytes []int, room, step, most int) (int, error) {
	sized := *in
	sized.BlockSize = step
	if err := sized.validate(); err != nil {
		return 0, err
	}
	s := in.structure()
	if err := in.checkValues(&s); err != nil {
		return 0, err
	}
	f := fitting{in: sized, room: room}
	for _, slots := range s.staged {
		l := fitted{spans: in.spansOf(slots), latest: make([]int32, in.targetsOf(slots))}
		for d := range in.Data {
			if in.Data[d].Stage && slices.Equal(in.slots(d), slots) {
				l.bytes = append(l.bytes, bytes[d])
			}
		}
		f.lists = append(f.lists, l)
	}
	size := step * sort.Search(most/step, func(i int) bool { return !f.fits(step * (i + 1)) })
	if 0 < size && size <= most-step {
		if largest := f.largest(size); f.fits(largest) {
			return largest, nil
		}
	}
	return size, nil
}

// largest returns the elements of the largest block of that size.
func (f *fitting) largest(size int) int {
	f.in.BlockSize = size
	p, most := f.in.cut(), 0
	for b := range p.Blocks() {
		first, last := p.Block(b)
		most = max(most, last-first)
	}
	return most
}

// fitting tries sizes of blocks.
type fitting struct {
	in     Input
	room   int
	lists  []fitted
	block  int32 // number of blocks that were looked at
	buffer []int32
}

// fitted is a list of targets, and what each of them takes.
type fitted struct {
	spans  []span
	latest []int32 // by target: the last block that has reached it
	bytes  []int   // of a target, by dat
}

// fits reports whether all blocks of that size do.
func (f *fitting) fits(size int) bool {
	f.in.BlockSize = size
	p := f.in.cut()
	for b := range p.Blocks() {
		first, last := p.Block(b)
		f.block++
		need := 0
		for i := range f.lists {
			l := &f.lists[i]
			n := l.count(first, last, f)
			if n > NoTarget {
				return false
			}
			for _, bytes := range l.bytes {
				need += sharedBytes(n, bytes)
			}
		}
		if need > f.room {
			return false
		}
	}
	return true
}

// count returns the number of targets that the elements [first, last) reach.
func (l *fitted) count(first, last int, f *fitting) (n int) {
	if size := room(l.spans, last-first); len(f.buffer) < size {
		f.buffer = make([]int32, size)
	}
	for i := range l.spans {
		for _, t := range l.spans[i].targets(first, last, f.buffer) {
			if t >= 0 && l.latest[t] != f.block {
				l.latest[t] = f.block
				n++
			}
		}
	}
	return n
}
