package kernel

import "github.com/go-op2/op2/internal/loop"

const (
	local   = -1 - iota
	nowhere // consts of Go kernels, and what is not tracked
)

// exact reports whether the scalars of l are known one by one.
func (l location) exact() bool { return l.lo == l.hi && !l.vague }

// parameter reports whether l is in one of the kernel's parameters.
func (l location) parameter() bool { return l.root >= 0 }

// slots returns the range of slots that l may start at; ok is false if it has none.
func (l location) slots() (from, to int, ok bool) {
	if l.root != local || l.local.slot < 0 || l.vague {
		return 0, 0, false
	}
	return l.local.slot + l.lo, l.local.slot + l.hi, true
}

// locate returns the location of the lvalue or pointer e. It executes the subscripts in e.
func (a *analysis) locate(e Expr) location {
	switch e := e.(type) {
	case *Ref:
		v := a.vars[e.Var]
		switch {
		case v == nil:
			return location{root: nowhere}
		case v.pointer:
			return v.target
		}
		return location{root: local, local: v, size: v.count}
	case *ConstRef:
		if a.c {
			v := a.constant(e.Const)
			return location{root: local, local: v, size: v.count}
		}
	case *Index:
		return a.index(e)
	case *Select:
		l := a.locate(e.X)
		if s, ok := Elem(e.X.Type()).(*Struct); ok {
			t, offset := s.Field(e.Field)
			l = l.part(offset, offset, a.count(t, l))
			if Is[*Array](t) && a.c && l.exact() {
				l.field = &span{l.lo, l.lo + l.size}
			}
		}
		return l
	case *Deref:
		l := a.locate(e.X)
		return l.part(0, 0, a.count(e.T, l))
	case *AddrOf:
		a.address, _ = e.X.(*Index)
		return a.locate(e.X)
	}
	a.eval(e)
	return location{root: nowhere}
}

// constant returns the variable that stands for a const of a C kernel, whose values are not tracked.
func (a *analysis) constant(c *Const) *variable {
	v := a.consts[c]
	if v == nil {
		v = &variable{slot: -1, count: Count(c.Type), of: c}
		a.consts[c] = v
	}
	return v
}

// part returns the location of size scalars that start between lo and hi within l.
func (l location) part(lo, hi, size int) location {
	if l.root != nowhere {
		l.lo += lo
		l.hi += hi
		l.size = size
	}
	return l
}

// count returns the number of scalars of a value of type t, where a pointer to a row of a parameter
// stands for the row.
func (a *analysis) count(t Type, l location) int {
	switch t := t.(type) {
	case Basic:
		return 1
	case *Array:
		return t.Len * a.count(t.Elem, l)
	case *Pointer:
		if l.parameter() {
			return a.params[l.root].cols
		}
		return 0
	}
	return Count(t)
}

// total returns the number of scalars of the object that contains l.
func (a *analysis) total(l location) int {
	switch {
	case l.parameter():
		return a.params[l.root].total
	case l.root == local:
		return l.local.count
	}
	return 0
}

