/* A team is a group of threads that run the blocks of loops together with the caller. Any
 * thread may take any block, using an atomic counter, and no one waits for a thread, only
 * for blocks that were taken and are not done: a thread that does not get a core delays
 * no one, and the caller can run all blocks by itself.
 *
 * The blocks of one color form a step. Each seat has a share of them, consecutive blocks
 * that are also its share in the next loop, and takes from the shares of others when its
 * own is empty. The thread that finishes the last block of a step opens the next one, so
 * that a caller without a core does not delay it. An open step does not change; a late
 * thread finds either blocks of the current step, which it may take, or nothing.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void block_function(void *shared, int32_t block);

/* What a loop passes: a Job in team.go, and the struct op2_job in generated code. */
struct job {
	void (*run)(struct job *, block_function *, void *shared);
	struct team *team;
	const int32_t *color; /* color c has the blocks [color[c], color[c + 1]) */
	int64_t colors;
	int64_t threads; /* that may work on it, including the caller */
	int64_t dynamic; /* one share for all, instead of one for each thread */
	int64_t waited;  /* accumulates the nanoseconds that the caller waits */
	const atomic_int *stop; /* not 0 when blocks that are taken are no longer to be run; or NULL */
};

enum {
	LINE = 128, /* bytes that processors transfer at once, including the adjacent line */
	MEGABYTE = 1 << 20,
	STACK = 8 * MEGABYTE, /* at least: some systems give threads only half a megabyte */
	GLANCES = 32,         /* at the awaited value, between looks at the clock */
};

struct seat {
	_Alignas(LINE) atomic_int left; /* blocks of its share that have not been taken */
	atomic_int asleep;
	int64_t idle; /* since when it has had nothing to do; 0: it just worked */
	int64_t spin; /* how long to spin, in nanoseconds, before it sleeps: less if it often had to sleep lately */
	struct team *team;
#ifndef __linux__
	pthread_mutex_t lock;
	pthread_cond_t roused;
#endif
};

struct team {
	/* The step. It changes when all blocks of the previous one are done. */
	_Alignas(LINE) atomic_uint epoch; /* incremented with each step, at the end of a loop, and to close */
	atomic_bool busy;                 /* a loop has steps left */
	atomic_bool closed;
	atomic_int seats; /* in use by the step; the others have nothing to do */
	int32_t shares;
	int32_t from, count; /* its blocks */
	block_function *block;
	void *shared;
	struct job *job;
	int64_t color;

	_Alignas(LINE) atomic_int undone; /* blocks of the step */

	_Alignas(LINE) atomic_int owners; /* threads, and the runtime: the last one to leave frees the team */
	int size;                         /* number of seats */
	int limit;                        /* number of seats that can get threads */
	int hired;                        /* number of seats with threads, including the caller's */
	int64_t least_spin, most_spin;    /* limits of seat.spin */
	struct seat seat[];
};

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void rest(void)
{
#if defined __x86_64__ || defined __i386__
	__builtin_ia32_pause();
#elif defined __aarch64__
	__asm__ volatile("isb");
#endif
}

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

enum { FUTEX_WAIT = 128, FUTEX_WAKE = 129 }; /* private ones; <linux/futex.h> may be missing */

static void prepare_sleep(struct seat *s) { (void)s; }

static void forget_sleep(struct seat *s) { (void)s; }

static void sleep_on(struct seat *s)
{
	while (atomic_load(&s->asleep))
		syscall(SYS_futex, &s->asleep, FUTEX_WAIT, 1, NULL, NULL, 0);
}

static void rouse(struct seat *s)
{
	if (atomic_load(&s->asleep) && atomic_exchange(&s->asleep, 0))
		syscall(SYS_futex, &s->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
}
#else
static void prepare_sleep(struct seat *s)
{
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->roused, NULL);
}

static void forget_sleep(struct seat *s)
{
	pthread_cond_destroy(&s->roused);
	pthread_mutex_destroy(&s->lock);
}

