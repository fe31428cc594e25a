// The target mpi: each process owns a share of each set, consecutive elements, and runs the code of the target
// sequential for those elements that change what it owns.
//
// Every process reads the whole run, and numbers elements as that does. It runs its own elements of a loop, and those
// of others that change its own data through maps: no increments are sent. What a loop reads of other processes is
// received before, if it has changed. Results of reductions count own elements alone.
#include "host.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

static int first(int elements, int r) { return (int64_t)elements * r / ranks; }

static int owner(int elements, int e)
{
	int r = (int64_t)e * ranks / elements;
	while (e < first(elements, r))
		r--;
	while (e >= first(elements, r + 1))
		r++;
	return r;
}

static int mine(int elements, int e) { return first(elements, rank) <= e && e < first(elements, rank + 1); }

// Halo is what processes have of each other's elements of an array.
struct halo {
	char *needed; // by element, while loops are prepared
	int *send, *receive; // elements, by rank
	int sends, receives; // their numbers
	int *send_count, *receive_count, *send_at, *receive_at; // by rank, in bytes
	char *out, *in;
	int stale; // what is received is no longer what owners have
};

static struct halo *halos; // by array

// Part is a part of a loop's elements, bound to its code.
struct part {
	int32_t (*runs)[2];
	struct bound *bound;
};

struct parts {
	struct part own, others;
	int executes; // elements of others, on some process
};

static int is_dat(const struct array *a) { return strcmp(a->kind, "global") != 0; }

static size_t row(const struct array *a) { return a->bytes / a->elements; }

// reach calls f for all elements of the argument's array that element e reaches, until one returns other than 0.
static int reach(struct run *r, const struct loop *l, const struct arg *a, int e, int (*f)(struct array *, int))
{
	struct array *data = &r->array[l->data.of[a->data]];
	if (a->map < 0)
		return f(data, e);
	const struct array *map = &r->array[l->maps.of[a->map]];
	const int32_t *targets = (const int32_t *)map->values + (size_t)e * map->dim;
	for (int c = 0; c < map->dim; c++)
		if ((a->component < 0 || a->component == c) && targets[c] >= 0 && f(data, targets[c]))
			return 1;
	return 0;
}

static struct array *arrays; // the first of the run

static int is_mine(struct array *a, int e) { return mine(a->elements, e); }

static int need(struct array *a, int e)
{
	struct halo *h = &halos[a - arrays];
	if (!mine(a->elements, e)) {
		if (!h->needed)
			h->needed = allocate(a->elements);
		h->needed[e] = 1;
	}
	return 0;
}

static void add(struct part *p, int e)
{
	int64_t n = p->bound->count;
	if (n > 0 && p->runs[n - 1][1] == e) {
		p->runs[n - 1][1]++;
	} else {
		p->runs[n][0] = e;
		p->runs[n][1] = e + 1;
		p->bound->count++;
	}
}

static void open_part(struct run *r, const struct loop *l, struct part *p)
{
	p->bound = bind_loop(r, l);
	p->bound->count = 0;
	p->runs = allocate((size_t)l->size * sizeof *p->runs);
	for (int i = 0; i < codes[l->code].n; i++)
		if (codes[l->code].slots[i].what == RUNS)
			p->bound->args[i] = p->runs;
}

// prepare finds the elements that this process runs, and what they need.
static void prepare(struct run *r, struct loop *l)
{
	struct parts *p = l->own = allocate(sizeof *p);
	open_part(r, l, &p->own);
	open_part(r, l, &p->others);
	if (l->nonzeros.n > 0)
		fail("%s: the target mpi has no matrices", codes[l->code].name);
	for (int i = 0; i < l->n; i++) {
		const struct array *a = &r->array[l->data.of[l->args[i].data]];
		if (is_dat(a) && l->args[i].map < 0 && a->elements != l->size)
			fail("%s: the target mpi has no vectors of another dimension than that of %s", codes[l->code].name, a->name);
		if (!is_dat(a) && l->args[i].access != READ && (l->args[i].access == REDUCE || !strcmp(a->type, "bytes")))
			fail("%s: the target mpi has no reduction of %s", codes[l->code].name, a->name);
		p->executes |= is_dat(a) && l->args[i].access != READ && l->args[i].map >= 0;
	}
	const struct array *runs = &r->array[l->plan.of[0]];
	for (int i = 0; i < runs->elements; i += 2) {
		for (int e = ((int32_t *)runs->values)[i]; e < ((int32_t *)runs->values)[i + 1]; e++) {
			int runs_here = mine(l->size, e), changes = 0;
			for (int a = 0; a < l->n && !runs_here && !changes; a++)
				if (l->args[a].access != READ && l->args[a].map >= 0)
					changes = reach(r, l, &l->args[a], e, is_mine);
			if (!runs_here && !changes)
				continue;
			add(runs_here ? &p->own : &p->others, e);
			for (int a = 0; a < l->n; a++)
				if (is_dat(&r->array[l->data.of[l->args[a].data]]) && (l->args[a].access == READ || l->args[a].access == RW))
					reach(r, l, &l->args[a], e, need);
		}
	}
}

