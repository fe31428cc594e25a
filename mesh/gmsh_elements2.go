package mesh

import "slices"

// mixedElements are elements of version 2.2, in the order of the file.
type mixedElements struct {
	heads []head
	nodes []int32 // of all elements, one after the other
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
	r := g.reader(p, 4)
	for range p.n {
		at := r.pos
		r.integer() // its number
		t := r.integer()
		h := head{kind: kindOfType(t)}
		if r.ok && h.kind == 0 {
			return m, g.errorAt(at, typeWanted, t)
		}
		if err := g.readElement(&r, &m, h, int(r.integer())); err != nil {
			return m, err
		}
		if r.end(); !r.ok {
			return m, g.errorAt(at, "expected an element (its number, its type, the number of tags, the tags, and %d nodes), found %s",
				h.kind.Nodes(), g.lineAt(at))
		}
	}
	return m, nil
}

// readElement reads the tags and the nodes of an element.
func (g *gmshReader) readElement(r *lineReader, m *mixedElements, h head, tags int) error {
	for k := range tags {
		tag := r.integer()
		if !r.ok || tag != int64(int32(tag)) {
			r.ok = false
			break
		}
		switch k {
		case 0:
			h.physical = abs(int32(tag))
		case 1:
			h.entity = int32(tag)
		}
	}
	m.heads = append(m.heads, h)
	first := len(m.nodes)
	m.nodes = append(m.nodes, make([]int32, h.kind.Nodes())...)
	return g.readNodes(r, m.nodes[first:])
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
		each := 4 * (1 + tags + width)
		if run > (len(g.data)-g.pos)/each {
			g.fail(len(g.data), "expected an element, found the end of the file")
			return
		}
		m := mixedElements{make([]head, 0, run), make([]int32, 0, width*run)}
		r := g.reader(piece{start: g.pos}, 4)
		g.take(each*run, "elements")
		for range run {
			r.integer() // its number
			if g.err = g.readElement(&r, &m, head{kind: kind}, tags); g.err != nil {
				return
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
			g.addRun(gmshKey{h.kind.Dim(), h.physical}, h.kind, len(g.elements[h.kind])/width-1, 1)
		}
	}
}
