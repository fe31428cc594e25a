package vectors

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

//go:embed csrc/vectors.c
var source string

var texts = text.Sections(source)

// Print writes the types and functions that are used.
func (v *Vectors) Print(w *text.Writer) {
	w.Raw("// Packs of elements: each vector holds one value per element.\n#ifdef __has_builtin\n#if __has_builtin(__builtin_shufflevector)")
	word := "#if"
	for i, r := range registers {
		if slices.Contains(v.widths, r.bytes) {
			w.Raw(fmt.Sprintf("%s %s\n#define OP2_LANES %d", word, registers[i].macro, r.bytes/v.size))
			word = "#elif"
		}
	}
	w.Raw("#endif\n#endif\n#endif\n#ifdef OP2_LANES\n#define OP2_SHUFFLE __builtin_shufflevector\n#define OP2_CONVERT __builtin_convertvector")
	scalars := slices.DeleteFunc(sorting.Keys(v.types), func(s loop.Scalar) bool { return s == loop.Bool })
	for _, s := range scalars {
		w.Raw(v.fill(s, texts["types"]))
		for _, r := range rowTypes {
			if r.size == s.Size() && (v.needs(s, r.row, 0) || r.size == 8 && v.needs(s, 2, 0)) {
				w.Raw(v.fill(s, texts[fmt.Sprintf("rows of %d of %d bytes", r.row, r.size)]))
			}
		}
	}
	if v.types[loop.Bool] {
		w.Raw(v.fill(v.maskScalar(), texts["mask"]))
	}
	for _, s := range append(scalars, loop.Bool) {
		for _, f := range vectorFuncs {
			if v.uses[v.Name(s)+"_"+f.name] {
				w.Raw(v.fill(s, f.text(v, s)) + "\n")
			}
		}
	}
	for _, s := range scalars {
		v.printMoves(w, s)
	}
}

// rowTypes are the sizes of values, and the numbers of them in a row, for which rows are moved as a whole.
var rowTypes = []struct{ size, row int }{{8, 4}, {8, 2}, {4, 4}}

// vectorFuncs are the operations of vectors of any type, in the order of their dependences.
var vectorFuncs = []struct {
	name string
	text func(v *Vectors, s loop.Scalar) string
}{
	{"all", func(v *Vectors, s loop.Scalar) string {
		switch {
		case v.global != "" && s == loop.Bool:
			return "INLINE op2_mask op2_mask_all(bool x)\n{\n\top2_mask r;\n\tUNROLLfor (int l = 0; l < OP2_LANES; l++)\n\t\tr[l] = -(TYPE)x;\n\treturn r;\n}"
		case v.global != "":
			return "INLINE VEC VEC_all(TYPE x)\n{\n\tVEC r;\n\tUNROLLfor (int l = 0; l < OP2_LANES; l++)\n\t\tr[l] = x;\n\treturn r;\n}"
		case s == loop.Bool:
			return "INLINE op2_mask op2_mask_all(bool x)\n{\n\treturn (op2_mask){0} - (int)x;\n}"
		}
		return "INLINE VEC VEC_all(TYPE x)\n{\n\treturn x - (VEC){0}; // preserves the sign of 0\n}"
	}},
	{"any", func(*Vectors, loop.Scalar) string { return strings.TrimSuffix(texts["any"], "\n") }},
	{"select", func(v *Vectors, s loop.Scalar) string {
		if s == loop.Bool || s.Size() == v.size {
			return "INLINE VEC VEC_select(op2_mask m, VEC x, VEC y)\n{\n\treturn (VEC)(((op2_mask)x & m) | ((op2_mask)y & ~m));\n}"
		}
		narrow := "typedef " + bits(s).C() + " VEC_bits __attribute__((vector_size(SIZE * OP2_LANES)));\n"
		return narrow + "INLINE VEC VEC_select(op2_mask m, VEC x, VEC y)\n{\n\tconst VEC_bits b = OP2_CONVERT(m, VEC_bits);\n" +
			"\treturn (VEC)(((VEC_bits)x & b) | ((VEC_bits)y & ~b));\n}"
	}},
	{"min", func(_ *Vectors, s loop.Scalar) string { return extremeText("min", s) }},
	{"max", func(_ *Vectors, s loop.Scalar) string { return extremeText("max", s) }},
}

// extremeText returns Go's min or max: NaN if one is NaN, -0 below 0.
func extremeText(name string, s loop.Scalar) string {
	op, join := "<", "|"
	if name == "max" {
		op, join = ">", "&"
	}
	head := "INLINE VEC VEC_" + name + "(VEC x, VEC y)\n{\n"
	words := "\ttypedef " + bits(s).C() + " words __attribute__((vector_size(SIZE * OP2_LANES)));\n"
	if s.Integer() {
		return head + words + "\tconst words first = (words)(x " + op + " y);\n" +
			"\treturn (VEC)(((words)x & first) | ((words)y & ~first));\n}"
	}
	return head + words +
		"\tconst words first = (words)(x " + op + " y) | (words)(x != x), same = (words)(x == y); // for 0 and -0 the sign decides\n" +
		"\tconst words one = ((words)x & first) | ((words)y & ~first);\n" +
		"\treturn (VEC)((one & ~same) | (((words)x " + join + " (words)y) & same));\n}"
}

// bits returns the signed integer of the size of s.
func bits(s loop.Scalar) loop.Scalar {
	return map[int]loop.Scalar{1: loop.Int8, 2: loop.Int16, 4: loop.Int32, 8: loop.Int64}[s.Size()]
}
