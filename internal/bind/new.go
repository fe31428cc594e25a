package bind

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/translate/unit"
	"github.com/go-op2/op2/internal/userkernel"
)

// NewBinding binds a kernel to its arguments, some of which it replaces by views of the same data.
func NewBinding(env *Env, k *userkernel.Kernel, over entity.Range, args []entity.Arg) (*Binding, error) {
	c := newCall(k, over, args)
	for i := range c.Args {
		c.Args[i].Unroll()
		c.Args[i].Stack(over.Layers)
		c.Args[i].Number(over.Set)
	}
	if err := place(c); err != nil {
		return nil, err
	}
	if err := check(c); err != nil {
		return nil, err
	}
	c, same := arrange(c)
	if err := c.wish(k.Choices().Layout, choice.User); err != nil {
		return nil, err
	}
	f, err := fitKernel(c, k)
	if err != nil {
		return nil, err
	}
	chosen := c.Choose(k, backend.Spec{Loop: f.Loop, Kernel: f.Kernel, Subset: c.Over.Subset != nil})
	if who := chosen.Who(choice.Layout); who != choice.User && who > choice.Estimate {
		if err := c.wish(chosen.Layout, who); err != nil {
			return nil, err
		}
		if f, err = fitKernel(c, k); err != nil { // to dats in that layout
			return nil, err
		}
	}
	return newBinding(env, k, f, same, chosen)
}

// fitKernel describes a call, and finds that the kernel fits it.
func fitKernel(c Call, k *userkernel.Kernel) (fitted, error) {
	l, err := lower(describe(c, k.Name()), k)
	if err != nil {
		return fitted{}, err
	}
	if err := reached(c, k); err != nil {
		return fitted{}, problem.OfLoop(c.What, err)
	}
	return fit(l)
}

// newBinding returns the binding of a kernel that fits, and warns about it.
func newBinding(env *Env, k *userkernel.Kernel, f fitted, same *SameBits, chosen choice.Made) (*Binding, error) {
	b := &Binding{Call: f.Call, Numbered: f.Numbered, Env: env, Same: same, Spec: backend.Spec{Loop: f.Loop, Kernel: f.Kernel, Func: k.Func(),
		Subset: f.Over.Subset != nil, Chosen: chosen, Cost: facts.Cost(f.Loop, f.Kernel) * f.Loop.Layers.Count()}}
	for _, o := range f.operations {
		b.Ops = append(b.Ops, o.ir)
		if err := reached(f.Call, o.Kernel); err != nil {
			return nil, err
		}
		env.uncompared(f.Call, o.Kernel)
	}
	same.take(f.operations)
	var err error
	if b.Watch, err = k.Watch(f.Kernel, f.consts); err != nil {
		return nil, problem.OfLoop(f.What, err)
	}
	env.uncompared(f.Call, k)
	if !k.Own() {
		env.doubt(f.Call, f.Kernel, f.accesses())
		env.noExtremes(f)
	}
	for _, c := range f.consts {
		b.Consts = append(b.Consts, unsafe.Slice((*byte)(c.Ptr), c.Layout.Size))
	}
	return b, b.Locate()
}

// reached notes for op2 translate that a loop has the kernel.
func reached(c Call, k *userkernel.Kernel) error {
	dir := c.Runtime.Config().Backend.Translate
	if dir == "" || k.Own() {
		return nil
	}
	return unit.Reach(dir, unit.Place{What: k.Name(), File: k.File()})
}

// Locate sets the memory, the elements of the loop and the addresses of its data, and how many bytes an element moves.
func (b *Binding) Locate() error {
	b.Bytes = int(b.Traffic() / int64(max(1, b.Over.Size())))
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

// nonzerosOf returns what locates an argument's nonzeros, creating it if necessary.
func (b *Binding) nonzerosOf(i int) (backend.Nonzeros, error) {
	s := b.Nonzeros[i].sparsity
	e := backend.Nonzeros{RowPtr: s.Pattern().RowPtr, ColIdx: s.Pattern().ColIdx}
	if b.Loop.Nonzeros[i].Search || b.Runtime.Config().Static {
		return e, nil
	}
	var err error
	e.Table, err = s.Table(b.Nonzeros[i].table)
	return e, err
}
