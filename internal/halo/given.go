package halo

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sorting"
)

// Given is one rank's part of a set that another tool has distributed: local numbers, and lists of
// what neighbors send each other, by rank.
type Given struct {
	Name string
	Extents
	Numbers  []int64         // in the whole mesh, by local number; nil: the ranks' elements one after the other
	Sends    map[int][]int32 // owned elements
	Receives map[int][]int32 // what each neighbor sends: elements of all layers of the halo
}

// Adopt returns the set, with its messages by parts of the halo. All elements of the halo need to be
// received, once, and the lists of neighbors must match. It is collective.
func Adopt(c comm.Comm, g *Given) (*LocalSet, error) {
	s := &LocalSet{Extents: Extents{g.Core, g.Owned, slices.Clone(g.Layers)}, Numbers: slices.Clone(g.Numbers), Parts: make([]Part, 2*len(g.Layers))}
	if err := g.check(c, s); err != nil {
		return nil, err
	}
	if err := g.agree(c); err != nil {
		return nil, err
	}
	if err := g.match(c, s); err != nil {
		return nil, err
	}
	if g.Numbers == nil {
		return s, s.number(c)
	}
	size := []int64{int64(g.Owned)}
	if err := comm.Sum(c, size); err != nil {
		return nil, err
	}
	s.Size = size[0]
	_, err := NewDirectory(c, g.Name, size[0], g.Numbers[:g.Owned])
	return s, err
}

// problem returns an error for the set.
func (g *Given) problem(format string, args ...any) error {
	return &problem.ShapeError{What: "set " + g.Name, Msg: fmt.Sprintf(format, args...)}
}

// check returns an error for lists of this rank that are impossible.
func (g *Given) check(c comm.Comm, s *LocalSet) error {
	if err := g.Extents.Check(); err != nil {
		return g.problem("%v", err)
	}
	total := s.Total()
	if g.Numbers != nil && len(g.Numbers) != total {
		return g.problem("%d numbers are needed for %d owned elements and a halo of %d, %d were given", total, g.Owned, total-g.Owned, len(g.Numbers))
	}
	to, from := sorting.Keys(g.Sends), sorting.Keys(g.Receives)
	for _, rank := range to {
		elements := sorting.Sorted(g.Sends[rank], cmp.Compare)
		if err := g.once(fmt.Sprintf("sends rank %d", rank), elements, 0, g.Owned, "which it does not own"); err != nil {
			return err
		}
	}
	var all []int32
	for _, elements := range g.Receives {
		all = append(all, elements...)
	}
	sorting.Int32s(all)
	if err := g.once("receives", all, g.Owned, total, "which is not in its halo"); err != nil {
		return err
	}
	if len(all) < total-g.Owned {
		missing := g.Owned
		for _, e := range all {
			if int(e) == missing {
				missing++
			}
		}
		return g.problem("no rank sends element %d of the halo", missing)
	}
	return cmp.Or(g.others(c, "sends to", to), g.others(c, "receives from", from))
}

// once returns an error if one of the elements, in ascending order, is listed twice, or not from first
// up to end.
func (g *Given) once(does string, elements []int32, first, end int, why string) error {
	for i, e := range elements {
		switch {
		case int(e) < first || int(e) >= end:
			return g.problem("this rank %s element %d, %s", does, e, why)
		case i > 0 && e == elements[i-1]:
			return g.problem("this rank %s element %d twice", does, e)
		}
	}
	return nil
}

// others returns an error if some are not ranks other than this.
func (g *Given) others(c comm.Comm, does string, ranks []int) error {
	for _, r := range ranks {
		switch {
		case r < 0 || r >= c.Size():
			return g.problem("this rank %s rank %d, of %d", does, r, c.Size())
		case r == c.Rank():
			return g.problem("this rank %s itself", does)
		}
	}
	return nil
}

// agree returns an error if not all ranks give the same number of layers, or numbers.
func (g *Given) agree(c comm.Comm) error {
	layers, numbered := int64(len(g.Layers)), int64(0)
	if g.Numbers != nil {
		numbered = 1
	}
	most := []int64{layers, -layers, numbered, -numbered}
	if err := comm.Max(c, most); err != nil {
		return err
	}
	switch {
	case most[0] != -most[1]:
		return g.problem("ranks give from %d to %d layers of halo", -most[1], most[0])
	case most[2] != -most[3]:
		return g.problem("some ranks give numbers in the whole mesh, others do not")
	}
	return nil
}

