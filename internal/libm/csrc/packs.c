//: fma
INLINE VEC VEC_fma(VEC x, VEC y, VEC z)
{
	VEC r;
	for (int l = 0; l < (int)(sizeof x / 8); l++)
		r[l] = __builtin_fma(x[l], y[l], z[l]);
	return r;
}

//: of
INLINE VEC VEC_of(double x)
{
	return x - (VEC){0}; // preserves the sign of 0
}

//: apart
// x, the product that it is: no sum after it is fused with it.
INLINE VEC VEC_apart(VEC x)
{
#if defined(__x86_64__)
	__asm__("" : "+v"(x));
#elif defined(__aarch64__)
	__asm__("" : "+w"(x));
#endif
	return x;
}

//: pick
INLINE VEC VEC_pick(VEC_words m, VEC x, VEC y)
{
	return (VEC)(((VEC_words)x & m) | ((VEC_words)y & ~m));
}

//: size
INLINE VEC VEC_size(VEC x)
{
	return (VEC)((VEC_words)x & INT64_MAX);
}

//: signed
// The size of x with the sign of y.
INLINE VEC VEC_signed(VEC x, VEC y)
{
	return (VEC)(((VEC_words)x & INT64_MAX) | ((VEC_words)y & INT64_MIN));
}

//: some
INLINE bool VEC_some(VEC_words m)
{
	int64_t some = 0;
	for (int l = 0; l < (int)(sizeof m / 8); l++)
		some |= m[l];
	return some != 0;
}

//: poly
// c[0] + c[1] x + ... + c[n-1] x^(n-1): even and odd powers apart.
INLINE VEC VEC_poly(VEC x, const double *c, int n)
{
	const VEC z = x * x;
	VEC p = VEC_of(c[n - 1]), q = VEC_of(c[n - 2]);
	_Pragma("GCC unroll 16") for (int i = n - 3; i > 0; i -= 2) {
		p = VEC_fma(p, z, VEC_of(c[i]));
		q = VEC_fma(q, z, VEC_of(c[i - 1]));
	}
	if (n % 2 == 0)
		return VEC_fma(p, x, q);
	return VEC_fma(q, x, VEC_fma(p, z, VEC_of(c[0])));
}

//: nearest
// The integer nearest to x y, which is below 2^51.
INLINE VEC VEC_nearest(VEC x, double y)
{
	return VEC_fma(x, VEC_of(y), VEC_of(0x1.8p52)) - 0x1.8p52;
}

//: power
// 2^k for an integer k from -1022 to 1023.
INLINE VEC VEC_power(VEC k)
{
	return (VEC)(((VEC_words)(k + 0x1.8p52) + 1023) << 52);
}

//: scale
// x 2^k for an integer k from -2044 to 2046, rounded once.
INLINE VEC VEC_scale(VEC x, VEC k)
{
	const VEC half = VEC_nearest(k, 0.5);
	return x * VEC_power(half) * VEC_power(k - half);
}

//: exp_split
// x + low = k log 2 + r + rest, with r between -0.35 and 0.35: log 2 is subtracted in two parts
// (W. J. Cody and W. Waite, "Software Manual for the Elementary Functions", 1980).
INLINE VEC VEC_exp_split(VEC x, VEC low, VEC *r, VEC *rest)
{
	const VEC k = VEC_nearest(x, 0x1.71547652b82fep+0);
	const VEC h = VEC_fma(k, VEC_of(-0x1.62e42fefa39efp-1), x), l = VEC_fma(k, VEC_of(-0x1.abc9e3b39803fp-56), low);
	*r = h + l;
	*rest = (h - *r) + l;
	return k;
}

//: exp_tail
// e^(r+low) - 1 - r, for r between -0.35 and 0.35.
INLINE VEC VEC_exp_tail(VEC r, VEC low)
{
	static const double c[] = {0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.111111111007ep-7, 0x1.6c16c16c1629fp-10, 0x1.a01a01ac1adebp-13,
		0x1.a01a01a6f59a9p-16, 0x1.71de0190b33a1p-19, 0x1.27e4db08819d2p-22, 0x1.af4f375ba602bp-26, 0x1.1f73c205d8d57p-29};
	return VEC_fma(r * r, VEC_poly(r, c, 11), VEC_fma(low, r, low));
}

