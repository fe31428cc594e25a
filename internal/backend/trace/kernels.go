package trace

import (
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/translate/recording"
	"github.com/go-op2/op2/internal/tune"
)

// strategy returns how a loop runs on a device: where elements collide, by atomic additions, or else color by color, for
// neither of which the driver needs a plan of blocks.
func strategy(l *loop.Loop) tune.Strategy {
	switch {
	case !l.Collides():
		return tune.Direct
	case lower.Atomically.Suits(l, true):
		return tune.Atomic
	}
	return tune.GlobalColor
}

// kernels prints a loop for a kind of device, as for GPUs, but with dats that are stored element by element: other loops
// may take their memory for vectors of another dimension. Consts that a text contains have these values.
func kernels(d codegen.Dialect, s backend.Spec, consts []unsafe.Pointer) recording.Kernels {
	limits := tune.DefaultMachine().Device
	size := gpu.GroupSize(s.Loop, limits.GroupSize, limits.GroupMemory)
	p := device.Print(codegen.DeviceInput{Loop: s.Loop, Kernel: s.Kernel, Ops: s.Ops, Options: codegen.DeviceOptions{
		Dialect: d, Strategy: strategy(s.Loop), GroupSize: size, Subset: s.Subset, Columns: true, SIMD: tune.SIMDOff}})
	p.Text, p.Params, p.CombineParams = device.Define(p, s.Kernel, consts), params(s.Loop, p.Params), params(s.Loop, p.CombineParams)
	return recording.Kernels{DeviceProgram: p, Size: size, Flags: device.Flags(d, p.Rounds, s.Kernel.IsC() && !s.Kernel.Exact, false)}
}

// params returns parameters with partial results as a recording has them, whose arguments all have data.
func params(l *loop.Loop, of []codegen.Slot) []codegen.Slot {
	list := slices.Clone(of)
	for i, s := range of {
		if s.What == codegen.SlotPartials {
			for _, a := range l.Args[:s.N] {
				if a.Data < 0 {
					list[i].N--
				}
			}
		}
	}
	return list
}

// list returns the elements of a loop on a device, in the order in which they run, and where each color begins; nil for
// consecutive elements, or without colors.
func list(l *loop.Loop, m *backend.Memory) (elements, colors []int32, err error) {
	if strategy(l) != tune.GlobalColor {
		return m.Subset, nil, nil
	}
	p, _, err := m.NewPlan(backend.PlanRequest{BlockSize: 1})
	if err != nil {
		return nil, nil, err
	}
	elements = slices.Clone(p.BlocksByColor)
	for i, place := range elements {
		if m.Subset != nil {
			elements[i] = m.Subset[place]
		}
	}
	return elements, p.ColorOffsets, nil
}
