package device

import (
	_ "embed"
	"regexp"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
)

// dialect holds what differs between the languages: for kernels, and for loops.
type dialect struct {
	ckernel.Target
	suffix     string // of a file
	kernel     string // before a kernel's name; SIZE stands for the number of work-items of a group
	shared     string // of a pointer to a group's memory
	sharedOwn  string // of an array of a group
	constant   string // of data that is constant while a kernel runs
	restrict   string
	group      string // number of the work-group
	item       string // of the work-item in its group
	barrier    string // for shared memory
	warp       int    // work-items that run together; 0: unknown
	warpWait   string // barrier for those
	barrierAll string // for all memory
	fence      string // orders a work-item's accesses to global memory, for all groups
	sharedArea string // declares the shared memory that a launch provides; empty if it is an argument
	// genericPointers says that a kernel's pointers may lead to shared memory.
	genericPointers bool
	vectors         bool // compilers for CPUs have C's vectors, which packs need

	// Lines at the top of programs that need them.
	float64Line, roundsLine, atomics64Line string

	constsByValue bool   // the struct of consts may be passed by value
	defined       string // qualifiers of a const whose value is defined in the source

	// Lines around a C kernel that is included verbatim.
	sourceBefore, sourceAfter []string

	wideLongLong bool // long long has more than 64 bits

	volatile  string                 // qualifier of a place that is changed atomically
	swap32    string                 // compares and exchanges *place, a 32-bit word, old and next
	swap64    string                 // the same for 64 bits
	atomicAdd map[loop.Scalar]string // adds value to *place; other types use the exchange

	// Flags of the compiler: for programs whose products and sums are rounded separately, for C
	// kernels, and instead of -O0.
	roundsFlag, sourceFlag, slowFlag string
	prelude                          string
	atomicMin                        string // of int
	atomicInc                        string // adds one to an int
}

// The context of functions on a device, op2.
const (
	contextType   = "op2_context"
	deviceContext = contextType + " *"
	deviceConsts  = "op2->consts->"
)

