package fromc

import "testing"

// kernelCase is a kernel and its IR, as dump writes it.
type kernelCase struct {
	name, source, want string
}

// airfoil holds the kernels of OP2's airfoil in C, and the one of PyOP2's manual.
var airfoil = []kernelCase{{
	name: "save_soln",
	source: `
inline void save_soln(const double *q, double *qold) {
  for (int n = 0; n < 4; n++)
    qold[n] = q[n];
}`,
	want: `
func save_soln(q *float64, qold *float64) {
	L1: for var n int32 = 0; (n < 4); n += 1 {
		qold[n] = q[n]
	}
}
`,
}, {
	name: "adt_calc",
	source: `
inline void adt_calc(const double *x1, const double *x2, const double *x3, const double *x4,
                     const double *q, double *adt) {
  double dx, dy, ri, u, v, c;

  ri = 1.0f / q[0];
  u = ri * q[1];
  v = ri * q[2];
  c = sqrt(gam * gm1 * (ri * q[3] - 0.5f * (u * u + v * v)));

  dx = x2[0] - x1[0];
  dy = x2[1] - x1[1];
  *adt = fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);

  dx = x3[0] - x2[0];
  dy = x3[1] - x2[1];
  *adt += fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);

  *adt = (*adt) / cfl;
}`,
	want: `
const cfl float64
const gam float64
const gm1 float64
func adt_calc(x1 *float64, x2 *float64, x3 *float64, x4 *float64, q *float64, adt *float64) {
	var dx float64
	var dy float64
	var ri float64
	var u float64
	var v float64
	var c float64
	ri = (1 / q[0])
	u = (ri * q[1])
	v = (ri * q[2])
	c = math.Sqrt(((gam * gm1) * ((ri * q[3]) - (0.5 * ((u * u) + (v * v))))))
	dx = (x2[0] - x1[0])
	dy = (x2[1] - x1[1])
	adt[0] = (math.Abs(((u * dy) - (v * dx))) + (c * math.Sqrt(((dx * dx) + (dy * dy)))))
	dx = (x3[0] - x2[0])
	dy = (x3[1] - x2[1])
	adt[0] += (math.Abs(((u * dy) - (v * dx))) + (c * math.Sqrt(((dx * dx) + (dy * dy)))))
	adt[0] = (adt[0] / cfl)
}
`,
}, {
	name: "res_calc",
	source: `
inline void res_calc(const double *x1, const double *x2, const double *q1, const double *q2,
                     const double *adt1, const double *adt2, double *res1, double *res2) {
  double dx, dy, mu, ri, p1, vol1, p2, vol2, f;

  dx = x1[0] - x2[0];
  dy = x1[1] - x2[1];

  ri = 1.0f / q1[0];
  p1 = gm1 * (q1[3] - 0.5f * ri * (q1[1] * q1[1] + q1[2] * q1[2]));
  vol1 = ri * (q1[1] * dy - q1[2] * dx);

  ri = 1.0f / q2[0];
  p2 = gm1 * (q2[3] - 0.5f * ri * (q2[1] * q2[1] + q2[2] * q2[2]));
  vol2 = ri * (q2[1] * dy - q2[2] * dx);

  mu = 0.5f * ((*adt1) + (*adt2)) * eps;

  f = 0.5f * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  res1[0] += f;
  res2[0] -= f;
  f = 0.5f * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
  res1[1] += f;
  res2[1] -= f;
  f = 0.5f * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
  res1[2] += f;
  res2[2] -= f;
  f = 0.5f * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
  res1[3] += f;
  res2[3] -= f;
}`,
	want: `
const eps float64
const gm1 float64
func res_calc(x1 *float64, x2 *float64, q1 *float64, q2 *float64, adt1 *float64, adt2 *float64, res1 *float64, res2 *float64) {
	var dx float64
	var dy float64
	var mu float64
	var ri float64
	var p1 float64
	var vol1 float64
	var p2 float64
	var vol2 float64
	var f float64
	dx = (x1[0] - x2[0])
	dy = (x1[1] - x2[1])
	ri = (1 / q1[0])
	p1 = (gm1 * (q1[3] - ((0.5 * ri) * ((q1[1] * q1[1]) + (q1[2] * q1[2])))))
	vol1 = (ri * ((q1[1] * dy) - (q1[2] * dx)))
	ri = (1 / q2[0])
	p2 = (gm1 * (q2[3] - ((0.5 * ri) * ((q2[1] * q2[1]) + (q2[2] * q2[2])))))
	vol2 = (ri * ((q2[1] * dy) - (q2[2] * dx)))
	mu = ((0.5 * (adt1[0] + adt2[0])) * eps)
	f = ((0.5 * ((vol1 * q1[0]) + (vol2 * q2[0]))) + (mu * (q1[0] - q2[0])))
	res1[0] += f
	res2[0] -= f
	f = ((0.5 * ((((vol1 * q1[1]) + (p1 * dy)) + (vol2 * q2[1])) + (p2 * dy))) + (mu * (q1[1] - q2[1])))
	res1[1] += f
	res2[1] -= f
	f = ((0.5 * ((((vol1 * q1[2]) - (p1 * dx)) + (vol2 * q2[2])) - (p2 * dx))) + (mu * (q1[2] - q2[2])))
	res1[2] += f
	res2[2] -= f
	f = ((0.5 * ((vol1 * (q1[3] + p1)) + (vol2 * (q2[3] + p2)))) + (mu * (q1[3] - q2[3])))
	res1[3] += f
	res2[3] -= f
}
`,
}, {
	name: "bres_calc",
	source: `
inline void bres_calc(const double *x1, const double *x2, const double *q1, const double *adt1,
                      double *res1, const int *bound) {
  double dx, dy, mu, ri, p1, vol1, p2, vol2, f;

  dx = x1[0] - x2[0];
  dy = x1[1] - x2[1];

  ri = 1.0f / q1[0];
  p1 = gm1 * (q1[3] - 0.5f * ri * (q1[1] * q1[1] + q1[2] * q1[2]));

  if (*bound == 1) {
    res1[1] += +p1 * dy;
    res1[2] += -p1 * dx;
  } else {
    vol1 = ri * (q1[1] * dy - q1[2] * dx);

    ri = 1.0f / qinf[0];
    p2 = gm1 * (qinf[3] - 0.5f * ri * (qinf[1] * qinf[1] + qinf[2] * qinf[2]));
    vol2 = ri * (qinf[1] * dy - qinf[2] * dx);

    mu = (*adt1) * eps;

    f = 0.5f * (vol1 * q1[0] + vol2 * qinf[0]) + mu * (q1[0] - qinf[0]);
    res1[0] += f;
    f = 0.5f * (vol1 * q1[1] + p1 * dy + vol2 * qinf[1] + p2 * dy) + mu * (q1[1] - qinf[1]);
    res1[1] += f;
  }
}`,
	want: `
const eps float64
const gm1 float64
const qinf [4]float64
func bres_calc(x1 *float64, x2 *float64, q1 *float64, adt1 *float64, res1 *float64, bound *int32) {
	var dx float64
	var dy float64
	var mu float64
	var ri float64
	var p1 float64
	var vol1 float64
	var p2 float64
	var vol2 float64
	var f float64
	dx = (x1[0] - x2[0])
	dy = (x1[1] - x2[1])
	ri = (1 / q1[0])
	p1 = (gm1 * (q1[3] - ((0.5 * ri) * ((q1[1] * q1[1]) + (q1[2] * q1[2])))))
	if (bound[0] == 1) {
		res1[1] += (p1 * dy)
		res1[2] += (-p1 * dx)
	} else {
		vol1 = (ri * ((q1[1] * dy) - (q1[2] * dx)))
		ri = (1 / qinf[0])
		p2 = (gm1 * (qinf[3] - ((0.5 * ri) * ((qinf[1] * qinf[1]) + (qinf[2] * qinf[2])))))
		vol2 = (ri * ((qinf[1] * dy) - (qinf[2] * dx)))
		mu = (adt1[0] * eps)
		f = ((0.5 * ((vol1 * q1[0]) + (vol2 * qinf[0]))) + (mu * (q1[0] - qinf[0])))
		res1[0] += f
		f = ((0.5 * ((((vol1 * q1[1]) + (p1 * dy)) + (vol2 * qinf[1])) + (p2 * dy))) + (mu * (q1[1] - qinf[1])))
		res1[1] += f
	}
}
`,
}, {
	name: "update",
	source: `
inline void update(const double *qold, double *q, double *res, const double *adt, double *rms) {
  double del, adti, rmsl;

  rmsl = 0.0f;
  adti = 1.0f / (*adt);

  for (int n = 0; n < 4; n++) {
    del = adti * res[n];
    q[n] = qold[n] - del;
    res[n] = 0.0f;
    rmsl += del * del;
  }
  *rms += rmsl;
}`,
	want: `
func update(qold *float64, q *float64, res *float64, adt *float64, rms *float64) {
	var del float64
	var adti float64
	var rmsl float64
	rmsl = 0
	adti = (1 / adt[0])
	L1: for var n int32 = 0; (n < 4); n += 1 {
		del = (adti * res[n])
		q[n] = (qold[n] - del)
		res[n] = 0
		rmsl += (del * del)
	}
	rms[0] += rmsl
}
`,
}, {
	name: "midpoint",
	source: `
inline void midpoint(double p[2], double *coords[2]) {
  p[0] = (coords[0][0] + coords[1][0] + coords[2][0]) / 3.0;
  p[1] = (coords[0][1] + coords[1][1] + coords[2][1]) / 3.0;
}`,
	want: `
func midpoint(p *[2]float64, coords *[2]*float64) {
	p[0] = (((coords[0][0] + coords[1][0]) + coords[2][0]) / 3)
	p[1] = (((coords[0][1] + coords[1][1]) + coords[2][1]) / 3)
}
`,
}}

func TestAirfoil(t *testing.T) {
	for _, c := range airfoil {
		t.Run(c.name, func(t *testing.T) { check(t, c) })
	}
}

func check(t *testing.T, c kernelCase) {
	t.Helper()
	k, err := Kernel(c.name, c.source, testConsts)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range verify(k) {
		t.Error(b)
	}
	if got := "\n" + dump(k); got != c.want {
		t.Errorf("got%swant%s", got, c.want)
	}
	if k.Name != c.name || k.Source != c.source || k.File != c.name+".c" || k.Entry().Name != c.name {
		t.Errorf("name %q, file %q, entry %q", k.Name, k.File, k.Entry().Name)
	}
}

func BenchmarkKernel(b *testing.B) {
	for range b.N {
		if _, err := Kernel(airfoil[2].name, airfoil[2].source, testConsts); err != nil {
			b.Fatal(err)
		}
	}
}
