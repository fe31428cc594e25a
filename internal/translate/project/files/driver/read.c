// Reads a run: the index, and the values of arrays.
#include "run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void *allocate(size_t bytes)
{
	bytes = (bytes + 127) / 64 * 64;
	void *p = aligned_alloc(64, bytes);
	if (!p)
		fail("no memory for %zu bytes", bytes);
	return memset(p, 0, bytes);
}

// Index is the open index, path its name.
static FILE *index_file;
static char path[4096];

static void word(char *to)
{
	if (fscanf(index_file, "%255s", to) != 1)
		fail("%s ends too early", path);
}

static long number(void)
{
	char text[256], *end;
	word(text);
	long n = strtol(text, &end, 10);
	if (*end)
		fail("%s: %s is no number", path, text);
	return n;
}

static void expect(const char *wanted)
{
	char found[256];
	word(found);
	if (strcmp(found, wanted))
		fail("%s: %s where %s should be", path, found, wanted);
}

static struct list list(const char *name)
{
	expect(name);
	struct list l = {.n = number()};
	l.of = allocate(l.n * sizeof *l.of);
	for (int i = 0; i < l.n; i++)
		l.of[i] = number();
	return l;
}

// values reads a file of that many bytes, or of any size if that is -1.
static char *values(const char *folder, const char *name, long bytes)
{
	char file[4096];
	snprintf(file, sizeof file, "%s/%s.bin", folder, name);
	FILE *f = fopen(file, "rb");
	if (!f && bytes < 0)
		return NULL;
	if (!f)
		fail("%s cannot be opened", file);
	fseek(f, 0, SEEK_END);
	long size = ftell(f);
	rewind(f);
	if (bytes >= 0 && size != bytes)
		fail("%s has %ld bytes, not %ld", file, size, bytes);
	char *to = allocate(size);
	if (fread(to, 1, size, f) != (size_t)size)
		fail("%s cannot be read", file);
	fclose(f);
	return to;
}

static void read_array(struct array *a, const char *folder)
{
	char sum[256];
	expect("array");
	word(a->name);
	word(a->kind);
	word(a->type);
	a->dim = number();
	a->elements = number();
	a->bytes = number();
	a->values = values(folder, a->name, a->bytes);
	a->changes = number();
	word(sum);
	a->sum = strtod(sum, NULL);
	word(sum);
	a->sizes = strtod(sum, NULL);
}

static void read_loop(struct loop *l)
{
	expect("loop");
	l->code = number();
	l->size = number();
	l->data = list("data");
	l->maps = list("maps");
	l->consts = list("consts");
	l->nonzeros = list("nonzeros");
	l->plan = list("plan");
	expect("args");
	l->n = number();
	l->args = allocate(l->n * sizeof *l->args);
	for (int i = 0; i < l->n; i++) {
		static const char *const names[] = {"", "read", "write", "rw", "inc", "min", "max", "reduce"};
		char access[256];
		struct arg *a = &l->args[i];
		word(access);
		for (a->access = READ; strcmp(access, names[a->access]); a->access++)
			if (a->access == REDUCE)
				fail("%s: %s is no access", path, access);
		a->data = number();
		a->map = number();
		a->component = number();
	}
}

static void read_event(struct event *e)
{
	char what[256];
	word(what);
	e->what = !strcmp(what, "call") ? CALL : !strcmp(what, "set") ? SET : !strcmp(what, "repeat") ? REPEAT : END;
	if (e->what != END)
		e->of = number();
	if (e->what == SET)
		e->at = number();
}

struct run *read_run(const char *folder)
{
	struct run *r = allocate(sizeof *r);
	snprintf(path, sizeof path, "%s/index.txt", folder);
	index_file = fopen(path, "r");
	if (!index_file)
		fail("%s cannot be opened: name the folder of the data", path);
	expect("op2-run-1");
	expect("arrays");
	r->arrays = number();
	r->array = allocate(r->arrays * sizeof *r->array);
	for (int i = 0; i < r->arrays; i++)
		read_array(&r->array[i], folder);
	expect("loops");
	r->loops = number();
	r->loop = allocate(r->loops * sizeof *r->loop);
	for (int i = 0; i < r->loops; i++)
		read_loop(&r->loop[i]);
	expect("events");
	r->events = number();
	r->event = allocate(r->events * sizeof *r->event);
	for (int i = 0; i < r->events; i++)
		read_event(&r->event[i]);
	fclose(index_file);
	r->changes = values(folder, "changes", -1);
	return r;
}
