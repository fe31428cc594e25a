// Package bind binds a kernel to the arguments of a loop, in steps that are functions of plain data: place finds the
// arguments reachable, check finds that they do not get in each other's way, describe numbers what they refer to, lower
// lowers the kernel for their shapes, and fit finds that it fits them. NewBinding has the effects: on arguments before
// these steps, on memory between them and after them. The package builds plans, and rearranges loops where their own
// order would leave threads idle, or results would depend on more than the mesh.
package bind

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/userkernel"
)

// Binding is what a loop is bound to: what it means, the data and maps that this refers to by number, and
// their memory.
type Binding struct {
	backend.Spec
	Call
	Numbered
	Memory backend.Memory

	Env    *Env
	Watch  *userkernel.Watch
	Consts [][]byte  // the variables
	Same   *SameBits // nil without the option
	Core   int       // on several ranks: the leading elements from which no map that the loop reads through leads into a halo
}

// Stack refuses a loop that would overflow the stack of a thread.
func (b *Binding) Stack() error {
	return (&lowered{described{b.Call, b.Numbered, b.Loop}, b.Kernel}).stack()
}
