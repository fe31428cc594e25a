package vet

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// accesses are the methods that pass data to a loop.
var accesses = map[string]loop.Access{"Read": loop.Read, "Write": loop.Write, "RW": loop.RW, "Inc": loop.Inc, "Min": loop.Min, "Max": loop.Max, "Reduce": loop.Reduce}

// argument is what the source says of an argument of a loop.
type argument struct {
	call   *ast.CallExpr
	kind   loop.Kind
	access loop.Access
	elem   types.Type // of the values
	dim    int        // 0: not known
	whole  bool       // through a whole map
	arity  int        // 0: not known
	layers bool       // of a dat on an extruded set
	flat   bool       // of one on another set
}

// loop checks the arguments of a loop.
func (c *checker) loop(call *ast.CallExpr) {
	if call.Ellipsis.IsValid() || len(call.Args) < 2 {
		return
	}
	made := c.call(call.Args[0])
	for made != nil && c.callee(made) == "Kernel.With" {
		made = c.call(ast.Unparen(made.Fun).(*ast.SelectorExpr).X)
	}
	if made == nil || c.callee(made) != "Source.Func" {
		return
	}
	k := c.kernelOf(made)
	if k == nil {
		return
	}
	given, params := call.Args[2:], k.signature.Params()
	if len(given) != params.Len() {
		c.report(call.Pos(), fmt.Sprintf("loop %s: the kernel takes %s, %d %s given", k.name, problem.Count(params.Len(), "argument"), len(given), problem.Were(len(given))))
		return
	}
	single := c.layered(call.Args[1]) // not a base set, for whose columns, nor facets, for which the kernel gets more
	over := c.call(call.Args[1])
	facets := over != nil && c.callee(over) == "OnInteriorFacets"
	args, known, fit := make([]argument, len(given)), true, true
	for i, e := range given {
		a, ok := c.argument(e)
		ok = ok && (single || !a.layers) && !(facets && a.kind == loop.Dat && !a.flat)
		args[i], known = a, known && ok
		if ok && !fits(a, params.At(i).Type()) {
			fit = false
			c.report(e.Pos(), fmt.Sprintf("loop %s: argument %d: the kernel takes %s for %s, not %s", k.name, i+1, written(params.At(i).Type(), c.Pkg), params.At(i).Name(), a.declaration(c.Pkg)))
		}
	}
	if known && fit {
		c.contract(call, k, args)
	}
}

// argument returns what the source says of an argument.
func (c *checker) argument(e ast.Expr) (a argument, ok bool) {
	if a.call = c.call(e); a.call == nil {
		return a, false
	}
	if c.callee(a.call) == "Arg.If" { // what it passes when it is there
		return c.argument(ast.Unparen(a.call.Fun).(*ast.SelectorExpr).X)
	}
	of, method, _ := strings.Cut(c.callee(a.call), ".")
	switch a.access, ok = accesses[method]; {
	case of == "Index":
		return argument{call: a.call, kind: loop.Index, elem: types.Typ[types.Int], dim: 1}, true
	case !ok:
		return a, false
	}
	data := ast.Unparen(a.call.Fun).(*ast.SelectorExpr).X
	a.elem = elemOf(c.TypesInfo.TypeOf(data))
	via := a.call.Args
	if a.access == loop.Reduce && len(via) >= 2 {
		via = via[2:]
	}
	switch of {
	case "Dat":
		a.kind, a.dim = loop.Dat, c.dim(data, "NewDat")
		a.layers, a.flat = c.onLayers(data)
		if len(via) == 1 {
			made := c.call(via[0])
			switch typeName(c.TypesInfo.TypeOf(via[0])) {
			case "Map":
				a.whole, a.arity = true, c.arity(via[0])
			default: // a mixed map has parts
				return a, a.elem != nil && made != nil && c.callee(made) == "Map.At"
			}
		}
	case "Global":
		a.kind = loop.Global
	default: // matrices and mixed dats
		return a, false
	}
	return a, a.elem != nil && len(via) <= 1
}

// elemOf returns the type of the values in a dat or a global; nil for a type parameter.
func elemOf(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.TypeArgs().Len() != 1 {
		return nil
	}
	if elem := named.TypeArgs().At(0); !isParam(elem) {
		return elem
	}
	return nil
}

func isParam(t types.Type) bool {
	_, is := types.Unalias(t).(*types.TypeParam)
	return is
}

