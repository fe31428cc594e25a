package op2

import (
	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
)

// Sparsity is the pattern of nonzeros of matrices. It consists of blocks of values, one for each pair of an
// element of the row set and one of the column set that some element of a loop connects; if the two
// sets are the same, the diagonal blocks are always included.
//
// Where mixed maps lead to several parts of rows or columns, the sparsity has a pattern for each pair of them: that of
// the mat's [Mat.Block]. Methods that describe one pattern return 0 for several.
type Sparsity algebra.Sparsity

func (s *Sparsity) algebra() *algebra.Sparsity { return (*algebra.Sparsity)(s) }

// MapPair is a pair of maps from one set: an element connects all its rows with all its columns, of all parts if
// the maps are mixed. With an extruded map goes one from its base set, too, which leads all layers of a column to the same.
type MapPair struct {
	Rows, Cols MatMap
}

// NewSparsity builds the pattern of matrices that loops assemble through the pairs of maps, in
// which every block has rowDim by colDim values. All row maps lead to one set, and so do all column
// maps; the order of the pairs makes no difference.
//
// Dims are numbers, or lists of them if the maps are mixed: part i of the rows, to which part i of all row maps leads,
// has dim rowDims[i]. The pattern of two parts is absent, and matrices are zero there and take no memory, if no pair
// has maps to both of them, or if it is listed as absent, by its row and column: [2]int{1, 1} is that of part 1 with
// itself.
//
// Building takes time linear in the sum, over all elements, of rows times columns, on all threads
// of the runtime. Patterns have at most 2,147,483,647 blocks.
func NewSparsity[R, C int | []int](pairs []MapPair, rowDims R, colDims C, name string, absent ...[2]int) *Sparsity {
	return newSparsity(pairs, dimsOf(rowDims), dimsOf(colDims), name, absent)
}

// NewSquareSparsity builds the most common pattern: an element connects all targets of a map with
// each other, in square blocks of dim by dim values. For a mixed map, dims and absent are as for [NewSparsity].
func NewSquareSparsity[D int | []int](m MatMap, dims D, name string, absent ...[2]int) *Sparsity {
	return newSparsity([]MapPair{{Rows: m, Cols: m}}, dimsOf(dims), dimsOf(dims), name, absent)
}

func newSparsity(pairs []MapPair, rowDims, colDims []int, name string, absent [][2]int) *Sparsity {
	plain := len(rowDims) == 1 && len(colDims) == 1 && absent == nil
	var on []*entity.Runtime
	for _, p := range pairs {
		for _, m := range []MatMap{p.Rows, p.Cols} {
			on = append(on, mapRuntime(m))
			plain = plain && !isMixed(m)
		}
	}
	return (*Sparsity)(entity.Declare(entity.Declaration{On: on, Together: true}, func() (*algebra.Sparsity, error) {
		if plain {
			return algebra.NewSparsity(pairsOf(pairs, plainMap), rowDims[0], colDims[0], name)
		}
		return algebra.NewMixedSparsity(pairsOf(pairs, mixedMap), rowDims, colDims, name, absent)
	}, func(failed *entity.Runtime) *algebra.Sparsity { return algebra.InertSparsity(failed, name) }))
}

// pairsOf returns the maps of pairs.
func pairsOf[M any](pairs []MapPair, of func(MatMap) *M) [][2]*M {
	list := make([][2]*M, len(pairs))
	for i, p := range pairs {
		list[i] = [2]*M{of(p.Rows), of(p.Cols)}
	}
	return list
}

// Err returns why the sparsity could not be built; nil if it was.
func (s *Sparsity) Err() error { return s.algebra().Runtime().Made("sparsity", "NewSparsity") }

func (s *Sparsity) core() *entity.Sparsity { return orEmpty(s.algebra().One()) }

// Blocks returns the number of blocks: of nonzeros, if the dims are 1. On several ranks it is that of
// the rows of this rank.
func (s *Sparsity) Blocks() int { return s.core().Owned().Nonzeros() }

// SetSearch makes loops that are prepared from now on search the rows of the pattern for each value
// that they add, instead of keeping a table of positions: it takes no memory, but several times as
// long. Loops that write need the table nevertheless, and so do those over layers of columns.
func (s *Sparsity) SetSearch(on bool) { s.change(func(p *entity.Sparsity) { p.SetSearch(on) }) }

// change calls f for each pattern within the runtime, if there is one.
func (s *Sparsity) change(f func(*entity.Sparsity)) {
	rt := s.algebra().Runtime()
	if rt == nil {
		return
	}
	rt.MustEnter()
	defer rt.Leave()
	for p := range s.algebra().All {
		f(p)
	}
}
