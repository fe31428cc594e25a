package host

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
