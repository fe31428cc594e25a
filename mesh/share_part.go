package mesh

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// rankPart is what a rank has read of a file.
type rankPart struct {
	dim    int       // coordinates of a node
	points []float64 // of the rank's piece of the nodes
	tags   []int64   // of these nodes; nil: their numbers in the file
	asIs   bool      // nodes of no element stay, and coordinates of three dimensions

	kinds    []Kind    // of the blocks, the same on all ranks
	elements [][]int64 // of each block, the nodes of the rank's piece, by their tags

	groups []Group   // the same on all ranks; their members are those in the rank's pieces
	anyOf  bool      // members are numbers in the whole blocks, on any rank
	nodes  [][]int64 // the nodes of each group, by their tags, that this rank has read
}

// mesh makes a share of what the ranks have read. It is collective.
func (p *rankPart) mesh(rt *entity.Runtime) (*Mesh, error) {
	s := &share{rt: rt, starts: make([][]int64, len(p.kinds)), before: make([]int64, len(p.kinds)+1)}
	m := &Mesh{Dim: p.dim, share: s}
	for i, kind := range p.kinds {
		starts, err := rt.Offsets(len(p.elements[i]) / kind.Nodes())
		if err != nil {
			return nil, err
		}
		n := starts[len(starts)-1]
		if n > math.MaxInt32 {
			return nil, fmt.Errorf("expected at most %d elements of one kind, found %d", math.MaxInt32, n)
		}
		s.starts[i], s.before[i+1] = starts, s.before[i]+n
		if kind.Dim() == p.kinds[0].Dim() {
			s.cells += n
		}
		m.Blocks = append(m.Blocks, Block{Kind: kind})
	}
	if s.cells < int64(rt.Ranks()) {
		return nil, fmt.Errorf("%d ranks share %d cells: each needs one\n  hint: start fewer ranks", rt.Ranks(), s.cells)
	}
	tags := p.touched()
	places, err := p.places(rt, tags)
	if err != nil {
		return nil, err
	}
	number, err := p.findNodes(m, places)
	if err != nil {
		return nil, err
	}
	place := halo.Places(tags)
	for i := range m.Blocks {
		m.Blocks[i].Nodes = make([]int32, len(p.elements[i]))
		for k, tag := range p.elements[i] {
			m.Blocks[i].Nodes[k] = number[place(tag)]
		}
		p.elements[i] = nil
	}
	for i, g := range p.groups {
		if err := p.addGroup(m, g, p.nodes[i], func(tag int64) int32 { return number[place(tag)] }); err != nil {
			return nil, err
		}
	}
	return m, p.flatten(m)
}

// touched returns the tags of the nodes that the rank's elements and groups have, ascending.
func (p *rankPart) touched() []int64 {
	const few = 1 << 18
	var tags []int64
	once := 0 // this many of them are there once
	for _, list := range slices.Concat(p.elements, p.nodes) {
		for some := range slices.Chunk(list, few) {
			if tags = append(tags, some...); len(tags) > 3*once+few {
				sorting.Int64s(tags)
				tags = slices.Compact(tags)
				once = len(tags)
			}
		}
	}
	sorting.Int64s(tags)
	return slices.Clone(slices.Compact(tags))
}

// places returns the numbers in the file of nodes with the given tags. Unless nodes are numbered one after the other,
// ranks keep a table of tags together, each a range of them. It is collective.
func (p *rankPart) places(rt *entity.Runtime, tags []int64) ([]int64, error) {
	nodes, err := rt.Offsets(len(p.points) / p.dim)
	if err != nil {
		return nil, err
	}
	first, total := nodes[rt.Rank()], nodes[rt.Ranks()]
	if p.tags != nil {
		if shift, ordered, err := p.ordered(rt, first); err != nil {
			return nil, err
		} else if !ordered {
			return p.lookUp(rt, tags, first)
		} else {
			tags = slices.Clone(tags)
			for i := range tags {
				tags[i] -= shift
			}
		}
	}
	for _, tag := range tags {
		if tag < 0 || tag >= total {
			err = fmt.Errorf("expected one of the %d nodes, found an element with node %d", total, tag)
		}
	}
	return tags, rt.Agree(err)
}

// ordered reports whether tags are those of the first node of the file and the ones after it, and the first.
func (p *rankPart) ordered(rt *entity.Runtime, first int64) (shift int64, ordered bool, err error) {
	shifts := []int64{math.MaxInt64, math.MaxInt64}
	for i, tag := range p.tags {
		d := tag - first - int64(i)
		shifts[0], shifts[1] = min(shifts[0], d), min(shifts[1], -d)
	}
	if err := comm.Min(rt.Comm(), shifts); err != nil {
		return 0, false, rt.Broken(err)
	}
	return shifts[0], shifts[0] == -shifts[1], nil
}

// lookUp finds the numbers in the file of nodes with the given tags. It is collective.
func (p *rankPart) lookUp(rt *entity.Runtime, tags []int64, first int64) ([]int64, error) {
	type node struct{ tag, number int64 } // -1: asks for it
	bounds := []int64{math.MaxInt64, math.MaxInt64}
	var questions []node
	for i, tag := range p.tags {
		questions = append(questions, node{tag, first + int64(i)})
		bounds[0], bounds[1] = min(bounds[0], tag), min(bounds[1], -tag)
	}
	for _, tag := range tags {
		questions = append(questions, node{tag, -1})
	}
	if err := comm.Min(rt.Comm(), bounds); err != nil {
		return nil, rt.Broken(err)
	}
	least, size := bounds[0], uint64(-bounds[1]-bounds[0])/uint64(rt.Ranks())+1
	home := func(i int) int {
		return int(min(uint64(max(questions[i].tag, least)-least)/size, uint64(rt.Ranks()-1)))
	}
	answers, err := ask(rt, questions, home, func(questions []node) ([]int64, error) {
		numbers, answers := map[int64]int64{}, make([]int64, len(questions))
		for _, q := range questions {
			if _, twice := numbers[q.tag]; twice && q.number >= 0 {
				return nil, fmt.Errorf("expected each node once, found a second one with the tag %d", q.tag)
			} else if q.number >= 0 {
				numbers[q.tag] = q.number
			}
		}
		for i, q := range questions {
			number, known := numbers[q.tag]
			if !known {
				return nil, fmt.Errorf("expected the tag of a node, found %d, which no node has", q.tag)
			}
			answers[i] = number
		}
		return answers, nil
	})
	if err != nil {
		return nil, err
	}
	p.tags = nil
	return answers[len(answers)-len(tags):], nil
}

