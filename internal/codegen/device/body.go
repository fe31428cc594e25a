package device

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/packs"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

// begin prints the start of every kernel: the number of the work-item, its context and its partial
// results.
func (g *deviceLoop) begin(b *text.Writer) {
	g.trees(b)
	if g.Options.LastCombines && len(g.reductions) > 0 && g.Options.GroupSize > 1 {
		b.Line("%sint is_last;", g.sharedOwn)
	}
	b.Line("const int group = %s, lane = %s;", g.group, g.item)
	g.beginElements(b)
}

// beginElements declares the context and the partial results of a work-item.
func (g *deviceLoop) beginElements(b *text.Writer) {
	if g.hasContext() {
		b.Line("%s context;", contextType)
		if g.hasConsts() {
			if g.program.ConstsByValue {
				g.parameter(codegen.SlotConsts, 0, "const __grid_constant__ op2_consts", "consts")
				b.Line("context.consts = &consts;")
			} else {
				g.parameter(codegen.SlotConsts, 0, g.constant+"op2_consts *", "consts")
				b.Line("context.consts = consts;")
			}
		}
		if g.program.Faults {
			b.Line("context.faults = %s;", g.array(codegen.SlotFaults, 0, "int", "faults"))
		}
	}
	for _, r := range g.reductions {
		g.beginPartial(b, r)
	}
}

// beginPartial declares a partial result, which is initialized with zero or with the existing
// value.
func (g *deviceLoop) beginPartial(b *text.Writer, r deviceReduction) {
	begin := func(d string) string {
		switch r.Begin {
		case lower.Load:
			return g.values(r.Data) + "[" + d + "]"
		case lower.Identity:
			return g.p.Identity(r.By, g.Loop.Ops[r.By], r.l, d)
		}
		return "0"
	}
	if r.l.Dim == 1 && r.name == r.partial {
		b.Line("%s = %s;", text.OwnRows(r.l, r.partial), begin("0"))
		return
	}
	b.Line("%s", g.declaration(r.l, r.name))
	b.Line("%s", text.All(r.l.Dim, func(d, subscript string) string { return r.partial + subscript + " = " + begin(d) + ";" }))
}

// call prints the call of the kernel for element n, and what follows unless it has failed.
func (g *deviceLoop) call(b *text.Writer, after []string) {
	k := g.Kernel.Entry()
	pass := g.pass
	if !g.Kernel.Captured() {
		pass = ckernel.WithMissing(g.Kernel, pass)
	}
	if g.hasContext() {
		pass = append([]string{"&context"}, pass...)
	}
	if g.program.Faults {
		b.Line("context.element = (int)n;")
		b.Line("context.failed = false;")
	}
	b.Line("%s(%s);", g.p.NameOf(k), b.List(pass))
	if g.program.Faults {
		b.Open("if (!context.failed) {")
		defer b.Close("")
	}
	for _, s := range after {
		b.Line("%s", s)
	}
}

// element prints everything for element n, whose variables are declared here.
func (g *deviceLoop) element(b *text.Writer, after []string) {
	single := map[string]variable{} // those that are declared where they are set
	for _, v := range g.declare {
		if v.rest == "" && slices.ContainsFunc(g.load, func(s setting) bool { return s.name == v.name }) {
			single[v.name] = v
		} else {
			b.Line("%s", v)
		}
	}
	load := func(s setting) {
		if v, ok := single[s.name]; ok {
			b.Line("%s %s", v.typ, s)
		} else {
			b.Line("%s", s)
		}
	}
	bounds := ""
	if g.Loop.Layers.Bounds > 0 {
		bounds = g.values(g.Loop.Layers.Bounds - 1)
	}
	layers := text.OverLayers(g.Loop.Layers, bounds, "n")
	if layers != "" {
		for _, s := range g.load {
			if s.reaches {
				load(s)
			}
		}
		b.Open("%s", layers)
		defer b.Close("")
	}
	for _, s := range g.load {
		if layers == "" || !s.reaches {
			load(s)
		}
	}
	g.call(b, after)
}

// after prints what follows the call if elements may store all their results at once.
func (g *deviceLoop) after() []string {
	return append(g.store[:len(g.store):len(g.store)], g.collide...)
}

