package op2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/store"
)

// Mul sets y to the matrix–vector product with x. x is on the set of the columns, with as many
// values per element as blocks have columns, y likewise on that of the rows; of several parts, they are mixed dats.
// They must be different dats. It runs on all threads of the runtime, compiled where loops are, and the result does not
// depend on the number of threads.
func (m *Mat[T]) Mul(y, x Vector[T]) error {
	return m.multiply("Mul", (*algebra.BlockMatrix).Mul, y, m.matrix().Rows, x, m.matrix().Cols)
}

// MulTranspose sets y to the product of the transposed matrix with x: x is on the set of the rows,
// y on that of the columns. The first call builds a transposed pattern, which the sparsity keeps,
// of 8 bytes for each block.
func (m *Mat[T]) MulTranspose(y, x Vector[T]) error {
	return m.multiply("MulTranspose", (*algebra.BlockMatrix).MulTranspose, y, m.matrix().Cols, x, m.matrix().Rows)
}

// multiply sets y to a product of the matrix, or its transpose, with x.
func (m *Mat[T]) multiply(operation string, f func(m *algebra.BlockMatrix, y, x []algebra.Vector) error, y Vector[T], yParts []algebra.Part, x Vector[T], xParts []algebra.Part) error {
	return m.operate(func() (run.Task, error) {
		to, of, err := m.product(operation, y, yParts, x, xParts)
		return run.Task{What: operation,
			Uses: func() run.Uses {
				return run.Uses{Reads: append(m.matrix().Data(), algebra.DataOf(of)...), Replaces: algebra.DataOf(to)}
			},
			Do: func() error { return f(m.matrix(), to, of) }}, err
	})
}

// product returns the parts of the vectors of a product, if they fit.
func (m *Mat[T]) product(operation string, y Vector[T], yParts []algebra.Part, x Vector[T], xParts []algebra.Part) (to, of []algebra.Vector, err error) {
	what := "mat " + m.Name()
	if to, err = algebra.FitParts(y, what, operation+" into "+nameOf(y, "the product"), yParts); err != nil {
		return nil, nil, err
	}
	if of, err = algebra.FitParts(x, what, operation+" of "+nameOf(x, "the factor"), xParts); err != nil {
		return nil, nil, err
	}
	for i := range of {
		if slices.Contains(to, of[i]) {
			return nil, nil, fmt.Errorf("op2: %s: %s: %s is both the factor and the product", what, operation, of[i].Name())
		}
	}
	return to, of, nil
}

// ZeroRows sets the rows of a subset's elements, of all elements of a set, or of layers of columns, to zero and their
// diagonal to the given value, as for fixed values on a boundary. The pattern does not change. With
// components, only those rows of each element are affected, otherwise all. If the rows have several parts, they are
// those of the part on the set.
//
// A diagonal value other than 0 requires a matrix whose rows and columns are the same set.
//
// The columns are not changed, so that a symmetric matrix becomes unsymmetric: cg may not converge,
// and cholesky refuses it. [NewDirichlet] preserves symmetry.
func (m *Mat[T]) ZeroRows(rows IterationSet, diagonal T, components ...int) error {
	components = slices.Clone(components)
	return m.operate(func() (run.Task, error) {
		part, err := m.checkRows("ZeroRows", rows, components)
		if err == nil && diagonal != 0 {
			_, err = m.matrix().OnDiagonal("ZeroRows with a diagonal", part)
		}
		return run.Task{What: "ZeroRows",
			Uses: func() run.Uses { return run.Uses{Changes: m.matrix().Data()} },
			Do:   func() error { return m.zeroRows(part, rows, diagonal, components) }}, err
	})
}

func (m *Mat[T]) zeroRows(part int, rows IterationSet, diagonal T, components []int) error {
	for j, b := range m.matrix().Blocks[part] {
		if b == nil {
			continue
		}
		var on []byte
		if diagonal != 0 && j == part {
			on = store.Bytes([]T{diagonal})
		}
		if err := b.ZeroRows(iteration(rows), on, components); err != nil {
			return err
		}
	}
	return nil
}

