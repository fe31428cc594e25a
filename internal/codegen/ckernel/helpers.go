package ckernel

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/loop"
)

// helpers is the set of small functions that a source needs for what Go defines and C does not:
// division by zero, wide shifts, subscripts, NaN in min and max.
type helpers map[string]helper

// helper is one of them. Its text is for all targets: FUNCTION stands for the qualifiers of a
// function, GLOBAL for those of the loop's data, CONTEXT for the first parameter of one that may
// fail, CHECK for its check, and SINGLE for the suffix of float functions' names.
type helper struct {
	text   string
	device string // the text for devices, if different
	check  *check // what may end the loop
	late   bool   // it calls others, whatever their names
}

// check ends the loop where Go would panic.
type check struct {
	cond string // when
	kind int    // of fault
	a, b string // its numbers
}

var (
	divisor      = &check{"y == 0", codegen.FaultDivide, "0", "0"}
	shiftCount   = &check{"n < 0", codegen.FaultShift, "n", "0"}
	subscript    = &check{"i < 0 || i >= n", codegen.FaultIndex, "i", "n"}
	bigSubscript = &check{"i >= (uint64_t)n", codegen.FaultUIndex, "(int64_t)i", "n"}
)

// on returns the text of the helper for a target.
func (h helper) on(t *Target) string {
	text, single := h.text, "f"
	if t.Apart && h.device != "" {
		text = h.device
	}
	if t.Overloaded {
		single = ""
	}
	return strings.NewReplacer("FUNCTION", t.Function, "GLOBAL", t.Global, "CONTEXT", t.Context+"op2", "CHECK", h.check.on(t), "SINGLE", single).Replace(text)
}

// on returns the statement. Where a fault leaves the loop, op2_fault does not return.
func (c *check) on(t *Target) string {
	if c == nil {
		return ""
	}
	fault := fmt.Sprintf("op2_fault(op2, %d, line, column, %s, %s);", c.kind, c.a, c.b)
	if t.Leaves {
		return "\tif (" + c.cond + ")\n\t\t" + fault
	}
	return "\tif (" + c.cond + ") {\n\t\t" + fault + "\n\t\treturn 0;\n\t}"
}

// use marks the helper as needed, and returns its C name.
func (h helpers) use(name string) string {
	switch name {
	case "min", "max", "frexp", "ilogb", "signbit":
		h.bits(loop.Float64)
	}
	h["op2_"+name] = fixed[name]
	return "op2_" + name
}

// useOwn marks op2's own form of a function of <math.h> as needed, and returns its name.
func (h helpers) useOwn(name string) string {
	h["op2_"+name] = helper{text: ownText(name)}
	return "op2_" + name
}

// useFor marks the helper for values of type t as needed, and returns its C name.
func (h helpers) useFor(op string, t loop.Scalar) string {
	name := "op2_" + op + "_" + t.String()
	if t.Float() { // like the fixed ones: double
		name = "op2_" + op + "_" + t.C()
	}
	tmpl := generic[op]
	if t.Float() && floatGeneric[op].text != "" {
		tmpl = floatGeneric[op]
		h.bits(t)
	}
	unsigned := loop.Scalar(t)
	if t.Signed() {
		unsigned = t + (loop.Uint8 - loop.Int8)
	}
	r := strings.NewReplacer("NAME", name, "UTYPE", unsigned.C(), "TYPE", t.C(), "BITS", fmt.Sprint(8*t.Size()))
	text := r.Replace(tmpl.text)
	tmpl.device = r.Replace(tmpl.device)
	if t.Unsigned() {
		text = signedOnly.ReplaceAllString(text, "return $1;")
	}
	tmpl.text = text
	h[name] = tmpl
	return name
}

// bits marks the helpers for the bits of floats of type t, which others call, as needed. Their
// names sort first.
func (h helpers) bits(t loop.Scalar) {
	for _, name := range []string{t.C() + "_bits", t.C() + "_from_bits"} {
		h["op2_"+name] = fixed[name]
	}
}