//: exp_reduced
// e^(x+low) = 2^k (1 + r + tail).
INLINE VEC VEC_exp_reduced(VEC x, VEC low, VEC *r, VEC *tail)
{
	const VEC k = VEC_exp_split(x, low, r, tail);
	*tail = VEC_exp_tail(*r, *tail);
	return k;
}

//: exp_of
// e^(x+low).
INLINE VEC VEC_exp_of(VEC x, VEC low)
{
	VEC r, tail;
	const VEC within = VEC_pick((VEC_words)(x > 710), VEC_of(710), VEC_pick((VEC_words)(x < -746), VEC_of(-746), x));
	const VEC k = VEC_exp_reduced(within, low, &r, &tail), t = 1 + r;
	return VEC_scale(t + (((1 - t) + r) + tail), k);
}

//: exp
INLINE VEC VEC_exp(VEC x)
{
	return VEC_exp_of(x, VEC_of(0));
}

//: exp2
INLINE VEC VEC_exp2(VEC x)
{
	const VEC within = VEC_pick((VEC_words)(x > 1100), VEC_of(1100), VEC_pick((VEC_words)(x < -1100), VEC_of(-1100), x));
	const VEC k = VEC_nearest(within, 1), f = within - k, r = VEC_apart(f * 0x1.62e42fefa39efp-1);
	const VEC low = VEC_fma(f, VEC_of(0x1.abc9e3b39803fp-56), VEC_fma(f, VEC_of(0x1.62e42fefa39efp-1), -r)), t = 1 + r;
	return VEC_scale(t + (((1 - t) + r) + VEC_exp_tail(r, low)), k);
}

//: expm1_reduced
// e^x - 1 = 2^k (result + low), for x from -40 to 710: 2^k (1 - 2^-k + r + r^2/2 + ...).
INLINE VEC VEC_expm1_reduced(VEC x, VEC *k, VEC *low)
{
	static const double c[] = {0x1.5555555555557p-3, 0x1.5555555555556p-5, 0x1.111111111007ep-7, 0x1.6c16c16c1629fp-10, 0x1.a01a01ac1adebp-13,
		0x1.a01a01a6f59a9p-16, 0x1.71de0190b33a1p-19, 0x1.27e4db08819d2p-22, 0x1.af4f375ba602bp-26, 0x1.1f73c205d8d57p-29};
	VEC r, rest;
	*k = VEC_exp_split(x, VEC_of(0), &r, &rest);
	const VEC p = VEC_power(-VEC_pick((VEC_words)(*k > 100), VEC_of(100), *k)), one = 1 - p, s = one + r, sl = ((1 - one) - p) + ((one - s) + r);
	const VEC z = r * r, half = 0.5 * z, t = s + half, tl = ((s - t) + half) + sl;
	const VEC more = VEC_fma(z * r, VEC_poly(r, c, 10), VEC_fma(VEC_fma(r, r, -z), VEC_of(0.5), VEC_fma(rest, r, rest))), l = tl + more, sum = t + l;
	*low = (t - sum) + l;
	return sum;
}

//: expm1
INLINE VEC VEC_expm1(VEC x)
{
	VEC k, low;
	const VEC within = VEC_pick((VEC_words)(x > 710), VEC_of(710), VEC_pick((VEC_words)(x < -40), VEC_of(-40), x));
	const VEC h = VEC_expm1_reduced(within, &k, &low);
	return VEC_signed(VEC_scale(h, k), x);
}

//: tanh
// (e^2x - 1) / (e^2x + 1).
INLINE VEC VEC_tanh(VEC x)
{
	VEC k, l;
	const VEC a = VEC_size(x);
	VEC h = VEC_expm1_reduced(VEC_pick((VEC_words)(a > 20), VEC_of(40), 2 * a), &k, &l);
	h *= VEC_power(k), l *= VEC_power(k);
	const VEC d = h + 2, b = d - h, dl = (h - (d - b)) + (2 - b), q = h / d;
	return VEC_signed(q + (VEC_fma(-q, d, h) + VEC_fma(-q, dl + l, l)) / d, x);
}

