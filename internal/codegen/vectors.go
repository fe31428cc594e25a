package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// vectors is the C code for packs that a source needs: the types, and how values are moved between
// memory and vectors.
type vectors struct {
	global string // qualifiers of data in device memory
	size   int    // in bytes, of the largest values, which determine the number of lanes
	widths []int
	types  map[loop.Scalar]bool
	uses   map[string]bool       // functions, by name
	dims   map[loop.Scalar][]int // numbers of values per element that are moved at once
}

func newVectors(size int, widths []int) *vectors {
	return &vectors{size: size, widths: widths, types: map[loop.Scalar]bool{}, uses: map[string]bool{}, dims: map[loop.Scalar][]int{}}
}

// name returns the type of a vector of values of type s. A vector of bools is a mask, in which all
// bits of a lane are set or clear.
func (v *vectors) name(s loop.Scalar) string {
	v.types[s] = true
	switch s {
	case loop.Float64:
		return "op2_vec"
	case loop.Float32:
		return "op2_vecf"
	case loop.Bool:
		return "op2_mask"
	}
	return "op2_vec_" + s.String()
}

// use returns the name of the function called what for vectors of type s.
func (v *vectors) use(what string, s loop.Scalar) string {
	name := v.name(s) + "_" + what
	v.uses[name] = true
	if what == "select" {
		v.name(loop.Bool)
	}
	return name
}

// zero returns the initializer of zero vectors of type s, in that many nested arrays.
func (v *vectors) zero(s loop.Scalar, deep int) string {
	if v.global == "" {
		return "{0}"
	}
	value := "0"
	if s == loop.Bool {
		value = "false"
	}
	return strings.Repeat("{", deep) + v.use("all", s) + "(" + value + ")" + strings.Repeat("}", deep)
}

// elementwise maps functions of math to clang's vector versions.
var elementwise = map[string]string{"Abs": "abs", "Ceil": "ceil", "Floor": "floor", "RoundToEven": "roundeven", "Sqrt": "sqrt", "Trunc": "trunc"}

// builtin makes the body of a function of vectors call clang's own version, if there is one:
// functions of a device's library are opaque to its vectorizer. The general square root is newer
// than those for specific processors.
func (v *vectors) builtin(name string, s loop.Scalar, body string) string {
	f := elementwise[name]
	if f == "" {
		return body
	}
	word := "#if"
	text := ""
	try := func(condition, call string) {
		text += word + " " + condition + "\n\treturn " + call + ";\n"
		word = "#elif"
	}
	try("__has_builtin(__builtin_elementwise_"+f+")", "__builtin_elementwise_"+f+"(x)")
	if f == "sqrt" {
		suffix := "pd"
		if s == loop.Float32 {
			suffix = "ps"
		}
		bytes := fmt.Sprintf("%d * OP2_LANES == ", s.Size())
		try(bytes+"64 && __has_builtin(__builtin_ia32_sqrt"+suffix+"512)", "__builtin_ia32_sqrt"+suffix+"512(x, 4)")
		try(bytes+"32 && __has_builtin(__builtin_ia32_sqrt"+suffix+"256)", "__builtin_ia32_sqrt"+suffix+"256(x)")
	}
	return text + "#else\n" + body + "#endif\n"
}

// move is use for a function that moves dim values of each element.
func (v *vectors) move(what string, s loop.Scalar, dim int) string {
	v.dims[s] = append(v.dims[s], dim)
	return v.use(what, s)
}

// Registers of processors: their width in bytes, and the macro that indicates them.
var registers = []struct {
	name  string
	bytes int
	macro string
}{
	{"AVX-512", 64, "defined(__AVX512F__)"},
	{"AVX2", 32, "defined(__AVX2__)"},
	{"NEON", 16, "defined(__ARM_NEON) && defined(__aarch64__)"},
}

