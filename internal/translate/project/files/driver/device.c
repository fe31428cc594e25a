// Targets on a device: its memory has a copy of each array, and runs a kernel with a work-item for each element.
//
// Values of dats are there as in the files, since loops may take them for vectors of another dimension. Maps and tables
// are stored column by column, so that neighbors read neighboring values.
// Where elements would change the same values, they add atomically, or run color by color, a launch for each.
#include "device.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Launch is a range of elements, or of the list of elements.
struct launch {
	int32_t first, end, groups, before; // before: the groups of other launches
};

// Bound is a loop with the values of its parameters.
struct bound {
	void *kernel, *combine;
	struct value *values, *combine_values;
	struct launch *launch;
	int launches;
	int32_t first, last, before, per, groups; // of the next launch; of all groups
	char *consts, *now;                       // their struct as the device has it, and as it should be
	buffer device_consts, faults;
};

// The most groups of a loop that reduces.
enum { MOST_GROUPS = 1024 };

// A fault record: the first element that failed, how many records there are, and those.
enum { FAULT_WORDS = 8, FAULTS_KEPT = 64, FAULT_BYTES = 4 * FAULT_WORDS * (1 + FAULTS_KEPT) };

static buffer *buffers; // by array

static int by_columns(const struct array *a)
{
	return a->dim > 1 && (!strcmp(a->kind, "map") || !strcmp(a->kind, "table"));
}

static void upload(struct run *r, struct array *a)
{
	buffer b = buffers[a - r->array];
	if (!b || !a->bytes)
		return;
	if (!by_columns(a)) {
		device_upload(b, a->values, a->bytes);
		return;
	}
	const int32_t *from = (int32_t *)a->values;
	int32_t *columns = allocate(a->bytes);
	for (size_t e = 0; e < (size_t)a->elements; e++)
		for (int c = 0; c < a->dim; c++)
			columns[(size_t)c * a->elements + e] = from[e * a->dim + c];
	device_upload(b, columns, a->bytes);
	free(columns);
}

// on_device returns the place of an array's buffer, and makes one if there is none.
static buffer *on_device(struct run *r, int array)
{
	if (!buffers[array]) {
		buffers[array] = device_allocate(r->array[array].bytes + 8);
		upload(r, &r->array[array]);
	}
	return &buffers[array];
}

static buffer *new_buffer(size_t bytes)
{
	buffer *b = allocate(sizeof *b);
	*b = device_allocate(bytes);
	return b;
}

// new_partials makes room for what each group reduces.
static buffer *new_partials(struct run *r, const struct loop *l, const struct bound *b, int arg)
{
	return new_buffer((b->groups + 1) * r->array[l->data.of[l->args[arg].data]].bytes);
}

static void new_faults(struct bound *b)
{
	int32_t record[FAULT_BYTES / 4] = {INT_MAX};
	b->faults = device_allocate(FAULT_BYTES);
	device_upload(b->faults, record, sizeof record);
}

static struct value value(struct run *r, struct loop *l, struct bound *b, struct param p, buffer **partials)
{
	const struct code *c = &codes[l->code];
#define BUFFER(of) (struct value){sizeof(buffer), of}
#define NUMBER(of) (struct value){sizeof(int32_t), of}
	switch (p.what) {
	case DATA: return BUFFER(on_device(r, l->data.of[p.n]));
	case MAP: return BUFFER(on_device(r, l->maps.of[p.n]));
	case TABLE: return BUFFER(on_device(r, l->nonzeros.of[3 * p.n]));
	case ROWS: return BUFFER(on_device(r, l->nonzeros.of[3 * p.n + 1]));
	case COLUMNS: return BUFFER(on_device(r, l->nonzeros.of[3 * p.n + 2]));
	case LIST: return BUFFER(on_device(r, l->plan.of[5]));
	case SIZE: return NUMBER(&l->size);
	case STRIDE: return NUMBER(&r->array[l->data.of[p.n]].elements);
	case FIRST: return NUMBER(&b->first);
	case LAST: return NUMBER(&b->last);
	case BEFORE: return NUMBER(&b->before);
	case PER: return NUMBER(&b->per);
	case GROUPS: return NUMBER(&b->groups);
	case FAULTS:
		if (!b->faults)
			new_faults(b);
		return BUFFER(&b->faults);
	case PARTIALS:
		if (!partials[p.n])
			partials[p.n] = new_partials(r, l, b, p.n);
		return BUFFER(partials[p.n]);
	case CONSTS:
		if (c->by_value)
			return (struct value){c->consts, b->consts};
		b->device_consts = device_allocate(c->consts);
		device_upload(b->device_consts, b->consts, c->consts);
		return BUFFER(&b->device_consts);
	}
	fail("%s: a parameter of kind %d", c->name, p.what);
	return (struct value){0};
}

static struct value *bind(struct run *r, struct loop *l, struct bound *b, const struct param *params, int n, buffer **partials)
{
	struct value *values = allocate(n * sizeof *values);
	for (int i = 0; i < n; i++)
		values[i] = value(r, l, b, params[i], partials);
	return values;
}

static void add(struct bound *b, int first, int end)
{
	int groups = (end - first + b->per - 1) / b->per;
	b->launch[b->launches++] = (struct launch){first, end, groups, b->groups};
	b->groups += groups;
}

