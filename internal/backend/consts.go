package backend

import (
	"bytes"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
)

// Consts are the values that a kernel's consts have in a call.
type Consts struct {
	variables []unsafe.Pointer // that the program changes
	values    [][]byte
}

// NewConsts returns room for the values of a kernel's consts, whose variables are at the given
// addresses.
func NewConsts(k *kernel.Kernel, variables []unsafe.Pointer) *Consts {
	c := &Consts{variables: variables}
	for i := range variables {
		size := kernel.LayoutOf(k.Consts[i].Type).Size
		c.values = append(c.values, unsafe.Slice((*byte)(words(size)), size))
	}
	return c
}

// words returns memory for n bytes, aligned for values of any type.
func words(n int) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, (n+7)/8)))
}

// Take copies the values at these addresses, or if that is nil the current ones.
func (c *Consts) Take(from []unsafe.Pointer) {
	if from == nil {
		from = c.variables
	}
	for i, v := range c.values {
		copy(v, unsafe.Slice((*byte)(from[i]), len(v)))
	}
}

// At returns the address of the value of const i.
func (c *Consts) At(i int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(c.values[i])) }

// Same reports whether const i has the same value as const j of other.
func (c *Consts) Same(i int, other *Consts, j int) bool {
	return bytes.Equal(c.values[i], other.values[j])
}

// Swap exchanges the values with those of the variables, for code that reads the variables. It
// writes only to those that differ.
func (c *Consts) Swap() {
	for i, v := range c.values {
		variable := unsafe.Slice((*byte)(c.variables[i]), len(v))
		if bytes.Equal(v, variable) {
			continue
		}
		for b := range v {
			v[b], variable[b] = variable[b], v[b]
		}
	}
}
