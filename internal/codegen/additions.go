package codegen

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/lower"
)

// Where several rows of a pack are added to one dat, the order of additions matters: in that of
// single elements, all rows of an element come before those of the next.

// addition is a row that each element of a pack adds to a dat.
type addition struct {
	data     int
	of       loop.Scalar
	dim      int
	at, pack string // C: the elements that the pack reaches, and what it adds there
}

// addedRows returns the number of rows that an element adds to a dat.
func (k *packs) addedRows(data int) int {
	n := 0
	for _, m := range k.lowered.Moves {
		if m.Do == lower.Add && m.Place.Kind == lower.Values && m.Place.Data == data {
			n += m.Rows
		}
	}
	return n
}

// addInOrder adds the statements for the additions to each dat.
func (k *packs) addInOrder() {
	for d := range k.in.Loop.Data {
		var at, rows []string
		var first addition
		for _, a := range k.additions {
			if a.data == d {
				first, at, rows = a, append(at, a.at), append(rows, a.pack)
			}
		}
		if len(rows) == 0 {
			continue
		}
		vec := k.p.vec.name(first.of)
		add := k.p.vec.move("add_in_order", first.of, first.dim)
		k.p.vec.added = max(k.p.vec.added, len(rows))
		k.after = append(k.after, fmt.Sprintf("%s(%s, (const int64_t *[]){%s}, (const %s *[]){%s}, %d, %d);",
			add, k.data[d], strings.Join(at, ", "), vec, strings.Join(rows, ", "), len(rows), first.dim))
	}
}

// printAddInOrder prints the function that adds rows of dim values to x, element by element: row k
// of the pack's vectors v to the elements i[k].
func (v *vectors) printAddInOrder(w *writer, s loop.Scalar) {
	by := func(row int) string {
		return v.rows(s, row, fmt.Sprintf(`	for (; d + %[1]d <= dim; d += %[1]d) {
		ROW%[1]d r[%[2]d][OP2_LANES];
		for (int k = 0; k < rows; k++)
			VEC_rows%[1]d(r[k], v[k] + d);
		for (int l = 0; l < OP2_LANES; l++)
			for (int k = 0; k < rows; k++)
				*(ROW%[1]d_u *)(x + dim * i[k][l] + d) += r[k][l];
	}
`, row, v.added))
	}
	pairs := ""
	if s.Size() == 8 {
		pairs = by(2)
	}
	w.raw(v.fill(s, "INLINE void VEC_add_in_order(TYPE *restrict x, const int64_t **i, const VEC **v, int rows, int dim)\n{\n\tint d = 0;\n"+
		by(4)+pairs+
		"\tfor (; d < dim; d++)\n\t\tfor (int l = 0; l < OP2_LANES; l++)\n\t\t\tfor (int k = 0; k < rows; k++)\n\t\t\t\tx[dim * i[k][l] + d] += v[k][d][l];\n}"))
}
