package kernel

// splitter rewrites functions, callees before callers.
type splitter struct {
	kernel  *Kernel
	vars    map[*Var][]*Var // what a variable with structs is split into
	flat    map[*Var]*Var   // what a parameter of the kernel with structs is flattened to
	funcs   map[*Func]*Func
	targets map[Stmt]Stmt // loops and switches
	after   []Stmt        // what comes before each return of the function

	copied  map[*Var]bool // parameters of the kernel that it works on copies of
	toCopy  []*Var        // those that turn out to be necessary, too
	refused string        // why the kernel cannot be split, in a few words
}

// refuse records why the kernel cannot be split, if nothing was recorded before.
func (s *splitter) refuse(why string) {
	if s.refused == "" {
		s.refused = why
	}
}

// part is a field somewhere in a type: its name with those of the enclosing fields, and its type
// with the enclosing arrays.
type part struct {
	name string
	t    Type
}

// partsOf returns the fields of t, or t itself if it holds no structs.
func partsOf(t Type) []part {
	if !HoldsStructs(t) {
		return []part{{"", t}}
	}
	switch t := t.(type) {
	case *Array:
		return each(partsOf(t.Elem), func(p part) part { return part{p.name, &Array{Len: t.Len, Elem: p.t}} })
	case *Pointer:
		return each(partsOf(t.Elem), func(p part) part { return part{p.name, &Pointer{p.t}} })
	}
	return concat(t.(*Struct).Fields, func(f Var) []part {
		return each(partsOf(f.Type), func(p part) part { return part{"_" + f.Name + p.name, p.t} })
	})
}

// value returns x, or its pointee.
func value(x Expr, pos Pos) Expr {
	p, ok := x.Type().(*Pointer)
	if !ok {
		return x
	}
	if a, ok := x.(*AddrOf); ok {
		return a.X
	}
	return &Deref{At: At{p.Elem, pos}, X: x}
}

// indexed returns x as the X of an Index, where a pointer stands for its pointee.
func indexed(x Expr) Expr {
	switch x := x.(type) {
	case *Deref:
		return x.X
	case *AddrOf:
		return x.X
	}
	return x
}

// elemOf returns the element type of x, an array or a pointer to one.
func elemOf(x Expr) Type { return Elem(x.Type()).(*Array).Elem }

// together returns the parts of an array of type t from those of its elements; nil elements are
// zero.
func together(t *Array, elems [][]Expr, pos Pos) []Expr {
	var list []Expr
	for i, p := range partsOf(t) {
		c := &Composite{At: At{p.t, pos}, Elems: make([]Expr, t.Len)}
		for j, parts := range elems {
			if parts != nil {
				c.Elems[j] = parts[i]
			}
		}
		list = append(list, c)
	}
	return list
}
