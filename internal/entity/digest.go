package entity

// Digest returns the sum, modulo 2^64, of a hash of each target of the elements that belong to this rank, with the
// element and the component, in declared numbers. The sum over all ranks is the same for every order of elements and
// every partition; maps of the same size that lead elsewhere have another one.
func (m *Map) Digest() (sum uint64) {
	m.from.rt.numbers.RLock()
	defer m.from.rt.numbers.RUnlock()
	values, renumbered := m.Numbers(), m.to.numbered()
	for e := range min(m.from.Size(), values.Len()/m.arity) {
		row := uint64(m.from.NumberHere(e)) * uint64(m.arity)
		for c := range m.arity {
			target := values.At(e*m.arity + c)
			if renumbered && target >= 0 {
				target = m.to.NumberHere(int(target))
			}
			sum += spread(spread(row+uint64(c)) + uint64(target))
		}
	}
	return sum
}

// Digest returns the sum, modulo 2^64, of a hash of each block in the rows of this rank, in declared numbers, which is of
// the kind of [Map.Digest].
func (s *Sparsity) Digest() (sum uint64) {
	p := s.Owned()
	for r := range p.Rows {
		row := spread(uint64(s.rows.NumberHere(r)))
		for _, c := range p.ColIdx[p.RowPtr[r]:p.RowPtr[r+1]] {
			sum += spread(row + uint64(s.cols.NumberHere(int(c))))
		}
	}
	return sum
}

// Varying iterates over the extruded sets whose columns vary, with a sum of the kind of [Map.Digest] of the bounds of columns that belong
// to this rank.
func (rt *Runtime) Varying(yield func(s *Set, digest uint64) bool) {
	for s := range Reachable(&rt.listed.varying) {
		sum := uint64(0)
		for e := range s.base.Size() {
			bottom, top := s.Bounds(e)
			sum += spread(spread(spread(uint64(s.base.NumberHere(e)))+uint64(bottom)) + uint64(top))
		}
		if !yield(s, sum) {
			return
		}
	}
}

// spread spreads the bits of a number, as the generator SplitMix64 does.
func spread(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
