package codegen

import (
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Program is the text of one loop for one target, and how to call it.
type Program struct {
	Name   string // of the kernel, for messages
	Symbol string // of the wrapper, void Symbol(void **args)
	Text   string
	Slots  []Slot // what each of args points to
	Faults bool   // whether the wrapper may leave a fault record
}

// Slot says what one entry of the wrapper's args points to.
type Slot struct {
	What SlotKind
	N    int // which data, map or const of the loop and its kernel
}

// SlotKind is the kind of a Slot.
type SlotKind uint8

// The kinds of slot.
const (
	SlotRange SlotKind = iota // two int64: the first element and the one after the last
	SlotData                  // the first value of loop.Data[N]
	SlotMap                   // the first int32 of loop.Maps[N]
	SlotConst                 // the value of kernel.Consts[N]
	SlotFault                 // five int64: a fault record, its kind zero if all went well
)

// Options are what the text depends on besides loop and kernel.
type Options struct {
	Poison bool // fill what a kernel is to write with NaN before it does
}

// Input is what a text is made from. The kernel has been analysed, its parameters
// fit the loop's arguments, and its consts have types.
type Input struct {
	Loop    *loop.Loop
	Kernel  *kernel.Kernel
	Options Options
}
