// The part of <string.h> that compilers need; another object defines it.
#ifndef OP2_STRING_H
#define OP2_STRING_H

#include <stddef.h>

int memcmp(const void *, const void *, size_t);
void *memcpy(void *restrict, const void *restrict, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);

#endif
