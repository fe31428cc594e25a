package comm

import (
	"cmp"
	"math/bits"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// Numbered combines values of numbered elements that lie on all ranks. The result has the same bits
// wherever the elements are: values are combined along a tree over their numbers. A leaf of the tree
// is a range of leafNumbers numbers, whose values are combined one after another, and a node is what
// its two halves have.
//
// A rank combines its own nodes: subtrees with elements of this rank alone. Each range of the tree, a
// span, has one rank, which combines the nodes of all ranks there, and spans are combined as pairs, pairs
// of pairs, and so on.
type Numbered struct {
	comm  Comm
	order []int     // this rank's elements, by ascending numbers
	nodes []int     // how many elements each node has
	folds []uint8   // of these elements
	to    []portion // nodes that other ranks combine
	spans spans
	own   []span // this rank's
	from  []portion
}

// portion is a number of nodes that another rank gets, or has.
type portion struct{ rank, nodes int }

// span is how nodes of a range are combined.
type span struct {
	nodes []origin // ascending
	folds []uint8
}

// origin is where a node comes from: the n-th of a portion.
type origin struct{ portion, n int }

// leafNumbers is the number of successive numbers in a leaf.
const leafNumbers = 64

// separator returns the height of the node that two numbers are in different halves of; 0 if they
// are in one leaf.
func separator(a, b int64) int { return bits.Len64(uint64(a/leafNumbers) ^ uint64(b/leafNumbers)) }

// A stack follows the tree over elements that come in ascending order: after each push, pop is called
// as often as two subtrees are complete.
type stack struct{ heights []int } // of the separators between what is on the stack

// next returns how many times the last two on the stack are combined before the next element, which a
// separator of this height precedes.
func (s *stack) next(height int) (folds uint8) {
	for len(s.heights) > 0 && s.heights[len(s.heights)-1] <= height {
		s.heights = s.heights[:len(s.heights)-1]
		folds++
	}
	s.heights = append(s.heights, height)
	return folds
}

// last returns how many times they are combined in the end.
func (s *stack) last() (folds uint8) {
	folds = uint8(len(s.heights))
	s.heights = s.heights[:0]
	return folds
}

// foldsOf returns how many times the last two on the stack are combined after each of n nodes, whose
// first and last numbers are given.
func foldsOf(n int, first, last func(i int) int64) []uint8 {
	folds := make([]uint8, n)
	var s stack
	for i := range folds {
		if i+1 < n {
			folds[i] = s.next(separator(last(i), first(i+1)))
		} else {
			folds[i] = s.last()
		}
	}
	return folds
}

// spans are the equal ranges of the tree that ranks combine.
type spans struct {
	count, ranks int
	numbers      int64 // in each
}

func newSpans(ranks int, size int64) spans {
	s := spans{count: 1, ranks: ranks, numbers: leafNumbers}
	for s.count < ranks {
		s.count *= 2
	}
	for s.numbers*int64(s.count) < size {
		s.numbers *= 2
	}
	return s
}

// rank returns the rank of a span.
func (s spans) rank(i int) int { return i * s.ranks / s.count }

// first returns the first span of a rank.
func (s spans) first(rank int) int { return (rank*s.count + s.ranks - 1) / s.ranks }

// of returns the span of a number.
func (s spans) of(number int64) int { return int(number / s.numbers) }

// NewNumbered prepares to combine values of elements with these numbers, of all from 0 to size. It is
// collective.
func NewNumbered(c Comm, numbers []int64, size int64) (*Numbered, error) {
	n := &Numbered{comm: c, order: make([]int, len(numbers))}
	for i := range n.order {
		n.order[i] = i
	}
	sorting.By(n.order, func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) })
	sorted := make([]int64, len(numbers))
	for i, e := range n.order {
		sorted[i] = numbers[e]
	}
	if c.Size() == 1 {
		if len(sorted) > 0 {
			n.nodes = []int{len(sorted)}
		}
	} else if err := n.divide(sorted, size); err != nil {
		return nil, err
	}
	first := 0
	for _, count := range n.nodes {
		of := sorted[first : first+count]
		at := func(i int) int64 { return of[i] }
		n.folds = append(n.folds, foldsOf(count, at, at)...)
		first += count
	}
	return n, nil
}

