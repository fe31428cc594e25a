package mesh

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/sorting"
)

// sharedParts are the parts of the elements of all ranks' shares, of which this rank has those of its elements: equal parts
// are found here first, and then, those whose corners are all on the border, by the ranks that declare a corner.
type sharedParts struct {
	*occurrences
	share   *share
	first   []int32 // as match returns it
	other   []int32 // of each first one: the next one here, of a cell, or -1; or -2-i for answers[i]
	answers []joint
	numbers []int32 // of the part that each occurrence is; -1: of no cell
	own     []int   // of each class: how many have their first cell here
}

// joint is a part, by the first two of its occurrences in cells of all ranks; -1: there is none. Of edges there is only the first.
type joint struct{ first, other int64 }

// partBits are the bits of an occurrence's number over all ranks that hold the number of the part in its element.
const partBits = 6

// global returns the number over all ranks of an occurrence.
func (p *sharedParts) global(at int32) int64 {
	in, e, part := p.at(at)
	return (p.share.before[in.index]+p.share.first(in.index)+int64(e))<<partBits | int64(part)
}

// element returns the block of an occurrence, given its number over all ranks, and its element in the whole block.
func (s *share) element(occurrence int64) (block int, element int64) {
	e := occurrence >> partBits
	for s.before[block+1] <= e {
		block++
	}
	return block, e - s.before[block]
}

// joint returns the part that an occurrence is.
func (p *sharedParts) joint(at int32) joint {
	if p.first[at] != alone {
		at = p.first[at]
	}
	j := joint{p.global(at), -1}
	switch other := p.other[at]; {
	case other <= -2:
		return p.answers[-2-other]
	case other >= 0:
		j.other = p.global(other)
	}
	if j.first>>partBits >= p.share.cells {
		j.first = -1
	}
	return j
}

// add adds an occurrence to a part. With pairs, it is an error if it is the third.
func (j *joint) add(occurrence int64, pairs bool) (ok bool) {
	switch {
	case occurrence < 0:
	case j.first < 0:
		j.first = occurrence
	case !pairs:
		j.first = min(j.first, occurrence)
	case j.other < 0:
		j.first, j.other = min(j.first, occurrence), max(j.first, occurrence)
	default:
		return false
	}
	return true
}

// sharedParts finds equal parts, those that selected returns for each kind. With pairs, it is an error if a part has more
// than two cells. It is collective.
func (m *Mesh) sharedParts(selected func(Kind) []Part, pairs bool) (*sharedParts, error) {
	p := &sharedParts{share: m.share}
	rt := m.share.rt
	err := p.matchHere(m, selected, pairs)
	if err := rt.Agree(err); err != nil {
		return nil, err
	}
	type question struct {
		corners [4]int32
		joint
	}
	var questions []question
	var asked []int32
	p.each(0, p.elements(), func(in *occurringIn, e, number int) {
		for k, part := range in.parts {
			if at := int32(number + k); isFirst(p.first, at) {
				if corners, border := m.share.corners(in.Element(e), part); border {
					questions, asked = append(questions, question{corners, p.joint(at)}), append(asked, at)
				}
			}
		}
	})
	p.answers, err = ask(rt, questions, func(i int) int { return rankOf(m.share.homes, int64(questions[i].corners[0])) }, func(questions []question) ([]joint, error) {
		joints, which, answers := []joint{}, map[[4]int32]int{}, make([]joint, len(questions))
		for _, q := range questions {
			i, met := which[q.corners]
			if !met {
				i = len(joints)
				which[q.corners], joints = i, append(joints, joint{-1, -1})
			}
			if j := &joints[i]; !j.add(q.first, pairs) || !j.add(q.other, pairs) {
				return nil, m.share.crowded(q.corners, joints[i], q.joint)
			}
		}
		for i, q := range questions {
			answers[i] = joints[which[q.corners]]
		}
		return answers, nil
	})
	for i, at := range asked {
		p.other[at] = int32(-2 - i)
	}
	return p, err
}

// matchHere finds the equal parts of the rank's own elements.
func (p *sharedParts) matchHere(m *Mesh, selected func(Kind) []Part, pairs bool) (err error) {
	if p.occurrences, err = m.occurrencesOf(selected); err != nil {
		return err
	}
	if p.first, err = p.match(-1); err != nil {
		return fmt.Errorf("%w\n  hint: elements and nodes are counted within the share of rank %d", err, m.share.rt.Rank())
	}
	p.other = slices.Repeat([]int32{-1}, p.total)
	cells := len(m.CellBlocks())
	p.each(0, p.elements(), func(in *occurringIn, e, number int) {
		for k, part := range in.parts {
			at := int32(number + k)
			if !pairs || in.index >= cells || isFirst(p.first, at) {
				continue
			}
			if first := p.first[at]; p.other[first] < 0 {
				p.other[first] = at
			} else if err == nil {
				corners, _ := m.share.corners(in.Element(e), part)
				err = m.share.crowded(corners, p.joint(first), joint{p.global(at), -1})
			}
		}
	})
	return err
}

