package codegen

import (
	"regexp"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// Dialect is a language that device code is printed in.
type Dialect uint8

// The dialects.
const (
	OpenCLC Dialect = iota // 1.2
	CUDA                   // C++ as NVRTC accepts it
)

// dialect holds what differs between the languages: the generator uses these fields, and never
// checks which language it is.
type dialect struct {
	name       string
	suffix     string // of a file
	function   string // qualifiers of a function that kernels call
	kernel     string // before a kernel's name; SIZE stands for the number of work-items of a group
	global     string // qualifiers for data in global memory, with a trailing space
	shared     string // of a pointer to a group's memory
	sharedOwn  string // of an array of a group
	constant   string // of data that is constant while a kernel runs
	restrict   string
	group      string // number of the work-group
	item       string // of the work-item in its group
	barrier    string // for shared memory
	barrierAll string // for all memory
	fence      string // orders a work-item's accesses to global memory, for all groups
	sharedArea string // declares the shared memory that a launch provides; empty if it is an argument
	layouts    layoutChecks
	overloaded bool            // float functions have the same names as those for double
	own        map[string]bool // functions of <math.h> that the language's own are not relied on for
	vectors    bool            // compilers for CPUs have C's vectors, which packs need
	unroll     string          // precedes a short loop, with a trailing space
	assembly   bool            // compilers take inline assembly, which barriers need

	// Lines at the top of programs that need them.
	float64Line, roundsLine, atomics64Line string

	constsByValue bool   // the struct of consts may be passed by value
	defined       string // qualifiers of a const whose value is defined in the source

	// Lines around a C kernel that is included verbatim.
	sourceBefore, sourceAfter []string

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

var dialects = [...]dialect{
	OpenCLC: {
		name:       "OpenCL C",
		suffix:     ".cl",
		function:   "static inline",
		kernel:     "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))\nvoid ",
		global:     "__global ",
		shared:     "__local ",
		sharedOwn:  "__local ",
		constant:   "__constant ",
		restrict:   "restrict ",
		group:      "get_group_id(0)",
		item:       "get_local_id(0)",
		barrier:    "barrier(CLK_LOCAL_MEM_FENCE);",
		barrierAll: "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
		fence:      "mem_fence(CLK_GLOBAL_MEM_FENCE);", // on CPUs; OpenCL 1.2 has none between groups of a GPU
		layouts:    layoutChecks{assert: "typedef char op2_layout%d[(%s) ? 1 : -1];", offset: "__builtin_offsetof(%s, %s)"},
		overloaded: true,
		own:        words(undefinedInPoCL),
		vectors:    true,
		unroll:     `_Pragma("unroll") `,

		float64Line:   "#pragma OPENCL EXTENSION cl_khr_fp64 : enable",
		roundsLine:    "#pragma OPENCL FP_CONTRACT OFF",
		atomics64Line: "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable",

		defined: "__constant const ",
		// In C99 an inline function only exists where it is inlined.
		sourceBefore: []string{"#define inline static inline", "#define static"},
		sourceAfter:  []string{"#undef inline", "#undef static"},

		volatile: "volatile ",
		swap32:   "atomic_cmpxchg((volatile __global uint *)place, old.word, next.word)",
		swap64:   "atom_cmpxchg((volatile __global ulong *)place, old.word, next.word)",
		atomicAdd: map[loop.Scalar]string{
			loop.Int32: "atomic_add(place, value)", loop.Uint32: "atomic_add(place, value)",
			loop.Int64: "atom_add(place, value)", loop.Uint64: "atom_add(place, value)",
		},

		slowFlag: "-cl-opt-disable",

		prelude: `typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807L - 1)
`,
		atomicMin: "atomic_min(%s, %s)",
		atomicInc: "atomic_inc(%s)",
	},
	CUDA: {
		name:       "CUDA C++",
		suffix:     ".cu",
		function:   "static __device__ inline",
		kernel:     "extern \"C\" __global__ void __launch_bounds__(SIZE)\n",
		restrict:   "__restrict__ ",
		group:      "blockIdx.x",
		item:       "threadIdx.x",
		sharedOwn:  "__shared__ ",
		constant:   "const ",
		barrier:    "__syncthreads();",
		barrierAll: "__syncthreads();",
		assembly:   true,
		fence:      "__threadfence();",
		sharedArea: "extern __shared__ long long shared[];",
		layouts: layoutChecks{assert: "static_assert(%[2]s, \"layout %[1]d\");", offset: "op2_offsetof(%s, %s)", define: `#ifdef OP2_STANDIN
#define op2_offsetof(type, field) __builtin_offsetof(type, field)
#else
#define op2_offsetof(type, field) __INTADDR__(&((type *)0)->field)
#endif`},

		roundsLine: "// Products and sums are rounded separately.",

		constsByValue: true,
		defined:       "static __constant__ const ",
		sourceBefore:  []string{"#define restrict __restrict__"},

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

		prelude: `typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define INT64_C(x) x##LL
#define UINT64_C(x) x##ULL
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807LL - 1)
#define NAN __longlong_as_double(0x7ff8000000000000LL)
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
`,
		atomicMin: "atomicMin(%s, %s)",
		atomicInc: "atomicAdd(%s, 1)",
	},
}

// deviceWords are the names of the variables and functions that generated loops on devices use.
const deviceWords = `context shared lane group color colors block first last count at position i j k l d n b c
	consts faults before order listed target column gathered start end per width offset size
	groups finished is_last
	get_group_id get_local_id barrier blockIdx threadIdx`

// deviceSuffixes are the suffixes of names derived from those of data.
var deviceSuffixes = regexp.MustCompile(`_([0-9]+|shared|from|values|first|targets|local|at|stride|partials?|tree|own|number|value|rows|matrix)$`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// OrdersGroups reports whether the language has a fence between groups: those of OpenCL 1.2 order
// the accesses of a group, but by their effect of all on a CPU.
func (d Dialect) OrdersGroups() bool { return d == CUDA }

func (d Dialect) String() string { return dialects[d].name }

// Flags returns the compiler's flags for a program: whether its products and sums are rounded
// separately, whether it includes a C kernel verbatim, and whether it should not be optimized.
func (d Dialect) Flags(rounds, source, slow bool) []string {
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
