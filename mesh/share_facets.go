package mesh

import "slices"

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
		boundary := 0
		if j.other < 0 {
			boundary = 1
		}
		return slices.Index(classes, facetClass{kind: in.parts[k].Kind, boundary: boundary})
	}
	starts, err := p.number(len(classes), class)
	if err != nil {
		return nil, err
	}
	f := &Facets{mesh: m, elems: p.ofBlocks(p.numbers), interior: int32(starts[len(classes)/2]), all: int32(starts[len(classes)])}
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
			if (j.other < 0) == (cells == 1) {
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
	edges := &Edges{Cells: p.ofBlocks(p.numbers)[:cells], Signs: m.edgeSigns()}
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
		starts, err := s.rt.Offsets(len(c.Nodes))
		if err != nil {
			return nil, err
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
