package codegen

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/mathfn"
	"github.com/go-op2/op2/internal/tune"
)

// DeviceOptions are the options that a device's source depends on besides loop and kernel.
type DeviceOptions struct {
	Dialect   Dialect
	Strategy  tune.Strategy
	GroupSize int  // work-items in a group
	Subset    bool // the elements are listed
	Columns   bool // maps and tables are stored column by column
	Poison    bool // fill arguments with NaN before a kernel writes them

	SIMD         tune.SIMD // whether packs of elements are used, with Blocks
	Uncontracted bool      // products and sums are rounded separately, whatever the kernel says
}

// DeviceInput is the input for a device's source, like Input.
type DeviceInput struct {
	Loop    *loop.Loop
	Kernel  *kernel.Kernel
	Options DeviceOptions
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
	Faults        bool // whether faults are recorded
	Shared        bool // whether the kernel uses shared memory provided by the launch
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
// int32 except for SlotLocal, which is of uint16.
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
	SlotGroups                             // number of partial results
	SlotBlockList                          // plan.BlocksByColor
	SlotBlockFirst                         // plan.BlockOffsets
	SlotElementColor                       // plan.ElementColors
	SlotColorCount                         // plan.ElementColorCounts
	SlotTargetFirst                        // Offsets of the table of Data[N]
	SlotTargets                            // its Targets
	SlotLocal                              // its Local, a column for each component through which arguments reach Data[N], in their order
	SlotSharedAt                           // where the copy of Data[N] starts in shared memory, in bytes
	SlotShared                             // the shared memory itself (OpenCL)
	SlotReachFirst                         // for each target of Data[N] where its references start
	SlotReach                              // references: element times columns plus column
	SlotTargetCount                        // number of targets
)

// deviceLoop is the state of printing one loop.
type deviceLoop struct {
	DeviceInput
	*dialect
	p *printer
	w writer

	data  []string // names by loop.Data
	maps  []string
	entry []entryNames

	lowered *lower.Program
	params  []param
	locals  []string        // names by number
	reached map[string]bool // variables that hold the locations of values

	declare []variable // of an element
	load    []setting  // statements that set them
	pass    []string   // what is passed to the kernel
	store   []string   // statements after the call that collide with no other element
	collide []string   // statements that do collide

	reductions []deviceReduction
	packs      *packs
	program    DeviceProgram
}

// param is a parameter of a kernel in the source.
type param struct {
	slot Slot
	name string
	text string // its declaration
}

// deviceReduction is a reduction, with the names of the partial results of the work-item and of all
// groups.
type deviceReduction struct {
	lower.Reduction
	l                 lower.Local
	partial, partials string
}

// collisions says how a strategy keeps elements apart that change the same values.
func collisions(s tune.Strategy) lower.Collisions {
	switch s {
	case tune.Atomic:
		return lower.Atomically
	case tune.Gather:
		return lower.Gathers
	}
	return lower.Last
}

// Device prints a loop for a device.
func Device(in DeviceInput) *DeviceProgram {
	g := &deviceLoop{DeviceInput: in, dialect: &dialects[in.Options.Dialect], reached: map[string]bool{}}
	g.lowered = lower.Lower(in.Loop, in.Kernel, lower.Target{Apart: true, AddsFrom: 1, Poison: in.Options.Poison,
		Collisions: collisions(in.Options.Strategy), Staged: in.Options.Strategy == tune.Staged})
	g.p = newDevicePrinter(g.dialect, in.Kernel)
	g.p.device.lead(g.lowered)
	g.program.Name = in.Kernel.Name
	g.program.Rounds = in.Options.Uncontracted || in.Kernel.Rounds()
	printed := printable(in.Kernel)
	if printed {
		g.p.checks = in.Options.Poison && in.Kernel.IsC() && len(in.Kernel.Strays) > 0
		g.p.findFailing(in.Kernel)
		g.p.printStructs(in.Kernel)
	}
	structs := g.p.w.String()
	g.p.w = writer{}
	if printed {
		for _, f := range in.Kernel.Funcs {
			g.p.printFunc(f)
		}
	}
	kernelText := g.p.w.String()
	g.program.Faults = g.p.failing[in.Kernel.Entry()]
	g.layoutConsts(printed)
	g.name()
	g.arguments()
	g.packs, _ = g.newPacks()
	main := g.body()
	file := g.program.Entry + g.suffix

	w := &g.w
	g.header()
	w.raw(g.prelude)
	w.line("")
	g.printContext()
	if structs != "" {
		w.raw(structs)
	}
	g.printHelpers()
	if printed {
		w.raw(kernelText)
	} else {
		g.printSource()
	}
	w.line("")
	g.packs.printKernel(w, file)
	w.here(file)
	g.program.Params = g.printKernel(g.program.Entry, main)
	g.printCombine()
	g.program.Text = w.String()
	return &g.program
}

