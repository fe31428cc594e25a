package fromc

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// maxElements is the number of elements up to which an initializer is written out.
const maxElements = 1024

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

// copyOf returns the local copy of a file-scope variable, which never changes; nil if the IR has no
// type for it. It is initialized at the start of the function, once, however often it is used; checkStore has refused
// what would change it.
func (f *lowering) copyOf(name string) *kernel.Var {
	if v, ok := f.files[name]; ok {
		return v
	}
	id := f.u.variables[name]
	t := f.u.value(id.Declarator.Type())
	if t == nil {
		f.files[name] = nil
		return nil
	}
	v := &kernel.Var{Name: name, Type: t, Pos: f.at(id.Declarator)}
	f.files[name] = v
	declared := f.Collect(func() { f.declareAs(v, id.Initializer, id.Declarator.Type()) })
	f.copies = append(f.copies, declared...)
	return v
}

// literal returns the place of a compound literal.
func (f *lowering) literal(n *cc.PostfixExpression) place {
	t := n.TypeName.Type()
	kt := f.u.value(t)
	if kt == nil {
		return place{parts: f.leafParts(n.InitializerList)}
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
func (f *lowering) initialParts(i *cc.Initializer) []kernel.Expr {
	if i.Case == cc.InitializerExpr {
		return f.partsOf(i.AssignmentExpression)
	}
	return f.leafParts(i.InitializerList)
}

func (f *lowering) leafParts(list *cc.InitializerList) (parts []kernel.Expr) {
	for _, l := range leaves(list) {
		parts = append(parts, f.partsOf(l.AssignmentExpression)...)
	}
	return parts
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
		return opaque(none, f.at(i), f.partsOf(e)...)
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
	if offset > 0 && !slices.ContainsFunc(c.Elems, func(e kernel.Expr) bool { return e != nil }) {
		return nil
	}
	return c
}
