package op2

import (
	"time"

	"github.com/go-op2/op2/internal/checkpoint"
	"github.com/go-op2/op2/internal/entity"
)

// WithCheckpoint makes [Runtime.Checkpoint] write a checkpoint to a folder each time that the period has passed; 0 stands for
// never. Either way, the signals SIGTERM and SIGUSR1 then make the next call write one, and return an error that wraps
// [context.Canceled]. Environment: OP2_CHECKPOINT=run.chk, or run.chk,30m; without a period, every 10 minutes. Default:
// none.
func WithCheckpoint(folder string, every time.Duration) Option {
	return option(func(c *config) { c.Checkpoint = entity.Checkpoint{Folder: folder, Every: every} })
}

// WithRestart makes the program go on from the last checkpoint in a folder, at its first call of [Runtime.Checkpoint].
// Environment: OP2_RESTART. Default: none.
func WithRestart(folder string) Option { return option(func(c *config) { c.Restart = folder }) }

// Checkpoint marks the place in a program where checkpoints are made, and from where later runs go on: at the beginning of each
// time step, say, after all declarations. With "" a checkpoint is written when [WithCheckpoint] says so; with the path
// of a folder, at each call. It has what dats, globals, matrices, consts and values of [Runtime.Keep] are at this place, and is
// written while the program computes: it is complete after a later call, or Close, either of which returns the error if
// it cannot be written. The folder keeps the last two that are complete.
//
// With [WithRestart], the program makes its declarations and initializes its data as always. The first call then gives
// everything the values of the checkpoint, whatever the number of ranks, the backend and the order of elements are. A
// checkpoint of another program or mesh is an error that names what differs.
//
// It is collective. docs/restart.md has more, and what checkpoints do not have.
//
//	step := 0
//	err := rt.Keep("step", &step)
//	for ; step < steps && err == nil; step++ {
//		if err = rt.Checkpoint(""); err == nil {
//			err = advance.Compute()
//		}
//	}
func (rt *Runtime) Checkpoint(folder string) error {
	return rt.core().Do((*entity.Runtime).EnterData, func() error { return checkpoint.Place(rt.core(), folder) })
}

// Keep makes checkpoints have a value of the program's own, of a plain type as that of a [Dat], under a name: the number of
// the step, or the time. It takes a pointer to the variable, which is the same on all ranks, and is called before the first
// [Runtime.Checkpoint].
func (rt *Runtime) Keep(name string, value any) error {
	return rt.do(func() error { return checkpoint.Keep(rt.core(), name, value) })
}
