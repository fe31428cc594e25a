//: fault
//- ends the loop at the first fault, as a panic does in Go; the record is {kind, line, column, a, b, element}
// Ends the loop at a fault, where Go would panic; the caller reports it, with the element, op2.
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
}

//: fault of threads
//- each leaves its block, and the fault of the block that comes first in the plan's order is reported
// Ends the loop at a fault, where Go would panic; the caller reports it, with the element, op2.
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
}

//: job
//- the beginning of the struct of a team of threads
// The threads' work: to call a function for the blocks of each color.
struct op2_job {
	void (*op2_run)(struct op2_job *, void (*op2_block)(void *op2_shared, int32_t op2_i), void *op2_shared);
	void *op2_team;
	const int32_t *op2_color; // the first block of each, and the end of the last
	int64_t op2_colors;
};

//: ahead
//- the memory that a wrapper fetches meanwhile, as the driver of tiles declares it
// Memory that the next tile uses: a bit of it is fetched with each pack of elements.
struct op2_ahead {
	const char *op2_at, *op2_end;
	const char *(*op2_next)[2], *(*op2_last)[2]; // spans after this one
	int64_t op2_step;
};

static inline __attribute__((always_inline)) void op2_fetch(struct op2_ahead *op2_ahead)
{
	const char *op2_at = op2_ahead->op2_at, *op2_end = op2_at + op2_ahead->op2_step;
	if (op2_end > op2_ahead->op2_end)
		op2_end = op2_ahead->op2_end;
	for (; op2_at < op2_end; op2_at += 64)
		__builtin_prefetch(op2_at, 0, 2);
	if (op2_at >= op2_ahead->op2_end && op2_ahead->op2_next < op2_ahead->op2_last) {
		op2_at = (*op2_ahead->op2_next)[0];
		op2_ahead->op2_end = (*op2_ahead->op2_next++)[1];
	}
	op2_ahead->op2_at = op2_at;
}

//: lines
//- the output of kernels is line-buffered, since a Go program that exits does not flush C's buffers
#include <stdio.h>
__attribute__((constructor)) static void op2_lines(void)
{
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}
