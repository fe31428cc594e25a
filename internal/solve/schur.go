package solve

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/krylov"
)

// schur preconditions two splits by factors of
//
//	A00 A01     1            0   A00 0   1  A00⁻¹ A01
//	A10 A11  =  A10 A00⁻¹    1   0   S   0  1
//
// with the Schur complement S = A11 − A10 A00⁻¹ A01, which the engine of the first split applies by
// solving.
type schur struct {
	engine     *native
	a00, s     *field
	a01, a10   *Blocks
	a11        *Blocks
	inner, out []Vector // of the first split, while the Schur complement is applied
	product    []Vector // of the second, likewise
}

func (e *native) newSchur(fields [][]int) (preconditioner, error) {
	all := e.system.matrix
	p := &schur{engine: e, a01: all.Sub(fields[0], fields[1]), a10: all.Sub(fields[1], fields[0]), a11: all.Sub(fields[1], fields[1])}
	var err error
	a00 := all.Sub(fields[0], fields[0])
	name := fmt.Sprintf("split 0 of %s", e.system.name)
	if p.a00, err = e.newField(0, fields[0], system{name: name, apply: a00.Mul, product: a00, matrix: a00}); err != nil {
		return nil, err
	}
	in := e.space.some(fields[0])
	if p.inner, err = in.newVector("split"); err == nil {
		p.out, err = in.newVector("split")
	}
	if err == nil {
		p.product, err = e.space.some(fields[1]).newVector("split")
	}
	if err != nil {
		return nil, err
	}
	of := system{name: fmt.Sprintf("split 1 of %s, the Schur complement", e.system.name), apply: p.complement}
	switch f := &e.config.Split; f.Precondition {
	case "a11":
		of.matrix = p.a11
	case "user":
		if of.matrix = f.Matrix; of.matrix == nil {
			return nil, errNoSchurMatrix
		}
		if err := e.space.some(fields[1]).fits(of.matrix); err != nil {
			return nil, fmt.Errorf("WithSchurMatrix: %w", err)
		}
	case "selfp":
		if of.scalar, err = newSelfP(e.space, fields, a00, p.a01, p.a10, p.a11); err != nil {
			return nil, err
		}
	}
	p.s, err = e.newField(1, fields[1], of)
	return p, err
}

var errNoSchurMatrix = errors.New("fieldsplit: there is no matrix to precondition the Schur complement with\n  hint: WithSchurMatrix")

// fits returns an error unless a matrix is square on the space.
func (s space) fits(m *Blocks) error {
	if len(m.Blocks) != len(s) {
		return fmt.Errorf("it has %d by %d blocks, the split has %d parts", len(m.Blocks), len(m.Blocks), len(s))
	}
	for i, row := range m.Blocks {
		for j, b := range row {
			if b == nil {
				continue
			}
			of, r, c := b.Data().Sparsity(), s[i], s[j]
			if of.Rows() != r.Set || of.Block().Rows != r.Dim || of.Cols() != c.Set || of.Block().Cols != c.Dim {
				return fmt.Errorf("%s has rows on %s with dim %d and columns on %s with dim %d, the split has %s with dim %d and %s with dim %d", b.Data().Name(),
					of.Rows().Besides(r.Set), of.Block().Rows, of.Cols().Besides(c.Set), of.Block().Cols, r.Set.Besides(of.Rows()), r.Dim, c.Set.Besides(of.Cols()), c.Dim)
			}
		}
	}
	return nil
}

// complement sets y to the Schur complement times x.
func (p *schur) complement(y, x []Vector) error {
	if err := p.a01.Mul(p.inner, x); err != nil {
		return err
	}
	if err := p.a00.solve(p.out, p.inner); err != nil {
		return err
	}
	if err := p.a10.Mul(y, p.out); err != nil {
		return err
	}
	if p.a11.Empty() {
		return scale(y, -1)
	}
	if err := p.a11.Mul(p.product, x); err != nil {
		return err
	}
	return subtractFrom(p.product, y)
}

func (p *schur) update(keep bool) error {
	if err := p.a00.update(keep); err != nil {
		return err
	}
	return p.s.update(keep)
}

func (p *schur) apply(z, r krylov.Vector) error {
	to, from := p.engine.dats(z), p.engine.dats(r)
	z0, z1, r0, r1 := p.a00.of(to), p.s.of(to), p.a00.of(from), p.s.of(from)
	switch p.engine.config.Split.Kind {
	case "schur-diag":
		if err := p.a00.solve(z0, r0); err != nil {
			return err
		}
		if err := p.s.solve(z1, r1); err != nil {
			return err
		}
		return scale(z1, -1) // so that it is positive definite for saddle points
	case "schur-upper":
		if err := p.s.solve(z1, r1); err != nil {
			return err
		}
		return p.a00.solveLess(p.a01, z0, z1, r0)
	}
	if err := p.a00.solve(z0, r0); err != nil {
		return err
	}
	if err := p.s.solveLess(p.a10, z1, z0, r1); err != nil || p.engine.config.Split.Kind == "schur-lower" {
		return err
	}
	return p.a00.solveLess(p.a01, z0, z1, r0)
}
