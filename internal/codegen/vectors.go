package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// vectors is the C code for packs that a source needs: the types, and how values are moved between
// memory and vectors.
type vectors struct {
	global string // qualifiers of data in device memory
	unroll string // precedes a short loop
	size   int    // in bytes, of the largest values, which determine the number of lanes
	widths []int
	types  map[loop.Scalar]bool
	uses   map[string]bool       // functions, by name
	dims   map[loop.Scalar][]int // numbers of values per element that are moved at once
	added  int                   // the most rows that are added in order
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

// move returns the name of a function that moves dim values of each element.
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
	return strings.NewReplacer("UNROLL", v.unroll, "GLOBAL", v.global, "INLINE", "static inline __attribute__((always_inline))",
		"TYPE", s.C(), "SIZE", fmt.Sprint(s.Size()), "VEC", name, "ROW4", "op2_row4"+suffix, "ROW2", "op2_row2"+suffix,
		"MASKS", fmt.Sprint(v.size)).Replace(text)
}

// needs reports whether rows of that many values are moved, for n lanes or, if that is 0, for some
// number of them.
func (v *vectors) needs(s loop.Scalar, row, n int) bool {
	if n == 0 {
		return slices.ContainsFunc(v.widths, func(width int) bool { return v.needs(s, row, width/v.size) })
	}
	fours, twos := s.Size() >= 4 && n > 2, s.Size() == 8 || s.Size() == 4 && n > 2
	return slices.ContainsFunc(v.dims[s], func(dim int) bool {
		switch row {
		case 4:
			return fours && dim >= 4
		case 2:
			return twos && (dim%4 >= 2 || !fours && dim >= 2)
		}
		return !twos || dim%2 == 1
	})
}

// needsPairs reports whether rows of two values are stored, as those of 8 bytes are.
func (v *vectors) needsPairs(s loop.Scalar, n int) bool { return s.Size() == 8 && v.needs(s, 2, n) }
