package mesh

// facetNumbers turns matched parts of cells into facets. They are numbered class by class, those of the interior
// first, and in each in the order of their first cells.
type facetNumbers struct {
	*occurrences
	*Facets
	first   []int32 // what match returned
	spans   []span  // of cells
	classes []facetClass
	index   [2][kinds]int // of the class of a kind, of the interior and of the boundary
	next    [][]int32     // for each span and class, the number of the next facet
	numbers []int32       // of the facet of each first occurrence
}

// facetClass is the facets of a kind, of the interior or of the boundary.
type facetClass struct {
	kind     Kind
	boundary bool
	from, to int32  // their numbers
	block    *Block // their nodes
}

// facetsOf returns the facets of the matched parts of a mesh's cells.
func facetsOf(o *occurrences, first []int32) *Facets {
	m := o.mesh
	n := &facetNumbers{occurrences: o, Facets: &Facets{mesh: m}, first: first, spans: spans(m.Cells()), numbers: make([]int32, len(first))}
	n.findClasses()
	n.count()
	n.allocate()
	together(n.spans, n.enterFirst)
	together(n.spans, n.enterSecond)
	n.findElements()
	return n.Facets
}

// isFirst reports whether an occurrence is the first of its facet.
func (n *facetNumbers) isFirst(at int32) bool { return n.first[at] == at || n.first[at] == alone }

// class returns the index of the class of a facet, given its first occurrence.
func (n *facetNumbers) class(at int32, k Kind) int {
	if n.first[at] == alone {
		return n.index[1][k]
	}
	return n.index[0][k]
}

// findClasses lists the classes of facets there may be.
func (n *facetNumbers) findClasses() {
	var found [kinds]bool
	for i := range n.blocks {
		for _, p := range n.blocks[i].parts {
			found[p.Kind] = true
		}
	}
	for i, boundary := range []bool{false, true} {
		for k := range kinds {
			if found[k] {
				n.index[i][k] = len(n.classes)
				n.classes = append(n.classes, facetClass{kind: k, boundary: boundary})
			}
		}
	}
}

// count counts the facets of each class, and finds the first number of each span in it.
func (n *facetNumbers) count() {
	n.next = make([][]int32, len(n.spans))
	together(n.spans, func(i, lo, hi int) {
		counts := make([]int32, len(n.classes))
		n.each(lo, hi, func(in *occurringIn, _, number int) {
			for p := range in.parts {
				if at := int32(number + p); n.isFirst(at) {
					counts[n.class(at, in.parts[p].Kind)]++
				}
			}
		})
		n.next[i] = counts
	})
	var total int32
	for c := range n.classes {
		n.classes[c].from = total
		for i := range n.spans {
			n.next[i][c], total = total, total+n.next[i][c]
		}
		n.classes[c].to = total
	}
}

// allocate makes room for the facets of each class, and for those of each cell.
func (n *facetNumbers) allocate() {
	f := n.Facets
	var interior, boundary int32
	for c := range n.classes {
		class := &n.classes[c]
		side, total := &f.Interior, &interior
		if class.boundary {
			side, total = &f.Boundary, &boundary
		}
		count := class.to - class.from
		*total += count
		class.block = &Block{class.kind, make([]int32, int(count)*class.kind.Nodes())}
		if count > 0 {
			side.Blocks = append(side.Blocks, *class.block)
		}
	}
	f.Interior.Cells, f.Interior.Local = make([]int32, 2*interior), make([]uint8, 2*interior)
	f.Boundary.Cells, f.Boundary.Local = make([]int32, boundary), make([]uint8, boundary)
	for _, b := range n.mesh().CellBlocks() {
		facets := b.Len() * len(b.Kind.Facets())
		f.Cells, f.Signs = append(f.Cells, make([]int32, facets)), append(f.Signs, make([]int8, facets))
	}
}

func (n *facetNumbers) mesh() *Mesh { return n.occurrences.mesh }

// enterFirst numbers the facets that a span of cells is the first to have, and enters their nodes and first cells.
func (n *facetNumbers) enterFirst(i, lo, hi int) {
	f, next, interior := n.Facets, n.next[i], int32(n.Interior.Len())
	n.each(lo, hi, func(in *occurringIn, e, number int) {
		nodes, cell := in.Element(e), int32(in.elements.lo+e)
		facets, signs := f.Cells[in.index][number-in.first:], f.Signs[in.index][number-in.first:]
		for p := range in.parts {
			at := int32(number + p)
			if !n.isFirst(at) {
				signs[p] = -1
				continue
			}
			c := n.class(at, in.parts[p].Kind)
			class := &n.classes[c]
			facet := next[c]
			next[c]++
			n.numbers[at] = facet
			facets[p], signs[p] = facet, 1
			to := class.block.Element(int(facet - class.from))
			for k, place := range in.parts[p].Nodes {
				to[k] = nodes[place]
			}
			if class.boundary {
				f.Boundary.Cells[facet-interior], f.Boundary.Local[facet-interior] = cell, uint8(p)
			} else {
				f.Interior.Cells[2*facet], f.Interior.Local[2*facet] = cell, uint8(p)
			}
		}
	})
}

// enterSecond enters the second cells of facets, once all are numbered.
func (n *facetNumbers) enterSecond(_, lo, hi int) {
	f := n.Facets
	n.each(lo, hi, func(in *occurringIn, e, number int) {
		for p := range in.parts {
			if at := int32(number + p); !n.isFirst(at) {
				facet := n.numbers[n.first[at]]
				f.Cells[in.index][number-in.first+p] = facet
				f.Interior.Cells[2*facet+1], f.Interior.Local[2*facet+1] = int32(in.elements.lo+e), uint8(p)
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
			if at := n.first[in.first+e]; at != alone {
				of[e] = n.numbers[at]
			}
		}
		n.elems[in.index] = of
	}
}
