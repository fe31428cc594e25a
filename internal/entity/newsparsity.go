package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sparse"
)

// maxBlock limits the number of values of a block.
const maxBlock = 1 << 16

// NewSparsity builds the sparsity of blocks of rowDim by colDim values for pairs of maps, for rows and
// columns, that fit together. It is collective.
func NewSparsity(pairs [][2]*Map, rowDim, colDim int, name string) (*Sparsity, error) {
	s := &Sparsity{name: name, blocks: sparse.Blocks{Rows: rowDim, Cols: colDim}, tables: map[PositionTable][]int32{}}
	s.site.Capture()
	err := s.connect(pairs)
	if err == nil {
		err = s.checkBlocks()
	}
	if s.rt != nil {
		err = s.rt.Agree(err)
	}
	if err != nil {
		return nil, err
	}
	addWeakly(&s.rt.program.sparsities, s)
	return s, s.build()
}

// checkBlocks returns an error for blocks of a size that is not possible.
func (s *Sparsity) checkBlocks() error {
	rowDim, colDim := s.blocks.Rows, s.blocks.Cols
	if rowDim < 1 || colDim < 1 {
		return &problem.ShapeError{What: s.what(), Msg: fmt.Sprintf("blocks of at least 1 × 1 are needed, %d × %d was given", rowDim, colDim)}
	}
	if rowDim > maxBlock/colDim {
		return &problem.ShapeError{What: s.what(), Msg: fmt.Sprintf("blocks of at most %d values are possible, %d × %d was given", maxBlock, rowDim, colDim)}
	}
	return nil
}

// build builds the pattern.
func (s *Sparsity) build() error {
	if err := s.rt.Seal("sparsities have been built", "sparsity "+s.name); err != nil {
		return err
	}
	if s.rt.config.Static {
		s.pattern = noPattern()
		return nil
	}
	maps := map[*Map]*sparse.Map{}
	var build []sparse.Pair
	for _, p := range s.pairs {
		for _, m := range p {
			if maps[m] == nil {
				maps[m] = sparseMap(m)
			}
			m.pin("the sparsity " + s.name + " was built from it")
		}
		build = append(build, sparse.Pair{Rows: maps[p[0]], Cols: maps[p[1]]})
	}
	var err error
	if s.pattern, err = sparse.Build(build, s.rows.Total(), s.cols.Total(), s.Square(), s.Threads()); err != nil {
		return problem.Errorf("op2: %s: %w", s.what(), err)
	}
	return nil
}

// connect checks that the pairs fit together, and determines the row and column sets.
func (s *Sparsity) connect(pairs [][2]*Map) error {
	bad := func(i int, format string, args ...any) error {
		return fmt.Errorf("op2: sparsity %s: pair %d: %s", s.name, i+1, fmt.Sprintf(format, args...))
	}
	if len(pairs) == 0 {
		return fmt.Errorf("op2: sparsity %s: there are no pairs of maps", s.name)
	}
	for i, p := range pairs {
		rows, cols := p[0], p[1]
		if rows == nil || cols == nil {
			return bad(i, "a map is nil")
		}
		if i == 0 {
			s.rt, s.rows, s.cols = rows.from.rt, rows.to.Flat(), cols.to.Flat()
		}
		over := rows.from.All().Layers
		if over.Of == nil {
			over = cols.from.All().Layers
		}
		rows, cols = rows.Stacked(over), cols.Stacked(over)
		switch {
		case rows.from.rt != s.rt || cols.from.rt != s.rt:
			return bad(i, "the maps belong to several runtimes: %s leads from %s, %s from %s", rows.name, rows.from.Besides(cols.from), cols.name, cols.from.Besides(rows.from))
		case rows.from != cols.from:
			return bad(i, "%s leads from %s, %s from %s", rows.name, p[0].from.Besides(p[1].from), cols.name, p[1].from.Besides(p[0].from))
		case rows.IsStacked() != cols.IsStacked():
			return bad(i, "%s leads from the layers of %s, and one of the maps has rows of different lengths or leaves out components", rows.name, over.Of.name)
		case rows.to != s.rows:
			return bad(i, "%s leads to %s, the rows are %s", rows.name, rows.to.Besides(s.rows), s.rows.Besides(rows.to))
		case cols.to != s.cols:
			return bad(i, "%s leads to %s, the columns are %s", cols.name, cols.to.Besides(s.cols), s.cols.Besides(cols.to))
		}
		if p = [2]*Map{rows, cols}; !slices.Contains(s.pairs, p) {
			s.pairs = append(s.pairs, p)
		}
	}
	return nil
}
