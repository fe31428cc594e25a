package run

import (
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tuning"
	"github.com/go-op2/op2/internal/wisdom"
)

// OpenTuner returns what makes choices for loops, with the wisdom in a folder, or in that of compiled code. Of several
// ranks the first one reads it, so that all that run the same loop in the same circumstances choose the same: then it is
// collective.
func OpenTuner(m tuning.Mode, c comm.Comm, dir string, warn func(string)) (*tuning.Tuner, error) {
	if !m.Use {
		return nil, nil
	}
	if dir == "" {
		dir, _ = jit.DefaultCacheDir() // without one, nothing is kept
	}
	if c.Size() == 1 {
		return tuning.New(m, wisdom.Open(dir, warn)), nil
	}
	w, text := wisdom.New(warn), []byte(nil)
	if c.Rank() == 0 { // which alone learns, and keeps it
		w = wisdom.Open(dir, warn)
		text = w.Text()
	}
	text, err := comm.Spread(c, 0, text)
	w.Merge(text)
	return tuning.New(m, w), err
}

// Variants returns the choices that the wisdom in a folder has made for a loop, in whatever circumstances.
func Variants(dir string) func(loop.Hash) []choice.Choices {
	chosen := map[string][]choice.Choices{}
	for _, f := range wisdom.Open(dir, nil).All() {
		if c, err := choice.Parse(f.Choice); err == nil && f.Choice != "" {
			chosen[f.Loop] = append(chosen[f.Loop], c)
		}
	}
	return func(h loop.Hash) []choice.Choices { return chosen[h.String()] }
}
