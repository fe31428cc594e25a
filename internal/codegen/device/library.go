package device

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/mathfn"
	"github.com/go-op2/op2/internal/sorting"
)

// Devices have no C library. A C kernel that is included verbatim gets what it uses of one: functions with the types of
// C, where those of a device choose by the types of their arguments or are missing, and the constants of headers.

// headers lists includes that this replaces.
var headers = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<(assert|float|limits|math|stdbool|stddef|stdint|stdio|stdlib|string|tgmath)\.h>`)

// useLibrary prepares what the source of the kernel uses of C's library, and does not define.
func (g *deviceLoop) useLibrary() {
	used := text.Words(strings.Join(words.FindAllString(g.Kernel.Source, -1), " "))
	for _, f := range g.Kernel.Funcs {
		delete(used, f.Name)
	}
	for _, m := range defined.FindAllStringSubmatch(g.Kernel.Source, -1) {
		delete(used, m[1])
	}
	var functions, defines strings.Builder
	function := func(name, result, params, value string) {
		fmt.Fprintf(&functions, "%s %s op2_c_%s(%s) { return %s; }\n", g.Function, result, name, params, value)
		fmt.Fprintf(&defines, "#define %[1]s op2_c_%[1]s\n", name)
	}
	for _, name := range sorting.Keys(used) {
		base, single := strings.CutSuffix(name, "f")
		if value, ok := limits[name]; ok {
			fmt.Fprintf(&defines, "#ifndef %[1]s\n#define %[1]s %[2]s\n#endif\n", name, value)
		} else if f, float := mathfn.LookupC(name); f != nil && f.Results[0].Float() {
			args := []string{"x", "y", "z"}[:len(f.Params)]
			function(name, float.C(), float.C()+" "+strings.Join(args, ", "+float.C()+" "), g.builtin(f.C, float)+"("+strings.Join(args, ", ")+")")
		} else if f, ok := integerFunctions[name]; ok {
			function(name, f.result, f.params, strings.ReplaceAll(f.value, "SINGLE", ""))
		} else if f, ok := integerFunctions[base]; ok && single {
			suffix := "f"
			if g.Overloaded {
				suffix = ""
			}
			toFloat := strings.NewReplacer("double", "float", "SINGLE", suffix)
			function(name, toFloat.Replace(f.result), toFloat.Replace(f.params), toFloat.Replace(f.value))
		}
	}
	g.library = functions.String() + defines.String()
}

// builtin returns the name of a function of <math.h> on floats of a type.
func (g *deviceLoop) builtin(name string, float loop.Scalar) string {
	typed := name
	if float == loop.Float32 {
		typed += "f"
	}
	switch {
	case len(g.p.UseOwnMath(typed)) > 0:
		return "op2_" + typed
	case g.Overloaded:
		return name
	}
	return typed
}

// integerFunctions are those that take or return integers. Those of <math.h> have variants for float,
// for which SINGLE stands for the suffix of names.
var integerFunctions = map[string]struct{ result, params, value string }{
	"abs":     {"int", "int x", "x < 0 ? -x : x"},
	"labs":    {"int64_t", "int64_t x", "x < 0 ? -x : x"},
	"llabs":   {"int64_t", "int64_t x", "x < 0 ? -x : x"},
	"ldexp":   {"double", "double x, int n", "ldexpSINGLE(x, n)"},
	"scalbn":  {"double", "double x, int n", "ldexpSINGLE(x, n)"},
	"scalbln": {"double", "double x, int64_t n", "ldexpSINGLE(x, n < -5000 ? -5000 : n > 5000 ? 5000 : (int)n)"},
	"ilogb":   {"int", "double x", "ilogbSINGLE(x)"},
	"frexp":   {"double", "double x, int *n", "frexpSINGLE(x, n)"},
	"modf":    {"double", "double x, double *whole", "modfSINGLE(x, whole)"},
	"remquo":  {"double", "double x, double y, int *n", "remquoSINGLE(x, y, n)"},
	"lround":  {"int64_t", "double x", "(int64_t)roundSINGLE(x)"},
	"llround": {"int64_t", "double x", "(int64_t)roundSINGLE(x)"},
	"lrint":   {"int64_t", "double x", "(int64_t)rintSINGLE(x)"},
	"llrint":  {"int64_t", "double x", "(int64_t)rintSINGLE(x)"},
}

// limits are the constants of <float.h>, <limits.h> and <stdint.h>.
var limits = map[string]string{
	"FLT_MAX": "0x1.fffffep127f", "FLT_MIN": "0x1p-126f", "FLT_EPSILON": "0x1p-23f", "FLT_DIG": "6", "FLT_MANT_DIG": "24",
	"DBL_MAX": "0x1.fffffffffffffp1023", "DBL_MIN": "0x1p-1022", "DBL_EPSILON": "0x1p-52", "DBL_DIG": "15", "DBL_MANT_DIG": "53",
	"CHAR_BIT": "8", "SCHAR_MAX": "127", "SCHAR_MIN": "(-128)", "UCHAR_MAX": "255", "SHRT_MAX": "32767", "SHRT_MIN": "(-32768)", "USHRT_MAX": "65535",
	"INT_MAX": "2147483647", "INT_MIN": "(-2147483647 - 1)", "UINT_MAX": "4294967295u",
	"LONG_MAX": "INT64_C(9223372036854775807)", "LONG_MIN": "INT64_MIN", "ULONG_MAX": "UINT64_C(18446744073709551615)",
	"LLONG_MAX": "INT64_C(9223372036854775807)", "LLONG_MIN": "INT64_MIN", "ULLONG_MAX": "UINT64_C(18446744073709551615)",
	"INT8_MAX": "127", "INT8_MIN": "(-128)", "UINT8_MAX": "255", "INT16_MAX": "32767", "INT16_MIN": "(-32768)", "UINT16_MAX": "65535",
	"UINT32_MAX": "4294967295u", "INT64_MAX": "INT64_C(9223372036854775807)", "UINT64_MAX": "UINT64_C(18446744073709551615)", "SIZE_MAX": "UINT64_C(18446744073709551615)",
	"HUGE_VAL": "INFINITY", "HUGE_VALF": "INFINITY",
}

var (
	defined   = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`)
	words     = regexp.MustCompile(`\w+`)
	longLongs = regexp.MustCompile(`\blong[ \t]+long\b`)
	suffixes  = regexp.MustCompile(`\b(0[xX][0-9a-fA-F]+|[0-9]+)([uU]?)(?:LL|ll)([uU]?)\b`)
)

// sourceText returns the source of a C kernel without headers. In OpenCL C, long has 64 bits, and long long, which is
// reserved, 128 of them. Columns remain as they are.
func (g *deviceLoop) sourceText() string {
	source := headers.ReplaceAllString(g.Kernel.Source, "")
	if !g.wideLongLong {
		return source
	}
	source = longLongs.ReplaceAllStringFunc(source, func(m string) string { return "long" + strings.Repeat(" ", len(m)-4) })
	return suffixes.ReplaceAllString(source, "${1}${2}L${3} ")
}
