package solve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/petsc"
	"github.com/go-op2/op2/internal/store"
)

// Preconditioners of PETSc that take a matrix of blocks as such, MATNEST; others take one of values.
var nestPreconditioners = []string{"none", "jacobi", "fieldsplit"}

// partNumbers are PETSc's numbers of the values of a part: those of this rank follow each other.
type partNumbers struct {
	first int
	of    []int32 // the first value of each element here, with the halo
}

// numbersOf returns PETSc's numbers of values that begin on this rank with first.
func numbersOf(p Part, first int) (n partNumbers, err error) {
	v, err := algebra.NewVector[int32](p.Set, 1, nil, "numbers")
	if err != nil {
		return n, err
	}
	values := entity.Overwriting[int32](v.Data)
	for i := range p.Set.Size() {
		values[i] = int32(first + i*p.Dim)
	}
	n.first = first
	n.of, err = withHalo[int32](v)
	return n, err
}

// number returns PETSc's number of the first row of this rank, which has that many.
func (e *petscEngine) number(library *petsc.Library, rows int) (int, error) {
	if e.on == nil {
		return 0, nil
	}
	return library.Number(e.on, rows)
}

// blocks adds a matrix of blocks to the system: as such, or as one of values where the preconditioner
// needs that.
func (e *petscEngine) blocks(library *petsc.Library, p petsc.Parameters, m *Blocks, system *petsc.System) error {
	in := e.solver.space
	for _, part := range in {
		system.Parts = append(system.Parts, petsc.Part{Rows: part.Here(), Block: part.Dim})
	}
	fields, err := e.solver.config.Split.fields(len(in))
	if err != nil {
		return err
	}
	nested, err := e.nested(library, p)
	if err != nil {
		return err
	}
	if nested {
		err = e.nest(library, m, system)
	} else {
		system.Rows, system.CSR, system.Fill, err = e.whole(library, m, true)
	}
	if err = e.solver.rt.Agree(err); err != nil {
		return err
	}
	return e.addFields(library, fields, system)
}

// nested reports whether PETSc gets the blocks as they are: if the preconditioner works with that,
// unless the option -mat_type says otherwise.
func (e *petscEngine) nested(library *petsc.Library, p petsc.Parameters) (bool, error) {
	kind, err := library.Option(p, "mat_type")
	if err != nil {
		return false, err
	}
	switch kind {
	case "nest", "aij":
		return kind == "nest", nil
	case "":
	default:
		return false, fmt.Errorf("the option -mat_type %s: matrices of blocks are nest or aij", kind)
	}
	preconditioner, err := library.Option(p, "pc_type")
	if err != nil {
		return false, err
	}
	return slices.Contains(nestPreconditioners, cmp.Or(preconditioner, p.Preconditioner)), nil
}

// nest adds the blocks to the system. Those of values on one process stay in their own memory; of
// others, PETSc has a copy.
func (e *petscEngine) nest(library *petsc.Library, m *Blocks, system *petsc.System) error {
	numbers := make([]partNumbers, len(m.Cols))
	for j, p := range m.Cols {
		first, err := e.number(library, p.Here())
		if err == nil {
			numbers[j], err = numbersOf(p, first)
		}
		if err != nil {
			return err
		}
	}
	for i, row := range m.Blocks {
		system.Blocks = append(system.Blocks, make([]petsc.Rows, len(row)))
		for j, b := range row {
			if b == nil {
				continue
			}
			r := petsc.Rows{Rows: m.Rows[i].Here(), Cols: m.Cols[j].Here()}
			if e.on == nil && m.Rows[i].Dim == 1 && m.Cols[j].Dim == 1 {
				pattern := b.Data().Sparsity().Owned()
				if err := b.Data().Bring(false); err != nil {
					return err
				}
				r.CSR = petsc.CSR{RowOffsets: pattern.RowPtr, Columns: pattern.ColIdx, Values: valuesOf(b)}
			} else {
				one := algebra.NewBlock(b)
				layout := algebra.Layout{Rows: r.Rows, First: []int{0}, Cols: [][]int32{numbers[j].of}}
				var err error
				if r.CSR, r.Fill, err = copied(one, layout, numbers[j].first, r.Cols); err != nil {
					return err
				}
			}
			system.Blocks[i][j] = r
		}
	}
	return nil
}

// copied returns a matrix of blocks for PETSc to copy as one of values. Of its columns, this rank has
// some that follow each other.
func copied(m *Blocks, l algebra.Layout, first, own int) (petsc.CSR, func(inside, outside []float64), error) {
	w, err := m.Whole(l)
	if err != nil {
		return petsc.CSR{}, nil, err
	}
	return petsc.CSR{RowOffsets: w.RowPtr, Columns: w.ColIdx}, func(inside, outside []float64) {
		_ = w.Fill(store.Bytes(inside), store.Bytes(outside), int32(first), int32(first+own)) // the values are on the host already
	}, nil
}

