package host

import (
	"fmt"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/lower"
)

// threadsWrapper prints the function for one block, the i-th in order of execution, and
// void wrap(void **args).
func (h *host) threadsWrapper() {
	w := &h.w
	arrays := h.addresses()
	reductions := h.reductions(arrays)
	run, blocks, order, job := h.slot(codegen.SlotRuns, 0), h.slot(codegen.SlotBlocks, 0), h.slot(codegen.SlotOrder, 0), h.slot(codegen.SlotJob, 0)
	faults := h.p.Faults()

	w.Line(`__attribute__((visibility("default")))`)
	w.Line("void %s(void *op2_shared, int32_t op2_i)", h.block())
	w.Open("{")
	w.Line("void **args = op2_shared;")
	w.Line("const int32_t (*op2_run)[2] = %s, *op2_first_run = %s, op2_b = ((const int32_t *)%s)[op2_i];", run, blocks, order)
	call := append([]string{"op2_run + op2_first_run[op2_b]", "op2_run + op2_first_run[op2_b + 1]"}, arrays...)
	for _, r := range reductions {
		w.Line("%s *%s = %s;", r.l.Type.C(), r.local, r.partial)
		w.Line("%s", h.begin(&r.Reduction, r.l, r.local+"%[1]s", r.global()))
		call[2+len(h.lowered.Maps)+r.Data] = r.local
	}
	call = append(call, h.consts()...)
	record := ""
	if faults {
		record = h.slot(codegen.SlotFault, 0)
		w.Line("struct op2_exit exit = {.record = %s, .block = op2_i};", record)
		// The record has INT32_MAX less the first block with a fault: blocks behind it need not run.
		w.Line("if (INT32_MAX - __atomic_load_n(&exit.record[6], __ATOMIC_RELAXED) < op2_i || op2_mark(exit.place))")
		w.Under("return;")
		call = append(call, "&exit")
	}
	w.Line("%s(%s);", h.run, w.List(call))
	w.Close("")

	w.Line("")
	h.openWrapper()
	w.Line("struct op2_job *op2_job = %s;", job)
	w.Line("if (op2_job->op2_run) // otherwise the caller has run all blocks")
	w.Under("op2_job->op2_run(op2_job, %s, args);", h.block())
	if faults {
		w.Line("if (*(const int64_t *)%s)", record)
		w.Under("return;")
	}
	if len(reductions) > 0 {
		h.combine(reductions)
	}
	w.Close("")
}

// combine combines the blocks' partial results to totals, and these with the globals. It goes through the
// blocks in order, so that results do not depend on which thread ran which.
func (h *host) combine(reductions []blockReduction) {
	w := &h.w
	w.Line("const int32_t op2_blocks = *(const int32_t *)%s; // whose partial results are combined now", h.slot(codegen.SlotCombined, 0))
	w.Line("if (op2_blocks == 0)")
	w.Under("return;")
	for _, r := range reductions {
		if r.Begin == lower.Zero {
			w.Line("%s = %s;", text.Own(r.l.Type, r.total, r.l.Dim), text.Zeros(r.l.Dim))
		} else {
			w.Line("%s;", text.Own(r.l.Type, r.total, r.l.Dim))
			w.Line("%s", h.begin(&r.Reduction, r.l, r.total+"%[2]s", r.global()))
		}
	}
	w.Open("for (int32_t op2_b = 0; op2_b < op2_blocks; op2_b++) {")
	for _, r := range reductions {
		w.Line("const %s *%s = %s;", r.l.Type.C(), r.local, r.partial)
		w.Line("%s", h.leave(r.l, r.l.Dim, r.Combine, r.By, text.Address(r.total, r.l.Dim), r.total+"%[2]s", r.local, r.local+"%[1]s"))
	}
	w.Close("")
	for _, r := range reductions {
		global := "((" + r.l.Type.C() + " *)" + r.entry + ")"
		w.Line("%s", h.leave(r.l, r.l.Dim, r.Finish, r.By, global, global+"%[1]s", text.Address(r.total, r.l.Dim), r.total+"%[2]s"))
	}
}

// blockReduction is a global that the loop changes.
type blockReduction struct {
	lower.Reduction
	l       lower.Local
	local   string // name of one block's partial result
	partial string // its location
	total   string // name of the combined result
	entry   string // of args, for the global itself
}

func (h *host) reductions(arrays []string) []blockReduction {
	var list []blockReduction
	for _, r := range h.lowered.Reductions {
		l := h.lowered.Locals[r.Local]
		list = append(list, blockReduction{
			Reduction: r, l: l,
			local:   h.p.Fresh(h.data[r.Data] + "_block"),
			total:   h.p.Fresh(h.data[r.Data] + "_total"),
			partial: fmt.Sprintf("(void *)((char *)%s + (int64_t)op2_b * %d)", h.slot(codegen.SlotPartial, l.Stride()), l.Stride()),
			entry:   arrays[len(h.lowered.Maps)+r.Data],
		})
	}
	return list
}

// global returns the format of the global's values.
func (r *blockReduction) global() string {
	return fmt.Sprintf("((const %s *)%s)%%[1]s", r.l.Type.C(), r.entry)
}
