package solve

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
)

// notFinite describes the first value in the input that is not finite, on any rank; "" if there is
// none.
func (s *Solver) notFinite(x, b []Vector) (string, error) {
	here := s.notFiniteHere(x, b)
	where, _, err := s.rt.Tell(here != "", here)
	return where, err
}

func (s *Solver) notFiniteHere(x, b []Vector) string {
	name := func(kind, name string, v float64, place string) string {
		return fmt.Sprintf("%s %s holds %g, at %s", kind, name, v, place)
	}
	for _, d := range []struct {
		kind string
		dats []Vector
		read bool
	}{{"the right-hand side", b, true}, {"the first guess", x, s.config.InitialGuess}} {
		for i, p := range s.space {
			if !d.read {
				break
			}
			values, err := entity.Reading[float64](d.dats[i].Data)
			if err != nil {
				return ""
			}
			if k := entity.FindNotFinite(values[:p.Here()]); k >= 0 {
				return name(d.kind, d.dats[i].Name(), values[k], fmt.Sprintf("element %d of %s", p.Set.NumberHere(k/p.Dim), p.Set.Name()))
			}
		}
	}
	if s.operator.Matrix == nil {
		return ""
	}
	for m := range s.operator.Matrix.All {
		if where := s.notFiniteIn(m, name); where != "" {
			return where
		}
	}
	return ""
}

// notFiniteIn describes the first value of a matrix here that is not finite, by a function; "" if
// there is none.
func (s *Solver) notFiniteIn(m *Matrix, name func(kind, name string, v float64, place string) string) string {
	if err := m.Data().Bring(false); err != nil {
		return ""
	}
	sparsity := m.Data().Sparsity()
	p, size := sparsity.Owned(), sparsity.Block().Size()
	i := entity.FindNotFinite(valuesOf(m)[:p.Nonzeros()*size])
	if i < 0 {
		return ""
	}
	block, row := int32(i/size), 0
	for p.RowPtr[row+1] <= block {
		row++
	}
	rows, cols := sparsity.Rows(), sparsity.Cols()
	place := fmt.Sprintf("row %d, column %d of %s", rows.NumberHere(row), cols.NumberHere(int(p.ColIdx[block])), rows.Name())
	if rows != cols {
		place = fmt.Sprintf("row %d of %s, column %d of %s", rows.NumberHere(row), rows.Name(), cols.NumberHere(int(p.ColIdx[block])), cols.Name())
	}
	of := s.operator.Name
	if len(s.space) > 1 {
		of = m.Data().Name()
	}
	return name("the matrix", of, valuesOf(m)[i], place)
}
