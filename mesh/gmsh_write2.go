package mesh

import "fmt"

// write2 writes version 2.2. An element of several groups is written once for each of them.
func (w *gmshWriter) write2() {
	w.head("2.2")
	w.section("Nodes", func() {
		w.string(fmt.Sprintf("%d\n", w.mesh.Nodes()))
		for n := range int32(w.mesh.Nodes()) {
			w.integer(n + 1)
			w.point(n)
			w.endLine()
		}
	})
	w.section("Elements", func() {
		total := 0
		for _, r := range w.runs {
			total += int(r.n) * max(1, len(r.groups))
		}
		w.string(fmt.Sprintf("%d\n", total))
		next := int32(1)
		for i := range w.runs {
			next = w.elements2(&w.runs[i], next)
		}
	})
}

// elements2 writes the elements of a run, numbered from next, and returns the number that follows.
func (w *gmshWriter) elements2(r *gmshRun, next int32) int32 {
	var theirs [27]int32
	physical := []int{0}
	if len(r.groups) > 0 {
		physical = physical[:0]
		for _, g := range r.groups {
			physical = append(physical, w.tags[g])
		}
	}
	if !w.text && len(physical) == 1 {
		w.head2(r.kind, r.n)
	}
	for i := range r.n {
		nodes := r.element(i, &theirs)
		for _, tag := range physical {
			if !w.text && len(physical) > 1 {
				w.head2(r.kind, 1)
			}
			w.integer(next)
			next++
			if w.text {
				w.integer(int32(gmshTypes[r.kind]))
				w.integer(2)
			}
			w.integer(int32(tag))
			w.integer(r.tag)
			for _, n := range nodes {
				w.integer(n + 1)
			}
			w.endLine()
		}
	}
	return next
}

// head2 begins n elements of one kind, with two tags each, in a binary file.
func (w *gmshWriter) head2(kind Kind, n int32) {
	w.integer(int32(gmshTypes[kind]))
	w.integer(n)
	w.integer(2)
}
