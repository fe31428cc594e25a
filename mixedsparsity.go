package op2

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// MixedSparsity is the pattern of matrices of blocks: a list of rows of sparsities, one for each part
// of the rows and each part of the columns. Blocks that are absent are nil: their matrices are zero,
// and take no memory.
type MixedSparsity struct {
	rt               *core.Runtime
	name             string
	rows, cols       []*core.Set // of each part
	rowDims, colDims []int
	blocks           [][]*Sparsity
}

// MixedMapPair is a pair of mixed maps from one set: an element connects all of its rows, of all
// parts, with all of its columns.
type MixedMapPair struct {
	Rows, Cols *MixedMap
}

// NewMixedSparsity builds the pattern of matrices that loops assemble through the pairs of mixed maps.
// The rows have as many parts as the maps for rows, with a dim for each, and so have the columns. A
// block is absent, nil, if no pair has maps to both of its parts, and if it is listed as absent, by its
// row and column: [2]int{1, 1} is the block of part 1 with itself.
func NewMixedSparsity(pairs []MixedMapPair, rowDims, colDims []int, name string, absent ...[2]int) *MixedSparsity {
	var on []*core.Runtime
	for _, p := range pairs {
		on = append(on, p.Rows.runtime(), p.Cols.runtime())
	}
	return core.Declare(core.Declaration{On: on, Together: true}, func() (*MixedSparsity, error) {
		s, err := connectMixed(pairs, rowDims, colDims, name, absent)
		if err != nil {
			return nil, err
		}
		return s, s.build(pairs, absent)
	}, func(failed *core.Runtime) *MixedSparsity { return &MixedSparsity{rt: failed, name: name} })
}

// connectMixed checks that the pairs fit together, and determines the sets of the rows and columns.
func connectMixed(pairs []MixedMapPair, rowDims, colDims []int, name string, absent [][2]int) (*MixedSparsity, error) {
	what := "mixed sparsity " + name
	if len(pairs) == 0 {
		return nil, fmt.Errorf("op2: %s: there are no pairs of mixed maps", what)
	}
	s := &MixedSparsity{name: name, rowDims: slices.Clone(rowDims), colDims: slices.Clone(colDims)}
	s.rows, s.cols = make([]*core.Set, len(rowDims)), make([]*core.Set, len(colDims))
	for i, p := range pairs {
		for _, side := range []struct {
			kind string
			m    *MixedMap
			sets []*core.Set
		}{{"rows", p.Rows, s.rows}, {"columns", p.Cols, s.cols}} {
			if side.m.Len() == 0 {
				return nil, fmt.Errorf("op2: %s: pair %d: a mixed map is nil, or was not made by NewMixedMap", what, i+1)
			}
			if side.m.Len() != len(side.sets) {
				return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("pair %d: %s has %s, %s given for the %s", i+1, side.m.Name(), problem.Count(side.m.Len(), "part"),
					problem.Count(len(side.sets), "dim"), side.kind)}
			}
			for k, m := range side.m.Parts() {
				if m == nil {
					continue
				}
				to := m.core().To()
				if side.sets[k] == nil {
					side.sets[k] = to
				}
				if side.sets[k] != to {
					return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("pair %d: part %d of %s leads to %s, part %d of the %s is %s", i+1, k, side.m.Name(), to.Besides(side.sets[k]), k, side.kind, side.sets[k].Besides(to))}
				}
			}
		}
	}
	s.rt = pairs[0].Rows.From().core().Runtime()
	for _, side := range []struct {
		kind string
		sets []*core.Set
	}{{"rows", s.rows}, {"columns", s.cols}} {
		if k := slices.Index(side.sets, nil); k >= 0 {
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

// build builds the blocks.
func (s *MixedSparsity) build(pairs []MixedMapPair, absent [][2]int) error {
	for i := range s.rows {
		s.blocks = append(s.blocks, make([]*Sparsity, len(s.cols)))
		for j := range s.cols {
			var of []MapPair
			for _, p := range pairs {
				if rows, cols := p.Rows.Part(i), p.Cols.Part(j); rows != nil && cols != nil {
					of = append(of, MapPair{rows, cols})
				}
			}
			if len(of) == 0 || slices.Contains(absent, [2]int{i, j}) {
				continue
			}
			maps, _ := coreMaps(of)
			block, err := core.NewSparsity(maps, s.rowDims[i], s.colDims[j], blockName(s.name, i, j))
			if err != nil {
				return err
			}
			s.blocks[i][j] = (*Sparsity)(block)
		}
	}
	return nil
}

// blockName returns the name of a block.
func blockName(of string, i, j int) string { return fmt.Sprintf("%s[%d][%d]", of, i, j) }

// NewSquareMixedSparsity builds the most common pattern: an element connects all targets of a mixed
// map with each other. Blocks may be absent as in [NewMixedSparsity].
func NewSquareMixedSparsity(m *MixedMap, dims []int, name string, absent ...[2]int) *MixedSparsity {
	return NewMixedSparsity([]MixedMapPair{{m, m}}, dims, dims, name, absent...)
}

// Err returns why the mixed sparsity could not be built; nil if it was.
func (s *MixedSparsity) Err() error {
	return orEmpty(s).rt.Made("mixed sparsity", "NewMixedSparsity")
}

// Block returns the sparsity of the block in row i and column j of the blocks; nil if it is absent.
func (s *MixedSparsity) Block(i, j int) *Sparsity {
	if s == nil || s.blocks == nil {
		return nil
	}
	return s.blocks[i][j]
}

// Name returns the name the mixed sparsity was declared with.
func (s *MixedSparsity) Name() string { return orEmpty(s).name }

func (s *MixedSparsity) String() string { return s.Name() }

// NBytes returns the size of the patterns of all blocks in bytes.
func (s *MixedSparsity) NBytes() (n int64) {
	for _, row := range orEmpty(s).blocks {
		for _, b := range row {
			if b != nil {
				n += b.NBytes()
			}
		}
	}
	return n
}