// whole returns a matrix of blocks as one of values, for PETSc: one part's rows of this rank after
// another's. With diagonal, all values on the diagonal are in the pattern, as factorizations need.
func (e *petscEngine) whole(library *petsc.Library, m *Blocks, diagonal bool) (rows int, csr petsc.CSR, fill func(inside, outside []float64), err error) {
	for _, p := range m.Rows {
		rows += p.Here()
	}
	first, err := e.number(library, rows)
	if err != nil {
		return rows, csr, nil, err
	}
	l := m.LayoutHere(true)
	at := first
	for j, p := range m.Cols {
		n, err := numbersOf(p, at)
		if err != nil {
			return rows, csr, nil, err
		}
		l.Cols[j] = n.of
		at += p.Here()
	}
	if diagonal {
		l.Diagonal = make([]int32, rows)
		for r := range rows {
			l.Diagonal[r] = int32(first + r)
		}
	}
	csr, fill, err = copied(m, l, first, rows)
	return rows, csr, fill, err
}

// addFields adds the splits to the system.
func (e *petscEngine) addFields(library *petsc.Library, fields [][]int, system *petsc.System) error {
	s := e.solver
	c := &s.config
	for i, parts := range fields {
		for k, p := range parts {
			if p != parts[0]+k {
				return fmt.Errorf("fieldsplit: split %d: with PETSc, the parts of a split follow each other", i)
			}
		}
		f := petsc.Field{First: parts[0], Last: parts[0] + len(parts)}
		own, err := c.split(i)
		if err != nil {
			return err
		}
		in := s.space.some(parts)
		null, err := s.nullSpace(in, own.Null)
		if err != nil {
			return fmt.Errorf("split %d: %w", i, err)
		}
		f.Null = null.values
		if len(own.NearNull) > 0 {
			if len(in) > 1 {
				return fmt.Errorf("split %d: WithNearNullSpace is for splits of one part", i)
			}
			if f.NearNull, err = s.vectors("WithNearNullSpace", in, own.NearNull); err != nil {
				return fmt.Errorf("split %d: %w", i, err)
			}
		}
		system.Fields = append(system.Fields, f)
	}
	if !c.Split.schur() || c.Split.Precondition != "user" {
		return nil
	}
	if c.Split.Matrix == nil {
		return errNoSchurMatrix
	}
	if err := s.space.some(fields[1]).fits(c.Split.Matrix); err != nil {
		return fmt.Errorf("WithSchurMatrix: %w", err)
	}
	e.schur = c.Split.Matrix
	var err error
	r := &system.Schur
	r.Rows, r.CSR, r.Fill, err = e.whole(library, c.Split.Matrix, true)
	r.Cols = r.Rows
	return s.rt.Agree(err)
}

// splitOptions returns the field split's configuration as options of PETSc.
func splitOptions(c *Config, parts int) (string, error) {
	if c.Preconditioner != "fieldsplit" || parts == 1 {
		return "", nil
	}
	var list []string
	set := func(name string, value any) { list = append(list, "-"+name, fmt.Sprint(value)) }
	f := &c.Split
	kind, factors, _ := strings.Cut(f.Kind, "-")
	set("pc_fieldsplit_type", kind)
	if f.schur() {
		set("pc_fieldsplit_schur_fact_type", cmp.Or(factors, "full"))
		precondition := f.Precondition
		if s, err := c.split(1); err == nil && precondition == "a11" && s.Preconditioner == "none" {
			precondition = "self" // which needs no block
		}
		set("pc_fieldsplit_schur_precondition", precondition)
	}
	fields, err := f.fields(parts)
	if err != nil {
		return "", err
	}
	for i := range fields {
		s, err := c.split(i)
		if err != nil {
			return "", err
		}
		switch {
		case s.Preconditioner == "fieldsplit":
			return "", fmt.Errorf("split %d: a field split within another is for the engine native", i)
		case s.Monitor != nil:
			return "", fmt.Errorf("split %d: the monitor of a split is for the engine native\n  hint: -fieldsplit_%d_ksp_monitor prints residuals", i, i)
		}
		canonical(&s.Method, petscNames)
		canonical(&s.Preconditioner, petscNames)
		prefix := fmt.Sprintf("fieldsplit_%d_", i)
		set(prefix+"ksp_type", s.Method)
		set(prefix+"pc_type", s.Preconditioner)
		set(prefix+"ksp_rtol", s.RTol)
		set(prefix+"ksp_atol", s.ATol)
		set(prefix+"ksp_divtol", s.DivTol)
		set(prefix+"ksp_max_it", min(s.MaxIterations, math.MaxInt32))
		if strings.Contains(s.Method, "gmres") {
			set(prefix+"ksp_gmres_restart", min(s.Restart, math.MaxInt32))
		}
	}
	return strings.Join(list, " "), nil
}
