//lint:file-ignore SA4000 x - x is a case of its own

package language_test

import "math"

// Integers: widths, wrapping, division, shifts, conversions, constants.

// divideEach divides in every type; the smallest value over -1 wraps.
func divideEach(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	if b := int8(a[1]); b != 0 {
		r[0] = int64(int8(a[0])/b)*1000 + int64(int8(a[0])%b)
	}
	if b := int16(a[1]); b != 0 {
		r[1] = int64(int16(a[0])/b)*100000 + int64(int16(a[0])%b)
	}
	if b := int32(a[1]); b != 0 {
		r[2], r[3] = int64(int32(a[0])/b), int64(int32(a[0])%b)
	}
	if b := a[1]; b != 0 {
		r[4], r[5] = a[0]/b, a[0]%b
	}
	if b := uint8(a[1]); b != 0 {
		r[6], r[7] = int64(uint8(a[0])/b), int64(uint8(a[0])%b)
	}
	if b := uint16(a[1]); b != 0 {
		r[8], r[9] = int64(uint16(a[0])/b), int64(uint16(a[0])%b)
	}
	if b := uint32(a[1]); b != 0 {
		r[10], r[11] = int64(uint32(a[0])/b), int64(uint32(a[0])%b)
	}
	if b := uint64(a[1]); b != 0 {
		r[12], r[13] = int64(uint64(a[0])/b), int64(uint64(a[0])%b)
	}
}

// divideUnguarded faults where the divisor is zero in its type.
func divideUnguarded(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	r[0] = int64(int8(a[0]) / int8(a[1]))
	r[1] = int64(uint16(a[0]) % uint16(a[2]))
	r[2] = a[0] / a[3]
	r[3] = int64(uint64(a[0]) / uint64(a[4]))
	x := int32(a[0])
	x /= int32(a[5])
	r[4] = int64(x)
}

// divideByConstants uses divisors that C may do itself, and such that it may not.
func divideByConstants(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	b, u, c := int8(a[0]), uint8(a[0]), uint64(a[1])
	r[0] = int64(b/3)*1000 + int64(b%3)
	r[1] = int64(b/-3)*1000 + int64(b%-3)
	r[2] = int64(b/-1)*1000 + int64(b%-1)
	r[3] = int64(b/-128)*1000 + int64(b%127)
	r[4] = int64(u/7)*1000 + int64(u%200)
	r[5] = a[1] / 10
	r[6] = a[1] % -10
	r[7] = a[1] / -1
	r[8] = a[1] / math.MinInt64
	r[9] = a[1] % math.MaxInt64
	r[10] = int64(c / 0xfedcba9876543210)
	r[11] = int64(c % (1 << 63))
	r[12] = a[1] / 1
	r[13] = 100 / (a[1] | 1)
	r[14] = int64(uint32(a[1]) / 4000000000)
	r[15] = math.MinInt64 / (a[2] | 1)
}

