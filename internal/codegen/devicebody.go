package codegen

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// body prints what a kernel does, by strategy.
func (g *deviceLoop) body() string {
	b := &writer{depth: 1}
	switch g.Options.Strategy {
	case Staged:
		g.stagedBody(b)
	case Gather:
		g.gatherBody(b)
	case Blocks:
		g.blocksBody(b)
	default:
		g.elementsBody(b)
	}
	return b.String()
}

// begin prints what every kernel begins with: who the work-item is, its context and its
// partial results.
func (g *deviceLoop) begin(b *writer) {
	g.trees(b)
	b.line("const int group = %s, lane = %s;", g.group, g.item)
	g.beginElements(b)
}

// beginElements declares the context and the partial results of a work-item.
func (g *deviceLoop) beginElements(b *writer) {
	if g.hasContext() {
		b.line("%s context;", contextType)
		if g.hasConsts() {
			if g.program.ConstsByValue {
				g.parameter(SlotConsts, 0, "const __grid_constant__ op2_consts", "consts")
				b.line("context.consts = &consts;")
			} else {
				g.parameter(SlotConsts, 0, g.constant+"op2_consts *", "consts")
				b.line("context.consts = consts;")
			}
		}
		if g.program.Faults {
			b.line("context.faults = %s;", g.array(SlotFaults, 0, "int", "faults"))
		}
	}
	for _, r := range g.reductions {
		g.beginPartial(b, r)
	}
}

// beginPartial declares a partial result, which begins with zero or with the value there
// is.
func (g *deviceLoop) beginPartial(b *writer, r deviceReduction) {
	first := "0"
	if r.a.Access != loop.Inc {
		first = g.values(r.a.Data) + "[%[1]s]"
	}
	if r.n == 1 {
		b.line("%s = %s;", own(g.Loop.Type(r.a), r.partial, 1), strings.ReplaceAll(first, "%[1]s", "0"))
		return
	}
	b.line("%s;", own(g.Loop.Type(r.a), r.partial, r.n))
	b.line("%s", all(r.n, r.partial+"%[2]s = "+first+";"))
}

// call prints the call of the kernel for element n, and what follows if it has not failed.
func (g *deviceLoop) call(b *writer, after []string) {
	k := g.Kernel.Entry()
	pass := g.pass
	if g.hasContext() {
		pass = append([]string{"&context"}, pass...)
	}
	if g.program.Faults {
		b.line("context.element = (int)n;")
		b.line("context.failed = false;")
	}
	b.line("%s(%s);", g.p.funcs[k], b.list(pass))
	if g.program.Faults {
		b.open("if (!context.failed) {")
		defer b.close("")
	}
	for _, s := range after {
		b.line("%s", s)
	}
}

// element prints all that is done for element n, whose variables are declared here.
func (g *deviceLoop) element(b *writer, after []string) {
	set := map[string]string{} // declarations of single values by name
	declare, load := g.declare, g.load
	for _, d := range declare {
		if name := strings.TrimSuffix(d[strings.LastIndexAny(d, " *")+1:], ";"); !strings.ContainsAny(d, "[=") {
			set[name] = d
		}
	}
	var lines []string
	merged := map[string]bool{} // declarations that have become one with what sets the value
	for _, l := range load {
		name, _, ok := strings.Cut(l, " = ")
		if d := set[name]; ok && d != "" && !merged[d] {
			merged[d] = true
			l = strings.TrimSuffix(d, name+";") + l
		}
		lines = append(lines, l)
	}
	for _, d := range declare {
		if !merged[d] {
			b.line("%s", d)
		}
	}
	for _, l := range lines {
		b.line("%s", l)
	}
	g.call(b, after)
}

// after is what follows the call where elements may put away all that they leave at once.
func (g *deviceLoop) after() []string {
	return append(g.store[:len(g.store):len(g.store)], g.collide...)
}

