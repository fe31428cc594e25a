// Package codegen describes what a loop compiles to: the input of the packages below it, which print
// the source, and the programs that they return to backends.
//
// A source is the kernel, from its IR or as the user's C, and a loop around it that fetches the kernel's
// input and stores its output. Package lower decides on these moves.
// From the bottom: text has lines, names and spellings of values; facts answers questions about kernels;
// vectors has the functions of packs of elements, lanes decides which kernels run in packs; ckernel
// prints kernels, packs the loop over packs; host and device print whole loops.
//
// C that is the same for all loops is in the folders csrc, in sections that text.Sections cuts.
//
// All are pure: the same loop and kernel give the same source, byte for byte, which is the key of the
// compiler's cache.
package codegen

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/tune"
)

// Program is the source of one loop for one target, and how to call it.
type Program struct {
	Name   string // of the kernel, for messages
	Symbol string // of the wrapper, void Symbol(void **args)
	Block  string // of the function of one block, void Block(void *args, int32_t i), the i-th in the order of execution; "" without threads
	Text   string
	Kernel [2]int // the part of the text, in bytes, that is the kernel with what it needs, and knows no loop
	Slots  []Slot // what each of args points to
	Faults bool   // whether the wrapper may write a fault record
	Rounds bool   // products and sums must be rounded separately
	Words  bool   // some values are accessed both as words and as what they are: no strict aliasing
	Scalar string // why all elements run one by one, in a few words; "" if there are packs
	Pack   int    // bytes of the largest values of which a pack holds one for each element; 0 without packs
	Lanes  string // symbol of an int32, the number of elements of a pack, 1 for none; "" if Scalar is set
}

// ByCompilers is why there are no packs in loops that run on vectors nevertheless.
const ByCompilers = "compilers vectorize it"

// OnVectors reports whether the program computes on vectors.
func (p *Program) OnVectors() bool { return p.Pack > 0 || p.Scalar == ByCompilers }

// Slot says what one of the wrapper's args points to.
type Slot struct {
	What SlotKind
	N    int // which data, map or const of the loop and its kernel
}

// SlotKind is the kind of a Slot.
type SlotKind uint8

// The kinds of slot.
const (
	SlotRuns     SlotKind = iota // pairs of int32: the first element of each run, and its end
	SlotCount                    // int64: the number of runs
	SlotData                     // the first value of loop.Data[N]
	SlotMap                      // the first int32 of loop.Maps[N]
	SlotConst                    // the value of kernel.Consts[N]
	SlotFault                    // eight int64, all 0 before: a fault record, its kind 0 if all went well
	SlotJob                      // the threads' work: struct op2_job
	SlotBlocks                   // int32: the first run of each block, and the end of the last
	SlotOrder                    // plan.BlocksByColor
	SlotTable                    // int32: the table of positions of loop.Nonzeros[N]
	SlotRowPtr                   // int32: the compressed rows of loop.Nonzeros[N]
	SlotColIdx                   // int32: their columns
	SlotPartial                  // N bytes for each block: partial results of one reduction
	SlotAhead                    // struct op2_ahead: memory to fetch
	SlotCombined                 // int32: number of blocks whose partial results the wrapper combines; 0 to leave that to the caller
	SlotElements                 // int32: the elements, of whose places runs are
)

// Options are the options that the source depends on besides loop and kernel.
type Options struct {
	Poison bool      // fill arguments with NaN before a kernel writes them
	SIMD   tune.SIMD // whether packs of elements are used
	Width  int       // elements of a pack, where it has registers for so many; 0: as many as there are registers for
	// SameBits makes an element compute and add the same bits, and elements add in their order,
	// whether it runs in a pack or alone.
	SameBits bool
	// Listed makes runs those of places in a list of elements, for subsets whose elements are hardly ever neighbors.
	Listed bool
}

// Input is the input for a source of the host. The kernel has been analyzed, its parameters fit the
// loop's arguments, and its consts have types.
type Input struct {
	Loop    *loop.Loop
	Kernel  *kernel.Kernel
	Ops     []*kernel.Kernel // by loop.Ops
	Options Options
}

// DeviceInput is the input for a source of a device.
type DeviceInput struct {
	Loop    *loop.Loop
	Kernel  *kernel.Kernel
	Ops     []*kernel.Kernel // by loop.Ops
	Options DeviceOptions
}

// Host returns the input for runs of elements one after another, as on the host.
func (in *DeviceInput) Host() Input {
	return Input{in.Loop, in.Kernel, in.Ops, Options{SIMD: in.Options.SIMD, Width: in.Options.Width, Poison: in.Options.Poison}}
}

// Op returns operation by of the program; nil if an operation of lower is not one of the program.
func (in *Input) Op(do lower.Op, by int) *kernel.Kernel {
	if do != lower.Combine {
		return nil
	}
	return in.Ops[by]
}

// Rounds reports whether products and sums must be rounded separately.
func (in *Input) Rounds() bool {
	return in.Kernel.Rounds() || slices.ContainsFunc(in.Ops, (*kernel.Kernel).Rounds)
}

// HasRecords reports whether some values are stored as words.
func HasRecords(l *loop.Loop) bool {
	return slices.ContainsFunc(l.Data, func(d loop.Data) bool { return d.Record() != nil })
}

// Param returns the kernel's parameter that argument i is passed to.
func (in *Input) Param(i int) *kernel.Var { return in.Kernel.Entry().Params[in.Loop.Param(i)] }
