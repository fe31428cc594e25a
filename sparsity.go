package op2

import (
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/sparse"
)

// Sparsity is the pattern of nonzeros of matrices. It consists of blocks, one for each pair of an
// element of the row set and one of the column set that some element of a loop connects; if the two
// sets are the same, the diagonal blocks are always included.
type Sparsity core.Sparsity

func (s *Sparsity) core() *core.Sparsity { return (*core.Sparsity)(s) }

// MapPair is a pair of maps from one set: an element connects all its rows with all its columns.
type MapPair struct {
	Rows, Cols MatMap
}

// NewSparsity builds the pattern of matrices that loops assemble through the pairs of maps, in
// which every block has rowDim by colDim values. All row maps lead to one set, and so do all column
// maps; the order of the pairs makes no difference.
//
// Building takes time linear in the sum, over all elements, of rows times columns, on all threads
// of the runtime. Patterns have at most 2,147,483,647 blocks.
func NewSparsity(pairs []MapPair, rowDim, colDim int, name string) *Sparsity {
	maps, on := coreMaps(pairs)
	return (*Sparsity)(core.Declare(core.Declaration{On: on, Together: true},
		func() (*core.Sparsity, error) { return core.NewSparsity(maps, rowDim, colDim, name) },
		func(failed *core.Runtime) *core.Sparsity { return core.InertSparsity(failed, name) }))
}

// coreMaps returns the maps of pairs, and their runtimes.
func coreMaps(pairs []MapPair) (maps [][2]*core.Map, on []*core.Runtime) {
	for _, p := range pairs {
		rows, cols := matMap(p.Rows), matMap(p.Cols)
		maps = append(maps, [2]*core.Map{rows, cols})
		on = append(on, (*Map)(rows).runtime(), (*Map)(cols).runtime())
	}
	return maps, on
}

// NewSquareSparsity builds the most common pattern: an element connects all targets of a map with
// each other, in square blocks of dim by dim values.
func NewSquareSparsity(m MatMap, dim int, name string) *Sparsity {
	return NewSparsity([]MapPair{{Rows: m, Cols: m}}, dim, dim, name)
}

// Err returns why the sparsity could not be built; nil if it was.
func (s *Sparsity) Err() error { return s.core().Runtime().Made("sparsity", "NewSparsity") }

// Rows returns the set of the rows.
func (s *Sparsity) Rows() *Set { return (*Set)(orEmpty(s.core()).Rows()) }

// Cols returns the set of the columns.
func (s *Sparsity) Cols() *Set { return (*Set)(orEmpty(s.core()).Cols()) }

func (s *Sparsity) block() sparse.Blocks { return orEmpty(s.core()).Block() }

// Blocks returns the number of blocks: of nonzeros, if the dims are 1. On several ranks it is that of
// the rows of this rank.
func (s *Sparsity) Blocks() int { return orEmpty(s.core()).Owned().Nonzeros() }

// Name returns the name the sparsity was declared with.
func (s *Sparsity) Name() string { return orEmpty(s.core()).Name() }

func (s *Sparsity) String() string { return s.Name() }

// NBytes returns the size of the pattern in bytes: 4 for each row and each block.
func (s *Sparsity) NBytes() int64 { return orEmpty(s.core()).Pattern().Bytes() }

// TableBytes returns the memory of the tables that locate the values of local matrices: 4 bytes for
// each block of each element's local matrix, for each pair of maps that a loop has used, and as
// much again for each that a loop has written through. Loops that write over subsets have
// additional tables of the same size.
func (s *Sparsity) TableBytes() int64 {
	rt := s.core().Runtime()
	if rt == nil {
		return 0
	}
	rt.MustEnter()
	defer rt.Leave()
	return s.core().TableBytes()
}

// SetSearch makes loops that are prepared from now on search the rows of the pattern for each value
// that they add, instead of keeping a table of positions: it takes no memory, but several times as
// long. Loops that write need the table nevertheless.
func (s *Sparsity) SetSearch(on bool) {
	rt := s.core().Runtime()
	if rt == nil {
		return
	}
	rt.MustEnter()
	defer rt.Leave()
	s.core().SetSearch(on)
}
