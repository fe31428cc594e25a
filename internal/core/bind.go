package core

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/given"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// binder derives a loop's description and memory from its arguments, and checks that they fit the
// set, each other and the kernel.
type binder struct {
	rt   *Runtime
	over Range
	args []Arg
	what string // the loop, for messages

	desc    *loop.Loop // separate, since runners keep it
	datas   []*Data    // by desc.Data
	maps    []*Map     // by desc.Maps
	entries []entries  // by desc.Entries
	watch   *given.Watch
}

func (b *binder) bind(k *given.Kernel) (backend.Spec, backend.Memory, error) {
	var none backend.Memory
	if n := len(b.args); n > loop.MaxArgs {
		return backend.Spec{}, none, &problem.ShapeError{What: b.what,
			Msg:  fmt.Sprintf("%d arguments were given, a loop has at most %d", n, loop.MaxArgs),
			Hint: "pass all targets of a map at once, or join dats of one set"}
	}
	for i := range b.args {
		b.args[i].unroll()
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
	if err := b.stack(ir); err != nil {
		return backend.Spec{}, none, err
	}
	consts, problems := b.rt.bindConsts(ir)
	accesses := make([]loop.Access, len(b.args))
	for i, a := range b.args {
		accesses[i] = a.access
	}
	problems = append(problems, b.prints(ir)...)
	problems = append(problems, kernel.Check(ir, accesses, b.shapes())...)
	if len(problems) > 0 {
		return backend.Spec{}, none, problem.OfLoop(b.what, problem.OfKernel(&kernel.Error{Kernel: ir.Name, Problems: problems}))
	}
	if b.watch, err = k.Watch(ir, consts); err != nil {
		return backend.Spec{}, none, problem.OfLoop(b.what, err)
	}
	b.uncompared(k)
	if !k.Own() {
		b.doubt(ir, accesses)
	}
	spec := backend.Spec{Loop: b.desc, Kernel: ir, Func: k.Func(), Subset: b.over.Subset != nil, Tune: b.rt.config.Backend.Tune.With(k.Tune())}
	ptrs := make([]unsafe.Pointer, len(consts))
	for i, c := range consts {
		ptrs[i] = c.Ptr
	}
	memory, err := b.memory(ptrs)
	return spec, memory, err
}

// goFunctions is the name of the backend that calls kernels as Go functions.
const goFunctions = "go"

// prints returns problems for the kernel's calls that print, on backends other than go.
func (b *binder) prints(ir *kernel.Kernel) []kernel.Problem {
	if b.rt.name == goFunctions {
		return nil
	}
	var problems []kernel.Problem
	for _, p := range ir.Prints() {
		problems = append(problems, kernel.Problem{Pos: p.Pos,
			Msg:  fmt.Sprintf("%s, on the backend %s: kernels in Go print on the backend go alone", p.Name, b.rt.name),
			Hint: `to debug, run the program with OP2_BACKEND=go, or Open the runtime with op2.WithBackend("go"); take the call out for the others`})
	}
	return problems
}

// doubt warns, once per kernel, about what cannot be checked in advance in a C kernel.
func (b *binder) doubt(ir *kernel.Kernel, accesses []loop.Access) {
	if doubts := kernel.Doubts(ir, accesses); doubts != "" && !b.rt.warnedOf[ir.Source] {
		b.rt.warnedOf[ir.Source] = true
		b.rt.config.Backend.Warn(fmt.Sprintf("%s: kernel %s: this cannot be checked beforehand\n  %s\n  hint: run it once with OP2_DIAGS=1, which checks subscripts while it runs", b.what, ir.Name, doubts))
	}
}

// uncompared warns under diagnostics, once per kernel, about what has not been compared.
func (b *binder) uncompared(k *given.Kernel) {
	gap, place := k.Gap(), k.Place()
	if gap == "" || !b.rt.config.Backend.Poison || b.rt.warnedOf[place] {
		return
	}
	b.rt.warnedOf[place] = true
	b.rt.config.Backend.Warn(fmt.Sprintf("%s: kernel %s: the compiled function was not compared with all of its source: %s\n"+
		"  hint: after an edit of the embedded file, rebuild", b.what, k.Name(), gap))
}

// argument returns the name of argument i for messages.
func (b *binder) argument(i int) string {
	if b.args[i].kind == 0 {
		return fmt.Sprintf("%s: argument %d", b.what, i+1)
	}
	return fmt.Sprintf("%s: argument %d (%s)", b.what, i+1, b.args[i])
}

// place checks that argument i is reachable from the set.
func (b *binder) place(i int, a Arg) error {
	bad := func(msg, hint string) error { return &problem.ArgError{What: b.argument(i), Msg: msg, Hint: hint} }
	if err := a.CheckDeclared(b.argument(i)); err != nil {
		return err
	}
	switch {
	case a.fault != Sound:
		return bad(a.fault.String(), "")
	case a.kind == loop.Index:
		return nil
	case a.data == nil:
		return bad("it is empty", "arguments are made by the methods of dats and globals, as q.Read()")
	case a.data.rt != b.rt:
		return bad(fmt.Sprintf("%s belongs to %s; %s to %s", a.data.name, a.data.rt.what(), b.over.Set.name, b.rt.what()), "declare all that a loop uses on one runtime")
	case a.kind == loop.Global:
		return nil
	}
	if a.kind == loop.Mat {
		return b.placeMat(a, bad)
	}
	if a.m == nil {
		if a.data.set != b.over.Set {
			hint := fmt.Sprintf("pass it through a map from %s to %s", b.over.Set.name, a.data.set.name)
			if b.over.Set.name == a.data.set.name {
				hint = "what belongs together is declared on one set"
			}
			return bad(fmt.Sprintf("%s is on %s, the loop is over %s", a.data.name, a.data.set.Besides(b.over.Set), b.over.besides(a.data.set)), hint)
		}
		return nil
	}
	switch {
	case a.m.from != b.over.Set:
		return bad(fmt.Sprintf("%s leads from %s, the loop is over %s", a.m.name, a.m.from.Besides(b.over.Set), b.over.besides(a.m.from)), "")
	case a.m.to != a.data.set:
		return bad(fmt.Sprintf("%s leads to %s, %s is on %s", a.m.name, a.m.to.Besides(a.data.set), a.data.name, a.data.set.Besides(a.m.to)), "")
	case a.component != loop.All && (a.component < 0 || a.component >= a.m.arity):
		return bad(fmt.Sprintf("%s has %s", a.m.name, problem.ComponentRange(a.m.arity)), "")
	}
	return nil
}

// conflicts refuses loops whose result would depend on the order of elements, or of the kernel's
// own statements, because a dat is used in two ways at once.
func (b *binder) conflicts() error {
	for i, a := range b.args {
		for j, earlier := range b.args[:i] {
			if a.data == nil || earlier.data == nil || a.data.storage != earlier.data.storage {
				continue
			}
			bad := func(msg, hint string) error { return &problem.ArgError{What: b.argument(i), Msg: msg, Hint: hint} }
			switch {
			case a.access != earlier.access:
				return bad(fmt.Sprintf("%s is also argument %d (%s): whether one sees what the other changes would depend on the order of elements", a.data.name, j+1, earlier),
					"use one access for all, or a second "+a.kind.String())
			case a.access == loop.Read:
			case a.data != earlier.data && (a.kind != loop.Mat || earlier.kind != loop.Mat):
				return bad(fmt.Sprintf("%s is also argument %d (%s), by other sets: the kernel would change the same values twice", a.data.name, j+1, earlier), "pass them once")
			case a.data != earlier.data:
				return bad(fmt.Sprintf("%s is also argument %d: the maps of only one of them leave out components", a.data.name, j+1),
					"give the other one maps that leave out components of an empty subset, or use two loops")
			case a.access == loop.Inc:
			case a.kind == loop.Mat:
				return bad(fmt.Sprintf("%s is also argument %d: of two places that write a value only one would count", a.data.name, j+1), "pass it once")
			case a.m == earlier.m && (a.component == earlier.component || a.component == loop.All || earlier.component == loop.All):
				return bad(fmt.Sprintf("%s is also argument %d (%s): the kernel would change the same values twice", a.data.name, j+1, earlier),
					"pass them once")
			case a.kind == loop.Global:
				return bad(fmt.Sprintf("%s is also argument %d", a.data.name, j+1), "pass it once")
			}
		}
	}
	return nil
}

// describe numbers the distinct data and maps in order of appearance.
func (b *binder) describe(k *given.Kernel) {
	b.desc.Kernel = k.Name()
	for _, a := range b.args {
		d := loop.Arg{Kind: a.kind, Access: a.access, Data: -1, Map: loop.Direct, ColMap: loop.Direct, Component: a.component}
		if a.data != nil {
			d.Data = slices.Index(b.datas, a.data)
			if d.Data < 0 {
				d.Data = len(b.datas)
				b.datas = append(b.datas, a.data)
				b.desc.Data = append(b.desc.Data, loop.Data{Kind: a.kind, Type: a.data.scalar, Dim: a.data.dim, ColDim: a.data.ColDim(), SoA: a.data.SoA()})
			}
		}
		if a.m != nil {
			d.Map = b.numberOf(a.m)
		}
		if a.kind == loop.Mat {
			b.describeMat(a, &d)
		}
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

// shapes returns the shapes of the values behind each parameter.
func (b *binder) shapes() []kernel.Shape {
	shapes := make([]kernel.Shape, len(b.desc.Args))
	for i, a := range b.desc.Args {
		if a.Kind == loop.Mat {
			rows, cols := b.desc.Local(a)
			shapes[i] = kernel.Shape{Rows: rows, Cols: cols, Matrix: true}
			continue
		}
		shapes[i] = kernel.Shape{Rows: b.desc.Arity(a), Cols: b.desc.Dim(a), Number: a.Kind == loop.Index, Global: a.Kind == loop.Global}
	}
	return shapes
}

// single passes a single component instead of a whole map of arity 1, if the kernel takes *[2]T
// rather than *[1][2]T. It reports whether there is such an argument.
func (b *binder) single(ir *kernel.Kernel) bool {
	params, found := ir.Entry().Params, false
	if len(params) != len(b.args) {
		return false
	}
	for i, shape := range b.shapes() {
		a := &b.desc.Args[i]
		if a.Kind != loop.Dat || !a.Packed() || b.desc.Arity(*a) != 1 {
			continue
		}
		t, scalar := params[b.desc.Param(i)].Type, b.desc.Type(*a)
		if !ir.Fits(t, shape, true, scalar) && ir.Fits(t, shape, false, scalar) {
			a.Component, b.args[i].component, found = 0, 0, true
		}
	}
	return found
}

// fit checks the number and types of the kernel's parameters.
func (b *binder) fit(ir *kernel.Kernel) error {
	params := ir.Entry().Params
	if len(params) != len(b.args) {
		return &problem.ShapeError{What: b.what, Msg: fmt.Sprintf("the kernel takes %s, %d %s given", problem.Count(len(params), "argument"), len(b.args), problem.Were(len(b.args)))}
	}
	if len(params) == 0 {
		return &problem.ShapeError{What: b.what, Msg: "the kernel takes no arguments, and so has no effect"}
	}
	for i, shape := range b.shapes() {
		a := b.desc.Args[i]
		scalar, packed := b.desc.Type(a), a.Packed()
		param := params[b.desc.Param(i)]
		t := param.Type
		if a.Kind == loop.Index && ir.IsC() && kernel.Leaf(t) == loop.Int32 {
			scalar = loop.Int32
		}
		if ir.Fits(t, shape, packed, scalar) {
			continue
		}
		declaration := ir.Declaration(param.Name, shape, packed, scalar)
		switch {
		case a.Kind == loop.Index && !ir.IsC():
			declaration = "*int"
		case packed && a.Kind == loop.Dat && b.desc.Arity(a) == 1:
			declaration = ir.Declaration(param.Name, shape, false, scalar)
		}
		hint := "declare the parameter as " + declaration
		if packed && a.Kind == loop.Dat && ir.Fits(t, shape, false, scalar) {
			hint += fmt.Sprintf(", or pass one target: %s.At(0)", b.args[i].m.name)
		}
		return &problem.ShapeError{What: b.argument(i), Msg: fmt.Sprintf("the kernel takes %s, %s", ir.Describe(param), b.holds(i)), Hint: hint}
	}
	return nil
}

// holds describes the values of argument i.
func (b *binder) holds(i int) string {
	a, d := b.args[i], b.desc.Args[i]
	if a.kind == loop.Index {
		return "the number is an int"
	}
	if a.kind == loop.Mat {
		return b.holdsMat(i)
	}
	s := fmt.Sprintf("%s holds %d %s", a.data.name, a.data.dim, a.data.scalar)
	if a.kind == loop.Global {
		return s
	}
	s += " for each of " + a.data.set.name
	if d.Packed() {
		s += fmt.Sprintf(", %s leads to %d of them", a.m.name, a.m.arity)
	}
	return s
}

// traffic returns the minimal number of bytes that one call of the loop moves.
func (b *binder) traffic() int64 {
	total := int64(0)
	for i, m := range b.maps {
		if !b.desc.Reads(i) {
			continue
		}
		total += 4 * int64(m.arity) * int64(b.over.Size())
	}
	total += b.entriesTraffic()
	for i, d := range b.datas {
		if d.kind == loop.Global {
			continue
		}
		times := int64(2)
		if access := b.desc.DataAccess(i); access == loop.Read || access == loop.Write {
			times = 1
		}
		total += times * b.touched(d) * int64(d.dim*max(1, d.ColDim())) * int64(d.scalar.Size())
	}
	return total
}

// touched returns an upper bound on the number of elements of a dat's set, or blocks of a mat, that
// the loop reaches.
func (b *binder) touched(d *Data) int64 {
	n := int64(0)
	for i, a := range b.args {
		if a.data != d {
			continue
		}
		if a.m == nil {
			return int64(b.over.Size())
		}
		per := b.desc.Arity(b.desc.Args[i])
		if a.kind == loop.Mat {
			per *= a.cols.arity
		}
		n += int64(per) * int64(b.over.Size())
	}
	if d.sparsity != nil {
		return min(n, int64(d.sparsity.Blocks()))
	}
	return min(n, int64(d.set.Total()))
}

// memory returns the elements of the loop and the addresses of its data.
func (b *binder) memory(consts []unsafe.Pointer) (backend.Memory, error) {
	m := backend.Memory{First: 0, Last: b.over.Size(), SetSize: b.over.Set.Total(), Consts: consts}
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
	for i := range b.entries {
		e, err := b.entriesOf(i)
		if err != nil {
			return m, problem.Errorf("op2: %s: %w", b.what, err)
		}
		m.Entries = append(m.Entries, e)
	}
	return m, nil
}