// elementsBody runs all elements of a range, or of a list, at once.
func (g *deviceLoop) elementsBody(b *writer) {
	colored := g.Options.Strategy == GlobalColor
	begin, end := SlotFirst, SlotLast
	if colored {
		begin, end = SlotOffset, SlotEnd
	}
	from, last := g.number(begin, 0, "first"), g.number(end, 0, "last")
	g.begin(b)
	name := "n"
	if g.Options.Subset || colored {
		name = "i"
	}
	if len(g.reductions) > 0 {
		per := g.number(SlotPer, 0, "per")
		b.line("const int64_t start = %s + (int64_t)%s * group, end = start + %s < %s ? start + %s : %s;", from, per, per, last, per, last)
		b.open("for (int64_t %[1]s = start + lane; %[1]s < end; %[1]s += %[2]d) {", name, g.Options.GroupSize)
	} else {
		b.line("const int64_t %s = %s + (int64_t)%d * group + lane;", name, from, g.Options.GroupSize)
		b.open("if (%s < %s) {", name, last)
	}
	if name == "i" {
		b.line("const int64_t n = %s[i];", g.ints(SlotList, 0, "listed"))
	}
	g.element(b, g.after())
	b.close("")
	if len(g.reductions) > 0 {
		before := "group"
		if colored {
			before = "(" + g.number(SlotBefore, 0, "before") + " + group)"
		}
		g.reduce(b, before)
	}
}

// blocksBody runs a block of the plan in each work-item, the only one of its group.
func (g *deviceLoop) blocksBody(b *writer) {
	offset := g.number(SlotOffset, 0, "offset")
	list, first := g.ints(SlotBlockList, 0, "order"), g.ints(SlotBlockFirst, 0, "block")
	b.line("const int b = %s[%s + %s];", list, offset, g.group)
	g.beginElements(b)
	name := "n"
	if g.Options.Subset {
		name = "i"
	}
	b.line("const int64_t last = %s[b + 1];", first)
	if g.packs != nil {
		b.line("int64_t n = %s[b];", first)
		g.packs.printLoop(b)
		b.open("for (; n < last; n++) {")
	} else {
		b.open("for (int64_t %[1]s = %[2]s[b]; %[1]s < last; %[1]s++) {", name, first)
	}
	if name == "i" {
		b.line("const int64_t n = %s[i];", g.ints(SlotList, 0, "listed"))
	}
	g.element(b, g.after())
	b.close("")
	for _, r := range g.reductions {
		partials := g.array(SlotPartials, r.arg, r.typ, r.partials)
		b.line("%s", all(r.n, partials+"["+times(r.n, "b", "%[1]s")+"] = "+r.partial+"%[2]s;"))
	}
}

// newPacks are the packs of elements that a block runs at once, or why there are none: those of a
// compiler that knows vectors as C does. Elements that lie one after the other are what
// they are made of, whose values do so, too.
func (g *deviceLoop) newPacks() (*packs, string) {
	if g.Options.Dialect != OpenCLC || g.Options.Strategy != Blocks || g.Options.Subset || g.program.Faults {
		return nil, "not a block of elements"
	}
	for _, d := range g.Loop.Data {
		if d.SoA {
			return nil, "values by component"
		}
	}
	f := frame{
		in:    Input{g.Loop, g.Kernel, Options{SIMD: g.Options.SIMD, Poison: g.Options.Poison}},
		depth: 1, scalar: g.p, elem: "n", data: g.data, maps: g.maps, row: make([]string, len(g.maps)),
		local: g.local, combine: g.combined,
	}
	for m := range f.row {
		if g.Loop.Reads(m) {
			f.row[m] = g.p.scope.fresh(fmt.Sprintf("row%d", m))
		}
	}
	f.partial = func(i int) string {
		for _, r := range g.reductions {
			if r.arg == i && r.n == 1 {
				return "(&" + r.partial + ")"
			}
			if r.arg == i {
				return r.partial
			}
		}
		return ""
	}
	p := newDevicePrinter(g.dialect, g.Kernel)
	p.device.inPlace = g.p.device.inPlace
	return newPacks(f, p)
}

