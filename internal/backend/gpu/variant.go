package gpu

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	devicecode "github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

// variant is a loop prepared for one strategy, with its data on the device.
type variant struct {
	engine   *engine
	spec     backend.Spec
	memory   *backend.Memory
	elements int
	strategy tune.Strategy
	size     int // work-items in a group
	note     string
	program  *codegen.DeviceProgram
	text     string // source of it, including the values of consts defined there
	build    device.Program
	kernel   device.Kernel
	combine  device.Kernel
	args     []device.Arg
	combined []device.Arg
	launches []launch
	shared   int // bytes
	per      int // elements per group that keeps partial results
	groups   int // number of groups that produce partial results
	room     int // maximum number of partial results of a call, in parts or not
	plan     *plan.Plan
	list     []int32
	staging  *staging
	reach    *reach
	pieces   backend.Pieces[*piece]
	neutral  []device.Buffer // by loop.Args: partial results that change nothing, for calls in parts

	// The values of arguments for the current launch.
	offset   int32
	end      int32
	before   int32
	count    int32           // partial results to combine; in a launch of parts of a loop 0
	finished device.Buffer   // the number of groups of the current call that have finished, if its last one combines
	broken   bool            // finished is not 0, since part of a call was rejected
	partials []device.Buffer // by loop.Args
}

// remark adds to the variant's description.
func (v *variant) remark(text string) {
	if v.note != "" {
		v.note += ", "
	}
	v.note += text
}

// launch is a number of groups of work-items: they run blocks, elements, or elements of a list, from
// offset to end. Before it, other launches have left so many partial results.
type launch struct {
	groups              int
	offset, end, before int32
}

// misfit says why a strategy does not fit the device or the loop.
type misfit string

func (m misfit) Error() string { return string(m) }

// options returns the options for generating a loop's source.
func (e *engine) options(s backend.Spec, strategy tune.Strategy, size int) codegen.DeviceOptions {
	packs := tune.SIMDOff
	if strategy == tune.Blocks {
		size = 1
		if e.info.CPU {
			packs = s.Chosen.SIMD
		}
	}
	return codegen.DeviceOptions{Dialect: e.kind.Dialect, Strategy: strategy, GroupSize: size, Subset: s.Subset,
		Columns: !e.info.CPU, SIMD: packs, Width: s.Chosen.Width, Rounds: s.Chosen.PerItem > 1, Poison: e.config.Poison, Uncontracted: s.Chosen.HostFlags.Has(uncontracted),
		LastCombines: e.kind.Dialect.OrdersGroups() || e.info.CPU && strategy == tune.Blocks}
}

// newVariant prepares a loop for a strategy, with at most size work-items in a group, and starts to
// compile it.
func (e *engine) newVariant(s backend.Spec, m *backend.Memory, strategy tune.Strategy, size int) (*variant, error) {
	v := &variant{engine: e, spec: s, memory: m, elements: m.Last - m.First, strategy: strategy, size: e.groupSize(s.Loop, size)}
	if err := v.divide(); err != nil {
		return nil, err
	}
	v.program = e.print(s, strategy, v.size)
	e.build(v, m.Consts)
	return v, nil
}

// itemsOf returns the number of work-items of a group that is chosen for a loop, or else the largest by default. The error
// says why the user's choice cannot be; that of others then does not count.
func (e *engine) itemsOf(s *backend.Spec) (int, error) {
	chosen := s.Chosen.Group
	switch {
	case chosen == 0:
		return e.info.MaxGroup, nil
	case chosen > e.mostItems:
		return e.refuse(s, fmt.Errorf("groups of %d work-items: %s has at most %d", chosen, e.info.Name, e.mostItems))
	case s.Loop.Reduces() && chosen&(chosen-1) != 0:
		return e.refuse(s, fmt.Errorf("groups of %d work-items: the loop reduces, which needs a power of two", chosen))
	}
	return chosen, nil
}

// refuse returns the default size of groups, or the error if the user has chosen another.
func (e *engine) refuse(s *backend.Spec, err error) (int, error) {
	if s.Chosen.Who(choice.Group) == choice.User {
		return 0, err
	}
	s.Chosen.Drop(choice.Group)
	return e.info.MaxGroup, nil
}

func (e *engine) groupSize(l *loop.Loop, most int) int {
	return GroupSize(l, most, min(e.info.Local, e.limits.GroupMemory))
}

// GroupSize returns the number of work-items of a group, at most most: reductions may take half of the shared memory.
func GroupSize(l *loop.Loop, most, shared int) int {
	for most > 1 && 2*reductionMemory(l, most) > shared {
		most /= 2
	}
	return most
}

// uncontracted is a flag for the C compiler that applies to device compilers, too; -O0 is the other
// one.
const uncontracted = "-ffp-contract=off"

// print generates the source of a loop, for a strategy and groups of the given size.
func (e *engine) print(s backend.Spec, strategy tune.Strategy, size int) *codegen.DeviceProgram {
	return devicecode.Print(codegen.DeviceInput{Loop: s.Loop, Kernel: s.Kernel, Ops: s.Ops, Options: e.options(s, strategy, size)})
}

