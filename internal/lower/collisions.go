package lower

import "github.com/go-op2/op2/internal/loop"

// Collisions says how elements that change the same values are kept apart.
type Collisions uint8

// The ways.
const (
	// Elsewhere: such elements do not run at the same time. Their results are stored in the order
	// of the parameters.
	Elsewhere Collisions = iota
	// Last: results that may collide are stored after everything else, when the element's turn
	// comes.
	Last
	// Atomically: likewise, but at any time, by atomic operations.
	Atomically
	// Gathers: each target runs the elements that change it, and keeps its own share.
	Gathers
)

// Suits reports whether all results of a loop that may collide can be stored that way. Wide says
// that there are atomic operations on values of 8 bytes.
func (c Collisions) Suits(l *loop.Loop, wide bool) bool {
	switch c {
	case Atomically:
		return combinesAtomically(l, wide)
	case Gathers:
		return gathers(l)
	}
	return true
}

// combinesAtomically reports whether atomic operations combine everything that collides, if
// anything does.
func combinesAtomically(l *loop.Loop, wide bool) bool {
	if !l.Collides() {
		return false
	}
	for _, a := range l.Args {
		if !a.Indirect() || a.Access == loop.Read || a.Kind == loop.Mat && a.Access == loop.Write {
			continue
		}
		combines := a.Access == loop.Inc || a.Access == loop.Min || a.Access == loop.Max
		if size := l.Type(a).Size(); !combines || l.Data[a.Data].Record() != nil || size < 4 || size == 8 && !wide {
			return false
		}
	}
	return true
}

// gathers reports whether each target can collect its contributions: the loop increments one dat,
// all values of it, of no records, through maps with rows of one length, and changes nothing else, once for each element.
func gathers(l *loop.Loop) bool {
	data := -1
	if l.Layers.Of > 0 {
		return false
	}
	for _, a := range l.Args {
		switch {
		case a.Access == loop.Read || a.Kind == loop.Index:
		case a.Kind != loop.Dat || a.Access != loop.Inc || !a.Indirect() || l.Varies(a) || a.Single > 0 || l.Data[a.Data].Record() != nil || data >= 0 && data != a.Data:
			return false
		default:
			data = a.Data
		}
	}
	return data >= 0
}
