// Package tune has the names of what package choice chooses from, and what the library assumes about machines: what
// estimates depend on. The zero value of each name means no choice, which is equivalent to auto: the backend chooses.
package tune

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
	// InPlace is Staged but for the elements of a block, which run one color after another, in the order of these colors, and
	// change the group's memory directly.
	InPlace Strategy = "in-place"
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
	// Scratchpad runs all elements at once, which do not collide, and moves the values of an element through the group's
	// memory, so that neighboring work-items access neighboring values although they are stored element by element.
	Scratchpad Strategy = "scratchpad"
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

// LayoutOf returns the layout of data that is stored component by component, or not.
func LayoutOf(soa bool) Layout {
	if soa {
		return SoA
	}
	return AoS
}

// Chains says how chains of loops run.
type Chains string

// The choices of Chains.
const (
	ChainsOff Chains = "off"  // nothing: they run loop by loop
	Fuse      Chains = "fuse" // neighbors are fused where that is possible
	Tile      Chains = "tile" // they are also tiled where that is possible
)

// Engines are the engines of solvers.
var Engines = []string{"native", "petsc"}

// Stages reports whether groups run blocks of a plan on copies of their data.
func (s Strategy) Stages() bool { return s == Staged || s == InPlace }
