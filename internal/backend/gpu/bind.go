package gpu

import (
	"fmt"
	"math"
	"math/bits"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
)

// Ready waits for the compiler and creates the arguments.
func (r *runner) Ready() error {
	if r.ready {
		return nil
	}
	if err := r.bindVariants(); err != nil {
		return err
	}
	if len(r.variants) > 1 {
		r.trials = make([]time.Duration, len(r.variants))
	} else {
		r.reportHow()
	}
	r.ready = true
	return nil
}

// bindVariants creates the arguments. If something fails, it creates nothing, and can be called again.
func (r *runner) bindVariants() (err error) {
	defer func() {
		if err != nil {
			r.unbind()
		}
	}()
	for i := range r.variants {
		v, err := r.fitting(i)
		if err != nil {
			return err
		}
		if r.consts == nil {
			if r.consts, err = newConsts(r.engine, r.spec.Kernel, r.memory.Consts, v.program); err != nil {
				return err
			}
			r.keepBuffer(r.consts.buffer)
		}
		if err := v.bindTo(r); err != nil {
			return err
		}
	}
	return nil
}

// fitting returns variant i once it has been compiled; with smaller groups, if the kernel needs too
// many registers for the intended size.
func (r *runner) fitting(i int) (*variant, error) {
	for {
		v := r.variants[i]
		if err := v.find(); err != nil {
			return nil, err
		}
		limit := v.sizeLimit()
		if limit >= v.size {
			return v, nil
		}
		v.build.Release()
		limit = 1 << (bits.Len(uint(limit)) - 1)
		smaller, err := r.engine.newVariant(r.spec, v.memory, v.strategy, limit)
		if err != nil {
			return nil, err
		}
		smaller.remark(fmt.Sprintf("groups of %d instead of %d to fit registers", limit, v.size))
		r.variants[i], r.held.builds[i] = smaller, smaller.build
	}
}

func (r *runner) unbind() {
	for _, b := range r.held.buffers {
		r.engine.device.Free(b)
	}
	r.held.buffers, r.arrays, r.consts = nil, nil, nil
	for _, v := range r.variants {
		v.args, v.combined = nil, nil
	}
}

// bindTo creates the kernels' arguments.
func (v *variant) bindTo(r *runner) error {
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
			r.keepBuffer(v.partials[i])
		}
	}
	if v.program.LastCombines {
		if v.finished, err = upload(v.engine, []int32{0}); err != nil {
			return err
		}
		r.keepBuffer(v.finished)
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
		r.keepBuffer(b)
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
