// Package tune defines the options that control how loops run: they affect speed and, through the
// order of additions, the last digits of results, but not what is computed. The zero value of each
// means no choice, which is equivalent to auto: the backend chooses.
package tune

import (
	"cmp"

	"github.com/go-op2/op2/internal/spell"
)

// Options are the options of a loop, or of all loops of a runtime.
type Options struct {
	Block    int // elements in a block of a plan
	SIMD     SIMD
	Schedule Schedule
	Strategy Strategy // on devices
	Layout   Layout   // of dats on devices, for a runtime
	// Deterministic admits only strategies whose results are bitwise reproducible, on devices, too.
	Deterministic bool
}

// SIMD controls whether generated C runs packs of elements.
type SIMD uint8

// The choices of SIMD.
const (
	SIMDAuto SIMD = iota + 1 // where it is estimated to pay off
	SIMDOn                   // wherever possible
	SIMDOff
)

// Schedule says how threads get the blocks of a color.
type Schedule uint8

// The schedules.
const (
	Static  Schedule = iota + 1 // in equal shares; idle threads take from those of others
	Dynamic                     // one by one
)

// Strategy is a way in which a device runs a loop: how elements that change the same value are kept
// apart.
type Strategy uint8

// The strategies.
const (
	StrategyAuto Strategy = iota + 1
	// Staged runs a block of the plan in each work-group: the block's indirect data is copied to
	// the group's memory, increments are accumulated there by element color, and copied back;
	// blocks of one color run at once.
	Staged
	// Atomic runs all elements at once; increments are atomic.
	Atomic
	// GlobalColor runs the elements of one color at once, of the whole set.
	GlobalColor
	// Gather runs all targets at once: each runs the elements that change it, and keeps its own
	// share.
	Gather
	// Blocks runs a block of the plan in each work-item, one element after another; blocks of one
	// color run at once.
	Blocks
	// Measure is the fastest possible one, as measured in the first calls.
	Measure
	// Direct runs all elements at once: nothing collides. It is chosen, and cannot be requested.
	Direct
)

// Layout is the order of a dat's values on a device; on the host they are always stored element by
// element.
type Layout uint8

// The layouts.
const (
	LayoutAuto Layout = iota + 1
	AoS               // element by element
	SoA               // component by component: value c of element e is at c*elements+e
)

// Chains says what chains of loops are turned into.
type Chains uint8

// The choices of Chains.
const (
	ChainsAuto Chains = iota + 1 // what is estimated to pay off
	ChainsOff                    // nothing: they run loop by loop
	Fuse                         // neighbors are fused where that is possible
	Tile                         // they are also tiled where that is possible
)

// The names of the choices, by their values.
var (
	chainsNames   = []string{"", "auto", "off", "fuse", "tile"}
	simdNames     = []string{"", "auto", "on", "off"}
	scheduleNames = []string{"", "static", "dynamic"}
	strategyNames = []string{"", "auto", "staged", "atomic", "global-color", "gather", "blocks", "measure", "direct"}
	layoutNames   = []string{"", "auto", "aos", "soa"}
)

func (s SIMD) String() string     { return simdNames[s] }
func (s Schedule) String() string { return scheduleNames[s] }
func (s Strategy) String() string { return strategyNames[s] }
func (l Layout) String() string   { return layoutNames[l] }
func (c Chains) String() string   { return chainsNames[c] }

// ParseSIMD returns the choice of that name; "" means none.
func ParseSIMD(name string) (SIMD, error) { return parse[SIMD](simdNames, name) }

// ParseSchedule returns the choice of that name; "" means none.
func ParseSchedule(name string) (Schedule, error) { return parse[Schedule](scheduleNames, name) }

// ParseStrategy returns the choice of that name; "" means none.
func ParseStrategy(name string) (Strategy, error) {
	return parse[Strategy](strategyNames[:Direct], name)
}

// ParseLayout returns the choice of that name; "" means none.
func ParseLayout(name string) (Layout, error) { return parse[Layout](layoutNames, name) }

// ParseChains returns the choice of that name; "" means none.
func ParseChains(name string) (Chains, error) { return parse[Chains](chainsNames, name) }

func parse[T ~uint8](names []string, name string) (T, error) {
	for i, n := range names {
		if n == name {
			return T(i), nil
		}
	}
	return 0, spell.Expected(name, names[1:])
}

// With returns o, completed by the choices of p where o makes none.
func (p Options) With(o Options) Options {
	return Options{
		Block:         cmp.Or(o.Block, p.Block),
		SIMD:          cmp.Or(o.SIMD, p.SIMD),
		Schedule:      cmp.Or(o.Schedule, p.Schedule),
		Strategy:      cmp.Or(o.Strategy, p.Strategy),
		Layout:        cmp.Or(o.Layout, p.Layout),
		Deterministic: o.Deterministic || p.Deterministic,
	}
}