// corners returns the declared numbers of a part's corners, ascending, and -1 for those that there are not, and whether
// all of them are on the border.
func (s *share) corners(nodes []int32, part Part) (corners [4]int32, border bool) {
	corners, border = [4]int32{-1, -1, -1, -1}, true
	n := part.Kind.Corners()
	for i, place := range part.Nodes[:n] {
		corners[i] = s.nodes[nodes[place]]
		border = border && s.border[nodes[place]]
	}
	slices.Sort(corners[:n])
	return corners, border
}

// crowded returns the error that a part has more than two cells.
func (s *share) crowded(corners [4]int32, of ...joint) error {
	var cells []string
	for _, j := range of {
		for _, occurrence := range []int64{j.first, j.other} {
			if occurrence >= 0 {
				cells = append(cells, fmt.Sprint(occurrence>>partBits))
			}
		}
	}
	nodes := slices.DeleteFunc(slices.Clone(corners[:]), func(n int32) bool { return n < 0 })
	return fmt.Errorf("mesh: the facet with nodes %s has more than two cells: %s", listed(nodes), strings.Join(cells, ", "))
}

// number numbers the parts that cells have: class by class, and in each in the order of their first occurrences. It returns the
// first number of each class, and the end. It is collective.
func (p *sharedParts) number(classes int, class func(at int32, j joint) int) (starts []int64, err error) {
	s, cells := p.share, 0
	for s.before[cells] < s.cells {
		cells++
	}
	p.numbers = slices.Repeat([]int32{-1}, p.total)
	counts := make([]int64, classes*cells) // of parts whose first cell is here, class by class
	p.eachOwn(func(in *occurringIn, _ int, at int32, j joint) {
		i := class(at, j)*cells + in.index
		p.numbers[at] = int32(counts[i])
		counts[i]++
	})
	p.own = make([]int, classes)
	for i, n := range counts {
		p.own[i/cells] += int(n)
	}
	all := make([]int64, s.rt.Ranks()*len(counts))
	copy(all[s.rt.Rank()*len(counts):], counts)
	if err := comm.Sum(s.rt.Comm(), all); err != nil {
		return nil, s.rt.Broken(err)
	}
	next := int64(0)
	for i := range counts {
		if i%cells == 0 {
			starts = append(starts, next)
		}
		for rank := range s.rt.Ranks() {
			if rank == s.rt.Rank() {
				counts[i] = next
			}
			next += all[rank*len(counts)+i]
		}
	}
	starts = append(starts, next)
	if next > 1<<31-1 {
		return nil, fmt.Errorf("mesh: the cells have %d edges or faces, at most %d are possible", next, 1<<31-1)
	}
	p.eachOwn(func(in *occurringIn, _ int, at int32, j joint) {
		p.numbers[at] += int32(counts[class(at, j)*cells+in.index])
	})
	return starts, p.numberOthers()
}

// eachOwn calls f for the parts whose first cell is here.
func (p *sharedParts) eachOwn(f func(in *occurringIn, element int, at int32, j joint)) {
	p.each(0, p.elements(), func(in *occurringIn, e, number int) {
		for k := range in.parts {
			if at := int32(number + k); isFirst(p.first, at) {
				if j := p.joint(at); j.first == p.global(at) {
					f(in, e, at, j)
				}
			}
		}
	})
}

// numberOthers numbers the parts whose first cell is not here, and occurrences that are not the first. It is collective.
func (p *sharedParts) numberOthers() error {
	s := p.share
	var questions []int64
	var asked []int32
	for at := range p.first {
		if p.numbers[at] >= 0 || !isFirst(p.first, int32(at)) {
			continue
		}
		if first := p.joint(int32(at)).first; first >= 0 {
			questions, asked = append(questions, first), append(asked, int32(at))
		}
	}
	numbers, err := ask(s.rt, questions, func(i int) int {
		block, element := s.element(questions[i])
		return rankOf(s.starts[block], element)
	}, func(questions []int64) ([]int32, error) {
		numbers := make([]int32, len(questions))
		for i, q := range questions {
			block, element := s.element(q)
			in := &p.blocks[slices.IndexFunc(p.blocks, func(in occurringIn) bool { return in.index == block })]
			numbers[i] = p.numbers[in.first+int(element-s.first(block))*len(in.parts)+int(q&(1<<partBits-1))]
		}
		return numbers, nil
	})
	if err != nil {
		return err
	}
	for i, at := range asked {
		p.numbers[at] = numbers[i]
	}
	for at, first := range p.first {
		if first != alone {
			p.numbers[at] = p.numbers[first]
		}
	}
	return nil
}