// elementsBody runs all elements of a range, or of a list, at once: one in each work-item, or several, in rounds. With
// reductions there are always rounds, so that there are few partial results.
func (g *deviceLoop) elementsBody(b *text.Writer) {
	colored := g.Options.Strategy == tune.GlobalColor
	from, last := g.number(codegen.SlotOffset, 0, "first"), g.number(codegen.SlotEnd, 0, "last")
	g.begin(b)
	name := "n"
	if g.Options.Subset || colored {
		name = "i"
	}
	if len(g.reductions) > 0 || g.Options.Rounds {
		per := g.number(codegen.SlotPer, 0, "per")
		b.Line("const int64_t start = %s + (int64_t)%s * group, end = start + %s < %s ? start + %s : %s;", from, per, per, last, per, last)
		b.Open("for (int64_t %[1]s = start + lane; %[1]s < end; %[1]s += %[2]d) {", name, g.Options.GroupSize)
	} else {
		b.Line("const int64_t %s = %s + (int64_t)%d * group + lane;", name, from, g.Options.GroupSize)
		b.Open("if (%s < %s) {", name, last)
	}
	if name == "i" {
		b.Line("const int64_t n = %s[i];", g.ints(codegen.SlotList, 0, "listed"))
	}
	g.element(b, g.after())
	b.Close("")
	if len(g.reductions) > 0 {
		g.reduce(b, "("+g.number(codegen.SlotBefore, 0, "before")+" + group)")
	}
}

// blocksBody runs a block of the plan in each work-item, which is the only one of its group.
func (g *deviceLoop) blocksBody(b *text.Writer) {
	offset := g.number(codegen.SlotOffset, 0, "offset")
	list, first := g.ints(codegen.SlotBlockList, 0, "order"), g.ints(codegen.SlotBlockFirst, 0, "block")
	b.Line("const int b = %s[%s + %s];", list, offset, g.group)
	g.beginElements(b)
	name := "n"
	if g.Options.Subset {
		name = "i"
	}
	b.Line("const int64_t last = %s[b + 1];", first)
	if g.packs != nil {
		b.Line("int64_t n = %s[b];", first)
		g.packs.PrintLoop(b)
		b.Open("for (; n < last; n++) {")
	} else {
		b.Open("for (int64_t %[1]s = %[2]s[b]; %[1]s < last; %[1]s++) {", name, first)
	}
	if name == "i" {
		b.Line("const int64_t n = %s[i];", g.ints(codegen.SlotList, 0, "listed"))
	}
	g.element(b, g.after())
	b.Close("")
	for _, r := range g.reductions {
		partials := g.array(codegen.SlotPartials, r.Arg, stored(r.l.Type), r.partials)
		b.Line("%s", text.All(r.l.Dim, func(d, subscript string) string {
			return partials + "[" + text.Times(r.l.Dim, "b", d) + "] = " + r.partial + subscript + ";"
		}))
	}
	g.last(b)
}

// newPacks returns the packs of elements for the runs of a block, or why there are none. They need
// a compiler with C's vectors, and consist of consecutive elements with contiguous values.
func (g *deviceLoop) newPacks() (*packs.Packs, string) {
	if !g.vectors || g.Options.Strategy != tune.Blocks || g.Options.Subset || g.program.Faults {
		return nil, "not a block of elements"
	}
	for _, d := range g.Loop.Data {
		if d.SoA {
			return nil, "values by component"
		}
	}
	f := packs.Frame{
		In:    g.Host(),
		Depth: 1, Scalar: g.p, Elem: "n", Context: "&context", Data: g.data, Maps: g.maps, Row: make([]string, len(g.maps)),
		Local: g.local, Target: &g.Target,
	}
	for _, m := range g.lowered.Maps {
		f.Row[m] = g.p.Fresh(fmt.Sprintf("row%d", m))
	}
	f.Partial = func(arg int) string {
		at := slices.IndexFunc(g.reductions, func(r deviceReduction) bool { return r.Arg == arg })
		if r := g.reductions[at]; r.l.Dim > 1 {
			return r.partial
		}
		return "(&" + g.reductions[at].partial + ")"
	}
	return packs.New(f)
}

