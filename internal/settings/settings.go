// Package settings holds the options of a runtime, and the table of the environment variables that set them: what reads,
// checks, compares and documents a variable is derived from it.
package settings

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/partition"
	"github.com/go-op2/op2/internal/spell"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/internal/tuning"
)

// Config is the configuration of a runtime.
type Config struct {
	entity.Config
	BackendName string
	MPI         string // one of modes
	Team        string // of ranks; "": those that name none
	Log         io.Writer
	Tuning      string // a tuning.Mode
	engine      string // of solvers
}

// Diags turns the checks of diagnostics on, or all diagnostics off.
func (c *Config) Diags(on bool) {
	c.CheckPlans, c.Backend.Poison = on, on
	if !on {
		c.Figures, c.Trace = false, false
	}
}

// Setting is a variable of the environment.
type Setting struct {
	Variable string
	Option   string // what else sets the same: "WithDiags"; "" if nothing does
	Doc      string // what it sets
	Finds    bool   // it says what is on this machine, or must be: tests keep it

	// read sets the option, or says which values are possible; nil if it is read where it is used.
	read func(c *Config, value string) error
	// same returns what all ranks must have alike, since results or messages depend on it; nil if they may differ.
	same func(c *Config) int64
}

// All are the variables. Of two that set the same, the second counts.
var All = []Setting{
	{Variable: "OP2_BACKEND", Option: "WithBackend", Doc: "the backend", read: text(func(c *Config) *string { return &c.BackendName })},
	{Variable: "OMP_NUM_THREADS", Option: "WithThreads", Doc: "threads that run a loop, unless OP2_THREADS is set", read: func(c *Config, value string) error {
		outer, _, _ := strings.Cut(value, ",") // it may contain one number for each level of nesting
		return threads(c, outer)
	}},
	{Variable: "OP2_THREADS", Option: "WithThreads", Doc: "threads that run a loop", read: threads},
	{Variable: "OP2_BLOCK_SIZE", Option: "WithBlockSize", Doc: "elements in a block of a plan",
		read: count("a number of elements", func(c *Config) *int { return &c.Backend.Choices.Block })},
	{Variable: "OP2_SIMD", Option: "WithSIMD", Doc: "whether generated C runs packs of elements at once",
		read: func(c *Config, value string) error {
			if n, err := strconv.Atoi(value); err != nil || n < 2 {
				value = onOff(value)
			}
			c.Backend.Choices.SetSIMD(value)
			return nil
		}},
	{Variable: "OP2_SCHEDULE", Option: "WithDynamicSchedule", Doc: "how openmp distributes blocks",
		read: text(func(c *Config) *tune.Schedule { return &c.Backend.Choices.Schedule })},
	{Variable: "OP2_TUNE", Option: "WithTuning", Doc: "whether choices for loops come from wisdom (use), and trials add to it (learn)",
		read: text(func(c *Config) *string { return &c.Tuning }),
		same: func(c *Config) int64 {
			m, _ := tuning.ParseMode(c.Tuning)
			return number(m.Use) + 2*number(m.Override)
		}},
	{Variable: "OP2_CHAINS", Option: "WithChains", Doc: "what chains of loops are turned into",
		read: text(func(c *Config) *tune.Chains { return &c.Chains }),
		same: func(c *Config) int64 { return int64(slices.Index(chains, string(c.Chains))) }},
	{Variable: "OP2_LAZY", Option: "WithLazy", Doc: "loops wait until the program wants what they compute", read: truth(func(c *Config) *bool { return &c.Lazy })},
	{Variable: "OP2_CC", Option: "WithCompiler", Doc: "the C compiler", read: text(func(c *Config) *string { return &c.Backend.Choices.Compiler })},
	{Variable: "OP2_CFLAGS", Option: "WithCFlags", Doc: "flags of the C compiler, after the library's own",
		read: flags(func(c *Config) *choice.Flags { return &c.Backend.Choices.HostFlags })},
	{Variable: "OP2_DEVICE_FLAGS", Option: "WithDeviceFlags", Doc: "flags of a device's compiler, after the library's own",
		read: flags(func(c *Config) *choice.Flags { return &c.Backend.Choices.DeviceFlags })},
	{Variable: "OP2_GROUP", Option: "WithGroup", Doc: "work-items in a group of a device, and elements of each", read: group},
	{Variable: "OP2_CACHE_DIR", Option: "WithCacheDir", Doc: "the folder of compiled code", read: text(func(c *Config) *string { return &c.Backend.CacheDir })},
	{Variable: "OP2_KEEP_SOURCE", Doc: "a folder for the C that is compiled", read: text(func(c *Config) *string { return &c.Backend.KeepSource })},
	{Variable: "OP2_RECORD", Doc: "a folder to record the mesh and the loops in", read: text(func(c *Config) *string { return &c.Record })},
	{Variable: "OP2_REPORT", Option: "WithReport", Doc: "the file of the report that is written when the runtime closes", read: text(func(c *Config) *string { return &c.Report }),
		same: func(c *Config) int64 { return number(c.Report != "") }},
	{Variable: "OP2_CHECKPOINT", Option: "WithCheckpoint", Doc: "the folder of checkpoints, and the time between them", read: checkpoint,
		same: func(c *Config) int64 {
			return number(c.Checkpoint.Folder != "") + int64(c.Checkpoint.Every.Microseconds())<<1
		}},
	{Variable: "OP2_RESTART", Option: "WithRestart", Doc: "the folder of the checkpoint to go on from", read: text(func(c *Config) *string { return &c.Restart }),
		same: func(c *Config) int64 { return number(c.Restart != "") }},
	{Variable: "OP2_DIAGS", Option: "WithDiags", Doc: "what is written and checked while the program runs", read: diags,
		same: func(c *Config) int64 {
			return number(c.Figures) + 2*number(c.CheckPlans) + 4*number(c.Backend.Poison) + 8*number(c.Trace)
		}},
	{Variable: "OP2_TRANSLATE", Doc: "a folder in which op2 translate finds the generated C", read: text(func(c *Config) *string { return &c.Backend.Translate })},
	{Variable: "OP2_REQUIRE", Doc: "`translated`: a loop that was not translated is an error", Finds: true, read: func(c *Config, value string) error {
		c.Backend.OnlyTranslated = slices.Contains(strings.Split(value, ","), "translated")
		return nil
	}},
	{Variable: "OP2_OPENCL_DEVICE", Option: "WithDevice", Doc: "the device of opencl: its number, or a part of its name", read: device("opencl")},
	{Variable: "OP2_CUDA_DEVICE", Option: "WithDevice", Doc: "the device of cuda: its number, or a part of its name", read: device("cuda")},
	{Variable: "OP2_STRATEGY", Option: "WithStrategy", Doc: "how a device runs loops whose elements collide",
		read: text(func(c *Config) *tune.Strategy { return &c.Backend.Choices.Strategy })},
	{Variable: "OP2_NO_ATOMICS", Option: "WithoutAtomics", Doc: "only strategies whose results are bitwise reproducible",
		read: truth(func(c *Config) *bool { return &c.Backend.Choices.NoAtomics })},
	{Variable: "OP2_SAME_BITS", Option: "WithSameBits", Doc: "bitwise the same results for any number of ranks and threads",
		read: truth(func(c *Config) *bool { return &c.Backend.SameBits }),
		same: func(c *Config) int64 { return number(c.Backend.SameBits) }},
	{Variable: "OP2_LAYOUT", Option: "WithLayout", Doc: "the order of a dat's values on a device",
		read: text(func(c *Config) *tune.Layout { return &c.Backend.Choices.Layout })},
	{Variable: "OP2_MPI", Option: "WithMPI", Doc: "whether the processes of an MPI job run the program together", read: mode(func(c *Config) *string { return &c.MPI })},
	{Variable: "OP2_TEAM", Option: "WithTeam", Doc: "the team of ranks that this one belongs to", read: text(func(c *Config) *string { return &c.Team })},
	{Variable: "OP2_MPI_LIBRARY", Doc: "the path of the MPI library"},
	{Variable: "OP2_PARTITIONER", Option: "WithPartitioner", Doc: "how a mesh is divided among ranks", read: text(func(c *Config) *string { return &c.Partitioner }),
		same: func(c *Config) int64 { return int64(slices.Index(partition.Methods, c.Partitioner)) }},
	{Variable: "OP2_RANK_WEIGHT", Option: "WithRankWeight", Doc: "how much of the mesh a rank gets, relative to the others", read: weight},
	{Variable: "OP2_HALO_DEPTH", Option: "WithHaloDepth", Doc: "layers of halos",
		read: count("a number of layers", func(c *Config) *int { return &c.Depth }),
		same: func(c *Config) int64 { return int64(c.Depth) }},
	{Variable: "OP2_LATENCY", Option: "RunRanks", Doc: "the time that messages between ranks of one process take", read: func(_ *Config, value string) error {
		_, err := latency(value)
		return err
	}},
	{Variable: "OP2_SOLVER", Option: "solver.Engine", Doc: "the engine of solvers", read: text(func(c *Config) *string { return &c.engine }),
		same: func(c *Config) int64 { return int64(slices.Index(tune.Engines, c.engine)) }},
	{Variable: "OP2_HDF5_LIBRARY", Doc: "the path of the HDF5 library", Finds: true},
	{Variable: "OP2_NVRTC", Doc: "the path of NVIDIA's compiler", Finds: true},
	{Variable: "OP2_CUSPARSE", Doc: "the path of NVIDIA's library of sparse matrices", Finds: true},
	{Variable: "OP2_STATS", Option: "WithStats", Doc: "the table of loops is written when the runtime closes", read: truth(func(c *Config) *bool { return &c.Stats }),
		same: func(c *Config) int64 { return number(c.Stats) }},
	{Variable: "OP2_QUIET", Option: "WithLog", Doc: "neither warnings nor progress are written", read: func(c *Config, value string) error {
		quiet := false
		err := truth(func(*Config) *bool { return &quiet })(c, value)
		if quiet {
			c.Log = nil
		}
		return err
	}},
}

