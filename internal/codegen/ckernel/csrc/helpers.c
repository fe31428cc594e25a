//: div of integers
FUNCTION TYPE NAME(CONTEXT, TYPE x, TYPE y, int line, int column)
{
CHECK
	return y == -1 ? (TYPE)-(UTYPE)x : (TYPE)(x / y); // the smallest value over -1 wraps
}

//: max of integers
FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return x > y ? x : y;
}

//: max of floats
FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	const TYPE m = op2_TYPE_from_bits(op2_TYPE_bits(x > y ? x : y) & op2_TYPE_bits(y > x ? y : x));
	return x != x || y != y ? x + y : m;
}

//: max of floats on devices
FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return x == y ? op2_TYPE_from_bits(op2_TYPE_bits(x) & op2_TYPE_bits(y)) : x != x || x > y ? x : y;
}

//: min of integers
FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return x < y ? x : y;
}

//: min of floats
//- Go's meaning: NaN if one is NaN, -0 below 0. Each selection is one instruction of x86 and gives its second
//- operand for NaN and for equal values. The two orders then differ only for zeros, where the bits decide on the
//- sign, and for NaN, which survives an or, but not an and. Nothing branches on which value is smaller or whether
//- they are equal, which no processor can predict. Compilers for devices are less exact about which zero a
//- selection gives.
FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return op2_TYPE_from_bits(op2_TYPE_bits(x < y ? x : y) | op2_TYPE_bits(y < x ? y : x));
}

//: min of floats on devices
FUNCTION TYPE NAME(TYPE x, TYPE y)
{
	return x == y ? op2_TYPE_from_bits(op2_TYPE_bits(x) | op2_TYPE_bits(y)) : x != x || x < y ? x : y;
}

//: parts of floats
INLINE op2_wide op2_wide_part(VEC x, int first)
{
	op2_wide r;
	for (int l = 0; l < OP2_LANES / PARTS; l++)
		r[l] = x[first + l];
	return r;
}

//: rem of integers
FUNCTION TYPE NAME(CONTEXT, TYPE x, TYPE y, int line, int column)
{
CHECK
	return y == -1 ? 0 : (TYPE)(x % y);
}

//: shl of integers
FUNCTION TYPE NAME(TYPE x, uint64_t n)
{
	return n < BITS ? (TYPE)((UTYPE)x << n) : 0;
}

//: shr of integers
FUNCTION TYPE NAME(TYPE x, uint64_t n)
{
	return x >> (n < BITS ? n : BITS - 1) >> (n < BITS ? 0 : 1);
}

//: sshl of integers
FUNCTION TYPE NAME(CONTEXT, TYPE x, int64_t n, int line, int column)
{
CHECK
	return n < BITS ? (TYPE)((UTYPE)x << n) : 0;
}

//: sshr of integers
FUNCTION TYPE NAME(CONTEXT, TYPE x, int64_t n, int line, int column)
{
CHECK
	return x >> (n < BITS ? n : BITS - 1) >> (n < BITS ? 0 : 1);
}

//: apart
//- A float, or a vector of floats, stays in its register: this is free.
// Nothing is known about how x was computed: no product before is fused with a sum after.
#if defined(__x86_64__)
#define op2_apart(x) __asm__("" : "+v"(x))
#elif defined(__aarch64__)
#define op2_apart(x) __asm__("" : "+w"(x))
#else
#define op2_apart(x) __asm__("" : "+m"(x))
#endif

//: apart on devices
//- For CUDA C++, and where that runs on a processor.
// Nothing is known about how x was computed: no product before is fused with a sum after.
#if defined(__CUDA_ARCH__)
[[maybe_unused]] static __device__ inline void op2_apart(double &x) { asm("" : "+d"(x)); }
[[maybe_unused]] static __device__ inline void op2_apart(float &x) { asm("" : "+f"(x)); }
#else
#define op2_apart(x) __asm__("" : "+m"(x))
#endif

//: apart_memory
// Nothing is known about x in memory, or about how it came there.
#define op2_apart_memory(x) __asm__("" : "+m"(x))

//: array on devices
template <class T, int N> struct op2_array {
	T values[N];
};