// gatherBody runs all targets at once. Each runs the elements that reach it, and keeps its own share: work is
// repeated, and nothing collides.
func (g *deviceLoop) gatherBody(b *text.Writer) {
	d := g.gathered()
	data := g.Loop.Data[d]
	count := g.number(codegen.SlotTargetCount, 0, "count")
	g.begin(b)
	b.Line("const int64_t target = (int64_t)%d * group + lane;", g.Options.GroupSize)
	b.Open("if (target < %s) {", count)
	b.Line("%s;", text.Own(data.Type, "gathered", data.Dim))
	b.Line("%s", text.All(data.Dim, func(_, subscript string) string { return "gathered" + subscript + " = 0;" }))
	reach, reached := g.ints(codegen.SlotReachFirst, d, "reached"), g.ints(codegen.SlotReach, d, "reach")
	b.Open("for (int64_t i = %[1]s[target]; i < %[1]s[target + 1]; i++) {", reach)
	// An entry is the element times the number of increments, plus that of the increment that gets here.
	if g.numbered() {
		b.Line("const int64_t n = %s[i] / %d;", reached, len(g.collide))
	}
	b.Line("const int column = %s[i] %% %d;", reached, len(g.collide))
	var after []string
	for column, s := range g.collide {
		after = append(after, fmt.Sprintf("if (column == %d) %s", column, s))
	}
	g.element(b, after)
	b.Close("")
	place := func(v string) string { return text.Times(data.Dim, "target", v) }
	if data.SoA {
		stride := g.number(codegen.SlotStride, d, g.data[d]+"_stride")
		place = func(v string) string { return soa("target", v, stride) }
	}
	b.Line("%s", text.All(data.Dim, func(v, subscript string) string {
		return g.values(d) + "[" + place(v) + "] += gathered" + subscript + ";"
	}))
	b.Close("")
}

// gathered returns the data that a gathering loop changes.
func (g *deviceLoop) gathered() int {
	at := slices.IndexFunc(g.lowered.Moves, func(m lower.Move) bool { return m.Place.Kind == lower.Gathered })
	return g.lowered.Moves[at].Place.Data
}

// stagedBody runs a block of the plan in each work-group, on a copy of its data in shared memory: OP2's
// two levels of coloring, of blocks and of the elements within each (Mudalige, Giles, Reguly, Bertolli and
// Kelly, "OP2: an active library framework", InPar 2012).
func (g *deviceLoop) stagedBody(b *text.Writer) {
	offset := g.number(codegen.SlotOffset, 0, "offset")
	list, blocks := g.ints(codegen.SlotBlockList, 0, "order"), g.ints(codegen.SlotBlockFirst, 0, "block")
	g.begin(b)
	b.Line("const int b = %s[%s + group];", list, offset)
	b.Line("const int64_t first = %s[b];", blocks)
	b.Line("const int count = %s[b + 1] - (int)first;", blocks)
	staged := g.lowered.Staged
	g.sharedMemory(b, len(staged) > 0)
	for i := range staged {
		g.stageIn(b, i)
	}
	if len(staged) > 0 {
		b.Line("%s", g.wait())
	}
	b.Line("")
	colored := g.lowered.Collides() || g.lowered.Turn
	if colored {
		g.elementsByColor(b)
	} else {
		b.Open("for (int i = lane; i < count; i += %d) {", g.Options.GroupSize)
		g.elementNumber(b, "const int64_t ", "first + i")
		g.element(b, g.store)
		b.Close("")
	}
	for _, s := range staged {
		g.stageOut(b, s, colored)
	}
	if len(g.reductions) > 0 {
		g.reduce(b, "b")
	}
}