// wrapEach overflows in every type.
func wrapEach(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	i8, i16, i32, i64 := int8(a[0]), int16(a[0]), int32(a[0]), a[0]
	u8, u16, u32, u64 := uint8(a[1]), uint16(a[1]), uint32(a[1]), uint64(a[1])
	r[0] = int64(i8+i8) + int64(i8-100) + int64(i8*i8) + int64(-i8)
	r[1] = int64(i16+i16) + int64(i16-30000) + int64(i16*i16) + int64(-i16)
	r[2] = int64(i32+i32) + int64(i32-2000000000) + int64(i32*i32) + int64(-i32)
	r[3] = i64 + i64 + (i64 - 9000000000000000000) + i64*i64 + -i64
	r[4] = int64(u8+u8) + int64(u8-200) + int64(u8*u8) + int64(-u8)
	r[5] = int64(u16+u16) + int64(u16-60000) + int64(u16*u16) + int64(-u16)
	r[6] = int64(u32+u32) + int64(u32-4000000000) + int64(u32*u32) + int64(-u32)
	r[7] = int64(u64 + u64 + (u64 - 18000000000000000000) + u64*u64 + -u64)
	r[8] = int64(^i8) + int64(^u8)<<8 + int64(^i16)<<16 + int64(^u16)<<32
	r[9] = int64(^u32) ^ int64(^u64)
	r[10] = int64(u8-uint8(a[2])-1) + int64(1-u8)
	i8++
	u8--
	i16--
	u16++
	i8 += 100
	u8 *= 3
	i16 -= 30000
	u16 *= u16
	r[11] = int64(i8) + int64(u8)<<8 + int64(i16)<<16 + int64(u16)<<32
	u8 &^= 0x0f
	i8 |= -128
	u16 ^= 0xffff
	i16 &= -2
	r[12] = int64(i8) + int64(u8)<<8 + int64(i16)<<16 + int64(u16)<<32
	if u8-1 > 200 || u16+1 == 0 || i8-1 > 0 {
		r[13] = 1
	}
	r[14] = int64(-(-i8)) + int64(- -i16)
	r[15] = int64(int8(u8)) + int64(uint8(i8))
}

// shiftEach shifts every type by every count; one that is too large for the type
// leaves nothing, or the sign.
func shiftEach(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	n := uint64(a[1])
	small := uint8(a[1]) & 15
	i8, i16, i32, i64 := int8(a[0]), int16(a[0]), int32(a[0]), a[0]
	u8, u16, u32, u64 := uint8(a[0]), uint16(a[0]), uint32(a[0]), uint64(a[0])
	r[0] = int64(i8<<n) + int64(i16<<n) + int64(i32<<n)
	r[1] = i64 << n
	r[2] = int64(i8>>n) + int64(i16>>n) + int64(i32>>n)
	r[3] = i64 >> n
	r[4] = int64(u8<<n) + int64(u16<<n) + int64(u32<<n)
	r[5] = int64(u64 << n)
	r[6] = int64(u8>>n) + int64(u16>>n) + int64(u32>>n)
	r[7] = int64(u64 >> n)
	r[8] = int64(i8<<small) + int64(u8>>small) + int64(u16<<small)
	r[9] = int64(i8<<3) + int64(i8>>3) + int64(u8<<7) + int64(u8>>1) + int64(i16<<15)
	r[10] = int64(u32<<31) + i64<<63 + int64(u64>>63) + i64>>63
	r[11] = int64(int32(1)<<n) + int64(uint8(200)<<n) + int64(int8(-1)>>n)
	r[12] = 1<<n + int64(uint64(1)<<n>>1)
	i8 <<= n
	u16 >>= n
	i32 >>= small
	u8 <<= 1
	r[13] = int64(i8) + int64(u16)<<16 + int64(i32)<<32 + int64(u8)
	r[14] = a[0]<<small + a[0]>>small<<1 - 1<<small
	r[15] = int64(u64<<n>>n) ^ i64<<(n&7)
}

// shiftSigned uses counts that may be negative, which faults.
func shiftSigned(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	r[0] = a[0] << a[1]
	r[1] = int64(int8(a[0]) >> int8(a[1]))
	r[2] = int64(uint16(a[0]) << int32(a[1]))
	u := uint8(a[0])
	u >>= a[1]
	r[3] = int64(u)
}

// convertEach converts between integers of all widths.
func convertEach(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	i8, i16, i32 := int8(a[0]), int16(a[0]), int32(a[0])
	u8, u16, u32, u64 := uint8(a[0]), uint16(a[0]), uint32(a[0]), uint64(a[0])
	r[0] = int64(uint8(i8)) + int64(uint16(i8)) + int64(uint32(i8)) + int64(uint64(i8))
	r[1] = int64(int8(u8)) + int64(int16(u8)) + int64(int32(u8))
	r[2] = int64(uint8(i16)) + int64(uint32(i16)) + int64(uint64(i16)>>1)
	r[3] = int64(int16(u16)) + int64(int8(u16)) + int64(int32(u16))
	r[4] = int64(uint64(i32)>>1) + int64(uint32(i32)) + int64(uint16(i32))
	r[5] = int64(int32(u32)) + int64(u32) + int64(uint64(u32))
	r[6] = int64(u64>>1) + int64(int32(u64)) + int64(int8(u64))
	r[7] = int64(uint(a[0])>>1) + int64(int(a[0]))
	if u32 > uint32(i32)-1 {
		r[8] = 1
	}
	if uint64(i8) > 1<<63 {
		r[9] = 1
	}
	if int32(u32) < 0 {
		r[10] = 1
	}
	r[11] = int64(byte(a[0])) + int64(rune(a[0]))
}

