/* CUDA C++ on the CPU: this precedes the source of a program, which is then compiled as
   C++. No system header is included, since NVRTC includes none.

   The threads of a block are fibers on one thread of the CPU. One runs until it ends or reaches
   a barrier, then the next. Because of -fsanitize=kernel-address, the compiler calls
   standin_check before each access to memory, which knows all allocated memory. */

#define OP2_STANDIN 1

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
/* "extern __shared__" is written as standin_dynamic_shared before this is compiled. */
#define __shared__ static __attribute__((section("standin_shared")))
#define standin_dynamic_shared extern

struct standin_dim { unsigned x, y, z; };
static standin_dim threadIdx, blockIdx, blockDim, gridDim;
static const int warpSize = 32;

#define __syncthreads() standin_barrier(__LINE__, OP2_AT_BLOCK)
#define __syncwarp(...) standin_barrier(__LINE__, OP2_AT_WARP)
#define __threadfence() ((void)0)
#define __threadfence_block() ((void)0)
#define __threadfence_system() ((void)0)

/* ---- input and output: launch and fault of launch.go ---- */

enum { OP2_NONE, OP2_ENDED, OP2_DIFFERENT, OP2_READ, OP2_WRITE, OP2_STACK, OP2_DYNAMIC };

struct standin_span { uintptr_t start, end; };

struct standin_launch {
	int64_t groups, size, shared;
	void **args;
	char *stacks; /* one per thread of a block */
	int64_t stack; /* bytes of each */
	standin_span *spans; /* all device memory, in ascending order */
	int64_t nspans;
	/* of a fault */
	int64_t kind, group, thread, line, other, other_line, bytes;
	uintptr_t address, base; /* base: of dynamic shared memory, or of the variable called name */
	int64_t extent; /* of the variable */
	char name[64];
};

/* ---- fibers ---- */

#define OP2_PLAIN __attribute__((no_sanitize_address))

#if defined(__x86_64__) && !defined(OP2_UCONTEXT)
typedef void *standin_fiber_context; /* its stack pointer */
extern "C" void standin_switch(standin_fiber_context *from, standin_fiber_context *to) __attribute__((visibility("hidden")));
__asm__(".text\n"
	".globl standin_switch\n.hidden standin_switch\n"
	"standin_switch:\n"
	"	pushq %rbp\n	pushq %rbx\n	pushq %r12\n	pushq %r13\n	pushq %r14\n	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq (%rsi), %rsp\n"
	"	popq %r15\n	popq %r14\n	popq %r13\n	popq %r12\n	popq %rbx\n	popq %rbp\n"
	"	ret\n");
OP2_PLAIN static void standin_prepare(standin_fiber_context *c, char *stack, int64_t bytes, void (*entry)()) {
	void **top = (void **)(stack + bytes) - 1; /* the return address of entry: 8 bytes off 16-byte alignment */
	top[0] = 0;
	top[-1] = (void *)entry;
	for (int i = 2; i <= 7; i++)
		top[-i] = 0;
	*c = top - 7;
}
#else
#include <ucontext.h>
typedef ucontext_t standin_fiber_context;
OP2_PLAIN static void standin_switch(standin_fiber_context *from, standin_fiber_context *to) { swapcontext(from, to); }
OP2_PLAIN static void standin_prepare(standin_fiber_context *c, char *stack, int64_t bytes, void (*entry)()) {
	getcontext(c);
	c->uc_stack.ss_sp = stack;
	c->uc_stack.ss_size = bytes;
	c->uc_link = 0;
	makecontext(c, entry, 0);
}
#endif

enum { OP2_READY, OP2_AT_WARP, OP2_AT_BLOCK, OP2_DONE };

struct standin_fiber {
	standin_fiber_context context;
	char *stack; /* 0: none yet, or no longer */
	int state, line;
};

#define OP2_GUARD 256 /* bytes before and after dynamic shared memory */
#define OP2_CANARY ((char)0xc5)
#define OP2_POISON 0x7fff /* repeated every 16 bits: NaN as double and float, and a large integer */
#define OP2_STACK_GUARD 64

static standin_fiber standin_fibers[OP2_MAX_GROUP];
static char *standin_free_stacks[OP2_MAX_GROUP];
static int standin_nfree;
static standin_fiber_context standin_scheduler;
static standin_launch *standin_current;
static void (*standin_thunk)(void **);
static standin_span standin_recent[64]; /* spans of recent accesses, by page */

