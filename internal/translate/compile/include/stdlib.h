// The part of <stdlib.h> that compilers expand, and what their own headers mention.
#ifndef OP2_STDLIB_H
#define OP2_STDLIB_H

#include <stddef.h>

int abs(int);
long labs(long);
long long llabs(long long);
void *malloc(size_t);
void free(void *);
int posix_memalign(void **, size_t, size_t);

#endif