// checkRows returns the part of the rows on the set of the elements, and checks that the components exist.
func (m *Mat[T]) checkRows(operation string, rows IterationSet, components []int) (part int, err error) {
	set := iteration(rows).FlatSet()
	what := fmt.Sprintf("mat %s: %s", m.Name(), operation)
	if set == nil {
		return 0, fmt.Errorf("op2: %s: the set is nil", what)
	}
	if why := iteration(rows).Layers.NotElements(); why != "" {
		return 0, fmt.Errorf("op2: %s: %s", what, why)
	}
	if err := entity.CheckDeclared(what, set.Runtime()); err != nil {
		return 0, err
	}
	part = -1
	var names []string
	for i, p := range m.matrix().Rows {
		names = append(names, p.Set.Besides(set))
		if p.Set != set {
			continue
		}
		if part >= 0 {
			return 0, &problem.ShapeError{What: what, Msg: fmt.Sprintf("parts %d and %d of the rows are on %s", part, i, set.Name()), Hint: "Mat.Block has those of one part"}
		}
		part = i
	}
	if part < 0 {
		return 0, &problem.ShapeError{What: what, Msg: fmt.Sprintf("the rows are %s, elements of %s were given", strings.Join(names, ", "), set.Besides(m.matrix().Rows[0].Set))}
	}
	dim := m.matrix().Rows[part].Dim
	for _, c := range components {
		if c < 0 || c >= dim {
			return 0, &problem.ShapeError{What: what, Msg: fmt.Sprintf("the rows of an element have %s, not %d", problem.ComponentRange(dim), c)}
		}
	}
	return part, nil
}

// Diagonal copies the diagonal to a dat, on the set of the rows with as many values per element as
// blocks have rows. Parts whose block on the diagonal is absent get zeros.
func (m *Mat[T]) Diagonal(to Vector[T]) error {
	return m.onDiagonal("Diagonal", (*algebra.Matrix).Diagonal, to, algebra.Vector.Zero)
}

// SetDiagonal sets the diagonal to the values of a dat as for [Mat.Diagonal]; no block on it may be absent.
func (m *Mat[T]) SetDiagonal(from Vector[T]) error {
	return m.onDiagonal("SetDiagonal", (*algebra.Matrix).SetDiagonal, from, nil)
}

// AddToDiagonal adds the values of a dat as for [Mat.SetDiagonal] to the diagonal.
func (m *Mat[T]) AddToDiagonal(d Vector[T]) error {
	return m.onDiagonal("AddToDiagonal", (*algebra.Matrix).AddToDiagonal, d, nil)
}

// onDiagonal calls f with each block on the diagonal and the part of d that fits it, and absent, if there is one, with
// the parts without a block.
func (m *Mat[T]) onDiagonal(operation string, f func(*algebra.Matrix, algebra.Vector) error, d Vector[T], absent func(algebra.Vector) error) error {
	return m.operate(func() (run.Task, error) {
		for i, row := range m.matrix().Blocks {
			if absent != nil && (i >= len(row) || row[i] == nil) {
				continue
			}
			if _, err := m.matrix().OnDiagonal(operation, i); err != nil {
				return run.Task{}, err
			}
		}
		parts, err := algebra.FitParts(d, "mat "+m.Name(), operation, m.matrix().Rows)
		return run.Task{What: operation,
			Uses: func() run.Uses {
				return run.Uses{Changes: append(m.matrix().Data(), algebra.DataOf(parts)...)}
			},
			Do: func() error {
				for i, row := range m.matrix().Blocks {
					var err error
					if i >= len(row) || row[i] == nil {
						err = absent(parts[i])
					} else {
						err = f(row[i], parts[i])
					}
					if err != nil {
						return err
					}
				}
				return nil
			}}, err
	})
}
