package core

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
)

// Nonzeros locates the nonzeros of mats: a sparsity and a table of positions in it.
type Nonzeros struct {
	sparsity *Sparsity
	table    positionTable
}

// placeMat checks that a mat's maps lead from the set to its rows and columns.
func (b *Binding) placeMat(a Arg, bad func(msg, hint string) error) error {
	if err := a.unrollable(bad); err != nil {
		return err
	}
	s := a.data.sparsity
	for _, m := range []*Map{a.m, a.cols} {
		if m.from != b.Over.Set {
			return bad(fmt.Sprintf("%s leads from %s, the loop is over %s", m.name, m.from.Besides(b.Over.Set), b.Over.besides(m.from)), "")
		}
	}
	switch {
	case a.m.to != s.rows:
		return bad(fmt.Sprintf("%s leads to %s, the rows of %s are %s", a.m.name, a.m.to.Besides(s.rows), a.data.name, s.rows.Besides(a.m.to)), "")
	case a.cols.to != s.cols:
		return bad(fmt.Sprintf("%s leads to %s, the columns of %s are %s", a.cols.name, a.cols.to.Besides(s.cols), a.data.name, s.cols.Besides(a.cols.to)), "")
	case !s.has(a.m, a.cols):
		return bad(fmt.Sprintf("the sparsity %s was not built from %s by %s", s.name, a.m.name, a.cols.name), "add the pair to those that NewSparsity is given")
	}
	return nil
}

// describeMat adds what is specific to a mat to an argument's description.
func (b *Binding) describeMat(a Arg, d *loop.Arg) {
	d.ColMap = b.numberOf(a.cols)
	e := Nonzeros{a.data.sparsity, positionTable{rows: a.m, cols: a.cols}}
	if a.access == loop.Write {
		e.table.writers, e.table.subset = true, b.Over.Subset
	}
	for i, other := range b.Nonzeros {
		if e == other {
			d.Nonzeros = i
			return
		}
	}
	d.Nonzeros = len(b.Nonzeros)
	b.Nonzeros = append(b.Nonzeros, e)
	b.Loop.Nonzeros = append(b.Loop.Nonzeros, loop.Nonzeros{
		Rows: d.Map, Cols: d.ColMap,
		Masked: a.m.masked || a.cols.masked || e.table.writers,
		Search: e.sparsity.search && !e.table.writers,
	})
}

// nonzerosOf returns what locates an argument's nonzeros, creating it if necessary.
func (b *Binding) nonzerosOf(i int) (backend.Nonzeros, error) {
	s := b.Nonzeros[i].sparsity
	e := backend.Nonzeros{RowPtr: s.pattern.RowPtr, ColIdx: s.pattern.ColIdx}
	if b.Loop.Nonzeros[i].Search || b.rt.config.Static {
		return e, nil
	}
	var err error
	e.Table, err = s.table(b.Nonzeros[i].table)
	return e, err
}

// holdsMat describes the values of argument i, a mat.
func (b *Binding) holdsMat(i int) string {
	a := b.args[i]
	rows, cols := b.Loop.Local(b.Loop.Args[i])
	return fmt.Sprintf("%s is a mat of %s in blocks of %d by %d, of which %s by %s make %d by %d, a local matrix of %d by %d",
		a.data.name, a.data.scalar, a.data.dim, a.data.ColDim(), a.m.name, a.cols.name, a.m.arity, a.cols.arity, rows, cols)
}
