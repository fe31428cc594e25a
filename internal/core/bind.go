package core

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// Binding is what a loop is bound to: what it means, the data and maps that this refers to by number, and
// their memory.
type Binding struct {
	backend.Spec
	Memory backend.Memory
	Over   Range
	Data   []*Data // by Loop.Data
	Maps   []*Map  // by Loop.Maps

	rt       *Runtime
	env      *Env
	what     string     // the loop, for messages
	args     []Arg      // by Loop.Args
	Nonzeros []Nonzeros // by Loop.Nonzeros
	watch    *userkernel.Watch
	consts   [][]byte  // the variables
	same     *sameBits // nil without the option
	core     int       // on several ranks: the leading elements from which no map that the loop reads through leads into a halo
}

// newBinding binds a kernel to its arguments: it places them, lowers the kernel for their shapes, and checks that
// they fit it.
func newBinding(env *Env, k *userkernel.Kernel, over Range, args []Arg) (*Binding, error) {
	b := &Binding{Spec: backend.Spec{Loop: &loop.Loop{}}, env: env, rt: over.Set.rt, Over: over, args: args, what: loopName(k, over)}
	if err := b.placeAll(); err != nil {
		return nil, err
	}
	b.describe(k)
	if err := b.lower(k); err != nil {
		return nil, b.undefined(problem.OfLoop(b.what, err))
	}
	for _, check := range []func() error{b.fit, b.operations, b.stack, b.constsDeclared, func() error { return b.checkKernel(k) }} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	b.Func, b.Subset, b.Tune, b.Cost = k.Func(), over.Subset != nil, b.rt.config.Backend.Tune.With(k.Tune()), facts.Cost(b.Loop, b.Kernel)
	return b, b.locate()
}