/* standin_global is a variable with the padding that the compiler leaves behind it. Clang does
   not list those in shared memory. */
struct standin_global {
	uintptr_t start, size, whole;
	const char *name, *module;
	uintptr_t dynamic, location, odr;
};
static standin_global *standin_globals;
static int64_t standin_nglobals;
extern "C" void __asan_register_globals(void *globals, long n) {
	standin_globals = (standin_global *)globals;
	standin_nglobals = n;
}
extern "C" void __asan_unregister_globals(void *, long) {}

/* Dynamic shared memory: each "extern __shared__" array of the text is at standin_dynamic. */
extern "C" {
char standin_dynamic_block[OP2_GUARD + OP2_LOCAL + OP2_GUARD] __attribute__((aligned(128), visibility("hidden")));
}
static short standin_shared_first __attribute__((section("standin_shared"), used)); /* so that the section exists */
extern "C" char __start_standin_shared[] __attribute__((visibility("hidden")));
extern "C" char __stop_standin_shared[] __attribute__((visibility("hidden")));
/* The library as the linker makes it, with all its constants and variables. */
extern "C" char __ehdr_start[] __attribute__((visibility("hidden")));
extern "C" char _end[] __attribute__((visibility("hidden")));
#define standin_dynamic (standin_dynamic_block + OP2_GUARD)

OP2_PLAIN static void standin_fault(int kind, int64_t thread, int64_t line) {
	standin_launch *l = standin_current;
	if (l->kind)
		return;
	l->kind = kind;
	l->group = blockIdx.x;
	l->thread = thread;
	l->line = line;
	l->other = -1;
	if (!l->extent)
		l->base = (uintptr_t)standin_dynamic;
}

OP2_PLAIN static void standin_barrier(int line, int state) __attribute__((noinline));
OP2_PLAIN static void standin_barrier(int line, int state) {
	standin_fiber *f = &standin_fibers[threadIdx.x];
	f->state = state;
	f->line = line;
	standin_switch(&f->context, &standin_scheduler);
}

OP2_PLAIN static void standin_entry() {
	standin_thunk(standin_current->args);
	standin_barrier(0, OP2_DONE);
}

/* ---- memory ---- */

static inline standin_span *standin_slot(uintptr_t a) { return &standin_recent[a / 4096 % 64]; }

/* standin_known reports whether all bytes from a to end are memory of one kind that belongs to the kernel. */
OP2_PLAIN static bool standin_known(uintptr_t a, uintptr_t end) {
	standin_launch *l = standin_current;
	uintptr_t dynamic = (uintptr_t)standin_dynamic;
	standin_span candidates[] = {
		{(uintptr_t)l->stacks, (uintptr_t)l->stacks + l->size * l->stack},
		{dynamic, dynamic + l->shared},
	};
	for (int i = 0; i < 2; i++)
		if (a >= candidates[i].start && end <= candidates[i].end) {
			*standin_slot(a) = candidates[i];
			return true;
		}
	if (a >= (uintptr_t)standin_dynamic_block && a < (uintptr_t)standin_dynamic_block + sizeof standin_dynamic_block)
		return false;
	if (a >= (uintptr_t)__ehdr_start && end <= (uintptr_t)_end) {
		for (int64_t i = 0; i < standin_nglobals; i++) {
			standin_global *g = &standin_globals[i];
			if (a < g->start || a >= g->start + g->whole)
				continue;
			if (end <= g->start + g->size) {
				*standin_slot(a) = standin_span{g->start, g->start + g->size};
				return true;
			}
			l->base = g->start;
			l->extent = g->size;
			for (int j = 0; j < (int)sizeof l->name - 1 && g->name[j]; j++)
				l->name[j] = g->name[j];
			return false;
		}
		return true;
	}
	int64_t low = 0, high = l->nspans;
	while (low < high) { /* the first span that ends after a */
		int64_t middle = (low + high) / 2;
		if (l->spans[middle].end > a)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == l->nspans || a < l->spans[low].start || end > l->spans[low].end)
		return false;
	*standin_slot(a) = l->spans[low];
	return true;
}

