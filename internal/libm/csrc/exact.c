// What is exact, or rounded once.

// Single instructions.
#define INSTRUCTION(name)                             \
	double name(double x) { return __builtin_##name(x); } \
	float name##f(float x) { return __builtin_##name##f(x); }
INSTRUCTION(fabs)
INSTRUCTION(sqrt)
INSTRUCTION(floor)
INSTRUCTION(ceil)
INSTRUCTION(trunc)
INSTRUCTION(rint)
INSTRUCTION(nearbyint)
double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
double copysign(double x, double y) { return __builtin_copysign(x, y); }
float copysignf(float x, float y) { return __builtin_copysignf(x, y); }

double round(double x) // halves away from 0
{
	const double t = __builtin_trunc(x);
	return __builtin_copysign(__builtin_fabs(x - t) >= 0.5 ? t + __builtin_copysign(1, x) : t, x);
}

double fmax(double x, double y) { return x != x ? y : y != y ? x : x == y ? (op2_bits(x) >> 63 ? y : x) : x > y ? x : y; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : x == y ? (op2_bits(x) >> 63 ? x : y) : x < y ? x : y; }
double fdim(double x, double y) { return x <= y ? 0 : x - y; }

double frexp(double x, int *exponent)
{
	const bool tiny = __builtin_fabs(x) < 0x1p-1022;
	const uint64_t u = op2_bits(tiny ? x * 0x1p54 : x);
	const int e = (int)(u >> 52 & 0x7ff) - 1022;
	*exponent = 0;
	if (x == 0 || e == 1025)
		return x;
	*exponent = tiny ? e - 54 : e;
	return op2_from_bits((u & 0x800fffffffffffff) | 0x3fe0000000000000);
}

double scalbn(double x, int n)
{
	for (int i = 0; i < 2 && n > 1023; i++)
		x *= 0x1p1023, n -= 1023;
	for (int i = 0; i < 2 && n < -1022; i++)
		x *= 0x1p-969, n += 969; // 53 bits remain, so that only the last product rounds
	return x * op2_from_bits((uint64_t)((n > 1023 ? 1023 : n < -1022 ? -1022 : n) + 1023) << 52);
}

double ldexp(double x, int n) { return scalbn(x, n); }
double scalbln(double x, long n) { return scalbn(x, n > 3000 ? 3000 : n < -3000 ? -3000 : (int)n); }

double modf(double x, double *whole)
{
	*whole = __builtin_trunc(x);
	return __builtin_copysign(__builtin_fabs(x) == __builtin_inf() ? 0 : x - *whole, x);
}

int ilogb(double x)
{
	int e;
	if (x == 0 || x != x)
		return -2147483647 - 1;
	if (__builtin_fabs(x) == __builtin_inf())
		return 2147483647;
	frexp(x, &e);
	return e - 1;
}

double logb(double x)
{
	return x == 0 ? -__builtin_inf() : __builtin_fabs(x) < __builtin_inf() ? ilogb(x) : x * x;
}

double nextafter(double x, double y)
{
	if (x != x || y != y)
		return x + y;
	if (x == y)
		return y;
	if (x == 0)
		return __builtin_copysign(0x1p-1074, y);
	return op2_from_bits(op2_bits(x) + ((x < y) == (x > 0) ? 1 : -1));
}

float nextafterf(float x, float y)
{
	if (x != x || y != y)
		return x + y;
	if (x == y)
		return y;
	if (x == 0)
		return __builtin_copysignf(0x1p-149f, y);
	uint32_t u;
	__builtin_memcpy(&u, &x, 4);
	u += (x < y) == (x > 0) ? 1 : -1;
	__builtin_memcpy(&x, &u, 4);
	return x;
}

// The rest of x / y for positive numbers, by long division, 11 bits at a time; quotient has its last bit.
static double op2_rest(double x, double y, int *quotient)
{
	int ex, ey;
	uint64_t u = (uint64_t)(frexp(x, &ex) * 0x1p53), v = (uint64_t)(frexp(y, &ey) * 0x1p53);
	*quotient = 0;
	if (x < y)
		return x;
	*quotient = ex == ey ? u / v & 1 : 0, u %= v;
	for (int n = ex - ey; n > 0 && u > 0; n -= 11) {
		u <<= n < 11 ? n : 11;
		*quotient = n <= 11 ? u / v & 1 : 0, u %= v;
	}
	return scalbn((double)u, ey - 53);
}

double fmod(double x, double y)
{
	const double a = __builtin_fabs(x), b = __builtin_fabs(y);
	int quotient;
	if (!(a < __builtin_inf()) || !(b > 0))
		return x != x || y != y ? x + y : __builtin_nan("");
	return b == __builtin_inf() ? x : __builtin_copysign(op2_rest(a, b, &quotient), x);
}

double remainder(double x, double y)
{
	const double a = __builtin_fabs(x), b = __builtin_fabs(y);
	int odd;
	if (!(a < __builtin_inf()) || !(b > 0))
		return x != x || y != y ? x + y : __builtin_nan("");
	if (b == __builtin_inf())
		return x;
	double r = op2_rest(a, b, &odd);
	const double other = b - r; // how far the next multiple is; exact where it decides
	if (r > other || (r == other && odd))
		r = -other;
	return x < 0 || (x == 0 && op2_bits(x) >> 63) ? -r : r;
}

#define WHOLE(type, name, of)                     \
	type name(double x) { return (type)of(x); } \
	type name##f(float x) { return (type)of(x); }
WHOLE(long, lround, round)
WHOLE(long long, llround, round)
WHOLE(long, lrint, __builtin_rint)
WHOLE(long long, llrint, __builtin_rint)

float roundf(float x) { return (float)round(x); }
float fmaxf(float x, float y) { return (float)fmax(x, y); }
float fminf(float x, float y) { return (float)fmin(x, y); }
float fdimf(float x, float y) { return x <= y ? 0 : x - y; }
float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }
float scalbnf(float x, int n) { return (float)scalbn(x, n < -900 ? -900 : n); } // exact before the conversion rounds
float ldexpf(float x, int n) { return scalbnf(x, n); }
float scalblnf(float x, long n) { return scalbnf(x, n > 3000 ? 3000 : n < -3000 ? -3000 : (int)n); }
int ilogbf(float x) { return ilogb(x); }
float logbf(float x) { return (float)logb(x); }
float fmodf(float x, float y) { return (float)fmod(x, y); }
float remainderf(float x, float y) { return (float)remainder(x, y); }

