// What targets on the host share: the code of loops, and its arguments.
#pragma once

#include "run.h"

// What one of the args of a loop's code points to.
struct slot {
	enum { RUNS, COUNT, DATA, MAP, CONST, FAULT, JOB, BLOCKS, ORDER, TABLE, ROWS, COLUMNS, PARTIAL, AHEAD, COMBINED } what;
	int n;
};

// The code of loops, made by the file loops.c of a target.
struct code {
	const char *name;
	void (*call)(void **args);
	const struct slot *slots;
	int n;
};
extern const struct code codes[];

// Job is what the code of a loop calls blocks with: as in the files of the target openmp.
struct op2_job {
	void (*op2_run)(struct op2_job *, void (*op2_block)(void *op2_shared, int32_t op2_i), void *op2_shared);
	void *op2_team;
	const int32_t *op2_color; // the first block of each, and the end of the last
	int64_t op2_colors;
};

struct bound {
	void **args;
	int64_t count; // of runs
	int64_t fault[8];
	struct op2_job job;
	int32_t blocks;
};

// Bind_loop makes the args of a loop's code.
struct bound *bind_loop(struct run *, const struct loop *);
void call_loop(const struct loop *, struct bound *);