// build starts to compile a variant's source.
func (e *engine) build(v *variant, consts []unsafe.Pointer) {
	source := e.source(v.program, v.spec, consts)
	v.text, v.build = source.Text, e.compile(source)
}

// source returns the compiler input for a loop's program, with the values of consts that it
// defines.
func (e *engine) source(p *codegen.DeviceProgram, s backend.Spec, consts []unsafe.Pointer) device.Source {
	return device.Source{Name: p.Name, Text: devicecode.Define(p, s.Kernel, consts), Flags: e.flags(s.Chosen.Choices, p.Rounds, s.Kernel.IsC() && !s.Kernel.Exact)}
}

// flags returns the compiler's flags: those of the program, those that the flags for C imply, and those that were chosen.
func (e *engine) flags(c choice.Choices, rounds, source bool) []string {
	return append(devicecode.Flags(e.kind.Dialect, rounds, source, c.HostFlags.Has("-O0")), c.DeviceFlags.List()...)
}

// find waits for the compiler and looks up the kernels.
func (v *variant) find() (err error) {
	if v.kernel, err = v.build.Kernel(v.program.Entry); err != nil || v.program.Combine == "" {
		return err
	}
	v.combine, err = v.build.Kernel(v.program.Combine)
	return err
}

// limit returns the maximum group size of the kernels, if that is less than they were generated
// for.
func (v *variant) limit() int {
	limit := v.size
	for _, k := range []device.Kernel{v.kernel, v.combine} {
		if k == nil {
			continue
		}
		if most := k.Figures().MaxGroup; most > 0 {
			limit = min(limit, most)
		}
	}
	return limit
}

// divide computes the launches.
func (v *variant) divide() error {
	m := v.memory
	v.list = m.Subset
	switch v.strategy {
	case tune.Staged, tune.InPlace:
		return v.divideStaged()
	case tune.Blocks:
		v.size = 1
		return v.divideBlocks()
	case tune.GlobalColor:
		return v.divideColors()
	case tune.Gather:
		return v.divideTargets()
	}
	v.share()
	v.groups = v.groupsOf(v.elements)
	v.launches = []launch{{groups: v.groups, offset: int32(m.First), end: int32(m.Last)}}
	return nil
}

// share determines the number of elements for each group: several for each work-item, if groups keep
// partial results, or if that was chosen.
func (v *variant) share() {
	v.per = v.size * max(1, v.spec.Chosen.PerItem)
	if most := v.per * v.engine.limits.Groups; v.spec.Loop.Reduces() {
		v.per *= max(1, (v.elements+most-1)/most)
	}
}

func (v *variant) groupsOf(elements int) int { return (elements + v.per - 1) / v.per }

// divideColors divides the loop into a launch for each color of elements.
func (v *variant) divideColors() error {
	p, _, err := v.memory.NewPlan(backend.PlanRequest{BlockSize: 1})
	if err != nil {
		return err
	}
	v.plan = p
	v.list = p.BlocksByColor
	if subset := v.memory.Subset; subset != nil {
		v.list = make([]int32, len(p.BlocksByColor))
		for i, place := range p.BlocksByColor {
			v.list[i] = subset[place]
		}
	}
	v.share()
	for c := range p.Colors {
		from, to := p.ColorOffsets[c], p.ColorOffsets[c+1]
		groups := v.groupsOf(int(to - from))
		v.launches = append(v.launches, launch{groups, from, to, int32(v.groups)})
		v.groups += groups
	}
	return nil
}

// divideBlocks divides the loop into a launch for each color of blocks, with a work-item for each
// block.
func (v *variant) divideBlocks() error {
	size := v.spec.BlockSize(v.elements)
	p, _, err := v.memory.NewPlan(backend.PlanRequest{BlockSize: size, Boundaries: v.memory.Boundaries})
	if err != nil {
		return err
	}
	v.launchBlocks(p)
	v.note = fmt.Sprintf("of %d elements", size)
	return nil
}

// launchBlocks makes a launch for each color of a plan's blocks.
func (v *variant) launchBlocks(p *plan.Plan) {
	v.memory.Plan, v.plan = p, p
	for c := range p.Colors {
		from, to := p.ColorOffsets[c], p.ColorOffsets[c+1]
		v.launches = append(v.launches, launch{groups: int(to - from), offset: from, end: to})
	}
	v.groups = p.Blocks()
}

// divideTargets makes one launch over all targets.
func (v *variant) divideTargets() error {
	r, err := newReach(v.spec.Loop, v.memory)
	if err != nil {
		return err
	}
	v.reach = r
	targets := v.memory.Elements[r.data]
	v.launches = []launch{{groups: (targets + v.size - 1) / v.size}}
	return nil
}