// match compares the lists with those of the neighbors, and distributes them over the parts: each
// rank tells its neighbors the part of each element that it expects, and its number.
func (g *Given) match(c comm.Comm, s *LocalSet) error {
	out := comm.Outbox[int64]{}
	for _, rank := range sorting.Keys(g.Receives) {
		list := g.Receives[rank]
		for _, e := range list {
			out.Add(rank, int64(s.part(e)))
		}
		for _, e := range list {
			if g.Numbers != nil {
				out.Add(rank, g.Numbers[e])
			}
		}
		s.split(list, func(i int) int { return s.part(list[i]) }, func(p *Part, elements []int32) {
			p.Receives = append(p.Receives, received(rank, elements))
		})
	}
	came, err := out.Send(c)
	if err != nil {
		return err
	}
	expected := comm.Outbox[int64]{}
	for _, message := range came {
		expected[message.Rank] = message.Values
	}
	for _, rank := range sorting.Keys(g.Sends) {
		if err := g.matches(c, s, Send{rank, g.Sends[rank]}, expected[rank]); err != nil {
			return err
		}
		delete(expected, rank)
	}
	for _, message := range came {
		if parts := expected[message.Rank]; len(parts) > 0 {
			return g.matches(c, s, Send{Rank: message.Rank}, parts)
		}
	}
	return nil
}

// matches returns an error if another rank does not expect the elements that this one sends, and otherwise adds them
// to the parts.
func (g *Given) matches(c comm.Comm, s *LocalSet, send Send, expected []int64) error {
	count := len(expected)
	if g.Numbers != nil {
		count /= 2
	}
	parts, numbers := expected[:count], expected[count:]
	if count != len(send.Elements) {
		return g.problem("rank %d sends %s to rank %d, which expects %d", c.Rank(), problem.Count(len(send.Elements), "element"), send.Rank, count)
	}
	for i, number := range numbers {
		if sent := g.Numbers[send.Elements[i]]; sent != number {
			return g.problem("rank %d sends element %d of the whole mesh to rank %d, which expects element %d at this place of the list, %d",
				c.Rank(), sent, send.Rank, number, i)
		}
	}
	s.split(send.Elements, func(i int) int { return int(parts[i]) }, func(p *Part, elements []int32) {
		p.Sends = append(p.Sends, Send{send.Rank, elements})
	})
	return nil
}

// split calls add for the elements of each part that has any, in their order.
func (s *LocalSet) split(elements []int32, partOf func(i int) int, add func(p *Part, elements []int32)) {
	parts := make([][]int32, len(s.Parts))
	for i, e := range elements {
		p := partOf(i) - 1
		parts[p] = append(parts[p], e)
	}
	for p, elements := range parts {
		if len(elements) > 0 {
			add(&s.Parts[p], elements)
		}
	}
}

// part returns the part of the halo of an element, 0 if it is owned: parts are intervals of local numbers.
func (s *LocalSet) part(element int32) (part int) {
	for int(element) >= s.Prefix(part) {
		part++
	}
	return part
}

// received returns a message of elements, which may be a run.
func received(rank int, elements []int32) Receive {
	for i, e := range elements {
		if e != elements[0]+int32(i) {
			return Receive{Rank: rank, Count: len(elements), Elements: elements}
		}
	}
	return Receive{Rank: rank, First: int(elements[0]), Count: len(elements)}
}

// number numbers the elements: those of rank 0 first. The offset of a rank is the prefix sum of what lower ranks own;
// numbers in the halo come from owners, part by part.
func (s *LocalSet) number(c comm.Comm) error {
	offsets, err := Offsets(c, int64(s.Owned))
	if err != nil {
		return err
	}
	s.Size, s.Numbers = offsets[c.Size()], make([]int64, s.Total())
	for e := range s.Owned {
		s.Numbers[e] = offsets[c.Rank()] + int64(e)
	}
	for i := range s.Parts {
		if err := s.Parts[i].fill(c, s.Numbers); err != nil {
			return err
		}
	}
	return nil
}

// fill sends the numbers of owned elements, and receives those of the halo.
func (p *Part) fill(c comm.Comm, numbers []int64) error {
	return p.copies(c, 8, func(e int32) []byte { return comm.Bytes(numbers[e : e+1]) }, func(_ int, e int32, row []byte) error {
		copy(comm.Bytes(numbers[e:e+1]), row)
		return nil
	})
}

// copies sends the rows of elements, of so many bytes, and calls take with those that come. It is collective.
func (p *Part) copies(c comm.Comm, bytes int, rowOf func(e int32) []byte, take func(from int, e int32, row []byte) error) error {
	var sends, receives []comm.Message
	for _, s := range p.Sends {
		packed := make([]byte, 0, len(s.Elements)*bytes)
		for _, e := range s.Elements {
			packed = append(packed, rowOf(e)...)
		}
		sends = append(sends, comm.Message{Rank: s.Rank, Tag: tag, Data: packed})
	}
	for _, r := range p.Receives {
		receives = append(receives, comm.Message{Rank: r.Rank, Tag: tag, Data: make([]byte, r.Count*bytes)})
	}
	if err := comm.Once(c, sends, receives); err != nil {
		return err
	}
	for i, r := range p.Receives {
		for j := range r.Count {
			if err := take(r.Rank, r.Element(j), receives[i].Data[j*bytes:(j+1)*bytes]); err != nil {
				return err
			}
		}
	}
	return nil
}
