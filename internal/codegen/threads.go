package codegen

import (
	"fmt"

	"github.com/go-op2/op2/internal/loop"
)

// OpenMP prints a loop for the threads of the host: the kernel and the function over
// runs of elements as for one core, and a wrapper that calls it for the blocks of a
// plan, colour by colour, in one parallel region. A reduction has a partial result for
// each block; they are combined in the order of the blocks, so that the result does
// not depend on the number of threads.
func OpenMP(in Input) *Program { return newHost(in, true).print() }

// threadsWrapper prints void wrap(void **args).
func (h *host) threadsWrapper() {
	h.openWrapper()
	w := &h.w
	w.line("const int32_t (*run)[2] = %s;", h.slot(SlotRuns, 0))
	w.line("const int64_t *team = %s; // threads, colours, blocks", h.slot(SlotTeam, 0))
	w.line("const int32_t *block = %s, *order = %s, *color = %s;", h.slot(SlotBlocks, 0), h.slot(SlotOrder, 0), h.slot(SlotColors, 0))
	arrays := h.addresses()
	reductions := h.reductions(arrays)
	for _, r := range reductions {
		w.line("char *%s = %s;", r.name, h.slot(SlotPartial, r.arg))
	}
	h.setConsts()
	faults := h.p.helpers.fault()
	if faults {
		w.line("op2_first = INT32_MAX;")
	}
	w.line("#pragma omp parallel num_threads(team[0])")
	w.open("for (int64_t c = 0; c < team[1]; c++) {")
	schedule := "static"
	if h.Options.Dynamic {
		schedule = "dynamic"
	}
	w.line("#pragma omp for schedule(%s)", schedule)
	w.open("for (int32_t i = color[c]; i < color[c + 1]; i++) {")
	w.line("const int32_t b = order[i];")
	for _, r := range reductions {
		h.beginPartial(r)
		arrays[len(h.reads)+r.data] = r.local
	}
	if faults {
		w.line("op2_block = i;")
		w.line("if (__atomic_load_n(&op2_first, __ATOMIC_RELAXED) < i || setjmp(op2_exit))")
		w.depth++
		w.line("continue;")
		w.depth--
	}
	w.line("%s(%s);", h.run, w.list(append([]string{"run + block[b]", "run + block[b + 1]"}, arrays...)))
	w.close("")
	w.close("")
	if faults {
		w.open("if (op2_first < INT32_MAX) {")
		w.line("memcpy(%s, op2_record, sizeof op2_record);", h.slot(SlotFault, 0))
		w.line("return;")
		w.close("")
	}
	for _, r := range reductions {
		w.open("for (int64_t b = 0; b < team[2]; b++) {")
		w.line("const %s *%s = (const void *)(%s + b * %d);", r.typ, r.local, r.name, r.stride)
		w.line("%s *total = %s;", r.typ, r.entry)
		w.line("%s", each(r.n, h.combine(r.access, "total%[1]s", r.local+"%[1]s")))
		w.close("")
	}
	w.close("")
}

// blockReduction is a global that the loop changes.
type blockReduction struct {
	arg    int // of the loop
	access loop.Arg
	data   int
	n      int
	typ    string
	name   string // of all the blocks' partial results
	local  string // of one block's
	entry  string // of args, for the global itself
	stride int
}

func (h *host) reductions(arrays []string) []blockReduction {
	var list []blockReduction
	for i, a := range h.Loop.Args {
		if !a.Reduces() {
			continue
		}
		name := h.data[a.Data]
		list = append(list, blockReduction{
			arg: i, access: a, data: a.Data, n: h.Loop.Dim(a), typ: h.Loop.Type(a).C(),
			name: h.p.scope.fresh(name + "_partials"), local: h.p.scope.fresh(name + "_block"),
			entry: arrays[len(h.reads)+a.Data], stride: PartialStride(h.Loop, a),
		})
	}
	return list
}

// beginPartial sets a block's partial result to zero (inc), or to the global's value.
func (h *host) beginPartial(r blockReduction) {
	h.w.line("%s *%s = (void *)(%s + b * %d);", r.typ, r.local, r.name, r.stride)
	value := "0"
	if r.access.Access != loop.Inc {
		value = fmt.Sprintf("((const %s *)%s)%%[1]s", r.typ, r.entry)
	}
	h.w.line("%s", each(r.n, r.local+"%[1]s = "+value+";"))
}
