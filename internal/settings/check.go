package settings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/report"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/tuning"
)

// AsManyAsPossible stands for a number of threads that is not given.
const AsManyAsPossible = math.MinInt

// deepest is the largest number of layers of halos.
const deepest = 64

// The names of the choices.
var (
	modes  = []string{"auto", "on", "off"} // of MPI
	chains = []string{"auto", "off", "fuse", "tile"}
	levels = []string{"off", "figures", "plans", "checks", "trace"} // of diagnostics, by number
)

// Check returns an error for the first option that is wrong.
func (c *Config) Check() error {
	if w := c.wrong(); w != nil {
		return fmt.Errorf("op2: %w", w)
	}
	return c.checkSameBits()
}

// wrong returns the first option whose value is not possible, wherever it is from; nil if there is none.
func (c *Config) wrong() *choice.Wrong {
	switch {
	case c.Backend.Threads < 1 && c.Backend.Threads != AsManyAsPossible:
		return &choice.Wrong{What: fmt.Sprintf("%d threads", c.Backend.Threads), Expected: errors.New("at least one is needed")}
	case c.Depth < 1 || c.Depth > deepest:
		return &choice.Wrong{What: fmt.Sprintf("halos of %d layers", c.Depth), Expected: fmt.Errorf("expected 1 to %d", deepest)}
	case c.Checkpoint.Every < 0:
		return &choice.Wrong{What: fmt.Sprintf("a checkpoint every %v", c.Checkpoint.Every), Expected: errors.New("expected a period, at least 0")}
	case !(c.Weight >= 0) || math.IsInf(c.Weight, 0):
		return &choice.Wrong{What: fmt.Sprintf("the rank's weight is %v", c.Weight), Expected: errors.New("expected a finite number, at least 0")}
	}
	if _, err := tuning.ParseMode(c.Tuning); err != nil {
		return &choice.Wrong{What: fmt.Sprintf("tuning %q", c.Tuning), Expected: err}
	}
	if c.Report != "" {
		if err := report.Check(c.Report); err != nil {
			return &choice.Wrong{What: fmt.Sprintf("the report %q", c.Report), Expected: err}
		}
	}
	if w := c.Backend.Choices.Wrong(); w != nil {
		return w
	}
	for _, name := range []struct {
		what, value string
		known       []string
	}{
		{"chains", string(c.Chains), chains},
		{"partitioner", c.Partitioner, partition.Methods},
		{"MPI", c.MPI, modes},
		{"solver engine", c.engine, tune.Engines},
	} {
		if name.value != "" && !slices.Contains(name.known, name.value) {
			return &choice.Wrong{What: fmt.Sprintf("%s %q", name.what, name.value), Expected: spell.Expected(name.value, name.known)}
		}
	}
	return nil
}

// inexact are flags that allow compilers to compute other bits in one place than in another.
var inexact = []string{"-Ofast", "-ffast-math", "-funsafe-math-optimizations", "-fassociative-math", "-freciprocal-math", "-ffp-contract=fast", "-ffp-contract=on", "-ffp-model=fast", "-mrecip"}

// checkSameBits returns an error if the configuration contradicts WithSameBits.
func (c *Config) checkSameBits() error {
	if !c.Backend.SameBits {
		return nil
	}
	for _, f := range c.Backend.Choices.HostFlags.List() {
		if name, _, _ := strings.Cut(f, ","); slices.Contains(inexact, name) {
			return fmt.Errorf("op2: WithSameBits: with the compiler flag %s, the same operations have other results in other places", f)
		}
	}
	return nil
}

// Alike returns an error, on all ranks, unless all have the same options where results or messages
// depend on them. It is collective.
func (c *Config) Alike() error {
	var bounds []int64 // the least value of each, and of its negative
	var compared []Setting
	for _, s := range All {
		if s.same != nil {
			compared = append(compared, s)
			bounds = append(bounds, s.same(c), -s.same(c))
		}
	}
	if err := comm.Min(c.Comm, bounds); err != nil {
		return fmt.Errorf("op2: Open: %w", err)
	}
	for i, s := range compared {
		if bounds[2*i] != -bounds[2*i+1] {
			return errors.Join(fmt.Errorf("op2: Open: the ranks differ in %s (%s)\n"+
				"  hint: give all of them the same option; for environment variables on other machines, Open MPI's mpirun has the flag -x NAME", s.Option, s.Variable), c.Comm.Close())
		}
	}
	return nil
}
