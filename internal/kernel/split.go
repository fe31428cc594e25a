package kernel

// SplitStructs returns k with structs of arrays in place of arrays of structs, so that vectors can hold
// one field of several elements. Each variable that holds structs is split into one for each field,
// including parameters and results of its functions: an array of structs becomes an array for each
// field. Parameters of the kernel itself are flattened: they lead to the scalars of the structs. It
// does not change k, and shares with the result everything without structs. If fields apart cannot
// express k, it returns why, in a few words.
func SplitStructs(k *Kernel) (split *Kernel, why string) {
	if len(k.Structs) == 0 {
		return k, ""
	}
	s := splitter{kernel: k, copied: map[*Var]bool{}}
	for split = s.split(); len(s.toCopy) > 0 && s.refused == ""; split = s.split() {
		for _, v := range s.toCopy {
			s.copied[v] = true
		}
	}
	return split, s.refused
}

// split rewrites the kernel.
func (s *splitter) split() *Kernel {
	s.toCopy = nil
	s.vars, s.flat, s.funcs, s.targets = map[*Var][]*Var{}, map[*Var]*Var{}, map[*Func]*Func{}, map[Stmt]Stmt{}
	for _, p := range s.kernel.Entry().Params {
		if HoldsStructs(p.Type) {
			s.flat[p] = s.flatten(p)
		}
	}
	split := *s.kernel
	split.Structs, split.Funcs = nil, nil
	for _, f := range s.kernel.Funcs {
		if s.refused == "" {
			split.Funcs = append(split.Funcs, s.function(f))
		}
	}
	return &split
}

// function rewrites a function. A parameter of the kernel is flattened; one of a callee, like each result,
// becomes several.
func (s *splitter) function(f *Func) *Func {
	split := &Func{Name: f.Name, C: f.C, Pos: f.Pos, End: f.End}
	s.funcs[f] = split
	var before []Stmt
	s.after = nil
	for _, p := range f.Params {
		if flat := s.flat[p]; flat != nil {
			split.Params = append(split.Params, flat)
			before = append(before, s.copyIn(p)...)
			continue
		}
		split.Params = append(split.Params, s.variable(p)...)
	}
	for _, t := range f.Results {
		for _, p := range partsOf(t) {
			split.Results = append(split.Results, p.t)
		}
	}
	body := s.block(f.Body).Stmts
	if n := len(body); n == 0 || !Is[*Return](body[n-1]) {
		body = append(body, s.after...)
	}
	split.Body = &Block{append(before, body...)}
	return split
}

// variable returns the variables that v is split into.
func (s *splitter) variable(v *Var) []*Var {
	if v == nil || !HoldsStructs(v.Type) {
		return []*Var{v}
	}
	if s.vars[v] == nil {
		s.vars[v] = each(partsOf(v.Type), func(p part) *Var {
			return &Var{Name: v.Name + p.name, Type: p.t, Pos: v.Pos, Const: v.Const}
		})
	}
	return s.vars[v]
}

func (s *splitter) block(b *Block) *Block {
	if b == nil {
		return nil
	}
	return &Block{concat(b.Stmts, s.stmt)}
}

// stmt returns the statements that replace t; nil replaces nil.
func (s *splitter) stmt(t Stmt) []Stmt {
	switch t := t.(type) {
	case *Block:
		return []Stmt{s.block(t)}
	case *Decl:
		return s.decl(t)
	case *Assign:
		return s.assign(t)
	case *Do:
		return []Stmt{s.do(t)}
	case *If:
		return []Stmt{&If{Cond: s.expr(t.Cond), Then: s.block(t.Then), Else: s.stmt(t.Else)[0], Pos: t.Pos}}
	case *For:
		return []Stmt{s.loop(t)}
	case *Switch:
		return []Stmt{s.switchCase(t)}
	case *Branch:
		return []Stmt{&Branch{Continue: t.Continue, Target: s.targets[t.Target], Pos: t.Pos}}
	case *Barrier:
		return []Stmt{&Barrier{concat(t.Vars, s.variable)}}
	case *Return:
		return s.ret(t)
	}
	return []Stmt{t}
}

