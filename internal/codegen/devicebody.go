package codegen

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/lower"
	"github.com/go-op2/op2/internal/tune"
)

// body prints the body of the kernel, by strategy.
func (g *deviceLoop) body() string {
	b := &writer{depth: 1}
	switch g.Options.Strategy {
	case tune.Staged:
		g.stagedBody(b)
	case tune.Gather:
		g.gatherBody(b)
	case tune.Blocks:
		g.blocksBody(b)
	default:
		g.elementsBody(b)
	}
	return b.String()
}

// begin prints the start of every kernel: the number of the work-item, its context and its partial
// results.
func (g *deviceLoop) begin(b *writer) {
	g.trees(b)
	if g.Options.LastCombines && len(g.reductions) > 0 && g.Options.GroupSize > 1 {
		b.line("%sint is_last;", g.sharedOwn)
	}
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

// beginPartial declares a partial result, which is initialized with zero or with the existing
// value.
func (g *deviceLoop) beginPartial(b *writer, r deviceReduction) {
	begin := func(d string) string {
		switch r.Begin {
		case lower.Load:
			return g.values(r.Data) + "[" + d + "]"
		case lower.Identity:
			return g.p.identity(r.By, g.Loop.Ops[r.By], r.l, d)
		}
		return "0"
	}
	if r.l.Dim == 1 && r.name == r.partial {
		b.line("%s = %s;", ownRows(r.l, r.partial), begin("0"))
		return
	}
	b.line("%s", g.declaration(r.l, r.name))
	b.line("%s", all(r.l.Dim, func(d, subscript string) string { return r.partial + subscript + " = " + begin(d) + ";" }))
}

// call prints the call of the kernel for element n, and what follows unless it has failed.
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

// element prints everything for element n, whose variables are declared here.
func (g *deviceLoop) element(b *writer, after []string) {
	single := map[string]variable{} // those that are declared where they are set
	for _, v := range g.declare {
		if v.rest == "" && slices.ContainsFunc(g.load, func(s setting) bool { return s.name == v.name }) {
			single[v.name] = v
		} else {
			b.line("%s", v)
		}
	}
	for _, s := range g.load {
		if v, ok := single[s.name]; ok {
			b.line("%s %s", v.typ, s)
		} else {
			b.line("%s", s)
		}
	}
	g.call(b, after)
}

// after prints what follows the call if elements may store all their results at once.
func (g *deviceLoop) after() []string {
	return append(g.store[:len(g.store):len(g.store)], g.collide...)
}

// elementsBody runs all elements of a range, or of a list, at once.
func (g *deviceLoop) elementsBody(b *writer) {
	colored := g.Options.Strategy == tune.GlobalColor
	from, last := g.number(SlotOffset, 0, "first"), g.number(SlotEnd, 0, "last")
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
		g.reduce(b, "("+g.number(SlotBefore, 0, "before")+" + group)")
	}
}

// blocksBody runs a block of the plan in each work-item, which is the only one of its group.
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
		partials := g.array(SlotPartials, r.Arg, stored(r.l.Type), r.partials)
		b.line("%s", all(r.l.Dim, func(d, subscript string) string {
			return partials + "[" + times(r.l.Dim, "b", d) + "] = " + r.partial + subscript + ";"
		}))
	}
	g.last(b)
}

// newPacks returns the packs of elements for the runs of a block, or why there are none. They need
// a compiler with C's vectors, and consist of consecutive elements with contiguous values.
func (g *deviceLoop) newPacks() (*packs, string) {
	if !g.vectors || g.Options.Strategy != tune.Blocks || g.Options.Subset || g.program.Faults {
		return nil, "not a block of elements"
	}
	for _, d := range g.Loop.Data {
		if d.SoA {
			return nil, "values by component"
		}
	}
	f := frame{
		in:    Input{Loop: g.Loop, Kernel: g.Kernel, Ops: g.Ops, Options: Options{SIMD: g.Options.SIMD, Poison: g.Options.Poison}},
		depth: 1, scalar: g.p, elem: "n", data: g.data, maps: g.maps, row: make([]string, len(g.maps)),
		local: g.local,
	}
	for _, m := range g.lowered.Maps {
		f.row[m] = g.p.scope.fresh(fmt.Sprintf("row%d", m))
	}
	f.partial = func(arg int) string {
		at := slices.IndexFunc(g.reductions, func(r deviceReduction) bool { return r.Arg == arg })
		if r := g.reductions[at]; r.l.Dim > 1 {
			return r.partial
		}
		return "(&" + g.reductions[at].partial + ")"
	}
	return newPacks(f, newDevicePrinter(g.dialect, g.Kernel))
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
	b.line("%s", all(data.Dim, func(_, subscript string) string { return "gathered" + subscript + " = 0;" }))
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
	b.line("%s", all(data.Dim, func(v, subscript string) string {
		return g.values(d) + "[" + place(v) + "] += gathered" + subscript + ";"
	}))
	b.close("")
}

