//: product
#include <stdint.h>

enum { LINE = 64, AHEAD = DISTANCE }; // bytes, nonzeros

static __attribute__((noinline)) void product(
	int64_t row, const int64_t end, const int32_t *restrict first, const int32_t *restrict column,
	const TYPE *restrict a, const TYPE *restrict x, TYPE *restrict y)
{
	int64_t k = first[row], value = BLOCK * k, index = k;
	for (; row < end; row++) {
		const int64_t last = first[row + 1];
		for (; value < BLOCK * last; value += LINE / sizeof *a)
			__builtin_prefetch(a + value + BLOCK * AHEAD);
		for (; index < last; index += LINE / sizeof *column)
			__builtin_prefetch(column + index + AHEAD);

//: end
	}
}

//: sum of blocks
		TYPE sum[ROWS] = {0};
		for (; k < last; k++) {
			const TYPE *block = a + BLOCK * k, *from = x + COLS * (int64_t)column[k];
			for (int j = 0; j < COLS; j++)
				for (int i = 0; i < ROWS; i++)
					sum[i] += block[ROWS * j + i] * from[j];
		}
		for (int i = 0; i < ROWS; i++)
			y[ROWS * row + i] = sum[i];

//: sum of scalars
//- of 1 by 1 blocks, unrolled 8 times, since the control of a loop over them would cost more than the blocks
		TYPE sum = 0;
#define ADD(i) sum += a[k + i] * x[(int64_t)column[k + i]];
		for (; k + 8 <= last; k += 8) {
			ADD(0) ADD(1) ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7)
		}
		if ((last - k) & 4) {
			ADD(0) ADD(1) ADD(2) ADD(3)
			k += 4;
		}
		if ((last - k) & 2) {
			ADD(0) ADD(1)
			k += 2;
		}
		if ((last - k) & 1) {
			ADD(0)
			k++;
		}
		y[row] = sum;

//: part
__attribute__((visibility("default")))
void wrap_product_block(void *shared, int32_t i)
{
	void **args = shared;
	const int32_t *end = args[0], *run = args[1];
	for (int32_t r = end[i]; r < end[i + 1]; r++)
		product(run[2 * r], run[2 * r + 1], args[2], args[3], args[4], args[5], args[6]);
}

//: part with dot
//- of some rows at a time, whose values are then still in a first-level cache
static TYPE dot(const TYPE *restrict x, const TYPE *restrict y, int64_t n)
{
	enum { LANES = 8 };
	TYPE sum[LANES] = {0};
	int64_t i = 0;
	for (; i + LANES <= n; i += LANES)
		for (int l = 0; l < LANES; l++)
			sum[l] += x[i + l] * y[i + l];
	for (; i < n; i++)
		sum[0] += x[i] * y[i];
	return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

__attribute__((visibility("default")))
void wrap_product_block(void *shared, int32_t i)
{
	enum { FEW = 256 };
	void **args = shared;
	const int32_t *end = args[0], *run = args[1];
	const TYPE *x = args[5], *y = args[6];
	TYPE sum = 0;
	for (int32_t r = end[i]; r < end[i + 1]; r++)
		for (int64_t row = run[2 * r], last = run[2 * r + 1], next; row < last; row = next) {
			next = row + FEW < last ? row + FEW : last;
			product(row, next, args[2], args[3], args[4], x, args[6]);
			sum += dot(x + ROWS * row, y + ROWS * row, ROWS * (next - row));
		}
	((TYPE *)args[8])[i] = sum;
}

//: one
__attribute__((visibility("default")))
void wrap_product(void **args)
{
	wrap_product_block(args, 0);
}

//: threads
__attribute__((visibility("default")))
void wrap_product(void **args)
{
	struct op2_job *job = args[7];
	if (job->op2_run)
		job->op2_run(job, wrap_product_block, args);
}
