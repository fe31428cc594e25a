package csource

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// Known lists the names that a kernel may use without declaring them.
type Known struct {
	Headers []string        // standard headers
	Macros  map[string]bool // that these define
	Types   map[string]bool // of the headers
	Math    map[string]bool // functions of math.h
	Others  map[string]bool // functions of the other headers
	Consts  []kernel.Const
	Structs []string // of the program
}

// set returns the words of a text.
func set(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// dropped are words that say nothing about values.
var dropped = set("__device__ __host__ __forceinline__ __global__ noexcept mutable class")

// basic lists the words for types of C.
var basic = set("void char short int long float double signed unsigned bool _Bool")

// integers lists the words in types of integers.
var integers = set("char short int long signed unsigned size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t")

// integer reports whether the words for a type, as newParam gives them, are those of an integer.
func integer(of string) bool {
	words := strings.Fields(of)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !integers[w] })
}

// qualifiers are words in declarations that are no part of a type's name.
var qualifiers = set("const constexpr volatile static extern register inline struct union enum typedef restrict " +
	"__restrict__ __restrict __device__ __host__ __forceinline__")

// keywords are the words that no declaration declares.
var keywords = set("auto break case char const continue default do double else enum extern float for goto " +
	"if inline int long register restrict return short signed sizeof static struct switch " +
	"typedef union unsigned void volatile while bool _Bool __restrict__ __restrict constexpr class " +
	"__device__ __host__ __forceinline__ __inline__ __inline __global__ noexcept")

// attributes are the words before a parenthesis that say something about a declaration.
var attributes = []string{"__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "__launch_bounds__"}

// alternatives are words of C++ for operators.
var alternatives = map[string]string{
	"and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~",
	"and_eq": "&=", "or_eq": "|=", "xor_eq": "^=", "not_eq": "!=",
}

// onlyCpp are words of C++, and what to write instead.
var onlyCpp = map[string]string{
	"using":        "write the type's name",
	"new":          "use an array of constant length",
	"delete":       "use an array of constant length",
	"try":          "count failures in a global that is passed with Inc",
	"throw":        "count failures in a global that is passed with Inc",
	"template":     "write a function for each type that is used",
	"dynamic_cast": "use plain structs and functions",
	"this":         "pass a pointer to a function",
	"typeid":       "use plain structs and functions",
	"decltype":     "write the type",
	"operator":     "write a function with a name",
	"cout":         "print with printf, of stdio.h",
	"cerr":         "print with printf, of stdio.h",
	"endl":         "print with printf, of stdio.h",
}

// assignments are the operators that change an operand.
var assignments = []string{"++", "--", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}

// extremes gives the meaning of std::max and std::min, and of OP2's macros.
var extremes = map[string]string{"max": "a<b?b:a", "min": "b<a?b:a", "MAX": "a>b?a:b", "MIN": "a<b?a:b"}

func numberKind(text string) string {
	lower := strings.ToLower(text)
	switch {
	case strings.HasPrefix(lower, "0x") && !strings.Contains(lower, "p"):
		return "int"
	case !strings.ContainsAny(lower, ".ep"):
		return "int"
	case strings.HasSuffix(lower, "f"):
		return "float"
	}
	return "double"
}
