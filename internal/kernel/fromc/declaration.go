package fromc

import (
	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

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
			f.doStore(f.at(d), place{}, f.initialParts(id.Initializer)...)
		}
	default:
		v := &kernel.Var{Name: d.Name(), Type: kt, Pos: f.at(d)}
		f.vars[d] = v
		f.declareAs(v, id.Initializer, t)
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
		f.doStore(f.at(d), place{}, f.initialParts(id.Initializer)...)
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
	f.doStore(f.at(d), place{}, f.escaping(p)...)
}

// fixed returns p with the current values of its subscripts: an alias of &x[i] leads to the same element when i has
// changed. Fields and variables need no copy, as they do not move.
func (f *lowering) fixed(p pointer) pointer {
	if p.null {
		return p
	}
	p.base = kernel.NewPlace(p.base, f.fixedValue)
	if p.off != nil {
		p.off = f.fixedValue(p.off)
	}
	return p
}

// fixedValue returns the current value of a subscript: itself if it is a literal.
func (f *lowering) fixedValue(e kernel.Expr) kernel.Expr {
	if _, literal := e.(*kernel.Lit); literal {
		return e
	}
	return f.temp(e)
}