// placeAll checks that all arguments are reachable from the set, and do not get in each other's way.
func (b *Binding) placeAll() error {
	if n := len(b.args); n > loop.MaxArgs {
		given := "arguments"
		if n > ordinal(b.args, n-1) {
			given = "arguments, with the parts of mixed ones,"
		}
		return &problem.ShapeError{What: b.what,
			Msg:  fmt.Sprintf("%d %s were given, a loop has at most %d", n, given, loop.MaxArgs),
			Hint: "pass all targets of a map at once, or join dats of one set"}
	}
	for i := range b.args {
		b.args[i].unroll()
		b.args[i].number(b.Over.Set)
		if err := b.place(i, b.args[i]); err != nil {
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
	if b.Kernel, err = k.Lower(b.rt.kernelConsts(), b.shapes()); err != nil {
		return err
	}
	if b.single() && b.Kernel.IsC() {
		b.Kernel, err = k.Lower(b.rt.kernelConsts(), b.shapes())
	}
	return err
}

// constsDeclared returns an error for the first const that a kernel reads whose declaration has failed.
func (b *Binding) constsDeclared() error {
	for _, c := range b.Kernel.Consts {
		if err := b.rt.constFailed(b.what, c.Name); err != nil {
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
			if failed := b.rt.constFailed(b.what, name); failed != nil {
				return failed
			}
		}
	}
	return err
}

// checkKernel checks that the kernel keeps to its accesses and consts.
func (b *Binding) checkKernel(k *userkernel.Kernel) (err error) {
	consts, problems := b.rt.bindConsts(b.Kernel)
	accesses := make([]loop.Access, b.Loop.Params())
	for i, a := range b.args {
		accesses[b.Loop.Param(i)] = a.access
	}
	problems = append(problems, b.prints(b.Kernel)...)
	problems = append(problems, kernel.Check(b.Kernel, accesses, b.shapes())...)
	if len(problems) > 0 {
		return problem.OfLoop(b.what, problem.OfKernel(b.Kernel.Refuse(problems)))
	}
	if b.watch, err = k.Watch(b.Kernel, consts); err != nil {
		return problem.OfLoop(b.what, err)
	}
	b.uncompared(k)
	if !k.Own() {
		b.doubt(b.Kernel, accesses)
	}
	for _, c := range consts {
		b.consts = append(b.consts, unsafe.Slice((*byte)(c.Ptr), c.Layout.Size))
	}
	return nil
}

// argument returns the name of argument i for messages.
func (b *Binding) argument(i int) string {
	if b.args[i].kind == 0 {
		return fmt.Sprintf("%s: argument %d", b.what, ordinal(b.args, i))
	}
	return fmt.Sprintf("%s: argument %d (%s)", b.what, ordinal(b.args, i), b.args[i])
}

// wrong returns the error for argument i, with where its data and its maps were declared.
func (b *Binding) wrong(i int, msg, hint string) error {
	return b.args[i].about(&problem.ArgError{What: b.argument(i), Msg: msg, Hint: hint})
}

// misshapen returns the error for a size, number or type that does not fit in argument i, as wrong does.
func (b *Binding) misshapen(i int, msg, hint string) error {
	return b.args[i].about(&problem.ShapeError{What: b.argument(i), Msg: msg, Hint: hint})
}

// describe numbers the distinct data and maps in order of appearance.
func (b *Binding) describe(k *userkernel.Kernel) {
	b.Loop.Kernel = k.Name()
	for _, a := range b.args {
		d := loop.Arg{Kind: a.kind, Access: a.access, Data: -1, Map: loop.Direct, ColMap: loop.Direct, Component: a.component}
		if a.data != nil {
			d.Data = slices.Index(b.Data, a.data)
			if d.Data < 0 {
				d.Data = len(b.Data)
				b.Data = append(b.Data, a.data)
				b.Loop.Data = append(b.Loop.Data, loop.Data{Kind: a.data.kind, Type: a.data.scalar, Dim: a.data.dim, ColDim: a.data.ColDim(), SoA: a.data.SoA(), Fresh: a.data.fresh,
					Value: a.data.Composite()})
			}
		}
		if a.m != nil {
			d.Map = b.numberOf(a.m)
		}
		if a.kind == loop.Mat {
			b.describeMat(a, &d)
		}
		at := a.placement()
		d.Next, d.Offset, d.Rows, d.Cols = at.next, at.offset, at.rows, at.cols
		b.Loop.Args = append(b.Loop.Args, d)
	}
}

// numberOf returns the index of a map in desc.Maps, adding it if necessary.
func (b *Binding) numberOf(m *Map) int {
	i := slices.Index(b.Maps, m)
	if i < 0 {
		i = len(b.Maps)
		b.Maps = append(b.Maps, m)
		b.Loop.Maps = append(b.Loop.Maps, loop.Map{Arity: m.arity})
	}
	return i
}

// locate sets the memory: the elements of the loop and the addresses of its data.
func (b *Binding) locate() error {
	m := &b.Memory
	*m = backend.Memory{First: 0, Last: b.last(), Boundaries: b.boundaries(), SetSize: b.Over.Set.Total()}
	for _, c := range b.Kernel.Consts {
		m.Consts = append(m.Consts, b.rt.ConstAt(c.Name))
	}
	if b.Over.Subset != nil {
		m.Subset = b.Over.Subset.elements
	}
	for _, d := range b.Data {
		m.Data = append(m.Data, d.storage.Host())
		m.Elements = append(m.Elements, d.elements())
		if b.rt.device != nil {
			m.Mirrors = append(m.Mirrors, d.storage.Mirror())
		}
	}
	for _, mp := range b.Maps {
		m.Maps = append(m.Maps, unsafe.Pointer(unsafe.SliceData(mp.values)))
	}
	for i := range b.Nonzeros {
		e, err := b.nonzerosOf(i)
		if err != nil {
			return problem.Errorf("op2: %s: %w", b.what, err)
		}
		m.Nonzeros = append(m.Nonzeros, e)
	}
	return nil
}

// loopName returns the name of a loop for messages.
func loopName(k *userkernel.Kernel, over Range) string {
	return fmt.Sprintf("loop %s over %s", k.Name(), over.Name())
}
