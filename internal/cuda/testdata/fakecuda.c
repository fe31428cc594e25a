/* The functions of libcuda.so.1 that internal/cuda calls, on host memory: two devices, contexts, a
   queue that delays copies as long as possible, and errors on request. All but the first few calls require the context to be current. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int result;
enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_IMAGE = 200, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700 };

struct context { int device, alive; result sticky; };
struct function { char name[64]; int dynamic; };
struct module { char text[64]; };
struct event { int flags; long mark; float time; };
struct op { void *to; const void *from; size_t n; struct event *event; };

static _Thread_local struct context *current;
static struct op queue[4096];
static int queued;
static float now;
static size_t used, limit = 1 << 30;
static struct { char *start; size_t n; } pinned[16], blocks[256];
/* Numbers of live objects. */
long fake_contexts, fake_blocks, fake_pinned, fake_events, fake_streams, fake_modules, fake_devices = 2, fake_version = 12040;
long fake_graphs;
/* Numbers of calls. */
long fake_captures, fake_replays, fake_launches, fake_deferred, fake_compiled;
long fake_launched[7]; /* groups, size, shared of the last launch */
/* The next call of this name fails with this code. */
char fake_failing[64];
long fake_code;

#define FAIL(name) do { if (!strcmp(fake_failing, name)) { fake_failing[0] = 0; return (result)fake_code; } } while (0)
#define ENTER(name) do { FAIL(name); if (!current || !current->alive) return INVALID_CONTEXT; if (current->sticky) return current->sticky; } while (0)

static int on_device(uintptr_t p, size_t n) {
	for (int i = 0; i < 256; i++)
		if (blocks[i].start && p >= (uintptr_t)blocks[i].start && p + n <= (uintptr_t)blocks[i].start + blocks[i].n)
			return 1;
	return 0;
}
/* drain executes the queue, up to an event. */
static void drain(struct event *until) {
	int i = 0, last = -1;
	if (until) {
		for (int j = 0; j < queued; j++)
			if (queue[j].event == until)
				last = j;
		if (last < 0)
			return;
	} else
		last = queued - 1;
	for (; i <= last; i++) {
		if (queue[i].event)
			queue[i].event->time = now;
		else
			memcpy(queue[i].to, queue[i].from, queue[i].n);
		now += 0.25f;
	}
	memmove(queue, queue + i, (queued - i) * sizeof queue[0]);
	queued -= i;
}
static result copy(void *to, const void *from, size_t n) {
	if (queued < 4000) {
		queue[queued++] = (struct op){to, from, n, 0};
		fake_deferred++;
	} else {
		drain(0);
		memcpy(to, from, n);
	}
	return 0;
}