// name names the kernel, data and maps, as on the host.
func (g *deviceLoop) name() {
	s := newScope(g.p.file)
	g.p.scope = s
	for word := range words(deviceWords) {
		s.taken[word] = true
	}
	g.program.Entry = "op2_loop_" + stem(g.Kernel.Name)
	for d := range g.Loop.Data {
		name := inner(dataName(g.Loop, g.lowered.Params, d))
		if s.taken[name] || deviceSuffixes.MatchString(name) { // reserved for names derived from other data
			name = strings.TrimRight(name, "_") + "_"
		}
		g.data = append(g.data, s.take(name))
	}
	for m := range g.Loop.Maps {
		name := fmt.Sprintf("map%d", m)
		if s.taken[name] {
			name += "_"
		}
		g.maps = append(g.maps, s.take(name))
	}
	for e := range g.Loop.Entries {
		name := fmt.Sprintf("entries%d", e)
		g.entry = append(g.entry, entryNames{s.fresh(name), s.fresh(name + "_rowptr"), s.fresh(name + "_colidx")})
	}
}

// header prints the comment that describes the source.
func (g *deviceLoop) header() {
	w := &g.w
	w.line("// %s: a loop on a device, %s, %d work-items in a group, generated by op2.", g.Kernel.Name, g.Options.Strategy, g.Options.GroupSize)
	w.describe(g.Loop, g.lowered.Params)
	w.optional(isFloat64(g.Loop, g.Kernel), g.float64Line)
	w.optional(g.program.Rounds, g.roundsLine)
	w.optional(g.usesAtomic64(), g.atomics64Line)
}

// largestConsts is the largest size of consts that can be passed by value.
const largestConsts = 2048

// layoutConsts lays the consts out in a struct, as C does.
func (g *deviceLoop) layoutConsts(printed bool) {
	at, align := 0, 1
	for i, c := range g.Kernel.Consts {
		if !printed {
			g.program.Defined = append(g.program.Defined, i)
			continue
		}
		size := kernel.Leaf(c.Type).Size()
		at, align = (at+size-1)/size*size, max(align, size)
		g.program.Consts = append(g.program.Consts, ConstField{i, at, size * kernel.Count(c.Type)})
		at += size * kernel.Count(c.Type)
	}
	g.program.ConstsSize = (at + align - 1) / align * align
	g.program.ConstsByValue = g.constsByValue && at <= largestConsts
}

func (g *deviceLoop) hasConsts() bool { return len(g.program.Consts) > 0 }

// printContext declares the struct of consts and the context of functions that need one.
func (g *deviceLoop) printContext() {
	w := &g.w
	if g.hasConsts() {
		w.open("typedef struct {")
		for _, f := range g.program.Consts {
			c := g.Kernel.Consts[f.Const]
			w.line("%s;", g.p.decl(c.Type, g.p.consts[c], false))
		}
		w.close(" op2_consts;")
		w.line("")
	}
	if !g.hasContext() {
		return
	}
	consts := ""
	if g.hasConsts() {
		consts = "\t" + g.constant + "op2_consts *consts;\n"
	}
	faults := ""
	if g.program.Faults {
		faults = strings.ReplaceAll(contextFaults, "GLOBAL", g.global)
	}
	w.raw(strings.NewReplacer("CONSTS", consts, "FAULTS", faults).Replace(contextText))
	w.line("")
	if g.program.Faults {
		r := strings.NewReplacer("FUNCTION", g.function, "GLOBAL", g.global,
			"ATOMICMIN", fmt.Sprintf(g.atomicMin, "op2->faults", "op2->element"), "ATOMICINC", fmt.Sprintf(g.atomicInc, "op2->faults + 1"))
		w.raw(r.Replace(deviceFault))
		w.line("")
	}
}

