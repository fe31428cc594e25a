package entity

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/sparse"
)

// Sparsity is the pattern of nonzeros of matrices, in blocks.
type Sparsity struct {
	rt         *Runtime
	name       string
	site       callsite.Calls // where it was declared
	rows, cols *Set
	blocks     sparse.Blocks
	pattern    *sparse.Pattern // empty on a static runtime; on several ranks, see Owned
	owned      *sparse.Pattern // its rows of this rank; nil until it is needed
	ownedOnce  sync.Once       // any goroutine may ask for them
	pairs      [][2]*Map
	declared   *declaredPattern // created on first use

	search     bool
	tables     map[PositionTable][]int32
	transposed *sparse.Transposed // created on first use
	unrolled   *Sparsity          // of the values, created on first use
	of         *Sparsity          // of an unrolled pattern: that of the blocks
}

// PositionTable identifies a table of positions: that of a pair of maps, or the result of
// [sparse.LastWriters] on it, for a loop over all elements or a subset.
type PositionTable struct {
	Rows, Cols *Map
	Writers    bool
	Subset     *Subset
}

// sparseMap returns the map of the elements that loops can run over.
func sparseMap(m *Map) *sparse.Map {
	if m.IsStacked() {
		return &sparse.Map{Arity: m.arity, Values: m.stackedRows()}
	}
	return &sparse.Map{Arity: m.arity, Values: m.values[:m.from.Executable()*m.arity]}
}

func (s *Sparsity) what() string {
	return fmt.Sprintf("sparsity %s of %s by %s", s.name, s.rows.name, s.cols.name)
}

// Place returns the sparsity's name, and where it was declared: "sp (declared at main.go:12)".
func (s *Sparsity) Place() string {
	if s.of != nil {
		return s.of.Place()
	}
	if at := s.site.Site().At; at != "" {
		return fmt.Sprintf("%s (declared at %s)", s.name, at)
	}
	return s.name
}

// Square reports whether rows and columns are the same set.
func (s *Sparsity) Square() bool { return s.rows == s.cols }

// Threads returns the number of threads of the runtime.
func (s *Sparsity) Threads() int { return s.rt.config.Backend.Threads }

// Has reports whether the pattern has the nonzeros of a pair of maps: it was built from them, or from those they were
// masked from, or what each element reaches is among what elements of other pairs reach, as a facet's nodes are among
// its cell's. A static runtime has no pattern to look into, and assumes the last.
func (s *Sparsity) Has(rows, cols *Map) bool {
	if s.of != nil {
		return s.of.Has(rows.block, cols.block)
	}
	if s.BuiltFrom(rows, cols) || s.rt.config.Static {
		return true
	}
	if _, err := s.Table(PositionTable{Rows: rows, Cols: cols}); err != nil {
		return false
	}
	rows.pin("the sparsity " + s.name + " has its nonzeros")
	cols.pin("the sparsity " + s.name + " has its nonzeros")
	return true
}

// BuiltFrom reports whether the pattern was built from a pair of maps, or from those that they were masked from. Of another
// pair it may lack nonzeros in rows of other ranks: this rank may have a facet without its cell.
func (s *Sparsity) BuiltFrom(rows, cols *Map) bool {
	if s.of != nil {
		return s.of.BuiltFrom(rows.block, cols.block)
	}
	from := func(built, m *Map) bool { return built == m || built == m.base }
	return slices.ContainsFunc(s.pairs, func(p [2]*Map) bool { return from(p[0], rows) && from(p[1], cols) })
}

// Table returns a table of positions, created on first use, and kept unless it is for a subset.
func (s *Sparsity) Table(t PositionTable) ([]int32, error) {
	if table, ok := s.tables[t]; ok {
		return table, nil
	}
	var table []int32
	if t.Writers {
		all, err := s.Table(PositionTable{Rows: t.Rows, Cols: t.Cols})
		if err != nil {
			return nil, err
		}
		table = sparse.LastWriters(s.Blocks(), all, t.Rows.arity*t.Cols.arity*max(1, t.Rows.over.Describe().Of), t.order())
	} else {
		positions := s.positions
		if s.of != nil {
			positions = s.unrolledTable
		}
		var ok bool
		if table, ok = positions(t.Rows, t.Cols); !ok {
			return nil, fmt.Errorf("op2: %s: it lacks nonzeros of %s by %s", s.what(), t.Rows.name, t.Cols.name)
		}
	}
	if t.Subset == nil { // programs may create new subsets all the time
		s.tables[t] = table
	}
	return table, nil
}

// order returns the elements that write, in ascending declared order; nil for all in the order of
// their numbers.
func (t PositionTable) order() []int32 {
	from := t.Rows.from
	if t.Subset == nil && !from.numbered() {
		return nil
	}
	over := from.All()
	if t.Subset != nil {
		over = t.Subset.All()
	}
	elements := slices.Clone(over.Here()[:over.Prefix(from.Deepest())])
	if from.numbered() {
		SortByNumber(elements, from.Numbers())
	}
	return elements
}

func (s *Sparsity) positions(rows, cols *Map) (table []int32, ok bool) {
	return s.pattern.Positions(sparseMap(rows), sparseMap(cols), s.rows.Size(), s.Threads())
}

