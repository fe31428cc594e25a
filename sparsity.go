package op2

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// Sparsity is the pattern of nonzeros of matrices. It consists of blocks of values, one for each pair of an
// element of the row set and one of the column set that some element of a loop connects; if the two
// sets are the same, the diagonal blocks are always included.
//
// Where mixed maps lead to several parts of rows or columns, the sparsity has a pattern for each pair of them,
// which [Sparsity.Block] returns. Methods that describe one pattern return nil or 0 for several.
type Sparsity struct {
	rt         *core.Runtime
	name       string
	rows, cols []algebra.Part
	blocks     [][]*Sparsity  // by parts; nil where absent; of a single pattern the sparsity itself
	one        *core.Sparsity // the single pattern; nil if there are several
}

// MapPair is a pair of maps from one set: an element connects all its rows with all its columns, of all parts if
// the maps are mixed.
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
	var on []*core.Runtime
	for _, p := range pairs {
		for _, m := range []MatMap{p.Rows, p.Cols} {
			on = append(on, mapRuntime(m))
			plain = plain && !isMixed(m)
		}
	}
	return core.Declare(core.Declaration{On: on, Together: true}, func() (*Sparsity, error) {
		if plain {
			return newPattern(pairs, rowDims[0], colDims[0], name)
		}
		s, err := connectParts(pairs, rowDims, colDims, name, absent)
		if err != nil {
			return nil, err
		}
		return s, s.build(pairs, absent)
	}, func(failed *core.Runtime) *Sparsity { return single(core.InertSparsity(failed, name)) })
}

// newPattern builds a single pattern for pairs of plain maps.
func newPattern(pairs []MapPair, rowDim, colDim int, name string) (*Sparsity, error) {
	maps := make([][2]*core.Map, len(pairs))
	for i, p := range pairs {
		maps[i] = [2]*core.Map{plainMap(p.Rows), plainMap(p.Cols)}
	}
	s, err := core.NewSparsity(maps, rowDim, colDim, name)
	if err != nil {
		return nil, err
	}
	return single(s), nil
}

// single returns a sparsity of one pattern.
func single(of *core.Sparsity) *Sparsity {
	s := &Sparsity{rt: of.Runtime(), name: of.Name(), one: of,
		rows: []algebra.Part{{Set: of.Rows(), Dim: of.Block().Rows}}, cols: []algebra.Part{{Set: of.Cols(), Dim: of.Block().Cols}}}
	s.blocks = [][]*Sparsity{{s}}
	return s
}

// connectParts checks that the pairs of mixed maps fit together, and determines the sets of the rows and columns.
func connectParts(pairs []MapPair, rowDims, colDims []int, name string, absent [][2]int) (*Sparsity, error) {
	what := "sparsity " + name
	if len(pairs) == 0 {
		return nil, fmt.Errorf("op2: %s: there are no pairs of maps", what)
	}
	s := &Sparsity{rt: mapRuntime(pairs[0].Rows), name: name}
	for _, dim := range rowDims {
		s.rows = append(s.rows, algebra.Part{Dim: dim})
	}
	for _, dim := range colDims {
		s.cols = append(s.cols, algebra.Part{Dim: dim})
	}
	for i, p := range pairs {
		pair := fmt.Sprintf("%s: pair %d", what, i+1)
		if err := lead(pair, p.Rows, s.rows, "rows"); err != nil {
			return nil, err
		}
		if err := lead(pair, p.Cols, s.cols, "columns"); err != nil {
			return nil, err
		}
	}
	for _, side := range []struct {
		kind  string
		parts []algebra.Part
	}{{"rows", s.rows}, {"columns", s.cols}} {
		if k := slices.IndexFunc(side.parts, func(p algebra.Part) bool { return p.Set == nil }); k >= 0 {
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("no map leads to part %d of the %s", k, side.kind)}
		}
	}
	for _, b := range absent {
		if b[0] < 0 || b[0] >= len(rowDims) || b[1] < 0 || b[1] >= len(colDims) {
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("there is no block [%d][%d] to be absent: there are %d by %d", b[0], b[1], len(rowDims), len(colDims))}
		}
	}
	return s, nil
}

