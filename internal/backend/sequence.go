package backend

// Sequencer is a Backend that runs several loops one after another with less effort than one by one.
type Sequencer interface {
	Backend
	// PrepareSequence prepares to run loops in that order, each of which Prepare has prepared on this
	// backend, for calls that are not in parts. A runner may be at one place only.
	PrepareSequence([]Runner) Sequence
}

// Sequence runs several loops one after another.
type Sequence interface {
	// Run takes the place of Run of each loop; all must be ready. The values of consts, and of data on
	// the host, are those of now, and are transferred before the first loop. After an error, loops
	// before the one that it is of have run, and those after it have not.
	Run() (failed int, err error)
	// How describes in a few words how the loops run: "a graph of 12 launches".
	How() string
}