// gatherBody runs all targets at once.
func (g *deviceLoop) gatherBody(b *writer) {
	d := g.gathered()
	data := g.Loop.Data[d]
	count := g.number(SlotTargetCount, 0, "count")
	g.begin(b)
	b.line("const int64_t target = (int64_t)%d * group + lane;", g.Options.GroupSize)
	b.open("if (target < %s) {", count)
	b.line("%s;", own(data.Type, "gathered", data.Dim))
	b.line("%s", all(data.Dim, "gathered%[2]s = 0;"))
	reach, reached := g.ints(SlotReachFirst, d, "reached"), g.ints(SlotReach, d, "reach")
	b.open("for (int64_t i = %[1]s[target]; i < %[1]s[target + 1]; i++) {", reach)
	b.line("const int64_t n = %s[i] / %d;", reached, len(g.collide))
	b.line("const int column = %s[i] %% %d;", reached, len(g.collide))
	var after []string
	for column, s := range g.collide {
		after = append(after, fmt.Sprintf("if (column == %d) %s", column, s))
	}
	g.element(b, after)
	b.close("")
	place := func(v string) string { return times(data.Dim, "target", v) }
	if data.SoA {
		stride := g.number(SlotStride, d, g.data[d]+"_stride")
		place = func(v string) string { return soa("target", v, stride) }
	}
	v := "d"
	if data.Dim == 1 {
		v = "0"
	}
	b.line("%s", all(data.Dim, g.values(d)+"["+place(v)+"] += gathered%[2]s;"))
	b.close("")
}

// gathered is the data that a loop which gathers changes.
func (g *deviceLoop) gathered() int {
	for _, a := range g.Loop.Args {
		if a.Access != loop.Read && a.Kind == loop.Dat {
			return a.Data
		}
	}
	panic("codegen: a loop that changes nothing cannot gather")
}

// Gathers reports whether a loop can run so that each target takes what its elements
// leave for it: it increments one dat, through maps, and changes nothing else.
func Gathers(l *loop.Loop) bool {
	data := -1
	for _, a := range l.Args {
		switch {
		case a.Access == loop.Read || a.Kind == loop.Index:
		case a.Kind != loop.Dat || a.Access != loop.Inc || !a.Indirect() || data >= 0 && data != a.Data:
			return false
		default:
			data = a.Data
		}
	}
	return data >= 0
}

// stagedBody runs a block of the plan in each work-group.
func (g *deviceLoop) stagedBody(b *writer) {
	offset := g.number(SlotOffset, 0, "offset")
	list, blocks := g.ints(SlotBlockList, 0, "order"), g.ints(SlotBlockFirst, 0, "block")
	g.begin(b)
	b.line("const int b = %s[%s + group];", list, offset)
	b.line("const int64_t first = %s[b];", blocks)
	b.line("const int count = %s[b + 1] - (int)first;", blocks)
	var staged []int
	for d := range g.Loop.Data {
		if g.stagedData(d) {
			staged = append(staged, d)
		}
	}
	g.sharedMemory(b, len(staged) > 0)
	for _, d := range staged {
		g.stageIn(b, d)
	}
	if len(staged) > 0 {
		b.line("%s", g.wait())
	}
	b.line("")
	size := g.Options.GroupSize
	colored := len(g.collide) > 0
	if colored {
		b.line("const int colors = %s[b];", g.ints(SlotColorCount, 0, "color_counts"))
		b.open("for (int i = lane; i < (count + %[1]d) / %[2]d * %[2]d; i += %[2]d) { // all the group's, for they wait for each other", size-1, size)
		b.line("int color = -1;")
		if g.numbered() {
			b.line("int64_t n = 0;")
		}
		if g.Options.Subset {
			b.line("int64_t at = 0;")
		}
		for _, d := range g.declare {
			b.line("%s", d)
		}
		b.open("if (i < count) {")
		g.elementNumber(b, "")
		b.line("color = %s[first + i - %s];", g.ints(SlotElementColor, 0, "element_colors"), g.number(SlotFirst, 0, "start"))
		if !g.turn {
			g.loads(b)
			g.call(b, g.store)
			if g.program.Faults {
				b.line("if (context.failed) color = -1;")
			}
		} else {
			for _, l := range g.load {
				if strings.Contains(l, "_local[") || strings.HasPrefix(l, "map") {
					b.line("%s", l)
				}
			}
		}
		b.close("")
		b.open("for (int c = 0; c < colors; c++) {")
		b.open("if (color == c) {")
		if g.turn {
			g.loads(b)
			g.call(b, g.after())
		} else {
			for _, s := range g.collide {
				b.line("%s", s)
			}
		}
		b.close("")
		b.line("%s", g.wait())
		b.close("")
		b.close("")
	} else {
		b.open("for (int i = lane; i < count; i += %d) {", size)
		g.elementNumber(b, "const int64_t ")
		g.element(b, g.store)
		b.close("")
	}
	for _, d := range staged {
		g.stageOut(b, d, colored)
	}
	if len(g.reductions) > 0 {
		g.reduce(b, "b")
	}
}

