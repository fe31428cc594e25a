// Package sparse builds the patterns of sparse matrices from pairs of maps, looks up the nonzeros
// of elements' local matrices, and transposes and multiplies matrices.
//
// It is pure: slices in, slices out. Package entity builds the patterns of sparsities with it, package
// algebra multiplies on the host where no backend does, package solve merges patterns and looks for
// asymmetry, and backend host divides the rows of products among threads. Generated code adds to the
// values at the positions found here.
package sparse

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/parallel"
)

// few is the number of rows up to which one goroutine is enough.
const few = 4096

// ErrTooLarge is wrapped by errors about patterns with more nonzeros than int32 can number.
var ErrTooLarge = errors.New("too many nonzeros")

// Map gives Arity rows, or columns, for each element.
type Map struct {
	Arity  int
	Values []int32 // [elements][Arity]; below 0: none
}

func (m *Map) elements() int { return len(m.Values) / m.Arity }

// Pair gives each element nonzeros at all combinations of its rows and columns. Both maps are of
// the same elements.
type Pair struct {
	Rows, Cols *Map
}

// Pattern is the set of a matrix's nonzeros, in CSR format. In a block matrix, rows, columns and
// nonzeros are blocks.
type Pattern struct {
	Rows, Cols int
	RowPtr     []int32 // row r has the nonzeros [RowPtr[r], RowPtr[r+1]); [Rows+1]
	ColIdx     []int32 // of each nonzero; ascending in each row
}

// Nonzeros returns the number of nonzeros.
func (p *Pattern) Nonzeros() int { return len(p.ColIdx) }

// Row returns the columns of row r.
func (p *Pattern) Row(r int) []int32 { return p.ColIdx[p.RowPtr[r]:p.RowPtr[r+1]] }

// Bytes returns the memory that the pattern occupies.
func (p *Pattern) Bytes() int64 { return 4 * int64(len(p.RowPtr)+len(p.ColIdx)) }

// RowOf returns the row of a nonzero.
func (p *Pattern) RowOf(nonzero int32) int {
	return search(p.Rows, func(r int) bool { return p.RowPtr[r+1] > nonzero })
}

// Find returns the index of the nonzero at row r and column c, or -1: by bisection to 8 columns, and then in
// order, since rows are short and the processor predicts such a loop.
func (p *Pattern) Find(r, c int32) int32 {
	lo, hi := p.RowPtr[r], p.RowPtr[r+1]
	for hi-lo > 8 {
		middle := int32(uint32(lo+hi) >> 1)
		if p.ColIdx[middle] <= c {
			lo = middle
		} else {
			hi = middle
		}
	}
	for ; lo < hi; lo++ {
		if p.ColIdx[lo] == c {
			return lo
		}
	}
	return -1
}

// Build builds the pattern of all nonzeros of the pairs and, on request, of the diagonal. Neither
// the order of the pairs nor the number of workers makes a difference. Time is linear in the pairs'
// row–column combinations, for rows of bounded length; memory besides the pattern is one number for
// each row and each value of a row map.
//
// First it lists the elements of each row. Then workers take rows: they gather the columns of a
// row's elements, sort them and remove duplicates. If a row has no more columns, apart from the
// diagonal, than elements, as on triangles and tetrahedra, its columns replace the elements in the
// list; other rows are only counted, and gathered once more when memory of the right size is
// available.
func Build(pairs []Pair, rows, cols int, diagonal bool, workers int) (*Pattern, error) {
	b := &builder{groups: group(pairs), diagonal: diagonal, workers: max(1, workers)}
	b.pattern = &Pattern{Rows: rows, Cols: cols, RowPtr: make([]int32, rows+1)}
	return b.build(math.MaxInt32)
}

// build builds a pattern of at most most nonzeros.
func (b *builder) build(most int64) (*Pattern, error) {
	if err := b.invert(); err != nil {
		return nil, err
	}
	b.eachRow(b.count)
	nonzeros := int64(0)
	for r := range b.pattern.Rows {
		nonzeros += int64(b.pattern.RowPtr[r+1])
		b.pattern.RowPtr[r+1] = int32(nonzeros)
	}
	if nonzeros > most {
		return nil, fmt.Errorf("%w: %d, they are numbered up to %d", ErrTooLarge, nonzeros, most)
	}
	b.pattern.ColIdx = make([]int32, nonzeros)
	b.eachRow(b.keep)
	return b.pattern, nil
}

// builder holds a pattern under construction.
type builder struct {
	pattern  *Pattern
	groups   []mapGroup
	diagonal bool
	workers  int

	// Row r has the elements elements[first[r]:first[r+1]], numbered through all groups, or its
	// columns instead.
	first    []uint32
	elements []uint32
}

// mapGroup is a row map with all the column maps that it is paired with.
type mapGroup struct {
	rows *Map
	cols []*Map
	base uint32 // number of the group's first element
}

