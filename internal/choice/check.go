package choice

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/spell"
)

// Zero stands for a number of 0 that somebody asked for, since 0 is one that is not chosen. It can never be.
const Zero = math.MinInt

// What can be chosen at most.
const (
	MostGroup = 1024 // what no device exceeds
	MostItems = 64   // elements
	MostWidth = 64   // elements
)

var (
	modes      = []string{"auto", "on", "off"}
	schedules  = []string{"static", "dynamic"}
	strategies = []string{"auto", "staged", "in-place", "atomic", "global-color", "gather", "blocks", "scratchpad", "measure"} // direct is chosen, and cannot be requested
	layouts    = []string{"auto", "aos", "soa"}
	chains     = []string{"auto", "off", "fuse", "tile"}
)

// Wrong is an option with a value that is not possible.
type Wrong struct {
	What     string // "blocks of 0 elements"
	Expected error
}

func (w *Wrong) Error() string { return fmt.Sprintf("%s: %v", w.What, w.Expected) }

// Check returns an error for the first choice that no loop can have, with what it can have.
func (c Choices) Check() error {
	if w := c.Wrong(); w != nil {
		return w
	}
	return nil
}

// Wrong returns the first choice that no loop can have; nil if there is none.
func (c Choices) Wrong() *Wrong {
	for _, n := range []struct {
		value    int
		possible bool
		what     string
		expected string
	}{
		{c.Block, c.Block <= math.MaxInt32, "blocks of %d elements", "at least one is needed"},
		{c.Threads, true, "%d threads", "at least one is needed"},
		{c.Width, c.Width&(c.Width-1) == 0 && c.Width >= 2 && c.Width <= MostWidth, "packs of %d elements", "expected 2, 4, 8, 16, 32 or 64"},
		{c.Group, c.Group <= MostGroup, "groups of %d work-items", "expected 1 to 1024"},
		{c.PerItem, c.PerItem <= MostItems, "%d elements for each work-item", "expected 1 to 64"},
		{c.Tile, true, "tiles of %d bytes", "at least one is needed"},
	} {
		switch {
		case n.value == Zero:
			return &Wrong{fmt.Sprintf(n.what, 0), errors.New(n.expected)}
		case n.value < 0 || n.value > 0 && !n.possible:
			return &Wrong{fmt.Sprintf(n.what, n.value), errors.New(n.expected)}
		}
	}
	for _, flags := range []Flags{c.HostFlags, c.DeviceFlags} {
		if _, err := split(string(flags)); err != nil {
			return &Wrong{"the flags " + string(flags), err}
		}
	}
	for _, name := range []struct {
		what, value string
		known       []string
	}{
		{"SIMD", string(c.SIMD), modes},
		{"schedule", string(c.Schedule), schedules},
		{"strategy", string(c.Strategy), strategies},
		{"layout", string(c.Layout), layouts},
		{"chains", string(c.Chains), chains},
	} {
		if name.value != "" && !slices.Contains(name.known, name.value) {
			return &Wrong{fmt.Sprintf("%s %q", name.what, name.value), spell.Expected(name.value, name.known)}
		}
	}
	return nil
}
