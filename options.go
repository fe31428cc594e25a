package op2

import (
	"cmp"
	"context"
	"io"
	"os"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/settings"
	"github.com/go-op2/op2/internal/tune"
)

// Option is an option of [Open]. Options that are not given are read from the environment, and
// otherwise have defaults.
type Option interface{ apply(*config) }

// KernelOption is an option of [Kernel.With], and of [Open] for kernels without one of their own.
type KernelOption interface {
	Option
	ofKernel()
}

// ChainOption is an option of [Chain.With], and of [Open] for chains without one of their own.
type ChainOption interface {
	Option
	ofChain()
}

type (
	option       func(*config)
	kernelOption struct{ option }
	chainOption  struct{ option }
)

func (o option) apply(c *config) { o(c) }
func (kernelOption) ofKernel()   {}
func (chainOption) ofChain()     {}

// config is the configuration of a runtime.
type config = settings.Config

// WithBackend selects a backend by name: "go", "sequential", "openmp", "translated", "opencl", "cuda", or "auto",
// which uses the fastest host backend that works on this machine. An empty name leaves the choice
// unchanged. Environment: OP2_BACKEND. Default: auto.
func WithBackend(name string) Option {
	return option(func(c *config) {
		if name != "" {
			c.BackendName = name
		}
	})
}

// WithThreads limits the number of threads that run a loop; for a kernel's loops, to fewer than the runtime has.
// Environment: OP2_THREADS, or else OMP_NUM_THREADS. Default: as many as Go may use, divided by the ranks that share them.
func WithThreads(n int) KernelOption {
	return kernelOption{func(c *config) { c.SetThreads(n) }}
}

// WithCompiler sets the C compiler, by name or path. Environment: OP2_CC. Default: the first of
// gcc, clang and cc on the PATH.
func WithCompiler(cc string) KernelOption {
	return kernelOption{func(c *config) { c.Backend.Choices.Compiler = cc }}
}

// WithCFlags adds flags for the C compiler after the library's own, such as "-ffast-math" or
// "-ffp-contract=off". A kernel's follow the runtime's. Environment: OP2_CFLAGS, split at
// blanks, which quotes and backslashes keep as in a shell.
func WithCFlags(flags ...string) KernelOption {
	return kernelOption{func(c *config) {
		c.Backend.Choices.HostFlags = c.Backend.Choices.HostFlags.And(choice.FlagsOf(flags...))
	}}
}

// WithDeviceFlags adds flags for the compiler of a device after the library's own: options of NVRTC for cuda, such as
// "-Xptxas", "-dlcm=cg", and build options for opencl, such as "-cl-mad-enable". A kernel's follow the runtime's.
// Environment: OP2_DEVICE_FLAGS, as OP2_CFLAGS.
func WithDeviceFlags(flags ...string) KernelOption {
	return kernelOption{func(c *config) {
		c.Backend.Choices.DeviceFlags = c.Backend.Choices.DeviceFlags.And(choice.FlagsOf(flags...))
	}}
}

// WithCacheDir sets the folder of compiled code. Environment: OP2_CACHE_DIR. Default: op2 in the
// user's cache directory.
func WithCacheDir(dir string) Option { return option(func(c *config) { c.Backend.CacheDir = dir }) }

// WithReport makes Close write a report of all that has been measured to a file: see [Runtime.WriteReport]. With it, the
// runtime also records a timeline of its last calls, and what its loops compile to. On several ranks all must have it, and
// rank 0 writes. Environment: OP2_REPORT, which op2 report sets. Default: none.
func WithReport(file string) Option { return option(func(c *config) { c.Report = file }) }

// WithContext stops long operations when ctx ends: compilation by a C compiler, loops (before their
// next block on go and openmp, else before their next call), solvers before their next iteration,
// and Renumber. The current call, and all later ones of that kind, return an error that wraps
// [context.Cause]. What a stopped loop writes is then partly written. Data can still be read, and
// the runtime closed. Default: none.
func WithContext(ctx context.Context) Option { return option(func(c *config) { c.Context = ctx }) }

// WithBlockSize sets the number of elements in a block of a plan. Environment: OP2_BLOCK_SIZE.
// Default: the backend's choice.
func WithBlockSize(n int) KernelOption {
	return kernelOption{func(c *config) { c.Backend.Choices.Block = cmp.Or(n, choice.Zero) }}
}

