package fuse

import (
	"fmt"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/host"
)

// Suits returns nil if the fused loop suits the host's compilers as well as its parts do, otherwise
// why not: it must have packs of elements if one of them has, and sums must be in packs of the same size,
// or they would be rounded in another way.
func (f *Fused) Suits(parts []Part, o codegen.Options) error {
	fused := host.Sequential(codegen.Input{Loop: f.Loop, Kernel: f.Kernel, Ops: f.Ops, Options: o})
	for i := range parts {
		p := &parts[i]
		own := host.Sequential(codegen.Input{Loop: p.Loop, Kernel: p.Kernel, Ops: p.Ops, Options: o})
		switch {
		case own.Pack > 0 && fused.Pack == 0:
			return fmt.Errorf("%s runs in packs of elements, together they would not: %s", p.name(), fused.Scalar)
		case own.Pack != fused.Pack && p.addsFloats():
			return fmt.Errorf("%s adds floats, which would be rounded in another way: only together they run in packs of elements of that size", p.name())
		case own.Pack == 0 && fused.Pack > 0 && p.callsForms():
			return fmt.Errorf("%s calls functions of mathematics, which packs of elements compute in another way: only together they run in packs", p.name())
		}
	}
	return nil
}