// ofBlocks returns the numbers of the parts of the elements of each block.
func (p *sharedParts) ofBlocks() [][]int32 {
	of := make([][]int32, len(p.mesh.Blocks))
	for i := range p.blocks {
		in := &p.blocks[i]
		of[in.index] = p.numbers[in.first : in.first+in.Len()*len(in.parts)]
	}
	return of
}

// facetsOfShare is Facets of a share: the facets that the rank declares, an equal piece of the interior and of the boundary, in
// the numbers of the whole mesh, and those of the rank's cells. It is collective.
func (m *Mesh) facetsOfShare() (*Facets, error) {
	p, err := m.sharedParts(m.facetParts, true)
	if err != nil {
		return nil, err
	}
	classes := m.facetClasses()
	class := func(at int32, j joint) int {
		in, _, k := p.at(at)
		return slices.Index(classes, facetClass{kind: in.parts[k].Kind, boundary: j.other < 0})
	}
	starts, err := p.number(len(classes), class)
	if err != nil {
		return nil, err
	}
	f := &Facets{mesh: m, elems: p.ofBlocks(), interior: int32(starts[len(classes)/2]), all: int32(starts[len(classes)])}
	cells := len(m.CellBlocks())
	f.Cells, f.elems = f.elems[:cells:cells], append(make([][]int32, cells), f.elems[cells:]...)
	for i := range m.CellBlocks() {
		f.Signs = append(f.Signs, make([]int8, len(f.Cells[i])))
	}
	p.each(0, m.Cells(), func(in *occurringIn, e, number int) {
		for k := range in.parts {
			at := number + k
			sign := int8(-1)
			if p.joint(int32(at)).first == p.global(int32(at)) {
				sign = 1
			}
			f.Signs[in.index][at-in.first] = sign
		}
	})
	for i, side := range []*Sides{&f.Interior, &f.Boundary} {
		half := len(classes) / 2
		if *side, err = p.side(classes[i*half:(i+1)*half], starts[i*half:(i+1)*half+1], p.own[i*half:(i+1)*half], 2-i); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// ofElements returns the facets without what only declarations need: those between two cells, and those of cells.
func (f *Facets) ofElements() *Facets {
	few := &Facets{Boundary: f.Boundary, mesh: f.mesh, interior: f.interior, all: f.all}
	for _, of := range f.elems {
		few.elems = append(few.elems, slices.Clone(of))
	}
	return few
}

// facetClasses lists the classes of facets there may be, those of the interior first.
func (m *Mesh) facetClasses() (classes []facetClass) {
	for _, boundary := range []bool{false, true} {
		for _, b := range m.CellBlocks() {
			for _, part := range b.Kind.Facets() {
				if c := (facetClass{kind: part.Kind, boundary: boundary}); !slices.Contains(classes, c) {
					classes = append(classes, c)
				}
			}
		}
	}
	sorting.By(classes, func(a, b facetClass) int {
		if a.boundary != b.boundary {
			return map[bool]int{false: -1, true: 1}[a.boundary]
		}
		return cmp.Compare(a.kind, b.kind)
	})
	return classes
}

// side returns the facets of some classes that the rank declares, each with so many cells, given the first number of each
// class and the end, and how many have their first cell here. It is collective.
func (p *sharedParts) side(classes []facetClass, starts []int64, own []int, cells int) (side Sides, err error) {
	s, nodes, count, found := p.share, 0, 0, 0
	for c := range classes {
		nodes, count = max(nodes, classes[c].kind.Nodes()), count+own[c]
		if starts[c+1] > starts[c] {
			found++
		}
	}
	each := func(f func(cells [2]int32, nodes []int32, part Part, at int32)) {
		p.eachOwn(func(in *occurringIn, e int, at int32, j joint) {
			if (j.other < 0) == classes[0].boundary {
				f([2]int32{int32(j.first >> partBits), int32(j.other >> partBits)}, in.Element(e), in.parts[int(at)-in.first-e*len(in.parts)], at)
			}
		})
	}
	if found == 1 && len(p.mesh.CellBlocks()) == 1 { // in the order of ranks: what is found here is declared here
		block := Block{Nodes: make([]int32, 0, count*nodes)}
		side.Cells = make([]int32, 0, count*cells)
		each(func(of [2]int32, nodes []int32, part Part, _ int32) {
			side.Cells = append(side.Cells, of[:cells]...)
			for _, place := range part.Nodes {
				block.Nodes = append(block.Nodes, s.nodes[nodes[place]])
			}
		})
		block.Kind = classes[slices.IndexFunc(starts[1:], func(n int64) bool { return n > starts[0] })].kind
		side.Blocks = []Block{block}
		return side, nil
	}
	width := 1 + cells + nodes
	rows := make([]int32, 0, count*width)
	each(func(of [2]int32, nodes []int32, part Part, at int32) {
		end := len(rows) + width
		rows = append(append(rows, p.numbers[at]-int32(starts[0])), of[:cells]...)
		for _, place := range part.Nodes {
			rows = append(rows, s.nodes[nodes[place]])
		}
		rows = rows[:end]
	})
	total := starts[len(classes)] - starts[0]
	rows, err = spread(s.rt, total, rows, width)
	first := evenly(total, s.rt.Ranks())[s.rt.Rank()] + starts[0]
	for c, class := range classes {
		if starts[c+1] == starts[c] {
			continue
		}
		lo, hi := max(0, starts[c]-first), min(int64(len(rows)/(width-1)), starts[c+1]-first)
		block := Block{Kind: class.kind, Nodes: make([]int32, 0, max(0, hi-lo)*int64(class.kind.Nodes()))}
		side.Cells = slices.Grow(side.Cells, int(max(0, hi-lo))*cells)
		for n := lo; n < hi; n++ {
			row := rows[int(n)*(width-1):][:width-1]
			side.Cells = append(side.Cells, row[:cells]...)
			block.Nodes = append(block.Nodes, row[cells:cells+class.kind.Nodes()]...)
		}
		side.Blocks = append(side.Blocks, block)
	}
	return side, err
}

// edgesOfShare is Edges of a share: the edges that the rank declares, an equal piece, in the numbers of the whole mesh, and
// those of the rank's cells. It is collective.
func (m *Mesh) edgesOfShare() (*Edges, error) {
	p, err := m.sharedParts(m.edgeParts, false)
	if err != nil {
		return nil, err
	}
	starts, err := p.number(1, func(int32, joint) int { return 0 })
	if err != nil {
		return nil, err
	}
	rows := make([]int32, 0, 3*p.own[0])
	p.eachOwn(func(in *occurringIn, e int, at int32, _ joint) {
		corners, _ := m.share.corners(in.Element(e), in.parts[int(at)-in.first-e*len(in.parts)])
		rows = append(rows, p.numbers[at], corners[0], corners[1])
	})
	cells := len(m.CellBlocks())
	edges := &Edges{Cells: p.ofBlocks()[:cells], Signs: m.edgeSigns()}
	edges.Nodes, err = spread(m.share.rt, starts[1], rows, 3)
	return edges, err
}

// cornersOfShare is Corners of a share: the corners among the nodes that the rank declares, and those of the rank's cells, in
// the numbers of the whole mesh. It is collective.
func (m *Mesh) cornersOfShare() (*Corners, error) {
	s := m.share
	here := m.corners() // in the numbers of the share
	c := &Corners{Cells: here.Cells}
	nodes, first := s.declared(here.Nodes), int32(s.homes[s.rt.Rank()])
	numbers, err := ask(s.rt, nodes, func(i int) int { return rankOf(s.homes, int64(nodes[i])) }, func(asked []int32) ([]int32, error) {
		s.corner = slices.Repeat([]int32{-1}, len(s.points)/m.Dim)
		for _, n := range asked {
			s.corner[n-first] = 0
		}
		for n, corner := range s.corner {
			if corner == 0 {
				s.corner[n] = int32(len(c.Nodes))
				c.Nodes = append(c.Nodes, first+int32(n))
			}
		}
		starts, err := halo.Offsets(s.rt.Comm(), int64(len(c.Nodes)))
		if err != nil {
			return nil, s.rt.Broken(err)
		}
		for _, n := range c.Nodes {
			s.corner[n-first] += int32(starts[s.rt.Rank()])
		}
		answers := make([]int32, len(asked))
		for i, n := range asked {
			answers[i] = s.corner[n-first]
		}
		return answers, nil
	})
	if err != nil {
		return nil, err
	}
	for _, of := range c.Cells {
		for i := range of {
			of[i] = numbers[of[i]]
		}
	}
	return c, nil
}