// Defaults returns the configuration without options.
func Defaults() *Config {
	c := &Config{BackendName: "auto", MPI: "auto", Tuning: "use", Log: os.Stderr}
	c.Backend.Threads, c.Weight, c.Depth, c.Backend.Devices = AsManyAsPossible, 1, 1, map[string]string{}
	return c
}

// Read returns the defaults, changed by the environment.
func Read(getenv func(string) string) (*Config, error) {
	c := Defaults()
	for _, s := range All {
		value := getenv(s.Variable)
		if value == "" || s.read == nil {
			continue
		}
		err := s.read(c, value)
		if w := c.wrong(); err == nil && w != nil {
			err = w.Expected
		}
		if err != nil {
			return c, fmt.Errorf("op2: %s=%s: %w", s.Variable, value, err)
		}
	}
	return c, nil
}

// Of returns the variable of that name; nil if there is none.
func Of(variable string) *Setting {
	if i := slices.IndexFunc(All, func(s Setting) bool { return s.Variable == variable }); i >= 0 {
		return &All[i]
	}
	return nil
}

// Misspelled returns warnings about environment variables that are probably misspelled.
func Misspelled(environment []string) []string {
	short := make([]string, len(All)) // the common prefix does not count as similarity
	for i, s := range All {
		short[i] = strings.TrimPrefix(s.Variable, "OP2_")
	}
	var found []string
	for _, v := range environment {
		name, _, _ := strings.Cut(v, "=")
		upper := strings.ToUpper(name)
		caseless := runtime.GOOS == "windows" // there, op2_cc is OP2_CC
		if !strings.HasPrefix(upper, "OP2_") || strings.HasPrefix(upper, "OP2_TEST_") || Of(name) != nil || caseless && Of(upper) != nil {
			continue
		}
		if near := spell.Nearest(strings.TrimPrefix(upper, "OP2_"), short); near != "" {
			found = append(found, fmt.Sprintf("the environment variable %s means nothing here: did you mean OP2_%s?", name, near))
		}
	}
	return found
}
