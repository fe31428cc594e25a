//: context
//- what functions get that read consts or may fail; CONSTS, EXIT: its fields
// What leads to the consts, and to where the loop ends at a fault.
typedef struct {
CONSTSEXIT} op2_context;

//: fault
//- ends a run of elements at the first fault, as a panic does in Go
// Where a run of elements ends at a fault, where Go would panic, and the record of that for the caller: {kind, line,
// column, a, b, element, INT32_MAX - block, lock}, of the fault in the first block, in order of execution, that has one.
#if defined(__clang__) && !defined(__x86_64__) && !defined(__i386__)
#include <setjmp.h>
typedef jmp_buf op2_place;
#define op2_mark(place) setjmp(place)
#define op2_leave(place) longjmp(place, 1)
#else
typedef void *op2_place[5];
#define op2_mark(place) __builtin_setjmp(place)
#define op2_leave(place) __builtin_longjmp(place, 1)
#endif

struct op2_exit {
	op2_place place;
	int64_t *record;
	int64_t block;
};

//: leave
//- records a fault
static __attribute__((noreturn, cold, noinline))
void op2_fault(op2_context op2, int64_t kind, int64_t line, int64_t column, int64_t a, int64_t b)
{
	int64_t *record = op2.exit->record, first = INT32_MAX - op2.exit->block;
	while (__atomic_exchange_n(&record[7], 1, __ATOMIC_ACQUIRE))
		;
	if (first > record[6]) {
		record[1] = line;
		record[2] = column;
		record[3] = a;
		record[4] = b;
		record[5] = op2.element;
		record[0] = kind;
		__atomic_store_n(&record[6], first, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&record[7], 0, __ATOMIC_RELEASE);
	op2_leave(op2.exit->place);
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
