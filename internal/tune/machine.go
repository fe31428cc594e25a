package tune

import "time"

// Machine holds what the library assumes about machines where it does not measure: how much work
// justifies a block, a thread or a group, how long waiting is worthwhile, and how much may be queued.
type Machine struct {
	Blocks     BlockSizes
	Rearranged Rearranged
	Threads    Threads
	Tiles      Tiles
	Device     Device
}

// Tiles say how chains of loops are cut into tiles.
type Tiles struct {
	Bytes  int // of the values and maps of a tile, so that two fit into a core's own cache
	Cached int // of a chain below which there is nothing to win: all stays in a cache
	Pack   int // neighbors that stay together
	// PartsPerProcessor is the number of groups of tiles for each processor.
	PartsPerProcessor int
}

// BlockSizes limit the blocks of plans for threads.
type BlockSizes struct {
	Least, Most  int // elements
	Bytes        int // moved by the elements of a block, if they are at least Least: they stay in a core's own cache
	Work         int // of a block, in additions of floats, from which it may have fewer elements than Least
	Multiple     int // of elements, which packs divide
	PerProcessor int // blocks of a loop for each processor, if they are neither
}

// Rearranged says when loops run in another order, as colors would leave threads idle.
type Rearranged struct {
	PerColor     int     // blocks of a color, fewer than which are few
	Better       float64 // what processors gain, in relation to what they gain otherwise
	PerProcessor int     // ranges of targets for each processor
	Least        int     // work of a loop that justifies another order, in additions of floats
}

// Threads say how loops use threads on the host.
type Threads struct {
	// Worth is the work of a color that justifies a thread: several times the cost of starting and
	// finishing one.
	Worth time.Duration
	// CostCalls is the number of calls whose minimum measures the cost of a loop.
	CostCalls int
	// A window of calls is long enough to contain, or make negligible, a thread that loses its core
	// for some milliseconds.
	WindowTime  time.Duration
	WindowCalls int
	// One thread is tried if the caller waits for the fraction MuchWaiting of the time, or if calls
	// take more than LittleGain of the time on one thread.
	MuchWaiting, LittleGain float64
	// Trials are separated by pauses, which get longer while trials change nothing.
	LeastPause, MostPause time.Duration

	// A waiting thread of C spins for at most MostSpin before it sleeps, and for half as long after
	// each time that this did not help, down to LeastSpin. A goroutine always spins for MostSpin:
	// longer than the wait for the next color, and usually the next loop, and short compared with
	// another program's time slice on the same core.
	LeastSpin, MostSpin time.Duration

	ProductShare int // values of a matrix that justify a thread in a product
	ProductParts int // parts of a product per thread, so that a thread without a core leaves little to wait for
}

// Device says how loops use devices.
type Device struct {
	GroupSize    int // most work-items in a group, a power of two
	GroupMemory  int // bytes of shared memory in a group that every GPU has, and with which several groups share a unit
	Groups       int // most groups that produce partial results
	LeastBlock   int // elements of the smallest block for which staging is worthwhile
	Rounds       int // most elements of a block for each work-item, where a user does not say how many it has
	UnitBlocks   int // blocks for each unit of the device, fewer than which leave some idle
	ProductShare int // values of a matrix that justify a work-item of their own, where each multiplies many rows
	Trials       int // of each strategy when they are measured; the first does not count

	Pending     int           // most calls whose time has not been read
	PendingTime time.Duration // most work that is queued if a context may stop the program
}

// DefaultMachine returns the values that are used on every machine.
//
// Those for the host were measured on two shared cores, Xeon and EPYC of Zen 5, as docs/rationale.md
// describes:
//
//	go run ./bench          # Blocks: res_calc on 720,000 cells, by two threads
//	go run ./bench -busy    # Threads: shallow water and airfoil, alone and next to busy processes
//	go run ./bench -matrices # ProductShare, ProductParts
//
// Of those for devices, GroupSize and GroupMemory are what every GPU has, and the others follow from
// the order of magnitude of a launch. With them, the loops of airfoil over cells and edges reach 60 to
// 94 % of the bandwidth of an H100 (docs/performance.md); other values have not been tried there. What
// depends on them is measured by
//
//	go run ./bench -devices
func DefaultMachine() Machine {
	return Machine{
		Blocks:     BlockSizes{Least: 1 << 10, Most: 1 << 14, Bytes: CoreCache(), Work: 100_000, Multiple: 16, PerProcessor: 32},
		Rearranged: Rearranged{PerColor: 4, Better: 1.3, PerProcessor: 8, Least: 400_000},
		Threads: Threads{
			Worth: 2 * time.Microsecond, CostCalls: 2,
			WindowTime: 20 * time.Millisecond, WindowCalls: 4,
			MuchWaiting: 0.15, LittleGain: 0.85,
			LeastPause: 100 * time.Millisecond, MostPause: time.Second,
			LeastSpin: 2 * time.Microsecond, MostSpin: 50 * time.Microsecond,
			ProductShare: 8192, ProductParts: 8,
		},
		Tiles: Tiles{Bytes: CoreCache() / 2, Cached: 24 << 20, Pack: 8, PartsPerProcessor: 4},
		Device: Device{
			GroupSize: 256, GroupMemory: 48 << 10, Groups: 1024, LeastBlock: 32, Rounds: 4, UnitBlocks: 8, ProductShare: 8192, Trials: 3,
			Pending: 64, PendingTime: 500 * time.Millisecond,
		},
	}
}