//: dim
FUNCTION double op2_dim(double x, double y)
{
	const double d = x - y;
	return d <= 0 ? 0 : d;
}

//: double_bits
FUNCTION uint64_t op2_double_bits(double x)
{
	uint64_t u;
	__builtin_memcpy(&u, &x, sizeof u);
	return u;
}

//: double_bits on devices
FUNCTION uint64_t op2_double_bits(double x)
{
	union { double x; uint64_t u; } both;
	both.x = x;
	return both.u;
}

//: double_from_bits
FUNCTION double op2_double_from_bits(uint64_t u)
{
	double x;
	__builtin_memcpy(&x, &u, sizeof x);
	return x;
}

//: double_from_bits on devices
FUNCTION double op2_double_from_bits(uint64_t u)
{
	union { double x; uint64_t u; } both;
	both.u = u;
	return both.x;
}

//: float_bits
FUNCTION uint32_t op2_float_bits(float x)
{
	uint32_t u;
	__builtin_memcpy(&u, &x, sizeof u);
	return u;
}

//: float_bits on devices
FUNCTION uint32_t op2_float_bits(float x)
{
	union { float x; uint32_t u; } both;
	both.x = x;
	return both.u;
}

//: float_from_bits
FUNCTION float op2_float_from_bits(uint32_t u)
{
	float x;
	__builtin_memcpy(&x, &u, sizeof x);
	return x;
}

//: float_from_bits on devices
FUNCTION float op2_float_from_bits(uint32_t u)
{
	union { float x; uint32_t u; } both;
	both.u = u;
	return both.x;
}

//: form of floats
INLINE VEC VEC_NAME(PARAMS)
{
	VEC r;
	for (int first = 0; first < OP2_LANES; first += OP2_LANES / PARTS) {
		const op2_wide part = op2_wide_NAME(WIDE);
		for (int l = 0; l < OP2_LANES / PARTS; l++)
			r[first + l] = (float)part[l];
	}
	return r;
}

//: form of the library
INLINE VEC VEC_NAME(PARAMS)
{
	VEC r;
	for (int l = 0; l < OP2_LANES; l++)
		r[l] = CALL;
	return r;
}

//: frexp
FUNCTION void op2_frexp(double x, double *fraction, int64_t *exponent)
{
	const int64_t scale = fabs(x) < 0x1p-1022 ? 54 : 0; // makes subnormals normal
	const uint64_t u = op2_double_bits(scale ? x * 0x1p54 : x);
	const int64_t e = (int64_t)(u >> 52 & 0x7ff) - 1022;
	const bool none = (x == 0) | (e == 1025); // also of infinities and NaN
	*fraction = none ? x : op2_double_from_bits((u & UINT64_C(0x800fffffffffffff)) | UINT64_C(0x3fe0000000000000));
	*exponent = none ? 0 : e - scale;
}

//: ilogb
FUNCTION int64_t op2_ilogb(double x)
{
	const int64_t exponent = (int64_t)(op2_double_bits(fabs(x) < 0x1p-1022 ? x * 0x1p54 : x) >> 52 & 0x7ff) - 1023;
	return x == 0 ? INT32_MIN : exponent == 1024 ? INT32_MAX : fabs(x) < 0x1p-1022 ? exponent - 54 : exponent;
}

//: index
FUNCTION int64_t op2_index(CONTEXT, int64_t i, int64_t n, int line, int column)
{
CHECK
	return i;
}

//: inf
FUNCTION double op2_inf(int64_t sign)
{
	return sign >= 0 ? INFINITY : -INFINITY;
}

//: isinf
FUNCTION bool op2_isinf(double x, int64_t sign)
{
	return (sign >= 0 && x == INFINITY) || (sign <= 0 && x == -INFINITY);
}

//: ldexp
FUNCTION double op2_ldexp(double x, int64_t n)
{
	return ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);
}

//: lgamma
FUNCTION void op2_lgamma(double x, double *value, int64_t *sign)
{
	int s = 1;
	*value = x == -INFINITY ? x : lgamma_r(x, &s);
	*sign = s < 0 && x != 0 ? -1 : 1;
}

