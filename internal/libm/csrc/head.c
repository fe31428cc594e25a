// Mathematical functions, and functions of memory, for programs without a C library: no writable data, no errno, no
// flags of exceptions. For x86-64 with FMA (x86-64-v3) and arm64, with -ffreestanding -fno-math-errno -fno-trapping-math.
// Products and sums are rounded apart, except where they are written as one.

#if !defined(__FMA__) && !defined(__aarch64__)
#error "needs instructions for fused multiplication and addition"
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

