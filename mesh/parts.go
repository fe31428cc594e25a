package mesh

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"sync/atomic"
)

// occurrences are parts of elements, such as the edges of all triangles: equal parts, which have the same corners,
// occur in several elements. They are numbered element by element, block by block.
type occurrences struct {
	mesh     *Mesh
	blocks   []occurringIn
	total    int
	elements int // that have parts
	corner   int // the most corners of a part
}

// occurringIn is the part of [occurrences] in one block.
type occurringIn struct {
	*Block
	index    int    // of the block in the mesh
	parts    []Part // of each element
	elements span   // numbered across the blocks
	first    int    // the number of its first occurrence
}

// occurrencesOf numbers the parts that select returns for the kinds of a valid mesh's blocks.
func (m *Mesh) occurrencesOf(selected func(Kind) []Part) (*occurrences, error) {
	o := &occurrences{mesh: m}
	for i := range m.Blocks {
		b := &m.Blocks[i]
		parts := selected(b.Kind)
		if len(parts) == 0 || b.Len() == 0 {
			continue
		}
		in := occurringIn{Block: b, index: i, parts: parts, elements: span{o.elements, o.elements + b.Len()}, first: o.total}
		o.blocks = append(o.blocks, in)
		o.elements += b.Len()
		o.total += b.Len() * len(parts)
		for _, p := range parts {
			o.corner = max(o.corner, p.Kind.Corners())
		}
	}
	if o.total > math.MaxInt32 {
		return nil, fmt.Errorf("mesh: the cells have %d edges or faces, each counted for every cell: at most %d are possible", o.total, math.MaxInt32)
	}
	return o, nil
}

// each calls f for the elements from lo to hi, numbered across the blocks, with the number of their first part.
func (o *occurrences) each(lo, hi int, f func(in *occurringIn, element, first int)) {
	for i := range o.blocks {
		in := &o.blocks[i]
		for e := max(lo, in.elements.lo); e < min(hi, in.elements.hi); e++ {
			local := e - in.elements.lo
			f(in, local, in.first+local*len(in.parts))
		}
	}
}

// at returns where an occurrence is.
func (o *occurrences) at(number int32) (in *occurringIn, element, part int) {
	for i := range o.blocks {
		in = &o.blocks[i]
		if local := int(number) - in.first; local < in.Len()*len(in.parts) {
			return in, local / len(in.parts), local % len(in.parts)
		}
	}
	return nil, 0, 0
}

// ofBlocks returns the numbers of the parts of the elements of each block, given those of all occurrences.
func (o *occurrences) ofBlocks(numbers []int32) [][]int32 {
	of := make([][]int32, len(o.mesh.Blocks))
	for i := range o.blocks {
		in := &o.blocks[i]
		of[in.index] = numbers[in.first : in.first+in.Len()*len(in.parts)]
	}
	return of
}

// key identifies a part by its corners in ascending order: two in each word, all ones for one that there is not.
type key struct{ lo, hi uint64 }

// keyOf returns the key of a part of an element with the given nodes, and whether its corners differ.
func keyOf(nodes []int32, part Part) (k key, distinct bool) {
	const none = math.MaxUint32
	switch part.Kind.Corners() {
	case 1:
		return key{uint64(nodes[part.Nodes[0]])<<32 | none, none}, true
	case 2:
		a, b := nodes[part.Nodes[0]], nodes[part.Nodes[1]]
		return key{uint64(min(a, b))<<32 | uint64(max(a, b)), none}, a != b
	case 3:
		a, b, c := nodes[part.Nodes[0]], nodes[part.Nodes[1]], nodes[part.Nodes[2]]
		a, b = min(a, b), max(a, b)
		b, c = min(b, c), max(b, c)
		a, b = min(a, b), max(a, b)
		return key{uint64(a)<<32 | uint64(b), uint64(c)<<32 | none}, a != b && b != c
	}
	a, b, c, d := nodes[part.Nodes[0]], nodes[part.Nodes[1]], nodes[part.Nodes[2]], nodes[part.Nodes[3]]
	a, b = min(a, b), max(a, b)
	c, d = min(c, d), max(c, d)
	a, c = min(a, c), max(a, c)
	b, d = min(b, d), max(b, d)
	b, c = min(b, c), max(b, c)
	return key{uint64(a)<<32 | uint64(b), uint64(c)<<32 | uint64(d)}, a != b && b != c && c != d
}