float modff(float x, float *whole)
{
	double w;
	const float fraction = (float)modf(x, &w);
	*whole = (float)w;
	return fraction;
}

// Memory. The barriers keep compilers from making calls of these functions of their loops.

typedef char op2_block __attribute__((vector_size(64), aligned(1), may_alias));

void *memmove(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;
	if ((uintptr_t)t - (uintptr_t)f >= n) {
		for (; n >= 128; n -= 128, t += 128, f += 128) {
			const op2_block u = *(const op2_block *)f, v = *(const op2_block *)(f + 64);
			*(op2_block *)t = u;
			*(op2_block *)(t + 64) = v;
			__asm__("" ::: "memory");
		}
		for (; n >= 8; n -= 8, t += 8, f += 8) {
			uint64_t u;
			__builtin_memcpy(&u, f, 8);
			__builtin_memcpy(t, &u, 8);
			__asm__("" ::: "memory");
		}
		for (; n > 0; n--) {
			*t++ = *f++;
			__asm__("" ::: "memory");
		}
		return to;
	}
	while (n > 0) {
		n--;
		t[n] = f[n];
		__asm__("" ::: "memory");
	}
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n) { return memmove(to, from, n); }

void *memset(void *to, int value, size_t n)
{
	char *t = to;
	const op2_block v = (op2_block){} + (char)value;
	const uint64_t u = (uint64_t)(unsigned char)value * 0x0101010101010101;
	for (; n >= 64; n -= 64, t += 64) {
		*(op2_block *)t = v;
		__asm__("" ::: "memory");
	}
	for (; n >= 8; n -= 8, t += 8) {
		__builtin_memcpy(t, &u, 8);
		__asm__("" ::: "memory");
	}
	for (; n > 0; n--) {
		*t++ = (char)value;
		__asm__("" ::: "memory");
	}
	return to;
}

int memcmp(const void *x, const void *y, size_t n)
{
	const unsigned char *a = x, *b = y;
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}