// divide finds the launches: of each run of elements, of the whole list, or of each color of that.
static void divide(struct run *r, const struct loop *l, struct bound *b)
{
	const struct array *runs = &r->array[l->plan.of[0]];
	const int32_t *run = (int32_t *)runs->values, *color = NULL;
	int elements = 0, list = l->plan.of[5], colors = l->plan.of[6];
	for (int i = 0; i < runs->elements; i += 2)
		elements += run[i + 1] - run[i];
	int size = codes[l->code].size, rounds = (elements + size * MOST_GROUPS - 1) / (size * MOST_GROUPS);
	b->per = codes[l->code].combine && rounds > 0 ? size * rounds : size;
	if (colors >= 0)
		color = (int32_t *)r->array[colors].values;
	b->launch = allocate((runs->elements + (color ? r->array[colors].elements : 0)) * sizeof *b->launch);
	if (color)
		for (int i = 0; i + 1 < r->array[colors].elements; i++)
			add(b, color[i], color[i + 1]);
	else if (list >= 0)
		add(b, 0, r->array[list].elements);
	else
		for (int i = 0; i < runs->elements; i += 2)
			add(b, run[i], run[i + 1]);
}

// update brings the struct of consts up to date.
static void update(struct run *r, const struct loop *l, struct bound *b)
{
	const struct code *c = &codes[l->code];
	for (int i = 0; i < c->fields_n; i++)
		memcpy(b->now + c->fields[i].offset, r->array[l->consts.of[c->fields[i].constant]].values, c->fields[i].size);
	if (!memcmp(b->now, b->consts, c->consts))
		return;
	memcpy(b->consts, b->now, c->consts);
	if (b->device_consts)
		device_upload(b->device_consts, b->consts, c->consts);
}

static void *compile(const struct code *c)
{
	char file[4096];
	snprintf(file, sizeof file, "%s/%s." SUFFIX, TEXTS, c->name);
	FILE *f = fopen(file, "rb");
	if (!f)
		fail("%s cannot be opened", file);
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	char *text = allocate(size + 1);
	if (fread(text, 1, size, f) != (size_t)size)
		fail("%s cannot be read", file);
	fclose(f);
	return device_compile(c, text);
}

static void prepare(struct run *r, struct loop *l, void **programs)
{
	const struct code *c = &codes[l->code];
	if (!programs[l->code])
		programs[l->code] = compile(c);
	struct bound *b = l->own = allocate(sizeof *b);
	buffer *partials[64] = {0};
	b->consts = allocate(c->consts);
	b->now = allocate(c->consts);
	divide(r, l, b);
	b->kernel = device_kernel(programs[l->code], c->entry);
	b->values = bind(r, l, b, c->params, c->n, partials);
	if (c->combine) {
		b->combine = device_kernel(programs[l->code], c->combine);
		b->combine_values = bind(r, l, b, c->combine_params, c->combine_n, partials);
	}
}

void target_open(struct run *r, int *argc, char ***argv)
{
	int codes_n = 0;
	device_open();
	for (int i = 0; i < r->loops; i++)
		if (codes_n <= r->loop[i].code)
			codes_n = r->loop[i].code + 1;
	void **programs = allocate(codes_n * sizeof *programs);
	buffers = allocate(r->arrays * sizeof *buffers);
	for (int i = 0; i < r->loops; i++)
		prepare(r, &r->loop[i], programs);
}

void target_call(struct run *r, struct loop *l)
{
	const struct code *c = &codes[l->code];
	struct bound *b = l->own;
	update(r, l, b);
	for (int i = 0; i < b->launches; i++) {
		b->first = b->launch[i].first;
		b->last = b->launch[i].end;
		b->before = b->launch[i].before;
		if (b->launch[i].groups > 0)
			device_launch(b->kernel, b->launch[i].groups, c->size, b->values, c->n);
	}
	if (c->combine && b->groups > 0)
		device_launch(b->combine, 1, c->size, b->combine_values, c->combine_n);
}

// A text may contain the value of a const, as that of a kernel in C does.
static void check_const(struct run *r, int array)
{
	for (int i = 0; i < r->loops; i++)
		for (int j = 0; j < r->loop[i].consts.n; j++)
			if (r->loop[i].consts.of[j] == array && !codes[r->loop[i].code].consts)
				fail("%s: the text of its kernel contains the value of %s, which has changed", codes[r->loop[i].code].name, r->array[array].name);
}

void target_changed(struct run *r, struct array *a)
{
	if (strcmp(a->kind, "const"))
		upload(r, a);
	else
		check_const(r, a - r->array);
}

void target_fetch(struct run *r, struct array *a)
{
	if (buffers[a - r->array] && a->bytes)
		device_download(a->values, buffers[a - r->array], a->bytes);
}

int target_prints(void) { return 1; }

// target_close reports elements that have failed.
int target_close(struct run *r, int status)
{
	for (int i = 0; i < r->loops; i++) {
		struct bound *b = r->loop[i].own;
		int32_t record[FAULT_BYTES / 4];
		if (!b->faults)
			continue;
		device_download(record, b->faults, sizeof record);
		for (int w = FAULT_WORDS; record[1] && w < FAULT_BYTES / 4; w += FAULT_WORDS)
			if (record[w] == record[0])
				fail("%s: a fault of kind %d in line %d of the kernel's source, element %d", codes[r->loop[i].code].name, (int)record[w + 1], (int)record[w + 2], (int)record[0]);
	}
	return status;
}