// fault reports whether one of the helpers may end the loop.
func (h helpers) fault() bool {
	for _, f := range h {
		if f.check != nil {
			return true
		}
	}
	return false
}

// print writes the helpers in order of their names, after those that they depend on.
func (h helpers) print(w *text.Writer, t *Target) {
	for _, n := range h.names() {
		w.Raw(h[n].on(t))
		w.Line("")
	}
}

// names returns the names of the helpers, those that call others after them.
func (h helpers) names() []string {
	return slices.SortedFunc(maps.Keys(h), func(a, b string) int {
		if h[a].late != h[b].late {
			if h[a].late {
				return 1
			}
			return -1
		}
		return cmp.Compare(a, b)
	})
}

// signedOnly matches what follows the check of a division, which only signed integers need.
var signedOnly = regexp.MustCompile(`return y == -1 \? .* : (?:\(\w+\))\((x [/%] y)\);.*`)

// generic are helpers for every integer type.
var generic = map[string]helper{
	"div": {text: `FUNCTION TYPE NAME(CONTEXT, TYPE x, TYPE y, int line, int column)
{
CHECK
	return y == -1 ? (TYPE)-(UTYPE)x : (TYPE)(x / y); // the smallest value over -1 wraps
}`, check: divisor},
	"rem": {text: `FUNCTION TYPE NAME(CONTEXT, TYPE x, TYPE y, int line, int column)
{
CHECK
	return y == -1 ? 0 : (TYPE)(x % y);
}`, check: divisor},
	"shl": {text: `FUNCTION TYPE NAME(TYPE x, uint64_t n)
{
	return n < BITS ? (TYPE)((UTYPE)x << n) : 0;
}`},
	"shr": {text: `FUNCTION TYPE NAME(TYPE x, uint64_t n)
{
	return x >> (n < BITS ? n : BITS - 1) >> (n < BITS ? 0 : 1);
}`},
	"sshl": {text: `FUNCTION TYPE NAME(CONTEXT, TYPE x, int64_t n, int line, int column)
{
CHECK
	return n < BITS ? (TYPE)((UTYPE)x << n) : 0;
}`, check: shiftCount},
	"sshr": {text: `FUNCTION TYPE NAME(CONTEXT, TYPE x, int64_t n, int line, int column)
{
CHECK
	return x >> (n < BITS ? n : BITS - 1) >> (n < BITS ? 0 : 1);
}`, check: shiftCount},
	"min": {text: `FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return x < y ? x : y;
}`},
	"max": {text: `FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return x > y ? x : y;
}`},
}

// floatGeneric are min and max with Go's meaning: NaN if one is NaN, -0 below 0. Each selection is one instruction of
// x86 and gives its second operand for NaN and for equal values. The two orders then differ only for zeros, where the
// bits decide on the sign, and for NaN, which survives an or, but not an and. Nothing branches on which value is
// smaller or whether they are equal, which no processor can predict. Compilers for devices are less exact about which
// zero a selection gives.
var floatGeneric = map[string]helper{
	"min": {text: `FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return op2_TYPE_from_bits(op2_TYPE_bits(x < y ? x : y) | op2_TYPE_bits(y < x ? y : x));
}`, device: `FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return x == y ? op2_TYPE_from_bits(op2_TYPE_bits(x) | op2_TYPE_bits(y)) : x != x || x < y ? x : y;
}`},
	"max": {text: `FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	const TYPE m = op2_TYPE_from_bits(op2_TYPE_bits(x > y ? x : y) & op2_TYPE_bits(y > x ? y : x));
	return x != x || y != y ? x + y : m;
}`, device: `FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return x == y ? op2_TYPE_from_bits(op2_TYPE_bits(x) & op2_TYPE_bits(y)) : x != x || x > y ? x : y;
}`},
}

