// What targets on a device share: the kernels of loops, which device.c runs, and what it needs of a device.
#pragma once

#include "run.h"

// What a parameter of a kernel is.
struct param {
	enum { DATA, MAP, TABLE, ROWS, COLUMNS, SIZE, FIRST, LAST, LIST, PER, BEFORE, STRIDE, CONSTS, FAULTS, PARTIALS, GROUPS } what;
	int n; // which data, map, matrix or arg of the loop
};

// Where a const of the loop is in the struct of consts.
struct field {
	int constant, offset, size;
};

// The kernels of a loop, made by the file loops.c of a target.
struct code {
	const char *name;  // of the file of its text
	int size;          // work-items in a group
	const char *entry; // runs elements
	const struct param *params;
	int n;
	const char *combine; // combines what the groups have reduced; NULL: nothing is reduced
	const struct param *combine_params;
	int combine_n;
	const struct field *fields;
	int fields_n;
	int consts;             // bytes of the struct of consts
	int by_value;           // it is an argument itself
	const char *const *flags; // of the compiler, and NULL
};
extern const struct code codes[];

// Buffer is memory on the device, as its functions take it.
typedef uintptr_t buffer;

// Value is the value of a parameter.
struct value {
	size_t bytes;
	const void *at;
};

// A device. These functions end the program if something fails.
void device_open(void);
buffer device_allocate(size_t bytes);
void device_upload(buffer to, const void *from, size_t bytes);
void device_download(void *to, buffer from, size_t bytes); // when all work is done
void *device_compile(const struct code *, const char *text);
void *device_kernel(void *program, const char *name);
void device_launch(void *kernel, int groups, int size, const struct value *, int values);