//: lgamma on devices
FUNCTION void op2_lgamma(double x, double *value, int64_t *sign)
{
	*value = x == -INFINITY ? x : lgamma(x);
	*sign = x < 0 && floor(x) != x && fmod(floor(x), 2.0) != 0 ? -1 : 1;
}

//: max
// math.Max: where the builtin max gives NaN, +Inf comes first.
FUNCTION double op2_max(double x, double y)
{
	double m = op2_double_from_bits(op2_double_bits(x > y ? x : y) & op2_double_bits(y > x ? y : x));
	m = x != x || y != y ? x + y : m;
	m = x == INFINITY ? x : m;
	return y == INFINITY ? y : m;
}

//: max on devices
// math.Max: where the builtin max gives NaN, +Inf comes first.
FUNCTION double op2_max(double x, double y)
{
	if (x == y)
		return op2_double_from_bits(op2_double_bits(x) & op2_double_bits(y));
	return x == INFINITY || y != INFINITY && (x != x || x > y) ? x : y;
}

//: min
// math.Min: where the builtin min gives NaN, -Inf comes first.
FUNCTION double op2_min(double x, double y)
{
	double m = op2_double_from_bits(op2_double_bits(x < y ? x : y) | op2_double_bits(y < x ? y : x));
	m = x == -INFINITY ? x : m;
	return y == -INFINITY ? y : m;
}

//: min on devices
// math.Min: where the builtin min gives NaN, -Inf comes first.
FUNCTION double op2_min(double x, double y)
{
	if (x == y)
		return op2_double_from_bits(op2_double_bits(x) | op2_double_bits(y));
	return x == -INFINITY || y != -INFINITY && (x != x || x < y) ? x : y;
}

//: modf
FUNCTION void op2_modf(double x, double *whole, double *fraction)
{
	*whole = trunc(x);
	*fraction = copysign(x - *whole, x);
}

//: nextafter
FUNCTION double op2_nextafter(double x, double y)
{
	return x == y ? x : nextafter(x, y);
}

//: nextafterf
FUNCTION float op2_nextafterf(float x, float y)
{
	return x == y ? x : nextafterSINGLE(x, y);
}

//: position
// The position of a row and a column, -1 for none.
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
}

//: positions
// The positions of an element's rows and columns, -1 for none.
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
}

//: signbit
FUNCTION bool op2_signbit(double x)
{
	return op2_double_bits(x) >> 63 != 0;
}

//: to_uint64
FUNCTION uint64_t op2_to_uint64(double x)
{
	const double middle = 9223372036854775808.0;
	return x < middle ? (uint64_t)(int64_t)x : (uint64_t)(int64_t)(x - middle) ^ (UINT64_C(1) << 63);
}

//: uindex
FUNCTION int64_t op2_uindex(CONTEXT, uint64_t i, int64_t n, int line, int column)
{
CHECK
	return (int64_t)i;
}

//: unless NaN
FUNCTION double op2_NAME(double x)
{
	return x != x ? x : NAME(x);
}

//: own atan2
FUNCTION double op2_atan2(double y, double x)
{
	const double angle = signbit(x) ? 3.14159265358979323846 : 0;
	return x == 0 && y == 0 ? copysign(angle, y) : atan2(y, x);
}

//: own pow
FUNCTION double op2_pow(double x, double y)
{
	if (x == 1 || y == 0)
		return 1;
	return x != x || y != y ? x + y : pow(x, y);
}

//: own remainder
//- Subtract from x the multiple of y that leaves the least: the multiples of 2 y first.
FUNCTION double op2_remainder(double x, double y)
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
}

//: own rint
//- From 2^52 on all numbers are whole.
FUNCTION double op2_rint(double x)
{
	return fabs(x) < 0x1p52 ? copysign(fabs(x) + 0x1p52 - 0x1p52, x) : x;
}

//: own tanh
FUNCTION double op2_tanh(double x)
{
	if (x != x)
		return x;
	return fabs(x) < 20 ? tanh(x) : copysign((double)1, x); // which PoCL's own comes close to
}

//: wide
typedef double op2_wide __attribute__((vector_size(8 * OP2_LANES / PARTS)));
typedef int64_t op2_wide_words __attribute__((vector_size(8 * OP2_LANES / PARTS)));
