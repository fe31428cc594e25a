package ckernel

import (
	"fmt"

	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
)

// localConsts gives f copies of the consts that it takes the address of, for example of an array that it
// passes on: its pointers cannot lead to the memory of consts. An array is used as an address wherever it is neither
// subscripted nor has a field selected.
func (p *Printer) localConsts(f *kernel.Func) {
	p.locals = map[*kernel.Const]string{}
	inner := map[kernel.Expr]bool{} // the X of a subscript or a field
	for _, e := range kernel.All[kernel.Expr](f.Body) {
		if kernel.Is[*kernel.Index](e) || kernel.Is[*kernel.Select](e) {
			inner[kernel.Operands(e)[0]] = true
		}
	}
	for _, e := range kernel.All[kernel.Expr](f.Body) {
		at := e
		if address, ok := e.(*kernel.AddrOf); ok {
			at = address.X
		} else if inner[e] || !facts.IsArray(e.Type()) {
			continue
		}
		if ref, ok := kernel.Base(at).(*kernel.ConstRef); ok && p.locals[ref.Const] == "" {
			name := p.scope.Fresh(ref.Const.Name)
			p.w.Line("%s;", p.Decl(ref.Const.Type, name, false))
			p.eachValue(name, p.target.Consts+p.consts[ref.Const], ref.Const.Type)
			p.locals[ref.Const] = name
		}
	}
}

// copyValues prints to = from for arrays of type t, of the given size in C.
func (p *Printer) copyValues(to, from, size string, t kernel.Type) {
	if !p.target.Apart {
		p.w.Line("__builtin_memcpy(%s, %s, %s);", to, from, size)
		return
	}
	p.eachValue(to, from, t)
}

// eachValue prints to = from for arrays of type t, value by value.
func (p *Printer) eachValue(to, from string, t kernel.Type) {
	mark := p.scope.Enter()
	loops := ""
	for a, ok := t.(*kernel.Array); ok; a, ok = t.(*kernel.Array) {
		i := p.scope.Fresh("i")
		loops += fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]d; %[1]s++) ", i, a.Len)
		to, from, t = to+"["+i+"]", from+"["+i+"]", a.Elem
	}
	p.scope.Leave(mark)
	p.w.Line("%s%s = %s;", loops, to, from)
}

// inPlaceParam declares a parameter that leads to device memory.
func (p *Printer) inPlaceParam(v *kernel.Var, name string) string {
	return p.pointerTo(v.Type, p.target.Global+"const ", name)
}
