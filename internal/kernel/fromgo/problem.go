package fromgo

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/spell"
)

// maxProblems limits the number of problems in an error: more would only hide the first.
const maxProblems = 10

// sorted returns the problems in order of position, one per place.
func (b *builder) sorted() []kernel.Problem {
	sorting.By(b.problems, func(x, y kernel.Problem) int {
		home := func(p kernel.Problem) int {
			if p.Pos.File == b.file {
				return 0
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(home(x), home(y)),
			cmp.Compare(x.Pos.File, y.Pos.File),
			kernel.ByPlace(x, y),
		)
	})
	list := slices.CompactFunc(b.problems, func(x, y kernel.Problem) bool {
		return x.Pos == y.Pos
	})
	if len(list) > maxProblems {
		list = list[:maxProblems]
	}
	return list
}

func (b *builder) syntaxErrors() {
	for _, list := range b.syntax {
		for _, e := range list {
			pos := kernel.Pos{File: e.Pos.Filename, Line: e.Pos.Line, Col: e.Pos.Column}
			if pos.File == sourceName(b.home) && b.file != "" {
				pos.File = b.file
			}
			b.problems = append(b.problems, kernel.Problem{Pos: pos, Msg: "syntax error: " + e.Msg})
		}
	}
}

// typeErrors adds the type checker's errors in the declarations that the kernel reaches.
func (b *builder) typeErrors(r *reach) {
	for _, e := range b.errs {
		if strings.HasPrefix(e.Msg, "\t") { // belongs to the previous one
			continue
		}
		if strings.HasPrefix(e.Msg, "undefined: fmt.") { // refused as not available
			continue
		}
		for _, n := range r.nodes {
			if n.Pos() <= e.Pos && e.Pos < n.End() {
				b.typeError(e)
				break
			}
		}
	}
}

func (b *builder) typeError(e types.Error) {
	msg, hint := strings.TrimSuffix(strings.ReplaceAll(e.Msg, "\n\t", ", "), ":"), ""
	if name, ok := strings.CutPrefix(msg, "undefined: "); ok {
		hint = b.undefined(name, e.Pos)
	}
	b.problem(e.Pos, hint, "%s", msg)
}

// undefined returns the hint for an undeclared name.
func (b *builder) undefined(name string, pos token.Pos) string {
	if name, ok := strings.CutPrefix(name, "math."); ok {
		if s := spell.Nearest(name, mathPackage().Scope().Names()); s != "" {
			return "did you mean math." + s + "?"
		}
		return "package math has no " + name
	}
	if pkg, _, ok := strings.Cut(name, "."); ok {
		return "let package " + pkg + " embed the file that declares it, too, for op2.ExportSource"
	}
	if o := b.otherAt(pos); o != nil {
		return "let package " + o.pkg.Name() + " embed the file that declares it, too, for op2.ExportSource"
	}
	var names []string
	for s := b.pkg.Scope().Innermost(pos); s != nil; s = s.Parent() {
		names = append(names, s.Names()...)
	}
	return cmp.Or(spell.Question(name, names), "give the source of the file that declares "+name+" to op2.Kernels as well")
}