OP2_PLAIN static void standin_refuse(uintptr_t a, uintptr_t n, int kind) __attribute__((noinline));
OP2_PLAIN static void standin_refuse(uintptr_t a, uintptr_t n, int kind) {
	if (standin_known(a, a + n))
		return;
	standin_current->address = a;
	standin_current->bytes = n;
	standin_fault(kind, threadIdx.x, 0);
	standin_barrier(0, OP2_DONE); /* forever */
}

OP2_PLAIN static inline void standin_check(uintptr_t a, uintptr_t n, int kind) {
	standin_span *recent = standin_slot(a);
	if (a < recent->start || a + n > recent->end)
		standin_refuse(a, n, kind);
}

#define OP2_CHECKS(n) \
	extern "C" OP2_PLAIN void __asan_load##n##_noabort(void *a) { standin_check((uintptr_t)a, n, OP2_READ); } \
	extern "C" OP2_PLAIN void __asan_store##n##_noabort(void *a) { standin_check((uintptr_t)a, n, OP2_WRITE); }
OP2_CHECKS(1) OP2_CHECKS(2) OP2_CHECKS(4) OP2_CHECKS(8) OP2_CHECKS(16)
extern "C" OP2_PLAIN void __asan_loadN_noabort(void *a, long n) { standin_check((uintptr_t)a, n, OP2_READ); }
extern "C" OP2_PLAIN void __asan_storeN_noabort(void *a, long n) { standin_check((uintptr_t)a, n, OP2_WRITE); }
extern "C" OP2_PLAIN void __asan_handle_no_return() {}

OP2_PLAIN static void standin_poison(char *from, char *to) {
	for (short *p = (short *)from; p < (short *)to; p++)
		*p = OP2_POISON;
}

/* standin_whole reports whether n bytes, a multiple of 8, are unchanged. */
OP2_PLAIN static bool standin_whole(const char *p, int64_t n) {
	uint64_t changed = 0;
	for (int64_t i = 0; i < n; i += 8) {
		uint64_t word;
		__builtin_memcpy(&word, p + i, 8);
		changed |= word ^ (unsigned char)OP2_CANARY * 0x0101010101010101ull;
	}
	return !changed;
}

/* ---- a block ---- */

/* standin_resume runs a thread until it ends or waits. */
OP2_PLAIN static void standin_resume(int t) {
	standin_fiber *f = &standin_fibers[t];
	if (!f->stack) {
		f->stack = standin_free_stacks[--standin_nfree];
		standin_prepare(&f->context, f->stack, standin_current->stack, standin_entry);
	}
	threadIdx.x = t;
	standin_switch(&standin_scheduler, &f->context);
	if (!standin_whole(f->stack, OP2_STACK_GUARD))
		standin_fault(OP2_STACK, t, 0);
	if (f->state == OP2_DONE) {
		standin_free_stacks[standin_nfree++] = f->stack;
		f->stack = 0;
	}
}

/* standin_release resumes the threads from first to last that wait at a barrier which all of
   them have reached. It reports whether there are any, or faults. */
OP2_PLAIN static bool standin_release(int first, int last, int state) {
	int waiting = -1, elsewhere = -1;
	for (int t = first; t < last; t++)
		if (waiting < 0 && standin_fibers[t].state == state)
			waiting = t;
	if (waiting < 0)
		return false;
	for (int t = first; t < last; t++)
		if (standin_fibers[t].state != state || standin_fibers[t].line != standin_fibers[waiting].line) {
			standin_fault(standin_fibers[t].state == OP2_DONE ? OP2_ENDED : OP2_DIFFERENT, waiting, standin_fibers[waiting].line);
			standin_current->other = t;
			standin_current->other_line = standin_fibers[t].line;
			return false;
		}
	for (int t = first; t < last; t++)
		standin_fibers[t].state = OP2_READY;
	return true;
}