func (k key) hash() uint64 {
	h, l := bits.Mul64(k.lo^0x9e3779b97f4a7c15, k.hi^0xd1b54a32d192ed03)
	h ^= l
	return (h ^ h>>29) * 0xbf58476d1ce4e5b9
}

// atomicMin sets v to the smaller of its value and another.
func atomicMin(v *atomic.Int64, to int64) {
	for old := v.Load(); to < old && !v.CompareAndSwap(old, to); old = v.Load() {
	}
}

// alone marks an occurrence that has no equal.
const alone = -1

// match finds equal parts. It returns for each occurrence the first one that equals it: itself, if it is
// the first of several, or alone.
//
// If cells is not negative, parts are facets of cells, and elements from that number on are facets themselves:
// match looks these up only, so that they are alone if they are not facets of a cell. It is then an error
// if more than two cells have a facet.
//
// The parts are distributed by their hashes to so many buckets that the table of each fits in a cache. The order
// in a bucket is that of the numbers, so that the result does not depend on the number of processors.
func (o *occurrences) match(cells int) (first []int32, err error) {
	t := o.distribute()
	if at := t.collapsed.Load(); at < math.MaxInt32 {
		in, element, _ := o.at(int32(at))
		return nil, fmt.Errorf("mesh: %s %d has a node twice: %v", in.Kind, element, in.Element(element))
	}
	facets := o.total // from here on they are elements
	if cells >= 0 {
		facets = 0
		for i := range o.blocks {
			if o.blocks[i].elements.hi <= cells {
				facets = o.blocks[i].first + o.blocks[i].Len()*len(o.blocks[i].parts)
			}
		}
	}
	first = make([]int32, o.total)
	var third atomic.Int64 // the smallest number of a facet's third cell
	third.Store(math.MaxInt64)
	var next atomic.Int64
	together(spans(len(t.start)<<12), func(_, _, _ int) {
		var table []int32
		for {
			b := int(next.Add(1)) - 1
			if b >= len(t.start)-1 {
				return
			}
			table = t.matchBucket(b, table, first, int32(facets), cells >= 0, &third)
		}
	})
	if at := third.Load(); at < math.MaxInt64 {
		return nil, o.crowded(first, int32(at))
	}
	return first, nil
}

// isFirst reports whether an occurrence is the first of a part, given the result of match.
func isFirst(first []int32, at int32) bool { return first[at] == at || first[at] == alone }

// number numbers the parts of the elements below a number, given the result of match: class by class, and in each in the
// order of their first occurrences. It returns the number of the part that each occurrence is, and the first number of
// each class, with the end.
func (o *occurrences) number(first []int32, elements, classes int, class func(at int32, k Kind) int) (numbers, starts []int32) {
	s := spans(elements)
	next := make([][]int32, len(s)) // the next number, by span and class
	eachFirst := func(lo, hi int, f func(at int32, class int)) {
		o.each(lo, hi, func(in *occurringIn, _, number int) {
			for p := range in.parts {
				if at := int32(number + p); isFirst(first, at) {
					f(at, class(at, in.parts[p].Kind))
				}
			}
		})
	}
	together(s, func(i, lo, hi int) {
		counts := make([]int32, classes)
		eachFirst(lo, hi, func(_ int32, class int) { counts[class]++ })
		next[i] = counts
	})
	var total int32
	for c := range classes {
		starts = append(starts, total)
		for i := range s {
			next[i][c], total = total, total+next[i][c]
		}
	}
	numbers = make([]int32, o.total)
	together(s, func(i, lo, hi int) {
		eachFirst(lo, hi, func(at int32, class int) {
			numbers[at] = next[i][class]
			next[i][class]++
		})
	})
	together(spans(o.total), func(_, lo, hi int) {
		for at := int32(lo); at < int32(hi); at++ {
			if !isFirst(first, at) {
				numbers[at] = numbers[first[at]]
			}
		}
	})
	return numbers, append(starts, total)
}

