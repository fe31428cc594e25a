package codegen

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// Packs of elements: where it pays off, the kernel is printed a second time on vectors that hold
// one value of each of LANES elements, and the loop over a range takes packs of that many elements
// before the rest. A pack's input is gathered by rows and transposed in registers; its output is
// transposed back and stored element by element, in order, so that elements of a pack may share
// targets.
//
// Not every value of a kernel differs from element to element: loop counters and values computed
// from consts alone remain scalars. Where elements of a pack take different paths, all of them take
// both, under masks that say for which elements an assignment counts (masks.go).

// lanes describes a kernel that runs on packs: which of its values differ from element to element,
// and which statements depend on such values.
type lanes struct {
	in    Input
	costs costs

	varying map[*kernel.Var]bool
	results map[*kernel.Func][]bool        // whether they vary
	split   map[kernel.Stmt]bool           // If, For, Switch: elements take different paths
	leaves  map[*kernel.Func]bool          // some elements return before others
	masked  map[*kernel.Func]bool          // called for some elements only, and has side effects
	home    map[*kernel.Var]region         // the region of the declaration
	chains  map[*kernel.Switch]*kernel.If  // a split switch
	tags    map[*kernel.Switch]*kernel.Var // the variable that holds its tag, if there is one
	within  map[kernel.Stmt]region         // the region of a loop's or switch's body
	counted map[*kernel.Var]span           // counters, and their values

	fn      *kernel.Func
	changed bool
	refused string // why it cannot run on packs, in a few words
	size    int    // in bytes, of the largest values that vary
}

// region is a part of a function that some elements of a pack may skip: a branch of a split
// statement. The zero region is the function itself.
type region struct {
	of     kernel.Stmt
	branch int
}

// varies reports whether v has a value for each element. All floats do: they are what packs are
// for.
func (l *lanes) varies(v *kernel.Var) bool {
	return l.varying[v] || kernel.Leaf(v.Type).Float()
}

// each reports whether e has a value for each element.
func (l *lanes) each(e kernel.Expr) bool {
	any := func(list []kernel.Expr) bool { return slices.ContainsFunc(list, l.each) }
	switch e := e.(type) {
	case *kernel.Ref:
		return l.varies(e.Var)
	case *kernel.Index:
		return l.each(e.X) || l.each(e.I)
	case *kernel.Deref:
		return l.each(e.X)
	case *kernel.AddrOf:
		return l.each(e.X)
	case *kernel.Unary:
		return l.each(e.X)
	case *kernel.Binary:
		return l.each(e.X) || l.each(e.Y)
	case *kernel.Convert:
		return l.each(e.X)
	case *kernel.Call:
		return len(e.Func.Results) == 1 && l.result(e.Func, 0)
	case *kernel.Math:
		return any(e.Args)
	case *kernel.Composite:
		return any(e.Elems)
	}
	return false
}

// result reports whether result i of f has a value for each element.
func (l *lanes) result(f *kernel.Func, i int) bool {
	return l.results[f][i] || kernel.Leaf(f.Results[i]).Float()
}

// refuse records why packs are not possible, if that is so and nothing was recorded before.
func (l *lanes) refuse(is bool, why string) {
	if is && l.refused == "" {
		l.refused = why
	}
}

// span is the values from first to last.
type span struct{ first, last int64 }
