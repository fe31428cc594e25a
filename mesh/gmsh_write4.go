package mesh

// write4 writes version 4.1.
func (w *gmshWriter) write4() {
	w.head("4.1")
	w.section("Entities", w.entities4)
	w.section("Nodes", w.nodes4)
	w.section("Elements", w.elements4)
}

// entities4 writes the entities of each dimension: their bounds and physical groups.
func (w *gmshWriter) entities4() {
	bounds := map[gmshKey]*box{}
	var entities [4][]*gmshRun // the first run of each
	for i := range w.runs {
		r := &w.runs[i]
		b := bounds[r.gmshKey]
		if b == nil {
			b = newBox()
			bounds[r.gmshKey] = b
			entities[r.dim] = append(entities[r.dim], r)
		}
		var theirs [27]int32
		for k := range r.n {
			for _, n := range r.element(k, &theirs) {
				b.add(w.mesh.Point(n))
			}
		}
	}
	for dim := range entities {
		w.size(len(entities[dim]))
	}
	w.endLine()
	for dim := range entities {
		for _, r := range entities[dim] {
			w.entity4(r, bounds[r.gmshKey])
		}
	}
}

// entity4 writes an entity: where it is and its physical groups. What bounds it is not known.
func (w *gmshWriter) entity4(r *gmshRun, b *box) {
	w.integer(r.tag)
	for _, x := range b.least {
		w.number(x)
	}
	for _, x := range b.greatest {
		if r.dim > 0 {
			w.number(x)
		}
	}
	w.size(len(r.groups))
	for _, g := range r.groups {
		w.integer(int32(w.tags[g]))
	}
	if r.dim > 0 {
		w.size(0)
	}
	w.endLine()
}

// nodes4 writes the nodes as one block. Its entity is the last one, of the highest dimension.
func (w *gmshWriter) nodes4() {
	nodes := w.mesh.Nodes()
	if len(w.runs) == 0 {
		nodes = 0
	}
	blocks := min(nodes, 1)
	for _, v := range []int{blocks, nodes, blocks, nodes} {
		w.size(v)
	}
	w.endLine()
	if blocks == 0 {
		return
	}
	on := w.runs[len(w.runs)-1]
	w.integer(int32(on.dim))
	w.integer(on.tag)
	w.integer(0) // no parametric coordinates
	w.size(nodes)
	w.endLine()
	for n := range nodes {
		w.size(n + 1)
		w.endLine()
	}
	for n := range nodes {
		w.point(int32(n))
		w.endLine()
	}
}

// elements4 writes a block for each run.
func (w *gmshWriter) elements4() {
	total := 0
	for _, r := range w.runs {
		total += int(r.n)
	}
	for _, v := range []int{len(w.runs), total, min(total, 1), total} {
		w.size(v)
	}
	w.endLine()
	next := 1
	var theirs [27]int32
	for i := range w.runs {
		r := &w.runs[i]
		w.integer(int32(r.dim))
		w.integer(r.tag)
		w.integer(int32(gmshTypes[r.kind]))
		w.size(int(r.n))
		w.endLine()
		for k := range r.n {
			w.size(next)
			next++
			for _, n := range r.element(k, &theirs) {
				w.size(int(n) + 1)
			}
			w.endLine()
		}
	}
}
