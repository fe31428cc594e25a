// <setjmp.h> for arm64: clang has __builtin_setjmp for other processors alone. What a function must keep is kept, but for
// x28, which is Go's and never changes.
#ifndef OP2_SETJMP_H
#define OP2_SETJMP_H

#ifdef __aarch64__
typedef unsigned long jmp_buf[20];

__attribute__((naked, noinline, returns_twice)) static int op2_setjmp(unsigned long *to)
{
	__asm__("stp x19, x20, [x0]\n"
		"stp x21, x22, [x0, #16]\n"
		"stp x23, x24, [x0, #32]\n"
		"stp x25, x26, [x0, #48]\n"
		"stp x27, x29, [x0, #64]\n"
		"mov x1, sp\n"
		"stp x30, x1, [x0, #80]\n"
		"stp d8, d9, [x0, #96]\n"
		"stp d10, d11, [x0, #112]\n"
		"stp d12, d13, [x0, #128]\n"
		"stp d14, d15, [x0, #144]\n"
		"mov w0, #0\n"
		"ret");
}

__attribute__((naked, noinline, noreturn)) static void op2_longjmp(unsigned long *from, int value)
{
	__asm__("ldp x19, x20, [x0]\n"
		"ldp x21, x22, [x0, #16]\n"
		"ldp x23, x24, [x0, #32]\n"
		"ldp x25, x26, [x0, #48]\n"
		"ldp x27, x29, [x0, #64]\n"
		"ldp x30, x2, [x0, #80]\n"
		"mov sp, x2\n"
		"ldp d8, d9, [x0, #96]\n"
		"ldp d10, d11, [x0, #112]\n"
		"ldp d12, d13, [x0, #128]\n"
		"ldp d14, d15, [x0, #144]\n"
		"mov w0, w1\n"
		"ret");
}

#define setjmp(place) op2_setjmp(place)
#define longjmp(place, value) op2_longjmp(place, value)
#endif

#endif