// Name returns the name the sparsity was declared with.
func (s *Sparsity) Name() string { return s.name }

// Rows returns the set of the rows.
func (s *Sparsity) Rows() *Set { return s.rows }

// Cols returns the set of the columns.
func (s *Sparsity) Cols() *Set { return s.cols }

// Block returns the shape of a block.
func (s *Sparsity) Block() sparse.Blocks { return s.blocks }

// Blocks returns the number of blocks.
func (s *Sparsity) Blocks() int {
	if s.of != nil {
		return s.of.Blocks() * s.of.blocks.Size()
	}
	return s.Pattern().Nonzeros()
}

// Pattern returns the pattern, empty if none was built.
func (s *Sparsity) Pattern() *sparse.Pattern {
	if s.pattern == nil {
		return noPattern()
	}
	return s.pattern
}

// Owned returns the pattern of the rows of this rank, the leading ones. Further rows are what the
// elements of the halo contribute to rows of other ranks, which is incomplete.
func (s *Sparsity) Owned() *sparse.Pattern {
	if s.pattern == nil {
		return noPattern()
	}
	s.ownedOnce.Do(func() { s.owned = s.pattern.Leading(min(s.rows.Size(), s.pattern.Rows)) })
	return s.owned
}

// declaredPattern is a pattern on one rank in declared numbers.
type declaredPattern struct {
	pattern *sparse.Pattern
	places  []int32 // there, of the blocks in memory; nil: the same
}

// Declared returns the pattern of this rank's rows in declared numbers, unless it is distributed, and
// the places there of the blocks in memory; nil if they are the same.
func (s *Sparsity) Declared() (*sparse.Pattern, []int32) {
	own := s.Owned()
	if s.rows == nil || s.rows.order == nil && s.cols.order == nil {
		return own, nil
	}
	if s.declared != nil {
		return s.declared.pattern, s.declared.places
	}
	p := &sparse.Pattern{Rows: own.Rows, Cols: own.Cols, RowPtr: []int32{0}}
	places := make([]int32, own.Nonzeros())
	for r := range own.Rows {
		row := s.rows.place(r)
		var blocks []int32
		for k := own.RowPtr[row]; k < own.RowPtr[row+1]; k++ {
			blocks = append(blocks, k)
		}
		column := func(k int32) int64 { return s.cols.NumberHere(int(own.ColIdx[k])) }
		sorting.Int32sBy(blocks, func(a, b int32) int { return cmp.Compare(column(a), column(b)) })
		for _, k := range blocks {
			places[k] = int32(len(p.ColIdx))
			p.ColIdx = append(p.ColIdx, int32(column(k)))
		}
		p.RowPtr = append(p.RowPtr, int32(len(p.ColIdx)))
	}
	s.declared = &declaredPattern{p, places}
	return p, places
}

func noPattern() *sparse.Pattern { return &sparse.Pattern{RowPtr: []int32{0}} }

// Transposed returns the transposed pattern, built on first use.
func (s *Sparsity) Transposed() *sparse.Transposed {
	if s.transposed == nil {
		s.transposed = s.Owned().Transpose()
	}
	return s.transposed
}

// DiagonalAt returns the index, in a matrix, of the diagonal value in row i of element e.
func (s *Sparsity) DiagonalAt(e, i int) int {
	return int(s.pattern.Find(int32(e), int32(e)))*s.blocks.Size() + i*s.blocks.Rows + i
}

// Searched reports whether loops search rows, instead of keeping tables.
func (s *Sparsity) Searched() bool { return s.search }

// SetSearch makes loops that are prepared from now on search rows, instead of keeping tables.
func (s *Sparsity) SetSearch(on bool) { s.search = on }

// ColumnOrder returns the order in which a reproducible runtime adds up nonzeros of the rows of this
// rank; nil if it is that of the pattern.
func (s *Sparsity) ColumnOrder() []int32 {
	if !s.rt.config.Backend.SameBits {
		return nil
	}
	return s.InDeclaredOrder()
}

// InDeclaredOrder returns the blocks of each row of this rank in the order of the declared numbers of their columns; nil
// if it is that of the pattern.
func (s *Sparsity) InDeclaredOrder() []int32 {
	if !s.cols.numbered() {
		return nil
	}
	return s.Owned().InOrder(s.cols.Numbers())
}

// unrolledTable returns the table of positions of an unrolled pattern, derived from that of the blocks.
func (s *Sparsity) unrolledTable(rows, cols *Map) (table []int32, ok bool) {
	b, p := s.of.blocks, s.of.pattern
	at, ok := p.Positions(sparseMap(rows.block), sparseMap(cols.block), s.of.rows.Size(), s.Threads())
	table = make([]int32, len(at)*b.Size())
	for k := range table {
		e, i, j := k/(rows.arity*cols.arity), k/cols.arity%rows.arity, k%cols.arity
		block := at[(e*rows.block.arity+i/b.Rows)*cols.block.arity+j/b.Cols]
		table[k] = -1
		if block >= 0 && rows.values[e*rows.arity+i] >= 0 && cols.values[e*cols.arity+j] >= 0 {
			table[k] = block*int32(b.Size()) + int32(j%b.Cols*b.Rows+i%b.Rows)
		}
	}
	return table, ok
}
