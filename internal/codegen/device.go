package codegen

import (
	"github.com/go-op2/op2/internal/tune"
)

// Dialect is a language that device code is printed in.
type Dialect uint8

// The dialects.
const (
	OpenCLC Dialect = iota // 1.2
	CUDA                   // C++ as NVRTC accepts it
)

// OrdersGroups reports whether the language has a fence between groups: those of OpenCL 1.2 order
// the accesses of a group, but by their effect of all on a CPU.
func (d Dialect) OrdersGroups() bool { return d == CUDA }

func (d Dialect) String() string {
	if d == CUDA {
		return "CUDA C++"
	}
	return "OpenCL C"
}

// DeviceOptions are the options that a device's source depends on besides loop and kernel.
type DeviceOptions struct {
	Dialect   Dialect
	Strategy  tune.Strategy
	GroupSize int  // work-items in a group
	Subset    bool // the elements are listed
	Columns   bool // maps and tables are stored column by column
	Poison    bool // fill arguments with NaN before a kernel writes them
	// LastCombines makes the last group to finish combine the partial results of all. It needs a
	// device on which fences order the accesses of one group before those of another.
	LastCombines bool

	SIMD         tune.SIMD // whether packs of elements are used, with Blocks
	Width        int       // elements of a pack; 0: as many as there are registers for
	Rounds       bool      // work-items run elements in rounds, even if no partial results are kept
	Uncontracted bool      // products and sums are rounded separately, whatever the kernel says
}

// DeviceProgram is the source of one loop for a device.
type DeviceProgram struct {
	Name   string
	Text   string
	Entry  string // name of the kernel
	Params []Slot // its parameters
	// Combine is the name of the kernel that combines, in a single group, the partial results of
	// reductions, if there are any; CombineParams are its parameters.
	Combine       string
	CombineParams []Slot
	LastCombines  bool // the last group combines them, if SlotGroups is not 0
	Faults        bool // whether faults are recorded
	Packs         bool // blocks run packs of elements
	Rounds        bool // products and sums must be rounded separately: a flag of CUDA's compiler

	Consts        []ConstField // layout of the consts in their struct
	ConstsSize    int
	ConstsByValue bool  // the struct is passed by value, instead of its address
	Defined       []int // consts whose values are defined in the source before it is compiled (Define)
}

// ConstField is the position of a const in the struct of consts.
type ConstField struct {
	Const  int // of the kernel
	Offset int
	Size   int
}

// The additional kinds of slot, for kernels on devices. All numbers are int32, all arrays are of
// int32 except for SlotLocal, which is of uint16, and SlotElementColor, of uint8.
// Of data that elements reach in the same ways, N of a table is the first (loop.Alike).
const (
	SlotFirst        SlotKind = 100 + iota // the first element, or index
	SlotLast                               // the end of the range
	SlotSize                               // elements of the iteration set
	SlotOffset                             // where the launch starts: an element, or an index into the list or the blocks by color
	SlotEnd                                // where it ends
	SlotList                               // numbers of the elements, of a subset or by color
	SlotPer                                // indices that each group runs, if partial results are kept
	SlotBefore                             // where the partial results of the launch start
	SlotStride                             // elements of the set of Data[N], or blocks of a mat
	SlotConsts                             // the struct of consts, or its address
	SlotFaults                             // the fault record
	SlotPartials                           // partial results of Args[N], [groups][dim]
	SlotGroups                             // number of partial results to combine; 0: none are
	SlotFinished                           // the number of groups that have finished, 0 before and after a call
	SlotBlockList                          // plan.BlocksByColor
	SlotBlockFirst                         // plan.BlockOffsets
	SlotElementColor                       // plan.ElementColors
	SlotByColor                            // plan.ElementsByColor
	SlotColorCount                         // plan.ElementColorCounts
	SlotTargetFirst                        // Offsets of the table of Data[N]
	SlotTargets                            // its Targets
	SlotLocal                              // its Local, a column for each way to Data[N], in their order (loop.WaysTo)
	SlotShared                             // the shared memory itself (OpenCL)
	SlotReachFirst                         // for each target of Data[N] where its references start
	SlotReach                              // references: element times columns plus column
	SlotTargetCount                        // number of targets
)
