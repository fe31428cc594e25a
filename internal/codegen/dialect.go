package codegen

import (
	"regexp"
	"strings"
)

// Dialect is a language that device code is printed in.
type Dialect uint8

// The dialects.
const (
	OpenCLC Dialect = iota // 1.2
	CUDA                   // C++ as NVRTC takes it
)

// dialect is what differs between the languages.
type dialect struct {
	name       string
	function   string // qualifiers of a function that kernels call
	kernel     string // before a kernel's name; SIZE stands for the work-items of a group
	global     string // qualifiers of what is in the device's memory, with a space behind
	shared     string // of what a group has
	constant   string // of what does not change while a kernel runs
	restrict   string
	group      string // number of the work-group
	item       string // of the work-item in its group
	barrier    string // for what is in shared memory
	barrierAll string // for all memory
	sharedArea string // declares the shared memory that a launch gives; empty if it is an argument
	overloaded bool   // functions of float have the names of those of double
	prelude    string
	atomicMin  string // of int
	atomicInc  string // adds one to an int
}

var dialects = [...]dialect{
	OpenCLC: {
		name:       "OpenCL C",
		function:   "static inline",
		kernel:     "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))\nvoid ",
		global:     "__global ",
		shared:     "__local ",
		constant:   "__constant ",
		restrict:   "restrict ",
		group:      "get_group_id(0)",
		item:       "get_local_id(0)",
		barrier:    "barrier(CLK_LOCAL_MEM_FENCE);",
		barrierAll: "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
		overloaded: true,
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
		function:   "static __device__ inline",
		kernel:     "extern \"C\" __global__ void __launch_bounds__(SIZE)\n",
		restrict:   "__restrict__ ",
		group:      "blockIdx.x",
		item:       "threadIdx.x",
		shared:     "",
		constant:   "const ",
		barrier:    "__syncthreads();",
		barrierAll: "__syncthreads();",
		sharedArea: "extern __shared__ long long shared[];",
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

// deviceWords are the names that the text of loops on devices has for its own variables, and what it calls.
const deviceWords = `context shared lane group color colors block first last count at entry i j k l d n b c
	consts faults before order listed target column gathered start end per width offset size
	get_group_id get_local_id barrier blockIdx threadIdx`

// deviceSuffixes end the names that go with those of data.
var deviceSuffixes = regexp.MustCompile(`_([0-9]+|shared|from|values|first|targets|local|at|stride|partials?|tree|own|number|value|rows|matrix)$`)

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

func (d Dialect) String() string { return dialects[d].name }