// precedence uses operators that Go and C bind differently.
func precedence(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	p, q, s, t := a[0], a[1], a[2], a[3]
	r[0] = p + q&s
	r[1] = p&q + s
	r[2] = p | q ^ s&t
	r[3] = p - (q - s) - (t - p)
	r[4] = p<<(uint(q)&7) + s
	r[5] = (p + q) << (uint(s) & 7)
	r[6] = p&^q | s&^(t|1)
	r[7] = -p*-q - -s
	r[8] = p * (q | 1) / ((s & 7) + 1) * t
	r[9] = p * ((q | 1) / ((s & 7) + 1))
	r[10] = ^p & ^(q|s) ^ ^t
	if p&q == s&t {
		r[11]++
	}
	if p < q == (s < t) {
		r[12]++
	}
	if p < q || s < t && !(p == s) {
		r[13]++
	}
	if (p < q || s < t) && p != s {
		r[14]++
	}
	r[15] = p ^ q&^s>>1<<2 ^ t
}

// Constants of any size are computed exactly.
const (
	huge    = 1 << 100
	fifth   = huge >> 98 // 4
	ratio   = 1.4
	less    = ratio - 1 // 0.4, not the 0.39999999999999991 of float64
	third   = 1.0 / 3
	single  = float32(0.1)
	letter  = 'a'
	minimum = math.MinInt64
)

const (
	zeroth = iota * 10
	first
	second
)

type level uint8

const (
	low level = iota + 250
	mid
	high
)

func constants(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	r[0] = a[0] + fifth
	r[1] = a[0]*letter + int64(len([7]int{}))
	r[2] = a[0] - minimum
	r[3] = a[0] + math.MaxInt64
	r[4] = int64(uint64(a[0]) + math.MaxUint64)
	r[5] = a[0]*second + zeroth - first
	r[6] = 5/2*a[0] + -7/2 + -7%3
	r[7] = int64(high + level(a[0]))
	if low < level(a[0]) {
		r[8] = int64(mid)
	}
	r[9] = max(3, 7, 5) + min(a[0], 2)
	if a[0] > math.MinInt32 && a[0] != math.MinInt64 && uint64(a[0]) < math.MaxUint64 {
		r[10] = -9223372036854775808 ^ a[0]
	}
	r[11] = a[0]&0xff&^0b1010 | 0o17 ^ 1_000
	r[12] = int64(uint32(a[0])&^0x80000000) + int64(int32(a[0])|math.MinInt32)
	y[0] = x[0] * less
	y[1] = x[0] * third
	y[2] = x[0] * (0.1 + 0.2)
	y[3] = float64(float32(x[0]) * third)
	y[4] = x[0] * float64(single)
	y[5] = x[0] / huge
	y[6] = 5/2*x[0] + 5.0/2
	y[7] = x[0] + 0x1p-1074
	y[8] = x[0] * math.MaxFloat64
	y[9] = x[0] * (1 << 3)
	y[10] = 1 / x[0]
	y[11] = x[0] * 1e300 * 1e300
	y[12] = float64(float32(x[0]) + 16777217)
	y[13] = x[0] - math.Pi*2
	y[14] = float64(float32(math.MaxFloat32) * float32(x[0]))
	y[15] = x[0] + 1e-400 + 100000000000000000000
}