//: sinh
INLINE VEC VEC_sinh(VEC x)
{
	static const double c[] = {0x1.5555555555555p-3, 0x1.11111111110fcp-7, 0x1.a01a01a01f271p-13, 0x1.71de3a4dc8729p-19,
		0x1.ae64614c752dep-26, 0x1.611c8b81f9143p-33, 0x1.b4208ec7de2abp-41};
	VEC r, tail;
	const VEC a = VEC_size(x), k = VEC_exp_reduced(VEC_pick((VEC_words)(a > 711), VEC_of(711), a), VEC_of(0), &r, &tail);
	const VEC first = 1 + r, rest = ((1 - first) + r) + tail, t = first + rest, low = (first - t) + rest;
	const VEC w = VEC_power(-2 * VEC_pick((VEC_words)(k > 100), VEC_of(100), k)) / t, h = t - w;
	const VEC large = VEC_scale(h + (((t - h) - w) + low), k - 1), z = a * a;
	return VEC_signed(VEC_pick((VEC_words)(a < 1), VEC_fma(a * z, VEC_poly(z, c, 7), a), large), x);
}

//: cosh
INLINE VEC VEC_cosh(VEC x)
{
	VEC r, tail;
	const VEC a = VEC_size(x), k = VEC_exp_reduced(VEC_pick((VEC_words)(a > 711), VEC_of(711), a), VEC_of(0), &r, &tail);
	const VEC first = 1 + r, rest = ((1 - first) + r) + tail, t = first + rest, low = (first - t) + rest;
	const VEC w = VEC_power(-2 * VEC_pick((VEC_words)(k > 100), VEC_of(100), k)) / t, h = t + w;
	return VEC_scale(h + (((t - h) + w) + low), k - 1);
}

//: log_split
// x = 2^k m, with m between the roots of 1/2 and 2, for x > 0.
INLINE VEC VEC_log_split(VEC x, VEC *m)
{
	typedef uint64_t bits __attribute__((vector_size(sizeof(VEC))));
	const VEC_words tiny = (VEC_words)(x < 0x1p-1022);
	const bits u = (bits)VEC_pick(tiny, x * 0x1p54, x) + (UINT64_C(0x3ff0000000000000) - UINT64_C(0x3fe6a09e667f3bcd));
	*m = (VEC)((u & UINT64_C(0x000fffffffffffff)) + UINT64_C(0x3fe6a09e667f3bcd));
	return (VEC)((u >> 52) | UINT64_C(0x4330000000000000)) - VEC_pick(tiny, VEC_of(0x1p52 + 1023 + 54), VEC_of(0x1p52 + 1023));
}

//: log_ends
// The logarithm y of x, also where x has none.
INLINE VEC VEC_log_ends(VEC x, VEC y)
{
	const VEC other = VEC_pick((VEC_words)(x == 0), VEC_of(-__builtin_inf()), VEC_pick((VEC_words)(x < 0), VEC_of(__builtin_nan("")), x));
	return VEC_pick((VEC_words)(x > 0) & (VEC_words)(x < __builtin_inf()), y, other);
}

//: log_sum
// k log 2 + log(1 + f + low), with f = m - 1, in terms of f / (2 + f) (FreeBSD, e_log.c).
INLINE VEC VEC_log_sum(VEC k, VEC f, VEC low)
{
	static const double c[] = {0x1.5555555555558p-1, 0x1.9999999994e76p-2, 0x1.2492492e6dfddp-2, 0x1.c71c6247410e3p-3,
		0x1.7462e17b4cdd0p-3, 0x1.39f8963ccbdc2p-3, 0x1.2b9f7fb3de73fp-3};
	const VEC s = f / (2 + f), z = s * s, half = 0.5 * f;
	const VEC a = k * 0x1.62e42fefa3800p-1, h = a + f, l = (a - h) + f; // a is exact
	const VEC rest = VEC_fma(s, VEC_fma(z, VEC_poly(z, c, 7), half * f), VEC_fma(k, VEC_of(0x1.ef35793c76730p-45), low));
	return h + (l - VEC_fma(half, f, -rest));
}

//: log
INLINE VEC VEC_log(VEC x)
{
	VEC m;
	const VEC k = VEC_log_split(x, &m);
	return VEC_log_ends(x, VEC_log_sum(k, m - 1, VEC_of(0)));
}

//: log1p_of
// log(1 + x + low).
INLINE VEC VEC_log1p_of(VEC x, VEC low)
{
	VEC m;
	const VEC u = 1 + x, b = u - x, c = ((1 - b) + (x - (u - b))) + low, k = VEC_log_split(u, &m);
	const VEC lost = c * VEC_power(-VEC_pick((VEC_words)(k > 100), VEC_of(100), k)), f = (m - 1) + lost;
	return VEC_log_ends(u, VEC_log_sum(k, f, ((m - 1) - f) + lost));
}