// elementsByColor runs the elements of a block such that those of one color store colliding results
// at once. With Turn, everything about an element except its locations waits for its color.
func (g *deviceLoop) elementsByColor(b *text.Writer) {
	size := g.Options.GroupSize
	b.Line("const int colors = %s[b];", g.ints(codegen.SlotColorCount, 0, "color_counts"))
	b.Open("for (int i = lane; i < (count + %[1]d) / %[2]d * %[2]d; i += %[2]d) { // all work-items of the group, since they wait for each other", size-1, size)
	b.Line("int color = -1;")
	if g.numbered() {
		b.Line("int64_t n = 0;")
	}
	if g.Options.Subset {
		b.Line("int64_t at = 0;")
	}
	for _, v := range g.declare {
		b.Line("%s", v)
	}
	b.Open("if (i < count) {")
	start, place := g.number(codegen.SlotFirst, 0, "start"), "first + i"
	if g.Options.Strategy == tune.InPlace {
		place = fmt.Sprintf("%s[first + i - %s]", g.ints(codegen.SlotByColor, 0, "by_color"), start)
		b.Line("const int64_t place = %s;", place)
		place = "place"
	}
	g.elementNumber(b, "", place)
	b.Line("color = %s[%s - %s];", g.array(codegen.SlotElementColor, 0, "const uint8_t", "element_colors"), place, start)
	for _, s := range g.load {
		if s.reaches || !g.lowered.Turn {
			b.Line("%s", s)
		}
	}
	if !g.lowered.Turn {
		g.call(b, g.store)
		if g.program.Faults {
			b.Line("if (context.failed) color = -1;")
		}
	}
	b.Close("")
	b.Open("for (int c = 0; c < colors; c++) {")
	b.Open("if (color == c) {")
	if g.lowered.Turn {
		for _, s := range g.load {
			if !s.reaches {
				b.Line("%s", s)
			}
		}
		g.call(b, g.after())
	} else {
		for _, s := range g.collide {
			b.Line("%s", s)
		}
	}
	b.Close("")
	b.Line("%s", g.wait())
	b.Close("")
	b.Close("")
}

// elementNumber sets the number of the element at that place of the plan.
func (g *deviceLoop) elementNumber(b *text.Writer, typ, place string) {
	if g.Options.Subset {
		b.Line("%sat = %s;", typ, place)
	}
	switch {
	case !g.numbered():
	case g.Options.Subset:
		b.Line("%sn = %s[at];", typ, g.ints(codegen.SlotList, 0, "listed"))
	default:
		b.Line("%sn = %s;", typ, place)
	}
}

// numbered reports whether anything needs the number of the element. The local numbers of a block
// are indexed by the element's place in the plan, which is its number unless the elements are
// listed.
func (g *deviceLoop) numbered() bool {
	return g.program.Faults || g.lowered.Numbered() || len(g.lowered.Staged) > 0 && !g.Options.Subset
}

// sharedMemory declares the memory of a group.
func (g *deviceLoop) sharedMemory(b *text.Writer, used bool) {
	if !used {
		return
	}
	if g.sharedArea != "" {
		b.Line("%s", g.sharedArea)
	} else {
		g.parameter(codegen.SlotShared, 0, g.shared+"long *", "shared")
	}
}

// stageIn copies a block's part of staged data i, or zeroes the copy of data that is only added to. The copy follows that of
// the data staged before it, so that blocks need no more than they use.
func (g *deviceLoop) stageIn(b *text.Writer, i int) {
	s := g.lowered.Staged[i]
	d := s.Data
	name, data := g.data[d], g.Loop.Data[d]
	if list := g.Loop.Alike(d); list == d {
		b.Line("const int %[1]s_from = %[2]s[b], %[1]s_count = %[2]s[b + 1] - %[1]s_from;", name, g.ints(codegen.SlotTargetFirst, d, name+"_first"))
	}
	at := "shared"
	if i > 0 {
		at = g.behind(g.lowered.Staged[i-1].Data)
	}
	b.Line("%[1]s%[2]s *%[3]s_shared = (%[1]s%[2]s *)%[4]s;", g.shared, stored(data.Type), name, at)
	if s.In == lower.Nothing {
		return
	}
	value := "0"
	if s.In == lower.Load {
		value = g.stagedPlace(d)
	}
	b.Line("%s %s_shared[i] = %s;", g.stagedValues(d), name, value)
}

