/* The airfoil program written by hand in plain C: what generated code is held
 * against. The loops are what a careful programmer would write, arrays marked
 * restrict, the work for an element in the body of the loop.
 *
 * Alone, it reads a mesh and prints the rms every hundred iterations:
 *
 *	cc -O3 -march=native -DALONE airfoil.c -lm -o airfoil && ./airfoil new_grid.dat 1000
 *
 * The benchmarks compile it as a library, with the flags of generated code, and
 * call each loop as NAME(void **args).
 */
#include <math.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define NOINLINE __attribute__((noinline))

static double gam, gm1, cfl, eps, qinf[4];

EXPORT void set_constants(void)
{
	gam = 1.4f;
	gm1 = gam - 1.0f;
	cfl = 0.9f;
	eps = 0.05f;
	const double mach = 0.4f, p = 1, r = 1;
	const double u = sqrt(gam * p / r) * mach;
	const double e = p / (r * gm1) + 0.5 * u * u;
	qinf[0] = r;
	qinf[1] = r * u;
	qinf[2] = 0;
	qinf[3] = r * e;
}

static NOINLINE void do_save_soln(int cells, const double *restrict q, double *restrict qold)
{
	for (int i = 0; i < cells; i++)
		for (int d = 0; d < 4; d++)
			qold[4 * i + d] = q[4 * i + d];
}

static NOINLINE void do_adt_calc(int cells, const int *restrict cell2node, const double *restrict x,
				 const double *restrict q, double *restrict adt)
{
	for (int i = 0; i < cells; i++) {
		const double *x1 = x + 2 * cell2node[4 * i];
		const double *x2 = x + 2 * cell2node[4 * i + 1];
		const double *x3 = x + 2 * cell2node[4 * i + 2];
		const double *x4 = x + 2 * cell2node[4 * i + 3];
		const double ri = 1.0 / q[4 * i];
		const double u = ri * q[4 * i + 1];
		const double v = ri * q[4 * i + 2];
		const double c = sqrt(gam * gm1 * (ri * q[4 * i + 3] - 0.5 * (u * u + v * v)));
		double dx, dy, sum;

		dx = x2[0] - x1[0];
		dy = x2[1] - x1[1];
		sum = fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
		dx = x3[0] - x2[0];
		dy = x3[1] - x2[1];
		sum += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
		dx = x4[0] - x3[0];
		dy = x4[1] - x3[1];
		sum += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
		dx = x1[0] - x4[0];
		dy = x1[1] - x4[1];
		sum += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
		adt[i] = sum / cfl;
	}
}

static NOINLINE void do_res_calc(int edges, const int *restrict edge2node, const int *restrict edge2cell,
				 const double *restrict x, const double *restrict q, const double *restrict adt,
				 double *restrict res)
{
	for (int i = 0; i < edges; i++) {
		const double *x1 = x + 2 * edge2node[2 * i];
		const double *x2 = x + 2 * edge2node[2 * i + 1];
		const int c1 = edge2cell[2 * i], c2 = edge2cell[2 * i + 1];
		const double *q1 = q + 4 * c1, *q2 = q + 4 * c2;
		double *res1 = res + 4 * c1, *res2 = res + 4 * c2;

		const double dx = x1[0] - x2[0];
		const double dy = x1[1] - x2[1];
		const double r1 = 1.0 / q1[0];
		const double p1 = gm1 * (q1[3] - 0.5 * r1 * (q1[1] * q1[1] + q1[2] * q1[2]));
		const double vol1 = r1 * (q1[1] * dy - q1[2] * dx);
		const double r2 = 1.0 / q2[0];
		const double p2 = gm1 * (q2[3] - 0.5 * r2 * (q2[1] * q2[1] + q2[2] * q2[2]));
		const double vol2 = r2 * (q2[1] * dy - q2[2] * dx);
		const double mu = 0.5 * (adt[c1] + adt[c2]) * eps;
		double f;

		f = 0.5 * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
		res1[0] += f;
		res2[0] -= f;
		f = 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
		res1[1] += f;
		res2[1] -= f;
		f = 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
		res1[2] += f;
		res2[2] -= f;
		f = 0.5 * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
		res1[3] += f;
		res2[3] -= f;
	}
}