// print writes the types and functions that are used.
func (v *vectors) print(w *writer) {
	w.raw("// Packs of elements: each vector holds one value per element.\n#ifdef __has_builtin\n#if __has_builtin(__builtin_shufflevector)")
	word := "#if"
	for i, r := range registers {
		if slices.Contains(v.widths, r.bytes) {
			w.raw(fmt.Sprintf("%s %s\n#define OP2_LANES %d", word, registers[i].macro, r.bytes/v.size))
			word = "#elif"
		}
	}
	w.raw("#endif\n#endif\n#endif\n#ifdef OP2_LANES\n#define OP2_SHUFFLE __builtin_shufflevector\n#define OP2_CONVERT __builtin_convertvector")
	scalars := slices.DeleteFunc(slices.Sorted(maps.Keys(v.types)), func(s loop.Scalar) bool { return s == loop.Bool })
	for _, s := range scalars {
		w.raw(v.fill(s, vectorTypes))
		for _, r := range rowTypes {
			if r.size == s.Size() && (v.needs(s, r.row, 0) || r.size == 8 && v.needs(s, 2, 0)) {
				w.raw(v.fill(s, r.text))
			}
		}
	}
	if v.types[loop.Bool] {
		w.raw(v.fill(v.maskScalar(), maskType))
	}
	for _, s := range append(scalars, loop.Bool) {
		for _, f := range vectorFuncs {
			if v.uses[v.name(s)+"_"+f.name] {
				w.raw(v.fill(s, f.text(v, s)) + "\n")
			}
		}
	}
	for _, s := range scalars {
		v.printMoves(w, s)
	}
}

// maskScalar returns the integer of a mask's lane.
func (v *vectors) maskScalar() loop.Scalar {
	if v.size == 8 {
		return loop.Int64
	}
	return loop.Int32
}

// fill substitutes the names of a type in a text.
func (v *vectors) fill(s loop.Scalar, text string) string {
	name := "op2_mask"
	if s != loop.Bool {
		name = v.name(s)
	}
	suffix := strings.TrimPrefix(name, "op2_vec")
	unroll := ""
	if v.global != "" { // device compilers are less inclined to
		unroll = "_Pragma(\"unroll\") "
	}
	return strings.NewReplacer("UNROLL", unroll, "GLOBAL", v.global, "INLINE", "static inline __attribute__((always_inline))",
		"TYPE", s.C(), "SIZE", fmt.Sprint(s.Size()), "VEC", name, "ROW4", "op2_row4"+suffix, "ROW2", "op2_row2"+suffix,
		"MASKS", fmt.Sprint(v.size)).Replace(text)
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
	text func(v *vectors, s loop.Scalar) string
}{
	{"all", func(v *vectors, s loop.Scalar) string {
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
	{"any", func(*vectors, loop.Scalar) string { return maskAny }},
	{"select", func(v *vectors, s loop.Scalar) string {
		if s == loop.Bool || s.Size() == v.size {
			return "INLINE VEC VEC_select(op2_mask m, VEC x, VEC y)\n{\n\treturn (VEC)(((op2_mask)x & m) | ((op2_mask)y & ~m));\n}"
		}
		narrow := "typedef " + bits(s).C() + " VEC_bits __attribute__((vector_size(SIZE * OP2_LANES)));\n"
		return narrow + "INLINE VEC VEC_select(op2_mask m, VEC x, VEC y)\n{\n\tconst VEC_bits b = OP2_CONVERT(m, VEC_bits);\n" +
			"\treturn (VEC)(((VEC_bits)x & b) | ((VEC_bits)y & ~b));\n}"
	}},
	{"min", func(_ *vectors, s loop.Scalar) string { return extremeText("min", s) }},
	{"max", func(_ *vectors, s loop.Scalar) string { return extremeText("max", s) }},
}

// bits returns the signed integer of the size of s.
func bits(s loop.Scalar) loop.Scalar {
	return map[int]loop.Scalar{1: loop.Int8, 2: loop.Int16, 4: loop.Int32, 8: loop.Int64}[s.Size()]
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
