package backend

import (
	"fmt"
	"slices"
)

// Pieces holds the prepared parts of a loop, by their first and last elements.
type Pieces[P any] map[[2]int]P

// Of returns the prepared piece of a part, or else prepares it. It returns an error unless it is a part of
// the loop.
func (p *Pieces[P]) Of(part Part, m *Memory, prepare func() (P, error)) (P, error) {
	key := [2]int{part.First, part.Last}
	piece, ok := (*p)[key]
	if ok {
		return piece, nil
	}
	if err := part.Check(m); err != nil {
		return piece, err
	}
	piece, err := prepare()
	if err != nil {
		return piece, err
	}
	if *p == nil {
		*p = Pieces[P]{}
	}
	(*p)[key] = piece
	return piece, nil
}

// Check returns an error unless p is a part of the loop.
func (p Part) Check(m *Memory) error {
	among := func(e int) bool { return e == m.First || e == m.Last || slices.Contains(m.Boundaries, e) }
	if p.First > p.Last || !among(p.First) || !among(p.Last) {
		return fmt.Errorf("[%d, %d) is no part of the elements [%d, %d) with boundaries %v", p.First, p.Last, m.First, m.Last, m.Boundaries)
	}
	return nil
}