// WithGroup sets the number of work-items in a work-group of a device, up to 1024 and what the device allows, and the
// number of elements that each of them runs, 1 to 64, one after another, where elements do not run in blocks. Loops with
// reductions need groups of a power of two; there elements may be more. Environment: OP2_GROUP, as "128" or "128x4".
// Default: the backend's choice.
func WithGroup(items, elements int) KernelOption {
	return kernelOption{func(c *config) {
		c.Backend.Choices.Group, c.Backend.Choices.PerItem = cmp.Or(items, choice.Zero), cmp.Or(elements, choice.Zero)
	}}
}

// WithSIMD controls whether generated C, and OpenCL C on a CPU, runs packs of elements in vector
// registers: [Auto] where that is estimated to pay off, [On] wherever possible, or [Off]; or "2", "4", "8" and so on,
// wherever registers hold packs of so many elements.
// Reductions then add up in another order. Environment: OP2_SIMD. Default: auto.
func WithSIMD(mode Mode) KernelOption {
	return kernelOption{func(c *config) { c.Backend.Choices.SetSIMD(string(mode)) }}
}

// WithTuning controls whether choices that nobody makes for loops come from wisdom, "use", or from trials in this run, too,
// which add to it, "learn"; or are estimated, "off". After that may follow the rigor and what else is permitted, as in
// "learn,patient,blocks": docs/tuning.md explains it. Environment: OP2_TUNE. Default: use.
func WithTuning(mode string) Option { return option(func(c *config) { c.Tuning = mode }) }

// WithDynamicSchedule makes threads of the backend openmp take the blocks of a color one by one, which pays off if
// elements take unequal time; go always does so. Otherwise threads have equal shares, and those that finish early take
// blocks from the shares of others. Environment: OP2_SCHEDULE, dynamic or static. Default: off.
func WithDynamicSchedule(on bool) KernelOption {
	schedule := tune.Static
	if on {
		schedule = tune.Dynamic
	}
	return kernelOption{func(c *config) { c.Backend.Choices.Schedule = schedule }}
}

// WithDiags enables checks that find mistakes but cost time: arguments are filled with NaN before a
// kernel writes them, every plan is verified, and a loop that makes a value of a dat or mat
// infinite or NaN returns a *[ValueError]; see [Dat.AllowNonFinite]. The loops of a chain run one by
// one, and the tiles that they make without diagnostics are proved. On a device, slices that are
// written when they are no longer valid are found, too: see [Dat.Data]. On several ranks, all check
// before each loop that they run the same one, and that their halos hold what the owners have.
// Environment: OP2_DIAGS=on, or one of the levels of docs/kernels.md, of which 3 does the same and more: 1 to 4, or figures,
// plans, checks and trace. Default: off.
func WithDiags(on bool) Option { return option(func(c *config) { c.Diags(on) }) }

// WithStrategy sets how a device runs loops whose elements collide. Environment: OP2_STRATEGY.
// Default: auto.
func WithStrategy(strategy Strategy) KernelOption {
	return kernelOption{func(c *config) { c.Backend.Choices.Strategy = tune.Strategy(strategy) }}
}

// WithoutAtomics restricts devices to strategies whose results are bitwise the same in each run, which
// those of atomic additions are not. The other backends use none. Environment: OP2_NO_ATOMICS=1.
// Default: off.
func WithoutAtomics() KernelOption {
	return kernelOption{func(c *config) { c.Backend.Choices.NoAtomics = true }}
}

// WithLayout sets the layout of dats on devices. [Dat.SetLayout] sets it for a single dat. With a kernel, it sets that of the
// dats of its loops which have none of their own: two kernels that set different ones for a dat are an error. Environment:
// OP2_LAYOUT. Default: auto.
func WithLayout(layout Layout) KernelOption {
	return kernelOption{func(c *config) { c.Backend.Choices.Layout = tune.Layout(layout) }}
}

// WithChains says how chains of loops run. [Chain.With] sets it for a single chain. Environment:
// OP2_CHAINS. Default: auto.
func WithChains(mode Chaining) ChainOption {
	return chainOption{func(c *config) { c.Chains = tune.Chains(mode) }}
}

