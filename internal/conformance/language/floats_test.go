package language_test

import "math"

// Floats: rounding, zeros with signs, infinities, NaN, and the functions of math that
// are exact. Those that are not are in math_test.go.

func floatArithmetic(a *[6]int64, x *[6]float64, _ *[16]int64, y *[16]float64) {
	p, q := x[0], x[1]
	f, g := float32(x[0]), float32(x[1])
	y[0] = p + q
	y[1] = p - q
	y[2] = p * q
	y[3] = p / q
	y[4] = -p
	y[5] = 0 - p
	y[6] = p*0 + 0
	y[7] = float64(f + g)
	y[8] = float64(f*g) - float64(f)*float64(g)
	y[9] = float64(f / g)
	y[10] = float64(float32(p*q) + f)
	y[11] = p + q - p - q
	y[12] = float64(p*q) + x[2]
	f += 0.1
	f *= g
	y[13] = float64(f)
	y[14] = -(-p) - -q
	y[15] = float64(-f) + p*1
	_ = a
}

func floatCompare(_ *[6]int64, x *[6]float64, r *[16]int64, _ *[16]float64) {
	p, q := x[0], x[1]
	if p < q {
		r[0] = 1
	}
	if !(p < q) {
		r[1] = 1
	}
	if p >= q {
		r[2] = 1
	}
	if p == q {
		r[3] = 1
	}
	if p != q {
		r[4] = 1
	}
	if p != p {
		r[5] = 1
	}
	if !(p <= q) && !(p > q) {
		r[6] = 1
	}
	if float32(p) == float32(q) {
		r[7] = 1
	}
	switch p {
	case 0:
		r[8] = 1
	case q:
		r[8] = 2
	case 1.5, -1.5:
		r[8] = 3
	default:
		r[8] = 4
	}
	b, c := p < q, p > 0
	if b == c {
		r[9] = 1
	}
	if b != !c || b && c {
		r[10] = 1
	}
}

// floatToInt converts what the integer can hold; the rest differs between machines.
func floatToInt(_ *[6]int64, x *[6]float64, r *[16]int64, _ *[16]float64) {
	p := x[0]
	if p > -129 && p < 128 {
		r[0], r[1] = int64(int8(p)), int64(int8(float32(p/2)))
	}
	if p > -32769 && p < 32768 {
		r[2] = int64(int16(p))
	}
	if p > -2147483649 && p < 2147483648 {
		r[3] = int64(int32(p))
	}
	if p >= -9223372036854775808 && p < 9223372036854775808 {
		r[4], r[5] = int64(p), int64(int(p))
	}
	if p > -1 && p < 256 {
		r[6] = int64(uint8(p))
	}
	if p > -1 && p < 65536 {
		r[7] = int64(uint16(p))
	}
	if p > -1 && p < 4294967296 {
		r[8], r[9] = int64(uint32(p)), int64(uint32(float32(p/2)))
	}
	if p > -1 && p < 18446744073709551616 {
		r[10] = int64(uint64(p))
		r[11] = int64(uint64(float32(p / 4)))
	}
}

func intToFloat(a *[6]int64, _ *[6]float64, _ *[16]int64, y *[16]float64) {
	y[0], y[1] = float64(a[0]), float64(float32(a[0]))
	y[2], y[3] = float64(uint64(a[0])), float64(float32(uint64(a[0])))
	y[4], y[5] = float64(int8(a[0])), float64(float32(uint8(a[0])))
	y[6], y[7] = float64(int32(a[0])), float64(float32(int32(a[0])))
	y[8], y[9] = float64(uint32(a[0])), float64(float32(uint32(a[0])))
	y[10] = float64(a[0]+a[1]) / 2
	y[11] = float64(a[0]/2) + float64(uint16(a[1]))
}

func minMax(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	y[0], y[1] = min(x[0], x[1]), max(x[0], x[1])
	y[2], y[3] = math.Min(x[0], x[1]), math.Max(x[0], x[1])
	y[4] = min(x[0], x[1], x[2], 0.5)
	y[5] = max(-1, x[0], x[1], x[2])
	y[6] = float64(min(float32(x[0]), float32(x[1])))
	y[7] = float64(max(float32(x[0]), 2, float32(x[1])))
	y[8] = 1 / min(x[0], 0)
	y[9] = 1 / max(x[0], x[3])
	y[11], y[12] = 1/min(0, x[0]), 1/max(x[0], 0)
	y[13], y[14] = 1/math.Min(0, x[0]), 1/math.Max(x[0], 0)
	y[10] = math.Max(x[0], math.Min(x[1], math.Inf(1)))
	r[0], r[1] = min(a[0], a[1]), max(a[0], a[1])
	r[2] = int64(min(int8(a[0]), int8(a[1]), 5))
	r[3] = int64(max(uint8(a[0]), uint8(a[1]), 5))
	r[4] = int64(max(uint64(a[0]), uint64(a[1])) >> 1)
	r[5] = int64(min(uint32(a[0]), uint32(a[1])))
	r[6] = min(a[0], a[1], a[2], a[3], -3) + max(min(a[0], 5), min(a[1], 7))
}

func roundings(_ *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	p := x[0]
	y[0], y[1], y[2] = math.Floor(p), math.Ceil(p), math.Trunc(p)
	y[3], y[4] = math.Round(p), math.RoundToEven(p)
	y[5], y[6] = math.Sqrt(p), math.Abs(p)
	y[7], y[8] = math.Copysign(p, x[1]), math.Copysign(1.5, p)
	y[9], y[10] = math.Mod(p, x[1]), math.Remainder(p, x[1])
	y[11] = math.FMA(p, x[1], x[2])
	y[12] = math.Dim(p, x[1])
	y[13] = float64(float32(math.Sqrt(float64(float32(p)))))
	y[14], y[15] = math.Modf(p)
	if math.Signbit(p) {
		r[0] = 1
	}
	if math.IsNaN(p) {
		r[1] = 1
	}
	if math.IsInf(p, 0) || math.IsInf(x[1], 1) || math.IsInf(x[2], -1) {
		r[2] = 1
	}
	if !math.IsNaN(p) && !math.IsInf(-p, int(r[0])) {
		r[3] = 1
	}
}

func bitsAndExponents(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	p := x[0]
	fraction, exponent := math.Frexp(p)
	y[0], r[0] = fraction, int64(exponent)
	whole, part := math.Modf(p)
	y[1], y[2] = whole, part
	y[3] = math.Ldexp(p, int(int32(a[0])))
	y[4] = math.Ldexp(0.75, int(int8(a[0])))
	y[5] = math.Ldexp(p, -1074)
	r[1], y[6] = int64(math.Ilogb(p)), math.Logb(p)
	y[7] = math.Nextafter(p, x[1])
	y[8] = float64(math.Nextafter32(float32(p), float32(x[1])))
	y[9] = math.Float64frombits(uint64(a[0]))
	y[10] = float64(math.Float32frombits(uint32(a[0])))
	if p == p {
		r[2] = int64(math.Float64bits(p))
		r[3] = int64(math.Float32bits(float32(p)))
	}
	y[11] = math.Inf(int(a[0]))
	y[12] = math.NaN()
	_, e := math.Frexp(x[1])
	f, _ := math.Modf(x[1])
	r[4], y[13] = int64(e), f
	y[14] = math.Inf(-1) + p
	y[15] = math.Abs(math.Copysign(p, -1)) * math.Inf(1)
}
