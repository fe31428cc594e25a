package settings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/report"
	"github.com/go-op2/op2/internal/solve"
	"github.com/go-op2/op2/internal/spell"
)

// AsManyAsPossible stands for a number of threads that is not given.
const AsManyAsPossible = math.MinInt

// NoElements stands for a block size of 0, since 0 is one that is not given.
const NoElements = math.MinInt

// deepest is the largest number of layers of halos.
const deepest = 64

// The names of the choices.
var (
	modes      = []string{"auto", "on", "off"} // of SIMD and MPI
	schedules  = []string{"static", "dynamic"}
	strategies = []string{"auto", "staged", "atomic", "global-color", "gather", "blocks", "measure"} // direct is chosen, and cannot be requested
	layouts    = []string{"auto", "aos", "soa"}
	chains     = []string{"auto", "off", "fuse", "tile"}
	levels     = []string{"off", "figures", "plans", "checks", "trace"} // of diagnostics, by number
)

// wrong is an option with a value that is not possible.
type wrong struct {
	what     string // "the rank's weight is -1"
	expected error
}

// Check returns an error for the first option that is wrong.
func (c *Config) Check() error {
	if w := c.wrong(); w != nil {
		return fmt.Errorf("op2: %s: %w", w.what, w.expected)
	}
	return c.checkSameBits()
}

// wrong returns the first option whose value is not possible, wherever it is from; nil if there is none.
func (c *Config) wrong() *wrong {
	switch {
	case c.Backend.Threads < 1 && c.Backend.Threads != AsManyAsPossible:
		return &wrong{fmt.Sprintf("%d threads", c.Backend.Threads), errors.New("at least one is needed")}
	case c.Backend.Tune.Block == NoElements:
		return &wrong{"blocks of 0 elements", errors.New("at least one is needed")}
	case c.Backend.Tune.Block < 0:
		return &wrong{fmt.Sprintf("blocks of %d elements", c.Backend.Tune.Block), errors.New("at least one is needed")}
	case c.Depth < 1 || c.Depth > deepest:
		return &wrong{fmt.Sprintf("halos of %d layers", c.Depth), fmt.Errorf("expected 1 to %d", deepest)}
	case !(c.Weight >= 0) || math.IsInf(c.Weight, 0):
		return &wrong{fmt.Sprintf("the rank's weight is %v", c.Weight), errors.New("expected a finite number, at least 0")}
	}
	if c.Report != "" {
		if err := report.Check(c.Report); err != nil {
			return &wrong{fmt.Sprintf("the report %q", c.Report), err}
		}
	}
	t := c.Backend.Tune
	for _, name := range []struct {
		what, value string
		known       []string
	}{
		{"SIMD", string(t.SIMD), modes},
		{"schedule", string(t.Schedule), schedules},
		{"strategy", string(t.Strategy), strategies},
		{"layout", string(t.Layout), layouts},
		{"chains", string(c.Chains), chains},
		{"partitioner", c.Partitioner, partition.Methods},
		{"MPI", c.MPI, modes},
		{"solver engine", c.engine, solve.Engines},
	} {
		if name.value != "" && !slices.Contains(name.known, name.value) {
			return &wrong{fmt.Sprintf("%s %q", name.what, name.value), spell.Expected(name.value, name.known)}
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
	for _, f := range c.Backend.CFlags {
		if name, _, _ := strings.Cut(f, ","); slices.Contains(inexact, name) {
			return fmt.Errorf("op2: WithSameBits: with the compiler flag %s, the same operations have other results in other places", f)
		}
	}
	return nil
}

// Alike returns an error, on all ranks, unless all have the same options where results or messages
// depend on them. It is collective.
func (c *Config) Alike() error {
	if c.Comm == nil {
		return nil
	}
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
