package core

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// shapes returns the shapes of the values behind each parameter.
func (b *binder) shapes() []kernel.Shape {
	shapes := make([]kernel.Shape, b.desc.Params())
	for i, a := range b.desc.Args {
		shape, at := kernel.ShapeOf(b.desc, a), b.desc.Param(i)
		if !a.Part() {
			shapes[at] = shape
			continue
		}
		parts := append(shapes[at].Parts, kernel.Part{Name: b.args[i].data.name, Shape: shape})
		shapes[at] = kernel.Shape{Rows: a.Rows, Cols: a.Cols / b.desc.Data[a.Data].Words(), Matrix: shape.Matrix, Value: shape.Value, Parts: parts}
	}
	return shapes
}

// single passes a single component instead of a whole map of arity 1, if the kernel takes *[2]T
// rather than *[1][2]T. It reports whether there is such an argument.
func (b *binder) single(ir *kernel.Kernel) bool {
	params, found := ir.Entry().Params, false
	if len(params) != b.desc.Params() {
		return false
	}
	for i := range b.desc.Args {
		a := &b.desc.Args[i]
		if a.Kind != loop.Dat || !a.Packed() || a.Part() || b.desc.Arity(*a) != 1 {
			continue
		}
		shape := kernel.ShapeOf(b.desc, *a)
		param, scalar := params[b.desc.Param(i)], b.desc.Type(*a)
		if !ir.Takes(param, shape, true, scalar) && ir.Takes(param, shape, false, scalar) {
			a.Component, b.args[i].component, found = 0, 0, true
		}
	}
	return found
}

// fit checks the number and types of the kernel's parameters.
func (b *binder) fit(ir *kernel.Kernel) error {
	params := ir.Entry().Params
	if given := b.desc.Params(); len(params) != given {
		return &problem.ShapeError{What: b.what, Msg: fmt.Sprintf("the kernel takes %s, %d %s given", problem.Count(len(params), "argument"), given, problem.Were(given)), Hint: b.unmatched(ir)}
	}
	if len(params) == 0 {
		return &problem.ShapeError{What: b.what, Msg: "the kernel takes no arguments, and so has no effect"}
	}
	shapes := b.shapes()
	for i, a := range b.desc.Args {
		if a.Next {
			continue
		}
		shape := shapes[b.desc.Param(i)]
		scalar, packed := b.desc.Type(a), a.Packed() && (!a.Part() || a.Kind == loop.Mat)
		param := params[b.desc.Param(i)]
		if a.Kind == loop.Index && ir.IsC() && kernel.Leaf(param.Type) == loop.Int32 {
			scalar = loop.Int32
		}
		if ir.Takes(param, shape, packed, scalar) {
			continue
		}
		declaration := ir.Declaration(param.Name, shape, packed, scalar)
		switch {
		case a.Kind == loop.Index && !ir.IsC():
			declaration = "*int"
		case param.Slices > 0:
			declaration = ir.SliceDeclaration(shape, packed, scalar)
		case packed && a.Kind == loop.Dat && b.desc.Arity(a) == 1:
			declaration = ir.Declaration(param.Name, shape, false, scalar)
		}
		hint := "declare the parameter as " + declaration
		if packed && a.Kind == loop.Dat && ir.TakesTarget(param, shape, scalar) {
			hint += fmt.Sprintf(", or pass one target: %s.At(0)", b.args[i].m.name)
		}
		if a.Part() {
			if a.Kind == loop.Dat && !ir.IsC() {
				hint += ", or as a struct with a field for each part"
			}
			return b.args[i].about(&problem.ShapeError{What: b.mixedArgument(i), Msg: fmt.Sprintf("the kernel takes %s, %s", ir.Describe(param), b.holdsParts(i, shape)), Hint: hint})
		}
		return b.misshapen(i, fmt.Sprintf("the kernel takes %s, %s", ir.Describe(param), b.holds(i)), hint)
	}
	return nil
}

// unmatched names the kernel's parameters, and the first parameter or argument that has no counterpart.
func (b *binder) unmatched(ir *kernel.Kernel) string {
	entry := ir.Entry()
	if len(entry.Params) == 0 {
		return ""
	}
	var list []string
	for _, p := range entry.Params {
		list = append(list, ir.Declared(p))
	}
	hint := fmt.Sprintf("%s takes %s, in %s: ", entry.Name, strings.Join(list, ", "), entry.Pos)
	if given := b.desc.Params(); given < len(list) {
		return hint + "no argument is left for " + entry.Params[given].Name
	}
	for i, a := range b.args {
		if b.desc.Param(i) == len(list) {
			return hint + fmt.Sprintf("no parameter is left for argument %d (%s)", ordinal(b.args, i), a)
		}
	}
	return ""
}

// mixedArgument returns the name of the mixed argument that argument i is a part of, for messages.
func (b *binder) mixedArgument(i int) string {
	n := ordinal(b.args, i)
	a, _ := ofParam(b.args, n-1)
	return fmt.Sprintf("%s: argument %d (%s)", b.what, n, a)
}

// holdsParts describes the values of a parameter of parts, of which argument i is the first.
func (b *binder) holdsParts(i int, shape kernel.Shape) string {
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
func (b *binder) holds(i int) string {
	a, d := b.args[i], b.desc.Args[i]
	if a.kind == loop.Index {
		return "the number is an int"
	}
	if a.kind == loop.Mat {
		return b.holdsMat(i)
	}
	s := fmt.Sprintf("%s holds %d %s", a.data.name, a.data.Dim(), a.data.typeName())
	if a.kind == loop.Global {
		return s
	}
	s += " for each of " + a.data.set.name
	if d.Packed() {
		s += fmt.Sprintf(", %s leads to %d of them", a.m.name, a.m.arity)
	}
	return s
}