// behind returns the address behind a block's copy of data d.
func (g *deviceLoop) behind(d int) string {
	data := g.Loop.Data[d]
	size := fmt.Sprintf("%d * %s_count", data.Dim*data.Type.Size(), g.data[g.Loop.Alike(d)])
	if data.Dim*data.Type.Size()%plan.SharedAlign != 0 {
		size = fmt.Sprintf("(%s + %d) / %d * %d", size, plan.SharedAlign-1, plan.SharedAlign, plan.SharedAlign)
	}
	return fmt.Sprintf("((%schar *)%s_shared + %s)", g.shared, g.data[d], size)
}

// stagedValues returns the head of a loop over the values of a block's copy of data d.
func (g *deviceLoop) stagedValues(d int) string {
	return fmt.Sprintf("for (int i = lane; i < %s; i += %d)", g.stagedCount(d), g.Options.GroupSize)
}

// stagedCount returns the number of values of a block's copy of data d.
func (g *deviceLoop) stagedCount(d int) string {
	count := g.data[g.Loop.Alike(d)] + "_count"
	if dim := g.Loop.Data[d].Dim; dim > 1 {
		return fmt.Sprintf("%d * %s", dim, count)
	}
	return count
}

// stagedPlace returns the origin of value i of a block's copy of data d.
func (g *deviceLoop) stagedPlace(d int) string {
	list, name, data := g.Loop.Alike(d), g.data[d], g.Loop.Data[d]
	targets := g.ints(codegen.SlotTargets, list, g.data[list]+"_targets")
	at := fmt.Sprintf("(int64_t)%s[%s_from + i / %d]", targets, g.data[list], data.Dim)
	value := fmt.Sprintf("i %% %d", data.Dim)
	switch {
	case data.Dim == 1:
		return fmt.Sprintf("%s[%s[%s_from + i]]", g.values(d), targets, g.data[list])
	case data.SoA:
		return fmt.Sprintf("%s[%s]", g.values(d), soa(at, "("+value+")", g.number(codegen.SlotStride, d, name+"_stride")))
	}
	return fmt.Sprintf("%s[%s]", g.values(d), text.Times(data.Dim, at, value))
}

// stageOut copies the block's changes of a dat back.
func (g *deviceLoop) stageOut(b *text.Writer, s lower.Staging, waited bool) {
	if s.Out == lower.Nothing {
		return
	}
	if !waited {
		b.Line("%s", g.wait())
	}
	b.Line("%s %s", g.stagedValues(s.Data), g.p.Put(s.Out, g.Loop.Data[s.Data].Type, g.stagedPlace(s.Data), g.data[s.Data]+"_shared[i]"))
}

// reduce combines the partial results of a group, in a tree, and stores the result as number at.
func (g *deviceLoop) reduce(b *text.Writer, at string) {
	for _, r := range g.reductions {
		partials := g.array(codegen.SlotPartials, r.Arg, stored(r.l.Type), r.partials)
		g.tree(b, r, lower.Store, func(d string) string { return fmt.Sprintf("%s[%s]", partials, text.Times(r.l.Dim, at, d)) })
	}
	g.last(b)
}

// last lets the last group to finish combine the partial results of all: each group takes a ticket
// after a fence, and the holder of the last one combines (threadFenceReduction of the CUDA samples).
// Calls in parts pass 0 groups, and combine later.
func (g *deviceLoop) last(b *text.Writer) {
	if !g.Options.LastCombines || len(g.reductions) == 0 {
		return
	}
	g.program.LastCombines = true
	groups, finished := g.number(codegen.SlotGroups, 0, "groups"), g.array(codegen.SlotFinished, 0, "int", "finished")
	b.Line("")
	b.Line("// The last group combines the partial results of all.")
	isLast := fmt.Sprintf("%s > 0 && %s == %s - 1", groups, fmt.Sprintf(g.atomicInc, finished), groups)
	if g.Options.GroupSize == 1 {
		b.Line("%s", g.fence)
		b.Open("if (%s) {", isLast)
	} else {
		b.Open("if (lane == 0) {")
		b.Line("%s", g.fence)
		b.Line("is_last = %s;", isLast)
		b.Close("")
		b.Line("%s", g.wait())
		b.Open("if (is_last) {")
	}
	b.Line("%s", g.fence)
	g.combinePartials(b, groups)
	if g.Options.GroupSize == 1 {
		b.Line("*%s = 0;", finished)
	} else {
		b.Line("if (lane == 0) *%s = 0;", finished)
	}
	b.Close("")
}

