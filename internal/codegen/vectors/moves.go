package vectors

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
)

// printMoves writes the functions between memory and vectors of s that are used. If elements have
// several values, their rows of 2 or 4 are loaded and stored whole, without alignment, and transposed in
// registers: by interleaving pairs of rows, and then pairs of pairs (J. O. Eklundh, "A fast computer method
// for matrix transposing", 1972).
func (v *Vectors) printMoves(w *text.Writer, s loop.Scalar) {
	load, store, increase := v.uses[v.Name(s)+"_load"], v.uses[v.Name(s)+"_store"], v.uses[v.Name(s)+"_increase"]
	inOrder := v.uses[v.Name(s)+"_add_in_order"]
	if !load && !store && !increase && !inOrder {
		return
	}
	for _, width := range v.widths {
		var text []string
		n := width / v.size
		if load && v.needs(s, 4, n) {
			text = append(text, loadFour(s.Size(), n))
		}
		if load && v.needs(s, 2, n) {
			text = append(text, loadTwo(s.Size(), n))
		}
		if load && v.needs(s, 1, n) {
			text = append(text, loadOne(n))
		}
		if (store || increase || inOrder) && v.needs(s, 4, n) {
			text = append(text, storeFour(s.Size(), n))
		}
		if (store || increase || inOrder) && v.needsPairs(s, n) {
			text = append(text, storeTwo(n))
		}
		if len(text) > 0 {
			w.Raw(fmt.Sprintf("#if OP2_LANES == %d\n%s\n#endif", n, v.fill(s, strings.Join(text, "\n"))))
		}
	}
	w.Raw("// Moves the values of a pack's elements i, dim for each, into vectors and back.")
	if load {
		w.Raw(v.fill(s, "INLINE void VEC_load(VEC *v, GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)\n{\n\tint d = 0;\n"+
			v.rows(s, 4, loadBy(4))+v.rows(s, 2, loadBy(2))+v.rows(s, 1, "\tfor (; d < dim; d++)\n\t\tv[d] = VEC_load1(x + d, i, dim);\n")+"}"))
	}
	pairs := func(op string) string {
		if s.Size() != 8 {
			return ""
		}
		return v.rows(s, 2, putBy(2, op))
	}
	put := func(name, op string) {
		w.Raw(v.fill(s, "INLINE void VEC_"+name+"(GLOBALTYPE *restrict x, const int64_t i[OP2_LANES], const VEC *v, int dim)\n{\n\tint d = 0;\n"+
			v.rows(s, 4, putBy(4, op))+pairs(op)+
			"\tfor (; d < dim; d++)\n\t\tUNROLLfor (int l = 0; l < OP2_LANES; l++)\n\t\t\tx[dim * i[l] + d] "+op+" v[d][l];\n}"))
	}
	if store {
		put("store", "=")
	}
	if increase {
		put("increase", "+=")
	}
	if inOrder {
		v.printAddInOrder(w, s)
	}
	w.Line("")
}

// rows returns the functions that move such rows, for the lane counts that use them.
func (v *Vectors) rows(s loop.Scalar, row int, text string) string {
	if !v.needs(s, row, 0) {
		return ""
	}
	var lanes []string
	for _, width := range v.widths {
		if n := width / v.size; v.needs(s, row, n) {
			lanes = append(lanes, fmt.Sprintf("OP2_LANES == %d", n))
		}
	}
	if len(lanes) == len(v.widths) {
		return text
	}
	return "#if " + strings.Join(lanes, " || ") + "\n" + text + "#endif\n"
}

func loadBy(n int) string {
	return fmt.Sprintf("\tfor (; d + %[1]d <= dim; d += %[1]d)\n\t\tVEC_load%[1]d(v + d, x + d, i, dim);\n", n)
}

// putBy stores rows of n values, or adds them to the existing ones.
func putBy(n int, op string) string {
	return fmt.Sprintf(`	for (; d + %[1]d <= dim; d += %[1]d) {
		ROW%[1]d r[OP2_LANES];
		VEC_rows%[1]d(r, v + d);
		UNROLLfor (int l = 0; l < OP2_LANES; l++)
			*(GLOBALROW%[1]d_u *)(x + dim * i[l] + d) %[2]s r[l];
	}
`, n, op)
}

// loadOne loads one value of each element.
func loadOne(n int) string {
	items := make([]string, n)
	for l := range items {
		items[l] = fmt.Sprintf("x[dim * i[%d]]", l)
		if l > 0 && l%4 == 0 {
			items[l] = "\n\t\t" + items[l]
		}
	}
	return "INLINE VEC VEC_load1(GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)\n{\n\treturn (VEC){" +
		strings.ReplaceAll(strings.Join(items, ", "), ", \n", ",\n") + "};\n}"
}

