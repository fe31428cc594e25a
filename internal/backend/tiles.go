package backend

import "github.com/go-op2/op2/internal/tiling"

// Tiler is a Backend that runs several loops tile by tile.
type Tiler interface {
	Backend
	// PrepareTiles prepares to run loops, each of which Prepare has prepared on this backend, as a
	// schedule says. A runner may be at one place only.
	PrepareTiles([]TileLoop, *tiling.Schedule) (Tiles, error)
}

// TileLoop is one loop of a chain, in the place that it has in the schedule.
type TileLoop struct {
	Runner Runner
	// Reduce says that globals count what the elements contribute to them, as in Part.
	Reduce bool
	// Sets are the schedule's sets of the dats among loop.Data, -1 for globals, and MapSets the sets that
	// loop.Maps lead from: data that a tile is the first to use can be fetched while the tile before it runs.
	Sets, MapSets []int
}

// TimedTiles are Tiles that measure the times of their loops now and then.
type TimedTiles interface {
	Tiles
	// Shares returns the fraction of the time that each loop takes, if the last call has measured
	// it; otherwise nil.
	Shares() []float64
}

// Tiles runs loops tile by tile.
type Tiles interface {
	// Ready waits until the tiles can run.
	Ready() error
	// RunTiles runs all loops. It takes the place of RunPart of each: every loop's Begin comes
	// before it, in the order of the loops, and every loop's Combine and Finish after it. Each tile
	// has partial results of its own, which are combined in the order of tiles, whatever the
	// number of threads. After an error the calls of all loops have ended. A kernel that
	// faults is that of Fault.Loop.
	RunTiles() error
	// How describes in a few words how the tiles run: "240 tiles, 16 groups, 2 threads".
	How() string
}
