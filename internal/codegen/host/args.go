package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen/ckernel"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Declare declares local n: before all elements, with the initialization and the end of its
// reduction, if it lives for the whole loop, otherwise before each call.
func (h *host) Declare(n int) {
	l := h.lowered.Locals[n]
	name := h.local(l.Param, hostRoles[l.Role])
	h.locals[n] = name
	h.arrays = h.arrays || l.Rows > 0 || l.Dim > 1
	decl := text.OwnRows(l, name)
	if l.Loop {
		r := h.lowered.Reduction(n)
		global := h.data[r.Data]
		if r.Begin == lower.Zero {
			h.first = append(h.first, decl+" = "+text.Zeros(l.Dim)+";")
		} else {
			h.first = append(h.first, decl+";", h.begin(r, l, name+"%[2]s", global+"%[1]s"))
		}
		h.last = append(h.last, h.leave(l, l.Dim, r.Finish, r.By, global, global+"%[1]s", text.Address(name, l.Dim), name+"%[2]s"))
		return
	}
	switch {
	case l.Role == lower.Number:
		decl += " = " + h.number(l)
	case h.lowered.Begins(n) == lower.Zero && l.Rows > 0:
		decl += " = {0}"
	case h.lowered.Begins(n) == lower.Zero:
		decl += " = " + text.Zeros(l.Dim)
	}
	h.before = append(h.before, decl+";")
}

// number returns the initial value of the element's number.
func (h *host) number(l lower.Local) string {
	at := h.lowered.MovesOf(l.Param)[0].Place
	number := h.elem
	if at.Kind != lower.ElementNo {
		number = h.data[at.Data] + "[" + h.elem + "]"
	}
	return text.InColumn(at.Level, number)
}

// Moves adds the statements of moves, one for each row, unless Declare has made it part of a
// declaration.
func (h *host) Moves(list []lower.Move) {
	for _, m := range list {
		h.move(m)
	}
}

func (h *host) move(m lower.Move) {
	if m.Do == lower.Zero || m.Local >= 0 && h.lowered.Locals[m.Local].Role == lower.Number {
		return
	}
	if m.Local < 0 {
		t := h.Loop.Data[m.Place.Data].Type
		for row := range m.Rows {
			c := fmt.Sprint(row)
			h.before = append(h.before, text.Each(m.Dim, h.place(m.Place, c)+" = "+text.PoisonValue(t)+";"), h.settle(t, m.Dim, h.at(m.Place, c)))
		}
		return
	}
	l := h.lowered.Locals[m.Local]
	if l.Role == lower.Matrix {
		h.before = append(h.before, text.FillMatrix(l, h.locals[m.Local], text.PoisonValue(l.Type)))
		return
	}
	if m.Place.Kind == lower.Values && m.Place.Map >= 0 && h.Loop.Maps[m.Place.Map].Varying {
		const row = "op2_r"
		own := func(subscript string) string { return h.locals[m.Local] + "[" + row + "]" + subscript }
		h.moveRow(m, l, row, own, fmt.Sprintf("for (int %[1]s = 0; %[1]s < %[2]d && %[3]s[%[1]s] >= 0; %[1]s++) { %%s }", row, m.Rows, h.row[m.Place.Map]))
		return
	}
	for row := range m.Rows {
		h.moveRow(m, l, fmt.Sprint(row), text.Moved(m, l, h.locals[m.Local], row), "%s")
	}
}

// moveRow adds the statement that moves row c of a place to or from own, in the given format.
func (h *host) moveRow(m lower.Move, l lower.Local, c string, own func(subscript string) string, format string) {
	value := own("%[2]s")
	switch m.Do {
	case lower.Identity:
		h.before = append(h.before, fmt.Sprintf(format, h.identity(l, m.By, value)))
	case lower.Load:
		h.before = append(h.before, fmt.Sprintf(format, text.Each(m.Dim, value+" = "+h.place(m.Place, c)+";")))
	case lower.Poison:
		h.before = append(h.before, fmt.Sprintf(format, text.Each(m.Dim, value+" = "+text.PoisonValue(l.Type)+";")))
	default:
		h.after = append(h.after, fmt.Sprintf(format, h.leave(l, m.Dim, m.Do, m.By, h.to(m.Place, c), h.place(m.Place, c), text.Address(own(""), m.Dim), value)))
	}
}