OP2_PLAIN static void standin_block() {
	standin_launch *l = standin_current;
	int n = l->size;
	standin_poison(standin_dynamic, standin_dynamic + l->shared);
	standin_poison(__start_standin_shared, __stop_standin_shared);
	for (int t = 0; t < n; t++)
		standin_fibers[t].state = OP2_READY;
	for (bool more = true; more && !l->kind;) {
		for (int t = 0; t < n && !l->kind; t++)
			if (standin_fibers[t].state == OP2_READY)
				standin_resume(t);
		if (l->kind)
			return;
		more = false;
		for (int t = 0; t < n; t += warpSize)
			if (standin_release(t, t + warpSize < n ? t + warpSize : n, OP2_AT_WARP))
				more = true;
		if (!more && !l->kind)
			more = standin_release(0, n, OP2_AT_BLOCK);
	}
	if (!l->kind && !(standin_whole(standin_dynamic_block, OP2_GUARD) && standin_whole(standin_dynamic + l->shared, OP2_GUARD)))
		standin_fault(OP2_DYNAMIC, -1, 0);
}

OP2_PLAIN static void standin_run(standin_launch *l, void (*thunk)(void **)) {
	standin_current = l;
	standin_thunk = thunk;
	for (int i = 0; i < 64; i++)
		standin_recent[i] = standin_span();
	standin_nfree = 0;
	for (int64_t t = l->size - 1; t >= 0; t--) {
		char *stack = l->stacks + t * l->stack;
		standin_fibers[t].stack = 0;
		standin_free_stacks[standin_nfree++] = stack;
		__builtin_memset(stack, OP2_CANARY, OP2_STACK_GUARD);
	}
	__builtin_memset(standin_dynamic_block, OP2_CANARY, OP2_GUARD);
	__builtin_memset(standin_dynamic + l->shared, OP2_CANARY, OP2_GUARD);
	gridDim = standin_dim{(unsigned)l->groups, 1, 1};
	blockDim = standin_dim{(unsigned)l->size, 1, 1};
	threadIdx = blockIdx = standin_dim{0, 0, 0};
	for (int64_t b = 0; b < l->groups && !l->kind; b++) {
		blockIdx.x = b;
		standin_block();
	}
}

/* ---- entry points; one line per kernel follows the source ---- */

template <int... I> struct standin_numbers {};
template <int N, int... I> struct standin_count : standin_count<N - 1, N - 1, I...> {};
template <int... I> struct standin_count<0, I...> { typedef standin_numbers<I...> type; };

template <class... A, int... I>
OP2_PLAIN static inline void standin_apply(void (*kernel)(A...), void **args, standin_numbers<I...>) {
	kernel(*(A *)args[I]...);
}
template <class... A> OP2_PLAIN static inline void standin_apply(void (*kernel)(A...), void **args) {
	standin_apply(kernel, args, typename standin_count<sizeof...(A)>::type());
}

/* standin_declared returns how much shared memory the source declares. */
OP2_PLAIN static int64_t standin_declared() {
	int64_t bytes = 0;
	for (int64_t i = 0; i < standin_nglobals; i++)
		if (standin_globals[i].start >= (uintptr_t)__start_standin_shared && standin_globals[i].start < (uintptr_t)__stop_standin_shared)
			bytes += standin_globals[i].size;
	if (!bytes)
		bytes = __stop_standin_shared - __start_standin_shared;
	return bytes - sizeof standin_shared_first;
}

/* standin_describe returns the number of parameters of a kernel, and their sizes. */
template <class... A> OP2_PLAIN static int standin_describe(void (*)(A...), int64_t *sizes) {
	int64_t all[] = {(int64_t)sizeof(A)..., 0};
	for (int i = 0; i < (int)sizeof...(A); i++)
		sizes[i] = all[i];
	return sizeof...(A);
}

#define OP2_ENTRY(name, bounds) \
	OP2_PLAIN static void standin_thunk_##name(void **args) { standin_apply(name, args); } \
	extern "C" OP2_PLAIN void standin_run_##name(standin_launch *l) { standin_run(l, standin_thunk_##name); } \
	extern "C" OP2_PLAIN void standin_about_##name(int64_t *about) { \
		about[0] = standin_first bounds; \
		about[1] = standin_declared(); \
		about[2] = standin_describe(name, about + 3); \
	}
template <class... A> static inline int64_t standin_first(int64_t first, A...) { return first; }
#define OP2_SHARED(name) __asm__(".set " #name ", standin_dynamic_block + 256"); /* OP2_GUARD */

/* ---- functions of CUDA C++ ---- */

extern "C" int printf(const char *, ...);
extern "C" void *memcpy(void *, const void *, size_t);
extern "C" void *memset(void *, int, size_t);