// divide finds the nodes of each rank: the ranks of spans are told of all numbers, and answer.
func (n *Numbered) divide(sorted []int64, size int64) error {
	c := n.comm
	n.spans = newSpans(c.Size(), size)
	out := Outbox[int64]{}
	for _, number := range sorted {
		out.Add(n.spans.rank(n.spans.of(number)), number)
	}
	came, err := out.Send(c)
	if err != nil {
		return err
	}
	counts, answers := n.combined(came), Outbox[uint32]{}
	for i, m := range came {
		n.from = append(n.from, portion{m.Rank, len(counts[i])})
		answers[m.Rank] = counts[i]
	}
	known, err := answers.Send(c)
	if err != nil {
		return err
	}
	for _, m := range known {
		n.to = append(n.to, portion{m.Rank, len(m.Values)})
		for _, count := range m.Values {
			n.nodes = append(n.nodes, int(count))
		}
	}
	return nil
}

// node is elements of one rank that no other has elements between: as many as a subtree has.
type node struct {
	portion     int
	first, last int64
	count       uint32
}

// combined finds out how the spans of this rank are combined, from the numbers that ranks have of
// them, and returns the numbers of elements in the nodes of each rank.
func (n *Numbered) combined(came []Came[int64]) (counts [][]uint32) {
	var all []node
	for p, m := range came {
		for _, number := range m.Values {
			all = append(all, node{p, number, number, 1})
		}
	}
	sorting.By(all, func(a, b node) int { return cmp.Compare(a.first, b.first) })
	counts = make([][]uint32, len(came))
	n.own = make([]span, n.spans.first(n.comm.Rank()+1)-n.spans.first(n.comm.Rank()))
	for s := range n.own {
		in := 0
		for in < len(all) && n.spans.of(all[in].first) == n.spans.first(n.comm.Rank())+s {
			in++
		}
		nodes := whole(all[:in])
		all = all[in:]
		n.own[s].folds = foldsOf(len(nodes), func(i int) int64 { return nodes[i].first }, func(i int) int64 { return nodes[i].last })
		for _, x := range nodes {
			n.own[s].nodes = append(n.own[s].nodes, origin{x.portion, len(counts[x.portion])})
			counts[x.portion] = append(counts[x.portion], x.count)
		}
	}
	return counts
}

// whole joins the elements of subtrees that are of one rank.
func whole(elements []node) []node {
	var s stack
	var joined []node
	var starts []int // in joined, of what is on the stack
	for i, x := range elements {
		starts, joined = append(starts, len(joined)), append(joined, x)
		folds := s.last
		if i+1 < len(elements) {
			folds = func() uint8 { return s.next(separator(x.last, elements[i+1].first)) }
		}
		for range folds() {
			right := starts[len(starts)-1]
			starts = starts[:len(starts)-1]
			left := starts[len(starts)-1]
			if len(joined)-left == 2 && joined[left].portion == joined[right].portion {
				joined[left].last, joined[left].count = joined[right].last, joined[left].count+joined[right].count
				joined = joined[:right]
			}
		}
	}
	return joined
}

// Combine combines the values of all elements, of which row returns that of one, and gives all ranks
// the result; it reports whether there is any. It is collective.
func (n *Numbered) Combine(r loop.Reduction, row func(i int) unsafe.Pointer, result unsafe.Pointer) (any bool, err error) {
	f := folder{reduction: r, size: r.Bytes(), words: (r.Bytes() + 7) / 8}
	nodes := make([]uint64, len(n.nodes)*f.words)
	first := 0
	for i, count := range n.nodes {
		f.fold(n.folds[first:first+count], func(j int) unsafe.Pointer { return row(n.order[first+j]) }, f.at(nodes, i))
		first += count
	}
	if n.comm.Size() == 1 {
		if len(n.nodes) > 0 {
			f.copy(result, f.at(nodes, 0))
		}
		return len(n.nodes) > 0, nil
	}
	values, err := n.gather(&f, nodes)
	if err != nil {
		return false, err
	}
	if err := n.pairs(&f, values); err != nil {
		return false, err
	}
	if n.comm.Rank() != 0 {
		values = [][]byte{make([]byte, 8+8*f.words)}
	}
	if err := n.comm.Broadcast(0, values[0]); err != nil || values[0][0] == 0 {
		return false, err
	}
	f.copy(result, unsafe.Pointer(&values[0][8]))
	return true, nil
}