// toBits and fromBits convert between a float and its bits.
var (
	toBits = helper{text: `FUNCTION UTYPE op2_TYPE_bits(TYPE x)
{
	UTYPE u;
	memcpy(&u, &x, sizeof u);
	return u;
}`, device: `FUNCTION UTYPE op2_TYPE_bits(TYPE x)
{
	union { TYPE x; UTYPE u; } both;
	both.x = x;
	return both.u;
}`}
	fromBits = helper{text: `FUNCTION TYPE op2_TYPE_from_bits(UTYPE u)
{
	TYPE x;
	memcpy(&x, &u, sizeof x);
	return x;
}`, device: `FUNCTION TYPE op2_TYPE_from_bits(UTYPE u)
{
	union { TYPE x; UTYPE u; } both;
	both.u = u;
	return both.x;
}`}
)

// of returns the helper for a type of floats, whose bits are of another.
func of(float, bits string, h helper) helper {
	r := strings.NewReplacer("UTYPE", bits, "TYPE", float)
	return helper{text: r.Replace(h.text), device: r.Replace(h.device)}
}

var fixed = map[string]helper{
	"apart":        {text: apartText, device: apartDevice},
	"apart_memory": {text: "// Nothing is known about x in memory, or about how it came there.\n#define op2_apart_memory(x) __asm__(\"\" : \"+m\"(x))"},
	"positions": {text: `// The positions of an element's rows and columns, -1 for none.
FUNCTION void op2_positions(int32_t *at, const int32_t *rowptr, const int32_t *colidx,
	const int32_t *rows, int nrows, const int32_t *cols, int ncols)
{
	for (int i = 0; i < nrows; i++) {
		for (int j = 0; j < ncols; j++, at++) {
			*at = -1;
			if (rows[i] < 0 || cols[j] < 0)
				continue;
			int32_t from = rowptr[rows[i]], to = rowptr[rows[i] + 1];
			while (to - from > 8) {
				const int32_t middle = from + (to - from) / 2;
				if (colidx[middle] <= cols[j])
					from = middle;
				else
					to = middle;
			}
			while (colidx[from] != cols[j])
				from++;
			*at = from;
		}
	}
}`},
	"position": {text: `// The position of a row and a column, -1 for none.
FUNCTION int32_t op2_position(GLOBALconst int32_t *rowptr, GLOBALconst int32_t *colidx, int32_t row, int32_t col)
{
	if (row < 0 || col < 0)
		return -1;
	int32_t from = rowptr[row], to = rowptr[row + 1];
	while (to - from > 8) {
		const int32_t middle = from + (to - from) / 2;
		if (colidx[middle] <= col)
			from = middle;
		else
			to = middle;
	}
	while (colidx[from] != col)
		from++;
	return from;
}`},
	"index": {text: `FUNCTION int64_t op2_index(CONTEXT, int64_t i, int64_t n, int line, int column)
{
CHECK
	return i;
}`, check: subscript},
	"uindex": {text: `FUNCTION int64_t op2_uindex(CONTEXT, uint64_t i, int64_t n, int line, int column)
{
CHECK
	return (int64_t)i;
}`, check: bigSubscript},
	"to_uint64": {text: `FUNCTION uint64_t op2_to_uint64(double x)
{
	const double middle = 9223372036854775808.0;
	return x < middle ? (uint64_t)(int64_t)x : (uint64_t)(int64_t)(x - middle) ^ (UINT64_C(1) << 63);
}`},
	"min": {text: `// math.Min: where the builtin min gives NaN, -Inf comes first.
FUNCTION double op2_min(double x, double y)
{
	double m = op2_double_from_bits(op2_double_bits(x < y ? x : y) | op2_double_bits(y < x ? y : x));
	m = x == -INFINITY ? x : m;
	return y == -INFINITY ? y : m;
}`, device: `// math.Min: where the builtin min gives NaN, -Inf comes first.
FUNCTION double op2_min(double x, double y)
{
	if (x == y)
		return op2_double_from_bits(op2_double_bits(x) | op2_double_bits(y));
	return x == -INFINITY || y != -INFINITY && (x != x || x < y) ? x : y;
}`},
	"max": {text: `// math.Max: where the builtin max gives NaN, +Inf comes first.
FUNCTION double op2_max(double x, double y)
{
	double m = op2_double_from_bits(op2_double_bits(x > y ? x : y) & op2_double_bits(y > x ? y : x));
	m = x != x || y != y ? x + y : m;
	m = x == INFINITY ? x : m;
	return y == INFINITY ? y : m;
}`, device: `// math.Max: where the builtin max gives NaN, +Inf comes first.
FUNCTION double op2_max(double x, double y)
{
	if (x == y)
		return op2_double_from_bits(op2_double_bits(x) & op2_double_bits(y));
	return x == INFINITY || y != INFINITY && (x != x || x > y) ? x : y;
}`},
	"dim": {text: `FUNCTION double op2_dim(double x, double y)
{
	const double d = x - y;
	return d <= 0 ? 0 : d;
}`},
	"double_bits":      of("double", "uint64_t", toBits),
	"double_from_bits": of("double", "uint64_t", fromBits),
	"float_bits":       of("float", "uint32_t", toBits),
	"float_from_bits":  of("float", "uint32_t", fromBits),
	"ilogb": {text: `FUNCTION int64_t op2_ilogb(double x)
{
	const int64_t exponent = (int64_t)(op2_double_bits(fabs(x) < 0x1p-1022 ? x * 0x1p54 : x) >> 52 & 0x7ff) - 1023;
	return x == 0 ? INT32_MIN : exponent == 1024 ? INT32_MAX : fabs(x) < 0x1p-1022 ? exponent - 54 : exponent;
}`},
	"inf": {text: `FUNCTION double op2_inf(int64_t sign)
{
	return sign >= 0 ? INFINITY : -INFINITY;
}`},
	"isinf": {text: `FUNCTION bool op2_isinf(double x, int64_t sign)
{
	return (sign >= 0 && x == INFINITY) || (sign <= 0 && x == -INFINITY);
}`},
	"ldexp": {text: `FUNCTION double op2_ldexp(double x, int64_t n)
{
	return ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);
}`},
	"nextafter": {text: `FUNCTION double op2_nextafter(double x, double y)
{
	return x == y ? x : nextafter(x, y);
}`},
	"nextafterf": {text: `FUNCTION float op2_nextafterf(float x, float y)
{
	return x == y ? x : nextafterSINGLE(x, y);
}`},
	"frexp": {text: `FUNCTION void op2_frexp(double x, double *fraction, int64_t *exponent)
{
	const int64_t scale = fabs(x) < 0x1p-1022 ? 54 : 0; // makes subnormals normal
	const uint64_t u = op2_double_bits(scale ? x * 0x1p54 : x);
	const int64_t e = (int64_t)(u >> 52 & 0x7ff) - 1022;
	const bool none = (x == 0) | (e == 1025); // also of infinities and NaN
	*fraction = none ? x : op2_double_from_bits((u & UINT64_C(0x800fffffffffffff)) | UINT64_C(0x3fe0000000000000));
	*exponent = none ? 0 : e - scale;
}`},
	"lgamma": {text: `FUNCTION void op2_lgamma(double x, double *value, int64_t *sign)
{
	int s = 1;
	*value = x == -INFINITY ? x : lgamma_r(x, &s);
	*sign = s < 0 && x != 0 ? -1 : 1;
}`, device: `FUNCTION void op2_lgamma(double x, double *value, int64_t *sign)
{
	*value = x == -INFINITY ? x : lgamma(x);
	*sign = x < 0 && floor(x) != x && fmod(floor(x), 2.0) != 0 ? -1 : 1;
}`},
	"modf": {text: `FUNCTION void op2_modf(double x, double *whole, double *fraction)
{
	*whole = trunc(x);
	*fraction = copysign(x - *whole, x);
}`},
	"signbit": {text: `FUNCTION bool op2_signbit(double x)
{
	return op2_double_bits(x) >> 63 != 0;
}`},
	"array": {device: `template <class T, int N> struct op2_array {
	T values[N];
};`},
}

