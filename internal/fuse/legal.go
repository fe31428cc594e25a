package fuse

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Legal returns nil if loops over the same elements can be fused, otherwise why not.
func Legal(parts []Part) error {
	for i := range parts {
		p := &parts[i]
		if !p.Kernel.Captured() {
			return fmt.Errorf("%s is %s", p.name(), p.Kernel.Beyond())
		}
		if u := slices.IndexFunc(p.Kernel.Uses, func(u kernel.Use) bool { return u.Opaque.Known() }); u >= 0 {
			return fmt.Errorf("what %s does with %s is not known", p.name(), p.Kernel.Entry().Params[u].Name)
		}
		if kernel.Has[*kernel.Print](p.Kernel) {
			return fmt.Errorf("%s prints", p.name())
		}
		if slices.ContainsFunc(p.Loop.Args, func(a loop.Arg) bool { return a.Single > 0 }) {
			return fmt.Errorf("%s takes a component of a dat", p.name())
		}
		for j := range parts[:i] {
			if err := legalPair(&parts[j], p); err != nil {
				return err
			}
		}
	}
	return nil
}

func legalPair(a, b *Part) error {
	if rounds := a.Kernel.Rounds(); rounds != b.Kernel.Rounds() {
		which := b
		if rounds {
			which = a
		}
		return fmt.Errorf("only %s rounds products and sums separately", which.name())
	}
	for _, c := range a.Kernel.Consts {
		for _, d := range b.Kernel.Consts {
			if c.Name == d.Name && !kernel.Same(c.Type, d.Type) {
				return fmt.Errorf("their const %s is not the same", c.Name)
			}
		}
	}
	for d := range a.Loop.Data {
		for e := range b.Loop.Data {
			if a.Storages[d] != b.Storages[e] {
				continue
			}
			if why := conflict(a, d, b, e); why != "" {
				return errors.New(why)
			}
		}
	}
	return nil
}

// conflict returns why two loops that share data cannot be fused; "" if they can. In the fused loop, element
// e runs both kernels before element e+1 runs the first. That is the same if the second kernel uses only what
// the first left for e itself, in values that both reach directly and as a whole. Through a map it might need
// what a later element leaves: a fusion-preventing dependence (K. Kennedy, K. S. McKinley, "Maximizing loop
// parallelism and improving data locality via loop fusion and distribution", LCPC 1993). Increments alone may
// change places; with floats they do so only where the caller accepts that (Fused.Reordered).
func conflict(a *Part, d int, b *Part, e int) string {
	x, y, name := a.use(d), b.use(e), a.Names[d]
	does := func(p *Part, u use) string { return p.name() + " " + verbs[u.access] + " " + name }
	both := func() string { return does(a, x) + ", " + does(b, y) }
	switch {
	case x.access == loop.Read && y.access == loop.Read:
		return ""
	case a.Data[d] != b.Data[e]:
		return both() + ", under another name"
	case a.Loop.Data[d].Fresh != b.Loop.Data[e].Fresh || a.Loop.Data[d].Fresh:
		return both() + ", which is fresh"
	}
	switch a.Loop.Data[d].Kind {
	case loop.Global:
		if x.access == loop.Inc && y.access == loop.Inc && !a.Loop.Data[d].Type.Float() {
			return ""
		}
		return both() // the order of the sum of floats would be another one
	case loop.Mat:
		return both()
	}
	switch {
	case x.access == loop.Inc && y.access == loop.Inc:
		return ""
	case x.indirect || y.indirect:
		who := a
		if y.indirect {
			who = b
		}
		way := "through a map"
		if who.Loop.Layers.Of > 0 {
			way = "beyond a layer's own"
		}
		return fmt.Sprintf("%s, which %s reaches %s", both(), who.name(), way)
	case !sets(x.access) || !sets(y.access):
		return both()
	case x.part || y.part:
		return both() + ", as a part of an argument"
	}
	return ""
}

// verbs say what a loop does to data, by access.
var verbs = [...]string{loop.Read: "reads", loop.Write: "writes", loop.RW: "changes", loop.Inc: "adds to", loop.Min: "takes minima into", loop.Max: "takes maxima into", loop.Reduce: "reduces into"}

// reorders reports whether both parts add floats to the same values of other elements.
func reorders(a, b *Part) bool {
	for d := range a.Loop.Data {
		for e := range b.Loop.Data {
			if x, y := a.use(d), b.use(e); a.Data[d] == b.Data[e] && a.Loop.Data[d].Kind == loop.Dat && a.Loop.Data[d].Type.Float() &&
				x.access == loop.Inc && y.access == loop.Inc && (x.indirect || y.indirect) {
				return true
			}
		}
	}
	return false
}
