package bind

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// place checks that all arguments are reachable from the set.
func place(c Call) error {
	if n := len(c.Args); n > loop.MaxArgs {
		given := "arguments"
		if n > entity.Ordinal(c.Args, n-1) {
			given = "arguments, with the parts of mixed ones,"
		}
		return &problem.ShapeError{What: c.What,
			Msg:  fmt.Sprintf("%d %s were given, a loop has at most %d", n, given, loop.MaxArgs),
			Hint: "pass all targets of a map at once, or join dats of one set"}
	}
	for i, a := range c.Args {
		if err := c.argumentReached(i, a); err != nil {
			return err
		}
	}
	return c.missingReached()
}

// alone returns the call with an argument of the program, given its place, as the only one.
func (c *Call) alone(a entity.Arg, before int) Call {
	return Call{Runtime: c.Runtime, Over: c.Over, Args: entity.Expand([]entity.Arg{a}), What: c.What, before: before}
}

// missingReached checks what is left out as if it were not.
func (c *Call) missingReached() error {
	for _, a := range c.Missing {
		if of := *a.LeftOut; !of.Unknown() {
			if err := place(c.alone(of, a.Component)); err != nil {
				return err
			}
		}
	}
	return nil
}

// argumentReached checks that argument i is reachable from the set.
func (c *Call) argumentReached(i int, a entity.Arg) error {
	bad := func(msg, hint string) error { return c.wrong(i, msg, hint) }
	if err := a.CheckDeclared(c.argument(i)); err != nil {
		return err
	}
	switch {
	case a.Fault == entity.Misfit:
		return bad(a.Part.Of.Problem, a.Part.Of.Hint)
	case a.Fault != entity.Sound:
		return bad(a.Fault.String(), "")
	case a.Kind == loop.Index:
		return nil
	case a.Data == nil:
		return bad("it is empty", "arguments are made by the methods of dats and globals, as q.Read()")
	case !a.Data.Combines(a.Access):
		return bad(a.Data.NotCombined(a.Access))
	case a.Data.Runtime() != c.Runtime:
		return bad(fmt.Sprintf("%s belongs to %s; %s to %s", a.Data.Name(), a.Data.Runtime().Besides(c.Runtime), c.Over.Set.Name(), c.Runtime.Besides(a.Data.Runtime())), "declare all that a loop uses on one runtime")
	case a.Kind == loop.Global:
		return nil
	}
	if a.Kind == loop.Mat {
		return c.matReached(a, bad)
	}
	if msg, hint := a.Fits(c.Over.Layers); msg != "" {
		return bad(msg, hint)
	}
	if a.Map == nil {
		if a.Data.Set() != c.Over.Set {
			hint := fmt.Sprintf("pass it through a map from %s to %s", c.Over.Set.Name(), a.Data.Set().Name())
			if c.Over.Set.Name() == a.Data.Set().Name() {
				hint = "what belongs together is declared on one set"
			}
			return bad(fmt.Sprintf("%s is on %s, the loop is over %s", a.Data.Name(), a.Data.Set().Besides(c.Over.Set), c.Over.Besides(a.Data.Set())), hint)
		}
		return nil
	}
	switch {
	case a.Map.From() != c.Over.Set:
		return bad(fmt.Sprintf("%s leads from %s, the loop is over %s", a.Map.Name(), a.Map.From().Besides(c.Over.Set), c.Over.Besides(a.Map.From())), "")
	case a.Map.To() != a.Data.Set():
		return bad(fmt.Sprintf("%s leads to %s, %s is on %s", a.Map.Name(), a.Map.To().Besides(a.Data.Set()), a.Data.Name(), a.Data.Set().Besides(a.Map.To())), "")
	case a.Map.IsMasked():
		return bad(fmt.Sprintf("some elements have no target in %s: it is a masked map", a.Map.Name()), "mats take masked maps; for others, declare a map with a target for each element, and run over a subset")
	case a.Map.Varies() && a.Component != loop.All:
		return bad(fmt.Sprintf("%s has rows of different lengths", a.Map.Name()), "pass all of a row: the kernel gets a slice")
	case a.Component != loop.All && (a.Component < 0 || a.Component >= a.Map.Arity()):
		return bad(fmt.Sprintf("%s has %s", a.Map.Name(), problem.ComponentRange(a.Map.Arity())), "")
	}
	return nil
}

// matReached checks that a mat's maps lead from the set to its rows and columns.
func (c *Call) matReached(a entity.Arg, bad func(msg, hint string) error) error {
	if err := a.Unrollable(bad); err != nil {
		return err
	}
	for _, side := range a.Sides() {
		if msg, hint := side.Fits(c.Over.Layers); msg != "" {
			return bad(msg, hint)
		}
	}
	s := a.Data.Sparsity()
	for _, m := range []*entity.Map{a.Map, a.Cols} {
		if m.From() != c.Over.Set {
			return bad(fmt.Sprintf("%s leads from %s, the loop is over %s", m.Name(), m.From().Besides(c.Over.Set), c.Over.Besides(m.From())), "")
		}
		if c.Over.Layers.Of != nil && !m.IsStacked() {
			return bad(fmt.Sprintf("%s has rows of different lengths, or leaves out components, which loops over layers do not take", m.Name()), "")
		}
	}
	switch {
	case a.Map.To() != s.Rows():
		return bad(fmt.Sprintf("%s leads to %s, the rows of %s are %s", a.Map.Name(), a.Map.To().Besides(s.Rows()), a.Data.Name(), s.Rows().Besides(a.Map.To())), "")
	case a.Cols.To() != s.Cols():
		return bad(fmt.Sprintf("%s leads to %s, the columns of %s are %s", a.Cols.Name(), a.Cols.To().Besides(s.Cols()), a.Data.Name(), s.Cols().Besides(a.Cols.To())), "")
	case !s.Has(a.Map, a.Cols):
		return bad(fmt.Sprintf("the sparsity %s lacks nonzeros of %s by %s", s.Place(), a.Map.Name(), a.Cols.Name()), "give NewSparsity that pair, too; that of NewSquareSparsity is a map by itself")
	}
	return nil
}