// apartText makes a float, or a vector of floats, one that the compiler knows nothing about, for
// free: it stays in its register.
const apartText = `// Nothing is known about how x was computed: no product before is fused with a sum after.
#if defined(__x86_64__)
#define op2_apart(x) __asm__("" : "+v"(x))
#elif defined(__aarch64__)
#define op2_apart(x) __asm__("" : "+w"(x))
#else
#define op2_apart(x) __asm__("" : "+m"(x))
#endif`

// apartDevice is the same for CUDA C++, and where that runs on a processor.
const apartDevice = `// Nothing is known about how x was computed: no product before is fused with a sum after.
#if defined(__CUDA_ARCH__)
[[maybe_unused]] static __device__ inline void op2_apart(double &x) { asm("" : "+d"(x)); }
[[maybe_unused]] static __device__ inline void op2_apart(float &x) { asm("" : "+f"(x)); }
#else
#define op2_apart(x) __asm__("" : "+m"(x))
#endif`

// UndefinedInPoCL are the functions of <math.h> whose built-in is undefined for some constants in PoCL 3.1, where it
// converts them to integers: most of them for NaN. Its compiler then takes any value, or drops branches of the kernel.
const UndefinedInPoCL = `rint rintf remainder remainderf powf atan2f
	ceil ceilf floor floorf round roundf trunc truncf exp expf exp2 exp2f expm1 expm1f sinhf tanhf tgammaf`