// group joins pairs that have the same row map.
func group(pairs []Pair) []mapGroup {
	var groups []mapGroup
	for _, p := range pairs {
		i := slices.IndexFunc(groups, func(g mapGroup) bool { return g.rows == p.Rows })
		if i < 0 {
			i = len(groups)
			groups = append(groups, mapGroup{rows: p.Rows})
		}
		if !slices.Contains(groups[i].cols, p.Cols) {
			groups[i].cols = append(groups[i].cols, p.Cols)
		}
	}
	return groups
}

// invert lists the elements of each row, by counting. Workers divide the rows, and each reads all
// maps, which is a small part of the time.
func (b *builder) invert() error {
	rows, elements, references := b.pattern.Rows, 0, 0
	for i := range b.groups {
		g := &b.groups[i]
		g.base = uint32(elements)
		elements += g.rows.elements()
		references += len(g.rows.Values)
	}
	if most := uint64(math.MaxUint32); uint64(elements) > most || uint64(references) > most {
		return fmt.Errorf("%w: the maps name %d rows, at most %d are possible", ErrTooLarge, references, most)
	}
	b.first = make([]uint32, rows+2)
	workers := b.workers
	if rows <= few {
		workers = 1
	}
	parallel.Parts(rows, workers, func(lo, hi int) {
		for _, g := range b.groups {
			count(g.rows.Values, b.first[2:], lo, hi)
		}
	})
	for r := range rows {
		b.first[r+2] += b.first[r+1]
	}
	b.elements = make([]uint32, b.first[rows+1])
	parallel.Parts(rows, workers, func(lo, hi int) {
		for _, g := range b.groups {
			list(g, b.first[1:], b.elements, lo, hi)
		}
	})
	return nil
}

// count counts the occurrences of each row in [lo, hi) among the values.
func count(values []int32, counts []uint32, lo, hi int) {
	counts = counts[lo:hi]
	for _, r := range values {
		if i := uint(int(r) - lo); i < uint(len(counts)) {
			counts[i]++
		}
	}
}

// list stores each element at the next free index of each of its rows in [lo, hi).
func list(g mapGroup, next, elements []uint32, lo, hi int) {
	next = next[lo:hi]
	arity, values := g.rows.Arity, g.rows.Values
	for e := range g.rows.elements() {
		for _, r := range values[e*arity : (e+1)*arity] {
			if i := uint(int(r) - lo); i < uint(len(next)) {
				elements[next[i]] = g.base + uint32(e)
				next[i]++
			}
		}
	}
}

// eachRow calls f for every row, several at a time, with a set for collecting columns.
func (b *builder) eachRow(f func(r int, s *columnSet)) {
	const chunk = 2048 // rows that a worker takes at a time
	inChunks(b.pattern.Rows, chunk, b.workers, func(lo, hi int) {
		var s columnSet
		for r := lo; r < hi; r++ {
			f(r, &s)
		}
	})
}

// inChunks calls f for parts of n of the given size, which workers take one after another.
func inChunks(n, size, workers int, f func(lo, hi int)) {
	_ = parallel.EachOn(workers, (n+size-1)/size, func(i int) error {
		f(i*size, min((i+1)*size, n))
		return nil
	})
}

// count stores the number of nonzeros of row r and, if they fit, the columns.
func (b *builder) count(r int, s *columnSet) {
	columns := b.gather(r, s)
	b.pattern.RowPtr[r+1] = int32(len(columns))
	if place := b.elements[b.first[r]:b.first[r+1]]; b.fits(len(columns), place) {
		i := 0
		for _, c := range columns {
			if b.diagonal && c == int32(r) {
				continue
			}
			place[i] = uint32(c)
			i++
		}
	}
}

// fits reports whether that many columns of a row fit in place of its elements.
func (b *builder) fits(nonzeros int, place []uint32) bool {
	if b.diagonal {
		nonzeros--
	}
	return nonzeros <= len(place)
}

// keep copies the columns of row r into the pattern.
func (b *builder) keep(r int, s *columnSet) {
	row, place := b.pattern.Row(r), b.elements[b.first[r]:b.first[r+1]]
	if !b.fits(len(row), place) {
		copy(row, b.gather(r, s))
		return
	}
	i, diagonal := 0, b.diagonal
	for at := range row {
		if diagonal && (i == len(row)-1 || int32(place[i]) > int32(r)) {
			row[at], diagonal = int32(r), false
			continue
		}
		row[at] = int32(place[i])
		i++
	}
}

// gather returns the distinct columns of row r in ascending order, valid until s is used again.
func (b *builder) gather(r int, s *columnSet) []int32 {
	s.begin(r)
	if b.diagonal {
		s.add([]int32{int32(r)})
	}
	for _, e := range b.elements[b.first[r]:b.first[r+1]] {
		g := b.groupOf(e)
		at := int(e - g.base)
		for _, m := range g.cols {
			s.add(m.Values[at*m.Arity : (at+1)*m.Arity])
		}
	}
	return s.sorted()
}

// groupOf returns the group of element e.
func (b *builder) groupOf(e uint32) *mapGroup {
	i := len(b.groups) - 1
	for i > 0 && e < b.groups[i].base {
		i--
	}
	return &b.groups[i]
}
