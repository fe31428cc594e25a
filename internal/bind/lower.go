package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// lowered is a call with the description of its loop and the kernel for it.
type lowered struct {
	described
	Kernel *kernel.Kernel
}

// lower lowers a kernel for the shapes of the arguments, some of which may adapt to it.
func lower(d described, k *userkernel.Kernel) (lowered, error) {
	consts := d.Runtime.KernelConsts()
	ir, err := k.Lower(consts, d.given())
	if err == nil {
		adapted, found := d.single(ir)
		if found && ir.IsC() {
			ir, err = k.Lower(consts, adapted.given())
		}
		d = adapted
	}
	if err != nil {
		return lowered{}, d.undefined(problem.OfLoop(d.What, err))
	}
	return lowered{d, ir}, nil
}

// given returns the shapes of the values behind each parameter that the kernel's source has.
func (d *described) given() []kernel.Shape {
	shapes := d.shapes()
	for _, a := range d.Missing {
		if a.Component <= len(shapes) {
			shapes = slices.Insert(shapes, a.Component, kernel.Shape{LeftOut: true})
		}
	}
	return shapes
}

// shapes returns the shapes of the values behind each parameter.
func (d *described) shapes() []kernel.Shape {
	shapes := make([]kernel.Shape, d.Loop.Params())
	for i, a := range d.Loop.Args {
		shape, at := kernel.ShapeOf(d.Loop, a), d.Loop.Param(i)
		if !a.Part() {
			shapes[at] = shape
			continue
		}
		parts := append(shapes[at].Parts, kernel.Part{Name: d.Args[i].Data.Name(), Shape: shape})
		shapes[at] = kernel.Shape{Rows: a.Rows, Cols: a.Cols / d.Loop.Data[a.Data].Words(), Matrix: shape.Matrix, Value: shape.Value, Parts: parts}
	}
	return shapes
}

// single passes a single component instead of a whole map of arity 1, if the kernel takes *[2]T
// rather than *[1][2]T. It reports whether there is such an argument.
func (d described) single(ir *kernel.Kernel) (_ described, found bool) {
	params := ir.Entry().Params
	if len(params) != d.Loop.Params() {
		return d, false
	}
	args, l := slices.Clone(d.Args), *d.Loop
	l.Args = slices.Clone(l.Args)
	for i := range l.Args {
		a := &l.Args[i]
		if a.Kind != loop.Dat || !a.WholeMap() || a.Part() || l.Arity(*a) != 1 {
			continue
		}
		shape := kernel.ShapeOf(&l, *a)
		param, scalar := params[l.Param(i)], l.Type(*a)
		if !ir.Takes(param, shape, true, scalar) && ir.Takes(param, shape, false, scalar) {
			a.Component, args[i].Component, found = 0, 0, true
		}
	}
	d.Args, d.Loop = args, &l
	return d, found
}

// undefined returns, in place of the error of a kernel in C without a const that it reads, why the const could not be
// declared.
func (d *described) undefined(err error) error {
	var k *problem.KernelError
	if !errors.As(err, &k) {
		return err
	}
	for _, p := range k.Problems {
		if name, is := strings.CutPrefix(p.Msg, "undefined: "); is {
			if failed := d.Runtime.ConstFailed(d.What, name); failed != nil {
				return failed
			}
		}
	}
	return err
}

// goFunctions is the name of the backend that calls kernels as Go functions.
const goFunctions = "go"

// prints returns problems for the kernel's calls that print, on backends other than go.
func (c *Call) prints(ir *kernel.Kernel) []kernel.Problem {
	if c.Runtime.Name() == goFunctions {
		return nil
	}
	var problems []kernel.Problem
	for _, p := range kernel.All[*kernel.Print](ir) {
		problems = append(problems, kernel.Problem{Pos: p.Pos,
			Msg:  fmt.Sprintf("%s, on the backend %s: kernels in Go print on the backend go alone", p.Name, c.Runtime.Name()),
			Hint: `to debug, run the program with OP2_BACKEND=go, or Open the runtime with op2.WithBackend("go"); take the call out for the others`})
	}
	return problems
}
