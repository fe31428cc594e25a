package op2

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sparse"
)

// Sparsity is the pattern of nonzeros of matrices. It consists of blocks, one for each pair of an
// element of the row set and one of the column set that some element of a loop connects; if the two
// sets are the same, the diagonal blocks are always included.
type Sparsity struct {
	rt         *Runtime
	name       string
	rows, cols *Set
	blocks     sparse.Blocks
	pattern    *sparse.Pattern // empty on a static runtime
	pairs      [][2]*Map

	search     bool
	tables     map[entryTable][]int32
	transposed *sparse.Transposed // created on first use
	unrolled   *Sparsity          // of the values, created on first use
	of         *Sparsity          // of an unrolled pattern: that of the blocks
}

// entryTable identifies a table of positions: that of a pair of maps, or the result of
// [sparse.LastWriters] on it, for a loop over all elements or a subset.
type entryTable struct {
	rows, cols *Map
	writers    bool
	subset     *Subset
}

// MapPair is a pair of maps from one set: an element connects all its rows with all its columns.
type MapPair struct {
	Rows, Cols MatMap
}

// maxBlock limits the number of values of a block.
const maxBlock = 1 << 16

// NewSparsity builds the pattern of matrices that loops assemble through the pairs of maps, in
// which every block has rowDim by colDim values. All row maps lead to one set, and so do all column
// maps; the order of the pairs makes no difference.
//
// Building takes time linear in the sum, over all elements, of rows times columns, on all threads
// of the runtime. Patterns have at most 2,147,483,647 blocks.
func NewSparsity(pairs []MapPair, rowDim, colDim int, name string) (*Sparsity, error) {
	s := &Sparsity{name: name, blocks: sparse.Blocks{Rows: rowDim, Cols: colDim}, tables: map[entryTable][]int32{}}
	if err := s.connect(pairs); err != nil {
		return nil, err
	}
	if err := s.rt.declare("sparsity", name); err != nil {
		return nil, err
	}
	defer s.rt.leave()
	if rowDim < 1 || colDim < 1 {
		return nil, &problem.ShapeError{What: s.what(), Msg: fmt.Sprintf("blocks of at least 1 × 1 are needed, %d × %d was given", rowDim, colDim)}
	}
	if rowDim > maxBlock/colDim {
		return nil, &problem.ShapeError{What: s.what(), Msg: fmt.Sprintf("blocks of at most %d values are possible, %d × %d was given", maxBlock, rowDim, colDim)}
	}
	s.rt.seal("sparsities have been built", "sparsity "+name)
	if s.rt.config.static {
		s.pattern = &sparse.Pattern{RowPtr: []int32{0}}
		return s, nil
	}
	maps := map[*Map]*sparse.Map{}
	var build []sparse.Pair
	for _, p := range s.pairs {
		for _, m := range p {
			if maps[m] == nil {
				maps[m] = sparseMap(m)
			}
		}
		for _, m := range p {
			m.pin("the sparsity " + name + " was built from it")
		}
		build = append(build, sparse.Pair{Rows: maps[p[0]], Cols: maps[p[1]]})
	}
	var err error
	if s.pattern, err = sparse.Build(build, s.rows.total(), s.cols.total(), s.square(), s.threads()); err != nil {
		return nil, problem.Errorf("op2: %s: %w", s.what(), err)
	}
	return s, nil
}

// NewSquareSparsity builds the most common pattern: an element connects all targets of a map with
// each other, in square blocks of dim by dim values.
func NewSquareSparsity(m MatMap, dim int, name string) (*Sparsity, error) {
	return NewSparsity([]MapPair{{Rows: m, Cols: m}}, dim, dim, name)
}

// connect checks that the pairs fit together, and determines the row and column sets.
func (s *Sparsity) connect(pairs []MapPair) error {
	bad := func(i int, format string, args ...any) error {
		return fmt.Errorf("op2: sparsity %s: pair %d: %s", s.name, i+1, fmt.Sprintf(format, args...))
	}
	if len(pairs) == 0 {
		return fmt.Errorf("op2: sparsity %s: there are no pairs of maps", s.name)
	}
	for i, p := range pairs {
		rows, cols := matMap(p.Rows), matMap(p.Cols)
		if rows == nil || cols == nil {
			return bad(i, "a map is nil")
		}
		if err := checkDeclared("sparsity "+s.name, rows.from.rt, cols.from.rt); err != nil {
			return err
		}
		if i == 0 {
			s.rt, s.rows, s.cols = rows.from.rt, rows.to, cols.to
		}
		switch {
		case rows.from.rt != s.rt || cols.from.rt != s.rt:
			return bad(i, "the maps belong to several runtimes: %s leads from %s, %s from %s", rows.name, rows.from.besides(cols.from), cols.name, cols.from.besides(rows.from))
		case rows.from != cols.from:
			return bad(i, "%s leads from %s, %s from %s", rows.name, rows.from.besides(cols.from), cols.name, cols.from.besides(rows.from))
		case rows.to != s.rows:
			return bad(i, "%s leads to %s, the rows are %s", rows.name, rows.to.besides(s.rows), s.rows.besides(rows.to))
		case cols.to != s.cols:
			return bad(i, "%s leads to %s, the columns are %s", cols.name, cols.to.besides(s.cols), s.cols.besides(cols.to))
		}
		if pair := [2]*Map{rows, cols}; !slices.Contains(s.pairs, pair) {
			s.pairs = append(s.pairs, pair)
		}
	}
	return nil
}

