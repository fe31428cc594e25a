package codegen

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// stops reports whether a loop has to end when something in it has failed.
func (p *printer) stops(s *kernel.For) bool {
	if p.device == nil {
		return false
	}
	fails, _ := p.examine(s)
	return fails
}

// goesOn returns the condition of a loop that ends when something has failed.
func (p *printer) goesOn(cond kernel.Expr) string {
	if cond == nil {
		return "!op2->failed"
	}
	return "!op2->failed && " + p.operand(cond, precLAnd)
}

// localConsts gives f copies of the consts that it passes on as arrays, because its pointers cannot
// lead to the memory of consts.
func (p *printer) localConsts(f *kernel.Func) {
	p.device.locals = map[*kernel.Const]string{}
	element := map[kernel.Expr]bool{}
	kernel.Walk(f.Body, nil, func(e kernel.Expr) {
		if x, ok := e.(*kernel.Index); ok && !isArray(x.Type()) {
			for ok {
				e = x.X
				x, ok = e.(*kernel.Index)
			}
			element[e] = true
		}
	})
	kernel.Walk(f.Body, nil, func(e kernel.Expr) {
		ref, ok := e.(*kernel.ConstRef)
		if !ok || !isArray(ref.Type()) || element[e] || p.device.locals[ref.Const] != "" {
			return
		}
		t := ref.Const.Type
		name := p.scope.fresh(ref.Const.Name)
		p.w.line("%s;", p.decl(t, name, false))
		p.eachValue(name, "op2->consts->"+p.consts[ref.Const], t)
		p.device.locals[ref.Const] = name
	})
}

// copyValues prints to = from for arrays of type t, of the given size in C.
func (p *printer) copyValues(to, from, size string, t kernel.Type) {
	if p.device == nil {
		p.w.line("memcpy(%s, %s, %s);", to, from, size)
		return
	}
	p.eachValue(to, from, t)
}

// eachValue prints to = from for arrays of type t, value by value.
func (p *printer) eachValue(to, from string, t kernel.Type) {
	mark := p.scope.enter()
	loops := ""
	for a, ok := t.(*kernel.Array); ok; a, ok = t.(*kernel.Array) {
		i := p.scope.fresh("i")
		loops += fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]d; %[1]s++) ", i, a.Len)
		to, from, t = to+"["+i+"]", from+"["+i+"]", a.Elem
	}
	p.scope.leave(mark)
	p.w.line("%s%s = %s;", loops, to, from)
}

// inPlaceParam declares a parameter that leads to device memory.
func (p *printer) inPlaceParam(v *kernel.Var, name string) string {
	elem := kernel.Elem(v.Type)
	inner := ""
	if array, ok := elem.(*kernel.Array); ok {
		inner = dims(array.Elem)
	}
	if inner != "" {
		name = "(*" + name + ")" + inner
	} else {
		name = "*" + name
	}
	return p.device.global + "const " + p.ctype(elem, false) + " " + name
}

// contextText declares the context of a work-item.
const contextText = `typedef struct {
CONSTSFAULTS} op2_context;
`

// contextFaults are the members of a context for recording faults.
const contextFaults = `	GLOBALint *faults; // the first element that failed, the number of records, and the records
	int element;
	bool failed;
`

// The fault record on a device: FaultSlots times FaultWords int32 after the first FaultWords, of
// which the first is the number of the first element that failed and the second how often a lower
// one was found. Each record has element, kind, line, column, and two 64-bit numbers, the lower half
// first.
const (
	FaultSlots = 64
	FaultWords = 8
)

// deviceFault records what panics in Go.
const deviceFault = `// Records a fault, where Go would panic; the caller reports it.
FUNCTION void op2_fault(op2_context *op2, int kind, int line, int column, int64_t a, int64_t b)
{
	if (op2->failed)
		return;
	op2->failed = true;
	if (ATOMICMIN <= op2->element)
		return;
	GLOBALint *at = op2->faults + 8 + 8 * (ATOMICINC % 64);
	at[0] = op2->element;
	at[1] = kind;
	at[2] = line;
	at[3] = column;
	at[4] = (int)a;
	at[5] = (int)(a >> 32);
	at[6] = (int)b;
	at[7] = (int)(b >> 32);
}
`

// isFloat64 reports whether anything in the loop or its kernel has double precision.
func isFloat64(l *loop.Loop, k *kernel.Kernel) bool {
	for _, d := range l.Data {
		if d.Type == loop.Float64 || d.Value != nil && slices.ContainsFunc(d.Value.Leaves(), func(l loop.Leaf) bool { return l.Scalar == loop.Float64 }) {
			return true
		}
	}
	found := !k.Captured()
	for _, f := range k.Funcs {
		kernel.Walk(f.Body, func(s kernel.Stmt) {
			if d, ok := s.(*kernel.Decl); ok {
				found = found || kernel.Leaf(d.Var.Type) == loop.Float64
			}
		}, func(e kernel.Expr) { found = found || kernel.Leaf(e.Type()) == loop.Float64 })
	}
	return found
}