// index returns the location of e, and records whether its subscript is in range. In Go a subscript that is
// not ends the kernel: afterward it is known to be within the bounds. In C it accesses memory: the location
// is then anywhere in the parameter or variable. C's arrays also have two bounds: the declared ones, of a row
// or a field, beyond which a subscript is a stray, and those of all the memory there is.
func (a *analysis) index(e *Index) location {
	base := a.locate(e.X)
	i := a.eval(e.I)
	length, elem := subscripted(e, a.c)
	if a.c && base.root != nowhere && isParam(e.X) {
		length = 0
	}
	stride := a.count(elem, base)
	first, last := int64(0), int64(length)-1
	there, inField := interval{0, -1}, true
	if a.c && base.root != nowhere {
		from, to := a.reach(base, stride)
		if _, row := e.X.(*Index); row && length == 0 { // of an array of pointers: no other row follows
			from, to = 0, int64(base.size/max(stride, 1))-1
		}
		there = interval{from, to}
		if base.field != nil {
			there = base.within(base.field.first, base.field.end, stride)
		}
		if field, is := e.X.(*Select); is && length > 0 && !field.Walked {
			from, to = 0, int64(length)-1
			there = interval{from, to}
		}
		inField = e == a.address || there.contains(i)
		if !inField {
			a.stray(e, base, i, there, interval{from, to})
		}
		if length == 0 {
			first, last = from, to
		}
		first, last = max(first, from), min(last, to)
	}
	switch {
	case a.c && e != a.address: // which may be that of the end
		a.measure(e, there)
	case !a.c && (i.lo < first || last < i.hi):
		a.leaves(e, base, i, interval{first, last})
	}
	within := first <= i.lo && i.hi <= last
	a.mark(e, within && inField)
	if base.parameter() {
		e.Of |= 1 << base.root
	}
	if base.root == nowhere {
		return base
	}
	if !within {
		if a.c || i.hi < first || last < i.lo || last < first { // C accesses it; Go panics
			return location{
				root: base.root, local: base.local, via: base.via,
				hi: max(a.total(base)-stride, 0), size: stride, vague: true,
			}
		}
		i = interval{max(i.lo, first), min(i.hi, last)}
	}
	return base.part(int(i.lo)*stride, int(i.hi)*stride, stride)
}

// subscripted returns the length and the element type of the indexed value. The length is 0 if the
// type does not contain it.
func subscripted(e *Index, c bool) (length int, elem Type) {
	switch t := e.X.Type().(type) {
	case *Array:
		return t.Len, t.Elem
	case *Pointer:
		if array, ok := t.Elem.(*Array); ok && (!c || Same(array.Elem, e.T)) {
			return array.Len, array.Elem
		}
		return 0, t.Elem
	}
	return 0, e.T
}

// isParam reports whether e is a parameter as C declares it: the length of an array there, as in
// double x[3], means nothing.
func isParam(e Expr) bool {
	return Is[*Ref](e) && Is[*Pointer](e.Type())
}

// reach returns the range of subscripts, in steps of stride, that lead from l to places within the
// same object: a C array is as long as the data behind it.
func (a *analysis) reach(l location, stride int) (first, last int64) {
	there := l.within(0, a.total(l), stride)
	return there.lo, there.hi
}

// within returns the range of subscripts, in steps of stride, that lead from l to one of the scalars
// from first up to end.
func (l location) within(first, end, stride int) interval {
	if stride <= 0 || l.vague || end-first < stride {
		return interval{0, -1}
	}
	return interval{int64(-((l.lo - first) / stride)), int64((end - stride - l.hi) / stride)}
}

// mark records that e was executed with its subscript in range, or perhaps not.
func (a *analysis) mark(e *Index, within bool) {
	switch {
	case a.s == nil || within && e.InRange:
	case !within:
		e.InRange = false
		if a.failed == nil {
			a.failed = map[*Index]bool{}
		}
		a.failed[e] = true
	default:
		e.InRange = !a.failed[e]
	}
}

// markWrap records that x op y, whose Fits is at fits, was computed.
func (a *analysis) markWrap(fits *bool, op Op, t loop.Scalar, x, y interval) {
	if a.s == nil || !t.Signed() && (op != Div && op != Rem || !t.Integer()) {
		return
	}
	if wraps(op, t, x, y) {
		if a.wrapped == nil {
			a.wrapped = map[*bool]bool{}
		}
		a.wrapped[fits] = true
	}
	*fits = !a.wrapped[fits]
}

// load reads the value of type t at l. With toAdd, the value is only added to.
func (a *analysis) load(l location, t Type, pos Pos, toAdd bool) interval {
	scalar := Scalar(t)
	if a.s == nil {
		return rangeOf(scalar)
	}
	if l.parameter() {
		a.loadParam(l, pos, toAdd)
		return rangeOf(scalar)
	}
	from, to, ok := l.slots()
	if !ok || l.size != 1 {
		return rangeOf(scalar)
	}
	v := a.s.values[from]
	for i := from + 1; i <= to; i++ {
		v = v.hull(a.s.values[i])
	}
	return v
}

