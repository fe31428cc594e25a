package kernel

import (
	"go/constant"
	"go/token"
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// The parameters of a kernel lead to structs that lie in memory one after the other. SplitStructs
// leaves them there: it flattens such a parameter to the scalars that the structs consist of, and
// finds a field by its number. An array of pointers to rows of structs becomes one of pointers to rows
// of scalars.

// flatten returns a parameter that leads to the scalars behind v: for *[2]State, *[8]float64. In the
// source of a C kernel, a pointer to a struct may lead to any number of them.
func (s *splitter) flatten(v *Var) *Var {
	elem := Elem(v.Type)
	scalar := uniform(elem)
	if scalar == loop.Invalid {
		s.refuse("structs of several types")
	}
	flat := &Var{Name: v.Name, Type: &Pointer{Basic(scalar)}, Pos: v.Pos, Const: v.Const}
	if TakesRows(elem) {
		flat.Type = &Pointer{&Array{Len: elem.(*Array).Len, Elem: flat.Type}}
		return flat
	}
	if n := Count(elem); n > 0 && (s.kernel.Source == "" || Is[*Array](elem)) {
		flat.Type = &Pointer{&Array{Len: n, Elem: Basic(scalar)}}
	}
	return flat
}

// uniform returns the scalar that all of a value of type t consists of; Invalid if there is none.
func uniform(t Type) loop.Scalar {
	list := slices.Compact(Scalars(t))
	if len(list) != 1 {
		return loop.Invalid
	}
	return list[0]
}

// copies makes the kernel work on a copy of parameter v, which is necessary for the given reason.
func (s *splitter) copies(v *Var, why string) {
	if elem := Elem(s.flat[v].Type); !Is[*Array](elem) || TakesRows(elem) { // of unknown length
		s.refuse(why)
	}
	s.toCopy = append(s.toCopy, v)
}

// copyIn declares variables for the parts of a parameter that is copied, and stores them before
// each return.
func (s *splitter) copyIn(v *Var) []Stmt {
	if !s.copied[v] {
		return nil
	}
	flat, t := s.flat[v], Elem(v.Type)
	from := NewRef(flat, v.Pos)
	values := valuesAt(from, number(0), t, v.Pos)
	var list []Stmt
	var copies []Expr
	for i, p := range partsOf(t) {
		own := &Var{Name: v.Name + p.name, Type: p.t, Pos: v.Pos}
		s.vars[v] = append(s.vars[v], own)
		list = append(list, &Decl{Var: own, Init: values[i], Pos: v.Pos})
		copies = append(copies, NewRef(own, v.Pos))
	}
	if Stored(s.kernel.Entry())[v] {
		for i, x := range scalars(t, copies) {
			s.after = append(s.after, &Assign{L: scalarAt(from, number(i), v.Pos), R: x, Pos: v.Pos})
		}
	}
	return list
}

// base returns the parameter of the kernel that e is a part of, if that is flattened and
// not copied.
func (s *splitter) base(e Expr) *Var {
	switch e.(type) {
	case *Ref, *Index, *Select, *Deref:
		if v := Root(e); s.flat[v] != nil && !s.copied[v] {
			return v
		}
	}
	return nil
}

// from returns the pointer to scalars through which e, a part of such a parameter, is reached: the
// parameter itself, or one of its rows.
func (s *splitter) from(e Expr) Expr {
	flat, pos := s.flat[Root(e)], e.Pos()
	elem := Elem(flat.Type)
	if !TakesRows(elem) {
		return NewRef(flat, pos)
	}
	for {
		switch x := e.(type) {
		case *Index:
			if isRow(x) {
				return &Index{At: At{elem.(*Array).Elem, pos}, X: NewRef(flat, pos), I: s.subscript(x), InRange: x.InRange, There: x.There, Before: x.Before}
			}
			e = x.X
		case *Select:
			e = x.X
		case *AddrOf:
			e = x.X
		default:
			s.refuse("an array of pointers to structs that is passed on")
			return NewRef(flat, pos)
		}
	}
}

// isRow reports whether e is one of an array of pointers.
func isRow(e *Index) bool { return Is[*Pointer](e.T) }

// begin returns the number of the first scalar of e, a part of such a parameter or of one of its rows.
func (s *splitter) begin(e Expr) Expr {
	switch e := e.(type) {
	case *Index:
		if isRow(e) {
			break
		}
		if !e.InRange {
			s.copies(Root(e), "a subscript that may be outside the array")
		}
		return plus(s.begin(e.X), times(s.subscript(e), Count(e.T)))
	case *Select:
		_, offset := Elem(e.X.Type()).(*Struct).Field(e.Field)
		return plus(s.begin(e.X), number(offset))
	case *Deref:
		return s.begin(e.X)
	case *AddrOf:
		return s.begin(e.X)
	}
	return number(0)
}

// subscript returns the subscript of e, which is evaluated for each part.
func (s *splitter) subscript(e *Index) Expr {
	if slices.ContainsFunc(All[*Call](e.I), func(c *Call) bool { return !Pure(c.Func) }) {
		s.refuse("a subscript that changes something")
	}
	return s.expr(e.I)
}

// number returns the subscript n.
func number(n int) Expr { return NewInt(n, Basic(loop.Int64), Pos{}) }

func times(i Expr, n int) Expr {
	if v, ok := IntOf(i); ok {
		return number(int(v) * n)
	}
	if Scalar(i.Type()) != loop.Int64 {
		i = &Convert{At: At{Basic(loop.Int64), i.Pos()}, X: i}
	}
	if n == 1 {
		return i
	}
	return &Binary{At: At{i.Type(), i.Pos()}, Op: Mul, X: i, Y: number(n), Fits: true}
}

func plus(i, j Expr) Expr {
	a, first := i.(*Lit)
	b, second := j.(*Lit)
	switch {
	case first && second:
		return NewLit(constant.BinaryOp(a.Value, token.ADD, b.Value), a.T, Pos{})
	case IsZero(i):
		return j
	case IsZero(j):
		return i
	}
	return &Binary{At: At{Basic(loop.Int64), i.Pos()}, Op: Add, X: i, Y: j, Fits: true}
}

// valuesAt returns the parts of a value of type t that begins at scalar i behind a pointer.
func valuesAt(from, i Expr, t Type, pos Pos) []Expr {
	var list []Expr
	switch t := t.(type) {
	case *Struct:
		for _, f := range t.Fields {
			list = append(list, valuesAt(from, i, f.Type, pos)...)
			i = plus(i, number(Count(f.Type)))
		}
		return list
	case *Array:
		elems := make([][]Expr, t.Len)
		for j := range elems {
			elems[j] = valuesAt(from, plus(i, number(j*Count(t.Elem))), t.Elem, pos)
		}
		return together(t, elems, pos)
	}
	return []Expr{scalarAt(from, i, pos)}
}

// scalarAt returns scalar i behind a pointer.
func scalarAt(from, i Expr, pos Pos) Expr {
	return &Index{At: At{Basic(Leaf(from.Type())), pos}, X: from, I: i, InRange: true}
}

// pointersAt returns pointers to the parts of a value of type t that begins at scalar i behind a
// pointer, within parameter v. Those of an array of structs are not next to each other.
func (s *splitter) pointersAt(v *Var, from, i Expr, t Type, pos Pos) []Expr {
	switch t := t.(type) {
	case *Struct:
		var list []Expr
		for _, f := range t.Fields {
			list = append(list, s.pointersAt(v, from, i, f.Type, pos)...)
			i = plus(i, number(Count(f.Type)))
		}
		return list
	case *Array:
		if HoldsStructs(t) {
			s.copies(v, "a pointer to an array of structs")
		}
	}
	return []Expr{&AddrOf{At: At{&Pointer{t}, pos}, X: scalarAt(from, i, pos)}}
}

// ofConst returns e, rewritten, if it is a const with structs or a part of one, which stays whole;
// otherwise nil.
func (s *splitter) ofConst(e Expr) Expr {
	switch e := e.(type) {
	case *ConstRef:
		if HoldsStructs(e.T) {
			return e
		}
	case *Index:
		if x := s.ofConst(e.X); x != nil {
			return &Index{At: e.At, X: x, I: s.subscript(e), InRange: e.InRange, There: e.There, Before: e.Before}
		}
	case *Select:
		if x := s.ofConst(e.X); x != nil {
			return &Select{At: e.At, X: x, Field: e.Field}
		}
	}
	return nil
}

// constParts returns the parts of e, a const or a part of one.
func constParts(e Expr) []Expr {
	switch t := e.Type().(type) {
	case *Array:
		elems := make([][]Expr, t.Len)
		for i := range elems {
			elems[i] = constParts(&Index{At: At{t.Elem, e.Pos()}, X: e, I: number(i), InRange: true})
		}
		return together(t, elems, e.Pos())
	case *Struct:
		return concat(t.Fields, func(f Var) []Expr {
			return constParts(&Select{At: At{f.Type, e.Pos()}, X: e, Field: f.Name})
		})
	}
	return []Expr{e}
}

// scalars returns the scalars of a value of type t from its parts, in their order in memory.
func scalars(t Type, parts []Expr) []Expr {
	var list []Expr
	switch t := t.(type) {
	case *Struct:
		for _, f := range t.Fields {
			n := len(partsOf(f.Type))
			list = append(list, scalars(f.Type, parts[:n])...)
			parts = parts[n:]
		}
		return list
	case *Array:
		for i := range t.Len {
			list = append(list, scalars(t.Elem, each(parts, func(x Expr) Expr { return element(x, i) }))...)
		}
		return list
	}
	return parts
}

// element returns element i of an array.
func element(x Expr, i int) Expr {
	c, ok := x.(*Composite)
	switch {
	case !ok:
		return &Index{At: At{elemOf(x), x.Pos()}, X: indexed(x), I: number(i), InRange: true}
	case c.Elems[i] == nil:
		return NewZero(elemOf(x), x.Pos())
	}
	return c.Elems[i]
}
