package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// arguments prints the loop program: the locals of each parameter, the moves before and after each
// call of the kernel, and what is passed to the kernel.
func (h *host) arguments() {
	h.locals = make([]string, len(h.lowered.Locals))
	for i := range h.lowered.Params {
		first, end := h.lowered.LocalsOf(i)
		for l := first; l < end; l++ {
			h.declare(l)
		}
		for _, m := range h.lowered.MovesOf(i) {
			h.move(m)
		}
		h.handOver(i)
		for _, s := range h.lowered.Scatters {
			if s.Param == i {
				h.scatter(s)
			}
		}
	}
}

// declare declares local n: before all elements, with the initialization and the end of its
// reduction, if it lives for the whole loop, otherwise before each call.
func (h *host) declare(n int) {
	l := h.lowered.Locals[n]
	name := h.local(l.Param, hostRoles[l.Role])
	h.locals[n] = name
	h.arrays = h.arrays || l.Rows > 0 || l.Dim > 1
	decl := ownRows(l, name)
	if l.Loop {
		r := h.lowered.Reduction(n)
		global := h.data[r.Data]
		if r.Begin == lower.Zero {
			h.first = append(h.first, decl+" = "+zeros(l.Dim)+";")
		} else {
			h.first = append(h.first, decl+";", h.begin(r, l, name+"%[2]s", global+"%[1]s"))
		}
		h.last = append(h.last, h.leave(l, l.Dim, r.Finish, r.By, global, global+"%[1]s", address(name, l.Dim), name+"%[2]s"))
		return
	}
	switch {
	case l.Role == lower.Number:
		decl += " = " + h.number(l)
	case h.lowered.Begins(n) == lower.Zero && l.Rows > 0:
		decl += " = {0}"
	case h.lowered.Begins(n) == lower.Zero:
		decl += " = " + zeros(l.Dim)
	}
	h.before = append(h.before, decl+";")
}

// number returns what initializes the element's number.
func (h *host) number(l lower.Local) string {
	if at := h.lowered.MovesOf(l.Param)[0].Place; at.Kind != lower.ElementNo {
		return h.data[at.Data] + "[" + h.elem + "]"
	}
	return h.elem
}

// move adds the statements of a move, one for each row, unless declare has made it part of a
// declaration.
func (h *host) move(m lower.Move) {
	if m.Do == lower.Zero || m.Local >= 0 && h.lowered.Locals[m.Local].Role == lower.Number {
		return
	}
	if m.Local < 0 {
		t := h.Loop.Data[m.Place.Data].Type
		for c := range m.Rows {
			h.before = append(h.before, each(m.Dim, h.place(m.Place, c)+" = "+poisonValue(t)+";"), h.settle(t, m.Dim, h.at(m.Place, c)))
		}
		return
	}
	l := h.lowered.Locals[m.Local]
	if l.Role == lower.Matrix {
		h.before = append(h.before, fillMatrix(l, h.locals[m.Local], poisonValue(l.Type)))
		return
	}
	for c := range m.Rows {
		own := moved(m, l, h.locals[m.Local], c)
		value := own("%[2]s")
		switch m.Do {
		case lower.Identity:
			h.before = append(h.before, h.identity(l, m.By, value))
		case lower.Load:
			h.before = append(h.before, each(m.Dim, value+" = "+h.place(m.Place, c)+";"))
		case lower.Poison:
			h.before = append(h.before, each(m.Dim, value+" = "+poisonValue(l.Type)+";"))
		default:
			h.after = append(h.after, h.leave(l, m.Dim, m.Do, m.By, h.to(m.Place, c), h.place(m.Place, c), address(own(""), m.Dim), value))
		}
	}
}

// settle returns the statement after which n values in place have been stored. GCC 12 vectorizes groups of stores to
// the same values across elements, and drops those that follow a group that it could have left out.
func (h *host) settle(t loop.Scalar, n int, at string) string {
	return fmt.Sprintf("%s(*(%s (*)[%d])(%s));", h.p.helpers.use("apart_memory"), t.C(), n, at)
}

// place returns the values of row c of a place, each in the given format.
func (h *host) place(at lower.Place, c int) string {
	if at.Kind == lower.Result {
		return h.locals[at.Local] + "%[2]s"
	}
	return "(" + h.at(at, c) + ")%[1]s"
}

// to returns a pointer to the scalars of row c of a place.
func (h *host) to(at lower.Place, c int) string {
	if at.Kind == lower.Result {
		return address(h.locals[at.Local], h.lowered.Locals[at.Local].Dim)
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
		return each(l.Dim, value+" = "+global+";")
	}
	return each(l.Dim, value+" = 0;")
}

// identity returns the statement that sets values, in the given format, to an operation's identity.
func (h *host) identity(l lower.Local, by int, value string) string {
	return each(l.Dim, value+" = "+strings.ReplaceAll(h.p.identity(by, h.Loop.Ops[by], l, "d"), "%", "%%")+";")
}

// leave returns the statement that stores a row of n scalars of l: to and from point to place and
// value, which are in formats.
func (h *host) leave(l lower.Local, n int, do lower.Op, by int, to, place, from, value string) string {
	if l.Whole(do) {
		return h.p.whole(&h.lowered.Params[l.Param], l, n, do, h.op(do, by), to, from)
	}
	return each(n, h.p.put(do, l.Type, place, value))
}

// at returns a pointer to row c of a place.
func (h *host) at(at lower.Place, c int) string {
	if at.Kind == lower.Global {
		return h.data[at.Data]
	}
	index := h.elem
	if at.Map >= 0 {
		index = fmt.Sprintf("(int64_t)%s[%d]", h.row[at.Map], at.Component+c)
	}
	return offset(h.data[at.Data], h.Loop.Data[at.Data].Dim, index)
}

// handOver adds what is passed to the kernel for parameter i.
func (h *host) handOver(i int) {
	p := &h.lowered.Params[i]
	switch p.Pass {
	case lower.InPlace:
		h.pass = append(h.pass, h.p.pass(p, h.at(p.Place, 0), ""))
	case lower.InPlaceRows:
		ats := make([]string, p.Parts[0].Rows)
		for c := range ats {
			ats[c] = h.at(p.Place, c)
		}
		h.rows(i, ats)
	case lower.OwnRows:
		h.rows(i, rowPointers(h.lowered.Locals[p.Local], h.locals[p.Local]))
	default:
		l, name := h.lowered.Locals[p.Local], h.locals[p.Local]
		switch {
		case l.Rows == 0:
			name = address(name, l.Dim)
		case (h.Kernel.IsC() || p.Var.Slices > 1 && l.Dim == 1) && !typed(p): // double *x, double x[3][2] and double (*x)[2] alike
			name = "(void *)" + name
		}
		h.pass = append(h.pass, h.p.pass(p, name, ""))
	}
}

// rows passes an array of pointers.
func (h *host) rows(i int, to []string) {
	h.arrays = true
	name := h.local(i, "rows")
	p := &h.lowered.Params[i]
	h.before = append(h.before, pointers(h.p.rowType(p), name, h.p.rowsOf(p, to)))
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
	lower.Number: "number", lower.Partial: "partial", lower.Share: "own", lower.Copy: "own", lower.Packed: "packed", lower.Matrix: "local",
}
