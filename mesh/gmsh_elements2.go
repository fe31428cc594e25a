package mesh

import "slices"

// mixedElements are elements of version 2.2, in the order of the file.
type mixedElements struct {
	heads []head
	nodes []int32 // of all elements, one after the other
}

// head is an element without its nodes.
type head struct {
	kind             Kind
	physical, entity int32 // 0: none
}

// elements2 reads $Elements of version 2.2: for each element its number, its type, some tags of which the first is
// its physical group and the second its entity, and the tags of its nodes.
func (g *gmshReader) elements2() {
	g.indexNodes()
	if g.binary {
		g.elements2Binary()
		return
	}
	n := g.countLine("elements", 10)
	pieces := g.cut(n, 0, 0, "elements")
	read := make([]mixedElements, len(pieces))
	for i := range pieces {
		g.later(pieces[i:i+1], func(p piece) (err error) {
			read[i], err = g.readMixed(p)
			return err
		})
	}
	if g.run(); g.err != nil {
		return
	}
	for i := range read {
		g.addMixed(&read[i])
	}
}

// readMixed reads elements from lines.
func (g *gmshReader) readMixed(p piece) (mixedElements, error) {
	m := mixedElements{make([]head, 0, p.n), make([]int32, 0, 4*p.n)}
	r := lineReader{g.data, p.start, true}
	for range p.n {
		at := r.pos
		r.integer() // its number
		t := r.integer()
		h := head{kind: kindOfType(t)}
		if r.ok && h.kind == 0 {
			return m, g.errorAt(at, typeWanted, t)
		}
		for k := range r.integer() {
			tag := r.integer()
			if !r.ok || tag != int64(int32(tag)) {
				r.ok = false
				break
			}
			h.tag(int(k), int32(tag))
		}
		m.heads = append(m.heads, h)
		first := len(m.nodes)
		m.nodes = append(m.nodes, make([]int32, h.kind.Nodes())...)
		if err := g.readNodes(&r, m.nodes[first:]); err != nil {
			return m, err
		}
		if r.end(); !r.ok {
			return m, g.errorAt(at, "expected an element (its number, its type, the number of tags, the tags, and %d nodes), found %s",
				h.kind.Nodes(), g.lineAt(at))
		}
	}
	return m, nil
}

// tag sets tag k of an element.
func (h *head) tag(k int, tag int32) {
	switch k {
	case 0:
		h.physical = abs(tag)
	case 1:
		h.entity = tag
	}
}

// elements2Binary reads elements in runs of one type and the same number of tags.
func (g *gmshReader) elements2Binary() {
	n := g.countLine("elements", 12)
	for n > 0 && g.err == nil {
		at := g.pos
		t := g.integer("the type of an element")
		run, tags := int(g.integer("a number of elements")), int(g.integer("a number of tags"))
		kind := kindOfType(int64(t))
		switch {
		case g.err != nil:
			return
		case kind == 0:
			g.fail(at, typeWanted, t)
			return
		case run < 1 || run > n || tags < 0 || tags > (len(g.data)-g.pos)/4:
			g.fail(at+4, "expected a number of elements from 1 to %d and a number of tags, found %d and %d", n, run, tags)
			return
		}
		width := kind.Nodes()
		m := mixedElements{heads: make([]head, 0, min(run, len(g.data)/(4*width))), nodes: make([]int32, 0, min(width*run, len(g.data)/4))}
		for range run {
			b := g.take(4*(1+tags+width), "an element")
			if b == nil {
				return
			}
			h := head{kind: kind}
			for k := range min(tags, 2) {
				h.tag(k, int32(g.order.Uint32(b[4+4*k:])))
			}
			m.heads = append(m.heads, h)
			for k := range width {
				tag := int64(int32(g.order.Uint32(b[4*(1+tags+k):])))
				node := g.index.find(tag)
				if node < 0 {
					g.fail(g.last+4*(1+tags+k), "expected the tag of a node, found %d, which $Nodes does not hold", tag)
					return
				}
				m.nodes = append(m.nodes, node)
			}
		}
		g.addMixed(&m)
		n -= run
	}
}

// addMixed adds elements. One that follows another of the same nodes and entity, but of another group, is the same
// element: Gmsh repeats an element for each of its groups.
func (g *gmshReader) addMixed(m *mixedElements) {
	at := 0
	for _, h := range m.heads {
		width := h.kind.Nodes()
		nodes := m.nodes[at : at+width]
		at += width
		all := g.elements[h.kind]
		again := h.kind == g.before.kind && h.entity == g.before.entity && h.physical != g.before.physical &&
			h.physical != 0 && slices.Equal(all[len(all)-width:], nodes)
		if !again {
			g.elements[h.kind] = append(all, nodes...)
		}
		g.before = h
		if h.physical != 0 {
			g.addMembers(gmshKey{h.kind.Dim(), h.physical}, h.kind, len(g.elements[h.kind])/width-1, 1)
		}
	}
}