// gathered returns the data that a gathering loop changes.
func (g *deviceLoop) gathered() int {
	at := slices.IndexFunc(g.lowered.Moves, func(m lower.Move) bool { return m.Place.Kind == lower.Gathered })
	return g.lowered.Moves[at].Place.Data
}

// stagedBody runs a block of the plan in each work-group.
func (g *deviceLoop) stagedBody(b *writer) {
	offset := g.number(SlotOffset, 0, "offset")
	list, blocks := g.ints(SlotBlockList, 0, "order"), g.ints(SlotBlockFirst, 0, "block")
	g.begin(b)
	b.line("const int b = %s[%s + group];", list, offset)
	b.line("const int64_t first = %s[b];", blocks)
	b.line("const int count = %s[b + 1] - (int)first;", blocks)
	staged := g.lowered.Staged
	g.sharedMemory(b, len(staged) > 0)
	for _, s := range staged {
		g.stageIn(b, s)
	}
	if len(staged) > 0 {
		b.line("%s", g.wait())
	}
	b.line("")
	colored := g.lowered.Collides()
	if colored {
		g.elementsByColor(b)
	} else {
		b.open("for (int i = lane; i < count; i += %d) {", g.Options.GroupSize)
		g.elementNumber(b, "const int64_t ")
		g.element(b, g.store)
		b.close("")
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
func (g *deviceLoop) elementsByColor(b *writer) {
	size := g.Options.GroupSize
	b.line("const int colors = %s[b];", g.ints(SlotColorCount, 0, "color_counts"))
	b.open("for (int i = lane; i < (count + %[1]d) / %[2]d * %[2]d; i += %[2]d) { // all work-items of the group, since they wait for each other", size-1, size)
	b.line("int color = -1;")
	if g.numbered() {
		b.line("int64_t n = 0;")
	}
	if g.Options.Subset {
		b.line("int64_t at = 0;")
	}
	for _, v := range g.declare {
		b.line("%s", v)
	}
	b.open("if (i < count) {")
	g.elementNumber(b, "")
	b.line("color = %s[first + i - %s];", g.ints(SlotElementColor, 0, "element_colors"), g.number(SlotFirst, 0, "start"))
	for _, s := range g.load {
		if s.reaches || !g.lowered.Turn {
			b.line("%s", s)
		}
	}
	if !g.lowered.Turn {
		g.call(b, g.store)
		if g.program.Faults {
			b.line("if (context.failed) color = -1;")
		}
	}
	b.close("")
	b.open("for (int c = 0; c < colors; c++) {")
	b.open("if (color == c) {")
	if g.lowered.Turn {
		for _, s := range g.load {
			if !s.reaches {
				b.line("%s", s)
			}
		}
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
}

// elementNumber sets the number of the element at index i of the block.
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

// numbered reports whether anything needs the number of the element. The local numbers of a block
// are indexed by the element's place in the plan, which is its number unless the elements are
// listed.
func (g *deviceLoop) numbered() bool {
	return g.program.Faults || g.lowered.Numbered() || len(g.lowered.Staged) > 0 && !g.Options.Subset
}

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

// stageIn copies a block's part of data d, or zeroes the copy of data that is only added to.
func (g *deviceLoop) stageIn(b *writer, s lower.Staging) {
	d := s.Data
	name, data := g.data[d], g.Loop.Data[d]
	first, targets := g.ints(SlotTargetFirst, d, name+"_first"), g.ints(SlotTargets, d, name+"_targets")
	values := fmt.Sprintf("%s[b + 1] - %s_from", first, name)
	if data.Dim > 1 {
		values = fmt.Sprintf("%d * (%s)", data.Dim, values)
	}
	b.line("const int %[1]s_from = %[2]s[b], %[1]s_values = %[3]s;", name, first, values)
	b.line("%[1]s%[2]s *%[3]s_shared = (%[1]s%[2]s *)((%[1]schar *)shared + %[4]s);", g.shared, stored(data.Type), name, g.number(SlotSharedAt, d, name+"_at"))
	if s.In == lower.Nothing {
		return
	}
	value := "0"
	if s.In == lower.Load {
		value = g.stagedPlace(d, targets)
	}
	b.line("for (int i = lane; i < %[1]s_values; i += %[2]d) %[1]s_shared[i] = %[3]s;", name, g.Options.GroupSize, value)
}

// stagedPlace returns the origin of value i of a block's copy of data d.
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

// stageOut copies back what the block has changed in a dat.
func (g *deviceLoop) stageOut(b *writer, s lower.Staging, waited bool) {
	if s.Out == lower.Nothing {
		return
	}
	if !waited {
		b.line("%s", g.wait())
	}
	name := g.data[s.Data]
	b.line("for (int i = lane; i < %s_values; i += %d) %s", name, g.Options.GroupSize,
		g.p.put(s.Out, g.Loop.Data[s.Data].Type, g.stagedPlace(s.Data, name+"_targets"), name+"_shared[i]"))
}

// reduce combines the partial results of a group, in a tree, and stores the result as number at.
func (g *deviceLoop) reduce(b *writer, at string) {
	for _, r := range g.reductions {
		partials := g.array(SlotPartials, r.Arg, stored(r.l.Type), r.partials)
		g.tree(b, r, lower.Store, func(d string) string { return fmt.Sprintf("%s[%s]", partials, times(r.l.Dim, at, d)) })
	}
	g.last(b)
}

// last lets the last group to finish combine the partial results of all, in a call that says how
// many there are: calls in parts do not.
func (g *deviceLoop) last(b *writer) {
	if !g.Options.LastCombines || len(g.reductions) == 0 {
		return
	}
	g.program.LastCombines = true
	groups, finished := g.number(SlotGroups, 0, "groups"), g.array(SlotFinished, 0, "int", "finished")
	b.line("")
	b.line("// The last group combines the partial results of all.")
	isLast := fmt.Sprintf("%s > 0 && %s == %s - 1", groups, fmt.Sprintf(g.atomicInc, finished), groups)
	if g.Options.GroupSize == 1 {
		b.line("%s", g.fence)
		b.open("if (%s) {", isLast)
	} else {
		b.open("if (lane == 0) {")
		b.line("%s", g.fence)
		b.line("is_last = %s;", isLast)
		b.close("")
		b.line("%s", g.wait())
		b.open("if (is_last) {")
	}
	b.line("%s", g.fence)
	g.combinePartials(b, groups)
	if g.Options.GroupSize == 1 {
		b.line("*%s = 0;", finished)
	} else {
		b.line("if (lane == 0) *%s = 0;", finished)
	}
	b.close("")
}

// tree combines the partial results of the work-items of a group, and stores the result in a place
// with an operation, for all the values of a reduction.
func (g *deviceLoop) tree(b *writer, r deviceReduction, op lower.Op, place func(d string) string) {
	if r.l.Whole(r.Combine) {
		g.wholeTree(b, r, op, place)
		return
	}
	t, d, value := r.l.Type, "0", r.partial
	if r.l.Dim > 1 {
		d, value = "d", r.partial+"[d]"
		b.open("for (int d = 0; d < %d; d++) {", r.l.Dim)
		defer b.close("")
	}
	if g.Options.GroupSize == 1 {
		b.line("%s", g.p.put(op, t, place(d), value))
		return
	}
	tree := r.partials + "_tree"
	b.line("%s[lane] = %s;", tree, value)
	b.line("%s", g.wait())
	b.open("for (int width = %d; width > 0; width /= 2) {", g.Options.GroupSize/2)
	b.line("if (lane < width) %s", g.p.put(r.Combine, t, tree+"[lane]", tree+"[lane + width]"))
	b.line("%s", g.wait())
	b.close("")
	b.line("if (lane == 0) %s", g.p.put(op, t, place(d), tree+"[0]"))
	b.line("%s", g.wait())
}

// trees declares the shared memory of reductions, which OpenCL requires at the start of a kernel.
func (g *deviceLoop) trees(b *writer) {
	if g.Options.GroupSize == 1 {
		return
	}
	for _, r := range g.reductions {
		values := g.Options.GroupSize
		if r.l.Whole(r.Combine) {
			values *= r.l.Words()
		}
		b.line("%s%s %s_tree[%d];", g.sharedOwn, stored(r.l.Type), r.partials, values)
	}
}

// combinePartials prints how a group combines that many partial results with the globals.
func (g *deviceLoop) combinePartials(b *writer, count string) {
	lane := "lane"
	if g.Options.GroupSize == 1 {
		lane = "0"
	}
	for _, r := range g.reductions {
		partials := g.array(SlotPartials, r.Arg, "const "+stored(r.l.Type), r.partials)
		g.beginPartial(b, r)
		b.open("for (int i = %s; i < %s; i += %d) {", lane, count, g.Options.GroupSize)
		if r.l.Whole(r.Combine) {
			b.line("%s", eachWhole(r.l.Dim/r.l.Words(), func(v string) string {
				from := func(d string) string { return partials + "[" + times(r.l.Dim, "i", g.scalarOf(r.l, v, d)) + "]" }
				return g.combine(r.l, r.Combine, r.By, operand{private: g.valueAt(r.l, r.name, 0, v)}, operand{at: from})
			}))
		} else {
			b.line("%s", all(r.l.Dim, func(d, subscript string) string {
				return g.p.put(r.Combine, r.l.Type, r.partial+subscript, partials+"["+times(r.l.Dim, "i", d)+"]")
			}))
		}
		b.close("")
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
	b := &writer{depth: 1}
	g.trees(b)
	count := g.number(SlotGroups, 0, "count")
	if g.Options.GroupSize > 1 {
		b.line("const int lane = %s;", g.item)
	}
	g.combinePartials(b, count)
	g.program.Combine = g.program.Entry + "_combine"
	g.w.line("")
	g.program.CombineParams = g.printKernel(g.program.Combine, b.String())
}

// wait returns the barrier for a group: elements of a color leave increments to matrices in global
// memory.
func (g *deviceLoop) wait() string {
	if len(g.Loop.Nonzeros) > 0 {
		return g.barrierAll
	}
	return g.barrier
}
