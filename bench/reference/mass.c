/* The mass matrix of linear elements on triangles, assembled by hand in plain C: with a
 * table of where each value of a local matrix goes, and by searching the row for it. */
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

static inline double area(const double *restrict x, const int32_t *n)
{
	const double *a = x + 2 * n[0], *b = x + 2 * n[1], *c = x + 2 * n[2];
	return ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
}

static __attribute__((noinline)) void by_table(int64_t triangles, const int32_t *restrict nodes,
	const double *restrict x, const int32_t *restrict table, double *restrict values)
{
	for (int64_t t = 0; t < triangles; t++) {
		const double off = area(x, nodes + 3 * t) / 12, on = 2 * off;
		const int32_t *at = table + 9 * t;
		values[at[0]] += on;
		values[at[1]] += off;
		values[at[2]] += off;
		values[at[3]] += off;
		values[at[4]] += on;
		values[at[5]] += off;
		values[at[6]] += off;
		values[at[7]] += off;
		values[at[8]] += on;
	}
}

static __attribute__((noinline)) void by_search(int64_t triangles, const int32_t *restrict nodes,
	const double *restrict x, const int32_t *restrict rowptr, const int32_t *restrict colidx, double *restrict values)
{
	for (int64_t t = 0; t < triangles; t++) {
		const int32_t *n = nodes + 3 * t;
		const double off = area(x, n) / 12;
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < 3; j++)
				for (int32_t k = rowptr[n[i]]; k < rowptr[n[i] + 1]; k++)
					if (colidx[k] == n[j]) {
						values[k] += i == j ? 2 * off : off;
						break;
					}
	}
}

/* y = A x, row by row. */
static __attribute__((noinline)) void multiply(int64_t rows, const int32_t *restrict rowptr,
	const int32_t *restrict colidx, const double *restrict values, const double *restrict x, double *restrict y)
{
	for (int64_t r = 0; r < rows; r++) {
		double sum = 0;
		for (int32_t k = rowptr[r]; k < rowptr[r + 1]; k++)
			sum += values[k] * x[colidx[k]];
		y[r] = sum;
	}
}

EXPORT void mass_table(void **args)
{
	by_table(*(const int64_t *)args[0], args[1], args[2], args[3], args[4]);
}

EXPORT void mass_search(void **args)
{
	by_search(*(const int64_t *)args[0], args[1], args[2], args[3], args[4], args[5]);
}

EXPORT void mass_multiply(void **args)
{
	multiply(*(const int64_t *)args[0], args[1], args[2], args[3], args[4], args[5]);
}
