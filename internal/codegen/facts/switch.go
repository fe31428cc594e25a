package facts

import (
	"go/constant"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// FallsThrough reports whether a case of a switch falls through.
func FallsThrough(s *kernel.Switch) bool {
	return slices.ContainsFunc(s.Cases, func(c *kernel.Case) bool { return c.Fallthrough })
}

// Tag returns the tag of a switch, which is evaluated once: a variable that is not changed before a case is
// chosen, or else a new one.
func Tag(s *kernel.Switch) (tag kernel.Expr, new *kernel.Var) {
	if s.Tag == nil || kernel.Is[*kernel.Ref](s.Tag) {
		return s.Tag, nil
	}
	new = &kernel.Var{Name: "tag", Type: s.Tag.Type()}
	return kernel.NewRef(new, s.Tag.Pos()), new
}

// CaseCond returns the condition for a case of a switch with that tag; nil for one without values.
func CaseCond(tag kernel.Expr, c *kernel.Case) (cond kernel.Expr) {
	for _, v := range c.Values {
		at := kernel.At{T: BoolType, At: v.Pos()}
		if tag != nil {
			v = &kernel.Binary{At: at, Op: kernel.Eq, X: tag, Y: v}
		}
		if cond != nil {
			v = &kernel.Binary{At: at, Op: kernel.LOr, X: cond, Y: v}
		}
		cond = v
	}
	return cond
}

// Ifs returns a switch with that tag, in which no case falls through, as ifs; nil if it has no cases.
func Ifs(s *kernel.Switch, tag kernel.Expr) (first *kernel.If) {
	var last *kernel.If
	var otherwise *kernel.Block
	for _, c := range s.Cases {
		if c.Default { // in C, it may also have values
			otherwise = c.Body
			continue
		}
		next := &kernel.If{Cond: CaseCond(tag, c), Then: c.Body, Pos: s.Pos}
		if last == nil {
			first = next
		} else {
			last.Else = next
		}
		last = next
	}
	switch {
	case otherwise == nil:
	case last == nil:
		first = &kernel.If{Cond: kernel.NewLit(constant.MakeBool(true), BoolType, s.Pos), Then: otherwise, Pos: s.Pos}
	default:
		last.Else = otherwise
	}
	return first
}