// WithLazy makes loops wait until the program wants what they compute: [ParLoop] and [Loop.Compute]
// check their arguments, and queue the call, as do arithmetic of dats and [Global.Set]. Whatever reads or writes
// values, or needs them, first runs the queued calls that it depends on. Calls that repeat become a [Chain]. On several ranks, and with
// diagnostics, loops run at each call all the same. See docs/chains.md. Environment: OP2_LAZY=1.
// Default: off.
func WithLazy(on bool) Option { return option(func(c *config) { c.Lazy = on }) }

// WithDevice selects the device by its number, or by part of its name. Environment:
// OP2_OPENCL_DEVICE for the backend opencl, OP2_CUDA_DEVICE for cuda. Default: the best. Among
// equal devices, processes that mpirun or srun starts on a machine take one each.
func WithDevice(choice string) Option { return option(func(c *config) { c.Backend.Device = choice }) }

// WithMPI says whether the processes of an MPI job run the program together: [Auto], if a launcher
// such as mpirun or srun has started several; [On], where Open fails without MPI, and in a process that
// no launcher has started and that is alone; or [Off], each for itself. All of them then call Open at the
// same time. Environment: OP2_MPI. Default: auto.
func WithMPI(mode Mode) Option { return option(func(c *config) { c.MPI = string(mode) }) }

// WithTeam makes the runtime one of a team: of those ranks of the job that pass the same name, whose number begins at 0 in
// each team. Members of an ensemble, or the codes of a coupled computation, run side by side that way. All ranks of the job
// open runtimes at the same time, whatever their teams, and those without a name are a team as well. A rank may have several
// runtimes: one of its team, and one of all ranks, which all open without a name.
//
//	member, err := op2.Open(op2.WithTeam(fmt.Sprint("member", world.Rank()%4)))
//
// Environment: OP2_TEAM. Default: no name.
func WithTeam(name string) Option { return option(func(c *config) { c.Team = name }) }

// WithPartitioner sets how a mesh is divided among ranks. Environment: OP2_PARTITIONER. Default: auto.
func WithPartitioner(method Partitioner) Option {
	return option(func(c *config) { c.Partitioner = string(method) })
}

// WithRankWeight sets this rank's share of the mesh, relative to those of the others: a rank with
// weight 2 gets twice as many elements of each set as one with 1, one with 0 only what the others
// cannot have. For machines of different speeds, and for ranks with more threads than others.
// Shares that ranks declare stay as they are without coordinates. Environment: OP2_RANK_WEIGHT.
// Default: 1.
func WithRankWeight(weight float64) Option { return option(func(c *config) { c.Weight = weight }) }

// WithHaloDepth sets the number of layers of halos: the most that loops in a row can compute
// redundantly instead of exchanging values in between, up to 64. Environment: OP2_HALO_DEPTH.
// Default: 1.
func WithHaloDepth(layers int) Option { return option(func(c *config) { c.Depth = layers }) }

// WithLog sets where warnings and, on a terminal, the progress of compilations are written; nil
// discards them. Environment: OP2_QUIET=1 discards them. Default: os.Stderr.
func WithLog(w io.Writer) Option { return option(func(c *config) { c.Log = w }) }

// WithStats makes Close write the table of [Runtime.WriteStats] to standard error, and labels goroutines with the loops that
// they run, for CPU profiles: op2.kernel and op2.set. Environment:
// OP2_STATS=1. Default: off.
func WithStats(on bool) Option { return option(func(c *config) { c.Stats = on }) }

// Static opens a runtime that needs no device, no compiler, no sizes and no data: its loops can
// Generate their source, and Compute returns ErrStatic.
func Static() Option { return option(func(c *config) { c.Static = true }) }

// configure combines options, environment and defaults, in this order of precedence.
func configure(options []Option) (*config, error) {
	c, err := settings.Read(os.Getenv)
	if err != nil {
		return nil, err
	}
	apply(options, c)
	c.Backend.Static = c.Static
	if c.Backend.Translate != "" && !c.Static {
		c.BackendName = cmp.Or(os.Getenv("OP2_BACKEND"), "translated")
	}
	return c, c.Check()
}

// apply applies the options that are not nil.
func apply[O Option](options []O, c *config) {
	for _, o := range options {
		if Option(o) != nil {
			o.apply(c)
		}
	}
}

// checked returns the defaults with options of a kernel, a chain or a dat.
func checked[O Option](options ...O) (*config, error) {
	c := settings.Defaults()
	apply(options, c)
	return c, c.Check()
}
