package order

// Points holds the coordinates of the elements of a set.
type Points struct {
	Values []float64 // [elements][Dim]; nil if unknown
	Dim    int
}

// Points returns the coordinates of the elements of a set: its own, or those of the nearest set with
// some that maps connect it with, from which each set on the way gets the mean of the coordinates of
// the targets, or of the elements that lead to an element. Elements without any information are at
// the origin.
func (m *Mesh) Points(set int) Points {
	// way holds for each set the map on its way to coordinates.
	way, known := make([]*Map, len(m.Sets)), make([]bool, len(m.Sets))
	var queue []int
	for s := range m.Sets {
		if known[s] = m.Sets[s].Coordinates != nil; known[s] {
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue) && !known[set]; i++ {
		for j := range m.Maps {
			f := &m.Maps[j]
			for _, end := range [2][2]int{{f.From, f.To}, {f.To, f.From}} {
				if end[0] == queue[i] && !known[end[1]] {
					way[end[1]], known[end[1]] = f, true
					queue = append(queue, end[1])
				}
			}
		}
	}
	if !known[set] {
		return Points{}
	}
	return m.points(set, way)
}

// points computes the coordinates of a set from those of the set that its way leads to.
func (m *Mesh) points(set int, way []*Map) Points {
	f := way[set]
	switch {
	case f == nil:
		return Points{m.Sets[set].Coordinates, m.Sets[set].Dim}
	case f.From == set:
		return f.mean(m.points(f.To, way), m.Sets[set].Size, false)
	}
	return f.mean(m.points(f.From, way), m.Sets[set].Size, true)
}

// mean gives each of n elements at one end of the map the mean coordinates of those at the other
// end: to selects the end it leads to.
func (f *Map) mean(other Points, n int, to bool) Points {
	dim := other.Dim
	sums, counts := make([]float64, n*dim), make([]int32, n)
	for i, v := range f.Values {
		if v < 0 {
			continue
		}
		e, o := i/f.Arity, int(v)
		if to {
			e, o = o, e
		}
		counts[e]++
		for d := range dim {
			sums[e*dim+d] += other.Values[o*dim+d]
		}
	}
	for e, c := range counts {
		if c > 1 {
			for d := range dim {
				sums[e*dim+d] /= float64(c)
			}
		}
	}
	return Points{sums, dim}
}
