package mesh

import (
	"math"
	"strconv"
)

// The new_grid.dat format keeps six decimals. Printing and parsing millions of coordinates
// dominates the time for such a file, so the three conversions here use a fast path where it is
// provably exact, and strconv everywhere else.

// fastLimit bounds the fast path of toMicro: below it |x|·1e6 < 2^52, where doubles are spaced by
// 1/2 or less.
const fastLimit = 1 << 32

// toMicro returns x·1e6 rounded to the nearest integer, ties to even, without the double rounding of
// math.RoundToEven(x*1e6). |x| must be below fastLimit. The sign of a zero is that of x.
//
// With p the rounded product, the fused multiply-add gives its error e exactly: x·1e6 = p + e. Let n be p rounded
// to even. Where |p-n| < 1/2, p is at least one spacing away from a tie and |e| at most half a spacing, so n
// stands. Where |p-n| = 1/2, the sign of e says on which side of the tie the exact product lies.
func toMicro(x float64) float64 {
	p := x * 1e6
	n := math.RoundToEven(p)
	switch d := p - n; {
	case d == 0.5 && math.FMA(x, 1e6, -p) > 0:
		n++
	case d == -0.5 && math.FMA(x, 1e6, -p) < 0:
		n--
	}
	return n
}

// round6 returns what printing x with six decimals, as C's %f does, and reading it back gives.
//
// In the fast path, numerator and denominator are exact, so their quotient is the double nearest to
// the decimal.
func round6(x float64) float64 {
	if math.Abs(x) < fastLimit {
		return toMicro(x) / 1e6
	}
	// The digits of a double always parse; a NaN or an infinity comes back as it is.
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 6, 64), 64)
	return y
}

// appendFixed6 appends x with six decimals, as C's %f prints it.
func appendFixed6(dst []byte, x float64) []byte {
	if !(math.Abs(x) < fastLimit) {
		return strconv.AppendFloat(dst, x, 'f', 6, 64)
	}
	if math.Signbit(x) {
		dst = append(dst, '-')
	}
	micro := uint64(math.Abs(toMicro(x)))
	dst = strconv.AppendUint(dst, micro/1e6, 10)
	frac := micro % 1e6
	var digits [7]byte
	digits[0] = '.'
	for k := 6; k > 0; k-- {
		digits[k] = byte('0' + frac%10)
		frac /= 10
	}
	return append(dst, digits[:]...)
}

// pow10 holds the powers of ten that a double represents exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// parseFloat returns the double nearest to a decimal number such as -0.007700 or 1e-3. ok is false for anything
// else, infinities, NaN and hexadecimal included, and for a number beyond the range of a double.
//
// The fast path is that of W. D. Clinger, How to Read Floating Point Numbers Accurately, PLDI 1990:
// an integer of at most 53 bits divided by an exact power of ten.
func parseFloat(text []byte) (x float64, ok bool) {
	digits := text
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	var mantissa uint64
	decimals, point := 0, false
	for _, c := range digits {
		switch {
		case c-'0' <= 9: // bytes below '0' wrap around to large ones
			mantissa = mantissa*10 + uint64(c-'0')
			if point {
				decimals++
			}
		case c == '.' && !point:
			point = true
		default:
			return parseFloatSlow(text)
		}
	}
	// 19 digits cannot overflow 64 bits; a lone point has no digit at all.
	if len(digits) > 19 || len(digits) < 2 && point || mantissa > 1<<53 {
		return parseFloatSlow(text)
	}
	if len(digits) == 0 {
		return 0, false
	}
	x = float64(mantissa) / pow10[decimals]
	if text[0] == '-' {
		x = -x
	}
	return x, true
}

func parseFloatSlow(text []byte) (x float64, ok bool) {
	for _, c := range text {
		switch {
		case c-'0' <= 9, c == '+', c == '-', c == '.', c == 'e', c == 'E':
		default:
			return 0, false // strconv knows spellings of numbers that older versions of C's scanf do not
		}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	return x, err == nil
}

// parseInt returns the decimal integer that text spells. ok is false for anything else and for more than 64 bits.
func parseInt(text []byte) (n int64, ok bool) {
	digits := text
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		n, err := strconv.ParseInt(string(text), 10, 64)
		return n, err == nil
	}
	for _, c := range digits {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if text[0] == '-' {
		n = -n
	}
	return n, true
}
