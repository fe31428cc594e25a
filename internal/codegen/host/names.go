package host

import (
	"fmt"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/lower"
)

// host is the state of printing one wrapper.
type host struct {
	codegen.Input
	lowered *lower.Program
	p       *ckernel.Printer
	w       text.Writer

	form formOfHost

	run      string          // name of the function over a range
	elem     string          // name of the element's number
	counter  string          // name of what counts the elements of a run: their numbers, or places in a list
	elements string          // name of that list; "" if there is none
	data     []string        // names by loop.Data
	maps     []string        // names by loop.Maps
	row      []string        // names of an element's row of each map
	nonzeros []text.Nonzeros // by loop.Nonzeros
	slots    []codegen.Slot

	locals []string // names by number

	pass []string // what is passed to the kernel

	verbatim bool     // its source is printed, rather than its IR
	first    []string // before all elements
	before   []string // before each call of the kernel
	after    []string // after each call
	last     []string // after all elements
	arrays   bool     // whether there are arrays among the local variables
}

// formOfHost is the kind of caller of a loop on the host.
type formOfHost uint8

const (
	alone   formOfHost = iota // the caller, for any runs
	threads                   // a team of threads, for the blocks of a plan
	ahead                     // the caller, which meanwhile fetches what the next tile uses
)

func (h *host) symbol() string { return "op2_wrap_" + text.Stem(h.Kernel.Name) }

// block is the symbol of the function for one block.
func (h *host) block() string { return "op2_block_" + text.Stem(h.Kernel.Name) }

// hostWords are the names that generated loops on the host use for their own variables.
const hostWords = `args runs run elements n end last aligned block d i j k l consts exit`

// name names data and maps: the common part of the names of the kernel's parameters for the same
// data (x for x1 and x2), since the program's own names of dats must not affect the cache key.
func (h *host) name() {
	h.run = "op2_loop_" + text.Stem(h.Kernel.Name)
	h.elem, h.counter = "n", "n"
	if h.Options.Listed {
		h.counter, h.elements = "i", "elements"
	}
	s := h.p.Begin(hostWords)
	h.p.Reserve(h.symbol() + "_lanes")
	for d := range h.Loop.Data {
		h.data = append(h.data, s.Fresh(text.DataName(h.Loop, h.lowered.Params, d)))
	}
	for m := range h.Loop.Maps {
		h.maps = append(h.maps, s.Fresh(fmt.Sprintf("map%d", m)))
		h.row = append(h.row, s.Fresh(fmt.Sprintf("row%d", m)))
	}
	h.nonzeros = text.NameNonzeros(s, len(h.Loop.Nonzeros))
}

// slot adds a slot, and returns the element of args for it.
func (h *host) slot(what codegen.SlotKind, n int) string {
	h.slots = append(h.slots, codegen.Slot{What: what, N: n})
	return fmt.Sprintf("args[%d]", len(h.slots)-1)
}

// local returns a name for a local variable of parameter i with some role.
func (h *host) local(i int, role string) string {
	return h.p.Fresh(h.lowered.Params[i].Var.Name + "_" + role)
}