// gather sends the values of nodes to where they are combined, and returns the values of this rank's
// spans, after a byte that is 1 if there is one.
func (n *Numbered) gather(f *folder, nodes []uint64) ([][]byte, error) {
	var sends, receives []Message
	for _, p := range n.to {
		sends = append(sends, Message{p.rank, MaxTag, Bytes(nodes[:p.nodes*f.words])})
		nodes = nodes[p.nodes*f.words:]
	}
	came := make([][]uint64, len(n.from))
	for i, p := range n.from {
		came[i] = make([]uint64, p.nodes*f.words)
		receives = append(receives, Message{p.rank, MaxTag, Bytes(came[i])})
	}
	if err := Once(n.comm, sends, receives); err != nil {
		return nil, err
	}
	values := make([][]byte, len(n.own))
	for i, s := range n.own {
		memory := make([]uint64, 1+f.words)
		if values[i] = Bytes(memory); len(s.nodes) > 0 {
			values[i][0] = 1
			f.fold(s.folds, func(j int) unsafe.Pointer { return f.at(came[s.nodes[j].portion], s.nodes[j].n) }, unsafe.Pointer(&memory[1]))
		}
	}
	return values, nil
}

// pairs combines pairs of spans, pairs of pairs, and so on, into the first.
func (n *Numbered) pairs(f *folder, values [][]byte) error {
	own, rank := n.spans.first(n.comm.Rank()), n.comm.Rank()
	for step := 1; step < n.spans.count; step *= 2 {
		var sends, receives []Message
		others := map[int][]byte{} // by left span
		for i := range values {
			span := own + i
			switch {
			case span%(2*step) == step && n.spans.rank(span-step) != rank:
				sends = append(sends, Message{n.spans.rank(span - step), MaxTag, values[i]})
			case span%(2*step) == 0 && n.spans.rank(span+step) == rank:
				others[i] = values[i+step]
			case span%(2*step) == 0:
				others[i] = Bytes(make([]uint64, 1+f.words))
				receives = append(receives, Message{n.spans.rank(span + step), MaxTag, others[i]})
			}
		}
		if err := Once(n.comm, sends, receives); err != nil {
			return err
		}
		for i, other := range others {
			switch {
			case other[0] == 0:
			case values[i][0] == 0:
				copy(values[i], other)
			default:
				f.reduction.Combine(unsafe.Pointer(&values[i][8]), unsafe.Pointer(&other[8]))
			}
		}
	}
	return nil
}

// folder combines values along a tree.
type folder struct {
	reduction   loop.Reduction
	size, words int
	stack       []uint64
}

// at returns the address of the i-th of some values.
func (f *folder) at(values []uint64, i int) unsafe.Pointer { return unsafe.Pointer(&values[i*f.words]) }

func (f *folder) copy(to, from unsafe.Pointer) {
	copy(unsafe.Slice((*byte)(to), f.size), unsafe.Slice((*byte)(from), f.size))
}

// fold combines values, of which there is at least one, into a result.
func (f *folder) fold(folds []uint8, value func(i int) unsafe.Pointer, result unsafe.Pointer) {
	depth := 0
	for i, n := range folds {
		if len(f.stack) == depth*f.words {
			f.stack = append(f.stack, make([]uint64, f.words)...)
		}
		f.copy(f.at(f.stack, depth), value(i))
		depth++
		for range n {
			f.reduction.Combine(f.at(f.stack, depth-2), f.at(f.stack, depth-1))
			depth--
		}
	}
	f.copy(result, f.at(f.stack, 0))
}