func (g *deviceLoop) loads(b *writer) {
	for _, l := range g.load {
		b.line("%s", l)
	}
}

// elementNumber sets the number of the element at place i of the block.
func (g *deviceLoop) elementNumber(b *writer, typ string) {
	if g.Options.Subset {
		b.line("%sat = first + i;", typ)
	}
	switch {
	case !g.numbered():
	case g.Options.Subset:
		b.line("%sn = %s[at];", typ, g.ints(SlotList, 0, "listed"))
	default:
		b.line("%sn = first + i;", typ)
	}
}

// numbered reports whether anything asks for the number of the element, rather than for its
// place in the block.
func (g *deviceLoop) numbered() bool {
	return g.program.Faults || slices.ContainsFunc(slices.Concat(g.load, g.store, g.collide), elementWord.MatchString)
}

// elementWord is the name of the element's number.
var elementWord = regexp.MustCompile(`\bn\b`)

// sharedMemory declares the memory of a group.
func (g *deviceLoop) sharedMemory(b *writer, used bool) {
	if !used {
		return
	}
	g.program.Shared = true
	if g.sharedArea != "" {
		b.line("%s", g.sharedArea)
	} else {
		g.parameter(SlotShared, 0, g.shared+"long *", "shared")
	}
}

// stageIn copies what a block reaches of data d, or begins with zero what is only added to.
func (g *deviceLoop) stageIn(b *writer, d int) {
	name, data := g.data[d], g.Loop.Data[d]
	access := g.Loop.DataAccess(d)
	first, targets := g.ints(SlotTargetFirst, d, name+"_first"), g.ints(SlotTargets, d, name+"_targets")
	values := fmt.Sprintf("%s[b + 1] - %s_from", first, name)
	if data.Dim > 1 {
		values = fmt.Sprintf("%d * (%s)", data.Dim, values)
	}
	b.line("const int %[1]s_from = %[2]s[b], %[1]s_values = %[3]s;", name, first, values)
	b.line("%[1]s%[2]s *%[3]s_shared = (%[1]s%[2]s *)((%[1]schar *)shared + %[4]s);", g.shared, data.Type.C(), name, g.number(SlotSharedAt, d, name+"_at"))
	if access == loop.Write {
		return
	}
	value := "0"
	if access != loop.Inc {
		value = g.stagedPlace(d, targets)
	}
	b.line("for (int i = lane; i < %[1]s_values; i += %[2]d) %[1]s_shared[i] = %[3]s;", name, g.Options.GroupSize, value)
}

// stagedPlace is where value i of a block's copy of data d comes from.
func (g *deviceLoop) stagedPlace(d int, targets string) string {
	name, data := g.data[d], g.Loop.Data[d]
	at := fmt.Sprintf("(int64_t)%s[%s_from + i / %d]", targets, name, data.Dim)
	value := fmt.Sprintf("i %% %d", data.Dim)
	switch {
	case data.Dim == 1:
		return fmt.Sprintf("%s[%s[%s_from + i]]", g.values(d), targets, name)
	case data.SoA:
		return fmt.Sprintf("%s[%s]", g.values(d), soa(at, "("+value+")", g.number(SlotStride, d, name+"_stride")))
	}
	return fmt.Sprintf("%s[%s]", g.values(d), times(data.Dim, at, value))
}