// eightBytes returns the function for rows of values of 8 bytes.
func eightBytes(what string, n int) string {
	return strings.TrimSuffix(texts[fmt.Sprintf("%s of 8 bytes, %d lanes", what, n)], "\n")
}

// loadFour loads rows of 4 values, loadTwo of 2, and transposes them to n lanes.
func loadFour(size, n int) string {
	if size == 8 {
		return eightBytes("load 4", n)
	}
	return loadFour4(n)
}

func loadTwo(size, n int) string {
	if size == 8 {
		return eightBytes("load 2", n)
	}
	return loadTwo4(n)
}

// storeFour transposes 4 vectors to rows of 4 values.
func storeFour(size, n int) string {
	if size == 8 {
		return eightBytes("store 4", n)
	}
	return storeFour4(n)
}

// storeTwo transposes 2 vectors of n values of 8 bytes to rows of 2 values.
func storeTwo(n int) string {
	if n == 2 {
		return "INLINE void VEC_rows2(ROW2 r[OP2_LANES], const VEC v[2])\n{\n\tr[0] = OP2_SHUFFLE(v[0], v[1], 0, 2), r[1] = OP2_SHUFFLE(v[0], v[1], 1, 3);\n}"
	}
	var even, odd, rows []string
	for l := 0; l < n; l += 2 {
		even, odd = append(even, fmt.Sprint(l), fmt.Sprint(n+l)), append(odd, fmt.Sprint(l+1), fmt.Sprint(n+l+1))
		rows = append(rows, fmt.Sprintf("\tr[%[1]d] = OP2_SHUFFLE(e, e, %[1]d, %[2]d), r[%[2]d] = OP2_SHUFFLE(f, f, %[1]d, %[2]d);\n", l, l+1))
	}
	return fmt.Sprintf("INLINE void VEC_rows2(ROW2 r[OP2_LANES], const VEC v[2])\n{\n"+
		"\tconst VEC e = OP2_SHUFFLE(v[0], v[1], %s), f = OP2_SHUFFLE(v[0], v[1], %s);\n%s}",
		strings.Join(even, ", "), strings.Join(odd, ", "), strings.Join(rows, ""))
}

// Values of 4 bytes: each 16 bytes of a register hold a row, and are transposed with those at the
// same place in three others.

// interleave returns the list for a shuffle of two vectors of n values that takes, of each four,
// the given ones: 0 to 3 of the first vector, 4 to 7 of the second.
func interleave(n int, take ...int) string {
	var list []string
	for four := 0; four < n; four += 4 {
		for _, t := range take {
			i := four + t
			if t >= 4 {
				i += n - 4
			}
			list = append(list, fmt.Sprint(i))
		}
	}
	return strings.Join(list, ", ")
}

// joined returns the rows l, l+4, l+8, ... one after another.
func joined(l, n int) string {
	if n == 4 {
		return fmt.Sprintf("ROW(%d)", l)
	}
	if n == 8 {
		return fmt.Sprintf("OP2_SHUFFLE(ROW(%d), ROW(%d), %s)", l, l+4, upTo(8))
	}
	return fmt.Sprintf("OP2_SHUFFLE(%s, %s, %s)", joined(l, 8), joined(l+8, 8), upTo(16))
}

// upTo returns 0, 1, 2, ... n-1.
func upTo(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(i)
	}
	return strings.Join(list, ", ")
}

// loadFour4 loads rows of 4 values, and transposes them within each four lanes in two rounds: a to d hold the
// rows of lanes 0 to 3 of each four, e to h pairs of them interleaved, v the columns.
func loadFour4(n int) string {
	low, high := interleave(n, 0, 4, 1, 5), interleave(n, 2, 6, 3, 7)
	first, second := interleave(n, 0, 1, 4, 5), interleave(n, 2, 3, 6, 7)
	var b strings.Builder
	b.WriteString("INLINE void VEC_load4(VEC v[4], GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)\n{\n" +
		"#define ROW(l) ((ROW4) * (GLOBALconst ROW4_u *)(x + dim * i[l]))\n")
	for l, name := range []string{"a", "b", "c", "d"} {
		fmt.Fprintf(&b, "\tconst VEC %s = %s;\n", name, joined(l, n))
	}
	b.WriteString("#undef ROW\n")
	fmt.Fprintf(&b, "\tconst VEC e = OP2_SHUFFLE(a, b, %[1]s), f = OP2_SHUFFLE(a, b, %[2]s);\n"+
		"\tconst VEC g = OP2_SHUFFLE(c, d, %[1]s), h = OP2_SHUFFLE(c, d, %[2]s);\n", low, high)
	fmt.Fprintf(&b, "\tv[0] = OP2_SHUFFLE(e, g, %[1]s);\n\tv[1] = OP2_SHUFFLE(e, g, %[2]s);\n"+
		"\tv[2] = OP2_SHUFFLE(f, h, %[1]s);\n\tv[3] = OP2_SHUFFLE(f, h, %[2]s);\n}", first, second)
	return b.String()
}

