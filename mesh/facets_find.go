package mesh

// Facets finds the facets of the mesh's cells, in time proportional to their number, on all processors. The result
// does not depend on the number of processors.
//
// It is an error if a facet has more than two cells, if a cell has a node twice, if an index of the mesh is out of
// range, or if [Mesh.Given] does not hold the facets of the cells.
func (m *Mesh) Facets() (*Facets, error) {
	if err := m.Valid(); err != nil {
		return nil, err
	}
	if m.Given != nil {
		return m.givenFacets()
	}
	o, err := m.occurrencesOf(m.facetParts)
	if err != nil {
		return nil, err
	}
	first, err := o.match(m.Cells())
	if err != nil {
		return nil, err
	}
	return facetsOf(o, first), nil
}

// facetNumbers turns matched parts of cells into facets. They are numbered class by class, those of the interior
// first, and in each in the order of their first cells.
type facetNumbers struct {
	*occurrences
	*Facets
	first   []int32 // what match returned
	classes []facetClass
	index   [2][kinds]int // of the class of a kind, of the interior and of the boundary
	numbers []int32       // of the facet of each occurrence
}

// facetClass is the facets of a kind, of the interior or of the boundary.
type facetClass struct {
	kind     Kind
	boundary int    // 1; of the interior 0
	from     int32  // the first of their numbers
	block    *Block // their nodes
}

// facetsOf returns the facets of the matched parts of a mesh's cells.
func facetsOf(o *occurrences, first []int32) *Facets {
	n := &facetNumbers{occurrences: o, Facets: &Facets{mesh: o.mesh}, first: first, classes: o.mesh.facetClasses()}
	for i, c := range n.classes {
		n.index[c.boundary][c.kind] = i
	}
	cells := o.mesh.Cells()
	var starts []int32
	n.numbers, starts = o.number(first, cells, len(n.classes), n.class)
	n.allocate(starts)
	together(spans(cells), n.enter)
	n.findElements()
	return n.Facets
}

// class returns the index of the class of a facet, given its first occurrence.
func (n *facetNumbers) class(at int32, k Kind) int {
	if n.first[at] == alone {
		return n.index[1][k]
	}
	return n.index[0][k]
}

// facetClasses lists the classes of facets there may be, those of the interior first.
func (m *Mesh) facetClasses() (classes []facetClass) {
	var found [kinds]bool
	for _, b := range m.CellBlocks() {
		for _, p := range b.Kind.Facets() {
			found[p.Kind] = true
		}
	}
	for boundary := range 2 {
		for k := range kinds {
			if found[k] {
				classes = append(classes, facetClass{kind: k, boundary: boundary})
			}
		}
	}
	return classes
}

// allocate makes room for the facets of each class, given the first number of each and the end, and for those of each
// cell.
func (n *facetNumbers) allocate(starts []int32) {
	f := n.Facets
	var totals [2]int32
	for c := range n.classes {
		class, count := &n.classes[c], starts[c+1]-starts[c]
		class.from, class.block = starts[c], &Block{Kind: n.classes[c].kind, Nodes: make([]int32, int(count)*n.classes[c].kind.Nodes())}
		side, total := &f.Interior, &totals[0]
		if class.boundary > 0 {
			side, total = &f.Boundary, &totals[1]
		}
		*total += count
		if count > 0 {
			side.Blocks = append(side.Blocks, *class.block)
		}
	}
	f.Interior.Cells, f.Interior.Local = make([]int32, 2*totals[0]), make([]uint8, 2*totals[0])
	f.Boundary.Cells, f.Boundary.Local = make([]int32, totals[1]), make([]uint8, totals[1])
	for _, b := range n.mesh().CellBlocks() {
		facets := b.Len() * len(b.Kind.Facets())
		f.Cells, f.Signs = append(f.Cells, make([]int32, facets)), append(f.Signs, make([]int8, facets))
	}
}

func (n *facetNumbers) mesh() *Mesh { return n.occurrences.mesh }

// enter enters the facets of a span of cells: in the cells, and with the nodes that their first cells have.
func (n *facetNumbers) enter(_, lo, hi int) {
	f, interior := n.Facets, int32(n.Interior.Len())
	n.each(lo, hi, func(in *occurringIn, e, number int) {
		nodes, cell := in.Element(e), int32(in.elements.lo+e)
		facets, signs := f.Cells[in.index][number-in.first:], f.Signs[in.index][number-in.first:]
		for p := range in.parts {
			at := int32(number + p)
			facet := n.numbers[at]
			facets[p], signs[p] = facet, 1
			if !isFirst(n.first, at) {
				signs[p] = -1
				f.Interior.Cells[2*facet+1], f.Interior.Local[2*facet+1] = cell, uint8(p)
				continue
			}
			class := &n.classes[n.class(at, in.parts[p].Kind)]
			to := class.block.Element(int(facet - class.from))
			for k, place := range in.parts[p].Nodes {
				to[k] = nodes[place]
			}
			if class.boundary > 0 {
				f.Boundary.Cells[facet-interior], f.Boundary.Local[facet-interior] = cell, uint8(p)
			} else {
				f.Interior.Cells[2*facet], f.Interior.Local[2*facet] = cell, uint8(p)
			}
		}
	})
}

// findElements finds the facets that elements of the mesh are.
func (n *facetNumbers) findElements() {
	n.elems = make([][]int32, len(n.mesh().Blocks))
	cells := n.mesh().Cells()
	for i := range n.blocks {
		in := &n.blocks[i]
		if in.elements.lo < cells {
			continue
		}
		of := make([]int32, in.Len())
		for e := range of {
			of[e] = -1
			if n.first[in.first+e] != alone {
				of[e] = n.numbers[in.first+e]
			}
		}
		n.elems[in.index] = of
	}
}

// facetParts returns the facets of an element of a kind: of cells their facets, of what may be a facet itself.
func (m *Mesh) facetParts(k Kind) []Part {
	switch k.Dim() {
	case m.CellDim():
		return k.Facets()
	case m.CellDim() - 1:
		return itself(k)
	}
	return nil
}
