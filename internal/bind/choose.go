package bind

import (
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/userkernel"
)

// Choose returns what is chosen for a loop: by the user of its kernel, and where they leave it open by the chooser of the
// runtime. What the chooser proposes that no loop can have does not count.
func (c *Call) Choose(k *userkernel.Kernel, s backend.Spec) choice.Made {
	config := c.Runtime.Config()
	user := config.Backend.Choices.With(k.Choices()).By(choice.User)
	if config.Choose == nil {
		return user
	}
	others := config.Choose(c.About(s, user))
	if others.Wrong() != nil {
		return user
	}
	return user.Over(others)
}

// About returns what choosers are told of a loop with choices of its user.
func (c *Call) About(s backend.Spec, user choice.Made) choice.Subject {
	about := choice.Subject{Loop: s.Hash(), Name: s.Kernel.Name, Backend: c.Runtime.Name(), Elements: c.Over.Size(), User: user}
	if b, ok := c.Runtime.Backend().(backend.Placed); ok {
		about.Machine, about.Compiler = b.Place()
	}
	return about
}

// wish asks for a layout of the dats of a loop. It counts for those that have no layout of their own. The dats get it
// from the first loop with a wish; that another loop's user wishes for another one is an error, unless it is only
// somebody's guess.
func (c *Call) wish(layout tune.Layout, who choice.By) error {
	if layout == "" || layout == tune.Auto {
		return nil
	}
	for i, a := range c.Args {
		if a.Kind != loop.Dat {
			continue
		}
		taken, by := a.Data.Wish(layout, c.What)
		if taken != layout && who == choice.User {
			return c.wrong(i, fmt.Sprintf("the loop wishes for layout %s, and %s for %s", layout, by, taken),
				"a dat has one layout, for all loops: choose it with Dat.SetLayout, or remove one of the wishes")
		}
	}
	return nil
}
