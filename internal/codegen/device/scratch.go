package device

import (
	"slices"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/tune"
)

// scratchMemory is the most bytes of a group's scratchpads.
const scratchMemory = 16 << 10

// Scratches reports whether data d of a loop goes through scratchpads in groups of that size: several values of each element
// itself, stored one after another.
func Scratches(l *loop.Loop, d, group int) bool {
	data := l.Data[d]
	return data.Kind == loop.Dat && !data.SoA && data.Dim > 1 && data.Dim*data.Type.Size()*group <= scratchMemory &&
		slices.ContainsFunc(l.Args, func(a loop.Arg) bool { return a.Kind == loop.Dat && a.Data == d && !a.Indirect() })
}

// throughScratch takes a move that goes through a scratchpad, and reports whether it does. An element that fails stores
// nothing, so that elements which may fail use none.
func (g *deviceLoop) throughScratch(m lower.Move, l lower.Local, own func(subscript string) string) bool {
	if g.Options.Strategy != tune.Scratchpad || g.Options.Subset || g.program.Faults || m.Place.Kind != lower.Values || m.Place.Map != loop.Direct ||
		!Scratches(g.Loop, m.Place.Data, g.Options.GroupSize) || m.Dim != g.Loop.Data[m.Place.Data].Dim || l.Whole(m.Do) || m.Do.Arrives() && m.Do != lower.Load {
		return false
	}
	g.scratch = append(g.scratch, scratched{m, own})
	return true
}
