package core

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// binder derives a loop's description and memory from its arguments, and checks that they fit the
// set, each other and the kernel.
type binder struct {
	rt   *Runtime
	over Range
	args []Arg
	what string // the loop, for messages

	desc     *loop.Loop       // separate, since runners keep it
	ops      []*kernel.Kernel // by desc.Ops
	datas    []*Data          // by desc.Data
	maps     []*Map           // by desc.Maps
	nonzeros []nonzeros       // by desc.Nonzeros
	watch    *userkernel.Watch
	consts   [][]byte  // the variables
	same     *sameBits // nil without the option
	core     int       // on several ranks: the leading elements from which no map that the loop reads through leads into a halo
}

func (b *binder) bind(k *userkernel.Kernel) (backend.Spec, backend.Memory, error) {
	var none backend.Memory
	if n := len(b.args); n > loop.MaxArgs {
		given := "arguments"
		if n > ordinal(b.args, n-1) {
			given = "arguments, with the parts of mixed ones,"
		}
		return backend.Spec{}, none, &problem.ShapeError{What: b.what,
			Msg:  fmt.Sprintf("%d %s were given, a loop has at most %d", n, given, loop.MaxArgs),
			Hint: "pass all targets of a map at once, or join dats of one set"}
	}
	for i := range b.args {
		b.args[i].unroll()
		b.args[i].number(b.over.Set)
		if err := b.place(i, b.args[i]); err != nil {
			return backend.Spec{}, none, err
		}
	}
	if err := b.conflicts(); err != nil {
		return backend.Spec{}, none, err
	}
	if err := b.repeats(); err != nil {
		return backend.Spec{}, none, err
	}
	if err := b.arrange(); err != nil {
		return backend.Spec{}, none, err
	}
	b.describe(k)
	ir, err := k.Lower(b.rt.kernelConsts(), b.shapes())
	if err != nil {
		return backend.Spec{}, none, problem.OfLoop(b.what, err)
	}
	if b.single(ir) && ir.IsC() {
		if ir, err = k.Lower(b.rt.kernelConsts(), b.shapes()); err != nil {
			return backend.Spec{}, none, problem.OfLoop(b.what, err)
		}
	}
	if err := b.fit(ir); err != nil {
		return backend.Spec{}, none, err
	}
	if err := b.operations(); err != nil {
		return backend.Spec{}, none, err
	}
	if err := b.stack(ir); err != nil {
		return backend.Spec{}, none, err
	}
	consts, problems := b.rt.bindConsts(ir)
	accesses := make([]loop.Access, b.desc.Params())
	for i, a := range b.args {
		accesses[b.desc.Param(i)] = a.access
	}
	problems = append(problems, b.prints(ir)...)
	problems = append(problems, kernel.Check(ir, accesses, b.shapes())...)
	if len(problems) > 0 {
		return backend.Spec{}, none, problem.OfLoop(b.what, problem.OfKernel(ir.Refuse(problems)))
	}
	if b.watch, err = k.Watch(ir, consts); err != nil {
		return backend.Spec{}, none, problem.OfLoop(b.what, err)
	}
	b.uncompared(k)
	if !k.Own() {
		b.doubt(ir, accesses)
	}
	spec := backend.Spec{Loop: b.desc, Kernel: ir, Ops: b.ops, Func: k.Func(), Subset: b.over.Subset != nil, Tune: b.rt.config.Backend.Tune.With(k.Tune()),
		Cost: facts.Cost(b.desc, ir)}
	ptrs := make([]unsafe.Pointer, len(consts))
	for i, c := range consts {
		ptrs[i] = c.Ptr
		b.consts = append(b.consts, unsafe.Slice((*byte)(c.Ptr), c.Layout.Size))
	}
	memory, err := b.memory(ptrs)
	return spec, memory, err
}

// argument returns the name of argument i for messages.
func (b *binder) argument(i int) string {
	if b.args[i].kind == 0 {
		return fmt.Sprintf("%s: argument %d", b.what, ordinal(b.args, i))
	}
	return fmt.Sprintf("%s: argument %d (%s)", b.what, ordinal(b.args, i), b.args[i])
}

// wrong returns the error for argument i, with where its data and its maps were declared.
func (b *binder) wrong(i int, msg, hint string) error {
	return b.args[i].about(&problem.ArgError{What: b.argument(i), Msg: msg, Hint: hint})
}

// misshapen returns the error for a size, number or type that does not fit in argument i, as wrong does.
func (b *binder) misshapen(i int, msg, hint string) error {
	return b.args[i].about(&problem.ShapeError{What: b.argument(i), Msg: msg, Hint: hint})
}

// describe numbers the distinct data and maps in order of appearance.
func (b *binder) describe(k *userkernel.Kernel) {
	b.desc.Kernel = k.Name()
	for _, a := range b.args {
		d := loop.Arg{Kind: a.kind, Access: a.access, Data: -1, Map: loop.Direct, ColMap: loop.Direct, Component: a.component}
		if a.data != nil {
			d.Data = slices.Index(b.datas, a.data)
			if d.Data < 0 {
				d.Data = len(b.datas)
				b.datas = append(b.datas, a.data)
				b.desc.Data = append(b.desc.Data, loop.Data{Kind: a.data.kind, Type: a.data.scalar, Dim: a.data.dim, ColDim: a.data.ColDim(), SoA: a.data.SoA(), Fresh: a.data.fresh,
					Value: a.data.values.composite()})
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
		b.desc.Args = append(b.desc.Args, d)
	}
}

// numberOf returns the index of a map in desc.Maps, adding it if necessary.
func (b *binder) numberOf(m *Map) int {
	i := slices.Index(b.maps, m)
	if i < 0 {
		i = len(b.maps)
		b.maps = append(b.maps, m)
		b.desc.Maps = append(b.desc.Maps, loop.Map{Arity: m.arity})
	}
	return i
}

// memory returns the elements of the loop and the addresses of its data.
func (b *binder) memory(consts []unsafe.Pointer) (backend.Memory, error) {
	m := backend.Memory{First: 0, Last: b.last(), Boundaries: b.boundaries(), SetSize: b.over.Set.Total(), Consts: consts}
	if b.over.Subset != nil {
		m.Subset = b.over.Subset.elements
	}
	for _, d := range b.datas {
		m.Data = append(m.Data, d.storage.Host())
		m.Elements = append(m.Elements, d.elements())
		if b.rt.device != nil {
			m.Mirrors = append(m.Mirrors, d.storage.Mirror())
		}
	}
	for _, mp := range b.maps {
		m.Maps = append(m.Maps, unsafe.Pointer(unsafe.SliceData(mp.values)))
	}
	for i := range b.nonzeros {
		e, err := b.nonzerosOf(i)
		if err != nil {
			return m, problem.Errorf("op2: %s: %w", b.what, err)
		}
		m.Nonzeros = append(m.Nonzeros, e)
	}
	return m, nil
}
