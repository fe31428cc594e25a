package bind

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// Call is what a loop runs over and with.
type Call struct {
	Runtime *entity.Runtime
	Over    entity.Range
	Args    []entity.Arg
	Missing []entity.Arg // those that are left out
	What    string       // the loop, for messages

	before int // arguments of the program that come before these
}

// newCall returns the call of a kernel with arguments as Expand returns them.
func newCall(k *userkernel.Kernel, over entity.Range, args []entity.Arg) Call {
	present, missing := entity.SplitLeftOut(args)
	return Call{Runtime: over.Set.Runtime(), Over: over, Args: present, Missing: missing, What: LoopName(k, over)}
}

// ordinal returns the number that argument i has for the program.
func (c *Call) ordinal(i int) int {
	return c.before + entity.Ordinal(slices.Concat(c.Args, c.Missing), i)
}

// argument returns the name of argument i for messages.
func (c *Call) argument(i int) string {
	if c.Args[i].Kind == 0 {
		return fmt.Sprintf("%s: argument %d", c.What, c.ordinal(i))
	}
	return fmt.Sprintf("%s: argument %d (%s)", c.What, c.ordinal(i), c.Args[i])
}

// wrong returns the error for argument i, with where its data and its maps were declared.
func (c *Call) wrong(i int, msg, hint string) error {
	return c.Args[i].About(&problem.ArgError{What: c.argument(i), Msg: msg, Hint: hint})
}

// misshapen returns the error for a size, number or type that does not fit in argument i, as wrong does.
func (c *Call) misshapen(i int, msg, hint string) error {
	return c.Args[i].About(&problem.ShapeError{What: c.argument(i), Msg: msg, Hint: hint})
}

// LoopName returns the name of a loop for messages.
func LoopName(k *userkernel.Kernel, over entity.Range) string {
	return fmt.Sprintf("loop %s over %s", k.Name(), over.Name())
}
