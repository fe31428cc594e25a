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
	user, start := config.Backend.Choices.With(k.Choices()).By(choice.User), config.Start.By(choice.Estimate)
	if config.Choose == nil {
		return user.Over(start)
	}
	others := config.Choose(c.About(s, user))
	s.Chosen = user.Over(others).Over(start)
	if b, ok := c.Runtime.Backend().(backend.Translated); others.Wrong() != nil || ok && !b.HasCode(s) {
		return user.Over(start)
	}
	return s.Chosen
}

// About returns what choosers are told of a loop with choices of its user. On several ranks it is the same on all of them, so
// that they choose the same.
func (c *Call) About(s backend.Spec, user choice.Made) choice.Subject {
	rt := c.Runtime
	about := choice.Subject{Loop: s.Hash(), Name: s.Kernel.Name, Backend: rt.Name(), Elements: c.Over.Size(), Threads: rt.HostThreads(), User: user, Start: rt.Config().Start}
	if rt.Several() {
		about.Elements = int(c.Over.Set.Whole()) / rt.Ranks()
	}
	if b, ok := rt.Backend().(backend.Placed); ok {
		s.Chosen = user
		about.Machine, about.Compiler = b.Place(s)
	}
	for _, a := range c.Args {
		if a.Map != nil {
			m := a.Map
			about.Degree = max(about.Degree, int(m.From().Whole()*int64(m.Arity())/max(1, m.To().Whole())))
			about.Scatters = about.Scatters || !rt.Several() && scatters(m.Targets(), m.Arity(), m.To().Size())
		}
	}
	return about
}

// So many pairs of neighbors say whether a map scatters: whether in the mean they are farther apart than this part of the set.
const (
	sampledPairs = 64
	farApart     = 16
)

// scatters reports whether neighbors among the elements have first targets that are far apart.
func scatters(targets []int32, arity, size int) bool {
	elements := len(targets) / max(1, arity)
	apart, pairs := 0, 0
	for e := 0; e < elements-1; e += max(1, elements/sampledPairs) {
		d := int(targets[(e+1)*arity] - targets[e*arity])
		apart, pairs = apart+max(d, -d), pairs+1
	}
	return pairs > 0 && apart/pairs > size/farApart
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
