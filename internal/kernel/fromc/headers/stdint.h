#ifndef _STDINT_H
#define _STDINT_H

typedef signed __INT8_BASE__ int8_t;
typedef unsigned __INT8_BASE__ uint8_t;
typedef signed __INT8_BASE__ int_least8_t;
typedef unsigned __INT8_BASE__ uint_least8_t;
typedef signed __INT8_BASE__ int_fast8_t;
typedef unsigned __INT8_BASE__ uint_fast8_t;
typedef signed __INT16_BASE__ int16_t;
typedef unsigned __INT16_BASE__ uint16_t;
typedef signed __INT16_BASE__ int_least16_t;
typedef unsigned __INT16_BASE__ uint_least16_t;
typedef signed __INT16_BASE__ int_fast16_t;
typedef unsigned __INT16_BASE__ uint_fast16_t;
typedef signed __INT32_BASE__ int32_t;
typedef unsigned __INT32_BASE__ uint32_t;
typedef signed __INT32_BASE__ int_least32_t;
typedef unsigned __INT32_BASE__ uint_least32_t;
typedef signed __INT32_BASE__ int_fast32_t;
typedef unsigned __INT32_BASE__ uint_fast32_t;
typedef signed __INT64_BASE__ int64_t;
typedef unsigned __INT64_BASE__ uint64_t;
typedef signed __INT64_BASE__ int_least64_t;
typedef unsigned __INT64_BASE__ uint_least64_t;
typedef signed __INT64_BASE__ int_fast64_t;
typedef unsigned __INT64_BASE__ uint_fast64_t;
typedef signed __INT64_BASE__ intmax_t;
typedef unsigned __INT64_BASE__ uintmax_t;
typedef signed __INT64_BASE__ intptr_t;
typedef unsigned __INT64_BASE__ uintptr_t;

#define INT8_MAX 127
#define INT8_MIN (-127 - 1)
#define UINT8_MAX 255
#define INT_LEAST8_MAX 127
#define INT_LEAST8_MIN (-127 - 1)
#define UINT_LEAST8_MAX 255
#define INT_FAST8_MAX 127
#define INT_FAST8_MIN (-127 - 1)
#define UINT_FAST8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32767 - 1)
#define UINT16_MAX 65535
#define INT_LEAST16_MAX 32767
#define INT_LEAST16_MIN (-32767 - 1)
#define UINT_LEAST16_MAX 65535
#define INT_FAST16_MAX 32767
#define INT_FAST16_MIN (-32767 - 1)
#define UINT_FAST16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295U
#define INT_LEAST32_MAX 2147483647
#define INT_LEAST32_MIN (-2147483647 - 1)
#define UINT_LEAST32_MAX 4294967295U
#define INT_FAST32_MAX 2147483647
#define INT_FAST32_MIN (-2147483647 - 1)
#define UINT_FAST32_MAX 4294967295U
#define INT64_MAX 9223372036854775807LL
#define INT64_MIN (-9223372036854775807LL - 1)
#define UINT64_MAX 18446744073709551615ULL
#define INT_LEAST64_MAX 9223372036854775807LL
#define INT_LEAST64_MIN (-9223372036854775807LL - 1)
#define UINT_LEAST64_MAX 18446744073709551615ULL
#define INT_FAST64_MAX 9223372036854775807LL
#define INT_FAST64_MIN (-9223372036854775807LL - 1)
#define UINT_FAST64_MAX 18446744073709551615ULL
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#define INTPTR_MAX INT64_MAX
#define INTPTR_MIN INT64_MIN
#define UINTPTR_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define SIZE_MAX UINT64_MAX

#define INT8_C(c) c
#define UINT8_C(c) c
#define INT16_C(c) c
#define UINT16_C(c) c
#define INT32_C(c) c
#define UINT32_C(c) c##U
#define INT64_C(c) c##LL
#define UINT64_C(c) c##ULL
#define INTMAX_C(c) c##LL
#define UINTMAX_C(c) c##ULL

#endif
