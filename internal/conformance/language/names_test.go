package language_test

import "math"

// Names that mean something in C, and such as C cannot spell.

type register struct {
	double, int_ float64
	union        [2]int64
}

type struct_ struct{ typedef, volatile int64 }

func static(restrict, signed int64) int64 { return restrict - signed }

func y0(x float64) float64 { return x + 1 }

func sqrt(x float64) float64 { return x * 2 }

func index(s int64) int64 { return s ^ 5 }

func memcpy(to, from *int64) { *to = *from }

func main_(argc int64) (argv, errno int64) { return argc, -argc }

func op2_index(i int64) int64 { return i + 3 }

func fault(strlen float64) float64 { return strlen * 3 }

func isless(x, y float64) bool { return x < y }

func strlen(s int64) int64 { return s + 7 }

func loop_reserved(n int64) int64 { return n - 1 }

func größe(β float64) float64 { return β * β }

func reserved(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	double, float, long, auto := x[0], x[1], a[0], a[1]
	NULL, I, linux, unix := int64(1), int64(2), int64(3), int64(4)
	void, extern, short, unsigned := uint8(a[2]), int16(a[2]), int32(a[2]), uint32(a[2])
	y[0] = double + float
	r[0] = long + auto + NULL + I + linux + unix
	r[1] = int64(void) + int64(extern) + int64(short) + int64(unsigned)
	do := register{double: double, int_: float, union: [2]int64{long, auto}}
	y[1] = do.double*2 + do.int_
	r[2] = do.union[0] - do.union[1]
	while := struct_{typedef: 1, volatile: long}
	r[3] = while.typedef + while.volatile
	r[4] = static(long, auto) + index(long) + op2_index(auto)
	y[2] = y0(double) + sqrt(float) + math.Sqrt(4)
	sqrt := 3.0
	y[3] = sqrt + math.Sqrt(9)
	y0, y1, j0 := double, float, 1.0
	y[4] = y0 + y1*j0
	memcpy(&r[5], &a[3])
	r[6], r[7] = main_(a[0])
	π, Δt, größe2, _x, x_, x__ := math.Pi, x[0], größe(x[1]), x[2], x[3], 1.0
	y[5] = π*Δt + größe2 + _x + x_ + x__
	size_t, int64_t, bool_, NAN, INFINITY, M_PI := a[0], a[1], a[2], a[3], 5.0, 3.0
	r[8] = size_t + int64_t + bool_ + NAN
	y[6] = INFINITY + M_PI
	class, this, template, namespace := 1.0, 2.0, 3.0, 4.0
	y[7] = class + this + template + namespace
	n, first, last, args, row0, map0, d := a[0], a[1], a[2], a[3], a[4], a[5], int64(1)
	r[9] = n + first + last + args + row0 + map0 + d
	y[15] = fault(x[0])
	y[14] = float64(strlen(a[0]) + loop_reserved(a[1]))
	if isless(x[0], x[1]) {
		y[14]++
	}
	fault, fault_exit, errno := a[0], a[1], [2]int64{3, 4}
	r[10] = fault + fault_exit + errno[a[0]&1]
	for for_ := range 3 {
		if_, else_ := for_, for_+1
		r[11] += int64(if_ * else_)
	}
	result0, unused, angle, tag, value := a[0], a[1], 1.5, a[2], a[3]
	switch tag {
	case value, unused:
		r[12] = result0
	}
	s, c := math.Sincos(angle)
	y[8] = math.Round(s + c)
	uint8_t, true_, asm, inline, typeof, alignas := 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
	y[9] = uint8_t + true_ + asm + inline + typeof + alignas
	thread_local, constexpr, nullptr, noreturn, complex, imaginary := 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
	y[10] = thread_local + constexpr + nullptr + noreturn + complex + imaginary
	isnan, fabs, signbit, fmin := 1.0, 2.0, 3.0, 4.0
	y[11] = isnan + fabs + signbit + fmin + math.Abs(x[0]) + math.Max(x[1], 2) + min(x[0], x[1])
	if math.IsNaN(x[0]) {
		y[12] = 1
	}
	stdin, stdout, EOF, assert, offsetof, va_list := 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
	y[13] = stdin + stdout + EOF + assert + offsetof + va_list
	INT64_MIN, UINT64_C, INT_MAX, DBL_MAX := int64(1), int64(2), int64(3), int64(4)
	r[13] = INT64_MIN + UINT64_C + INT_MAX + DBL_MAX + math.MinInt64 + a[0] ^ 0x123456789abcdef
	setjmp, longjmp, jmp_buf, div, abs, exit := int64(1), int64(2), int64(3), a[0]|1, int64(5), int64(6)
	r[14] = (setjmp+longjmp+jmp_buf+abs+exit)/div + int64(uint64(a[0])/uint64(div))
	MAP, FP_NAN, HUGE, M_1, SIGN, _Bool := int64(1), int64(2), int64(3), int64(4), int64(5), int64(6)
	r[15] = MAP + FP_NAN + HUGE + M_1 + SIGN + _Bool
}