// ownText returns a form of a function of <math.h> that is defined for all values.
func ownText(name string) string {
	base, float := strings.CutSuffix(name, "f")
	text := strings.ReplaceAll(cmp.Or(ownTexts[base], unlessNaN), "NAME", base)
	if !float {
		return text
	}
	return strings.NewReplacer("double", "float", "op2_"+base, "op2_"+name, "0x1p52", "0x1p23f", "0x1p1023", "0x1p127f").Replace(text)
}

const unlessNaN = `FUNCTION double op2_NAME(double x)
{
	return x != x ? x : NAME(x);
}`

var ownTexts = map[string]string{
	// From 2^52 on all numbers are whole.
	"rint": `FUNCTION double op2_rint(double x)
{
	return fabs(x) < 0x1p52 ? copysign(fabs(x) + 0x1p52 - 0x1p52, x) : x;
}`,
	// Subtract from x the multiple of y that leaves the least: the multiples of 2 y first.
	"remainder": `FUNCTION double op2_remainder(double x, double y)
{
	const double d = fabs(y);
	if (!(fabs(x) < INFINITY) || !(d > 0))
		return NAN;
	double r = d < 0x1p1023 ? fmod(fabs(x), 2 * d) : fabs(x);
	if (r > d - r) {
		r -= d;
		if (r >= d - r)
			r -= d;
	}
	return signbit(x) ? -r : r;
}`,
	"pow": `FUNCTION double op2_pow(double x, double y)
{
	if (x == 1 || y == 0)
		return 1;
	return x != x || y != y ? x + y : pow(x, y);
}`,
	"tanh": `FUNCTION double op2_tanh(double x)
{
	if (x != x)
		return x;
	return fabs(x) < 20 ? tanh(x) : copysign((double)1, x); // which PoCL's own comes close to
}`,
	"atan2": `FUNCTION double op2_atan2(double y, double x)
{
	const double angle = signbit(x) ? 3.14159265358979323846 : 0;
	return x == 0 && y == 0 ? copysign(angle, y) : atan2(y, x);
}`,
}
