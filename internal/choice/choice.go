// Package choice holds everything that can be chosen for one loop, as plain data: what was chosen, and who chose it.
//
// Choices affect speed and, through the order of additions, the last digits of results, but not what is computed. They
// come from the user, from wisdom, from tuning, or from an estimate. The options of package op2 make them, package run
// asks a chooser for more, and each backend takes its part of them: see [Made].
package choice

import (
	"strconv"

	"github.com/go-op2/op2/internal/tune"
)

// Choices are what is chosen for a loop, or for all loops of a runtime. The zero value of each means that it is not chosen.
type Choices struct {
	Block int `json:"block,omitempty"` // elements in a block of a plan

	// On the host.
	Threads   int           `json:"threads,omitempty"`
	Schedule  tune.Schedule `json:"schedule,omitempty"`
	SIMD      tune.SIMD     `json:"simd,omitempty"`
	Width     int           `json:"width,omitempty"` // elements in a pack
	Compiler  string        `json:"cc,omitempty"`    // of C: name or path, and arguments
	HostFlags Flags         `json:"cflags,omitempty"`

	// On devices.
	Strategy    tune.Strategy `json:"strategy,omitempty"`
	Layout      tune.Layout   `json:"layout,omitempty"` // of dats that have none of their own
	Group       int           `json:"group,omitempty"`  // work-items in a work-group
	PerItem     int           `json:"items,omitempty"`  // elements of a work-item
	DeviceFlags Flags         `json:"deviceflags,omitempty"`

	// Of a chain of loops, by wisdom and tuning alone.
	Chains tune.Chains `json:"chains,omitempty"`
	Tile   int         `json:"tile,omitempty"` // bytes of what a tile uses

	// NoAtomics admits only strategies whose results are bitwise reproducible, on devices, too. It is no choice but a limit
	// of the user's on those of others.
	NoAtomics bool `json:"noatomics,omitempty"`
}

// With returns the choices of over, completed by those of c: over are the user's for a loop, c for all loops. Flags of both
// count, those of the loop after the others, so that they win where they contradict them.
func (c Choices) With(over Choices) Choices {
	both := over
	for _, f := range fields {
		f.complete(&both, &c)
	}
	both.HostFlags = c.HostFlags.And(over.HostFlags)
	both.DeviceFlags = c.DeviceFlags.And(over.DeviceFlags)
	both.NoAtomics = c.NoAtomics || over.NoAtomics
	return both
}

// SetSIMD sets whether there are packs, by a mode or by the number of their elements: "on", "8".
func (c *Choices) SetSIMD(text string) {
	c.SIMD, c.Width = tune.SIMD(text), 0
	if width, err := strconv.Atoi(text); err == nil && width > 1 {
		c.SIMD, c.Width = tune.SIMDOn, width
	}
}

// Settled returns c without what it leaves to others, auto.
func (c Choices) Settled() Choices {
	for _, f := range fields {
		if f.text(&c) == tune.Auto {
			f.clear(&c)
		}
	}
	return c
}
