package fromc

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// maxElements is the number of elements up to which an initializer is written out.
const maxElements = 1024

func (f *lowering) declaration(d *cc.Declaration) {
	switch d.Case {
	case cc.DeclarationAuto:
		f.lost = true
	case cc.DeclarationDecl:
		if !hasType(d.DeclarationSpecifiers) {
			f.u.problem(d, "write the type: C before C99 takes it for an int, and C++ for that of the value", "a declaration without a type")
		}
		for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			f.declare(l.InitDeclarator)
		}
	}
}

// hasType reports whether one of the specifiers of a declaration is a type.
func hasType(s *cc.DeclarationSpecifiers) bool {
	for ; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersTypeSpec {
			return true
		}
	}
	return false
}

// declare declares one local variable.
func (f *lowering) declare(id *cc.InitDeclarator) {
	d := id.Declarator
	t := d.Type()
	if d.IsTypename() || d.IsExtern() || t.Kind() == cc.Function || d.Name() == "__func__" {
		return
	}
	if d.IsStatic() && !isConstant(t) {
		f.u.problem(d, "elements run at the same time, and share it: drop static, or add const", "%s is a static variable", d.Name())
	}
	if a, array := t.(*cc.ArrayType); array && a.IsVLA() {
		f.u.problem(d, "give it a constant length, the largest one", "%s is an array of variable length", d.Name())
	}
	kt := f.u.value(t)
	switch {
	case t.Kind() == cc.Ptr:
		f.declarePointer(id)
	case kt == nil:
		if id.Initializer != nil {
			f.doOpaque(f.at(d), f.initialParts(id.Initializer))
		}
	default:
		v := &kernel.Var{Name: d.Name(), Type: kt, Pos: f.at(d)}
		f.vars[d] = v
		f.declareAs(v, id.Initializer, t)
	}
}

// declareAs emits the declaration of v. An initializer may mention v itself.
func (f *lowering) declareAs(v *kernel.Var, i *cc.Initializer, t cc.Type) {
	decl := &kernel.Decl{Var: v, Pos: v.Pos}
	if i == nil {
		f.Emit(decl)
		return
	}
	var init kernel.Expr
	before := f.Collect(func() { init = f.initial(i, t, v.Type) })
	if mentions(append(before, &kernel.Do{X: init}), v) {
		f.Emit(decl)
		f.Emit(before...)
		f.Emit(&kernel.Assign{L: kernel.NewRef(v, v.Pos), R: init, Pos: v.Pos})
		return
	}
	decl.Init = init
	f.Emit(before...)
	f.Emit(decl)
}

func mentions(stmts []kernel.Stmt, v *kernel.Var) bool {
	return len(refs(&kernel.Block{Stmts: stmts}, v)) > 0
}

// isConstant reports whether t, or its element type, is const.
func isConstant(t cc.Type) bool {
	for {
		if isConst(t) {
			return true
		}
		a, ok := t.(*cc.ArrayType)
		if !ok {
			return false
		}
		t = a.Elem()
	}
}

// declarePointer turns a pointer that never changes, or only moves within one array, into an alias.
// Other pointers may point anywhere.
func (f *lowering) declarePointer(id *cc.InitDeclarator) {
	d := id.Declarator
	switch {
	case id.Initializer == nil:
		if n := f.firstSet(d); n != nil && isPointer(n) {
			if start, p := f.startsAt(n); start != nil && f.moves(d, start) {
				f.startMoving(d, p)
			}
		}
		return
	case id.Initializer.Case != cc.InitializerExpr:
		f.doOpaque(f.at(d), f.initialParts(id.Initializer))
		return
	}
	n, once := id.Initializer.AssignmentExpression, d.WriteCount() == 1 && !d.AddressTaken()
	var p pointer
	if !isPointer(n) {
		p = f.fromInteger(n)
	} else {
		p = f.pointer(n)
	}
	if once && (p.null || p.known() && samePointee(d.Type(), n.Type())) {
		f.aliases[d] = f.fixed(p)
		return
	}
	if start, at := f.startsAt(n); start != nil && p.known() && p.off != nil && kernel.SameExpr(p.base, at.base) &&
		samePointee(d.Type(), n.Type()) && f.moves(d, start) {
		f.startMoving(d, p)
		return
	}
	f.unseen(d, "where "+d.Name()+" points", f.escaping(p))
	f.doOpaque(f.at(d), f.escaping(p))
}

// fixed returns p with the current values of its subscripts: an alias of &x[i] leads to the same element when i has
// changed. Fields and variables need no copy, as they do not move.
func (f *lowering) fixed(p pointer) pointer {
	if p.null {
		return p
	}
	p.base = f.fixedPlace(p.base)
	if p.off != nil {
		p.off = f.fixedValue(p.off)
	}
	return p
}

// fixedPlace returns a place with the current values of its subscripts.
func (f *lowering) fixedPlace(e kernel.Expr) kernel.Expr {
	switch e := e.(type) {
	case *kernel.Index:
		return &kernel.Index{At: e.At, X: f.fixedPlace(e.X), I: f.fixedValue(e.I)}
	case *kernel.Select:
		return &kernel.Select{At: e.At, X: f.fixedPlace(e.X), Field: e.Field, Walked: e.Walked}
	case *kernel.Deref:
		return &kernel.Deref{At: e.At, X: f.fixedPlace(e.X)}
	}
	return e
}

