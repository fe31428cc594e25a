package fuse

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// compose makes the fused kernel. Its function loads shared values into variables, calls the kernels'
// functions with these, and stores the results.
func (f *fuser) compose() {
	k := f.fused.Kernel
	c := &copier{consts: map[string]*kernel.Const{}}
	f.consts(c)
	for i := range f.parts {
		c.declare(f.parts[i].Kernel)
	}
	k.Structs = c.structs

	first := f.parts[0].Kernel.Entry()
	entry := &kernel.Func{Name: k.Name, Pos: first.Pos, End: first.End, Body: &kernel.Block{}}
	entry.C = slices.ContainsFunc(f.parts, func(p Part) bool { return p.Kernel.IsC() })
	body := &entry.Body.Stmts
	for _, v := range f.values {
		entry.Params = append(entry.Params, f.variables(c, v)...)
		*body = append(*body, v.begin()...)
	}
	for i := range f.parts {
		c.begin(i)
		for _, fn := range f.parts[i].Kernel.Funcs {
			k.Funcs = append(k.Funcs, c.function(fn))
		}
		call := &kernel.Call{Func: k.Entry()}
		for _, v := range f.passed[i] {
			call.Args = append(call.Args, v.argument(call.Func.Params[len(call.Args)].Type))
		}
		*body = append(*body, &kernel.Do{Call: call})
		if b := f.barrier(i); len(b.Vars) > 0 {
			*body = append(*body, b)
		}
	}
	for _, v := range f.values {
		*body = append(*body, v.end()...)
	}
	k.Funcs = append(k.Funcs, entry)
}

// consts collects the consts of all kernels.
func (f *fuser) consts(c *copier) {
	list := &f.fused.Kernel.Consts
	for i := range f.parts {
		for _, own := range f.parts[i].Kernel.Consts {
			if c.consts[own.Name] == nil {
				c.consts[own.Name] = &kernel.Const{Name: own.Name, Type: own.Type, Pos: own.Pos}
				*list = append(*list, c.consts[own.Name])
			}
		}
	}
	sorting.By(*list, kernel.ByName)
}

// variables gives v its variables, and returns the fused kernel's parameter, if it is one.
func (f *fuser) variables(c *copier, v *value) []*kernel.Var {
	t := c.typ(v.t)
	if v.own == nil && v.last > v.part && f.parts[v.part].Loop.Args[v.args[0]].Kind == loop.Dat && !kernel.TakesRows(v.t) {
		v.own = &kernel.Var{Name: v.param.Name}
	}
	if v.own != nil {
		v.own.Type = t
	}
	if v.of == nil {
		return nil
	}
	v.of.Type = &kernel.Pointer{Elem: t}
	return []*kernel.Var{v.of}
}

// begin declares the variable for a value, and loads it.
func (v *value) begin() []kernel.Stmt {
	if v.own == nil {
		return nil
	}
	list := []kernel.Stmt{&kernel.Decl{Var: v.own}}
	if v.access != loop.Write {
		list = append(list, assign(ref(v.own), deref(v.of))...)
	}
	return list
}

// end stores the variable of a value that some kernel writes.
func (v *value) end() []kernel.Stmt {
	if v.own == nil || v.of == nil || !v.written {
		return nil
	}
	return assign(deref(v.of), ref(v.own))
}

// argument returns the argument for a kernel's parameter of type t.
func (v *value) argument(t kernel.Type) kernel.Expr {
	var to kernel.Expr
	if v.own != nil {
		to = ref(v.own)
	} else {
		to = deref(v.of)
	}
	array, ok := to.Type().(*kernel.Array)
	if ok && kernel.Same(array.Elem, kernel.Elem(t)) { // the only element, or in C the first of several
		to = index(to, intLit(0))
	} else if v.own == nil {
		return ref(v.of)
	}
	return &kernel.AddrOf{At: kernel.At{T: &kernel.Pointer{Elem: to.Type()}}, X: to}
}

// barrier returns the barrier after part i, of the variables that the parts up to there share with later ones.
func (f *fuser) barrier(i int) *kernel.Barrier {
	b := &kernel.Barrier{}
	for _, v := range f.values {
		if v.own != nil && v.part <= i && v.last > i && slices.ContainsFunc(kernel.Scalars(v.own.Type), loop.Scalar.Float) {
			b.Vars = append(b.Vars, v.own)
		}
	}
	return b
}

// assign returns statements that assign a value: of an array of scalars one by one, which compilers
// keep in registers.
func assign(to, from kernel.Expr) []kernel.Stmt {
	t, ok := to.Type().(*kernel.Array)
	if !ok {
		return []kernel.Stmt{&kernel.Assign{L: to, R: from}}
	}
	i := &kernel.Var{Name: "i", Type: kernel.Basic(loop.Int64)}
	return []kernel.Stmt{kernel.NewCount(i, intLit(t.Len), assign(index(to, ref(i)), index(from, ref(i))), kernel.Pos{})}
}

func ref(v *kernel.Var) kernel.Expr { return kernel.NewRef(v, kernel.Pos{}) }

func deref(v *kernel.Var) kernel.Expr {
	return &kernel.Deref{At: kernel.At{T: kernel.Elem(v.Type)}, X: ref(v)}
}

func index(x, i kernel.Expr) kernel.Expr { return kernel.NewIndex(x, i, kernel.Pos{}) }

func intLit(n int) kernel.Expr { return kernel.NewInt(n, kernel.Basic(loop.Int64), kernel.Pos{}) }
