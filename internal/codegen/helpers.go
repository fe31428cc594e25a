package codegen

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	lanes  bool   // it is a function of vectors
}

// check ends the loop where Go would panic.
type check struct {
	cond string // when
	kind int    // of fault
	a, b string // its numbers
}

var (
	divisor      = &check{"y == 0", FaultDivide, "0", "0"}
	shiftCount   = &check{"n < 0", FaultShift, "n", "0"}
	subscript    = &check{"i < 0 || i >= n", FaultIndex, "i", "n"}
	bigSubscript = &check{"i >= (uint64_t)n", FaultUIndex, "(int64_t)i", "n"}
)

// on returns the text of the helper for a device, or for the host if d is nil.
func (h helper) on(d *dialect) string {
	text, function, global, context, single := h.text, "static inline", "", "const "+elementType+" op2", "f"
	if d != nil {
		function, global, context = d.function, d.global, contextType+" *op2"
		if h.device != "" {
			text = h.device
		}
		if d.overloaded {
			single = ""
		}
	}
	return strings.NewReplacer("FUNCTION", function, "GLOBAL", global, "CONTEXT", context, "CHECK", h.check.on(d), "SINGLE", single).Replace(text)
}

// on returns the statement. On the host op2_fault does not return.
func (c *check) on(d *dialect) string {
	if c == nil {
		return ""
	}
	fault := fmt.Sprintf("op2_fault(op2, %d, line, column, %s, %s);", c.kind, c.a, c.b)
	if d == nil {
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
	if op == "div" && t.Unsigned() || op == "rem" && t.Unsigned() {
		text = r.Replace(unsignedDivision[op])
	}
	tmpl.text = text
	h[name] = tmpl
	return name
}

// bits marks the helpers for the bits of floats of type t, which others call, as needed. Their
// names sort first.
func (h helpers) bits(t loop.Scalar) {
	h.use(t.C() + "_bits")
	h.use(t.C() + "_from_bits")
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
func (h helpers) print(w *writer, form formOfHost) {
	if h.fault() {
		switch form {
		case alone:
			w.raw(faultText)
		case threads:
			w.raw(faultTextThreads)
		default:
			w.raw(strings.NewReplacer("static int64_t", "static _Thread_local int64_t", "static jmp_buf", "static _Thread_local jmp_buf").Replace(faultText))
		}
		w.line("")
	}
	for _, n := range h.names() {
		w.raw(h[n].on(nil))
		w.line("")
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

// The kinds of fault, the first number of a fault record.
const (
	FaultIndex = iota + 1 // a is the subscript, b the length
	FaultDivide
	FaultShift  // a is the count
	FaultUIndex // like FaultIndex, with the bits of a uint64 as the subscript
)

// faultText ends the loop at the first fault, like a panic in Go. The record is {kind, line,
// column, a, b, element}.
const faultText = `// Ends the loop at a fault, where Go would panic; the caller reports it, with the element, op2.
static int64_t op2_record[6];
static jmp_buf op2_exit;

static __attribute__((noreturn, cold, noinline))
void op2_fault(int64_t op2, int64_t kind, int64_t line, int64_t column, int64_t a, int64_t b)
{
	op2_record[0] = kind;
	op2_record[1] = line;
	op2_record[2] = column;
	op2_record[3] = a;
	op2_record[4] = b;
	op2_record[5] = op2;
	longjmp(op2_exit, 1);
}`

// faultTextThreads is the same for several threads: each leaves its block, and the fault of the
// block that comes first in the plan's order is reported.
const faultTextThreads = `// Ends the loop at a fault, where Go would panic; the caller reports it, with the element, op2.
static int64_t op2_record[6];
static int32_t op2_first; // the first block that failed, in order of execution
static char op2_lock; // of the record
static _Thread_local int32_t op2_block; // the current one of this thread
static _Thread_local jmp_buf op2_exit;

static __attribute__((noreturn, cold, noinline))
void op2_fault(int64_t op2, int64_t kind, int64_t line, int64_t column, int64_t a, int64_t b)
{
	while (__atomic_exchange_n(&op2_lock, 1, __ATOMIC_ACQUIRE))
		;
	if (op2_block < op2_first) {
		__atomic_store_n(&op2_first, op2_block, __ATOMIC_RELAXED);
		op2_record[0] = kind;
		op2_record[1] = line;
		op2_record[2] = column;
		op2_record[3] = a;
		op2_record[4] = b;
		op2_record[5] = op2;
	}
	__atomic_store_n(&op2_lock, 0, __ATOMIC_RELEASE);
	longjmp(op2_exit, 1);
}`

var unsignedDivision = map[string]string{
	"div": `FUNCTION TYPE NAME(CONTEXT, TYPE x, TYPE y, int line, int column)
{
CHECK
	return x / y;
}`,
	"rem": `FUNCTION TYPE NAME(CONTEXT, TYPE x, TYPE y, int line, int column)
{
CHECK
	return x % y;
}`,
}

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
	"double_bits": {text: `FUNCTION uint64_t op2_double_bits(double x)
{
	uint64_t u;
	memcpy(&u, &x, sizeof u);
	return u;
}`, device: `FUNCTION uint64_t op2_double_bits(double x)
{
	union { double x; uint64_t u; } both;
	both.x = x;
	return both.u;
}`},
	"double_from_bits": {text: `FUNCTION double op2_double_from_bits(uint64_t u)
{
	double x;
	memcpy(&x, &u, sizeof x);
	return x;
}`, device: `FUNCTION double op2_double_from_bits(uint64_t u)
{
	union { double x; uint64_t u; } both;
	both.u = u;
	return both.x;
}`},
	"float_bits": {text: `FUNCTION uint32_t op2_float_bits(float x)
{
	uint32_t u;
	memcpy(&u, &x, sizeof u);
	return u;
}`, device: `FUNCTION uint32_t op2_float_bits(float x)
{
	union { float x; uint32_t u; } both;
	both.x = x;
	return both.u;
}`},
	"float_from_bits": {text: `FUNCTION float op2_float_from_bits(uint32_t u)
{
	float x;
	memcpy(&x, &u, sizeof x);
	return x;
}`, device: `FUNCTION float op2_float_from_bits(uint32_t u)
{
	union { float x; uint32_t u; } both;
	both.u = u;
	return both.x;
}`},
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

const (
	contextType = "op2_context"
	elementType = "int64_t"
)