static NOINLINE void do_bres_calc(int bedges, const int *restrict bedge2node, const int *restrict bedge2cell,
				  const int *restrict bound, const double *restrict x, const double *restrict q,
				  const double *restrict adt, double *restrict res)
{
	for (int i = 0; i < bedges; i++) {
		const double *x1 = x + 2 * bedge2node[2 * i];
		const double *x2 = x + 2 * bedge2node[2 * i + 1];
		const int c = bedge2cell[i];
		const double *q1 = q + 4 * c;
		double *res1 = res + 4 * c;

		const double dx = x1[0] - x2[0];
		const double dy = x1[1] - x2[1];
		const double r1 = 1.0 / q1[0];
		const double p1 = gm1 * (q1[3] - 0.5 * r1 * (q1[1] * q1[1] + q1[2] * q1[2]));

		if (bound[i] == 1) {
			res1[1] += p1 * dy;
			res1[2] -= p1 * dx;
			continue;
		}
		const double vol1 = r1 * (q1[1] * dy - q1[2] * dx);
		const double r2 = 1.0 / qinf[0];
		const double p2 = gm1 * (qinf[3] - 0.5 * r2 * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
		const double vol2 = r2 * (qinf[1] * dy - qinf[2] * dx);
		const double mu = adt[c] * eps;

		res1[0] += 0.5 * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
		res1[1] += 0.5 * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
		res1[2] += 0.5 * (vol1 * q1[2] - p1 * dx + vol2 * qinf[2] - p2 * dx) + mu * (q1[2] - qinf[2]);
		res1[3] += 0.5 * (vol1 * (q1[3] + p1) + vol2 * (qinf[3] + p2)) + mu * (q1[3] - qinf[3]);
	}
}

static NOINLINE void do_update(int cells, const double *restrict qold, double *restrict q, double *restrict res,
			       const double *restrict adt, double *restrict rms)
{
	double sum = 0;
	for (int i = 0; i < cells; i++) {
		const double adti = 1.0 / adt[i];
		for (int d = 0; d < 4; d++) {
			const double del = adti * res[4 * i + d];
			q[4 * i + d] = qold[4 * i + d] - del;
			res[4 * i + d] = 0;
			sum += del * del;
		}
	}
	*rms += sum;
}

/* args: the number of elements, then the arrays in the order of the function above */
#define COUNT (*(const int64_t *)args[0])
EXPORT void save_soln(void **args) { do_save_soln(COUNT, args[1], args[2]); }
EXPORT void adt_calc(void **args) { do_adt_calc(COUNT, args[1], args[2], args[3], args[4]); }
EXPORT void res_calc(void **args) { do_res_calc(COUNT, args[1], args[2], args[3], args[4], args[5], args[6]); }
EXPORT void bres_calc(void **args)
{
	do_bres_calc(COUNT, args[1], args[2], args[3], args[4], args[5], args[6], args[7]);
}
EXPORT void update(void **args) { do_update(COUNT, args[1], args[2], args[3], args[4], args[5]); }

#ifdef ALONE
#include <stdio.h>
#include <stdlib.h>

static FILE *file;

static int integer(void)
{
	int v;
	if (fscanf(file, "%d", &v) != 1) {
		fprintf(stderr, "bad mesh file\n");
		exit(1);
	}
	return v;
}

static void *array(size_t n, size_t size)
{
	void *p = aligned_alloc(64, (n * size + 63) / 64 * 64);
	if (!p)
		exit(1);
	return p;
}

int main(int argc, char **argv)
{
	file = fopen(argc > 1 ? argv[1] : "new_grid.dat", "r");
	if (!file) {
		perror("mesh file");
		return 1;
	}
	const int iterations = argc > 2 ? atoi(argv[2]) : 1000;
	const int nodes = integer(), cells = integer(), edges = integer(), bedges = integer();
	double *x = array(2 * nodes, 8), *q = array(4 * cells, 8), *qold = array(4 * cells, 8);
	double *res = array(4 * cells, 8), *adt = array(cells, 8), rms = 0;
	int *cell2node = array(4 * cells, 4), *edge2node = array(2 * edges, 4), *edge2cell = array(2 * edges, 4);
	int *bedge2node = array(2 * bedges, 4), *bedge2cell = array(bedges, 4), *bound = array(bedges, 4);
	for (int i = 0; i < 2 * nodes; i++)
		if (fscanf(file, "%lf", &x[i]) != 1)
			return 1;
	for (int i = 0; i < 4 * cells; i++)
		cell2node[i] = integer();
	for (int i = 0; i < edges; i++) {
		edge2node[2 * i] = integer(), edge2node[2 * i + 1] = integer();
		edge2cell[2 * i] = integer(), edge2cell[2 * i + 1] = integer();
	}
	for (int i = 0; i < bedges; i++) {
		bedge2node[2 * i] = integer(), bedge2node[2 * i + 1] = integer();
		bedge2cell[i] = integer(), bound[i] = integer();
	}
	set_constants();
	for (int i = 0; i < 4 * cells; i++)
		q[i] = qinf[i % 4], res[i] = 0;
	for (int iter = 1; iter <= iterations; iter++) {
		do_save_soln(cells, q, qold);
		for (int k = 0; k < 2; k++) {
			do_adt_calc(cells, cell2node, x, q, adt);
			do_res_calc(edges, edge2node, edge2cell, x, q, adt, res);
			do_bres_calc(bedges, bedge2node, bedge2cell, bound, x, q, adt, res);
			rms = 0;
			do_update(cells, qold, q, res, adt, &rms);
		}
		if (iter % 100 == 0)
			printf("%5d %.15e\n", iter, sqrt(rms / cells));
	}
	return 0;
}
#endif
