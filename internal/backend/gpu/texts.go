package gpu

import (
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/tune"
)

// Text is the source of a loop for one strategy.
type Text struct {
	Strategy tune.Strategy
	Subset   bool // the loop is over a subset
	Source   device.Source
}

// Texts returns the sources that a loop may compile to on a GPU, one for each strategy, for the
// current values of its consts. It needs no device.
func (k Kind) Texts(s backend.Spec, consts []unsafe.Pointer) ([]Text, error) {
	var texts []Text
	seen := map[tune.Strategy]bool{}
	for _, wanted := range []tune.Strategy{tune.Auto, tune.Staged, tune.Atomic, tune.Gather, tune.Blocks, tune.GlobalColor} {
		b, err := k.open(backend.Config{Static: true})
		if err != nil {
			return nil, err
		}
		e := b.(*engine)
		strategies, _ := e.candidates(s.Loop, choice.Choices{Strategy: wanted})
		for _, strategy := range strategies {
			if seen[strategy] {
				continue
			}
			seen[strategy] = true
			p := e.print(s, strategy, e.groupSize(s.Loop, e.info.MaxGroup))
			texts = append(texts, Text{strategy, s.Subset, e.source(p, s, consts)})
		}
	}
	return texts, nil
}
