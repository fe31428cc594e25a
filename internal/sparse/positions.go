package sparse

import "sync/atomic"

// Positions returns the table for assembly: for each element, row and column of its local matrix
// the index of the nonzero, or -1 if a map value is masked. [elements][rows.Arity][cols.Arity]
//
// Only the leading rows are complete. It fails if an element has a nonzero of one of them that the pattern lacks; one
// that another row lacks is -1, too.
func (p *Pattern) Positions(rows, cols *Map, complete, workers int) (table []int32, ok bool) {
	const chunk = 4096 // elements
	n := rows.elements()
	per := rows.Arity * cols.Arity
	table = make([]int32, n*per)
	var missing atomic.Bool
	inChunks(n, chunk, workers, func(lo, hi int) {
		for e := lo; e < hi; e++ {
			if !p.Locate(rows.Values[e*rows.Arity:(e+1)*rows.Arity], cols.Values[e*cols.Arity:(e+1)*cols.Arity], complete, table[e*per:(e+1)*per]) {
				missing.Store(true)
			}
		}
	})
	return table, !missing.Load()
}

// Locate finds the nonzeros for one element's rows and columns, -1 for masked ones and those that the pattern lacks, and
// reports whether it has all those of complete rows, the leading ones.
func (p *Pattern) Locate(rows, cols []int32, complete int, table []int32) bool {
	ok := true
	for i, r := range rows {
		for j, c := range cols {
			at := int32(-1)
			if r >= 0 && c >= 0 {
				at = p.Find(r, c)
				ok = ok && (at >= 0 || int(r) >= complete)
			}
			table[i*len(cols)+j] = at
		}
	}
	return ok
}

// LastWriters keeps only the last writer of each nonzero in a table that has per positions for each
// element of a pattern with that many nonzeros: a position stays if neither a later element nor a
// later position of the same element has the same one, and becomes -1 otherwise. Elements may then
// write in any order, or at the same time, and the values that remain are those of the last
// writers. With an order of elements, only those count, and later is what follows there.
func LastWriters(nonzeros int, table []int32, per int, order []int32) []int32 {
	last := make([]int32, len(table))
	for i := range last {
		last[i] = -1
	}
	written := make([]uint64, (nonzeros+63)/64)
	element := func(e int) {
		for i := (e+1)*per - 1; i >= e*per; i-- {
			at := table[i]
			if at < 0 || written[at/64]>>(at%64)&1 != 0 {
				continue
			}
			written[at/64] |= 1 << (at % 64)
			last[i] = at
		}
	}
	if order == nil {
		for e := len(table)/per - 1; e >= 0; e-- {
			element(e)
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		element(int(order[i]))
	}
	return last
}