//: log1p
INLINE VEC VEC_log1p(VEC x)
{
	return VEC_pick((VEC_words)(VEC_size(x) < 0x1p-54), x, VEC_log1p_of(x, VEC_of(0)));
}

//: log_parts
// log m as a sum of two, for m between the roots of 1/2 and 2: 2 s (1 + s^2/3 + s^4/5 + ...), s = (m - 1) / (m + 1).
INLINE VEC VEC_log_parts(VEC m, VEC *low)
{
	static const double c[] = {0x1.999999999999ap-3, 0x1.249249249252cp-3, 0x1.c71c71c6e78a1p-4, 0x1.745d177d4ef6cp-4,
		0x1.3b1394b0a7753p-4, 0x1.11190514d902bp-4, 0x1.df700c050c69dp-5, 0x1.e0b2fadc317e7p-5};
	const VEC f = m - 1, d = m + 1, dl = m - (d - 1), inverse = 1 / d;
	const VEC s = f * inverse, sl = VEC_fma(-s, dl, VEC_fma(-s, d, f)) * inverse;
	const VEC z = s * s, zl = VEC_fma(2 * s, sl, VEC_fma(s, s, -z));
	const VEC a = VEC_apart(z * 0x1.5555555555555p-2), b = VEC_apart(z * z * VEC_poly(z, c, 8)), t = a + b;
	const VEC al = VEC_fma(z, VEC_of(0x1.5555555555555p-56), VEC_fma(z, VEC_of(0x1.5555555555555p-2), -a));
	const VEC tl = VEC_fma(zl, VEC_of(0x1.5555555555555p-2), al) + ((a - t) + b);
	const VEC u = VEC_apart(2 * s * t), ul = VEC_fma(2 * s, tl, VEC_fma(2 * s, t, -u));
	const VEC h = 2 * s + u, l = ((2 * s - h) + u) + VEC_fma(2 * sl, t, VEC_fma(VEC_of(2), sl, ul));
	const VEC sum = h + l;
	*low = (h - sum) + l;
	return sum;
}

//: log_both
// log x as a sum of two, for x > 0.
INLINE VEC VEC_log_both(VEC x, VEC *low)
{
	VEC m, l;
	const VEC k = VEC_log_split(x, &m), h = VEC_log_parts(m, &l), a = k * 0x1.62e42fefa3800p-1, s = a + h;
	*low = VEC_fma(k, VEC_of(0x1.ef35793c76730p-45), l) + ((a - s) + h);
	return s;
}

//: log2
INLINE VEC VEC_log2(VEC x)
{
	VEC m, l;
	const VEC k = VEC_log_split(x, &m), h = VEC_log_parts(m, &l), p = VEC_apart(h * 0x1.71547652b82fep+0), s = k + p;
	const VEC e = VEC_fma(h, VEC_of(0x1.777d0ffda0d24p-56), VEC_fma(h, VEC_of(0x1.71547652b82fep+0), -p));
	return VEC_log_ends(x, s + (((k - s) + p) + VEC_fma(l, VEC_of(0x1.71547652b82fep+0), e)));
}

//: log10
INLINE VEC VEC_log10(VEC x)
{
	VEC m, l;
	const VEC k = VEC_log_split(x, &m), h = VEC_log_parts(m, &l), p = VEC_apart(h * 0x1.bcb7b1526e50ep-2), a = k * 0x1.34413509f8000p-2, s = a + p;
	const VEC e = VEC_fma(h, VEC_of(0x1.95355baaafad3p-57), VEC_fma(h, VEC_of(0x1.bcb7b1526e50ep-2), -p));
	const VEC low = VEC_fma(l, VEC_of(0x1.bcb7b1526e50ep-2), VEC_fma(k, VEC_of(-0x1.80433b83b532ap-44), e));
	return VEC_log_ends(x, s + (((a - s) + p) + low));
}