// typeName returns the name of a type, or of what it points to.
func typeName(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// dim returns the dim that data is declared with; 0 if it is not known.
func (c *checker) dim(data ast.Expr, by string) int {
	switch made := c.call(data); {
	case made == nil:
	case c.callee(made) == by:
		return c.number(made.Args[1])
	case c.callee(made) == "Dat.Component":
		return 1
	}
	return 0
}

// layered reports whether a loop over something gets what belongs to a single layer.
func (c *checker) layered(over ast.Expr) bool {
	made := c.call(over)
	return made != nil && slices.Contains([]string{"NewExtrudedSet", "NewVaryingExtrudedSet", "OnBottom", "OnTop", "OnColumns"}, c.callee(made))
}

// onLayers reports whether a dat is on an extruded set, or on another one: neither where that is not known.
func (c *checker) onLayers(data ast.Expr) (layers, flat bool) {
	switch made := c.call(data); {
	case made == nil:
	case c.callee(made) == "NewDat":
		set := c.call(made.Args[0])
		layers = c.layered(made.Args[0])
		return layers, !layers && set != nil && c.callee(set) != ""
	case c.callee(made) == "Dat.Component":
		return c.onLayers(ast.Unparen(made.Fun).(*ast.SelectorExpr).X)
	}
	return false, false
}

// arity returns the arity of a map; 0 if it is not known.
func (c *checker) arity(m ast.Expr) int {
	if made := c.call(m); made != nil && slices.Contains([]string{"NewMap", "NewMaskedMap"}, c.callee(made)) {
		return c.number(made.Args[2])
	}
	return 0
}

// fits reports whether a parameter of type t may take an argument.
func fits(a argument, t types.Type) bool {
	levels := []int{a.dim} // from the outermost
	if a.whole {
		levels = []int{a.arity, a.dim}
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		if pointee(p.Elem(), levels, a.elem) || a.whole && a.arity <= 1 && pointee(p.Elem(), levels[1:], a.elem) {
			return true
		}
		one, ok := p.Elem().Underlying().(*types.Array) // *[1]T is equivalent to *T
		return ok && a.kind != loop.Index && !a.whole && a.dim <= 1 && one.Len() == 1 && same(one.Elem(), a.elem)
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok || a.kind == loop.Index {
		return false
	}
	if inner, ok := s.Elem().Underlying().(*types.Slice); ok {
		return a.whole && same(inner.Elem(), a.elem)
	}
	return pointee(s.Elem(), levels[1:], a.elem) || a.whole && (a.dim <= 1 || a.arity <= 1) && same(s.Elem(), a.elem)
}

// pointee reports whether t is an array of arrays with these lengths, of which the last is not there if it is 1; 0 is any length.
func pointee(t types.Type, lengths []int, elem types.Type) bool {
	if len(lengths) == 0 {
		return same(t, elem)
	}
	n := lengths[0]
	if last := len(lengths) == 1; last && n <= 1 && same(t, elem) {
		return true
	} else if last && n == 1 {
		return false
	}
	array, ok := t.Underlying().(*types.Array)
	return ok && (n == 0 || array.Len() == int64(n)) && pointee(array.Elem(), lengths[1:], elem)
}

// same reports whether a kernel's value of one type may be data of the other.
func same(x, y types.Type) bool {
	x, y = x.Underlying(), y.Underlying()
	if x, ok := x.(*types.Basic); ok {
		y, ok := y.(*types.Basic)
		return ok && sized(x.Kind()) == sized(y.Kind())
	}
	return types.Identical(x, y)
}

// sized returns the kind of as many bits as one has.
func sized(kind types.BasicKind) types.BasicKind {
	switch kind {
	case types.Int:
		return types.Int64
	case types.Uint:
		return types.Uint64
	}
	return kind
}

// declaration returns how a parameter for the argument is declared.
func (a argument) declaration(p *types.Package) string {
	length := func(n int, name string) string {
		if n == 0 {
			return "[" + name + "]"
		}
		return fmt.Sprintf("[%d]", n)
	}
	s := written(a.elem, p)
	if a.dim != 1 {
		s = length(a.dim, "dim") + s
	}
	if a.whole {
		s = length(a.arity, "arity") + s
	}
	return "*" + s
}

func written(t types.Type, p *types.Package) string {
	return types.TypeString(t, types.RelativeTo(p))
}

// contract checks what the kernel does with its arguments, and the consts that it reads.
func (c *checker) contract(call *ast.CallExpr, k *goKernel, args []argument) {
	lengths, shapes, access := make([][]kernel.Length, len(args)), make([]kernel.Shape, len(args)), make([]loop.Access, len(args))
	for i, a := range args {
		access[i] = a.access
		shapes[i] = kernel.Shape{Rows: 1, Cols: max(a.dim, 1), Number: a.kind == loop.Index, Global: a.kind == loop.Global}
		if a.whole {
			shapes[i].Rows = max(a.arity, 1)
		}
		s, isSlice := k.signature.Params().At(i).Type().Underlying().(*types.Slice)
		if !isSlice {
			continue
		}
		if a.dim == 0 || a.whole && a.arity == 0 {
			return
		}
		rows, cols := shapes[i].Rows, shapes[i].Cols
		lengths[i] = []kernel.Length{{Most: rows * cols}}
		if _, of := s.Elem().Underlying().(*types.Slice); of {
			lengths[i] = []kernel.Length{{Most: rows}, {Most: cols}}
		} else if !same(s.Elem(), a.elem) { // [][dim]T
			lengths[i] = []kernel.Length{{Most: rows}}
		}
	}
	ir, err := k.source.Kernel(k.name, k.file, 0, lengths...)
	if err != nil {
		c.refused(err, k.files, call)
		return
	}
	kernel.Analyze(ir, nil)
	for _, p := range slices.Concat(kernel.Check(ir, access, shapes), userkernel.NoExtremes(ir, nil, access)) {
		c.problem(p, k.files, call.Pos())
	}
	for _, v := range ir.Consts {
		if c.open || c.consts[v.Name] {
			continue
		}
		if v.Of != "" || ast.IsExported(v.Name) { // another package may declare it
			if names, all := c.declaredElsewhere(); !all || names[v.Name] {
				continue
			}
		}
		c.problem(kernel.Problem{Pos: v.Pos, Msg: fmt.Sprintf("the kernel reads the variable %s, which is no const of the runtime", v.InGo()),
			Hint: fmt.Sprintf("declare it with op2.NewConst(rt, %q, &%s), or pass it as an argument", v.Name, v.InGo())}, k.files, call.Pos())
	}
}