static void sleep_on(struct seat *s)
{
	pthread_mutex_lock(&s->lock);
	while (atomic_load(&s->asleep))
		pthread_cond_wait(&s->roused, &s->lock);
	pthread_mutex_unlock(&s->lock);
}

static void rouse(struct seat *s)
{
	if (!atomic_load(&s->asleep))
		return;
	pthread_mutex_lock(&s->lock);
	atomic_store(&s->asleep, 0);
	pthread_cond_signal(&s->roused);
	pthread_mutex_unlock(&s->lock);
}
#endif

static bool changed(const struct team *t, unsigned seen)
{
	for (int i = 0; i < GLANCES; i++, rest())
		if (atomic_load_explicit(&t->epoch, memory_order_acquire) != seen)
			return true;
	return false;
}

/* Waits until the epoch differs from the one seen, and returns the time in nanoseconds. */
static int64_t await(struct seat *me, unsigned seen)
{
	struct team *t = me->team;
	if (changed(t, seen))
		return 0;
	const int64_t start = now();
	if (!me->idle)
		me->idle = start;
	for (int64_t time = start; time - me->idle < me->spin; time = now())
		if (changed(t, seen)) {
			me->spin = me->spin < t->most_spin / 2 ? 2 * me->spin : t->most_spin;
			return now() - start;
		}
	me->spin = me->spin > 2 * t->least_spin ? me->spin / 2 : t->least_spin;
	/* A thread that changes the epoch reads asleep afterwards, so one of the two sees
	 * the other's change. */
	atomic_store(&me->asleep, 1);
	if (atomic_load(&t->epoch) != seen)
		atomic_store(&me->asleep, 0);
	else
		sleep_on(me);
	me->idle = 0;
	return now() - start;
}

/* Returns the first block of a share; that of the next share is its end. */
static int32_t first_of(const struct team *t, int share)
{
	return t->from + (int32_t)((int64_t)t->count * share / t->shares);
}

/* Opens the next step of the loop, or ends the loop. Only the thread that finished the last
 * block of the previous step calls it. */
static void advance(struct team *t)
{
	const struct job *job = t->job;
	do
		t->color++;
	while (t->color < job->colors && job->color[t->color] == job->color[t->color + 1]);
	if (t->color == job->colors) {
		atomic_store(&t->busy, false);
		atomic_fetch_add(&t->epoch, 1);
		rouse(&t->seat[0]);
		return;
	}
	t->from = job->color[t->color];
	t->count = job->color[t->color + 1] - t->from;
	const int seats = t->hired < job->threads ? t->hired : (int)job->threads;
	const int needed = seats < t->count ? seats : t->count;
	t->shares = job->dynamic ? 1 : needed;
	atomic_store_explicit(&t->seats, seats, memory_order_relaxed);
	atomic_store_explicit(&t->undone, t->count, memory_order_relaxed);
	/* From here on, threads that are still looking for blocks can take them; the step
	 * cannot end before the last share is set. */
	const int shares = t->shares;
	int32_t first = t->from;
	for (int s = 0; s < shares; s++) {
		const int32_t next = first_of(t, s + 1);
		atomic_store_explicit(&t->seat[s].left, next - first, memory_order_release);
		first = next;
	}
	atomic_fetch_add(&t->epoch, 1);
	for (int s = 0; s < needed; s++)
		rouse(&t->seat[s]);
}

/* Takes a block of the share, and returns how many were left including it; 0: none. */
static int take(struct seat *s)
{
	int left = atomic_load_explicit(&s->left, memory_order_relaxed);
	while (left > 0)
		if (atomic_compare_exchange_weak_explicit(&s->left, &left, left - 1, memory_order_acquire, memory_order_relaxed))
			return left;
	return 0;
}

static bool stopped(const struct job *job)
{
	return job->stop && atomic_load_explicit(job->stop, memory_order_relaxed);
}