// located is what the rank that declares a node knows of it.
type located struct {
	number int32
	border bool
	at     [3]float64
}

// findNodes declares the rank's piece of the nodes, without those that no rank has, and gives the mesh its nodes: those at
// the given places in the file. It returns the number of each in the mesh. It is collective.
func (p *rankPart) findNodes(m *Mesh, places []int64) (number []int32, err error) {
	s := m.share
	rt := s.rt
	pieces, err := rt.Offsets(len(p.points) / p.dim)
	if err != nil {
		return nil, err
	}
	first := pieces[rt.Rank()]
	nodes, err := ask(rt, places, func(i int) int { return rankOf(pieces, places[i]) }, func(asked []int64) ([]located, error) {
		ranks := make([]int32, len(p.points)/p.dim) // that have each node
		for _, at := range asked {
			ranks[at-first]++
		}
		numbers := make([]int32, len(ranks))
		next := int32(0)
		for n, have := range ranks {
			if have > 0 || p.asIs {
				copy(p.points[int(next)*p.dim:], p.points[n*p.dim:(n+1)*p.dim])
				numbers[n] = next
				next++
			}
		}
		s.points = slices.Clone(p.points[:int(next)*p.dim])
		p.points = nil
		if s.homes, err = rt.Offsets(int(next)); err != nil {
			return nil, err
		}
		if total := s.homes[rt.Ranks()]; total > math.MaxInt32 {
			return nil, fmt.Errorf("expected at most %d nodes, found %d", math.MaxInt32, total)
		}
		if i := slices.IndexFunc(s.points, infinite); i >= 0 {
			return nil, fmt.Errorf("node %d: expected finite coordinates, found %v", s.homes[rt.Rank()]+int64(i/p.dim), s.points[i])
		}
		answers := make([]located, len(asked))
		for i, at := range asked {
			n := numbers[at-first]
			answers[i].number, answers[i].border = n+int32(s.homes[rt.Rank()]), ranks[at-first] > 1
			copy(answers[i].at[:], s.points[int(n)*p.dim:(int(n)+1)*p.dim])
		}
		return answers, nil
	})
	if err != nil {
		return nil, err
	}
	order := lists.UpTo(len(nodes))
	sorting.Int32sBy(order, func(a, b int32) int { return int(nodes[a].number) - int(nodes[b].number) })
	number = make([]int32, len(nodes))
	s.nodes, s.border, m.Points = make([]int32, len(nodes)), make([]bool, len(nodes)), make([]float64, 0, len(nodes)*p.dim)
	for n, i := range order {
		number[i], s.nodes[n], s.border[n] = int32(n), nodes[i].number, nodes[i].border
		m.Points = append(m.Points, nodes[i].at[:p.dim]...)
	}
	return number, nil
}

// addGroup adds a group, with what is here of its members. It is collective.
func (p *rankPart) addGroup(m *Mesh, g Group, nodes []int64, number func(tag int64) int32) error {
	to := Group{Name: g.Name, Tag: g.Tag, Dim: g.Dim}
	if len(nodes) > 0 {
		var of []int32
		for _, tag := range nodes {
			of = append(of, number(tag))
		}
		sorting.Int32s(of)
		to.Members = append(to.Members, Members{-1, slices.Compact(of)})
	}
	for _, members := range g.Members {
		if !p.anyOf {
			to.Members = append(to.Members, members)
			continue
		}
		starts := m.share.starts[members.Block]
		err := validIndices(members.Elements, "Elements", p.kinds[members.Block].String(), int(starts[len(starts)-1]))
		if err != nil {
			err = fmt.Errorf("group %q%w", g.Name, err)
		}
		if err := m.share.rt.Agree(err); err != nil {
			return err
		}
		here, err := homeward(m.share.rt, starts, members.Elements)
		if err != nil {
			return err
		}
		for i := range here {
			here[i] -= int32(m.share.first(members.Block))
		}
		if len(here) > 0 {
			to.Members = append(to.Members, Members{members.Block, here})
		}
	}
	m.Groups = append(m.Groups, to)
	return nil
}

// flatten is that of a whole mesh. It is collective.
func (p *rankPart) flatten(m *Mesh) error {
	s := m.share
	if p.asIs || p.dim != 3 || m.CellDim() == 3 {
		return nil
	}
	z := []float64{math.Inf(1), math.Inf(1)} // the least, and the least of the opposite
	for i := 2; i < len(s.points); i += 3 {
		z[0], z[1] = min(z[0], s.points[i]), min(z[1], -s.points[i])
	}
	if err := comm.Reduce(s.rt.Comm(), loop.Min, z); err != nil {
		return s.rt.Broken(err)
	}
	if z[0] == -z[1] {
		m.Dim, m.Points, s.points = 2, inPlane(m.Points), inPlane(s.points)
	}
	return nil
}
