package chains

import (
	"time"

	"github.com/go-op2/op2/internal/run"
)

// member is a loop of a chain, which stands for one or several of the program's.
type member struct {
	*run.Loop
	sameBits bool  // its parts one after another leave the same bits
	trial    tried // of the loop against its parts
	failing  int   // the part that failed
}

// compute computes the loop, or its parts.
func (m *member) compute(clock func() time.Duration, step *run.Step) error {
	if m.trial.Trial == nil {
		return m.blame(m.ComputeStep(step))
	}
	return m.trial.run(clock, func() bool { return waits(m.Runner()) }, m.computeParts, func() error {
		if err := m.Ready(); err != nil {
			return err
		}
		return m.blame(m.Compute())
	})
}

// computeParts computes the loops that a fused one stands for.
func (m *member) computeParts() error {
	for i, p := range m.Parts() {
		if err := p.Compute(); err != nil {
			m.failing = i
			return err
		}
	}
	return nil
}

// ended returns the error for what ended a call by tiles, or of a sequence.
func (m *member) ended(err error) error { return m.blame(m.Failed(err)) }

// blame notes which part an error of a call was in.
func (m *member) blame(err error) error {
	if err != nil {
		m.failing = m.Failing()
	}
	return err
}

// coreLoops returns the loops of members.
func coreLoops(members []*member) []*run.Loop {
	loops := make([]*run.Loop, len(members))
	for i, m := range members {
		loops[i] = m.Loop
	}
	return loops
}

// Affected says which loops of a sequence an error concerns that ends it: those from First up to Last may have run in
// part, and the one at At has failed. Earlier ones have run, later ones have not.
type Affected struct{ First, Last, At int }

// places returns the same among the places of a chain, given loops, the first of which has that place.
func (a Affected) places(first int, loops []*member) Affected {
	before := first + width(loops[:a.First])
	return Affected{before, first + width(loops[:a.Last]), first + width(loops[:a.At]) + loops[a.At].failing}
}

// byPlace returns the loops of members, and those that they stand for, by the place where they begin.
func byPlace(members []*member) map[int][]*run.Loop {
	loops, place := map[int][]*run.Loop{}, 0
	for _, m := range members {
		loops[place] = append(loops[place], m.Loop)
		for i, p := range m.Parts() {
			loops[place+i] = append(loops[place+i], p)
		}
		place += width([]*member{m})
	}
	return loops
}

// continueAll makes loops that have been bound count their calls where loops of the same names did before.
func continueAll(before map[int][]*run.Loop, members []*member) {
	for place, loops := range byPlace(members) {
		for _, l := range loops {
			for _, b := range before[place] {
				if b.Name() == l.Name() {
					l.Continue(b)
				}
			}
		}
	}
}

// width returns the number of places that loops have in a chain: a fused one has several.
func width(loops []*member) int {
	n := 0
	for _, l := range loops {
		n += max(1, len(l.Parts()))
	}
	return n
}
