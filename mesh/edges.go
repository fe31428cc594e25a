package mesh

// Edges are the edges of a mesh's cells: lines between two corners, with any number of cells. In the plane
// they are all facets, in another order than that of [Facets].
type Edges struct {
	// Nodes holds the ends of each edge, the one of the lower number first. Edges are numbered in the order in which
	// cells first have them. Shape [Len()][2].
	Nodes []int32

	// Cells holds the edges of each cell in the order of [Kind.Edges], a slice for each block of cells.
	// Shape of each [Block.Len()][edges].
	Cells [][]int32

	// Signs holds for each edge of a cell 1 where it runs as [Kind.Edges] has it, and -1 where it runs the other way.
	// Shapes as in Cells.
	Signs [][]int8
}

// Len returns the number of edges.
func (e *Edges) Len() int { return len(e.Nodes) / 2 }

// Edges finds the edges of the mesh's cells, in time proportional to their number, on all processors. It is an error
// if a cell has a node twice, or if an index of the mesh is out of range.
func (m *Mesh) Edges() (*Edges, error) {
	if err := m.shaped("Edges"); err != nil {
		return nil, err
	}
	n, err := m.numberParts(m.edgeParts)
	if err != nil {
		return nil, err
	}
	cells := m.CellBlocks()
	e := &Edges{Nodes: make([]int32, 2*n.count), Cells: n.of[:len(cells)], Signs: m.edgeSigns()}
	for number, at := range n.first {
		in, c, p := n.at(at)
		part := in.parts[p]
		from, to := in.Element(c)[part.Nodes[0]], in.Element(c)[part.Nodes[1]]
		e.Nodes[2*number], e.Nodes[2*number+1] = min(from, to), max(from, to)
	}
	return e, nil
}

// edgeParts returns the edges of a cell of a kind.
func (m *Mesh) edgeParts(k Kind) []Part {
	if k.Dim() == m.CellDim() {
		return k.Edges()
	}
	return nil
}

// edgeSigns returns the signs of the cells' edges, as [Edges] has them.
func (m *Mesh) edgeSigns() [][]int8 {
	all := make([][]int8, len(m.CellBlocks()))
	for i := range all {
		b := &m.Blocks[i]
		edges := b.Kind.Edges()
		signs := make([]int8, b.Len()*len(edges))
		all[i] = signs
		together(spans(b.Len()), func(_, lo, hi int) {
			for c := lo; c < hi; c++ {
				nodes := b.Element(c)
				for k, edge := range edges {
					from, to := nodes[edge.Nodes[0]], nodes[edge.Nodes[1]]
					signs[c*len(edges)+k] = 1
					if from > to {
						signs[c*len(edges)+k] = -1
					}
				}
			}
		})
	}
	return all
}

// numbering numbers parts of a mesh's elements: equal ones have one number.
type numbering struct {
	*occurrences
	count int
	of    [][]int32 // for each block of the mesh, the parts of its elements: [Block.Len()][parts]
	first []int32   // of each part, its first occurrence
}

// numberParts numbers the parts that select returns for each kind, in the order of their first occurrence.
func (m *Mesh) numberParts(selected func(Kind) []Part) (*numbering, error) {
	if err := m.Valid(); err != nil {
		return nil, err
	}
	o, err := m.occurrencesOf(selected)
	if err != nil {
		return nil, err
	}
	first, err := o.match(-1)
	if err != nil {
		return nil, err
	}
	numbers, ends := o.number(first, o.elements, 1, func(int32, Kind) int { return 0 })
	n := &numbering{occurrences: o, count: int(ends[1]), first: make([]int32, ends[1]), of: o.ofBlocks(numbers)}
	together(spans(o.total), func(_, lo, hi int) {
		for at := int32(lo); at < int32(hi); at++ {
			if isFirst(first, at) {
				n.first[numbers[at]] = at
			}
		}
	})
	return n, nil
}