func (g *deviceLoop) hasContext() bool { return g.p.device.contexts[g.Kernel.Entry()] }

// printHelpers prints the helpers in order of their names.
func (g *deviceLoop) printHelpers() {
	for _, name := range g.p.helpers.names() {
		g.w.raw(g.p.helpers[name].on(g.dialect))
		g.w.line("")
	}
}

// headers lists includes that devices provide, or that are replaced (memory).
var headers = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<(math|stdbool|stddef|stdint|stdio|string)\.h>`)

// memoryFuncs are the functions of string.h that kernels use, which OpenCL C lacks, and CUDA in
// part.
const memoryFuncs = `#define memset op2_memset
#define memcpy op2_memcpy
#define memmove op2_memmove
FUNCTION void *op2_memset(void *to, int value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)to)[i] = (unsigned char)value;
	return to;
}
FUNCTION void *op2_memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
	return to;
}
FUNCTION void *op2_memmove(void *to, const void *from, size_t n)
{
	if ((const unsigned char *)to <= (const unsigned char *)from)
		return op2_memcpy(to, from, n);
	while (n-- > 0)
		((unsigned char *)to)[n] = ((const unsigned char *)from)[n];
	return to;
}
`

// printSource prints a C kernel whose source says more than its IR. The values of its consts are
// defined before it.
func (g *deviceLoop) printSource() {
	w := &g.w
	if len(g.program.Defined) > 0 {
		w.raw(definedFloats)
	}
	for _, i := range g.program.Defined {
		c := g.Kernel.Consts[i]
		w.line("%s%s = OP2_CONST_%d;", g.defined, g.p.decl(c.Type, g.p.consts[c], false), i)
	}
	for _, f := range mathfn.CNames() {
		if g.overloaded {
			w.line("#define %sf %s", f, f)
		}
	}
	if strings.Contains(g.Kernel.Source, "string.h") {
		w.raw(strings.ReplaceAll(memoryFuncs, "FUNCTION", g.function))
	}
	for _, line := range g.sourceBefore {
		w.line("%s", line)
	}
	g.p.printText(w, g.Kernel, headers.ReplaceAllString(g.Kernel.Source, ""))
	for _, line := range g.sourceAfter {
		w.line("%s", line)
	}
}

// parameter returns the name of a parameter of the kernel, adding it if necessary.
func (g *deviceLoop) parameter(what SlotKind, n int, typ, name string) string {
	for _, p := range g.params {
		if p.slot == (Slot{what, n}) {
			return p.name
		}
	}
	sep := " "
	if strings.HasSuffix(typ, "*") || strings.HasSuffix(typ, " ") {
		sep = ""
	}
	g.params = append(g.params, param{Slot{what, n}, name, typ + sep + name})
	return name
}

// number and array return parameters of that kind.
func (g *deviceLoop) number(what SlotKind, n int, name string) string {
	return g.parameter(what, n, "const int", name)
}

func (g *deviceLoop) array(what SlotKind, n int, typ, name string) string {
	return g.parameter(what, n, g.global+typ+" *"+g.restrict, name)
}

func (g *deviceLoop) ints(what SlotKind, n int, name string) string {
	return g.array(what, n, "const int", name)
}

// values returns the parameter for data d.
func (g *deviceLoop) values(d int) string {
	typ := g.Loop.Data[d].Type.C()
	if g.Loop.DataAccess(d) == loop.Read {
		typ = "const " + typ
	}
	return g.array(SlotData, d, typ, g.data[d])
}

// printKernel prints a kernel around its body, and returns the slots of its parameters.
func (g *deviceLoop) printKernel(name, body string) []Slot {
	w := &g.w
	var slots []Slot
	var params []string
	for _, p := range g.params {
		slots = append(slots, p.slot)
		params = append(params, p.text)
	}
	w.raw(strings.ReplaceAll(g.kernel, "SIZE", fmt.Sprint(g.Options.GroupSize)) + name + "(" + w.list(params) + ")")
	w.line("{")
	w.raw(body)
	w.line("}")
	return slots
}