// settle returns a statement that makes GCC store n values in place before it goes on. GCC 12 vectorizes groups of
// stores to the same values in several elements, and drops stores that follow a redundant group.
func (h *host) settle(t loop.Scalar, n int, at string) string {
	return fmt.Sprintf("%s(*(%s (*)[%d])(%s));", h.p.Use("apart_memory"), t.C(), n, at)
}

// place returns the values of row c of a place, each in the given format.
func (h *host) place(at lower.Place, c string) string {
	if at.Kind == lower.Result {
		return h.locals[at.Local] + "%[2]s"
	}
	return "(" + h.at(at, c) + ")%[1]s"
}

// to returns a pointer to the scalars of row c of a place.
func (h *host) to(at lower.Place, c string) string {
	if at.Kind == lower.Result {
		return text.Address(h.locals[at.Local], h.lowered.Locals[at.Local].Dim)
	}
	return h.at(at, c)
}

// begin returns the statement that initializes a result, whose values are in the given format, with
// zero, the identity of its operation, or the values of the global.
func (h *host) begin(r *lower.Reduction, l lower.Local, value, global string) string {
	switch r.Begin {
	case lower.Identity:
		return h.identity(l, r.By, value)
	case lower.Load:
		return text.Each(l.Dim, value+" = "+global+";")
	}
	return text.Each(l.Dim, value+" = 0;")
}

// identity returns the statement that sets values, in the given format, to an operation's identity.
func (h *host) identity(l lower.Local, by int, value string) string {
	return text.Each(l.Dim, value+" = "+strings.ReplaceAll(h.p.Identity(by, h.Loop.Ops[by], l, "d"), "%", "%%")+";")
}

// leave returns the statement that stores a row of n scalars of l. Place and value are formats; to and from
// point to them.
func (h *host) leave(l lower.Local, n int, do lower.Op, by int, to, place, from, value string) string {
	if l.Whole(do) {
		return h.p.Whole(&h.lowered.Params[l.Param], l, n, do, h.Op(do, by), to, from)
	}
	return text.Each(n, h.p.Put(do, l.Type, place, value))
}

// at returns a pointer to row c of a place.
func (h *host) at(at lower.Place, c string) string {
	if at.Kind == lower.Global {
		return h.data[at.Data]
	}
	index := h.elem
	if at.Map >= 0 {
		if at.Component > 0 {
			c = fmt.Sprint(at.Component)
		}
		index = fmt.Sprintf("(int64_t)%s[%s]", h.row[at.Map], c)
	}
	to := text.Offset(h.data[at.Data], h.Loop.Data[at.Data].Dim, index)
	if level := text.AtLevel(at.Level, h.Loop.Data[at.Data].Dim/max(1, at.Level.Of)); level != "" {
		to += " + " + level
	}
	return text.From(to, at.First)
}

// HandOver adds the kernel's argument for parameter i.
func (h *host) HandOver(i int) {
	p := &h.lowered.Params[i]
	switch p.Pass {
	case lower.InPlace:
		h.pass = append(h.pass, h.p.Pass(p, h.at(p.Place, "0"), ""))
	case lower.InPlaceRows:
		ats := make([]string, p.Parts[0].Rows)
		for c := range ats {
			ats[c] = h.at(p.Place, fmt.Sprint(c))
		}
		h.rows(i, ats)
	case lower.OwnRows:
		h.rows(i, text.RowPointers(h.lowered.Locals[p.Local], h.locals[p.Local]))
	default:
		l, name := h.lowered.Locals[p.Local], h.locals[p.Local]
		switch {
		case l.Rows == 0:
			name = text.Address(name, l.Dim)
		case (h.Kernel.IsC() || p.Var.Slices > 1 && l.Dim == 1) && !ckernel.Typed(p): // double *x, double x[3][2] and double (*x)[2] alike
			name = "(void *)" + name
		}
		h.pass = append(h.pass, h.p.Pass(p, name, ""))
	}
}

