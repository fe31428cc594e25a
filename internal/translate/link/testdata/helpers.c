#include <stddef.h>

static const double table[3] = {2.5, 0.125, 4};

double scaled(double x)
{
	for (int i = 0; i < 3; i++)
		x = x * table[i] + i;
	return x;
}

void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}
