/* What gcc calls for OpenMP's regions, worksharing loops and barriers, on POSIX threads
 * and in sight of the thread sanitizer, which cannot see into libgomp and would take
 * its barriers for nothing. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST = 16 };

static pthread_barrier_t barrier;
static unsigned team = 1;
static _Thread_local int self;

struct start {
	void (*run)(void *);
	void *data;
	int number;
};

static void *enter(void *p)
{
	struct start *s = p;
	self = s->number;
	s->run(s->data);
	return NULL;
}

void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags)
{
	pthread_t thread[MOST];
	struct start start[MOST];
	if (threads > MOST)
		abort();
	team = threads;
	pthread_barrier_init(&barrier, NULL, threads);
	for (unsigned t = 1; t < threads; t++) {
		start[t] = (struct start){run, data, (int)t};
		if (pthread_create(&thread[t], NULL, enter, &start[t]))
			abort();
	}
	self = 0;
	run(data);
	for (unsigned t = 1; t < threads; t++)
		pthread_join(thread[t], NULL);
	pthread_barrier_destroy(&barrier);
}

void GOMP_barrier(void) { pthread_barrier_wait(&barrier); }

static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;

void GOMP_critical_start(void) { pthread_mutex_lock(&critical); }

void GOMP_critical_end(void) { pthread_mutex_unlock(&critical); }

int omp_get_num_threads(void) { return (int)team; }

int omp_get_thread_num(void) { return self; }

/* Dynamic schedules: the first to come sets the loop up, the last to leave clears it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long next, end, step, chunk;
static unsigned inside;

bool GOMP_loop_nonmonotonic_dynamic_next(long *from, long *to)
{
	pthread_mutex_lock(&lock);
	*from = next;
	next += step * chunk;
	*to = next < end ? next : end;
	pthread_mutex_unlock(&lock);
	return *from < end;
}

bool GOMP_loop_nonmonotonic_dynamic_start(long first, long last, long by, long size, long *from, long *to)
{
	pthread_mutex_lock(&lock);
	if (inside++ == 0) {
		next = first;
		end = last;
		step = by;
		chunk = size;
	}
	pthread_mutex_unlock(&lock);
	return GOMP_loop_nonmonotonic_dynamic_next(from, to);
}

void GOMP_loop_end(void)
{
	GOMP_barrier();
	pthread_mutex_lock(&lock);
	inside--;
	pthread_mutex_unlock(&lock);
	GOMP_barrier();
}