// loadParam notes a read of a parameter, and whether it is early: before the scalar is certainly written. A
// location that is not exact is early only if none of the scalars that it may be has been written.
func (a *analysis) loadParam(l location, pos Pos, toAdd bool) {
	use, param := &a.uses[l.root], &a.params[l.root]
	a.note(&use.Read, l, pos)
	if !toAdd {
		a.note(&use.NotAdd, l, pos)
	}
	if use.Early.Known() || a.s.blurred[l.root] {
		return
	}
	if l.exact() {
		for c := l.lo; c < l.lo+l.size; c++ {
			if !a.s.isWritten(param.bits + c) {
				a.note(&use.Early, l, pos)
				use.EarlyAt = c
				return
			}
		}
		return
	}
	for c := l.lo; c < min(l.hi+l.size, param.room); c++ {
		if a.s.isWritten(param.bits + c) {
			return
		}
	}
	a.note(&use.Early, l, pos)
	use.EarlyAt = -1
}

// store writes v, a single scalar, at l.
func (a *analysis) store(l location, v interval, pos Pos, added bool) {
	switch {
	case a.s == nil:
	case l.parameter():
		a.storeParam(l, pos, added)
	default:
		from, to, ok := l.slots()
		if ok && from == to {
			a.s.values[from] = v
			return
		}
		for i := from; ok && i <= to; i++ {
			a.s.values[i] = a.s.values[i].hull(v)
		}
	}
}

// storeAll writes values, nil if unknown, at l.
func (a *analysis) storeAll(l location, values []interval, pos Pos) {
	switch {
	case a.s == nil:
	case l.parameter():
		a.storeParam(l, pos, false)
	default:
		from, to, ok := l.slots()
		if ok && from == to && len(values) == l.size {
			copy(a.s.values[from:], values)
			return
		}
		for i := from; ok && i < to+l.size; i++ {
			a.s.values[i] = a.ranges[i]
		}
	}
}

// storeParam notes a write of a parameter. One at a location that is not exact sets no scalar for certain;
// from then on reads of the parameter are no longer judged.
func (a *analysis) storeParam(l location, pos Pos, added bool) {
	use, param := &a.uses[l.root], &a.params[l.root]
	a.note(&use.Write, l, pos)
	if !added {
		a.note(&use.NotAdd, l, pos)
	}
	if !l.exact() {
		a.s.blurred[l.root] = true
		return
	}
	for c := l.lo; c < l.lo+l.size; c++ {
		a.s.setWritten(param.bits + c)
	}
}

// escape drops the facts about l, because a pointer to it escapes.
func (a *analysis) escape(l location, pos Pos) {
	if a.s != nil && l.parameter() {
		a.note(&a.uses[l.root].Opaque, l, pos)
	}
}

// note sets *at, unless already set, to the place in the kernel's own function where l is used: a
// use in a callee counts where the pointer was passed.
func (a *analysis) note(at *Pos, l location, pos Pos) {
	if at.Known() {
		return
	}
	switch {
	case l.via != nil:
		*at = *l.via
	case pos.Known():
		*at = pos
	default:
		*at = a.somewhere
	}
}

// isPointer reports whether a value of type t is a pointer where it is used.
func (a *analysis) isPointer(t Type) bool {
	return Is[*Pointer](t) || a.c && Is[*Array](t)
}

// followed returns the number of slots of a local variable of type t: bools, integers and small
// arrays of them are tracked.
func followed(t Type, c bool) int {
	const most = 64
	if _, scalar := t.(Basic); c && !scalar {
		return 0 // unknown aliases
	}
	n := Count(t)
	if leaf := Leaf(t); leaf == loop.Invalid || !counts(leaf) || n > most {
		return 0
	}
	return n
}