// bind creates the kernels' arguments.
func (v *variant) bind(r *runner) error {
	var err error
	v.count, v.room = int32(v.groups), v.groups
	if !v.inBlocks() { // each part may have a group of each launch that is not full
		v.room += len(v.memory.Boundaries) * len(v.launches)
	}
	v.partials = make([]device.Buffer, len(v.spec.Loop.Args))
	for i, a := range v.spec.Loop.Args {
		if a.Reduces() {
			if v.partials[i], err = v.engine.alloc(max(v.room, 1) * v.spec.Loop.Dim(a) * v.spec.Loop.Type(a).Size()); err != nil {
				return err
			}
			r.own(v.partials[i])
		}
	}
	if v.program.LastCombines {
		if v.finished, err = upload(v.engine, []int32{0}); err != nil {
			return err
		}
		r.own(v.finished)
	}
	if v.args, err = v.arguments(r, v.program.Params); err != nil {
		return err
	}
	v.combined, err = v.arguments(r, v.program.CombineParams)
	return err
}

// arguments returns the addresses of the values of parameters.
func (v *variant) arguments(r *runner, params []codegen.Slot) ([]device.Arg, error) {
	args := make([]device.Arg, len(params))
	for i, slot := range params {
		var err error
		if args[i], err = v.arg(r, slot); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// arg returns the address of the value of a parameter.
func (v *variant) arg(r *runner, slot codegen.Slot) (device.Arg, error) {
	m, e := v.memory, v.engine
	number := func(n int) (device.Arg, error) {
		if n > math.MaxInt32 {
			return device.Arg{}, fmt.Errorf("%d does not fit into 32 bits", n)
		}
		value := int32(n)
		return device.ArgOf(&value), nil
	}
	buffer := func(b device.Buffer, err error) (device.Arg, error) { return device.ArgOf(&b), err }
	shared := func(a *array, err error) (device.Arg, error) {
		if err != nil {
			return device.Arg{}, err
		}
		r.arrays = append(r.arrays, a)
		return device.ArgOf(&a.buffer), nil
	}
	own := func(b device.Buffer, err error) (device.Arg, error) {
		r.own(b)
		return buffer(b, err)
	}
	columns := func(n int) int {
		if e.info.CPU {
			return 0
		}
		return n
	}
	switch n := slot.N; slot.What {
	case codegen.SlotData:
		return device.ArgOf(&r.data[n]), nil
	case codegen.SlotMap:
		arity := v.spec.Loop.Maps[n].Arity
		return shared(e.columns(unsafe.Slice((*int32)(m.Maps[n]), m.SetSize*arity), columns(arity)))
	case codegen.SlotTable:
		return shared(e.columns(m.Nonzeros[n].Table, columns(v.spec.Loop.Positions(v.spec.Loop.Nonzeros[n]))))
	case codegen.SlotRowPtr:
		return shared(e.ints(m.Nonzeros[n].RowPtr))
	case codegen.SlotColIdx:
		return shared(e.ints(m.Nonzeros[n].ColIdx))
	case codegen.SlotFirst:
		return number(m.First)
	case codegen.SlotLast:
		return number(m.Last)
	case codegen.SlotSize:
		return number(m.SetSize)
	case codegen.SlotOffset:
		return device.ArgOf(&v.offset), nil
	case codegen.SlotEnd:
		return device.ArgOf(&v.end), nil
	case codegen.SlotBefore:
		return device.ArgOf(&v.before), nil
	case codegen.SlotList:
		return shared(e.ints(v.list))
	case codegen.SlotPer:
		return number(v.per)
	case codegen.SlotStride:
		return number(m.Elements[n])
	case codegen.SlotConsts:
		return r.consts.arg(v.program), nil
	case codegen.SlotFaults:
		return buffer(e.faults, nil)
	case codegen.SlotPartials:
		return device.ArgOf(&v.partials[n]), nil
	case codegen.SlotFinished:
		return buffer(v.finished, nil)
	case codegen.SlotGroups:
		return device.ArgOf(&v.count), nil
	case codegen.SlotBlockList:
		return shared(e.ints(m.Plan.BlocksByColor))
	case codegen.SlotBlockFirst:
		return shared(e.ints(m.Plan.BlockOffsets))
	case codegen.SlotElementColor:
		return shared(e.bytes(m.Plan.ElementColors))
	case codegen.SlotByColor:
		return shared(e.ints(m.Plan.ElementsByColor))
	case codegen.SlotColorCount:
		return shared(e.ints(m.Plan.ElementColorCounts))
	case codegen.SlotTargetFirst:
		return shared(e.ints(v.staging.table(n).Offsets))
	case codegen.SlotTargets:
		return shared(e.ints(v.staging.table(n).Targets))
	case codegen.SlotLocal:
		return shared(v.staging.local(e, n))
	case codegen.SlotShared:
		return device.Arg{Size: v.shared}, nil
	case codegen.SlotReachFirst:
		return own(upload(e, v.reach.offsets))
	case codegen.SlotReach:
		return own(upload(e, v.reach.references))
	case codegen.SlotTargetCount:
		return number(m.Elements[v.reach.data])
	}
	panic(fmt.Sprintf("gpu: no argument for slot %d", slot.What))
}
