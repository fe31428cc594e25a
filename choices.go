package op2

import "github.com/go-op2/op2/internal/tune"

// Auto, On and Off are choices of several options. Auto is what the library estimates to be best, and
// the default unless an option says otherwise.
const (
	Auto = "auto"
	On   = "on"
	Off  = "off"
)

// Mode is [Auto], [On] or [Off]: a choice of [WithSIMD] and [WithMPI].
type Mode string

// Strategy is a choice of [WithStrategy]: one of these, or [Auto].
type Strategy string

// The strategies of devices: for loops whose elements collide, and one for those whose elements do not.
const (
	Staged      = Strategy(tune.Staged)      // in blocks with local copies of their data
	InPlace     = Strategy(tune.InPlace)     // likewise, which elements change one color after another
	Blocks      = Strategy(tune.Blocks)      // in blocks without copies
	Atomic      = Strategy(tune.Atomic)      // with atomic additions
	GlobalColor = Strategy(tune.GlobalColor) // one color of the whole set after another
	Gather      = Strategy(tune.Gather)      // each target collects its contributions
	Scratchpad  = Strategy(tune.Scratchpad)  // values stored element by element are moved by neighbors together
	Measure     = Strategy(tune.Measure)     // whichever is fastest in the first calls
)

// Layout is the order in which a device stores the values of a dat, a choice of [WithLayout] and
// [Dat.SetLayout]: one of these, or [Auto]. On the host they are always stored element by element.
type Layout string

// The layouts. They differ for dats with a dim of 2 or more.
const (
	AoS = Layout(tune.AoS) // element by element
	SoA = Layout(tune.SoA) // component by component: the first values of all elements, and so on
)

// Chaining is a choice of [WithChains]: one of these; [Off], loop by loop; or [Auto], what is estimated
// to pay off, or is faster when it is tried.
type Chaining string

// What chains of loops are turned into.
const (
	Fuse = Chaining(tune.Fuse) // neighbors that can be are fused to one loop
	Tile = Chaining(tune.Tile) // they are also cut into tiles that stay in a cache from the first loop to the last
)

// Partitioner is a choice of [WithPartitioner]: one of these; or [Auto], by coordinates if there are any,
// else with METIS if it is installed.
type Partitioner string

// The ways to divide a mesh among ranks.
const (
	Bisect     Partitioner = "bisect"     // by coordinates
	Curve      Partitioner = "curve"      // along a space-filling curve
	METIS      Partitioner = "metis"      // by what maps connect, with that library
	Scotch     Partitioner = "scotch"     // by what maps connect, with that library
	Graph      Partitioner = "graph"      // by what maps connect
	Contiguous Partitioner = "contiguous" // in pieces of the order in which elements are numbered
)
