/* Runs several loops tile by tile: group after group, or the groups of a stage on a team of threads,
 * and in a group tile after tile, and in a tile loop after loop, each of which is a call of its
 * wrapper for the runs that the tile has of it. While a tile runs, the loops with most arithmetic fetch
 * what the next one uses into the core's own cache, a few lines with each pack of elements.
 */
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

typedef int32_t run[2]; /* elements: the first, and the one after the last */

/* Passed to the wrappers of loops that fetch: struct op2_ahead in generated code. */
struct ahead {
	const char *at, *end;
	const char *(*next)[2], *(*last)[2]; /* spans after this one */
	int64_t step;                        /* bytes with each pack */
};

struct op2_job { /* struct job of team.c */
	void (*run)(struct op2_job *, void (*block)(void *shared, int32_t i), void *shared);
};

/* The following are as in tiles.go. */

struct loop {
	void (*wrap)(void **args);
	const run *runs;
	const int32_t *offsets;                    /* of the runs of each tile */
	int64_t args;                              /* its first one */
	int64_t run, count, fault, ahead;          /* which of its args; -1 for none */
	int64_t pack;                              /* elements that fetch at once */
	int64_t reductions;                        /* end of its own */
};

struct reduction {
	int64_t arg; /* which of the loop's args */
	char *partials;
	int64_t stride; /* from tile to tile */
};

/* Values, or the rows of a map. */
struct array {
	const char *start;
	int64_t row; /* bytes of an element */
	const run *fresh;
	const int32_t *offsets; /* of the runs of each tile */
};

struct group {
	int32_t first, last; /* tiles */
	int32_t stage;
};

struct tiles {
	struct op2_job *job; /* NULL: no threads */
	const struct group *groups;
	const struct loop *loops;
	const struct reduction *reductions;
	const struct array *arrays;
	void *const *args;
	int64_t group_count, loop_count, array_count, arg_count;
	int64_t spans; /* that are listed at most */
	const atomic_int *stop; /* not 0 when no more tiles should run; or NULL */
	int64_t *times;         /* nanoseconds by group and loop; NULL: not measured */

	/* The fault of the first loop that has one, and there of the first element. */
	int64_t record[8];
	int64_t failed; /* loop */
	atomic_int failed_stage;
	atomic_char lock;
};

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Lists what a tile is the first to use as spans of memory, as far as they fit, and returns their end. */
static const char *(*list(const struct tiles *t, int32_t tile, const char *(*span)[2]))[2]
{
	const char *(*const end)[2] = span + t->spans;
	for (int64_t i = 0; i < t->array_count; i++) {
		const struct array *a = &t->arrays[i];
		for (int32_t r = a->offsets[tile]; r < a->offsets[tile + 1] && span < end; r++, span++) {
			(*span)[0] = (const char *)((uintptr_t)(a->start + a->fresh[r][0] * a->row) & ~(uintptr_t)63);
			(*span)[1] = a->start + a->fresh[r][1] * a->row;
		}
	}
	return span;
}

/* Prepares to fetch what the next tile uses while a tile runs. */
static void prepare(const struct tiles *t, int32_t tile, int32_t next, struct ahead *ahead, const char *(*span)[2])
{
	*ahead = (struct ahead){0};
	int64_t packs = 0;
	for (int64_t i = 0; i < t->loop_count; i++) {
		const struct loop *l = &t->loops[i];
		if (l->ahead >= 0)
			for (int32_t r = l->offsets[tile]; r < l->offsets[tile + 1]; r++)
				packs += (l->runs[r][1] - l->runs[r][0]) / l->pack;
	}
	const char *(*last)[2] = list(t, next, span);
	if (packs == 0 || last == span)
		return;
	int64_t lines = 0;
	for (const char *(*s)[2] = span; s < last; s++)
		lines += ((*s)[1] - (*s)[0] + 63) / 64;
	/* The last pack of a span fetches only what is left of it. */
	const int64_t fetches = packs - (last - span);
	const int64_t step = fetches > 0 ? (lines + fetches - 1) / fetches : lines;
	*ahead = (struct ahead){(*span)[0], (*span)[1], span + 1, last, 64 * (step < 32 ? step : 32)};
}

/* Keeps a fault, unless one is known of an earlier loop, or an earlier element of the loop. */
static void keep(struct tiles *t, int64_t loop, const int64_t *record, int32_t stage)
{
	while (atomic_exchange_explicit(&t->lock, 1, memory_order_acquire))
		;
	if (t->record[0] == 0 || loop < t->failed || (loop == t->failed && (int32_t)record[5] < (int32_t)t->record[5])) {
		memcpy(t->record, record, sizeof t->record);
		t->failed = loop;
	}
	atomic_store_explicit(&t->failed_stage, stage, memory_order_relaxed);
	atomic_store_explicit(&t->lock, 0, memory_order_release);
}

/* Runs a group. The groups of a stage all run even if one fails, so that it does not depend on threads
 * which fault is kept. */
static void run_group(void *shared, int32_t g)
{
	struct tiles *t = shared;
	const struct group *group = &t->groups[g];
	if (atomic_load_explicit(&t->failed_stage, memory_order_relaxed) < group->stage)
		return;
	void *args[t->arg_count];
	memcpy(args, t->args, sizeof args);
	const char *spans[t->spans][2];
	struct ahead ahead = {0};
	int64_t count, record[8] = {0};
	for (int64_t i = 0; i < t->loop_count; i++) {
		const struct loop *l = &t->loops[i];
		void **own = args + l->args;
		own[l->count] = &count;
		if (l->fault >= 0)
			own[l->fault] = record;
		if (l->ahead >= 0)
			own[l->ahead] = &ahead;
	}
	int64_t *times = t->times ? t->times + g * t->loop_count : NULL;
	int64_t time = times ? now() : 0;
	for (int32_t tile = group->first; tile < group->last; tile++) {
		if (t->stop && atomic_load_explicit(t->stop, memory_order_relaxed))
			return;
		if (t->array_count > 0) {
			/* Behind the last tile comes the group that this thread most probably runs next. */
			const int32_t next = tile + 1;
			if (next < group->last || (g + 1 < t->group_count && group[1].stage == group->stage))
				prepare(t, tile, next, &ahead, spans);
			else
				ahead = (struct ahead){0};
		}
		const struct reduction *r = t->reductions;
		for (int64_t i = 0; i < t->loop_count; i++) {
			const struct loop *l = &t->loops[i];
			void **own = args + l->args;
			for (const struct reduction *end = t->reductions + l->reductions; r < end; r++)
				own[r->arg] = r->partials + tile * r->stride;
			count = l->offsets[tile + 1] - l->offsets[tile];
			if (count == 0)
				continue;
			own[l->run] = (void *)(l->runs + l->offsets[tile]);
			l->wrap(own);
			if (record[0]) {
				keep(t, i, record, group->stage);
				return;
			}
			if (times) {
				const int64_t at = now();
				times[i] += at - time;
				time = at;
			}
		}
	}
}

__attribute__((visibility("default")))
void op2_tiles(struct tiles *t)
{
	atomic_store(&t->failed_stage, INT_MAX);
	if (t->job)
		t->job->run(t->job, run_group, t);
	else
		for (int64_t g = 0; g < t->group_count; g++)
			run_group(t, (int32_t)g);
}
