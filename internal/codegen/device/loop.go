package device

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/packs"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// deviceLoop is the state of printing one loop.
type deviceLoop struct {
	codegen.DeviceInput
	*dialect
	p *ckernel.Printer
	w text.Writer

	data     []string // names by loop.Data
	maps     []string
	nonzeros []text.Nonzeros

	lowered *lower.Program
	params  []param
	names   []string        // of the locals
	locals  []string        // what leads to their scalars
	reached map[string]bool // variables that hold the locations of values

	declare []variable // of an element
	load    []setting  // statements that set them
	pass    []string   // what is passed to the kernel
	store   []string   // statements after the call that collide with no other element
	collide []string   // statements that do collide

	scratch    []scratched // moves through scratchpads, with that strategy
	reductions []deviceReduction
	packs      *packs.Packs
	library    string // what a C kernel that is included verbatim uses of C's
	program    codegen.DeviceProgram
}

// param is a parameter of a kernel in the source.
type param struct {
	slot codegen.Slot
	name string
	text string // its declaration
}

// deviceReduction is a reduction, with the names of the partial results of the work-item and of all
// groups.
type deviceReduction struct {
	lower.Reduction
	l                 lower.Local
	name              string
	partial, partials string // the former leads to scalars
}

func (g *deviceLoop) hasConsts() bool { return len(g.program.Consts) > 0 }

func (g *deviceLoop) hasContext() bool { return g.p.TakesContext(g.Kernel.Entry()) }

// parameter returns the name of a parameter of the kernel, adding it if necessary.
func (g *deviceLoop) parameter(what codegen.SlotKind, n int, typ, name string) string {
	for _, p := range g.params {
		if p.slot == (codegen.Slot{What: what, N: n}) {
			return p.name
		}
	}
	sep := " "
	if strings.HasSuffix(typ, "*") || strings.HasSuffix(typ, " ") {
		sep = ""
	}
	g.params = append(g.params, param{codegen.Slot{What: what, N: n}, name, typ + sep + name})
	return name
}

// number and array return parameters of that kind.
func (g *deviceLoop) number(what codegen.SlotKind, n int, name string) string {
	return g.parameter(what, n, "const int", name)
}

func (g *deviceLoop) array(what codegen.SlotKind, n int, typ, name string) string {
	return g.parameter(what, n, g.Global+typ+" *"+g.restrict, name)
}

func (g *deviceLoop) ints(what codegen.SlotKind, n int, name string) string {
	return g.array(what, n, "const int", name)
}

// values returns the parameter for data d.
func (g *deviceLoop) values(d int) string {
	typ := stored(g.Loop.Data[d].Type)
	if g.Loop.DataAccess(d) == loop.Read {
		typ = "const " + typ
	}
	return g.array(codegen.SlotData, d, typ, g.data[d])
}

// stored returns the type of values of t where no kernel sees them: OpenCL C has no bool there.
func stored(t loop.Scalar) string {
	if t == loop.Bool {
		t = loop.Uint8
	}
	return t.C()
}

// printKernel prints a kernel around its body, and returns the slots of its parameters.
func (g *deviceLoop) printKernel(name, body string) []codegen.Slot {
	w := &g.w
	var slots []codegen.Slot
	var params []string
	for _, p := range g.params {
		slots = append(slots, p.slot)
		params = append(params, p.text)
	}
	w.Raw(strings.ReplaceAll(g.kernel, "SIZE", fmt.Sprint(g.Options.GroupSize)) + name + "(" + w.List(params) + ")")
	w.Line("{")
	w.Raw(body)
	w.Line("}")
	return slots
}

// variable is a variable of an element.
type variable struct {
	typ, name string
	rest      string // the dimensions of an array, and its initializer
}

// setting is a statement that initializes variables of an element.
type setting struct {
	name    string // of the variable, if it has no dimensions
	value   string // its value
	text    string // otherwise, the statement
	reaches bool   // it computes the location of values
}

// wait returns the barrier for a group: elements of a color leave increments to matrices in global
// memory.
func (g *deviceLoop) wait() string {
	if len(g.Loop.Nonzeros) > 0 {
		return g.barrierAll
	}
	return g.barrier
}

// scratched is a move of an element's values through a scratchpad.
type scratched struct {
	move lower.Move
	own  func(subscript string) string
}