func (s *splitter) loop(t *For) *For {
	split := &For{Cond: s.expr(t.Cond), Pos: t.Pos}
	s.targets[t] = split
	split.Init, split.Post = s.stmt(t.Init)[0], s.stmt(t.Post)[0] // of scalars
	split.Body = s.block(t.Body)
	return split
}

func (s *splitter) switchCase(t *Switch) *Switch {
	split := &Switch{Tag: s.expr(t.Tag), Pos: t.Pos}
	s.targets[t] = split
	for _, c := range t.Cases {
		split.Cases = append(split.Cases, &Case{Values: each(c.Values, s.expr), Default: c.Default, Body: s.block(c.Body), Fallthrough: c.Fallthrough})
	}
	return split
}

// decl declares everything that a variable is split into. A call stores its results there.
func (s *splitter) decl(t *Decl) []Stmt {
	vars := s.variable(t.Var)
	call, isCall := t.Init.(*Call)
	isCall = isCall && HoldsStructs(t.Var.Type)
	var values []Expr
	if t.Init != nil && !isCall {
		values = s.parts(t.Init)
	}
	var list []Stmt
	for i, v := range vars {
		d := &Decl{Var: v, Pos: t.Pos}
		if values != nil {
			d.Init = values[i]
		}
		list = append(list, d)
	}
	if isCall {
		list = append(list, &Do{Call: s.call(call), Into: vars, Pos: t.Pos})
	}
	return list
}

// assign assigns all parts of a place. Computed values are evaluated before any part is assigned,
// as they may depend on the place.
func (s *splitter) assign(t *Assign) []Stmt {
	base := s.base(t.L)
	if Is[Basic](t.L.Type()) || base == nil && !HoldsStructs(t.L.Type()) {
		return []Stmt{&Assign{L: s.expr(t.L), Op: t.Op, R: s.expr(t.R), Pos: t.Pos, Fits: t.Fits}}
	}
	var list []Stmt
	r := t.R
	switch r.(type) {
	case *Call, *Composite:
		list, r = s.apart(r, t.Pos)
	}
	places, values := s.parts(t.L), s.parts(r)
	if base != nil {
		places, values = scalars(t.L.Type(), places), scalars(t.L.Type(), values)
	}
	for i, l := range places {
		list = append(list, &Assign{L: l, R: values[i], Pos: t.Pos})
	}
	return list
}

// apart declares a variable with the value of e, and returns it.
func (s *splitter) apart(e Expr, pos Pos) ([]Stmt, Expr) {
	v := &Var{Name: "t", Type: e.Type(), Pos: pos}
	return s.decl(&Decl{Var: v, Init: e, Pos: pos}), NewRef(v, pos)
}

func (s *splitter) do(t *Do) *Do {
	split := &Do{X: s.expr(t.X), Pos: t.Pos}
	if t.Math != nil {
		split.Math = s.expr(t.Math).(*Math)
		split.Into = t.Into
		return split
	}
	if t.Call == nil {
		return split
	}
	split.Call = s.call(t.Call)
	for i, v := range t.Into {
		if v == nil {
			split.Into = append(split.Into, make([]*Var, len(partsOf(t.Call.Func.Results[i])))...)
			continue
		}
		split.Into = append(split.Into, s.variable(v)...)
	}
	return split
}

// ret returns all parts of the results, after taking those of a call from it.
func (s *splitter) ret(t *Return) []Stmt {
	var list []Stmt
	split := &Return{Pos: t.Pos}
	for _, r := range t.Results {
		if Is[*Call](r) && HoldsStructs(r.Type()) {
			var before []Stmt
			before, r = s.apart(r, t.Pos)
			list = append(list, before...)
		}
		split.Results = append(split.Results, s.parts(r)...)
	}
	return append(append(list, s.after...), split)
}

// expr returns the rewritten form of an expression without structs.
func (s *splitter) expr(e Expr) Expr {
	if e == nil {
		return nil
	}
	return s.parts(e)[0]
}

