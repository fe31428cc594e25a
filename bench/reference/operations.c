/* The operations of bench/operations as one writes them in C, for numbers that need no care: over
 * contiguous arrays, into another one. args: the number of elements, then the arrays x, y and r. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define OPERATION(name, X, R, expression) \
	__attribute__((visibility("default"))) void name(void **args) \
	{ \
		const int64_t n = *(const int64_t *)args[0]; \
		const X *restrict xs = args[1], *restrict ys = args[2]; \
		R *restrict rs = args[3]; \
		for (int64_t i = 0; i < n; i++) { \
			const X x = xs[i], y = ys[i]; \
			rs[i] = expression; \
		} \
	}

/* The rows of x are of four values. */
#define TABLE(name, expression) \
	__attribute__((visibility("default"))) void name(void **args) \
	{ \
		const int64_t n = *(const int64_t *)args[0]; \
		const double (*restrict xs)[4] = args[1]; \
		const int64_t *restrict ys = args[2]; \
		double *restrict rs = args[3]; \
		for (int64_t i = 0; i < n; i++) { \
			const double *x = xs[i]; \
			const int64_t y = ys[i]; \
			rs[i] = expression; \
		} \
	}

static inline double with_modf(double x, double y)
{
	double whole;
	const double fraction = modf(x, &whole);
	return whole + y * fraction;
}

static inline double with_frexp(double x, double y)
{
	int exponent;
	const double fraction = frexp(x, &exponent);
	return fraction + y * exponent;
}

static inline double with_bits(double x, double y)
{
	uint64_t u;
	memcpy(&u, &x, sizeof u);
	u &= ~(UINT64_C(1) << 63);
	memcpy(&x, &u, sizeof x);
	return x + y;
}

static inline double clamp(double x)
{
	x = x < 1 ? x : 1;
	return x > 0 ? x : 0;
}

OPERATION(MaxBuiltin, double, double, x > y ? x : y)
OPERATION(MinBuiltin, double, double, x < y ? x : y)
OPERATION(MaxBuiltin32, float, float, x > y ? x : y)
OPERATION(MaxMath, double, double, x > y ? x : y)
OPERATION(MinMath, double, double, x < y ? x : y)
OPERATION(Clamp, double, double, clamp(x / y))
OPERATION(MaxInt, int64_t, int64_t, x > y ? x : y)

OPERATION(Abs, double, double, fabs(x) + y)
OPERATION(Copysign, double, double, copysign(x, y))
OPERATION(Dim, double, double, x > y ? x - y : 0)
OPERATION(FMA, double, double, fma(x, y, 0.5))
OPERATION(Sqrt, double, double, sqrt(fabs(x)) + y)
OPERATION(Divide, double, double, x / y)
OPERATION(Floor, double, double, floor(x) + y)
OPERATION(Ceil, double, double, ceil(x) + y)
OPERATION(Trunc, double, double, trunc(x) + y)
OPERATION(Round, double, double, round(x) + y)
OPERATION(RoundToEven, double, double, rint(x) + y)
OPERATION(Signbit, double, double, signbit(x) ? 1 : y)
OPERATION(IsNaN, double, double, isnan(x) ? 1 : y)
OPERATION(IsInf, double, double, isinf(x) ? 1 : y)
OPERATION(Modf, double, double, with_modf(x, y))
OPERATION(Frexp, double, double, with_frexp(x, y))
OPERATION(Ldexp, double, double, ldexp(x, (int)y))
OPERATION(Ilogb, double, double, ilogb(x) + y)
OPERATION(Logb, double, double, logb(x) + y)
OPERATION(Nextafter, double, double, nextafter(x, y))
OPERATION(Bits, double, double, with_bits(x, y))

OPERATION(Mod, double, double, fmod(x, y))
OPERATION(Remainder, double, double, remainder(x, y))
OPERATION(Hypot, double, double, hypot(x, y))
OPERATION(Pow, double, double, pow(fabs(x), y))
OPERATION(Cbrt, double, double, cbrt(x) + y)
OPERATION(Exp, double, double, exp(x) + y)
OPERATION(Log, double, double, log(fabs(x)) + y)
OPERATION(Sincos, double, double, sin(x) + y * cos(x))

OPERATION(ToInt64, double, int64_t, (int64_t)x + (int64_t)y)
OPERATION(ToInt32, double, int32_t, (int32_t)x + (int32_t)y)
OPERATION(ToUint8, double, uint8_t, (uint8_t)x + (uint8_t)y)
OPERATION(ToUint32, double, uint32_t, (uint32_t)x + (uint32_t)y)
OPERATION(ToUint64, double, uint64_t, (uint64_t)x + (uint64_t)y)
OPERATION(ToFloat32, double, float, (float)x + (float)y)
OPERATION(FromInt64, int64_t, double, (double)x + (double)y)
OPERATION(FromUint64, uint64_t, double, (double)x + (double)y)

OPERATION(AddInt8, int8_t, int8_t, x + y)
OPERATION(MultiplyInt64, int64_t, int64_t, x * y)
OPERATION(DivideInt64, int64_t, int64_t, x / y)
OPERATION(DivideInt32, int32_t, int32_t, x / y)
OPERATION(DivideUint64, uint64_t, uint64_t, x / y)
OPERATION(DivideByEight, int64_t, int64_t, x / 8 + y)
OPERATION(RemainderInt64, int64_t, int64_t, x % y)
OPERATION(RemainderInt32, int32_t, int32_t, x % y)
OPERATION(RemainderOfEight, int64_t, int64_t, x % 8 + y)
OPERATION(ShiftLeft, uint64_t, uint64_t, x << y)
OPERATION(ShiftRight, uint64_t, uint64_t, x >> y)
OPERATION(ShiftLeftInt, int64_t, int64_t, x << y)
OPERATION(ShiftRightInt, int64_t, int64_t, x >> y)
OPERATION(ShiftRightMasked, int64_t, int64_t, x >> (y & 63))
OPERATION(ShiftByThree, int64_t, int64_t, (x << 3) + (y >> 3))
TABLE(Subscript, x[y])
TABLE(SubscriptMasked, x[y & 3])
