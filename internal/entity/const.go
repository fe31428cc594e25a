package entity

import (
	"fmt"
	"go/token"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/userkernel"
)

// NewConst makes the variable of that type at ptr a const.
func (rt *Runtime) NewConst(name string, of loop.Type, ptr unsafe.Pointer) error {
	c := constant{ptr: ptr}
	c.site.Capture()
	if err := rt.checkConst(&c, name, of); err != nil {
		err = declaredHere(err)
		if rt.failedConsts[name] == nil {
			rt.failedConsts[name] = err
		}
		return err
	}
	rt.consts[name] = c
	return nil
}

// checkConst sets the layout of a const, if it can be one of that name and type.
func (rt *Runtime) checkConst(c *constant, name string, of loop.Type) (err error) {
	if c.ptr == nil {
		return fmt.Errorf("op2: const %s: the pointer is nil", name)
	}
	if !token.IsIdentifier(name) {
		return fmt.Errorf("op2: const %q: the name of a Go variable is needed\n  hint: kernels read consts by name: op2.NewConst(rt, \"gam\", &gam)", name)
	}
	if first, taken := rt.consts[name]; taken {
		return fmt.Errorf("op2: const %s: there is one of that name already, declared at %s", name, first.site.Site().At)
	}
	if c.layout, err = loop.LayoutFor(of); err != nil {
		return &problem.ShapeError{What: "const " + name, Msg: err.Error()}
	}
	return nil
}

// ConstFailed returns an error for an attempt with a const whose declaration has failed.
func (rt *Runtime) ConstFailed(what, name string) error {
	if _, ok := rt.consts[name]; ok || rt.failedConsts[name] == nil {
		return nil
	}
	return notDeclared(what+": const "+name, rt.failedConsts[name])
}

// KernelConsts returns the runtime's consts for the front ends, by name.
func (rt *Runtime) KernelConsts() []kernel.Const {
	var consts []kernel.Const
	for _, name := range sorting.Keys(rt.consts) {
		consts = append(consts, kernel.Const{Name: name, Type: kernel.TypeOf(rt.consts[name].layout)})
	}
	return consts
}

// Const is a variable of the program that kernels read.
type Const struct {
	Name, Form string
	Memory     []byte
}

// Consts returns the runtime's consts, by name.
func (rt *Runtime) Consts() []Const {
	var all []Const
	for _, name := range sorting.Keys(rt.consts) {
		c := rt.consts[name]
		all = append(all, Const{name, FormOf(c.layout, loop.Invalid), unsafe.Slice((*byte)(c.ptr), c.layout.Size)})
	}
	return all
}

// ConstAt returns the address of a const.
func (rt *Runtime) ConstAt(name string) unsafe.Pointer { return rt.consts[name].ptr }

// BindConsts looks up the consts that a kernel reads.
func (rt *Runtime) BindConsts(k *kernel.Kernel) ([]userkernel.Const, []kernel.Problem) {
	var consts []userkernel.Const
	var problems []kernel.Problem
	for _, c := range k.Consts {
		registered, ok := rt.consts[c.Name]
		switch {
		case !ok:
			near := spell.DidYouMean(c.Name, sorting.Keys(rt.consts))
			problems = append(problems, kernel.Problem{Pos: c.Pos, Msg: fmt.Sprintf("the kernel reads the variable %s, which is no const of the runtime%s", c.InGo(), near),
				Hint: fmt.Sprintf("declare it with op2.NewConst(rt, %q, &%s), or pass it as an argument", c.Name, c.InGo())})
		case !kernel.Same(kernel.TypeOf(registered.layout), c.Type):
			problems = append(problems, kernel.Problem{Pos: c.Pos, Msg: fmt.Sprintf("the const %s is a %s, the kernel reads it as a %s", c.Name, registered.layout, c.Type),
				Hint: fmt.Sprintf("declare it with op2.NewConst(rt, %q, &%s), with the address of that variable itself", c.Name, c.InGo())})
		default:
			consts = append(consts, userkernel.Const{Name: c.Name, InGo: c.InGo(), Layout: registered.layout, Ptr: registered.ptr})
		}
	}
	return consts, problems
}