// connect lets processes tell each other which elements of an array they need.
static void connect(struct array *a, struct halo *h)
{
	int *all = allocate(6 * (size_t)ranks * sizeof *all), *counts = all + 4 * ranks, *at = all + 5 * ranks;
	h->send_count = all, h->receive_count = all + ranks, h->send_at = all + 2 * ranks, h->receive_at = all + 3 * ranks;
	for (int e = 0; h->needed && e < a->elements; e++)
		h->receives += h->needed[e];
	h->receive = allocate(h->receives * sizeof *h->receive);
	for (int e = 0, n = 0; h->needed && e < a->elements; e++) {
		if (h->needed[e]) {
			h->receive[n++] = e;
			h->receive_count[owner(a->elements, e)]++;
		}
	}
	MPI_Alltoall(h->receive_count, 1, MPI_INT, h->send_count, 1, MPI_INT, MPI_COMM_WORLD);
	for (int r = 0, n = 0; r < ranks; n += h->receive_count[r++])
		at[r] = n;
	for (int r = 0; r < ranks; h->sends += h->send_count[r++])
		h->send_at[r] = h->sends;
	h->send = allocate(h->sends * sizeof *h->send);
	memcpy(counts, h->receive_count, ranks * sizeof *counts);
	MPI_Alltoallv(h->receive, counts, at, MPI_INT, h->send, h->send_count, h->send_at, MPI_INT, MPI_COMM_WORLD);
	for (int r = 0; r < ranks; r++) { // in bytes
		h->receive_at[r] = at[r] * row(a);
		h->receive_count[r] *= row(a);
		h->send_at[r] *= row(a);
		h->send_count[r] *= row(a);
	}
	h->out = allocate(h->sends * row(a));
	h->in = allocate(h->receives * row(a));
}

static void exchange(struct array *a, struct halo *h)
{
	size_t n = row(a);
	for (int i = 0; i < h->sends; i++)
		memcpy(h->out + i * n, a->values + h->send[i] * n, n);
	MPI_Alltoallv(h->out, h->send_count, h->send_at, MPI_BYTE, h->in, h->receive_count, h->receive_at, MPI_BYTE, MPI_COMM_WORLD);
	for (int i = 0; i < h->receives; i++)
		memcpy(a->values + h->receive[i] * n, h->in + i * n, n);
	h->stale = 0;
}

void target_open(struct run *r, int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	arrays = r->array;
	halos = allocate(r->arrays * sizeof *halos);
	for (int i = 0; i < r->loops; i++)
		prepare(r, &r->loop[i]);
	for (int i = 0; i < r->arrays; i++)
		if (!strcmp(r->array[i].kind, "dat") && r->array[i].elements > 0)
			connect(&r->array[i], &halos[i]);
}

static MPI_Datatype type_of(const struct array *a)
{
	static const char *const names[] = {"float64", "float32", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"};
	MPI_Datatype types[] = {MPI_DOUBLE, MPI_FLOAT, MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T};
	for (int i = 0; i < 10; i++)
		if (!strcmp(a->type, names[i]))
			return types[i];
	fail("%s: the target mpi has no reduction of %s", a->name, a->type);
	return MPI_BYTE;
}

// Before a call, process 0 has the value of a global that is added to, the others zero.
static void begin(struct array *a, const struct arg *arg)
{
	if (arg->access == INC && rank > 0)
		memset(a->values, 0, a->bytes);
}

static void finish(struct array *a, const struct arg *arg)
{
	MPI_Op op = arg->access == INC ? MPI_SUM : arg->access == MIN ? MPI_MIN : MPI_MAX;
	MPI_Allreduce(MPI_IN_PLACE, a->values, a->dim, type_of(a), op, MPI_COMM_WORLD);
}

void target_call(struct run *r, struct loop *l)
{
	struct parts *p = l->own;
	for (int i = 0; i < l->n; i++) {
		const struct arg *arg = &l->args[i];
		int array = l->data.of[arg->data];
		int reads = (arg->access == READ || arg->access == RW) && (arg->map >= 0 || p->executes);
		if (reads && halos[array].stale)
			exchange(&r->array[array], &halos[array]);
	}
	// Elements of others first: what they add to globals is overwritten.
	char *saved[64] = {0};
	for (int i = 0; i < l->n; i++) {
		struct array *a = &r->array[l->data.of[l->args[i].data]];
		if (!is_dat(a) && l->args[i].access != READ)
			saved[i] = memcpy(allocate(a->bytes), a->values, a->bytes);
	}
	call_loop(l, p->others.bound);
	for (int i = 0; i < l->n; i++) {
		struct array *a = &r->array[l->data.of[l->args[i].data]];
		if (saved[i]) {
			memcpy(a->values, saved[i], a->bytes);
			free(saved[i]);
			begin(a, &l->args[i]);
		}
	}
	call_loop(l, p->own.bound);
	for (int i = 0; i < l->n; i++) {
		struct array *a = &r->array[l->data.of[l->args[i].data]];
		if (saved[i])
			finish(a, &l->args[i]);
		else if (l->args[i].access != READ)
			halos[a - arrays].stale = 1;
	}
}

void target_changed(struct run *r, struct array *a) { halos[a - arrays].stale = 0; }

void target_fetch(struct run *r, struct array *a)
{
	if (!is_dat(a) || a->elements == 0)
		return;
	int *counts = allocate(2 * ranks * sizeof *counts), *at = counts + ranks;
	for (int i = 0; i < ranks; i++) {
		at[i] = first(a->elements, i) * row(a);
		counts[i] = first(a->elements, i + 1) * row(a) - at[i];
	}
	MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, a->values, counts, at, MPI_BYTE, MPI_COMM_WORLD);
	free(counts);
}

int target_prints(void) { return rank == 0; }

int target_close(struct run *r, int status)
{
	MPI_Finalize();
	return status;
}
