package order

// points holds the coordinates of the elements of a set.
type points struct {
	values []float64 // [elements][dim]
	dim    int
}

// spread gives coordinates to all sets that maps connect with one that has some: the mean of the
// targets' coordinates, or of those of the elements that lead to an element. Elements without any
// information are at the origin.
func (m *Mesh) spread() []points {
	at := make([]points, len(m.Sets))
	for i, s := range m.Sets {
		at[i] = points{s.Coordinates, s.Dim}
	}
	for changed := true; changed; {
		changed = false
		for i := range m.Maps {
			f := &m.Maps[i]
			from, to := &at[f.From], &at[f.To]
			switch {
			case from.values == nil && to.values != nil:
				*from = f.mean(*to, m.Sets[f.From].Size, false)
				changed = true
			case to.values == nil && from.values != nil:
				*to = f.mean(*from, m.Sets[f.To].Size, true)
				changed = true
			}
		}
	}
	return at
}

// mean gives each of n elements at one end of the map the mean coordinates of those at the other
// end: to selects the end it leads to.
func (f *Map) mean(other points, n int, to bool) points {
	dim := other.dim
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
			sums[e*dim+d] += other.values[o*dim+d]
		}
	}
	for e, c := range counts {
		if c > 1 {
			for d := range dim {
				sums[e*dim+d] /= float64(c)
			}
		}
	}
	return points{sums, dim}
}