var dialects = [...]dialect{
	codegen.OpenCLC: {
		Target: ckernel.Target{
			Function:   "static inline",
			Global:     "__global ",
			Context:    deviceContext,
			Consts:     deviceConsts,
			Places:     true,
			Unroll:     `_Pragma("unroll") `,
			Overloaded: true,
			Own:        text.Words(ckernel.UndefinedInPoCL),
			Foreign:    true,
			Layouts:    ckernel.Layouts{Assert: "typedef char op2_layout%d[(%s) ? 1 : -1];", Offset: "__builtin_offsetof(%s, %s)"},
			Literals:   true,
			Apart:      true,
		},
		suffix:     ".cl",
		kernel:     "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))\nvoid ",
		shared:     "__local ",
		sharedOwn:  "__local ",
		constant:   "__constant ",
		restrict:   "restrict ",
		group:      "get_group_id(0)",
		item:       "get_local_id(0)",
		barrier:    "barrier(CLK_LOCAL_MEM_FENCE);",
		barrierAll: "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
		fence:      "mem_fence(CLK_GLOBAL_MEM_FENCE);", // on CPUs; OpenCL 1.2 has none between groups of a GPU
		vectors:    true,

		float64Line:   "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
		roundsLine:    "#pragma OPENCL FP_CONTRACT OFF",
		atomics64Line: "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable",

		defined: "__constant const ",
		// In C99 an inline function only exists where it is inlined.
		sourceBefore: []string{"#define inline static inline", "#define static"},
		sourceAfter:  []string{"#undef inline", "#undef static"},
		wideLongLong: true,

		volatile: "volatile ",
		swap32:   "atomic_cmpxchg((volatile __global uint *)place, old.word, next.word)",
		swap64:   "atom_cmpxchg((volatile __global ulong *)place, old.word, next.word)",
		atomicAdd: map[loop.Scalar]string{
			loop.Int32: "atomic_add(place, value)", loop.Uint32: "atomic_add(place, value)",
			loop.Int64: "atom_add(place, value)", loop.Uint64: "atom_add(place, value)",
		},

		slowFlag: "-cl-opt-disable",

		prelude:   texts["prelude of OpenCL C"],
		atomicMin: "atomic_min(%s, %s)",
		atomicInc: "atomic_inc(%s)",
	},
	codegen.CUDA: {
		Target: ckernel.Target{
			Function: "static __device__ inline",
			Unused:   "[[maybe_unused]] ",
			Context:  deviceContext,
			Consts:   deviceConsts,
			Places:   true,
			Foreign:  true,
			Layouts:  ckernel.Layouts{Assert: "static_assert(%[2]s, \"layout %[1]d\");", Offset: "op2_offsetof(%s, %s)", Define: texts["offsets in CUDA C++"]},
			Assembly: true,
			Apart:    true,
		},
		suffix:     ".cu",
		kernel:     "extern \"C\" __global__ void __launch_bounds__(SIZE)\n",
		restrict:   "__restrict__ ",
		group:      "blockIdx.x",
		item:       "threadIdx.x",
		sharedOwn:  "__shared__ ",
		constant:   "const ",
		barrier:    "__syncthreads();",
		warp:       32,
		warpWait:   "__syncwarp();",
		barrierAll: "__syncthreads();",
		fence:      "__threadfence();",
		sharedArea: "extern __shared__ long long shared[];",

		genericPointers: true,

		roundsLine: "// Products and sums are rounded separately.",

		constsByValue: true,
		defined:       "static __constant__ const ",
		sourceBefore:  []string{"#define restrict __restrict__", "#define _Static_assert static_assert"},

		swap32: "atomicCAS((unsigned int *)place, old.word, next.word)",
		swap64: "atomicCAS((unsigned long long *)place, (unsigned long long)old.word, (unsigned long long)next.word)",
		atomicAdd: map[loop.Scalar]string{
			loop.Int32: "atomicAdd(place, value)", loop.Uint32: "atomicAdd(place, value)",
			loop.Int64:   "atomicAdd((unsigned long long *)place, (unsigned long long)value)",
			loop.Uint64:  "atomicAdd((unsigned long long *)place, (unsigned long long)value)",
			loop.Float32: "atomicAdd(place, value)", loop.Float64: "atomicAdd(place, value)",
		},

		roundsFlag: "--fmad=false",
		sourceFlag: "--device-as-default-execution-space", // for functions without __device__, as kernel authors write them

		prelude:   texts["prelude of CUDA C++"],
		atomicMin: "atomicMin(%s, %s)",
		atomicInc: "atomicAdd(%s, 1)",
	},
}

// deviceWords are the names of the variables and functions that generated loops on devices use.
const deviceWords = `context shared lane group color colors block first last count at position i j k l d n b c
	consts faults before order listed target column gathered start end per width offset size
	groups finished is_last scratch item pad place
	get_group_id get_local_id barrier blockIdx threadIdx`

// deviceSuffixes are the suffixes of names derived from those of data.
var deviceSuffixes = regexp.MustCompile(`_([0-9]+|shared|from|count|first|targets|local|stride|partials?|tree|own|number|value|rows|matrix)$`)

// Flags returns the compiler's flags for a program: whether its products and sums are rounded
// separately, whether it includes a C kernel verbatim, and whether it should not be optimized.
func Flags(d codegen.Dialect, rounds, source, slow bool) []string {
	var flags []string
	for _, f := range []struct {
		wanted bool
		flag   string
	}{{source, dialects[d].sourceFlag}, {rounds, dialects[d].roundsFlag}, {slow, dialects[d].slowFlag}} {
		if f.wanted && f.flag != "" {
			flags = append(flags, f.flag)
		}
	}
	return flags
}

// Compilers for GPUs unroll short loops by themselves. PoCL's only does so where it is asked to:
// otherwise arrays that such a loop indexes stay in memory, and take up to half of the time.

// shortLoop matches the head of a generated loop with few iterations.
var shortLoop = regexp.MustCompile(`\bfor \(int \w+ = 0; \w+ < (?:[1-9]|1[0-6]|OP2_LANES); \w+\+\+\)`)

// unrolled returns the generated text with every short loop asking to be unrolled.
func (d *dialect) unrolled(text string) string {
	if d.Unroll == "" {
		return text
	}
	return shortLoop.ReplaceAllString(text, d.Unroll+"$0")
}

//go:embed csrc/device.c
var source string

var texts = text.Sections(source)
