// Runs the recorded loops: PROGRAM [FOLDER [TIMES]], with the data of a folder (default: data), the repeated part as
// many times as given (default: as recorded). Prints results, and compares them with those of the recorded run.
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void play(struct run *r)
{
	int start = 0, left = 0;
	for (int e = 0; e < r->events; e++) {
		struct event *event = &r->event[e];
		struct array *a = &r->array[event->of];
		switch (event->what) {
		case CALL:
			target_call(r, &r->loop[event->of]);
			break;
		case SET:
			memcpy(a->values, r->changes + event->at, a->bytes);
			target_changed(r, a);
			break;
		case REPEAT:
			start = e;
			left = event->of;
			break;
		case END:
			if (--left > 0)
				e = start;
		}
	}
}

static double value(const struct array *a, size_t i)
{
	return strcmp(a->type, "float32") ? ((double *)a->values)[i] : ((float *)a->values)[i];
}

// report prints an array's sum, and returns whether it is that of the recorded run, but for roundings.
static int report(const struct run *r, const struct array *a)
{
	size_t values = (size_t)a->dim * a->elements;
	double sum = 0;
	for (size_t i = 0; i < values; i++)
		sum += value(a, i);
	double off = fabs(sum - a->sum) / (a->sizes > 0 ? a->sizes : 1);
	int same = off <= (strcmp(a->type, "float32") ? 1e-6 : 1e-3);
	printf("%-6s %-24s %24.16e", a->kind, a->name, sum);
	if (r->repeated)
		printf("\n");
	else
		printf("  recorded %24.16e  off by %.1e%s\n", a->sum, off, same ? "" : "  DIFFERS");
	return same || r->repeated;
}

int main(int argc, char **argv)
{
	struct run *r = read_run(argc > 1 ? argv[1] : "data");
	int times = argc > 2 ? atoi(argv[2]) : 0;
	if (argc > 2 && times < 1)
		fail("%s: how many times is a number from 1 on", argv[2]);
	for (int e = 0; times && e < r->events; e++) {
		if (r->event[e].what == REPEAT) {
			r->repeated = r->event[e].of != times;
			r->event[e].of = times;
		}
	}
	target_open(r, &argc, &argv);
	double start = now();
	play(r);
	int differ = 0;
	for (int i = 0; i < r->arrays; i++)
		if (r->array[i].changes)
			target_fetch(r, &r->array[i]);
	double took = now() - start;
	for (int i = 0; target_prints() && i < r->arrays; i++)
		if (r->array[i].changes)
			differ += !report(r, &r->array[i]);
	if (target_prints())
		printf("%.3f s\n", took);
	return target_close(r, differ > 0);
}
