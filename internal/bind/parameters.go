package bind

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// shapes returns the shapes of the values behind each parameter.
func (b *Binding) shapes() []kernel.Shape {
	shapes := make([]kernel.Shape, b.Loop.Params())
	for i, a := range b.Loop.Args {
		shape, at := kernel.ShapeOf(b.Loop, a), b.Loop.Param(i)
		if !a.Part() {
			shapes[at] = shape
			continue
		}
		parts := append(shapes[at].Parts, kernel.Part{Name: b.Args[i].Data.Name(), Shape: shape})
		shapes[at] = kernel.Shape{Rows: a.Rows, Cols: a.Cols / b.Loop.Data[a.Data].Words(), Matrix: shape.Matrix, Value: shape.Value, Parts: parts}
	}
	return shapes
}

// single passes a single component instead of a whole map of arity 1, if the kernel takes *[2]T
// rather than *[1][2]T. It reports whether there is such an argument.
func (b *Binding) single() bool {
	ir := b.Kernel
	params, found := ir.Entry().Params, false
	if len(params) != b.Loop.Params() {
		return false
	}
	for i := range b.Loop.Args {
		a := &b.Loop.Args[i]
		if a.Kind != loop.Dat || !a.WholeMap() || a.Part() || b.Loop.Arity(*a) != 1 {
			continue
		}
		shape := kernel.ShapeOf(b.Loop, *a)
		param, scalar := params[b.Loop.Param(i)], b.Loop.Type(*a)
		if !ir.Takes(param, shape, true, scalar) && ir.Takes(param, shape, false, scalar) {
			a.Component, b.Args[i].Component, found = 0, 0, true
		}
	}
	return found
}

// fit checks the number and types of the kernel's parameters.
func (b *Binding) fit() error {
	ir := b.Kernel
	params := ir.Entry().Params
	if given := b.Loop.Params(); len(params) != given {
		return &problem.ShapeError{What: b.What, Msg: fmt.Sprintf("the kernel takes %s, %d %s given", problem.Count(len(params), "argument"), given, problem.Were(given)), Hint: b.unmatched()}
	}
	if len(params) == 0 {
		return &problem.ShapeError{What: b.What, Msg: "the kernel takes no arguments, and so has no effect"}
	}
	shapes := b.shapes()
	for i, a := range b.Loop.Args {
		if a.Next {
			continue
		}
		shape := shapes[b.Loop.Param(i)]
		scalar, wholeMap := b.Loop.Type(a), a.WholeMap() && (!a.Part() || a.Kind == loop.Mat)
		param := params[b.Loop.Param(i)]
		if a.Kind == loop.Index && ir.IsC() && kernel.Leaf(param.Type) == loop.Int32 {
			scalar = loop.Int32
		}
		if ir.Takes(param, shape, wholeMap, scalar) {
			continue
		}
		declaration := ir.Declaration(param.Name, shape, wholeMap, scalar)
		switch {
		case a.Kind == loop.Index && !ir.IsC():
			declaration = "*int"
		case param.Slices > 0:
			declaration = ir.SliceDeclaration(shape, wholeMap, scalar)
		case wholeMap && a.Kind == loop.Dat && b.Loop.Arity(a) == 1:
			declaration = ir.Declaration(param.Name, shape, false, scalar)
		}
		hint := fmt.Sprintf("declare the parameter in %s as %s", param.Pos, declaration)
		if wholeMap && a.Kind == loop.Dat && ir.TakesTarget(param, shape, scalar) {
			hint += fmt.Sprintf(", or pass one target: %s.At(0)", b.Args[i].Map.Name())
		}
		takes := fmt.Sprintf("the kernel takes %s, ", ir.Describe(param))
		if a.Part() {
			if a.Kind == loop.Dat && !ir.IsC() {
				hint += ", or as a struct with a field for each part"
			}
			return b.Args[i].About(&problem.ShapeError{What: b.mixedArgument(i), Msg: takes + b.holdsParts(i, shape) + ir.Caret(param.Pos), Hint: hint})
		}
		return b.misshapen(i, takes+b.holds(i)+ir.Caret(param.Pos), hint)
	}
	return nil
}

// unmatched names the kernel's parameters, and the first parameter or argument that has no counterpart.
func (b *Binding) unmatched() string {
	ir := b.Kernel
	entry := ir.Entry()
	if len(entry.Params) == 0 {
		return ""
	}
	var list []string
	for _, p := range entry.Params {
		list = append(list, ir.Declared(p))
	}
	hint := fmt.Sprintf("%s takes %s, in %s: ", entry.Name, strings.Join(list, ", "), entry.Pos)
	if given := b.Loop.Params(); given < len(list) {
		return hint + "no argument is left for " + entry.Params[given].Name
	}
	for i, a := range b.Args {
		if b.Loop.Param(i) == len(list) {
			return hint + fmt.Sprintf("no parameter is left for argument %d (%s)", entity.Ordinal(b.Args, i), a)
		}
	}
	return ""
}

// mixedArgument returns the name of the mixed argument that argument i is a part of, for messages.
func (b *Binding) mixedArgument(i int) string {
	n := entity.Ordinal(b.Args, i)
	a, _ := entity.OfParam(b.Args, n-1)
	return fmt.Sprintf("%s: argument %d (%s)", b.What, n, a)
}

// holdsParts describes the values of a parameter of parts, of which argument i is the first.
func (b *Binding) holdsParts(i int, shape kernel.Shape) string {
	var parts []string
	for j := i; len(parts) < len(shape.Parts); j++ {
		parts = append(parts, b.holds(j))
	}
	what := problem.Count(shape.Cols, "value")
	if shape.Matrix {
		what = fmt.Sprintf("a local matrix of %d by %d", shape.Rows, shape.Cols)
	}
	return strings.Join(parts, "; ") + ": together " + what
}

// holds describes the values of argument i.
func (b *Binding) holds(i int) string {
	a, d := b.Args[i], b.Loop.Args[i]
	if a.Kind == loop.Index {
		return "the number is an int"
	}
	if a.Kind == loop.Mat {
		return b.holdsMat(i)
	}
	s := fmt.Sprintf("%s holds %d %s", a.Data.Name(), a.Data.Dim(), a.Data.TypeName())
	if a.Kind == loop.Global {
		return s
	}
	s += " for each of " + a.Data.Set().Name()
	if d.WholeMap() {
		s += fmt.Sprintf(", %s leads to %d of them", a.Map.Name(), a.Map.Arity())
	}
	return s
}
