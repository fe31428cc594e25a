// Package bind binds a kernel to the arguments of a loop: it places them, describes the loop, lowers the kernel, checks
// that they fit, and locates their memory. It builds plans, and rearranges loops where their own order would leave
// threads idle, or results would depend on more than the mesh.
package bind

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// Binding is what a loop is bound to: what it means, the data and maps that this refers to by number, and
// their memory.
type Binding struct {
	backend.Spec
	Memory backend.Memory
	Over   entity.Range
	Data   []*entity.Data // by Loop.Data
	Maps   []*entity.Map  // by Loop.Maps

	Runtime  *entity.Runtime
	Env      *Env
	What     string       // the loop, for messages
	Args     []entity.Arg // by Loop.Args
	Nonzeros []Nonzeros   // by Loop.Nonzeros
	Watch    *userkernel.Watch
	Consts   [][]byte  // the variables
	Same     *SameBits // nil without the option
	Core     int       // on several ranks: the leading elements from which no map that the loop reads through leads into a halo
}

// argument returns the name of argument i for messages.
func (b *Binding) argument(i int) string {
	if b.Args[i].Kind == 0 {
		return fmt.Sprintf("%s: argument %d", b.What, entity.Ordinal(b.Args, i))
	}
	return fmt.Sprintf("%s: argument %d (%s)", b.What, entity.Ordinal(b.Args, i), b.Args[i])
}

// wrong returns the error for argument i, with where its data and its maps were declared.
func (b *Binding) wrong(i int, msg, hint string) error {
	return b.Args[i].About(&problem.ArgError{What: b.argument(i), Msg: msg, Hint: hint})
}

// misshapen returns the error for a size, number or type that does not fit in argument i, as wrong does.
func (b *Binding) misshapen(i int, msg, hint string) error {
	return b.Args[i].About(&problem.ShapeError{What: b.argument(i), Msg: msg, Hint: hint})
}

// numberOf returns the index of a map in desc.Maps, adding it if necessary.
func (b *Binding) numberOf(m *entity.Map) int {
	i := slices.Index(b.Maps, m)
	if i < 0 {
		i = len(b.Maps)
		b.Maps = append(b.Maps, m)
		b.Loop.Maps = append(b.Loop.Maps, loop.Map{Arity: m.Arity()})
	}
	return i
}

// LoopName returns the name of a loop for messages.
func LoopName(k *userkernel.Kernel, over entity.Range) string {
	return fmt.Sprintf("loop %s over %s", k.Name(), over.Name())
}

// Nonzeros locates the nonzeros of mats: a sparsity and a table of positions in it.
type Nonzeros struct {
	sparsity *entity.Sparsity
	table    entity.PositionTable
}

// SameBits is what a loop needs for that besides what its backend does.
type SameBits struct {
	contributions []*contribution
	order         *inOrder // nil if the order of elements does not matter
}
