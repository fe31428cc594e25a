package codegen

import (
	"cmp"
	"strings"
)

// undefinedInPoCL are the functions of <math.h> whose built-in is undefined for some constants in PoCL 3.1, where it
// converts them to integers: most of them for NaN. Its compiler then takes any value, or drops branches of the kernel.
const undefinedInPoCL = `rint rintf remainder remainderf powf atan2f
	ceil ceilf floor floorf round roundf trunc truncf exp expf exp2 exp2f expm1 expm1f sinhf tanhf`

// ownText returns a form of a function of <math.h> that is defined for all values.
func ownText(name string) string {
	base, float := strings.CutSuffix(name, "f")
	text := strings.ReplaceAll(cmp.Or(ownTexts[base], unlessNaN), "NAME", base)
	if !float {
		return text
	}
	return strings.NewReplacer("double", "float", "op2_"+base, "op2_"+name, "0x1p52", "0x1p23f", "0x1p1023", "0x1p127f").Replace(text)
}

const unlessNaN = `FUNCTION double op2_NAME(double x)
{
	return x != x ? x : NAME(x);
}`

var ownTexts = map[string]string{
	// From 2^52 on all numbers are whole.
	"rint": `FUNCTION double op2_rint(double x)
{
	return fabs(x) < 0x1p52 ? copysign(fabs(x) + 0x1p52 - 0x1p52, x) : x;
}`,
	// Subtract from x the multiple of y that leaves the least: the multiples of 2 y first.
	"remainder": `FUNCTION double op2_remainder(double x, double y)
{
	const double d = fabs(y);
	if (!(fabs(x) < INFINITY) || !(d > 0))
		return NAN;
	double r = d < 0x1p1023 ? fmod(fabs(x), 2 * d) : fabs(x);
	if (r > d - r) {
		r -= d;
		if (r >= d - r)
			r -= d;
	}
	return signbit(x) ? -r : r;
}`,
	"pow": `FUNCTION double op2_pow(double x, double y)
{
	return x != x && y != y ? x : pow(x, y);
}`,
	"atan2": `FUNCTION double op2_atan2(double y, double x)
{
	const double angle = signbit(x) ? 3.14159265358979323846 : 0;
	return x == 0 && y == 0 ? copysign(angle, y) : atan2(y, x);
}`,
}
