//: context
typedef struct {
CONSTSFAULTS} op2_context;

//: faults of a context
	GLOBALint *faults; // the first element that failed, the number of records, and the records
	int element;
	bool failed;

//: fault
//- records what panics in Go
// Records a fault, where Go would panic; the caller reports it.
FUNCTION void op2_fault(op2_context *op2, int kind, int line, int column, int64_t a, int64_t b)
{
	if (op2->failed)
		return;
	op2->failed = true;
	if (ATOMICMIN <= op2->element)
		return;
	GLOBALint *at = op2->faults + 8 + 8 * (ATOMICINC % 64);
	at[0] = op2->element;
	at[1] = kind;
	at[2] = line;
	at[3] = column;
	at[4] = (int)a;
	at[5] = (int)(a >> 32);
	at[6] = (int)b;
	at[7] = (int)(b >> 32);
}

//: memory
//- the functions of string.h that kernels use, which OpenCL C lacks, and CUDA in part
#define memset op2_memset
#define memcpy op2_memcpy
#define memmove op2_memmove
FUNCTION void *op2_memset(void *to, int value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)to)[i] = (unsigned char)value;
	return to;
}
FUNCTION void *op2_memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
	return to;
}
FUNCTION void *op2_memmove(void *to, const void *from, size_t n)
{
	if ((const unsigned char *)to <= (const unsigned char *)from)
		return op2_memcpy(to, from, n);
	while (n-- > 0)
		((unsigned char *)to)[n] = ((const unsigned char *)from)[n];
	return to;
}

//: defined floats
//- for values that have no C literals, since device compilers do not treat NAN and INFINITY as constants
#ifdef OP2_STANDIN
#define OP2_NAN __builtin_nanf("")
#define OP2_INFINITY __builtin_inff()
#else
#define OP2_NAN (0.0f / 0.0f)
#define OP2_INFINITY (1.0f / 0.0f)
#endif

//: rows
{
	const int64_t i = SIZE * (int64_t)GROUP + ITEM;
	if (i >= count)
		return;
	const int64_t row = i / dim, component = i % dim;
	const int64_t here = along * element[row] + apart * component, there = place[row] + component;
	COPY
}

//: product by rows
{
	const int32_t end = share[GROUP + 1];
	for (int32_t row = share[GROUP]; row < end; row++) {
		TYPE sum[ROWS] = {0};
		for (int32_t k = first[row]; k < first[row + 1]; k++) {
			GLOBALconst TYPE *block = a + BLOCK * (int64_t)k, *from = x + FROM;
			for (int j = 0; j < COLS; j++)
				for (int i = 0; i < ROWS; i++)
					sum[i] += block[ROWS * j + i] * from[AT];
		}
		for (int i = 0; i < ROWS; i++)
			y[TO] = sum[i];
	}
}

//: product by values
{
	const int64_t value = SIZE * (int64_t)GROUP + ITEM;
	const int32_t row = value / ROWS, i = value % ROWS;
	if (row >= rows)
		return;
	TYPE sum = 0;
	for (int32_t k = first[row]; k < first[row + 1]; k++) {
		GLOBALconst TYPE *block = a + BLOCK * (int64_t)k, *from = x + FROM;
		for (int j = 0; j < COLS; j++)
			sum += block[ROWS * j + i] * from[AT];
	}
	y[TO] = sum;
}

//: product by lanes
//- neighbors read neighboring values of a block, and then of the next one
{
	SHAREDTYPE sums[SIZE];
	const int item = ITEM, i = item % ROWS, lane = item / ROWS % LANES;
	const int64_t row = MANY * (int64_t)GROUP + item / (ROWS * LANES);
	const bool there = item < MANY * ROWS * LANES && row < rows;
	TYPE sum = 0;
	if (there) {
		const int32_t end = first[row + 1];
		for (int32_t k = first[row] + lane; k < end; k += LANES) {
			GLOBALconst TYPE *block = a + BLOCK * (int64_t)k, *from = x + FROM;
			for (int j = 0; j < COLS; j++)
				sum += block[ROWS * j + i] * from[AT];
		}
	}
	sums[item] = sum;
	BARRIER
	for (int step = HALF; step > 0; step /= 2) {
		if (there && lane < step)
			sums[item] += sums[item + ROWS * step];
		BARRIER
	}
	if (there && lane == 0)
		y[TO] = sums[item];
}

//: prelude of OpenCL C
typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807L - 1)

//: prelude of CUDA C++
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define INT64_C(x) x##LL
#define UINT64_C(x) x##ULL
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define INT64_MIN (-9223372036854775807LL - 1)
#define NAN __longlong_as_double(0x7ff8000000000000LL)
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)

//: offsets in CUDA C++
#ifdef OP2_STANDIN
#define op2_offsetof(type, field) __builtin_offsetof(type, field)
#else
#define op2_offsetof(type, field) __INTADDR__(&((type *)0)->field)
#endif
