#ifndef _ASSERT_H
#define _ASSERT_H

#ifdef NDEBUG
#define assert(x) ((void)0)
#else
void __assert_fail(void);
#define assert(x) ((x) ? (void)0 : __assert_fail())
#endif

#endif
