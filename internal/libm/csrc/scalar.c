#define FMA __builtin_fma

// A sum of two, of which the second is small against the first.
typedef struct {
	double h, l;
} op2_sum;

static op2_sum op2_quick(double x, double y) // with x the larger one
{
	const double s = x + y;
	return (op2_sum){s, (x - s) + y};
}

static op2_sum op2_add(double x, double y)
{
	const double s = x + y, b = s - x;
	return (op2_sum){s, (x - (s - b)) + (y - b)};
}

static op2_sum op2_add2(op2_sum x, op2_sum y)
{
	const op2_sum s = op2_add(x.h, y.h);
	return op2_quick(s.h, s.l + (x.l + y.l));
}

static op2_sum op2_mul(double x, double y)
{
	const double p = x * y;
	return (op2_sum){p, FMA(x, y, -p)};
}

static op2_sum op2_mul2(op2_sum x, op2_sum y)
{
	const op2_sum p = op2_mul(x.h, y.h);
	return op2_quick(p.h, FMA(x.h, y.l, FMA(x.l, y.h, p.l)));
}

static op2_sum op2_div2(op2_sum x, op2_sum y)
{
	const double q = x.h / y.h;
	return op2_quick(q, (FMA(-q, y.h, x.h) + FMA(-q, y.l, x.l)) / y.h);
}

static op2_sum op2_sqrt2(op2_sum x)
{
	const double s = __builtin_sqrt(x.h);
	return (op2_sum){s, s > 0 ? (FMA(-s, s, x.h) + x.l) / (2 * s) : 0};
}

static op2_sum op2_log2sum(op2_sum x)
{
	op2_two l;
	const op2_two h = op2_two_log_both(op2_two_of(x.h), &l);
	return op2_quick(h[0], l[0] + x.l / x.h);
}

static double op2_exp2sum(op2_sum x, op2_sum *y) // e^x = 2^k y; returns k
{
	op2_two r, tail;
	const op2_two k = op2_two_exp_reduced(op2_two_of(x.h), op2_two_of(x.l), &r, &tail);
	const op2_sum s = op2_quick(1, r[0]);
	*y = op2_quick(s.h, s.l + tail[0]);
	return k[0];
}

static double op2_scale(op2_sum x, double k)
{
	return op2_two_scale(op2_two_of(x.h), op2_two_of(k))[0];
}

static double op2_poly(double x, const double *c, int n)
{
	double p = c[--n];
	while (n > 0)
		p = FMA(p, x, c[--n]);
	return p;
}

#define LENGTH(c) ((int)(sizeof c / sizeof c[0]))

static const op2_sum op2_ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}, op2_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

static uint64_t op2_bits(double x)
{
	uint64_t u;
	__builtin_memcpy(&u, &x, 8);
	return u;
}

static double op2_from_bits(uint64_t u)
{
	double x;
	__builtin_memcpy(&x, &u, 8);
	return x;
}

// Functions of packs.

