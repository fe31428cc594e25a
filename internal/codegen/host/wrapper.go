package host

import (
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/facts"
)

// wrapper prints void wrap(void **args), which runs the elements.
func (h *host) wrapper() {
	h.openWrapper()
	w := &h.w
	w.Line("const int32_t (*run)[2] = %s;", h.slot(codegen.SlotRuns, 0))
	w.Line("const int64_t *runs = %s;", h.slot(codegen.SlotCount, 0))
	call := append([]string{"run", "run + *runs"}, h.addresses()...)
	call = append(call, h.consts()...)
	if h.p.Faults() {
		w.Line("struct op2_exit exit = {.record = %s};", h.slot(codegen.SlotFault, 0))
		w.Line("if (op2_mark(exit.place))")
		w.Under("return;")
		call = append(call, "&exit")
	}
	if h.form == ahead {
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

// addresses returns the slots of maps, data, nonzeros and the list of elements, in the order of the parameters.
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
	if h.elements != "" {
		slots = append(slots, h.slot(codegen.SlotElements, 0))
	}
	return slots
}

// consts copies the consts' values, and the addresses of large ones, into a struct, or else the values into variables.
// It returns the argument that leads to the struct.
func (h *host) consts() []string {
	within := ""
	if h.hasConsts() {
		h.w.Line("struct op2_consts consts;")
		within = "consts."
	}
	for i, c := range h.Kernel.Consts {
		name, from := within+h.p.ConstOf(c), h.slot(codegen.SlotConst, i)
		if within != "" && h.p.FarConst(c) {
			h.w.Line("%s = %s;", name, from)
		} else if facts.IsArray(c.Type) {
			h.w.Line("__builtin_memcpy(%[1]s, %[2]s, sizeof %[1]s);", name, from)
		} else {
			h.w.Line("%s = *(const %s *)%s;", name, h.p.Ctype(c.Type, false), from)
		}
	}
	if within == "" {
		return nil
	}
	return []string{"&consts"}
}
