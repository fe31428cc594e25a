package vectors

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
)

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
	scalars := slices.DeleteFunc(slices.Sorted(maps.Keys(v.types)), func(s loop.Scalar) bool { return s == loop.Bool })
	for _, s := range scalars {
		w.Raw(v.fill(s, vectorTypes))
		for _, r := range rowTypes {
			if r.size == s.Size() && (v.needs(s, r.row, 0) || r.size == 8 && v.needs(s, 2, 0)) {
				w.Raw(v.fill(s, r.text))
			}
		}
	}
	if v.types[loop.Bool] {
		w.Raw(v.fill(v.maskScalar(), maskType))
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

const vectorTypes = `typedef TYPE VEC __attribute__((vector_size(SIZE * OP2_LANES)));
typedef TYPE VEC_u __attribute__((vector_size(SIZE * OP2_LANES), aligned(SIZE), may_alias));`

const maskType = `typedef TYPE op2_mask __attribute__((vector_size(SIZE * OP2_LANES))); // in each lane, all bits or none`

var rowTypes = []struct {
	size, row int
	text      string
}{
	{8, 4, `typedef TYPE ROW4 __attribute__((vector_size(32)));
typedef TYPE ROW4_u __attribute__((vector_size(32), aligned(8), may_alias));`},
	{8, 2, `typedef TYPE ROW2 __attribute__((vector_size(16)));
typedef TYPE ROW2_u __attribute__((vector_size(16), aligned(8), may_alias));`},
	{4, 4, `typedef TYPE ROW4 __attribute__((vector_size(16)));
typedef TYPE ROW4_u __attribute__((vector_size(16), aligned(4), may_alias));`},
}

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
	{"any", func(*Vectors, loop.Scalar) string { return maskAny }},
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

const maskAny = `INLINE bool op2_mask_any(op2_mask m)
{
	typedef int64_t words8 __attribute__((vector_size(64)));
	typedef int64_t words4 __attribute__((vector_size(32)));
	typedef int64_t words2 __attribute__((vector_size(16)));
#if MASKS * OP2_LANES == 64
	const words4 low = OP2_SHUFFLE((words8)m, (words8)m, 0, 1, 2, 3) | OP2_SHUFFLE((words8)m, (words8)m, 4, 5, 6, 7);
	const words2 w = OP2_SHUFFLE(low, low, 0, 1) | OP2_SHUFFLE(low, low, 2, 3);
#elif MASKS * OP2_LANES == 32
	const words2 w = OP2_SHUFFLE((words4)m, (words4)m, 0, 1) | OP2_SHUFFLE((words4)m, (words4)m, 2, 3);
#else
	const words2 w = (words2)m;
#endif
	return (w[0] | w[1]) != 0;
}`

// bits returns the signed integer of the size of s.
func bits(s loop.Scalar) loop.Scalar {
	return map[int]loop.Scalar{1: loop.Int8, 2: loop.Int16, 4: loop.Int32, 8: loop.Int64}[s.Size()]
}
