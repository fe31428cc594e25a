#include <stdint.h>

double scaled(double x);

struct packet { double value[64]; };

// A loop over doubles, with constants.
void axpy(void **args)
{
	double *y = args[0];
	const double *x = args[1];
	int32_t n = *(const int32_t *)args[2];
	for (int32_t i = 0; i < n; i++)
		y[i] = 1.0 / 3 * x[i] + y[i] * 0.7;
}

static __attribute__((noinline)) double choose(double x, int32_t which)
{
	switch (which) { // a table of jumps
	case 0: return x + 1;
	case 1: return x * x;
	case 2: return 3 / x;
	case 3: return x - 7.1;
	case 4: return scaled(x);
	case 5: return x * x * x;
	case 6: return 1 / (x * x);
	default: return -x;
	}
}

// Element i of the range that Go asks for.
void pick(void **args, int32_t i)
{
	double *y = args[0];
	const int32_t *which = args[1];
	y[i] = choose(y[i], which[i]);
}

static __attribute__((noinline)) void fill(volatile double *t, double x)
{
	for (int k = 0; k < 512; k++)
		t[k] = x + k;
}

// 4 KiB of stack, with the alignment of a vector.
void deep(void **args, int32_t i)
{
	volatile double t[512] __attribute__((aligned(64)));
	double *y = args[0];
	fill(t, y[i]);
	double sum = 0;
	for (int k = 0; k < 512; k++)
		sum += t[k];
	y[i] = sum + (double)((uintptr_t)t % 64);
}

// As in generated code.
#if defined(__clang__) && !defined(__x86_64__)
#include <setjmp.h>
typedef jmp_buf place;
#define mark(place) setjmp(place)
#define jump(place) longjmp(place, 1)
#else
typedef void *place[5];
#define mark(place) __builtin_setjmp(place)
#define jump(place) __builtin_longjmp(place, 1)
#endif

static __attribute__((noinline)) double half(double x, void **to)
{
	if (x < 0)
		jump(*(place *)to);
	return x / 2;
}

static __attribute__((noinline)) void halve(double *y, int32_t n, void **to)
{
	for (int32_t i = 0; i < n; i++)
		y[i] = half(y[i], to);
}

// A loop that ends from within where a value is negative.
void leave(void **args)
{
	place to;
	double *y = args[0];
	if (mark(to)) {
		*(int32_t *)args[2] = 1;
		return;
	}
	halve(y, *(const int32_t *)args[1], (void **)to);
}

// The compiler may call memcpy.
void copy(void **args) { *(struct packet *)args[0] = *(const struct packet *)args[1]; }

void unused(void **args)
{
	double missing(double);
	missing(0);
}
