package codegen

import (
	"fmt"

	"github.com/go-op2/op2/internal/lower"
)

// A kernel gets the local matrix of its element; what it leaves goes to positions of the sparse
// matrix that are read from a table, or searched for. A block's values are stored column by column.

// nonzeroParams declares what locates the nonzeros, as parameters of the loop's function.
func (h *host) nonzeroParams() []string {
	var params []string
	for e, name := range h.nonzeros {
		if h.Loop.Nonzeros[e].Search {
			params = append(params, "const int32_t *restrict "+name.rowPtr, "const int32_t *restrict "+name.colIdx)
		} else {
			params = append(params, "const int32_t *restrict "+name.table)
		}
	}
	return params
}

// scatter adds a local matrix to the sparse one, or writes it there.
func (h *host) scatter(s lower.Scatter) {
	names, local, data := h.nonzeros[s.Nonzeros], h.locals[s.Local], h.data[s.Data]
	at := h.local(s.Param, "at")
	if s.Search {
		h.after = append(h.after, fmt.Sprintf("int32_t %s[%d];", at, s.Rows*s.Cols),
			fmt.Sprintf("%s(%s, %s, %s, %s, %d, %s, %d);", h.p.helpers.use("positions"), at, names.rowPtr, names.colIdx,
				h.row[s.Map], s.Rows, h.row[s.ColMap], s.Cols))
	} else {
		h.after = append(h.after, fmt.Sprintf("const int32_t *%s = %s;", at, offset(names.table, s.Rows*s.Cols, h.elem)))
	}
	t := h.lowered.Locals[s.Local].Type
	place := fmt.Sprintf("%s[%d * i + j]", at, s.Cols)
	loops := fmt.Sprintf("for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) ", s.Rows, s.Cols)
	if s.Masked {
		loops += fmt.Sprintf("if (%s >= 0) ", place)
	}
	if s.RowDim == 1 && s.ColDim == 1 {
		h.after = append(h.after, loops+h.p.put(s.Do, t, fmt.Sprintf("%s[%s]", data, place), local+matrixAt(s, "i", "j")))
		return
	}
	h.after = append(h.after, loops+"{",
		fmt.Sprintf("\t%s *block = %s;", t.C(), offset(data, s.RowDim*s.ColDim, "(int64_t)"+place)),
		fmt.Sprintf("\tfor (int l = 0; l < %d; l++) for (int k = 0; k < %d; k++) ", s.ColDim, s.RowDim)+
			h.p.put(s.Do, t, fmt.Sprintf("block[%d * l + k]", s.RowDim), local+matrixAt(s, fmt.Sprintf("%d * i + k", s.RowDim), fmt.Sprintf("%d * j + l", s.ColDim))),
		"}")
}

// matrixAt returns the subscripts of a value in a local matrix, given its row and column in what is
// scattered.
func matrixAt(s lower.Scatter, row, col string) string {
	if s.Row > 0 {
		row = fmt.Sprintf("%d + %s", s.Row, row)
	}
	if s.Col > 0 {
		col = fmt.Sprintf("%d + %s", s.Col, col)
	}
	return "[" + row + "][" + col + "]"
}