#define OP2_INLINE static inline __attribute__((always_inline, unused))
#define OP2_MATH1(name) \
	extern "C" double name(double); \
	extern "C" float name##f(float); \
	OP2_INLINE float name(float x) { return name##f(x); }
#define OP2_MATH2(name) \
	extern "C" double name(double, double); \
	extern "C" float name##f(float, float); \
	OP2_INLINE float name(float x, float y) { return name##f(x, y); }
OP2_MATH1(sin) OP2_MATH1(cos) OP2_MATH1(tan) OP2_MATH1(asin) OP2_MATH1(acos) OP2_MATH1(atan)
OP2_MATH1(sinh) OP2_MATH1(cosh) OP2_MATH1(tanh) OP2_MATH1(asinh) OP2_MATH1(acosh) OP2_MATH1(atanh)
OP2_MATH1(exp) OP2_MATH1(exp2) OP2_MATH1(expm1) OP2_MATH1(log) OP2_MATH1(log2) OP2_MATH1(log10) OP2_MATH1(log1p)
OP2_MATH1(sqrt) OP2_MATH1(cbrt) OP2_MATH1(fabs) OP2_MATH1(ceil) OP2_MATH1(floor) OP2_MATH1(round) OP2_MATH1(trunc)
OP2_MATH1(rint) OP2_MATH1(nearbyint) OP2_MATH1(erf) OP2_MATH1(erfc) OP2_MATH1(tgamma) OP2_MATH1(lgamma) OP2_MATH1(logb)
OP2_MATH1(j0) OP2_MATH1(j1) OP2_MATH1(y0) OP2_MATH1(y1)
OP2_MATH2(pow) OP2_MATH2(atan2) OP2_MATH2(hypot) OP2_MATH2(fmod) OP2_MATH2(remainder) OP2_MATH2(fmin) OP2_MATH2(fmax)
OP2_MATH2(fdim) OP2_MATH2(copysign) OP2_MATH2(nextafter)
OP2_INLINE double pow(double x, int n) { return pow(x, (double)n); }
OP2_INLINE float pow(float x, int n) { return powf(x, (float)n); }
extern "C" double fma(double, double, double);
extern "C" float fmaf(float, float, float);
OP2_INLINE float fma(float x, float y, float z) { return fmaf(x, y, z); }
extern "C" double ldexp(double, int), scalbn(double, int), frexp(double, int *), modf(double, double *), jn(int, double), yn(int, double);
extern "C" float ldexpf(float, int), scalbnf(float, int), frexpf(float, int *), modff(float, float *);
OP2_INLINE float ldexp(float x, int n) { return ldexpf(x, n); }
OP2_INLINE float scalbn(float x, int n) { return scalbnf(x, n); }
OP2_INLINE float frexp(float x, int *n) { return frexpf(x, n); }
extern "C" int ilogb(double), ilogbf(float);
extern "C" long lround(double), lrint(double), lroundf(float), lrintf(float);
extern "C" long long llround(double), llrint(double), llroundf(float), llrintf(float);
extern "C" double scalbln(double, long), remquo(double, double, int *);
extern "C" float scalblnf(float, long), remquof(float, float, int *);
OP2_INLINE double rsqrt(double x) { return 1 / sqrt(x); }
OP2_INLINE float rsqrt(float x) { return 1 / sqrtf(x); }
OP2_INLINE float rsqrtf(float x) { return 1 / sqrtf(x); }
OP2_INLINE double exp10(double x) { return pow(10.0, x); }
OP2_INLINE void sincos(double x, double *s, double *c) { *s = sin(x), *c = cos(x); }
OP2_INLINE double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
OP2_INLINE float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
OP2_INLINE double __dadd_rn(double x, double y) { return x + y; }
OP2_INLINE double __dmul_rn(double x, double y) { return x * y; }
OP2_INLINE double __ddiv_rn(double x, double y) { return x / y; }
OP2_INLINE double __dsqrt_rn(double x) { return sqrt(x); }
OP2_INLINE float __fadd_rn(float x, float y) { return x + y; }
OP2_INLINE float __fmul_rn(float x, float y) { return x * y; }
OP2_INLINE float __fdiv_rn(float x, float y) { return x / y; }
OP2_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }

#define OP2_CLASSIFY(T) \
	OP2_INLINE bool isnan(T x) { return __builtin_isnan(x); } \
	OP2_INLINE bool isinf(T x) { return __builtin_isinf(x); } \
	OP2_INLINE bool isfinite(T x) { return __builtin_isfinite(x); } \
	OP2_INLINE bool signbit(T x) { return __builtin_signbit(x); } \
	OP2_INLINE T abs(T x) { return fabs(x); }
OP2_CLASSIFY(float) OP2_CLASSIFY(double)
extern "C" int abs(int);
extern "C" long labs(long);
extern "C" long long llabs(long long);
OP2_INLINE long abs(long x) { return x < 0 ? -x : x; }
OP2_INLINE long long abs(long long x) { return x < 0 ? -x : x; }

#define OP2_MINMAX(T) \
	OP2_INLINE T min(T x, T y) { return y < x ? y : x; } \
	OP2_INLINE T max(T x, T y) { return x < y ? y : x; }
OP2_MINMAX(int) OP2_MINMAX(unsigned) OP2_MINMAX(long) OP2_MINMAX(unsigned long) OP2_MINMAX(long long) OP2_MINMAX(unsigned long long)
OP2_INLINE float min(float x, float y) { return fmin(x, y); }
OP2_INLINE float max(float x, float y) { return fmax(x, y); }
OP2_INLINE double min(double x, double y) { return fmin(x, y); }
OP2_INLINE double max(double x, double y) { return fmax(x, y); }

template <class To, class From> OP2_INLINE To standin_bits(From x) {
	static_assert(sizeof(To) == sizeof(From), "");
	To y;
	__builtin_memcpy(&y, &x, sizeof y);
	return y;
}
OP2_INLINE long long __double_as_longlong(double x) { return standin_bits<long long>(x); }
OP2_INLINE double __longlong_as_double(long long x) { return standin_bits<double>(x); }
OP2_INLINE int __float_as_int(float x) { return standin_bits<int>(x); }
OP2_INLINE unsigned __float_as_uint(float x) { return standin_bits<unsigned>(x); }
OP2_INLINE float __int_as_float(int x) { return standin_bits<float>(x); }
OP2_INLINE float __uint_as_float(unsigned x) { return standin_bits<float>(x); }
OP2_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
OP2_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
OP2_INLINE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
OP2_INLINE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
OP2_INLINE int __ffs(int x) { return __builtin_ffs(x); }
OP2_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
template <class T> OP2_INLINE T __ldg(const T *p) { return *p; }

/* A single CPU thread runs everything sequentially. */
#define OP2_ATOMIC(T, f, next) OP2_INLINE T f(T *p, T v) { T old = *p; *p = next; return old; }
#define OP2_ATOMIC_ADD(T) OP2_ATOMIC(T, atomicAdd, old + v)
#define OP2_ATOMIC_BOTH(T) OP2_ATOMIC(T, atomicMin, v < old ? v : old) OP2_ATOMIC(T, atomicMax, old < v ? v : old)
#define OP2_ATOMIC_BITS(T) \
	OP2_ATOMIC(T, atomicAnd, old & v) OP2_ATOMIC(T, atomicOr, old | v) OP2_ATOMIC(T, atomicXor, old ^ v) \
	OP2_ATOMIC(T, atomicExch, v) \
	OP2_INLINE T atomicCAS(T *p, T expected, T v) { T old = *p; if (old == expected) *p = v; return old; }
OP2_ATOMIC_ADD(int) OP2_ATOMIC_ADD(unsigned) OP2_ATOMIC_ADD(unsigned long long) OP2_ATOMIC_ADD(float) OP2_ATOMIC_ADD(double)
OP2_ATOMIC_BOTH(int) OP2_ATOMIC_BOTH(unsigned) OP2_ATOMIC_BOTH(unsigned long long) OP2_ATOMIC_BOTH(long long)
OP2_ATOMIC_BITS(int) OP2_ATOMIC_BITS(unsigned) OP2_ATOMIC_BITS(unsigned long long)
OP2_ATOMIC(int, atomicSub, old - v) OP2_ATOMIC(unsigned, atomicSub, old - v)
OP2_ATOMIC(float, atomicExch, v)
OP2_ATOMIC(unsigned, atomicInc, old >= v ? 0 : old + 1)
OP2_ATOMIC(unsigned, atomicDec, old == 0 || old > v ? v : old - 1)
