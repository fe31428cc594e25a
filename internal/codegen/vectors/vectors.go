// Package vectors has the text of vectors that hold one value of each element of a pack: their types,
// the operations on them, and the moves between them and memory. It knows no kernels.
package vectors

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// Vectors is the C code for packs that a source needs: the types, and how values are moved between
// memory and vectors.
type Vectors struct {
	global string // qualifiers of data in device memory
	unroll string // precedes a short loop
	size   int    // in bytes, of the largest values, which determine the number of lanes
	widths []int
	types  map[loop.Scalar]bool
	uses   map[string]bool       // functions, by name
	dims   map[loop.Scalar][]int // numbers of values per element that are moved at once
	added  int                   // the most rows that are added in order
}

// New returns the vectors of values of at most that size, in the registers that fit takes, given
// the number of elements of a pack; nil if there are none.
func New(size int, global, unroll string, fit func(elements int) bool) *Vectors {
	v := &Vectors{global: global, unroll: unroll, size: size, types: map[loop.Scalar]bool{}, uses: map[string]bool{}, dims: map[loop.Scalar][]int{}}
	for _, r := range registers {
		if fit(r.bytes / size) {
			v.widths = append(v.widths, r.bytes)
		}
	}
	if len(v.widths) == 0 {
		return nil
	}
	return v
}

// Describe says in which processors' registers there are packs, and of how many elements: "8 elements
// with AVX-512, 4 with AVX2, 2 with SSE4.1 or NEON". Which of them it is depends on the compiler's target.
func (v *Vectors) Describe() string {
	var s []string
	for _, r := range registers {
		if slices.Contains(v.widths, r.bytes) {
			what := ""
			if len(s) == 0 {
				what = " elements"
			}
			s = append(s, fmt.Sprintf("%d%s with %s", r.bytes/v.size, what, r.name))
		}
	}
	return strings.Join(s, ", ")
}

// Name returns the type of a vector of values of type s. A vector of bools is a mask, in which all
// bits of a lane are set or clear.
func (v *Vectors) Name(s loop.Scalar) string {
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

// Use returns the name of the function called what for vectors of type s.
func (v *Vectors) Use(what string, s loop.Scalar) string {
	name := v.Name(s) + "_" + what
	v.uses[name] = true
	if what == "select" {
		v.Name(loop.Bool)
	}
	return name
}

// Zero returns the initializer of zero vectors of type s, in that many nested arrays.
func (v *Vectors) Zero(s loop.Scalar, deep int) string {
	if v.global == "" {
		return "{0}"
	}
	value := "0"
	if s == loop.Bool {
		value = "false"
	}
	return strings.Repeat("{", deep) + v.Use("all", s) + "(" + value + ")" + strings.Repeat("}", deep)
}

// elementwise maps functions of math to clang's vector versions.
var elementwise = map[string]string{"Abs": "abs", "Ceil": "ceil", "Floor": "floor", "RoundToEven": "roundeven", "Sqrt": "sqrt", "Trunc": "trunc"}

// Builtin makes the body of a function of vectors call clang's own version, if there is one:
// functions of a device's library are opaque to its vectorizer, unlike those of a host. The general square root is newer
// than those for specific processors.
func (v *Vectors) Builtin(name string, s loop.Scalar, body string) string {
	f := elementwise[name]
	if f == "" || v.global == "" {
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
		try(bytes+"16 && __has_builtin(__builtin_ia32_sqrt"+suffix+")", "__builtin_ia32_sqrt"+suffix+"(x)")
	}
	return text + "#else\n" + body + "#endif\n"
}

// Move returns the name of a function that moves dim values of each element.
func (v *Vectors) Move(what string, s loop.Scalar, dim int) string {
	v.dims[s] = append(v.dims[s], dim)
	return v.Use(what, s)
}

// AddInOrder returns the name of a function that adds that many rows of dim values, element by element.
func (v *Vectors) AddInOrder(s loop.Scalar, dim, rows int) string {
	v.added = max(v.added, rows)
	return v.Move("add_in_order", s, dim)
}

// Masks reports whether there are masks.
func (v *Vectors) Masks() bool { return v.types[loop.Bool] }

// Fills reports whether values of type s are as large as a mask's.
func (v *Vectors) Fills(s loop.Scalar) bool { return s.Size() == v.size }

// Registers of processors: their width in bytes, and the macro that indicates them.
var registers = []struct {
	name  string
	bytes int
	macro string
}{
	{"AVX-512", 64, "defined(__AVX512F__)"},
	{"AVX2", 32, "defined(__AVX2__)"},
	{"SSE4.1 or NEON", 16, "defined(__SSE4_1__) || defined(__ARM_NEON) && defined(__aarch64__)"},
}

// maskScalar returns the integer of a mask's lane.
func (v *Vectors) maskScalar() loop.Scalar {
	if v.size == 8 {
		return loop.Int64
	}
	return loop.Int32
}

// fill substitutes the names of a type in a text.
func (v *Vectors) fill(s loop.Scalar, text string) string {
	name := "op2_mask"
	if s != loop.Bool {
		name = v.Name(s)
	}
	suffix := strings.TrimPrefix(name, "op2_vec")
	return strings.NewReplacer("UNROLL", v.unroll, "GLOBAL", v.global, "INLINE", "static inline __attribute__((always_inline))",
		"TYPE", s.C(), "SIZE", fmt.Sprint(s.Size()), "VEC", name, "ROW4", "op2_row4"+suffix, "ROW2", "op2_row2"+suffix,
		"MASKS", fmt.Sprint(v.size)).Replace(text)
}

// needs reports whether rows of that many values are moved, for n lanes or, if that is 0, for some
// number of them.
func (v *Vectors) needs(s loop.Scalar, row, n int) bool {
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
func (v *Vectors) needsPairs(s loop.Scalar, n int) bool { return s.Size() == 8 && v.needs(s, 2, n) }