// rows passes an array of pointers.
func (h *host) rows(i int, to []string) {
	h.arrays = true
	name := h.local(i, "rows")
	p := &h.lowered.Params[i]
	h.before = append(h.before, text.Pointers(h.p.RowType(p), name, h.p.RowsOf(p, to)))
	h.pass = append(h.pass, name)
}

// partialOf returns a C lvalue, for a subscript, of argument i's partial result.
func (h *host) partialOf(i int) string {
	at := slices.IndexFunc(h.lowered.Reductions, func(r lower.Reduction) bool { return r.Arg == i })
	l := h.lowered.Reductions[at].Local
	if h.lowered.Locals[l].Dim == 1 {
		return "(&" + h.locals[l] + ")"
	}
	return h.locals[l]
}

// hostRoles are the suffixes of the names of locals on the host.
var hostRoles = [...]string{
	lower.Number: "number", lower.Partial: "partial", lower.Share: "own", lower.Copy: "own", lower.Copies: "packed", lower.Matrix: "local",
}

// A kernel gets the local matrix of its element. Its values are scattered to positions of the sparse
// matrix that are read from a table, or found by a binary search in the compressed rows. A block's values
// are stored column by column.

// nonzeroParams declares the parameters of the loop's function that locate nonzeros.
func (h *host) nonzeroParams() []string {
	var params []string
	for e, name := range h.nonzeros {
		if h.Loop.Nonzeros[e].Search {
			params = append(params, "const int32_t *restrict "+name.RowPtr, "const int32_t *restrict "+name.ColIdx)
		} else {
			params = append(params, "const int32_t *restrict "+name.Table)
		}
	}
	return params
}

// Scatter adds a local matrix to the sparse one, or writes it there.
func (h *host) Scatter(s lower.Scatter) {
	names, local, data := h.nonzeros[s.Nonzeros], h.locals[s.Local], h.data[s.Data]
	at := h.local(s.Param, "at")
	if s.Search {
		h.after = append(h.after, fmt.Sprintf("int32_t %s[%d];", at, s.Rows*s.Cols),
			fmt.Sprintf("%s(%s, %s, %s, %s, %d, %s, %d);", h.p.Use("positions"), at, names.RowPtr, names.ColIdx,
				h.row[s.Map], s.Rows, h.row[s.ColMap], s.Cols))
	} else {
		h.after = append(h.after, fmt.Sprintf("const int32_t *%s = %s;", at, text.Offset(names.Table, s.Rows*s.Cols, text.LayerOf(s.Layers, h.elem))))
	}
	t := h.lowered.Locals[s.Local].Type
	place := fmt.Sprintf("%s[%d * i + j]", at, s.Cols)
	loops := fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) ", s.Rows, s.Cols)
	if s.Masked {
		loops += fmt.Sprintf("if (%s >= 0) ", place)
	}
	if s.RowDim == 1 && s.ColDim == 1 {
		h.after = append(h.after, loops+h.p.Put(s.Do, t, fmt.Sprintf("%s[%s]", data, place), local+text.MatrixAt(s, "i", "j")))
		return
	}
	h.after = append(h.after, loops+"{",
		fmt.Sprintf("\t%s *block = %s;", t.C(), text.Offset(data, s.RowDim*s.ColDim, "(int64_t)"+place)),
		fmt.Sprintf("\tfor (int l = 0; l < %d; l++) for (int k = 0; k < %d; k++) ", s.ColDim, s.RowDim)+
			h.p.Put(s.Do, t, fmt.Sprintf("block[%d * l + k]", s.RowDim), local+text.MatrixAt(s, fmt.Sprintf("%d * i + k", s.RowDim), fmt.Sprintf("%d * j + l", s.ColDim))),
		"}")
}
