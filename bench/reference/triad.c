/* The STREAM triad (McCalpin 1995): the memory bandwidth that loops are held
 * against. args: the number of values, then the arrays a, b and c. */
#include <stdint.h>

__attribute__((visibility("default"))) void triad(void **args)
{
	const int64_t n = *(const int64_t *)args[0];
	double *restrict a = args[1];
	const double *restrict b = args[2], *restrict c = args[3];
	for (int64_t i = 0; i < n; i++)
		a[i] = b[i] + 3.0 * c[i];
}
