package bind

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// placeMat checks that a mat's maps lead from the set to its rows and columns.
func (b *Binding) placeMat(a entity.Arg, bad func(msg, hint string) error) error {
	if err := a.Unrollable(bad); err != nil {
		return err
	}
	s := a.Data.Sparsity()
	for _, m := range []*entity.Map{a.Map, a.Cols} {
		if m.From() != b.Over.Set {
			return bad(fmt.Sprintf("%s leads from %s, the loop is over %s", m.Name(), m.From().Besides(b.Over.Set), b.Over.Besides(m.From())), "")
		}
	}
	switch {
	case a.Map.To() != s.Rows():
		return bad(fmt.Sprintf("%s leads to %s, the rows of %s are %s", a.Map.Name(), a.Map.To().Besides(s.Rows()), a.Data.Name(), s.Rows().Besides(a.Map.To())), "")
	case a.Cols.To() != s.Cols():
		return bad(fmt.Sprintf("%s leads to %s, the columns of %s are %s", a.Cols.Name(), a.Cols.To().Besides(s.Cols()), a.Data.Name(), s.Cols().Besides(a.Cols.To())), "")
	case !s.Has(a.Map, a.Cols):
		return bad(fmt.Sprintf("the sparsity %s was not built from %s by %s", s.Place(), a.Map.Name(), a.Cols.Name()), "give NewSparsity that pair, too; that of NewSquareSparsity is a map by itself")
	}
	return nil
}

// describeMat adds what is specific to a mat to an argument's description.
func (b *Binding) describeMat(a entity.Arg, d *loop.Arg) {
	d.ColMap = b.numberOf(a.Cols)
	e := Nonzeros{a.Data.Sparsity(), entity.PositionTable{Rows: a.Map, Cols: a.Cols}}
	if a.Access == loop.Write {
		e.table.Writers, e.table.Subset = true, b.Over.Subset
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
		Masked: a.Map.IsMasked() || a.Cols.IsMasked() || e.table.Writers,
		Search: e.sparsity.Searched() && !e.table.Writers,
	})
}

// nonzerosOf returns what locates an argument's nonzeros, creating it if necessary.
func (b *Binding) nonzerosOf(i int) (backend.Nonzeros, error) {
	s := b.Nonzeros[i].sparsity
	e := backend.Nonzeros{RowPtr: s.Pattern().RowPtr, ColIdx: s.Pattern().ColIdx}
	if b.Loop.Nonzeros[i].Search || b.Runtime.Config().Static {
		return e, nil
	}
	var err error
	e.Table, err = s.Table(b.Nonzeros[i].table)
	return e, err
}

// holdsMat describes the values of argument i, a mat.
func (b *Binding) holdsMat(i int) string {
	a := b.Args[i]
	rows, cols := b.Loop.Local(b.Loop.Args[i])
	return fmt.Sprintf("%s is a mat of %s in blocks of %d by %d, of which %s by %s make %d by %d, a local matrix of %d by %d",
		a.Data.Name(), a.Data.Scalar(), a.Data.Width(), a.Data.ColDim(), a.Map.Name(), a.Cols.Name(), a.Map.Arity(), a.Cols.Arity(), rows, cols)
}
