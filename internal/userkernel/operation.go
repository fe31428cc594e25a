package userkernel

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/interp"
	"github.com/go-op2/op2/internal/loop"
)

// Operation returns a kernel of two values as a function on the host: a Go kernel's function itself, or
// the interpreter of C, which is tried on two identities.
func (k *Kernel) Operation(ir *kernel.Kernel, l *loop.Layout, identity []byte) (func(into, from unsafe.Pointer), error) {
	if word := k.Func(); word != nil {
		return *(*func(into, from unsafe.Pointer))(unsafe.Pointer(&word)), nil
	}
	leaves := l.Leaves()
	apply := func(into, from unsafe.Pointer) error {
		values := [][]uint64{leaves.Load(into), leaves.Load(from)}
		err := interp.Run(ir, values, nil, math.MaxInt)
		leaves.Store(into, values[0])
		return err
	}
	must := func(into, from unsafe.Pointer) {
		if err := apply(into, from); err != nil {
			panic(fmt.Sprintf("op2: operation %s: %v", ir.Name, err))
		}
	}
	trial := unsafe.Pointer(unsafe.SliceData(slices.Clone(identity)))
	return must, apply(trial, trial)
}