// parts returns the parts of e, a value with structs or a pointer to one; or the rewritten e alone.
// The X of an Index or a Select contains no call that returns structs: the front end stores such
// results in variables.
func (s *splitter) parts(e Expr) []Expr {
	if v := s.base(e); v != nil {
		if p, ok := e.Type().(*Pointer); ok {
			return s.pointersAt(v, s.from(e), s.begin(e), p.Elem, e.Pos())
		}
		return valuesAt(s.from(e), s.begin(e), e.Type(), e.Pos())
	}
	if c := s.ofConst(e); c != nil {
		return constParts(c)
	}
	switch e := e.(type) {
	case *Ref:
		if !HoldsStructs(e.Var.Type) {
			return []Expr{e}
		}
		list := each(s.variable(e.Var), func(v *Var) Expr { return NewRef(v, e.At.At) })
		if s.copied[e.Var] {
			return each(list, func(x Expr) Expr { return &AddrOf{At: At{&Pointer{x.Type()}, e.At.At}, X: x} })
		}
		return list
	case *Index:
		i := s.subscript(e)
		if p, ok := e.X.Type().(*Pointer); ok && HoldsStructs(p) && !Is[*Array](p.Elem) { // in C
			if !IsZero(i) {
				s.refuse("a pointer that steps through structs")
			}
			return each(s.parts(e.X), func(x Expr) Expr { return value(x, e.At.At) })
		}
		return each(s.parts(e.X), func(x Expr) Expr {
			t := e.T
			if HoldsStructs(t) {
				t = elemOf(x)
			}
			return &Index{At: At{t, e.At.At}, X: indexed(x), I: i, InRange: e.InRange, There: e.There, Before: e.Before}
		})
	case *Select:
		return s.field(e)
	case *Deref:
		return each(s.parts(e.X), func(x Expr) Expr { return value(x, e.At.At) })
	case *AddrOf:
		if v := s.base(e.X); v != nil {
			return s.pointersAt(v, s.from(e.X), s.begin(e.X), e.X.Type(), e.At.At)
		}
		return each(s.parts(e.X), func(x Expr) Expr {
			if d, ok := x.(*Deref); ok {
				return d.X
			}
			return &AddrOf{At: At{&Pointer{x.Type()}, e.At.At}, X: x}
		})
	case *Composite:
		return s.composite(e)
	}
	if HoldsStructs(e.Type()) {
		s.refuse("structs within expressions")
		return make([]Expr, len(partsOf(e.Type())))
	}
	return []Expr{s.simple(e)}
}

// simple rewrites an expression that has structs only in the arguments of calls.
func (s *splitter) simple(e Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		split := *e
		split.X = s.expr(e.X)
		return &split
	case *Binary:
		split := *e
		split.X, split.Y = s.expr(e.X), s.expr(e.Y)
		return &split
	case *Convert:
		return &Convert{At: e.At, X: s.expr(e.X)}
	case *Call:
		return s.call(e)
	case *Math:
		return &Math{At: e.At, Name: e.Name, Args: each(e.Args, s.expr)}
	}
	return e
}

// call passes all parts of the arguments.
func (s *splitter) call(c *Call) *Call {
	return &Call{At: c.At, Func: s.funcs[c.Func], Args: concat(c.Args, s.parts)}
}

// field returns the parts of a field of a struct, or of one that is pointed to.
func (s *splitter) field(e *Select) []Expr {
	t := Elem(e.X.Type()).(*Struct)
	first := 0
	for _, f := range t.Fields {
		n := len(partsOf(f.Type))
		if f.Name == e.Field {
			return each(s.parts(e.X)[first:first+n], func(x Expr) Expr { return value(x, e.At.At) })
		}
		first += n
	}
	return nil
}

// composite returns the value of each part of a composite; missing elements are zero.
func (s *splitter) composite(e *Composite) []Expr {
	var list []Expr
	switch t := e.T.(type) {
	case *Struct:
		for i, f := range t.Fields {
			if e.Elems[i] != nil {
				list = append(list, s.parts(e.Elems[i])...)
				continue
			}
			for _, p := range partsOf(f.Type) {
				list = append(list, NewZero(p.t, e.At.At))
			}
		}
	case *Array:
		elems := make([][]Expr, t.Len)
		for i, x := range e.Elems {
			if x != nil {
				elems[i] = s.parts(x)
			}
		}
		return together(t, elems, e.At.At)
	}
	return list
}
