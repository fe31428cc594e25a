package codegen

// wrapper prints void wrap(void **args), which sets the consts and runs the elements.
func (h *host) wrapper() {
	h.openWrapper()
	w := &h.w
	w.line("const int32_t (*run)[2] = %s;", h.slot(SlotRuns, 0))
	w.line("const int64_t *runs = %s;", h.slot(SlotCount, 0))
	call := append([]string{"run", "run + *runs"}, h.addresses()...)
	h.setConsts()
	if h.p.helpers.fault() {
		w.open("if (setjmp(op2_exit)) {")
		w.line("memcpy(%s, op2_record, sizeof op2_record);", h.slot(SlotFault, 0))
		w.line("return;")
		w.close("")
	}
	w.line("%s(%s);", h.run, w.list(call))
	w.close("")
}

func (h *host) openWrapper() {
	h.w.line(`__attribute__((visibility("default")))`)
	h.w.line("void %s(void **args)", h.symbol())
	h.w.open("{")
}

// addresses returns the slots of maps, data and nonzeros, in the order of the parameters.
func (h *host) addresses() []string {
	var slots []string
	for _, m := range h.lowered.Maps {
		slots = append(slots, h.slot(SlotMap, m))
	}
	for d := range h.data {
		slots = append(slots, h.slot(SlotData, d))
	}
	for e, nonzeros := range h.Loop.Nonzeros {
		if nonzeros.Search {
			slots = append(slots, h.slot(SlotRowPtr, e), h.slot(SlotColIdx, e))
		} else {
			slots = append(slots, h.slot(SlotTable, e))
		}
	}
	return slots
}

// setConsts copies the consts' values into their variables.
func (h *host) setConsts() {
	for i, c := range h.Kernel.Consts {
		name, from := h.p.consts[c], h.slot(SlotConst, i)
		if isArray(c.Type) {
			h.w.line("memcpy(%s, %s, sizeof %s);", name, from, name)
		} else {
			h.w.line("%s = *(const %s *)%s;", name, h.p.ctype(c.Type, false), from)
		}
	}
}
