// One run of the program: what its loops use, and the order of their calls, read from data/index.txt.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct array {
	char name[256], kind[256], type[256];
	int dim, elements;
	size_t bytes;
	char *values;
	int changes;       // the run changes it, and the following is known of the result
	double sum, sizes; // of the values, and of their absolute values
};

enum access { READ = 1, WRITE, RW, INC, MIN, MAX, REDUCE };

struct arg {
	int access;
	int data;      // of the loop
	int map;       // of the loop; -1: none
	int component; // of the map; -1: all
};

// List is a list of numbers: as a rule, of arrays.
struct list {
	int n, *of;
};

struct loop {
	int code, size; // the number of its code; elements of its set
	struct list data, maps, consts; // of maps, -1: a table of nonzeros replaces it
	struct list nonzeros; // of each sparse matrix: table, rows, columns; -1: none
	struct list plan;     // elements; runs of elements by block, blocks, their order, their colors; of devices: elements by color, the first of each color
	int n;
	struct arg *args;
	void *own; // the target's
};

struct event {
	enum { CALL, SET, REPEAT, END } what;
	int of; // the loop; the array; how often
	long at; // of the new values of the array, in changes
};

struct run {
	int arrays, loops, events;
	struct array *array;
	struct loop *loop;
	struct event *event;
	char *changes;
	int repeated; // the events between REPEAT and END run another number of times than in the recorded run
};

// Read reads the run in a folder, and ends the program if that is not possible.
struct run *read_run(const char *folder);
void fail(const char *format, ...);
void *allocate(size_t bytes); // aligned, zero

// A target runs loops.
void target_open(struct run *, int *argc, char ***argv);
void target_call(struct run *, struct loop *);
void target_changed(struct run *, struct array *); // there are new values
void target_fetch(struct run *, struct array *);   // brings the values here
int target_close(struct run *, int status);        // returns the status of the program; only one process prints
int target_prints(void);