#define OF_PACKS(name)                                                         \
	double name(double x) { return op2_two_##name(op2_two_of(x))[0]; }         \
	float name##f(float x) { return (float)op2_two_##name(op2_two_of(x))[0]; }
#define OF_PACKS2(name)                                                                                  \
	double name(double x, double y) { return op2_two_##name(op2_two_of(x), op2_two_of(y))[0]; }          \
	float name##f(float x, float y) { return (float)op2_two_##name(op2_two_of(x), op2_two_of(y))[0]; }

OF_PACKS(exp)
OF_PACKS(exp2)
OF_PACKS(expm1)
OF_PACKS(log)
OF_PACKS(log2)
OF_PACKS(log10)
OF_PACKS(log1p)
OF_PACKS2(pow)
OF_PACKS(sin)
OF_PACKS(cos)
OF_PACKS(tan)
OF_PACKS(atan)
OF_PACKS2(atan2)
OF_PACKS(sinh)
OF_PACKS(cosh)
OF_PACKS(tanh)
OF_PACKS(cbrt)

void sincos(double x, double *s, double *c)
{
	const double angle = x;
	*s = op2_two_sin(op2_two_of(angle))[0];
	*c = op2_two_cos(op2_two_of(angle))[0];
}

void sincosf(float x, float *s, float *c)
{
	const double angle = x;
	*s = (float)op2_two_sin(op2_two_of(angle))[0];
	*c = (float)op2_two_cos(op2_two_of(angle))[0];
}

// Inverses of the angles' functions: asin x is a polynomial up to 1/2, and pi/2 - 2 asin(sqrt((1-x)/2)) beyond.

static double op2_asin_tail(double x) // asin x - x
{
	static const double c[] = {0x1.5555555555556p-3, 0x1.3333333332ec4p-4, 0x1.6db6db6e3292ep-5, 0x1.f1c71c1d4aa0dp-6, 0x1.6e8bb1d89492bp-6,
		0x1.1c4d343fa57f6p-6, 0x1.c9cf3759fd8ffp-7, 0x1.78246f32d075cp-7, 0x1.524ea8b3aad31p-7, 0x1.653a8f8cfd43cp-8, 0x1.1d661531b222ep-6,
		-0x1.e7a24f548c99fp-7, 0x1.d78189767524ep-6};
	const double z = x * x;
	return z * x * op2_poly(z, c, LENGTH(c));
}

static op2_sum op2_asin_beyond(double a) // 2 asin(sqrt((1-a)/2))
{
	const op2_sum s = op2_sqrt2((op2_sum){0.5 * (1 - a), 0});
	return op2_quick(2 * s.h, 2 * (s.l + op2_asin_tail(s.h)));
}

double asin(double x)
{
	const double a = __builtin_fabs(x);
	if (a < 0x1p-27)
		return x;
	if (a < 0.5)
		return x + op2_asin_tail(x);
	const op2_sum b = op2_asin_beyond(a), s = op2_add2((op2_sum){op2_pi.h / 2, op2_pi.l / 2}, (op2_sum){-b.h, -b.l});
	return __builtin_copysign(s.h, x);
}

double acos(double x)
{
	const double a = __builtin_fabs(x);
	op2_sum s;
	if (a < 0.5)
		s = op2_add2((op2_sum){op2_pi.h / 2, op2_pi.l / 2}, (op2_sum){-x, -op2_asin_tail(x)});
	else {
		s = op2_asin_beyond(a);
		if (x < 0)
			s = op2_add2(op2_pi, (op2_sum){-s.h, -s.l});
	}
	return s.h;
}

// Inverses of the hyperbolic functions, by log(1 + x).

static double op2_log1p2(op2_sum x)
{
	return op2_two_log1p_of(op2_two_of(x.h), op2_two_of(x.l))[0];
}

static double op2_log_twice(double x) // log 2x
{
	return op2_add2(op2_log2sum((op2_sum){x, 0}), op2_ln2).h;
}

double asinh(double x)
{
	const double a = __builtin_fabs(x);
	if (a < 0x1p-27 || !(a < __builtin_inf()))
		return x;
	if (a > 0x1p28)
		return __builtin_copysign(op2_log_twice(a), x);
	const op2_sum square = op2_mul(a, a), root = op2_sqrt2(op2_add2(square, (op2_sum){1, 0}));
	const op2_sum q = op2_div2(square, op2_add2(root, (op2_sum){1, 0})); // root - 1
	return __builtin_copysign(op2_log1p2(op2_add2((op2_sum){a, 0}, q)), x);
}

double acosh(double x)
{
	if (!(x >= 1))
		return x != x ? x : __builtin_nan("");
	if (x > 0x1p28)
		return x < __builtin_inf() ? op2_log_twice(x) : x;
	const op2_sum t = op2_add(x, -1), root = op2_sqrt2(op2_add2((op2_sum){2 * t.h, 2 * t.l}, op2_mul2(t, t)));
	return op2_log1p2(op2_add2(t, root));
}

double atanh(double x)
{
	const double a = __builtin_fabs(x);
	if (a < 0x1p-27)
		return x;
	if (!(a < 1))
		return a == 1 ? __builtin_copysign(__builtin_inf(), x) : __builtin_nan("");
	return __builtin_copysign(0.5 * op2_log1p2(op2_div2((op2_sum){2 * a, 0}, op2_add(1, -a))), x);
}

// The length of (x, y): a root, corrected (C. Borges, "An improved algorithm for hypot(a, b)", 2019).
double hypot(double x, double y)
{
	double a = __builtin_fabs(x), b = __builtin_fabs(y);
	if (a == __builtin_inf() || b == __builtin_inf())
		return __builtin_inf();
	if (!(a >= b)) {
		const double c = a;
		a = b, b = c;
	}
	if (!(b > a * 0x1p-60))
		return a + b;
	const double by = a > 0x1p500 ? 0x1p-600 : b < 0x1p-500 ? 0x1p600 : 1;
	const op2_sum s = op2_sqrt2(op2_add2(op2_mul(a * by, a * by), op2_mul(b * by, b * by)));
	return (s.h + s.l) / by;
}

// The error function, with the polynomials of FreeBSD (s_erf.c, Sun Microsystems 1993).

static double op2_erf_near(double x) // (erf x)/x - 1, up to 0.84375
{
	static const double p[] = {1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02, -5.77027029648944159157e-03,
		-2.37630166566501626084e-05};
	static const double q[] = {1, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03, 1.32494738004321644526e-04,
		-3.96022827877536812320e-06};
	const double z = x * x;
	return op2_poly(z, p, LENGTH(p)) / op2_poly(z, q, LENGTH(q));
}

static const double op2_erf_one = 8.45062911510467529297e-01;

static double op2_erf_middle(double x) // erf x - op2_erf_one, from 0.84375 to 1.25
{
	static const double p[] = {-2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01,
		-1.10894694282396677476e-01,
		3.54783043256182359371e-02, -2.16637559486879084300e-03};
	static const double q[] = {1, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02, 1.26171219808761642112e-01,
		1.36370839120290507362e-02,
		1.19844998467991074170e-02};
	return op2_poly(x - 1, p, LENGTH(p)) / op2_poly(x - 1, q, LENGTH(q));
}

static double op2_erfc_far(double x) // erfc x, from 2 to 28
{
	static const double ra[] = {-9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01,
		-1.62396669462573470355e+02,
		-1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00};
	static const double sa[] = {1, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02, 6.45387271733267880336e+02,
		4.29008140027567833386e+02,
		1.08635005541779435134e+02, 6.57024977031928170135e+00, -6.04244152148580987438e-02};
	static const double rb[] = {-9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02,
		-6.37566443368389627722e+02,
		-1.02509513161107724954e+03, -4.83519191608651397019e+02};
	static const double sb[] = {1, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03, 3.19985821950859553908e+03,
		2.55305040643316442583e+03,
		4.74528541206955367215e+02, -2.24409524465858183362e+01};
	const double s = 1 / (x * x);
	const double ratio = x < 1 / 0.35 ? op2_poly(s, ra, LENGTH(ra)) / op2_poly(s, sa, LENGTH(sa)) : op2_poly(s, rb, LENGTH(rb)) / op2_poly(s, sb, LENGTH(sb));
	const op2_sum p = op2_mul(-x, x), e = op2_add2(p, op2_add(-0.5625, ratio));
	op2_sum y;
	const double k = op2_exp2sum(e, &y);
	return op2_scale(op2_div2(y, (op2_sum){x, 0}), k);
}

static double op2_erfc_middle(double x) // from 7/16 to 2: erfc x = e^(p(x) - x^2)
{
	static const double c[] = {-0x1.5c45c2705ed3fp-1, 0x1.633e1bd2ce087p-3, -0x1.802c2794aeaf7p-5, 0x1.730b0ece7654fp-7, -0x1.1904a0842c93fp-9,
		0x1.a515529b62ab9p-13, 0x1.f13fc96a91c42p-15, -0x1.4a1877ac54479p-15, 0x1.96c970c2509d4p-17, -0x1.0b1c845ec6019p-19,
		-0x1.8103cd305158fp-23, 0x1.1956693661cdbp-22, -0x1.ba4d5199c642ap-24, 0x1.6c5f1c3490dc6p-26};
	static const double d[] = {-0x1.eeb8924843195p-2, 0x1.9249dc598ca50p-4, -0x1.78fa9a8b71c25p-6, 0x1.59606b9a1a594p-8, -0x1.211a66c2bba42p-10,
		0x1.99f921d2cadaap-13, -0x1.920c7f0670b1dp-16, -0x1.0aa26b77d3e56p-21, 0x1.92dc06cae94c0p-20, -0x1.38e8caf1ea181p-21,
		0x1.45820b77135f3p-23, -0x1.c7ee7e1b1d7f2p-26};
	const bool first = x < 1.25;
	const double e = x - (first ? 0.875 : 1.625);
	const op2_sum begin = first ? (op2_sum){-0x1.88ce5d53669b8p-1, 0x1.9f433934410c7p-55} : (op2_sum){-0x1.324b71fe93c9ap+0, -0x1.1f7ad752a52a2p-55};
	const op2_sum p = op2_add2(op2_add2(begin, (op2_sum){e * (first ? op2_poly(e, c, LENGTH(c)) : op2_poly(e, d, LENGTH(d))), 0}), op2_mul(-x, x));
	return op2_two_exp_of(op2_two_of(p.h), op2_two_of(p.l))[0];
}

double erf(double x)
{
	const double a = __builtin_fabs(x);
	if (a < 0x1p-1000)
		return 0x1p-60 * (0x1p60 * x + 1.28379167095512586316e-01 * (0x1p60 * x)); // rounded once
	if (a < 0.84375)
		return FMA(x, op2_erf_near(x), x);
	if (x != x)
		return x;
	return __builtin_copysign(a < 1.25 ? op2_erf_one + op2_erf_middle(a) : a < 6 ? 1 - op2_erfc_far(a) : 1, x);
}

double erfc(double x)
{
	const double a = __builtin_fabs(x);
	if (x != x)
		return x;
	if (x >= 0.4375 && x < 2)
		return op2_erfc_middle(x);
	if (a < 0.84375)
		return x < 0.25 ? 1 - FMA(x, op2_erf_near(x), x) : 0.5 - FMA(x, op2_erf_near(x), x - 0.5);
	if (a < 1.25)
		return 1 + (op2_erf_one + op2_erf_middle(a));
	if (x < 0)
		return a < 6 ? 2 - op2_erfc_far(a) : 2;
	return a < 28 ? op2_erfc_far(a) : 0;
}

// The gamma function, by J. Stirling's series for z = x + n, and a product of n factors.

static op2_sum op2_stirling(double x, op2_sum *product) // log of gamma(z), for x > 0
{
	static const double c[] = {1 / 12.0, -1 / 360.0, 1 / 1260.0, -1 / 1680.0, 1 / 1188.0, -691 / 360360.0, 1 / 156.0};
	op2_sum z = {x, 0};
	*product = (op2_sum){1, 0};
	while (z.h < 16) {
		*product = op2_mul2(*product, z);
		z = op2_add2(z, (op2_sum){1, 0});
	}
	op2_sum s = op2_mul2(op2_add2(z, (op2_sum){-0.5, 0}), op2_add2(op2_log2sum(z), (op2_sum){-1, 0}));
	s = op2_add2(s, (op2_sum){0x1.acfe390c97d69p-2, 0x1.3494bc9001442p-56}); // (log(2 pi) - 1)/2
	return op2_add2(s, (op2_sum){op2_poly(1 / (z.h * z.h), c, LENGTH(c)) / z.h, 0});
}

static op2_sum op2_sin_pi(double x) // sin(pi x), for x >= 0
{
	const double n = __builtin_rint(2 * x), g = x - 0.5 * n;
	const int64_t q = (int64_t)(n - 4 * __builtin_floor(n / 4));
	const op2_sum r = op2_mul2(op2_pi, (op2_sum){g, 0});
	op2_two one;
	const op2_two h = op2_two_of(r.h), l = op2_two_of(r.l);
	op2_sum s;
	if (q % 2 == 0)
		s = op2_quick(r.h, op2_two_sin_tail(h, l)[0]);
	else {
		const op2_two tail = op2_two_cos_tail(h, l, &one);
		s = op2_quick(one[0], tail[0]);
	}
	return q < 2 ? s : (op2_sum){-s.h, -s.l};
}

double tgamma(double x)
{
	if (!(x < 172))
		return x < __builtin_inf() ? __builtin_inf() : x;
	if (x == 0)
		return 1 / x;
	if (x < 0 && x == __builtin_floor(x))
		return __builtin_nan("");
	const double a = __builtin_fabs(x);
	if (x < -190)
		return __builtin_floor(x / 2) * 2 == __builtin_floor(x) ? 0.0 : -0.0;
	if (a < 0x1p-60)
		return 1 / x;
	op2_sum product;
	const op2_sum s = op2_stirling(a, &product);
	op2_sum gamma;
	const double k = op2_exp2sum(s, &gamma);
	gamma = op2_div2(gamma, product); // times 2^k
	if (x > 0)
		return op2_scale(gamma, k);
	return op2_scale(op2_div2(op2_pi, op2_mul2(op2_mul2(op2_sin_pi(a), (op2_sum){-a, 0}), gamma)), -k);
}

static op2_sum op2_lgamma_of(double x) // for x > 0
{
	static const double at1[] = {0x1.a51a6625307d3p-1, -0x1.9a4d55beab2d7p-2, 0x1.151322ac7d872p-2, -0x1.a8b9c17aa6197p-3, 0x1.5b40cb0fcf957p-3,
		-0x1.2703a1dcb1a98p-3, 0x1.010b37b1f99c8p-3, -0x1.c806724fcee9ap-4, 0x1.99fdff9bf8729p-4, -0x1.748891829cecep-4, 0x1.58de426dc9f5dp-4, -0x1.3e56233c394a4p-4};
	static const double at2[] = {0x1.4a34cc4a60fa6p-2, -0x1.13e001a557607p-4, 0x1.51322ac7d83fdp-6, -0x1.e404fc218f4fap-8, 0x1.7add6eafd1695p-9,
		-0x1.38ac5c2de8c57p-10, 0x1.0b3697f683d5dp-11, -0x1.d3fd2114f7f5bp-13, 0x1.a1ff04343c7d0p-14, -0x1.79a49748bd89ap-15};
	const double e = x - 1, f = x - 2;
	if (__builtin_fabs(e) < 0x1p-4) {
		const op2_sum first = op2_mul2((op2_sum){e, 0}, (op2_sum){-0x1.2788cfc6fb619p-1, 0x1.6cb90701fbfabp-58});
		return op2_add2(first, (op2_sum){e * e * op2_poly(e, at1, LENGTH(at1)), 0});
	}
	if (__builtin_fabs(f) < 0x1p-4) {
		const op2_sum first = op2_mul2((op2_sum){f, 0}, (op2_sum){0x1.b0ee6072093cep-2, 0x1.6cb90701fbfabp-58});
		return op2_add2(first, (op2_sum){f * f * op2_poly(f, at2, LENGTH(at2)), 0});
	}
	op2_sum product;
	const op2_sum s = op2_stirling(x, &product), l = op2_log2sum(product);
	return op2_add2(s, (op2_sum){-l.h, -l.l});
}

double lgamma_r(double x, int *sign)
{
	*sign = 1;
	if (x != x)
		return x;
	const double a = __builtin_fabs(x);
	if (a == __builtin_inf() || x > 0x1.754d9278b51a7p+1014)
		return __builtin_inf();
	if (a < 0x1p-60) {
		*sign = op2_bits(x) >> 63 ? -1 : 1;
		return a == 0 ? __builtin_inf() : -op2_log2sum((op2_sum){a, 0}).h;
	}
	if (x > 0)
		return op2_lgamma_of(x).h;
	if (x == __builtin_floor(x))
		return __builtin_inf();
	const op2_sum sine = op2_sin_pi(a); // gamma(-a) = -pi / (a sin(pi a) gamma(a))
	*sign = sine.h > 0 ? -1 : 1;
	const op2_sum below = op2_mul2(sine.h > 0 ? sine : (op2_sum){-sine.h, -sine.l}, (op2_sum){a, 0});
	const op2_sum l = op2_log2sum(op2_div2(op2_pi, below)), g = op2_lgamma_of(a);
	return op2_add2(l, (op2_sum){-g.h, -g.l}).h;
}

double lgamma(double x)
{
	int sign;
	return lgamma_r(x, &sign);
}

#define IN_DOUBLE(name) float name##f(float x) { return (float)name(x); }

IN_DOUBLE(asin)
IN_DOUBLE(acos)
IN_DOUBLE(asinh)
IN_DOUBLE(acosh)
IN_DOUBLE(atanh)
IN_DOUBLE(erf)
IN_DOUBLE(erfc)
IN_DOUBLE(tgamma)
IN_DOUBLE(lgamma)
float hypotf(float x, float y) { return (float)hypot(x, y); }
float lgammaf_r(float x, int *sign) { return (float)lgamma_r(x, sign); }
