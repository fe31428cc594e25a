package host

import (
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/facts"
)

// wrapper prints void wrap(void **args), which sets the consts and runs the elements. For tiles it is first
// called for the consts alone, as if there were -1 runs.
func (h *host) wrapper() {
	h.openWrapper()
	w := &h.w
	w.Line("const int32_t (*run)[2] = %s;", h.slot(codegen.SlotRuns, 0))
	w.Line("const int64_t *runs = %s;", h.slot(codegen.SlotCount, 0))
	call := append([]string{"run", "run + *runs"}, h.addresses()...)
	if h.form == alone {
		h.setConsts()
	} else if len(h.Kernel.Consts) > 0 {
		w.Open("if (*runs < 0) { // before the tiles of a call")
		h.setConsts()
		w.Line("return;")
		w.Close("")
	}
	if h.p.Faults() {
		w.Open("if (setjmp(op2_exit)) {")
		w.Line("memcpy(%s, op2_record, sizeof op2_record);", h.slot(codegen.SlotFault, 0))
		w.Line("return;")
		w.Close("")
	}
	if h.form == tiledAhead {
		call = append(call, h.slot(codegen.SlotAhead, 0))
	}
	w.Line("%s(%s);", h.run, w.List(call))
	w.Close("")
}

// ElementsForFetch is the number of elements for which a loop that does not run packs fetches once.
const ElementsForFetch = 8

func (h *host) openWrapper() {
	h.w.Line(`__attribute__((visibility("default")))`)
	h.w.Line("void %s(void **args)", h.symbol())
	h.w.Open("{")
}

// addresses returns the slots of maps, data and nonzeros, in the order of the parameters.
func (h *host) addresses() []string {
	var slots []string
	for _, m := range h.lowered.Maps {
		slots = append(slots, h.slot(codegen.SlotMap, m))
	}
	for d := range h.data {
		slots = append(slots, h.slot(codegen.SlotData, d))
	}
	for e, nonzeros := range h.Loop.Nonzeros {
		if nonzeros.Search {
			slots = append(slots, h.slot(codegen.SlotRowPtr, e), h.slot(codegen.SlotColIdx, e))
		} else {
			slots = append(slots, h.slot(codegen.SlotTable, e))
		}
	}
	return slots
}

// setConsts copies the consts' values into their variables.
func (h *host) setConsts() {
	for i, c := range h.Kernel.Consts {
		name, from := h.p.ConstOf(c), h.slot(codegen.SlotConst, i)
		if facts.IsArray(c.Type) {
			h.w.Line("memcpy(%s, %s, sizeof %s);", name, from, name)
		} else {
			h.w.Line("%s = *(const %s *)%s;", name, h.p.Ctype(c.Type, false), from)
		}
	}
}
