// Package tune defines the options that control how loops run: they affect speed and, through the
// order of additions, the last digits of results, but not what is computed. The zero value of each
// means no choice, which is equivalent to auto: the backend chooses.
package tune

import "cmp"

// Options are the options of a loop, or of all loops of a runtime.
type Options struct {
	Block    int // elements in a block of a plan
	SIMD     SIMD
	Schedule Schedule
	Strategy Strategy // on devices
	Layout   Layout   // of dats on devices, for a runtime
	// NoAtomics admits only strategies whose results are bitwise reproducible, on devices, too.
	NoAtomics bool
}

// Auto is a choice of each: the backend's, by an estimate.
const Auto = "auto"

// SIMD controls whether generated C runs packs of elements: where it is estimated to pay off, wherever
// possible, or nowhere.
type SIMD string

// The choices of SIMD.
const (
	SIMDOn  SIMD = "on"
	SIMDOff SIMD = "off"
)

// Schedule says how threads get the blocks of a color.
type Schedule string

// The schedules.
const (
	Static  Schedule = "static"  // in equal shares; idle threads take from those of others
	Dynamic Schedule = "dynamic" // one by one
)

// Strategy is a way in which a device runs a loop: how elements that change the same value are kept
// apart.
type Strategy string

// The strategies.
const (
	// Staged runs a block of the plan in each work-group: the block's indirect data is copied to
	// the group's memory, increments are accumulated there by element color, and copied back;
	// blocks of one color run at once.
	Staged Strategy = "staged"
	// Atomic runs all elements at once; increments are atomic.
	Atomic Strategy = "atomic"
	// GlobalColor runs the elements of one color at once, of the whole set.
	GlobalColor Strategy = "global-color"
	// Gather runs all targets at once: each runs the elements that change it, and keeps its own
	// share.
	Gather Strategy = "gather"
	// Blocks runs a block of the plan in each work-item, one element after another; blocks of one
	// color run at once.
	Blocks Strategy = "blocks"
	// Measure is the fastest possible one, as measured in the first calls.
	Measure Strategy = "measure"
	// Direct runs all elements at once: nothing collides. It is chosen, and cannot be requested.
	Direct Strategy = "direct"
)

// Layout is the order of a dat's values on a device; on the host they are always stored element by
// element.
type Layout string

// The layouts.
const (
	AoS Layout = "aos" // element by element
	SoA Layout = "soa" // component by component: value c of element e is at c*elements+e
)

// Chains says how chains of loops run.
type Chains string

// The choices of Chains.
const (
	ChainsOff Chains = "off"  // nothing: they run loop by loop
	Fuse      Chains = "fuse" // neighbors are fused where that is possible
	Tile      Chains = "tile" // they are also tiled where that is possible
)

// With returns o, completed by the choices of p where o makes none.
func (p Options) With(o Options) Options {
	return Options{
		Block:     cmp.Or(o.Block, p.Block),
		SIMD:      cmp.Or(o.SIMD, p.SIMD),
		Schedule:  cmp.Or(o.Schedule, p.Schedule),
		Strategy:  cmp.Or(o.Strategy, p.Strategy),
		Layout:    cmp.Or(o.Layout, p.Layout),
		NoAtomics: o.NoAtomics || p.NoAtomics,
	}
}
