package algebra

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
)

// Sparsity is a single pattern of nonzeros, or a pattern for each pair of parts of the rows and the columns.
type Sparsity struct {
	name       string
	rows, cols []Part
	blocks     [][]*Sparsity    // by parts; nil where absent; of a single pattern the sparsity itself
	one        *entity.Sparsity // the single pattern; nil if there are several
}

// NewSparsity builds a single pattern for pairs of maps.
func NewSparsity(pairs [][2]*entity.Map, rowDim, colDim int, name string) (*Sparsity, error) {
	one, err := entity.NewSparsity(pairs, rowDim, colDim, name)
	if err != nil {
		return nil, err
	}
	return single(one), nil
}

// NewMixedSparsity builds the patterns of all pairs of parts that mixed maps lead to, but for the absent ones.
func NewMixedSparsity(pairs [][2]*entity.MixedMap, rowDims, colDims []int, name string, absent [][2]int) (*Sparsity, error) {
	s, err := connectParts(pairs, rowDims, colDims, name, absent)
	if err != nil {
		return nil, err
	}
	return s, s.build(pairs, absent)
}

// InertSparsity returns a sparsity that failed to be declared.
func InertSparsity(rt *entity.Runtime, name string) *Sparsity {
	return single(entity.InertSparsity(rt, name))
}

// single returns a sparsity of one pattern.
func single(of *entity.Sparsity) *Sparsity {
	s := &Sparsity{name: of.Name(), one: of, rows: []Part{{Set: of.Rows(), Dim: of.Block().Rows}}, cols: []Part{{Set: of.Cols(), Dim: of.Block().Cols}}}
	s.blocks = [][]*Sparsity{{s}}
	return s
}

// connectParts checks that the pairs of mixed maps fit together, and determines the sets of the rows and columns.
func connectParts(pairs [][2]*entity.MixedMap, rowDims, colDims []int, name string, absent [][2]int) (*Sparsity, error) {
	what := "sparsity " + name
	if len(pairs) == 0 {
		return nil, fmt.Errorf("op2: %s: there are no pairs of maps", what)
	}
	s := &Sparsity{name: name}
	for _, dim := range rowDims {
		s.rows = append(s.rows, Part{Dim: dim})
	}
	for _, dim := range colDims {
		s.cols = append(s.cols, Part{Dim: dim})
	}
	for i, p := range pairs {
		pair := fmt.Sprintf("%s: pair %d", what, i+1)
		if err := lead(pair, p[0], s.rows, "rows"); err != nil {
			return nil, err
		}
		if err := lead(pair, p[1], s.cols, "columns"); err != nil {
			return nil, err
		}
	}
	for _, side := range []struct {
		kind  string
		parts []Part
	}{{"rows", s.rows}, {"columns", s.cols}} {
		if k := slices.IndexFunc(side.parts, func(p Part) bool { return p.Set == nil }); k >= 0 {
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
func lead(what string, m *entity.MixedMap, parts []Part, kind string) error {
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
		to := part.To().Flat()
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
func (s *Sparsity) build(pairs [][2]*entity.MixedMap, absent [][2]int) error {
	for i := range s.rows {
		s.blocks = append(s.blocks, make([]*Sparsity, len(s.cols)))
		for j := range s.cols {
			var of [][2]*entity.Map
			for _, p := range pairs {
				if rows, cols := p[0].Parts()[i], p[1].Parts()[j]; rows != nil && cols != nil {
					of = append(of, [2]*entity.Map{rows, cols})
				}
			}
			if len(of) == 0 || slices.Contains(absent, [2]int{i, j}) {
				continue
			}
			b, err := NewSparsity(of, s.rows[i].Dim, s.cols[j].Dim, blockName(s.name, i, j))
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

// Runtime returns the runtime that the sparsity belongs to; nil if it was never declared.
func (s *Sparsity) Runtime() *entity.Runtime {
	if s == nil || len(s.rows) == 0 {
		return nil
	}
	return s.rows[0].Set.Runtime()
}

// One returns the single pattern; nil if there are several.
func (s *Sparsity) One() *entity.Sparsity {
	if s == nil {
		return nil
	}
	return s.one
}

// blockAt returns a block; nil if there is none.
func blockAt[B any](blocks [][]*B, i, j int) *B {
	if i < 0 || i >= len(blocks) || j < 0 || j >= len(blocks[i]) {
		return nil
	}
	return blocks[i][j]
}

// All yields the single patterns.
func (s *Sparsity) All(yield func(*entity.Sparsity) bool) {
	if s == nil {
		return
	}
	for _, row := range s.blocks {
		for _, b := range row {
			if b != nil && !yield(b.one) {
				return
			}
		}
	}
}