//: pow_ends
// x^y = r, also where that is not e^(y log x).
INLINE VEC VEC_pow_ends(VEC x, VEC y, VEC r)
{
	const VEC a = VEC_size(x), b = VEC_size(y), half = 0.5 * b;
	const VEC_words inf = (VEC_words)(a == __builtin_inf()), end = inf | (VEC_words)(a == 0);
	r = VEC_pick(end, VEC_pick(inf ^ (VEC_words)(y < 0), VEC_of(__builtin_inf()), VEC_of(0)), r);
	const VEC_words whole = (VEC_words)(b >= 0x1p52) | (VEC_words)((b + 0x1p52) - 0x1p52 == b);
	const VEC_words even = (VEC_words)(b >= 0x1p53) | (VEC_words)((half + 0x1p52) - 0x1p52 == half);
	r = (VEC)((VEC_words)r | ((VEC_words)x & INT64_MIN & whole & ~even));
	r = VEC_pick((VEC_words)(x < 0) & ~end & ~whole, VEC_of(__builtin_nan("")), r);
	r = VEC_pick((VEC_words)(x == -1) & (VEC_words)(b == __builtin_inf()), VEC_of(1), r);
	r = VEC_pick((VEC_words)(x != x) | (VEC_words)(y != y), x + y, r);
	return VEC_pick((VEC_words)(y == 0) | (VEC_words)(x == 1), VEC_of(1), r);
}

//: pow
// e^(y log x), with log x as a sum of two.
INLINE VEC VEC_pow(VEC x, VEC y)
{
	VEC l;
	const VEC h = VEC_log_both(VEC_size(x), &l), p = y * h, pl = VEC_fma(y, l, VEC_fma(y, h, -p));
	const VEC r = VEC_exp_of(p, VEC_pick((VEC_words)(VEC_size(p) < 800), pl, VEC_of(0)));
	const VEC_words ends = ~((VEC_words)(x > 0) & (VEC_words)(x < __builtin_inf()) & (VEC_words)(VEC_size(y) < __builtin_inf()));
	return VEC_some(ends) ? VEC_pow_ends(x, y, r) : r;
}

//: square
// x^2.
INLINE VEC VEC_square(VEC x)
{
	return VEC_apart(x * x);
}

//: sqrt
INLINE VEC VEC_sqrt(VEC x)
{
	VEC r;
	for (int l = 0; l < (int)(sizeof x / 8); l++)
		r[l] = __builtin_sqrt(x[l]);
	return r;
}

//: root
// x^(1/2): infinity for -infinity, and 0 for -0, unlike the square root.
INLINE VEC VEC_root(VEC x)
{
	return VEC_pick((VEC_words)(x == -__builtin_inf()), -x, VEC_sqrt(x + 0));
}

//: inverse_root
// x^(-1/2).
INLINE VEC VEC_inverse_root(VEC x)
{
	const VEC s = VEC_root(x), r = 1 / s;
	const VEC lost = VEC_fma(0.5 * r * r, VEC_fma(s, s, -x), VEC_fma(-r, s, VEC_of(1))); // of r, and of s
	return VEC_pick((VEC_words)(x > 0x1p-900) & (VEC_words)(x < __builtin_inf()), VEC_fma(r, lost, r), r);
}

//: angle_reduced
// x = q pi/2 + r + low, with r between -pi/4 and pi/4: pi/2 is subtracted in three parts; from 2^27 on element by element.
INLINE VEC VEC_angle_reduced(VEC x, VEC *low, VEC_words *q)
{
	const VEC turns = VEC_fma(x, VEC_of(0x1.45f306dc9c883p-1), VEC_of(0x1.8p52)), k = turns - 0x1.8p52;
	const VEC h = VEC_fma(k, VEC_of(-0x1.921fb54442d18p+0), x); // exact
	const VEC w = VEC_apart(k * 0x1.1a62633145c07p-54), wl = VEC_fma(k, VEC_of(0x1.1a62633145c07p-54), -w);
	const VEC s = h - w, b = h - s, l = VEC_fma(k, VEC_of(0x1.f1976b7ed8fbcp-110), ((h - (s + b)) + (b - w)) - wl);
	VEC r = s + l;
	*low = (s - r) + l;
	*q = (VEC_words)turns;
	const VEC_words large = ~(VEC_words)(VEC_size(x) < 0x1p27);
	if (VEC_some(large))
		for (int i = 0; i < (int)(sizeof x / 8); i++)
			if (large[i]) {
				double rest;
				int64_t quarters;
				r[i] = op2_angle_reduced(x[i], &rest, &quarters);
				(*low)[i] = rest, (*q)[i] = quarters;
			}
	return r;
}

