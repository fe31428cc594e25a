// Package packs prints the part of a loop that runs packs of elements, for the host and for devices that
// are processors: a kernel on vectors, and the loop that moves values into them and back.
package packs

import (
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/codegen/vectors"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Frame is the loop around packs: the names and the printer of its elements that run one by one.
type Frame struct {
	In       codegen.Input
	Depth    int              // of indentation
	Scalar   *ckernel.Printer // of the kernel for one element
	Target   *ckernel.Target
	Elem     string   // name of the element's number, or of its place in a list
	Elements string   // name of that list; "" if there is none
	Context  string   // of a pack, for the kernel
	Data     []string // names by loop.Data
	Maps     []string // names by loop.Maps
	Row      []string // names of an element's row of each map
	Local    func(i int, role string) string
	Partial  func(arg int) string // of a reduction, for a subscript; by an operation, of all elements
	Fetch    bool                 // with each pack, what the next tile uses
	Streamed bool                 // streams are fetched ahead
}

// Packs is the part of a loop that runs packs of elements; nil if there is none.
type Packs struct {
	Frame
	p       *ckernel.Printer // of the kernel on vectors
	vec     *vectors.Vectors
	Size    int // in bytes, of the largest values of which a pack holds one for each element
	lowered *lower.Program
	locals  []string // names by number

	text string       // that kernel
	loop *text.Writer // the loop over packs
	at   []reached

	before, after []string // around each call of the kernel
	ahead, last   []string // before and after all
	pass          []string // what is passed to it
	additions     []addition
}

// addition is a row that each element of a pack adds to a dat.
type addition struct {
	data     int
	of       loop.Scalar
	dim      int
	at, pack string // C: the elements that the pack reaches, and what it adds there
}

// reached is an array of the element numbers that a pack reaches in one way.
type reached struct {
	m, component int
	name         string
}

// Describe says of how many elements packs are.
func (k *Packs) Describe() string { return "packs of " + k.vec.Describe() }

// PrintKernel prints the kernel on vectors, after its helpers, as lines of the generated file.
func (k *Packs) PrintKernel(w *text.Writer, file string) {
	if k == nil {
		return
	}
	w.Here(file)
	k.vec.Print(w)
	k.p.PrintLaneHelpers(w)
	w.Raw(k.text)
	w.Raw("#endif")
	w.Line("")
}

// PrintLoop prints the loop over packs, which leaves the rest of the range.
func (k *Packs) PrintLoop(w *text.Writer) {
	w.Raw(strings.TrimRight(k.loop.String(), "\n"))
}

// PrintLanes defines the variable that tells the library how many elements the packs have, which
// only the compiler knows; it is 1 if the processor has no registers for them.
func (k *Packs) PrintLanes(w *text.Writer, name string) {
	w.Line(`__attribute__((visibility("default")))`)
	w.Raw("#ifdef OP2_LANES")
	w.Line("const int32_t %s = OP2_LANES;", name)
	w.Raw("#else")
	w.Line("const int32_t %s = 1;", name)
	w.Raw("#endif")
}
