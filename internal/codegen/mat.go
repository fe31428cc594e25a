package codegen

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// A kernel gets the local matrix of its element; what it leaves goes to the entries of the
// sparse matrix that a table names, or that are searched. A block's values follow each
// other column by column.

// entryNames are the names of what leads to entries: a table, or compressed rows.
type entryNames struct{ table, rowPtr, colIdx string }

// entryParams declare what leads to the entries, as parameters of the loop's function.
func (h *host) entryParams() []string {
	var params []string
	for e, name := range h.entry {
		if h.Loop.Entries[e].Search {
			params = append(params, "const int32_t *restrict "+name.rowPtr, "const int32_t *restrict "+name.colIdx)
		} else {
			params = append(params, "const int32_t *restrict "+name.table)
		}
	}
	return params
}

func describeMat(l *loop.Loop, a loop.Arg) string {
	rows, cols := l.Local(a)
	how := "by table"
	if l.Entries[a.Entries].Search {
		how = "by search"
	}
	return fmt.Sprintf("%s mat of %s, %d by %d of an element, through maps %d and %d %s", a.Access, l.Type(a), rows, cols, a.Map, a.ColMap, how)
}

// mat passes a local matrix, and puts what is left in it where it belongs.
func (h *host) mat(i int, a loop.Arg) {
	t, name := h.Loop.Type(a), h.local(i, "local")
	rows, cols := h.Loop.Local(a)
	h.arrays = true
	decl := fmt.Sprintf("%s %s[%d][%d]", t.C(), name, rows, cols)
	if a.Access == loop.Inc {
		decl += " = {0}"
	}
	h.before = append(h.before, decl+";")
	if a.Access == loop.Write && h.Options.Poison {
		h.before = append(h.before, fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) %s[i][j] = %s;", rows, cols, name, poisonValue(t)))
	}
	switch {
	case takesPointers(h.Kernel.Entry().Params[i].Type):
		pointers := h.local(i, "rows")
		each := make([]string, rows)
		for r := range each {
			each[r] = fmt.Sprintf("%s[%d]", name, r)
		}
		h.before = append(h.before, fmt.Sprintf("%s *%s[%d] = {%s};", t.C(), pointers, rows, strings.Join(each, ", ")))
		h.pass = append(h.pass, pointers)
	case h.Kernel.IsC(): // double *x and double x[3][3] alike
		h.pass = append(h.pass, "(void *)"+name)
	default:
		h.pass = append(h.pass, name)
	}
	h.scatter(i, a, name)
}

// scatter adds a local matrix to the entries, or writes it there.
func (h *host) scatter(i int, a loop.Arg, local string) {
	e, names, d := h.Loop.Entries[a.Entries], h.entry[a.Entries], h.Loop.Data[a.Data]
	rows, cols := h.Loop.Maps[a.Map].Arity, h.Loop.Maps[a.ColMap].Arity
	at := h.local(i, "at")
	if e.Search {
		h.after = append(h.after, fmt.Sprintf("int32_t %s[%d];", at, rows*cols),
			fmt.Sprintf("%s(%s, %s, %s, %s, %d, %s, %d);", h.p.helpers.use("entries"), at, names.rowPtr, names.colIdx,
				h.row[a.Map], rows, h.row[a.ColMap], cols))
	} else {
		h.after = append(h.after, fmt.Sprintf("const int32_t *%s = %s;", at, offset(names.table, rows*cols, h.elem)))
	}
	operation := "+="
	if a.Access == loop.Write {
		operation = "="
	}
	place := fmt.Sprintf("%s[%d * i + j]", at, cols)
	loops := fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) ", rows, cols)
	if e.Masked {
		loops += fmt.Sprintf("if (%s >= 0) ", place)
	}
	if d.Dim == 1 && d.ColDim == 1 {
		h.after = append(h.after, loops+fmt.Sprintf("%s[%s] %s %s[i][j];", h.data[a.Data], place, operation, local))
		return
	}
	h.after = append(h.after, loops+"{",
		fmt.Sprintf("\t%s *block = %s;", d.Type.C(), offset(h.data[a.Data], d.Dim*d.ColDim, "(int64_t)"+place)),
		fmt.Sprintf("\tfor (int l = 0; l < %d; l++) for (int k = 0; k < %d; k++) block[%d * l + k] %s %s[%d * i + k][%d * j + l];",
			d.ColDim, d.Dim, d.Dim, operation, local, d.Dim, d.ColDim),
		"}")
}
