/* The loops of a time step as one would write them in C by hand, for the benchmark. */
#include <math.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

static const double gravity = 9.81, dry = 1e-6;

struct fluxes { double mass, left, right, along, fastest; };

static inline struct fluxes hllc(double hl, double ul, double vl, double hr, double ur, double vr)
{
	double cl = sqrt(gravity * hl), cr = sqrt(gravity * hr);
	if (hl <= 0) ul = ur - 2 * cr;
	if (hr <= 0) ur = ul + 2 * cl;
	double sl = ul - cl < ur - cr ? ul - cl : ur - cr;
	if (sl > 0) sl = 0;
	double sr = ul + cl > ur + cr ? ul + cl : ur + cr;
	if (sr < 0) sr = 0;
	double w = 1 / (sr - sl > 1e-100 ? sr - sl : 1e-100);
	double mass = w * (sr * hl * ul - sl * hr * ur + sl * sr * (hr - hl));
	double momentum = w * (sr * hl * ul * ul - sl * hr * ur * ur + sl * sr * (hr * ur - hl * ul));
	double push = w * 0.5 * gravity * (hl * hl - hr * hr);
	struct fluxes f = {mass, momentum + sl * push, momentum + sr * push, mass * (mass < 0 ? vr : vl), sr > -sl ? sr : -sl};
	return f;
}

EXPORT void flux(int64_t *count, const int32_t *restrict edge2node, const int32_t *restrict edge2cell, const double *restrict x, const double *restrict q, double *restrict d)
{
	for (int64_t e = 0; e < *count; e++) {
		const double *a = x + 2 * edge2node[2 * e], *b = x + 2 * edge2node[2 * e + 1];
		const double *ql = q + 4 * edge2cell[2 * e], *qr = q + 4 * edge2cell[2 * e + 1];
		double *dl = d + 4 * edge2cell[2 * e], *dr = d + 4 * edge2cell[2 * e + 1];
		double nx = b[1] - a[1], ny = a[0] - b[0];
		double length = sqrt(nx * nx + ny * ny);
		nx /= length;
		ny /= length;
		double h = ql[0] > dry ? ql[0] : dry;
		double ul = (ql[1] * nx + ql[2] * ny) / h, vl = (ql[2] * nx - ql[1] * ny) / h;
		h = qr[0] > dry ? qr[0] : dry;
		double ur = (qr[1] * nx + qr[2] * ny) / h, vr = (qr[2] * nx - qr[1] * ny) / h;
		double bed = ql[3] > qr[3] ? ql[3] : qr[3];
		double hl = ql[0] + ql[3] - bed, hr = qr[0] + qr[3] - bed;
		struct fluxes f = hllc(hl > 0 ? hl : 0, ul, vl, hr > 0 ? hr : 0, ur, vr);
		dl[0] -= length * f.mass;
		dl[1] -= length * (f.left * nx - f.along * ny);
		dl[2] -= length * (f.left * ny + f.along * nx);
		dl[3] += length * f.fastest;
		dr[0] += length * f.mass;
		dr[1] += length * (f.right * nx - f.along * ny);
		dr[2] += length * (f.right * ny + f.along * nx);
		dr[3] += length * f.fastest;
	}
}

EXPORT void coast(int64_t *count, const int32_t *restrict bedge2node, const int32_t *restrict bedge2cell, const double *restrict x, const double *restrict q, double *restrict d)
{
	for (int64_t e = 0; e < *count; e++) {
		const double *a = x + 2 * bedge2node[2 * e], *b = x + 2 * bedge2node[2 * e + 1];
		const double *qc = q + 4 * bedge2cell[e];
		double *dc = d + 4 * bedge2cell[e];
		double nx = b[1] - a[1], ny = a[0] - b[0];
		double length = sqrt(nx * nx + ny * ny);
		nx /= length;
		ny /= length;
		double h = qc[0] > dry ? qc[0] : dry;
		double u = (qc[1] * nx + qc[2] * ny) / h;
		struct fluxes f = hllc(qc[0], u, 0, qc[0], -u, 0);
		dc[1] -= length * f.left * nx;
		dc[2] -= length * f.left * ny;
		dc[3] += length * f.fastest;
	}
}

EXPORT void limit(int64_t *count, const double *restrict area, const double *restrict d, double *restrict dt)
{
	double least = *dt;
	for (int64_t c = 0; c < *count; c++) {
		double t = 0.9 * area[c] / d[4 * c + 3];
		if (t < least) least = t;
	}
	*dt = least;
}

EXPORT void update(int64_t *count, const double *restrict area, double *restrict d, double *restrict q, double *restrict highest, const double *restrict dt, const double *restrict drag)
{
	for (int64_t c = 0; c < *count; c++) {
		double w = *dt / area[c];
		double h = q[4 * c] + w * d[4 * c];
		double hu = q[4 * c + 1] + w * d[4 * c + 1];
		double hv = q[4 * c + 2] + w * d[4 * c + 2];
		double slower = h > dry ? 1 / (1 + *dt * *drag * sqrt(hu * hu + hv * hv) / (h * h)) : 0;
		double level = h + q[4 * c + 3];
		if (level > highest[c]) highest[c] = level;
		q[4 * c] = h;
		q[4 * c + 1] = slower * hu;
		q[4 * c + 2] = slower * hv;
		for (int i = 0; i < 4; i++) d[4 * c + i] = 0;
	}
}
