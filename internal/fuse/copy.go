package fuse

import (
	"go/constant"
	"reflect"

	"github.com/go-op2/op2/internal/kernel"
)

// columns is the number of columns that a line of a source may have: the columns of part i of a fused
// kernel begin at i times as many, so that a position says which part it is in.
const columns = 1 << 16

// Locate returns the part of a fused kernel that a position is in, and the position there.
func Locate(pos kernel.Pos) (part int, there kernel.Pos) {
	part, pos.Col = pos.Col/columns, pos.Col%columns
	return part, pos
}

// copier copies functions: Analyze marks those of a fused kernel, and its marks do not hold for the parts.
type copier struct {
	part    int
	structs []*kernel.Struct // those of the parts so far: equal ones become one
	consts  map[string]*kernel.Const
	copies  map[any]reflect.Value // of functions, variables, statements and expressions of the part
}

// begin starts to copy another part.
func (c *copier) begin(part int) { c.part, c.copies = part, map[any]reflect.Value{} }

// function copies a function, and those that it calls.
func (c *copier) function(f *kernel.Func) *kernel.Func {
	return c.copy(reflect.ValueOf(f)).Interface().(*kernel.Func)
}

// copy copies a node of the IR, and everything below it.
func (c *copier) copy(node reflect.Value) reflect.Value {
	if of, ok := node.Interface().(*kernel.Const); ok {
		return reflect.ValueOf(c.consts[of.Name])
	}
	own, known := c.copies[node.Interface()]
	if !known {
		own = reflect.New(node.Type().Elem())
		c.copies[node.Interface()] = own // before what is below, which may refer to it
		own.Elem().Set(node.Elem())
		c.renew(own.Elem())
	}
	return own
}

// renew copies what a part of a node refers to, with the columns of the part and the fused kernel's types.
func (c *copier) renew(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if pos, ok := v.Addr().Interface().(*kernel.Pos); ok {
			*pos = c.pos(*pos)
			return
		}
		for i := range v.NumField() {
			c.renew(v.Field(i))
		}
	case reflect.Slice:
		if !v.IsNil() {
			own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(own, v)
			v.Set(own)
		}
		for i := range v.Len() {
			c.renew(v.Index(i))
		}
	case reflect.Pointer, reflect.Interface:
		switch of := v.Interface().(type) {
		case constant.Value:
		case kernel.Stmt, kernel.Expr, *kernel.Func, *kernel.Var, *kernel.Case, *kernel.Const:
			if node := reflect.ValueOf(of); !node.IsNil() {
				v.Set(c.copy(node))
			}
		case kernel.Type:
			v.Set(reflect.ValueOf(c.typ(of)))
		}
	}
}

func (c *copier) pos(p kernel.Pos) kernel.Pos {
	if p.Known() {
		p.Col += c.part * columns
	}
	return p
}

// typ returns t with the fused kernel's structs.
func (c *copier) typ(t kernel.Type) kernel.Type {
	switch t := t.(type) {
	case *kernel.Array:
		return &kernel.Array{Len: t.Len, Elem: c.typ(t.Elem), Count: t.Count}
	case *kernel.Pointer:
		return &kernel.Pointer{Elem: c.typ(t.Elem)}
	case *kernel.Struct:
		for _, known := range c.structs {
			if kernel.Same(known, t) {
				return known
			}
		}
	}
	return t
}

// declare adds the structs of a kernel.
func (c *copier) declare(k *kernel.Kernel) {
	for _, s := range k.Structs {
		if known := c.typ(s).(*kernel.Struct); known != s {
			continue
		}
		own := &kernel.Struct{Name: s.Name}
		for _, f := range s.Fields {
			f.Type = c.typ(f.Type)
			own.Fields = append(own.Fields, f)
		}
		c.structs = append(c.structs, own)
	}
}
