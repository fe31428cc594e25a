// The target openmp: threads, which run the blocks of one color at a time.
#include "host.h"

static void colors(struct op2_job *job, void (*block)(void *shared, int32_t i), void *shared)
{
	for (int64_t c = 0; c < job->op2_colors; c++) {
#pragma omp parallel for schedule(static)
		for (int32_t i = job->op2_color[c]; i < job->op2_color[c + 1]; i++)
			block(shared, i);
	}
}

void target_open(struct run *r, int *argc, char ***argv)
{
	for (int i = 0; i < r->loops; i++) {
		struct bound *b = r->loop[i].own = bind_loop(r, &r->loop[i]);
		b->job.op2_run = colors;
	}
}

void target_call(struct run *r, struct loop *l) { call_loop(l, l->own); }

void target_changed(struct run *r, struct array *a) {}

void target_fetch(struct run *r, struct array *a) {}

int target_prints(void) { return 1; }

int target_close(struct run *r, int status) { return status; }