// fixedValue returns the current value of a subscript: itself if it is a literal.
func (f *lowering) fixedValue(e kernel.Expr) kernel.Expr {
	if _, literal := e.(*kernel.Lit); literal {
		return e
	}
	return f.temp(e)
}

// literal returns the place of a compound literal.
func (f *lowering) literal(n *cc.PostfixExpression) place {
	t := n.TypeName.Type()
	kt := f.u.value(t)
	if kt == nil {
		var parts []kernel.Expr
		for l := n.InitializerList; l != nil; l = l.InitializerList {
			parts = append(parts, f.initialParts(l.Initializer)...)
		}
		return place{parts: parts}
	}
	v := f.newTemp(kt, f.at(n))
	f.Emit(&kernel.Decl{Var: v, Init: f.composite(leaves(n.InitializerList), t, kt, f.at(n)), Pos: f.at(n)})
	return place{x: kernel.NewRef(v, f.at(n))}
}

// initial returns the value that i gives to a variable.
func (f *lowering) initial(i *cc.Initializer, t cc.Type, kt kernel.Type) kernel.Expr {
	if i.Case == cc.InitializerInitList {
		return f.composite(leaves(i.InitializerList), t, kt, f.at(i))
	}
	if _, array := kt.(*kernel.Array); array { // a string
		return opaque(kt, f.at(i))
	}
	return f.as(i.AssignmentExpression, kt)
}

// initialParts returns everything that i is made of, as parts of an Opaque.
func (f *lowering) initialParts(i *cc.Initializer) (parts []kernel.Expr) {
	if i.Case == cc.InitializerExpr {
		return f.parts(i.AssignmentExpression)
	}
	for _, l := range leaves(i.InitializerList) {
		parts = append(parts, f.parts(l.AssignmentExpression)...)
	}
	return parts
}

// leaves returns the expressions in an initializer. Each knows its offset.
func leaves(l *cc.InitializerList) (out []*cc.Initializer) {
	for ; l != nil; l = l.InitializerList {
		if l.Initializer.Case == cc.InitializerInitList {
			out = append(out, leaves(l.Initializer.InitializerList)...)
		} else {
			out = append(out, l.Initializer)
		}
	}
	return out
}

// filler provides the values of a composite's elements.
type filler struct {
	values map[int64]kernel.Expr // by offset in bytes
	ranged bool                  // some value is for several elements
}

// composite returns the value of an array or a struct with the given initializers. The parser has resolved
// designators: each initializer has its offset in bytes, by which filler.value puts the tree together.
func (f *lowering) composite(inits []*cc.Initializer, t cc.Type, kt kernel.Type, pos kernel.Pos) kernel.Expr {
	fill := filler{values: map[int64]kernel.Expr{}}
	var parts []kernel.Expr
	for _, i := range inits {
		e := f.initialLeaf(i)
		fill.values[i.Offset()] = e
		fill.ranged = fill.ranged || i.Len() > 1
		parts = append(parts, flat(e)...)
	}
	if fill.ranged || kernel.Count(kt) > maxElements {
		return opaque(kt, pos, parts...)
	}
	if s := kernel.Scalar(kt); s != loop.Invalid {
		if e := fill.values[0]; e != nil {
			return convert(e, s)
		}
		return number(0, s, pos)
	}
	return fill.value(t, kt, 0, pos)
}

// initialLeaf returns the value of one initializer; a string is unknown.
func (f *lowering) initialLeaf(i *cc.Initializer) kernel.Expr {
	e := i.AssignmentExpression
	if isPointer(e) {
		return opaque(none, f.at(i), f.parts(e)...)
	}
	return f.expr(e)
}

// value returns the value at offset, of type t; nil if it is zero: what an initializer leaves out (C99 6.7.8). It goes
// down the types in C and in the IR side by side, since offsets are those of C.
func (fill filler) value(t cc.Type, kt kernel.Type, offset int64, pos kernel.Pos) kernel.Expr {
	e := fill.values[offset]
	if s := kernel.Scalar(kt); s != loop.Invalid {
		if e == nil {
			return nil
		}
		return convert(e, s)
	}
	if e != nil && e.Type() == kt { // a struct as a whole
		return e
	}
	c := &kernel.Composite{At: kernel.At{T: kt, At: pos}}
	switch t := t.(type) {
	case *cc.ArrayType:
		elem := kt.(*kernel.Array).Elem
		for i := range t.Len() {
			c.Elems = append(c.Elems, fill.value(t.Elem(), elem, offset+i*t.Elem().Size(), pos))
		}
	case *cc.StructType:
		for i, field := range kt.(*kernel.Struct).Fields {
			ct := t.FieldByIndex(i)
			c.Elems = append(c.Elems, fill.value(ct.Type(), field.Type, offset+ct.Offset(), pos))
		}
	}
	for _, e := range c.Elems {
		if e != nil {
			return c
		}
	}
	if offset > 0 {
		return nil
	}
	return c
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