/* Runs blocks as long as there are some, those of its own share first. */
static bool work(struct team *t, int self)
{
	const int seats = atomic_load_explicit(&t->seats, memory_order_relaxed);
	if (self >= seats)
		return false;
	int done = 0;
	for (int i = 0, share = self; i < seats; i++, share = share + 1 < seats ? share + 1 : 0)
		for (int left; (left = take(&t->seat[share])); done++)
			if (!stopped(t->job))
				t->block(t->shared, first_of(t, share + 1) - left);
	if (!done)
		return false;
	t->seat[self].idle = 0;
	if (atomic_fetch_sub(&t->undone, done) == done)
		advance(t);
	return true;
}

static void leave(struct team *t)
{
	if (atomic_fetch_sub(&t->owners, 1) > 1)
		return;
	for (int s = 0; s < t->size; s++)
		forget_sleep(&t->seat[s]);
	free(t);
}

static void *serve(void *seat)
{
	struct seat *me = seat;
	struct team *t = me->team;
	const int self = (int)(me - t->seat);
	for (;;) {
		const unsigned seen = atomic_load(&t->epoch);
		if (atomic_load(&t->closed))
			break;
		if (!work(t, self))
			await(me, seen);
	}
	leave(t);
	return NULL;
}

/* Starts threads until that many seats are taken, or the system allows no more threads,
 * which is then not tried again. The threads block all signals: Go's handlers must run on
 * threads of Go. */
static void hire(struct team *t, int64_t seats)
{
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes))
		return;
	size_t stack = 0;
	if (pthread_attr_getstacksize(&attributes, &stack) || stack < STACK)
		pthread_attr_setstacksize(&attributes, STACK);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (t->hired < seats && t->hired < t->limit) {
		pthread_t thread;
		atomic_fetch_add(&t->owners, 1);
		if (pthread_create(&thread, &attributes, serve, &t->seat[t->hired])) {
			atomic_fetch_sub(&t->owners, 1);
			t->limit = t->hired;
			break;
		}
#ifdef __GLIBC__
		pthread_setname_np(thread, "op2");
#endif
		t->hired++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}

/* Runs all blocks of the job, color by color. */
static void run(struct job *job, block_function *block, void *shared)
{
	struct team *t = job->team;
	if (t->hired < job->threads && t->hired < t->limit)
		hire(t, job->threads);
	if (job->threads < 2 || t->hired < 2) {
		for (int32_t b = job->color[0]; b < job->color[job->colors] && !stopped(job); b++)
			block(shared, b);
		return;
	}
	t->block = block;
	t->shared = shared;
	t->job = job;
	t->color = -1;
	atomic_store(&t->busy, true);
	advance(t);
	for (;;) {
		const unsigned seen = atomic_load(&t->epoch);
		if (!atomic_load(&t->busy))
			break;
		if (!work(t, 0))
			job->waited += await(&t->seat[0], seen);
	}
}

/* Opens a team of that many threads, including the caller, that spin for a number of nanoseconds
 * between two limits, and sets the fields of the job that refer to it. The other threads start
 * when they are first needed. */
__attribute__((visibility("default")))
void op2_team_open(int64_t threads, int64_t least_spin, int64_t most_spin, struct job *job)
{
	struct team *t;
	const int size = threads < 1 ? 1 : threads > 4096 ? 4096 : (int)threads;
	if (posix_memalign((void **)&t, LINE, sizeof *t + size * sizeof t->seat[0]))
		return;
	memset(t, 0, sizeof *t + size * sizeof t->seat[0]);
	t->size = t->limit = size;
	t->hired = 1;
	t->least_spin = least_spin;
	t->most_spin = most_spin;
	atomic_store(&t->owners, 1);
	for (int s = 0; s < size; s++) {
		t->seat[s].team = t;
		t->seat[s].spin = most_spin;
		prepare_sleep(&t->seat[s]);
	}
	job->run = run;
	job->team = t;
}

/* Closes an idle team. Its threads end by themselves. */
__attribute__((visibility("default")))
void op2_team_close(struct team *t)
{
	atomic_store(&t->closed, true);
	atomic_fetch_add(&t->epoch, 1);
	for (int s = 1; s < t->hired; s++)
		rouse(&t->seat[s]);
	leave(t);
}
