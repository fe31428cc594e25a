// The part of <math.h> that needs no library of C's: the functions are defined by another object, or instructions.
#ifndef OP2_MATH_H
#define OP2_MATH_H

#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define OP2_ONE(f) double f(double); float f##f(float);
#define OP2_TWO(f) double f(double, double); float f##f(float, float);
OP2_ONE(acos) OP2_ONE(acosh) OP2_ONE(asin) OP2_ONE(asinh) OP2_ONE(atan) OP2_ONE(atanh) OP2_ONE(cbrt) OP2_ONE(ceil)
OP2_ONE(cos) OP2_ONE(cosh) OP2_ONE(erf) OP2_ONE(erfc) OP2_ONE(exp) OP2_ONE(exp2) OP2_ONE(expm1) OP2_ONE(fabs)
OP2_ONE(floor) OP2_ONE(lgamma) OP2_ONE(log) OP2_ONE(log10) OP2_ONE(log1p) OP2_ONE(log2) OP2_ONE(logb)
OP2_ONE(nearbyint) OP2_ONE(rint) OP2_ONE(round) OP2_ONE(sin) OP2_ONE(sinh) OP2_ONE(sqrt) OP2_ONE(tan) OP2_ONE(tanh)
OP2_ONE(tgamma) OP2_ONE(trunc)
OP2_TWO(atan2) OP2_TWO(copysign) OP2_TWO(fdim) OP2_TWO(fmax) OP2_TWO(fmin) OP2_TWO(fmod) OP2_TWO(hypot)
OP2_TWO(nextafter) OP2_TWO(pow) OP2_TWO(remainder)
#undef OP2_ONE
#undef OP2_TWO

double fma(double, double, double), frexp(double, int *), ldexp(double, int), modf(double, double *), nan(const char *);
float fmaf(float, float, float), frexpf(float, int *), ldexpf(float, int), modff(float, float *), nanf(const char *);
double scalbn(double, int), scalbln(double, long), remquo(double, double, int *);
float scalbnf(float, int), scalblnf(float, long), remquof(float, float, int *);
int ilogb(double), ilogbf(float);
long lrint(double), lrintf(float), lround(double), lroundf(float);
long long llrint(double), llrintf(float), llround(double), llroundf(float);

#endif
