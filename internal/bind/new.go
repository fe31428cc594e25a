package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/internal/userkernel"
)

// NewBinding binds a kernel to its arguments: it places them, lowers the kernel for their shapes, and checks that
// they fit it.
func NewBinding(env *Env, k *userkernel.Kernel, over entity.Range, args []entity.Arg) (*Binding, error) {
	b := &Binding{Spec: backend.Spec{Loop: &loop.Loop{}}, Env: env, Runtime: over.Set.Runtime(), Over: over, Args: args, What: LoopName(k, over)}
	if err := b.placeAll(); err != nil {
		return nil, err
	}
	b.describe(k)
	if err := b.lower(k); err != nil {
		return nil, b.undefined(problem.OfLoop(b.What, err))
	}
	for _, check := range []func() error{b.fit, b.operations, b.Stack, b.constsDeclared, func() error { return b.checkKernel(k) }} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	b.Func, b.Subset, b.Tune, b.Cost = k.Func(), over.Subset != nil, b.Runtime.Config().Backend.Tune.With(k.Tune()), facts.Cost(b.Loop, b.Kernel)
	return b, b.Locate()
}

// placeAll checks that all arguments are reachable from the set, and do not get in each other's way.
func (b *Binding) placeAll() error {
	if n := len(b.Args); n > loop.MaxArgs {
		given := "arguments"
		if n > entity.Ordinal(b.Args, n-1) {
			given = "arguments, with the parts of mixed ones,"
		}
		return &problem.ShapeError{What: b.What,
			Msg:  fmt.Sprintf("%d %s were given, a loop has at most %d", n, given, loop.MaxArgs),
			Hint: "pass all targets of a map at once, or join dats of one set"}
	}
	for i := range b.Args {
		b.Args[i].Unroll()
		b.Args[i].Number(b.Over.Set)
		if err := b.place(i, b.Args[i]); err != nil {
			return err
		}
	}
	if err := b.conflicts(); err != nil {
		return err
	}
	if err := b.repeats(); err != nil {
		return err
	}
	return b.arrange()
}

// lower lowers the kernel for the shapes of the arguments, some of which may adapt to it.
func (b *Binding) lower(k *userkernel.Kernel) (err error) {
	if b.Kernel, err = k.Lower(b.Runtime.KernelConsts(), b.shapes()); err != nil {
		return err
	}
	if err := b.reached(k); err != nil {
		return err
	}
	if b.single() && b.Kernel.IsC() {
		b.Kernel, err = k.Lower(b.Runtime.KernelConsts(), b.shapes())
	}
	return err
}

// reached notes for op2 translate that a loop has the kernel.
func (b *Binding) reached(k *userkernel.Kernel) error {
	dir := b.Runtime.Config().Backend.Translate
	if dir == "" || k.Own() {
		return nil
	}
	return unit.Reach(dir, unit.Place{What: k.Name(), File: k.File()})
}

// checkKernel checks that the kernel keeps to its accesses and consts.
func (b *Binding) checkKernel(k *userkernel.Kernel) (err error) {
	consts, problems := b.Runtime.BindConsts(b.Kernel)
	accesses := make([]loop.Access, b.Loop.Params())
	for i, a := range b.Args {
		accesses[b.Loop.Param(i)] = a.Access
	}
	problems = append(problems, b.prints(b.Kernel)...)
	problems = append(problems, kernel.Check(b.Kernel, accesses, b.shapes())...)
	if len(problems) > 0 {
		return problem.OfLoop(b.What, problem.OfKernel(b.Kernel.Refuse(problems)))
	}
	if b.Watch, err = k.Watch(b.Kernel, consts); err != nil {
		return problem.OfLoop(b.What, err)
	}
	b.uncompared(k)
	if !k.Own() {
		b.doubt(b.Kernel, accesses)
	}
	for _, c := range consts {
		b.Consts = append(b.Consts, unsafe.Slice((*byte)(c.Ptr), c.Layout.Size))
	}
	return nil
}

// constsDeclared returns an error for the first const that a kernel reads whose declaration has failed.
func (b *Binding) constsDeclared() error {
	for _, c := range b.Kernel.Consts {
		if err := b.Runtime.ConstFailed(b.What, c.Name); err != nil {
			return err
		}
	}
	return nil
}

// undefined returns, in place of the error of a kernel in C without a const that it reads, why the const could not be
// declared.
func (b *Binding) undefined(err error) error {
	var k *problem.KernelError
	if !errors.As(err, &k) {
		return err
	}
	for _, p := range k.Problems {
		if name, is := strings.CutPrefix(p.Msg, "undefined: "); is {
			if failed := b.Runtime.ConstFailed(b.What, name); failed != nil {
				return failed
			}
		}
	}
	return err
}

// describe numbers the distinct data and maps in order of appearance.
func (b *Binding) describe(k *userkernel.Kernel) {
	b.Loop.Kernel = k.Name()
	for _, a := range b.Args {
		d := loop.Arg{Kind: a.Kind, Access: a.Access, Data: -1, Map: loop.Direct, ColMap: loop.Direct, Component: a.Component}
		if a.Data != nil {
			d.Data = slices.Index(b.Data, a.Data)
			if d.Data < 0 {
				d.Data = len(b.Data)
				b.Data = append(b.Data, a.Data)
				b.Loop.Data = append(b.Loop.Data, loop.Data{Kind: a.Data.Kind(), Type: a.Data.Scalar(), Dim: a.Data.Width(), ColDim: a.Data.ColDim(), SoA: a.Data.SoA(), Fresh: a.Data.Fresh(),
					Value: a.Data.Composite()})
			}
		}
		if a.Map != nil {
			d.Map = b.numberOf(a.Map)
		}
		if a.Kind == loop.Mat {
			b.describeMat(a, &d)
		}
		at := a.Placement()
		d.Next, d.Offset, d.Rows, d.Cols = at.Next, at.Offset, at.Rows, at.Cols
		b.Loop.Args = append(b.Loop.Args, d)
	}
}

// Locate sets the memory: the elements of the loop and the addresses of its data.
func (b *Binding) Locate() error {
	m := &b.Memory
	*m = backend.Memory{First: 0, Last: b.last(), Boundaries: b.boundaries(), SetSize: b.Over.Set.Total()}
	m.Names.Set = b.Over.Set.Name()
	for _, c := range b.Kernel.Consts {
		m.Consts = append(m.Consts, b.Runtime.ConstAt(c.Name))
	}
	if b.Over.Subset != nil {
		m.Subset = b.Over.Subset.List()
	}
	for _, d := range b.Data {
		m.Data = append(m.Data, d.Storage().Host())
		m.Elements = append(m.Elements, d.Elements())
		m.Names.Data = append(m.Names.Data, d.Name())
		if b.Runtime.Device() != nil {
			m.Mirrors = append(m.Mirrors, d.Storage().Mirror())
		}
	}
	for _, mp := range b.Maps {
		m.Maps = append(m.Maps, unsafe.Pointer(unsafe.SliceData(mp.Targets())))
		m.Names.Maps = append(m.Names.Maps, mp.Name())
	}
	for i := range b.Nonzeros {
		e, err := b.nonzerosOf(i)
		if err != nil {
			return problem.Errorf("op2: %s: %w", b.What, err)
		}
		m.Nonzeros = append(m.Nonzeros, e)
	}
	return nil
}
