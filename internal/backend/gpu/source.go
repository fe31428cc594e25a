package gpu

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	devicecode "github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/tune"
)

// newVariant prepares a loop for a strategy, with at most size work-items in a group, and starts to
// compile it.
func (e *engine) newVariant(s backend.Spec, m *backend.Memory, strategy tune.Strategy, size int) (*variant, error) {
	v := &variant{engine: e, spec: s, memory: m, elements: m.Last - m.First, strategy: strategy, size: e.groupSize(s.Loop, size)}
	if err := v.divide(); err != nil {
		return nil, err
	}
	v.program = e.print(s, strategy, v.size)
	e.buildVariant(v, m.Consts)
	return v, nil
}

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

// uncontracted is a flag for the C compiler that applies to device compilers, too; -O0 is the other
// one.
const uncontracted = "-ffp-contract=off"

// print generates the source of a loop, for a strategy and groups of the given size.
func (e *engine) print(s backend.Spec, strategy tune.Strategy, size int) *codegen.DeviceProgram {
	return devicecode.Print(codegen.DeviceInput{Loop: s.Loop, Kernel: s.Kernel, Ops: s.Ops, Options: e.options(s, strategy, size)})
}

// buildVariant starts to compile a variant's source.
func (e *engine) buildVariant(v *variant, consts []unsafe.Pointer) {
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
