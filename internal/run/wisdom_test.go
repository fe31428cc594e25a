package run

import (
	"sync"
	"testing"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/tuning"
	"github.com/go-op2/op2/internal/wisdom"
)

// All ranks choose what the first one's wisdom says, whatever is in their own folders.
func TestRanksShareWisdom(t *testing.T) {
	about := choice.Subject{Backend: "sequential", Machine: "EPYC", Elements: 1000}
	mode := tuning.Mode{Use: true, Rigor: wisdom.Measure}
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	for rank, said := range []string{"simd=off", "simd=on", ""} {
		if said == "" {
			continue
		}
		w := wisdom.Open(dirs[rank], nil)
		w.Add(wisdom.Finding{Key: tuning.New(mode, w).Key(about), Choice: said, Rigor: wisdom.Measure})
		if err := w.Save(); err != nil {
			t.Fatal(err)
		}
	}
	var ranks sync.WaitGroup
	for _, c := range comm.Local(3, 0) {
		ranks.Go(func() {
			tuner, err := OpenTuner(mode, c, dirs[c.Rank()], nil)
			if err != nil {
				t.Error(err)
				return
			}
			if got, want := tuner.Choose(about).String(), "simd=off (wisdom)"; got != want {
				t.Errorf("rank %d: got %q, want %q", c.Rank(), got, want)
			}
		})
	}
	ranks.Wait()
}