func sparseMap(m *Map) *sparse.Map { return &sparse.Map{Arity: m.arity, Values: m.values} }

func (s *Sparsity) what() string {
	return fmt.Sprintf("sparsity %s of %s by %s", s.name, s.rows.name, s.cols.name)
}

// square reports whether rows and columns are the same set.
func (s *Sparsity) square() bool { return s.rows == s.cols }

func (s *Sparsity) threads() int { return s.rt.config.given.Threads }

// has reports whether the pattern contains the nonzeros of a pair of maps: it was built from them,
// or from those they were masked from.
func (s *Sparsity) has(rows, cols *Map) bool {
	if s.of != nil {
		return s.of.has(rows.block, cols.block)
	}
	from := func(built, m *Map) bool { return built == m || built == m.base }
	return slices.ContainsFunc(s.pairs, func(p [2]*Map) bool { return from(p[0], rows) && from(p[1], cols) })
}

// table returns a table of positions, created on first use, and kept unless it is for a subset.
func (s *Sparsity) table(t entryTable) ([]int32, error) {
	if table, ok := s.tables[t]; ok {
		return table, nil
	}
	var table []int32
	if t.writers {
		all, err := s.table(entryTable{rows: t.rows, cols: t.cols})
		if err != nil {
			return nil, err
		}
		var subset []int32
		if t.subset != nil {
			subset = t.subset.elements
		}
		table = sparse.LastWriters(s.Blocks(), all, t.rows.arity*t.cols.arity, subset)
	} else {
		positions := s.positions
		if s.of != nil {
			positions = s.spread
		}
		var ok bool
		if table, ok = positions(t.rows, t.cols); !ok {
			return nil, fmt.Errorf("op2: %s: it lacks nonzeros of %s by %s", s.what(), t.rows.name, t.cols.name)
		}
	}
	if t.subset == nil { // programs may create new subsets all the time
		s.tables[t] = table
	}
	return table, nil
}

func (s *Sparsity) positions(rows, cols *Map) (table []int32, ok bool) {
	return s.pattern.Positions(sparseMap(rows), sparseMap(cols), s.threads())
}

// Rows returns the set of the rows.
func (s *Sparsity) Rows() *Set { return orEmpty(s).rows }

// Cols returns the set of the columns.
func (s *Sparsity) Cols() *Set { return orEmpty(s).cols }

// RowDim returns the number of rows of a block.
func (s *Sparsity) RowDim() int { return orEmpty(s).blocks.Rows }

// ColDim returns the number of columns of a block.
func (s *Sparsity) ColDim() int { return orEmpty(s).blocks.Cols }

// Blocks returns the number of blocks: of nonzeros, if the dims are 1.
func (s *Sparsity) Blocks() int {
	if s != nil && s.of != nil {
		return s.of.Blocks() * s.of.blocks.Size()
	}
	return s.entries().Entries()
}

// entries returns the pattern, empty if NewSparsity did not create one.
func (s *Sparsity) entries() *sparse.Pattern {
	if s == nil || s.pattern == nil {
		return &sparse.Pattern{RowPtr: []int32{0}}
	}
	return s.pattern
}

// RowPtr returns the compressed rows of the pattern: row r has the blocks [RowPtr()[r],
// RowPtr()[r+1]). It must not be changed.
func (s *Sparsity) RowPtr() []int32 { return s.entries().RowPtr }

// ColIdx returns the columns of the blocks, ascending in each row. It must not be changed.
func (s *Sparsity) ColIdx() []int32 { return s.entries().ColIdx }

// Name returns the name the sparsity was declared with.
func (s *Sparsity) Name() string { return orEmpty(s).name }

func (s *Sparsity) String() string { return orEmpty(s).name }

// TableBytes returns the memory of the tables that locate the values of local matrices: 4 bytes for
// each block of each element's local matrix, for each pair of maps that a loop has used, and as
// much again for each that a loop has written through. Loops that write over subsets have
// additional tables of the same size.
func (s *Sparsity) TableBytes() int64 {
	if s == nil || s.rt == nil {
		return 0
	}
	s.rt.mustEnter()
	defer s.rt.leave()
	return s.tableBytes()
}

func (s *Sparsity) tableBytes() int64 {
	total := int64(0)
	for _, t := range s.tables {
		total += 4 * int64(len(t))
	}
	if s.unrolled != nil {
		total += s.unrolled.tableBytes()
	}
	return total
}

// SetSearch makes loops that are prepared from now on search the rows of the pattern for each value
// that they add, instead of keeping a table of positions: it takes no memory, but several times as
// long. Loops that write need the table nevertheless.
func (s *Sparsity) SetSearch(on bool) {
	if s == nil || s.rt == nil {
		return
	}
	s.rt.mustEnter()
	defer s.rt.leave()
	s.search = on
}
