// Package lanes decides whether a kernel runs in packs of elements, and finds out which of its values
// differ from element to element.
//
// A pack is a batch of elements in vector registers: LANES of them. Where it pays off, the kernel is
// printed a second time, with vectors of one value of each element of a pack, and the loop over a range
// runs packs before the rest (R. Karrenberg and S. Hack, "Whole-function vectorization", CGO 2011). A
// pack's input is gathered by rows and transposed in registers; its output is transposed back and stored
// element by element, in order, so that elements of a pack may share targets.
//
// Not every value of a kernel differs from element to element: loop counters and values computed
// from consts alone remain scalars. Where elements of a pack take different paths, all of them take
// both, under masks that say for which elements an assignment counts (masks.go of package ckernel).
package lanes

import (
	"slices"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
)

// Lanes describes a kernel that runs on packs: which of its values differ from element to element,
// and which statements depend on such values. Nil describes one that runs for one element: nothing
// differs.
type Lanes struct {
	in    codegen.Input
	forms bool
	costs facts.Costs

	varying map[*kernel.Var]bool
	results map[*kernel.Func][]bool        // whether they vary
	split   map[kernel.Stmt]bool           // If, For, Switch: elements take different paths
	leaves  map[*kernel.Func]bool          // some elements return before others
	masked  map[*kernel.Func]bool          // called for some elements only, and has side effects
	home    map[*kernel.Var]Region         // the region of the declaration
	chains  map[*kernel.Switch]*kernel.If  // a split switch
	tags    map[*kernel.Switch]*kernel.Var // the variable that holds its tag, if there is one
	within  map[kernel.Stmt]Region         // the region of a loop's or switch's body
	counted map[*kernel.Var]span           // counters, and their values

	fn      *kernel.Func
	changed bool
	refused string // why it cannot run on packs, in a few words
	size    int    // in bytes, of the largest values that vary
}

// Region is a part of a function that some elements of a pack may skip: a branch of a split
// statement. The zero region is the function itself.
type Region struct {
	of     kernel.Stmt
	branch int
}

// BranchOf returns the region of a branch of a split statement.
func BranchOf(s kernel.Stmt, branch int) Region { return Region{s, branch} }

// IsOf reports whether r is a branch of s.
func (r Region) IsOf(s kernel.Stmt) bool { return r.of == s }

// Largest returns the size of the largest values that vary, in bytes.
func (l *Lanes) Largest() int { return l.size }

// Varies reports whether v has a value for each element. All floats do: they are what packs are
// for.
func (l *Lanes) Varies(v *kernel.Var) bool {
	return l != nil && (l.varying[v] || kernel.Leaf(v.Type).Float())
}

// Each reports whether e has a value for each element.
func (l *Lanes) Each(e kernel.Expr) bool {
	switch e := e.(type) {
	case *kernel.Ref:
		return l.Varies(e.Var)
	case *kernel.Call:
		return len(e.Func.Results) == 1 && l.Result(e.Func, 0)
	case *kernel.Select, *kernel.Opaque: // of consts, and refused
		return false
	}
	return l != nil && slices.ContainsFunc(kernel.Operands(e), l.Each)
}

// Result reports whether result i of f has a value for each element.
func (l *Lanes) Result(f *kernel.Func, i int) bool {
	return l != nil && (l.results[f][i] || kernel.Leaf(f.Results[i]).Float())
}

// Splits reports whether elements take different paths at s.
func (l *Lanes) Splits(s kernel.Stmt) bool { return l != nil && l.split[s] }

// Leave reports whether some elements return from f before others.
func (l *Lanes) Leave(f *kernel.Func) bool { return l != nil && l.leaves[f] }

// Masks reports whether f is called for some elements only, and has side effects.
func (l *Lanes) Masks(f *kernel.Func) bool { return l != nil && l.masked[f] }

// HomeOf returns the region in which v is declared.
func (l *Lanes) HomeOf(v *kernel.Var) Region { return l.home[v] }

// Ifs returns a switch in which elements take different cases as ifs, and the variable for its tag if
// that needs one; nil if it has no cases.
func (l *Lanes) Ifs(s *kernel.Switch) (*kernel.If, *kernel.Var) { return l.chains[s], l.tags[s] }

// Declare adds a variable of the generated source, which varies or not.
func (l *Lanes) Declare(v *kernel.Var, varies bool) { l.varying[v] = varies }

// refuse records why packs are not possible, if that is so and nothing was recorded before.
func (l *Lanes) refuse(is bool, why string) {
	if is && l.refused == "" {
		l.refused = why
	}
}

// span is the values from first to last.
type span struct{ first, last int64 }
