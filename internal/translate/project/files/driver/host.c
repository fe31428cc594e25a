// The arguments of compiled loops.
#include "host.h"

static char *values(struct run *r, int array) { return array < 0 ? 0 : r->array[array].values; }

struct bound *bind_loop(struct run *r, const struct loop *l)
{
	const struct code *c = &codes[l->code];
	const int *plan = l->plan.of;
	struct bound *b = allocate(sizeof *b);
	b->args = allocate(c->n * sizeof *b->args);
	b->count = r->array[plan[0]].elements / 2;
	b->blocks = r->array[plan[3]].elements;
	b->job.op2_color = (int32_t *)values(r, plan[4]);
	b->job.op2_colors = r->array[plan[4]].elements - 1;
	int threads = 0;
	for (int i = 0; i < c->n; i++)
		threads |= c->slots[i].what == JOB;
	for (int i = 0; i < c->n; i++) {
		struct slot s = c->slots[i];
		void *p = 0;
		switch (s.what) {
		case RUNS: p = values(r, plan[threads ? 1 : 0]); break;
		case COUNT: p = &b->count; break;
		case DATA: p = values(r, l->data.of[s.n]); break;
		case MAP: p = values(r, l->maps.of[s.n]); break;
		case CONST: p = values(r, l->consts.of[s.n]); break;
		case FAULT: p = b->fault; break;
		case JOB: p = &b->job; break;
		case BLOCKS: p = values(r, plan[2]); break;
		case ORDER: p = values(r, plan[3]); break;
		case TABLE: p = values(r, l->nonzeros.of[3 * s.n]); break;
		case ROWS: p = values(r, l->nonzeros.of[3 * s.n + 1]); break;
		case COLUMNS: p = values(r, l->nonzeros.of[3 * s.n + 2]); break;
		case PARTIAL: p = allocate((size_t)s.n * b->blocks); break;
		case COMBINED: p = &b->blocks; break;
		default: fail("%s: an argument of kind %d", c->name, s.what);
		}
		b->args[i] = p;
	}
	return b;
}

void call_loop(const struct loop *l, struct bound *b)
{
	codes[l->code].call(b->args);
	if (b->fault[0])
		fail("%s: a fault of kind %d in line %d of the kernel's source, element %d", codes[l->code].name, (int)b->fault[0], (int)b->fault[1], (int)b->fault[5]);
}