//: sin_tail
// sin(r+low) - r, for r between -pi/4 and pi/4.
INLINE VEC VEC_sin_tail(VEC r, VEC low)
{
	static const double c[] = {-0x1.5555555555555p-3, 0x1.1111111110ba5p-7, -0x1.a01a019e80693p-13, 0x1.71de379252004p-19,
		-0x1.ae60069e53ef1p-26, 0x1.5e098556d302ep-33};
	const VEC z = r * r;
	return VEC_fma(z * r, VEC_poly(z, c, 6), VEC_fma(low, -0.5 * z, low));
}

//: cos_tail
// cos(r+low) - one, for r between -pi/4 and pi/4 and one = 1 - r^2/2, rounded.
INLINE VEC VEC_cos_tail(VEC r, VEC low, VEC *one)
{
	static const double c[] = {0x1.5555555555555p-5, -0x1.6c16c16c16960p-10, 0x1.a01a019f4d0edp-16, -0x1.27e4fa15bd814p-22,
		0x1.1eeb66b683028p-29, -0x1.907c0e63adbb6p-37};
	const VEC z = r * r, half = 0.5 * z;
	*one = 1 - half;
	const VEC lost = ((1 - *one) - half) - VEC_fma(r, low, 0.5 * VEC_fma(r, r, -z));
	return VEC_fma(z * z, VEC_poly(z, c, 6), lost);
}

//: quarter
// sin of x + q pi/2.
INLINE VEC VEC_quarter(VEC x, int64_t quarters)
{
	VEC low, one;
	VEC_words q;
	const VEC r = VEC_angle_reduced(x, &low, &q), s = r + VEC_sin_tail(r, low), tail = VEC_cos_tail(r, low, &one), c = one + tail;
	q += quarters;
	return (VEC)((VEC_words)VEC_pick(-(q & 1), c, s) ^ ((q & 2) << 62));
}

//: sin
INLINE VEC VEC_sin(VEC x)
{
	return VEC_pick((VEC_words)(VEC_size(x) < 0x1p-27), x, VEC_quarter(x, 0));
}

//: cos
INLINE VEC VEC_cos(VEC x)
{
	return VEC_quarter(x, 1);
}

//: tan
// The sine over the cosine, both as sums of two.
INLINE VEC VEC_tan(VEC x)
{
	VEC low, one;
	VEC_words q;
	const VEC r = VEC_angle_reduced(x, &low, &q), st = VEC_sin_tail(r, low), ct = VEC_cos_tail(r, low, &one);
	const VEC s = r + st, sl = (r - s) + st, c = one + ct, cl = (one - c) + ct;
	const VEC_words odd = -(q & 1);
	const VEC n = VEC_pick(odd, -c, s), nl = VEC_pick(odd, -cl, sl), d = VEC_pick(odd, s, c), dl = VEC_pick(odd, sl, cl), t = n / d;
	const VEC y = t + (VEC_fma(-t, d, n) + VEC_fma(-t, dl, nl)) / d;
	return VEC_pick((VEC_words)(VEC_size(x) < 0x1p-27), x, y);
}

//: atan_of
// The angle of the vector (x, y), both positive, as a sum of two: atan c + atan t for one of c = 0, 1/2, 1, 3/2 or
// infinity, with t = (y - c x) / (x + c y) between -7/16 and 7/16 (FreeBSD, s_atan.c).
INLINE VEC VEC_atan_of(VEC y, VEC x, VEC *low)
{
	static const double p[] = {-0x1.5555555555554p-2, 0x1.999999999883ap-3, -0x1.24924923aec39p-3, 0x1.c71c713562334p-4, -0x1.745cff3f33e2cp-4,
		0x1.3b115eae24108p-4, -0x1.10ecfa0fc7230p-4, 0x1.df095242d93dep-5, -0x1.9c566526c99f1p-5, 0x1.35c0ac6fb5058p-5, -0x1.1f3fc77b05525p-6};
	VEC c = VEC_of(0), base = VEC_of(0), l = VEC_of(0);
	VEC_words m = (VEC_words)(y >= 0.4375 * x);
	c = VEC_pick(m, VEC_of(0.5), c), base = VEC_pick(m, VEC_of(0x1.dac670561bb4fp-2), base), l = VEC_pick(m, VEC_of(0x1.a2b7f222f65e2p-56), l);
	m = (VEC_words)(y >= 0.6875 * x);
	c = VEC_pick(m, VEC_of(1), c), base = VEC_pick(m, VEC_of(0x1.921fb54442d18p-1), base), l = VEC_pick(m, VEC_of(0x1.1a62633145c07p-55), l);
	m = (VEC_words)(y >= 1.1875 * x);
	c = VEC_pick(m, VEC_of(1.5), c), base = VEC_pick(m, VEC_of(0x1.f730bd281f69bp-1), base), l = VEC_pick(m, VEC_of(0x1.007887af0cbbdp-56), l);
	m = (VEC_words)(y >= 2.4375 * x);
	base = VEC_pick(m, VEC_of(0x1.921fb54442d18p+0), base), l = VEC_pick(m, VEC_of(0x1.1a62633145c07p-54), l);
	const VEC cx = VEC_apart(c * x), cxl = VEC_fma(c, x, -cx), a = y - cx, al = ((y - a) - cx) - cxl, b = VEC_fma(c, y, x), bl = VEC_fma(c, y, x - b);
	const VEC n = VEC_pick(m, -x, a), nl = VEC_pick(m, VEC_of(0), al), d = VEC_pick(m, y, b), dl = VEC_pick(m, VEC_of(0), bl), t = n / d;
	const VEC tl = VEC_pick((VEC_words)(VEC_size(n) < 0x1p-900), VEC_of(0), (VEC_fma(-t, d, n) + VEC_fma(-t, dl, nl)) / d);
	const VEC z = t * t, s = base + t, rest = ((base - s) + t) + VEC_fma(t * z, VEC_poly(z, p, 11), l + tl), sum = s + rest;
	*low = (s - sum) + rest;
	return sum;
}

