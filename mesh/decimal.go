package mesh

import (
	"math"
	"strconv"
)

// round6 returns x rounded to six decimals, as the text format of OP2's airfoil keeps them.
func round6(x float64) float64 {
	return math.RoundToEven(x*1e6) / 1e6 // a quotient of two integers: the double nearest to the decimal
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
