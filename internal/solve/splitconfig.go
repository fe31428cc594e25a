package solve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sorting"
)

// schur reports whether the splits are two, with a Schur complement.
func (f *FieldSplit) schur() bool { return strings.HasPrefix(f.Kind, "schur") }

// fields returns the parts of each split, of unknowns with that many parts.
func (f *FieldSplit) fields(parts int) ([][]int, error) {
	fields := f.Fields
	if fields == nil {
		for p := range parts {
			fields = append(fields, []int{p})
		}
	}
	seen := make([]bool, parts)
	fields = slices.Clone(fields)
	for i, of := range fields {
		fields[i] = sorting.Sorted(of, cmp.Compare)
		if len(of) == 0 {
			return nil, fmt.Errorf("fieldsplit: split %d has no part", i)
		}
		for _, p := range of {
			switch {
			case p < 0 || p >= parts:
				return nil, fmt.Errorf("fieldsplit: split %d: there is no part %d: the unknowns have %s, numbered from 0", i, p, problem.Count(parts, "part"))
			case seen[p]:
				return nil, fmt.Errorf("fieldsplit: split %d: part %d is in two splits", i, p)
			}
			seen[p] = true
		}
	}
	if p := slices.Index(seen, false); p >= 0 {
		return nil, fmt.Errorf("fieldsplit: part %d is in no split", p)
	}
	if f.schur() && len(fields) != 2 {
		return nil, fmt.Errorf("fieldsplit: a Schur complement needs two splits, there are %d\n  hint: WithFields groups the parts", len(fields))
	}
	for _, o := range f.Options {
		if o.Split < 0 || o.Split >= len(fields) {
			return nil, fmt.Errorf("WithSplit: there is no split %d: there are %s, numbered from 0", o.Split, problem.Count(len(fields), "split"))
		}
	}
	return fields, nil
}

// split returns the configuration of a split's solver. Its defaults are PETSc's, but for the
// preconditioner.
func (c *Config) split(i int) (Config, error) {
	s := Defaults()
	s.Engine, s.Method, s.RTol = c.Engine, "preonly", 1e-5
	if c.Split.schur() {
		s.Method = "gmres"
	}
	for _, o := range c.Split.Options {
		if o.Split == i {
			o.Apply(&s)
		}
	}
	if s.Engine != c.Engine || s.PETSc != "" {
		return s, fmt.Errorf("split %d has the engine of the solver, and no options of PETSc by itself\n  hint: the solver's WithPETScOptions take -fieldsplit_%d_ksp_type and so on", i, i)
	}
	if s.InitialGuess {
		return s, fmt.Errorf("split %d: the solver of a split starts from zero: WithInitialGuess is for the whole", i)
	}
	if err := s.Check(); err != nil {
		return s, problem.In(fmt.Sprintf("split %d", i), err)
	}
	return s, nil
}