//: atan
INLINE VEC VEC_atan(VEC x)
{
	VEC low;
	const VEC a = VEC_size(x);
	return VEC_signed(VEC_atan_of(VEC_pick((VEC_words)(a > 0x1p60), VEC_of(0x1p60), a), VEC_of(1), &low), x);
}

//: atan2
INLINE VEC VEC_atan2(VEC y, VEC x)
{
	const VEC ay = VEC_size(y), ax = VEC_size(x), most = VEC_pick((VEC_words)(ay > ax), ay, ax);
	const VEC by = VEC_pick((VEC_words)(most > 0x1p1000), VEC_of(0x1p-4), VEC_pick((VEC_words)(most < 0x1p-500), VEC_of(0x1p600), VEC_of(1)));
	const VEC_words inf = (VEC_words)(most == __builtin_inf()), none = (VEC_words)(most == 0);
	const VEC one = VEC_of(1), zero = VEC_of(0);
	const VEC v = VEC_pick(inf, VEC_pick((VEC_words)(ay == __builtin_inf()), one, zero), ay * by);
	const VEC u = VEC_pick(none, one, VEC_pick(inf, VEC_pick((VEC_words)(ax == __builtin_inf()), one, zero), ax * by));
	VEC low;
	VEC angle = VEC_atan_of(v, u, &low);
	const VEC s = 0x1.921fb54442d18p+1 - angle, l = ((0x1.921fb54442d18p+1 - s) - angle) + (0x1.1a62633145c07p-53 - low);
	angle = VEC_pick((VEC_words)((VEC_words)x < 0), s + l, angle);
	return VEC_pick((VEC_words)(x != x) | (VEC_words)(y != y), x + y, VEC_signed(angle, y));
}

//: cbrt
INLINE VEC VEC_cbrt(VEC x)
{
	static const double c[] = {0x1.d92511e92735dp-2, 0x1.a6540a5b0bfaap-1, -0x1.89c53084b1119p-2, 0x1.c9538a50a8996p-4, -0x1.a9be3576ee5f7p-7};
	VEC m;
	const VEC k = VEC_log_split(VEC_size(x), &m), third = VEC_nearest(k, 0x1.5555555555555p-2), a = m * VEC_power(VEC_fma(third, VEC_of(-3), k));
	VEC y = VEC_poly(a, c, 5);
	for (int i = 0; i < 2; i++) { // E. Halley's method
		const VEC cube = y * y * y;
		y = y * (VEC_fma(VEC_of(2), a, cube) / VEC_fma(VEC_of(2), cube, a));
	}
	const VEC square = y * y, over = VEC_fma(VEC_fma(y, y, -square), y, VEC_fma(square, y, -a));
	const VEC r = VEC_signed((y - over / (3 * square)) * VEC_power(third), x);
	return VEC_pick((VEC_words)(x == 0) | ~(VEC_words)(VEC_size(x) < __builtin_inf()), x, r);
}