// lead checks that a map leads to the parts of rows or columns, and sets the sets of those that had none.
func lead(what string, of MatMap, parts []algebra.Part, kind string) error {
	m := mixedMap(of)
	if m == nil {
		return fmt.Errorf("op2: %s: a map is nil, or was not made by NewMap or NewMixedMap", what)
	}
	if len(m.Parts()) != len(parts) {
		return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has %s, %s given for the %s", m.Name(), problem.Count(len(m.Parts()), "part"), problem.Count(len(parts), "dim"), kind)}
	}
	for k, part := range m.Parts() {
		if part == nil {
			continue
		}
		to := part.To()
		if parts[k].Set == nil {
			parts[k].Set = to
		}
		if set := parts[k].Set; set != to {
			return &problem.ShapeError{What: what, Msg: fmt.Sprintf("part %d of %s leads to %s, part %d of the %s is %s", k, m.Name(), to.Besides(set), k, kind, set.Besides(to))}
		}
	}
	return nil
}

// build builds the patterns of all pairs of parts.
func (s *Sparsity) build(pairs []MapPair, absent [][2]int) error {
	for i := range s.rows {
		s.blocks = append(s.blocks, make([]*Sparsity, len(s.cols)))
		for j := range s.cols {
			var of []MapPair
			for _, p := range pairs {
				if rows, cols := mixedMap(p.Rows).Parts()[i], mixedMap(p.Cols).Parts()[j]; rows != nil && cols != nil {
					of = append(of, MapPair{(*Map)(rows), (*Map)(cols)})
				}
			}
			if len(of) == 0 || slices.Contains(absent, [2]int{i, j}) {
				continue
			}
			b, err := newPattern(of, s.rows[i].Dim, s.cols[j].Dim, blockName(s.name, i, j))
			if err != nil {
				return err
			}
			s.blocks[i][j] = b
		}
	}
	return nil
}

// blockName returns the name of a block.
func blockName(of string, i, j int) string { return fmt.Sprintf("%s[%d][%d]", of, i, j) }

// Err returns why the sparsity could not be built; nil if it was.
func (s *Sparsity) Err() error { return orEmpty(s).rt.Made("sparsity", "NewSparsity") }

// Block returns the pattern of part i of the rows with part j of the columns; nil if it is absent. A single pattern
// is its own block.
func (s *Sparsity) Block(i, j int) *Sparsity { return blockAt(orEmpty(s).blocks, i, j) }

// blockAt returns a block; nil if there is none.
func blockAt[B any](blocks [][]*B, i, j int) *B {
	if i < 0 || i >= len(blocks) || j < 0 || j >= len(blocks[i]) {
		return nil
	}
	return blocks[i][j]
}

// all yields the single patterns.
func (s *Sparsity) all(yield func(*core.Sparsity) bool) {
	for _, row := range orEmpty(s).blocks {
		for _, b := range row {
			if b != nil && !yield(b.one) {
				return
			}
		}
	}
}

func (s *Sparsity) core() *core.Sparsity { return orEmpty(orEmpty(s).one) }

// Rows returns the set of the rows.
func (s *Sparsity) Rows() *Set { return (*Set)(s.core().Rows()) }

// Cols returns the set of the columns.
func (s *Sparsity) Cols() *Set { return (*Set)(s.core().Cols()) }

// Blocks returns the number of blocks: of nonzeros, if the dims are 1. On several ranks it is that of
// the rows of this rank.
func (s *Sparsity) Blocks() int { return s.core().Owned().Nonzeros() }

// Name returns the name the sparsity was declared with.
func (s *Sparsity) Name() string { return orEmpty(s).name }

func (s *Sparsity) String() string { return s.Name() }

// NBytes returns the size of all patterns in bytes: 4 for each row and each block.
func (s *Sparsity) NBytes() (n int64) {
	for p := range s.all {
		n += p.Pattern().Bytes()
	}
	return n
}

// TableBytes returns the memory of the tables that locate the values of local matrices: 4 bytes for
// each block of each element's local matrix, for each pair of maps that a loop has used, and as
// much again for each that a loop has written through. Loops that write over subsets have
// additional tables of the same size.
func (s *Sparsity) TableBytes() (n int64) {
	s.change(func(p *core.Sparsity) { n += p.TableBytes() })
	return n
}

// SetSearch makes loops that are prepared from now on search the rows of the pattern for each value
// that they add, instead of keeping a table of positions: it takes no memory, but several times as
// long. Loops that write need the table nevertheless.
func (s *Sparsity) SetSearch(on bool) { s.change(func(p *core.Sparsity) { p.SetSearch(on) }) }

// change calls f for each pattern within the runtime, if there is one.
func (s *Sparsity) change(f func(*core.Sparsity)) {
	if s == nil || s.rt == nil {
		return
	}
	s.rt.MustEnter()
	defer s.rt.Leave()
	for p := range s.all {
		f(p)
	}
}