// tree combines the partial results of the work-items of a group in a binary tree in shared memory
// (M. Harris, "Optimizing parallel reduction in CUDA"), and stores the result in a place with an
// operation, for all the values of a reduction.
func (g *deviceLoop) tree(b *text.Writer, r deviceReduction, op lower.Op, place func(d string) string) {
	if r.l.Whole(r.Combine) {
		g.wholeTree(b, r, op, place)
		return
	}
	t, d, value := r.l.Type, "0", r.partial
	if r.l.Dim > 1 {
		d, value = "d", r.partial+"[d]"
		b.Open("for (int d = 0; d < %d; d++) {", r.l.Dim)
		defer b.Close("")
	}
	if g.Options.GroupSize == 1 {
		b.Line("%s", g.p.Put(op, t, place(d), value))
		return
	}
	tree := r.partials + "_tree"
	b.Line("%s[lane] = %s;", tree, value)
	b.Line("%s", g.wait())
	b.Open("for (int width = %d; width > 0; width /= 2) {", g.Options.GroupSize/2)
	b.Line("if (lane < width) %s", g.p.Put(r.Combine, t, tree+"[lane]", tree+"[lane + width]"))
	b.Line("%s", g.wait())
	b.Close("")
	b.Line("if (lane == 0) %s", g.p.Put(op, t, place(d), tree+"[0]"))
	b.Line("%s", g.wait())
}

// trees declares the shared memory of reductions, which OpenCL requires at the start of a kernel.
func (g *deviceLoop) trees(b *text.Writer) {
	if g.Options.GroupSize == 1 {
		return
	}
	for _, r := range g.reductions {
		values := g.Options.GroupSize
		if r.l.Whole(r.Combine) {
			values *= r.l.Words()
		}
		b.Line("%s%s %s_tree[%d];", g.sharedOwn, stored(r.l.Type), r.partials, values)
	}
}

// combinePartials prints how a group combines that many partial results with the globals.
func (g *deviceLoop) combinePartials(b *text.Writer, count string) {
	lane := "lane"
	if g.Options.GroupSize == 1 {
		lane = "0"
	}
	for _, r := range g.reductions {
		partials := g.array(codegen.SlotPartials, r.Arg, "const "+stored(r.l.Type), r.partials)
		g.beginPartial(b, r)
		b.Open("for (int i = %s; i < %s; i += %d) {", lane, count, g.Options.GroupSize)
		if r.l.Whole(r.Combine) {
			b.Line("%s", text.EachWhole(r.l.Dim/r.l.Words(), func(v string) string {
				from := func(d string) string { return partials + "[" + text.Times(r.l.Dim, "i", g.scalarOf(r.l, v, d)) + "]" }
				return g.combine(r.l, r.Combine, r.By, operand{private: g.valueAt(r.l, r.name, 0, v)}, operand{at: from})
			}))
		} else {
			b.Line("%s", text.All(r.l.Dim, func(d, subscript string) string {
				return g.p.Put(r.Combine, r.l.Type, r.partial+subscript, partials+"["+text.Times(r.l.Dim, "i", d)+"]")
			}))
		}
		b.Close("")
		values := g.values(r.Data)
		g.tree(b, r, r.Finish, func(d string) string { return values + "[" + d + "]" })
	}
}

// printCombine prints the kernel that combines partial results, in a single group.
func (g *deviceLoop) printCombine() {
	if len(g.reductions) == 0 {
		return
	}
	g.params = nil
	b := text.NewWriter(1)
	g.trees(b)
	count := g.number(codegen.SlotGroups, 0, "count")
	if g.Options.GroupSize > 1 {
		b.Line("const int lane = %s;", g.item)
	}
	g.combinePartials(b, count)
	g.program.Combine = g.program.Entry + "_combine"
	g.w.Line("")
	g.program.CombineParams = g.printKernel(g.program.Combine, b.String())
}