// loadTwo4 loads rows of 2 values, each as one word of 8 bytes, and separates the first values from the
// second ones.
func loadTwo4(n int) string {
	var b strings.Builder
	var pairs [2][]string
	var even, odd []string
	for l := range n {
		pairs[2*l/n] = append(pairs[2*l/n], fmt.Sprintf("PAIR(%d)", l))
		even, odd = append(even, fmt.Sprint(2*l)), append(odd, fmt.Sprint(2*l+1))
	}
	b.WriteString("INLINE void VEC_load2(VEC v[2], GLOBALconst TYPE *restrict x, const int64_t i[OP2_LANES], int dim)\n{\n" +
		"\ttypedef int64_t pairs __attribute__((vector_size(4 * OP2_LANES)));\n" +
		"\ttypedef int64_t pair __attribute__((aligned(4), may_alias));\n" +
		"#define PAIR(l) (*(GLOBALconst pair *)(x + dim * i[l]))\n")
	fmt.Fprintf(&b, "\tconst VEC a = (VEC)(pairs){%s};\n\tconst VEC b = (VEC)(pairs){%s};\n#undef PAIR\n",
		strings.Join(pairs[0], ", "), strings.Join(pairs[1], ", "))
	fmt.Fprintf(&b, "\tv[0] = OP2_SHUFFLE(a, b, %s);\n\tv[1] = OP2_SHUFFLE(a, b, %s);\n}", strings.Join(even, ", "), strings.Join(odd, ", "))
	return b.String()
}

// storeFour4 is the inverse of loadFour4, by the same two rounds: transposition undoes itself.
func storeFour4(n int) string {
	low, high := interleave(n, 0, 4, 1, 5), interleave(n, 2, 6, 3, 7)
	first, second := interleave(n, 0, 1, 4, 5), interleave(n, 2, 3, 6, 7)
	var b strings.Builder
	b.WriteString("INLINE void VEC_rows4(ROW4 r[OP2_LANES], const VEC v[4])\n{\n")
	fmt.Fprintf(&b, "\tconst VEC e = OP2_SHUFFLE(v[0], v[1], %[1]s), f = OP2_SHUFFLE(v[0], v[1], %[2]s);\n"+
		"\tconst VEC g = OP2_SHUFFLE(v[2], v[3], %[1]s), h = OP2_SHUFFLE(v[2], v[3], %[2]s);\n", low, high)
	fmt.Fprintf(&b, "\tconst VEC a = OP2_SHUFFLE(e, g, %[1]s), b = OP2_SHUFFLE(e, g, %[2]s);\n"+
		"\tconst VEC c = OP2_SHUFFLE(f, h, %[1]s), d = OP2_SHUFFLE(f, h, %[2]s);\n", first, second)
	for four := 0; four < n; four += 4 {
		var parts []string
		for l, name := range []string{"a", "b", "c", "d"} {
			parts = append(parts, fmt.Sprintf("r[%[1]d] = OP2_SHUFFLE(%[2]s, %[2]s, %[3]d, %[4]d, %[5]d, %[6]d)", four+l, name, four, four+1, four+2, four+3))
		}
		b.WriteString("\t" + strings.Join(parts, ", ") + ";\n")
	}
	b.WriteString("}")
	return b.String()
}

// printAddInOrder prints the function that adds rows of dim values to x, element by element: row k
// of the pack's vectors v to the elements i[k].
func (v *Vectors) printAddInOrder(w *text.Writer, s loop.Scalar) {
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
	w.Raw(v.fill(s, "INLINE void VEC_add_in_order(TYPE *restrict x, const int64_t **i, const VEC **v, int rows, int dim)\n{\n\tint d = 0;\n"+
		by(4)+pairs+
		"\tfor (; d < dim; d++)\n\t\tfor (int l = 0; l < OP2_LANES; l++)\n\t\t\tfor (int k = 0; k < rows; k++)\n\t\t\t\tx[dim * i[k][l] + d] += v[k][d][l];\n}"))
}
