// x = q pi/2 + the result + low, for x from 2^27 on: 2/pi has enough bits for the fraction of x 2/pi (M. Payne and R. Hanek,
// "Radian reduction for trigonometric functions", 1983). NaN for infinities.
static __attribute__((noinline)) double op2_angle_reduced(double x, double *low, int64_t *q)
{
	static const uint64_t bits[] = { // of 2/pi
		0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
		0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
		0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};
	uint64_t u;
	__builtin_memcpy(&u, &x, 8);
	const int exponent = (int)(u >> 52 & 0x7ff) - 1075; // x = m 2^exponent
	*low = 0, *q = 0;
	if (exponent == 2047 - 1075)
		return x - x;
	const uint64_t m = (u & 0x000fffffffffffff) | 0x0010000000000000;
	const int first = exponent + 62, word = first / 64, shift = first % 64; // bits before count multiples of 4
	uint64_t part[3];
	for (int i = 0; i < 3; i++)
		part[i] = shift == 0 ? bits[word + i] : bits[word + i] << shift | bits[word + i + 1] >> (64 - shift);
	// m times these bits, of which the highest are whole turns
	const unsigned __int128 middle = (unsigned __int128)m * part[1] + (uint64_t)((unsigned __int128)m * part[2] >> 64);
	const uint64_t top = m * part[0] + (uint64_t)(middle >> 64);
	const unsigned __int128 turn = (unsigned __int128)top << 64 | (uint64_t)middle; // in 2^-128
	const int64_t quarter = (int64_t)(uint64_t)(turn >> 126) + (int64_t)((uint64_t)(turn >> 125) & 1);
	unsigned __int128 rest = turn << 2 >> 2; // a fraction, signed after rounding
	const bool below = (uint64_t)(turn >> 125) & 1;
	if (below)
		rest = ((unsigned __int128)1 << 126) - rest;
	if (rest == 0)
		return 0;
	const uint64_t upper = (uint64_t)(rest >> 64);
	const int zeros = upper > 0 ? __builtin_clzll(upper) : 64 + __builtin_clzll((uint64_t)rest);
	rest <<= zeros;
	const uint64_t unit = (uint64_t)(1023 + 75 - 126 - zeros) << 52;
	double scale;
	__builtin_memcpy(&scale, &unit, 8);
	if (below != (u >> 63))
		scale = -scale;
	const double f = (double)(int64_t)(rest >> 75) * scale, fl = (double)(int64_t)(rest >> 22 & 0x1fffffffffffff) * 0x1p-53 * scale;
	const double p = f * 0x1.921fb54442d18p+0;
	const double pl = __builtin_fma(f, 0x1.1a62633145c07p-54, __builtin_fma(fl, 0x1.921fb54442d18p+0, __builtin_fma(f, 0x1.921fb54442d18p+0, -p)));
	const double r = p + pl;
	*low = (p - r) + pl;
	*q = u >> 63 ? -quarter : quarter;
	return r;
}