void fake_limit(size_t n) { limit = n; }
result cuInit(unsigned flags) { FAIL("cuInit"); return flags ? INVALID_VALUE : fake_devices ? 0 : NO_DEVICE; }
result cuDriverGetVersion(int *v) { *v = fake_version; return 0; }
result cuGetErrorName(result r, const char **name) {
	switch (r) {
	case INVALID_VALUE: *name = "CUDA_ERROR_INVALID_VALUE"; break;
	case NO_DEVICE: *name = "CUDA_ERROR_NO_DEVICE"; break;
	case INVALID_IMAGE: *name = "CUDA_ERROR_INVALID_IMAGE"; break;
	case NOT_FOUND: *name = "CUDA_ERROR_NOT_FOUND"; break;
	case ILLEGAL_ADDRESS: *name = "CUDA_ERROR_ILLEGAL_ADDRESS"; break;
	default: *name = 0; return INVALID_VALUE;
	}
	return 0;
}
result cuDeviceGetCount(int *n) { *n = fake_devices; return 0; }
result cuDeviceGet(int *d, int i) { *d = 10 + i; return i < fake_devices ? 0 : INVALID_VALUE; }
result cuDeviceGetName(char *name, int n, int d) { strncpy(name, d == 10 ? "Fake One" : "Fake H100", n); return 0; }
result cuDeviceTotalMem_v2(size_t *n, int d) { *n = limit; return 0; }
result cuDeviceGetAttribute(int *v, int which, int d) {
	switch (which) {
	case 1: *v = 1024; return 0;
	case 8: *v = 49152; return 0;
	case 16: *v = d == 10 ? 4 : 8; return 0;
	case 75: *v = d == 10 ? 8 : 9; return 0;
	case 76: *v = d == 10 ? 6 : 0; return 0;
	case 97: *v = d == 10 ? 0 : 232448; return 0;
	}
	return INVALID_VALUE;
}
result cuCtxCreate_v2(struct context **c, unsigned flags, int d) {
	FAIL("cuCtxCreate");
	if (d < 10)
		return INVALID_VALUE;
	*c = calloc(1, sizeof **c);
	(*c)->alive = 1;
	(*c)->device = d;
	current = *c;
	fake_contexts++;
	return 0;
}
result cuCtxDestroy_v2(struct context *c) {
	if (!c->alive)
		return INVALID_CONTEXT;
	c->alive = 0;
	fake_contexts--;
	for (int i = 0; i < 256; i++)
		if (blocks[i].start) {
			free(blocks[i].start);
			used -= blocks[i].n;
			blocks[i].start = 0;
			fake_blocks--;
		}
	queued = 0;
	return 0;
}
result cuCtxSetCurrent(struct context *c) { current = c; return c->alive ? 0 : INVALID_CONTEXT; }
result cuMemAlloc_v2(uintptr_t *p, size_t n) {
	ENTER("cuMemAlloc");
	if (!n)
		return INVALID_VALUE;
	if (used + n > limit)
		return OUT_OF_MEMORY;
	for (int i = 0; i < 256; i++)
		if (!blocks[i].start) {
			blocks[i].start = malloc(n);
			blocks[i].n = n;
			used += n;
			memset(blocks[i].start, 0xee, n);
			*p = (uintptr_t)blocks[i].start;
			fake_blocks++;
			return 0;
		}
	return OUT_OF_MEMORY;
}
result cuMemFree_v2(uintptr_t p) {
	ENTER("cuMemFree");
	for (int i = 0; i < 256; i++)
		if ((uintptr_t)blocks[i].start == p) {
			used -= blocks[i].n;
			free(blocks[i].start);
			blocks[i].start = 0;
			fake_blocks--;
			return queued ? INVALID_HANDLE : 0;
		}
	return INVALID_VALUE;
}
result cuMemHostAlloc(void **p, size_t n, unsigned flags) {
	ENTER("cuMemHostAlloc");
	for (int i = 0; i < 16; i++)
		if (!pinned[i].start) {
			*p = pinned[i].start = malloc(n);
			pinned[i].n = n;
			fake_pinned++;
			return 0;
		}
	return OUT_OF_MEMORY;
}
result cuMemFreeHost(void *p) {
	ENTER("cuMemFreeHost");
	for (int i = 0; i < 16; i++)
		if (p && pinned[i].start == p) {
			free(p);
			pinned[i].start = 0;
			fake_pinned--;
			return 0;
		}
	return INVALID_VALUE;
}
static int stream;
/* A captured launch, with the values of its arguments. */
struct launch { struct function *f; unsigned groups, size, shared; int64_t values[4]; };
struct graph { int n; struct launch launches[16]; };
static struct graph *capturing;
static result run(struct function *f, void **params);
#define STREAM(s) do { if ((s) != &stream) return INVALID_HANDLE; } while (0)
result cuMemcpyHtoDAsync_v2(uintptr_t to, const void *from, size_t n, void *s) {
	ENTER("cuMemcpyHtoDAsync");
	STREAM(s);
	return on_device(to, n) ? copy((void *)to, from, n) : INVALID_VALUE;
}
result cuMemcpyDtoHAsync_v2(void *to, uintptr_t from, size_t n, void *s) {
	ENTER("cuMemcpyDtoHAsync");
	STREAM(s);
	return on_device(from, n) ? copy(to, (void *)from, n) : INVALID_VALUE;
}
result cuMemcpyDtoDAsync_v2(uintptr_t to, uintptr_t from, size_t n, void *s) {
	ENTER("cuMemcpyDtoDAsync");
	STREAM(s);
	return on_device(to, n) && on_device(from, n) ? copy((void *)to, (void *)from, n) : INVALID_VALUE;
}
result cuMemsetD8Async(uintptr_t to, unsigned char v, size_t n, void *s) {
	ENTER("cuMemsetD8Async");
	STREAM(s);
	if (!on_device(to, n))
		return INVALID_VALUE;
	drain(0);
	memset((void *)to, v, n);
	return 0;
}
result cuStreamCreate(void **s, unsigned flags) {
	ENTER("cuStreamCreate");
	if (flags != 1)
		return INVALID_VALUE;
	*s = &stream;
	fake_streams++;
	return 0;
}
result cuStreamSynchronize(void *s) { ENTER("cuStreamSynchronize"); STREAM(s); drain(0); return 0; }
result cuStreamDestroy_v2(void *s) { ENTER("cuStreamDestroy"); STREAM(s); fake_streams--; return 0; }
result cuEventCreate(struct event **e, unsigned flags) {
	ENTER("cuEventCreate");
	*e = calloc(1, sizeof **e);
	(*e)->flags = flags;
	fake_events++;
	return 0;
}
result cuEventRecord(struct event *e, void *s) {
	ENTER("cuEventRecord");
	STREAM(s);
	for (int i = 0; i < queued; i++) /* recorded again */
		if (queue[i].event == e)
			queue[i].event = calloc(1, sizeof *e);
	queue[queued++] = (struct op){0, 0, 0, e};
	return 0;
}
result cuEventSynchronize(struct event *e) { ENTER("cuEventSynchronize"); drain(e); return 0; }
result cuEventElapsedTime(float *ms, struct event *start, struct event *end) {
	ENTER("cuEventElapsedTime");
	if (start->flags || end->flags)
		return INVALID_HANDLE;
	*ms = end->time - start->time;
	return 0;
}
result cuEventDestroy_v2(struct event *e) { ENTER("cuEventDestroy"); free(e); fake_events--; return 0; }
result cuModuleLoadData(struct module **m, const char *image) {
	ENTER("cuModuleLoadData");
	if (!strncmp(image, "damaged", 7))
		return INVALID_IMAGE;
	*m = calloc(1, sizeof **m);
	fake_modules++;
	return 0;
}
result cuModuleUnload(struct module *m) { ENTER("cuModuleUnload"); free(m); fake_modules--; return 0; }
result cuModuleGetFunction(struct function **f, struct module *m, const char *name) {
	ENTER("cuModuleGetFunction");
	if (!strcmp(name, "missing"))
		return NOT_FOUND;
	*f = calloc(1, sizeof **f);
	strncpy((*f)->name, name, 63);
	(*f)->dynamic = 49152 - 512;
	return 0;
}
result cuFuncGetAttribute(int *v, int which, struct function *f) {
	ENTER("cuFuncGetAttribute");
	switch (which) {
	case 0: *v = 768; return 0;
	case 1: *v = 512; return 0;
	case 3: *v = 16; return 0;
	case 4: *v = 42; return 0;
	}
	return INVALID_VALUE;
}
result cuFuncSetAttribute(struct function *f, int which, int v) {
	ENTER("cuFuncSetAttribute");
	if (which != 8 || v + 512 > 232448)
		return INVALID_VALUE;
	f->dynamic = v;
	return 0;
}
struct arguments { double *to; int n; double plus[2]; };
result cuLaunchKernel(struct function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *s, void **params, void **extra) {
	ENTER("cuLaunchKernel");
	STREAM(s);
	if (gy != 1 || gz != 1 || by != 1 || bz != 1 || extra || bx > 768 || (int)shared > f->dynamic)
		return INVALID_VALUE;
	long launched[] = {gx, bx, shared};
	memcpy(fake_launched, launched, sizeof launched);
	if (capturing) {
		struct launch l = {f, gx, bx, shared};
		for (int i = 0; i < 3 && !strcmp(f->name, "fill"); i++)
			memcpy(&l.values[i], params[i], i < 2 ? 8 : 4);
		if (!strcmp(f->name, "add"))
			memcpy(l.values, params[0], sizeof(struct arguments));
		capturing->launches[capturing->n++] = l;
		return 0;
	}
	fake_launches++;
	drain(0);
	return run(f, params);
}
static result run(struct function *f, void **params) {
	if (!strcmp(f->name, "fill")) { /* double *to, double value, int n */
		double *to = *(double **)params[0], value = *(double *)params[1];
		for (int i = 0; i < *(int *)params[2]; i++)
			to[i] = value + i;
	} else if (!strcmp(f->name, "add")) { /* struct arguments a */
		struct arguments *a = params[0];
		for (int i = 0; i < a->n; i++)
			a->to[i] += a->plus[i % 2];
	} else if (!strcmp(f->name, "crash"))
		current->sticky = ILLEGAL_ADDRESS;
	return 0;
}
result cuStreamBeginCapture_v2(void *s, int mode) {
	ENTER("cuStreamBeginCapture");
	STREAM(s);
	if (capturing || mode != 2)
		return INVALID_VALUE;
	capturing = calloc(1, sizeof *capturing);
	fake_captures++;
	return 0;
}
result cuStreamEndCapture(void *s, struct graph **g) {
	struct graph *captured = capturing;
	capturing = 0;
	ENTER("cuStreamEndCapture");
	STREAM(s);
	if (!captured)
		return INVALID_VALUE;
	*g = captured;
	fake_graphs++;
	return 0;
}
result cuGraphInstantiateWithFlags(struct graph **exec, struct graph *g, unsigned long long flags) {
	ENTER("cuGraphInstantiate");
	*exec = malloc(sizeof **exec);
	**exec = *g;
	fake_graphs++;
	return flags ? INVALID_VALUE : 0;
}
result cuGraphLaunch(struct graph *g, void *s) {
	ENTER("cuGraphLaunch");
	STREAM(s);
	if (capturing)
		return INVALID_VALUE;
	drain(0);
	fake_replays++;
	for (int i = 0; i < g->n; i++) {
		struct launch *l = &g->launches[i];
		void *params[3] = {&l->values[0], &l->values[1], &l->values[2]};
		result r = run(l->f, params);
		if (r)
			return r;
	}
	return 0;
}
result cuGraphDestroy(struct graph *g) { ENTER("cuGraphDestroy"); free(g); fake_graphs--; return 0; }
result cuGraphExecDestroy(struct graph *g) { ENTER("cuGraphExecDestroy"); free(g); fake_graphs--; return 0; }
