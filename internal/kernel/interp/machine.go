package interp

import (
	"errors"

	"github.com/go-op2/op2/internal/kernel"
)

var (
	// ErrSteps reports that a kernel takes more steps than allowed.
	ErrSteps = errors.New("the kernel takes too many steps")
	// ErrUnknown reports that a kernel contains something that only its target understands.
	ErrUnknown = errors.New("the kernel holds what cannot be interpreted")
)

// Machine runs a kernel. A value is the bits of its scalars; that of a pointer is the memory that
// it points to. Expressions are evaluated from right to left, as a target may do, to expose any
// dependence on the order.
type Machine struct {
	kernel   *kernel.Kernel
	consts   map[string][]uint64
	vars     map[*kernel.Var][]uint64
	rows     map[*kernel.Var]int // scalars in each row that an array of pointers leads to
	literals map[*kernel.Lit]uint64
	steps    int // remaining
	seen     map[*kernel.Block]bool
	c        bool       // in a function of C
	at       kernel.Pos // of the last operation that may fault
}

// New returns a machine for the kernel, with the consts of k.Consts.
func New(k *kernel.Kernel, consts [][]uint64) *Machine {
	m := &Machine{kernel: k, consts: map[string][]uint64{}, rows: map[*kernel.Var]int{}, literals: map[*kernel.Lit]uint64{}, seen: map[*kernel.Block]bool{}}
	for i, c := range k.Consts {
		m.consts[c.Name] = consts[i]
	}
	return m
}

// SetRow says that parameter i is an array of pointers to rows of n scalars each. Its values are
// those of all rows, one after another.
func (m *Machine) SetRow(i, n int) { m.rows[m.kernel.Entry().Params[i]] = n }

// At returns the position of the operation that ended Run.
func (m *Machine) At() kernel.Pos { return m.at }

// step counts a step.
func (m *Machine) step() {
	if m.steps--; m.steps < 0 {
		panic(ErrSteps)
	}
}
