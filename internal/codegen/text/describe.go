package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Describe writes a comment for each of the kernel's parameters.
func Describe(w *Writer, l *loop.Loop, params []lower.Param) {
	for _, p := range params {
		for _, part := range p.Parts {
			w.Line("//   %-8s %s", p.Var.Name, describeArg(l, l.Args[part.Arg]))
		}
	}
}

func describeArg(l *loop.Loop, a loop.Arg) string {
	if a.Kind == loop.Index && a.Data >= 0 {
		if a.Counts > 0 {
			return fmt.Sprintf("the length of the element's row, from a table of %s", l.Data[a.Data].Type)
		}
		return fmt.Sprintf("the element's number, from a table of %s", l.Data[a.Data].Type)
	}
	if a.Kind == loop.Index {
		return "the element's number"
	}
	if a.Kind == loop.Mat {
		return describeMat(l, a)
	}
	s := fmt.Sprintf("%s %s of %d %s", a.Access, a.Kind, l.Dim(a), l.Type(a))
	if d := l.Data[a.Data]; d.Value != nil {
		s = fmt.Sprintf("%s %s of %d %s, stored as %d %s", a.Access, a.Kind, l.Dim(a)/d.Words(), d.Value, l.Dim(a), d.Type)
	}
	if a.Single > 0 {
		s += fmt.Sprintf(", value %d of %d", a.Single-1, l.Data[a.Data].Dim/l.Data[a.Data].Words())
	}
	switch {
	case a.Map == loop.Direct && a.Levels > 0:
	case a.WholeMap():
		s += fmt.Sprintf(", through all %d of map %d", l.Arity(a), a.Map)
	case a.Indirect():
		s += fmt.Sprintf(", through map %d[%d]", a.Map, a.Component)
	}
	if a.Levels > 0 {
		s += fmt.Sprintf(", in columns of %d, at levels %d by %d", l.Data[a.Data].Column, l.LevelsOf(a).First, l.LevelsOf(a).Step)
	}
	return s
}

// describeMat describes argument a, a mat, in words.
func describeMat(l *loop.Loop, a loop.Arg) string {
	rows, cols := l.Local(a)
	how := "by table"
	if l.Nonzeros[a.Nonzeros].Search {
		how = "by search"
	}
	return fmt.Sprintf("%s mat of %s, %d by %d of an element, through maps %d and %d %s", a.Access, l.Type(a), rows, cols, a.Map, a.ColMap, how)
}

// DataName returns the common part of the names of the parameters for data d; for a table of numbers
// a name after that.
func DataName(l *loop.Loop, params []lower.Param, d int) string {
	common, suffix := "", ""
	if d == l.Layers.Bounds-1 {
		return "bounds"
	}
	if slices.ContainsFunc(l.Args, func(a loop.Arg) bool { return a.Kind == loop.Index && a.Data == d }) {
		suffix = "_numbers"
	}
	for _, p := range params {
		if !slices.ContainsFunc(p.Parts, func(part lower.Part) bool { return l.Args[part.Arg].Data == d }) {
			continue
		}
		if common == "" {
			common = p.Var.Name
		}
		common = commonPrefix(common, p.Var.Name)
		if common == "" {
			common = p.Var.Name
			break
		}
	}
	return strings.TrimRight(common, "_") + suffix
}

// commonPrefix returns the longest common beginning of two names.
func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