// buckets are occurrences by the hashes of their parts.
type buckets struct {
	start     []int32 // of each bucket, and the end
	lo, hi    []uint64
	number    []int32
	collapsed atomic.Int64 // the smallest number of a part with a corner twice
}

// distribute distributes the occurrences to buckets by their hashes, in ascending order in each.
func (o *occurrences) distribute() *buckets {
	const perBucket = 4096
	shift := 64 - min(12, bits.Len(uint(o.total/perBucket)))
	count := 1 << (64 - shift)
	t := &buckets{start: make([]int32, count+1), lo: make([]uint64, o.total), number: make([]int32, o.total)}
	t.collapsed.Store(math.MaxInt32)
	if o.corner > 2 {
		t.hi = make([]uint64, o.total)
	}
	s := spans(o.elements)
	places := make([][]int32, len(s))
	together(s, func(i, lo, hi int) {
		counts := make([]int32, count)
		o.each(lo, hi, func(in *occurringIn, e, number int) {
			nodes := in.Element(e)
			for p := range in.parts {
				k, distinct := keyOf(nodes, in.parts[p])
				if !distinct {
					atomicMin(&t.collapsed, int64(number+p))
				}
				counts[k.hash()>>shift]++
			}
		})
		places[i] = counts
	})
	at := int32(0)
	for b := range count {
		t.start[b] = at
		for i := range places {
			places[i][b], at = at, at+places[i][b]
		}
	}
	t.start[count] = at
	together(s, func(i, lo, hi int) {
		place := places[i]
		o.each(lo, hi, func(in *occurringIn, e, number int) {
			nodes := in.Element(e)
			for p := range in.parts {
				k, _ := keyOf(nodes, in.parts[p])
				b := k.hash() >> shift
				at := place[b]
				place[b]++
				t.lo[at], t.number[at] = k.lo, int32(number+p)
				if t.hi != nil {
					t.hi[at] = k.hi
				}
			}
		})
	})
	return t
}

// matchBucket enters the equal parts of a bucket into first. It returns the table, which it uses again.
func (t *buckets) matchBucket(b int, table, first []int32, facets int32, pairs bool, third *atomic.Int64) []int32 {
	from, to := t.start[b], t.start[b+1]
	size := 1 << bits.Len(uint(2*(to-from)))
	if len(table) < size {
		table = make([]int32, size)
	}
	slots := table[:size] // the place of a part in the bucket, plus 1; 0: none
	clear(slots)
	mask := uint64(size - 1)
	for i := from; i < to; i++ {
		k := key{t.lo[i], math.MaxUint32}
		if t.hi != nil {
			k.hi = t.hi[i]
		}
		number := t.number[i]
		slot := k.hash() & mask
		for ; slots[slot] != 0; slot = (slot + 1) & mask {
			at := from + slots[slot] - 1
			if t.lo[at] == k.lo && (t.hi == nil || t.hi[at] == k.hi) {
				break
			}
		}
		switch {
		case slots[slot] == 0 && number < facets:
			slots[slot] = i - from + 1
			fallthrough
		case slots[slot] == 0:
			first[number] = alone
		default:
			met := t.number[from+slots[slot]-1]
			first[number] = met
			if number >= facets {
				continue
			}
			if pairs && first[met] != alone {
				atomicMin(third, int64(number))
			}
			first[met] = met
		}
	}
	return table
}

// crowded returns the error that a facet has more than two cells, given the number of its third occurrence.
func (o *occurrences) crowded(first []int32, third int32) error {
	var cells []string
	in, e, p := o.at(third)
	for n := range first {
		if int32(n) == first[third] || first[n] == first[third] {
			other, element, _ := o.at(int32(n))
			if other.Kind.Dim() != in.Kind.Dim() {
				break // from here on it is elements that are facets
			}
			if len(cells) == 4 {
				cells = append(cells, "...")
				break
			}
			cells = append(cells, fmt.Sprintf("%s %d", other.Kind, element))
		}
	}
	var nodes []int32
	part := in.parts[p]
	for _, place := range part.Nodes[:part.Kind.Corners()] {
		nodes = append(nodes, in.Element(e)[place])
	}
	return fmt.Errorf("mesh: the %s with nodes %s has more than two cells: %s", facetName(part.Kind), listed(nodes), strings.Join(cells, ", "))
}
