package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/lower"
)

// frame is the loop around packs: what they share with the elements that run one by one.
type frame struct {
	in       Input
	depth    int      // of indentation
	scalar   *printer // of the kernel for one element
	elem     string   // name of the element's number
	data     []string // names by loop.Data
	maps     []string // names by loop.Maps
	row      []string // names of an element's row of each map
	local    func(i int, role string) string
	partial  func(arg int) string // of a reduction, for a subscript
	fetch    bool                 // with each pack, what the next tile uses
	streamed bool                 // streams are fetched ahead
}

// packs is the part of a loop that runs packs of elements; nil if there is none.
type packs struct {
	frame
	p       *printer // of the kernel on vectors
	lowered *lower.Program
	locals  []string // names by number

	text string // that kernel
	loop writer // the loop over packs
	at   []target

	before, after []string // around each call of the kernel
	ahead, last   []string // before and after all
	pass          []string // what is passed to it
	additions     []addition
}

// target is an array of the element numbers that a pack reaches in one way.
type target struct {
	m, component int
	name         string
}

// describe says for which processors' registers there are packs, and of how many elements: "packs
// of 8 elements with AVX-512, 4 with AVX2, 2 with NEON". Which of them it is depends on the compiler's target.
func (k *packs) describe() string {
	var s []string
	for _, r := range registers {
		if slices.Contains(k.p.vec.widths, r.bytes) {
			what := ""
			if len(s) == 0 {
				what = " elements"
			}
			s = append(s, fmt.Sprintf("%d%s with %s", r.bytes/k.p.vec.size, what, r.name))
		}
	}
	return "packs of " + strings.Join(s, ", ")
}

// printKernel prints the kernel on vectors, and what it depends on, as lines of the generated file.
func (k *packs) printKernel(w *writer, file string) {
	if k == nil {
		return
	}
	w.here(file)
	k.p.vec.print(w)
	for _, name := range k.p.helpers.names() {
		if helper := k.p.helpers[name]; helper.lanes {
			w.raw(helper.text)
		}
	}
	w.raw(k.text)
	w.raw("#endif")
	w.line("")
}

// printLoop prints the loop over packs, which leaves the rest of the range.
func (k *packs) printLoop(w *writer) {
	w.raw(strings.TrimRight(k.loop.String(), "\n"))
}

// printLanes defines the variable that tells the library how many elements the packs have, which
// only the compiler knows; it is 1 if the processor has no registers for them.
func (k *packs) printLanes(w *writer, name string) {
	w.line(`__attribute__((visibility("default")))`)
	w.raw("#ifdef OP2_LANES")
	w.line("const int32_t %s = OP2_LANES;", name)
	w.raw("#else")
	w.line("const int32_t %s = 1;", name)
	w.raw("#endif")
}