// stageOut copies back what the block has changed of data d.
func (g *deviceLoop) stageOut(b *writer, d int, waited bool) {
	access := g.Loop.DataAccess(d)
	if access == loop.Read {
		return
	}
	if !waited {
		b.line("%s", g.wait())
	}
	operation := "="
	if access == loop.Inc {
		operation = "+="
	}
	name := g.data[d]
	b.line("for (int i = lane; i < %[1]s_values; i += %[2]d) %[3]s %[4]s %[1]s_shared[i];", name, g.Options.GroupSize,
		g.stagedPlace(d, name+"_targets"), operation)
}

// reduce combines the partial results of a group, in a tree, and keeps what comes out as
// number at.
func (g *deviceLoop) reduce(b *writer, at string) {
	for _, r := range g.reductions {
		partials := g.array(SlotPartials, r.arg, r.typ, r.partials)
		g.tree(b, r, r.partial+"%[2]s", func(d string) string { return fmt.Sprintf("%s[%s]", partials, times(r.n, at, d)) }, "=")
	}
}

// tree combines a value of each work-item of a group, and puts the result into a place,
// for all the values of a reduction.
func (g *deviceLoop) tree(b *writer, r deviceReduction, value string, place func(d string) string, operation string) {
	put := func(result, d string) string {
		if operation == "=" {
			return place(d) + " = " + result + ";"
		}
		return g.combined(r.a, place(d), result)
	}
	d, subscript := "0", ""
	if r.n > 1 {
		d, subscript = "d", "[d]"
		b.open("for (int d = 0; d < %d; d++) {", r.n)
		defer b.close("")
	}
	value = fmt.Sprintf(value, d, subscript)
	if g.Options.GroupSize == 1 {
		b.line("%s", put(value, d))
		return
	}
	tree := r.partials + "_tree"
	b.line("%s[lane] = %s;", tree, value)
	b.line("%s", g.wait())
	b.open("for (int width = %d; width > 0; width /= 2) {", g.Options.GroupSize/2)
	b.line("if (lane < width) %s", g.combined(r.a, tree+"[lane]", tree+"[lane + width]"))
	b.line("%s", g.wait())
	b.close("")
	b.line("if (lane == 0) %s", put(tree+"[0]", d))
	b.line("%s", g.wait())
}

// trees declares the shared memory of reductions, which OpenCL wants at the beginning of a
// kernel.
func (g *deviceLoop) trees(b *writer) {
	if g.Options.GroupSize == 1 {
		return
	}
	shared := g.shared
	if g.Options.Dialect == CUDA {
		shared = "__shared__ "
	}
	for _, r := range g.reductions {
		b.line("%s%s %s_tree[%d];", shared, r.typ, r.partials, g.Options.GroupSize)
	}
}

// printCombine prints the kernel that combines partial results, in one group.
func (g *deviceLoop) printCombine() {
	if len(g.reductions) == 0 {
		return
	}
	g.params = nil
	b := &writer{depth: 1}
	g.trees(b)
	count := g.number(SlotGroups, 0, "count")
	b.line("const int lane = %s;", g.item)
	for _, r := range g.reductions {
		partials := g.array(SlotPartials, r.arg, "const "+r.typ, r.partials)
		g.beginPartial(b, r)
		b.open("for (int i = lane; i < %s; i += %d) {", count, g.Options.GroupSize)
		d := "d"
		if r.n == 1 {
			d = "0"
		}
		b.line("%s", all(r.n, g.combined(r.a, r.partial+"%[2]s", partials+"["+times(r.n, "i", d)+"]")))
		b.close("")
		values := g.values(r.a.Data)
		g.tree(b, r, r.partial+"%[2]s", func(d string) string { return values + "[" + d + "]" }, "combine")
	}
	g.program.Combine = g.program.Entry + "_combine"
	g.w.line("")
	g.program.CombineParams = g.printKernel(g.program.Combine, b.String())
}

// wait is the barrier for a group: elements of a color leave increments to matrices in
// the device's memory.
func (g *deviceLoop) wait() string {
	if len(g.Loop.Entries) > 0 {
		return g.barrierAll
	}
	return g.barrier
}
