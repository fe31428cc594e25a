// The target sequential: one core.
#include "host.h"

void target_open(struct run *r, int *argc, char ***argv)
{
	for (int i = 0; i < r->loops; i++)
		r->loop[i].own = bind_loop(r, &r->loop[i]);
}

void target_call(struct run *r, struct loop *l) { call_loop(l, l->own); }

void target_changed(struct run *r, struct array *a) {}

void target_fetch(struct run *r, struct array *a) {}

int target_prints(void) { return 1; }

int target_close(struct run *r, int status) { return status; }
