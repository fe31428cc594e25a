#ifndef _STDIO_H
#define _STDIO_H

#include <stddef.h>

int printf(const char *restrict, ...);
int puts(const char *);
int putchar(int);

#endif
