package plot

import (
	"math"
	"strconv"
	"strings"
)

// niceStep returns the smallest of 1, 2 and 5 times a power of ten that fits into length at most n
// times.
func niceStep(length float64, n int) float64 {
	least := length / float64(n)
	power := math.Pow10(exponent(least))
	for _, s := range [...]float64{1, 2, 5} {
		// Rounding must not turn a step that just fits into the next larger one.
		if s*power >= least*(1-1e-9) {
			return s * power
		}
	}
	return 10 * power
}

// multiples returns the multiples of step from lo to hi.
func multiples(step, lo, hi float64) []float64 {
	var out []float64
	slack := 1e-9 * step
	for k := math.Ceil((lo - slack) / step); k*step <= hi+slack && len(out) < 1000; k++ {
		// 3 * 0.1 is not quite 0.3; to 15 digits it is. + 0: no -0.
		v, err := strconv.ParseFloat(strconv.FormatFloat(k*step, 'e', 14, 64), 64)
		if err == nil {
			out = append(out, v+0)
		}
	}
	return out
}

// tickLabels returns labels for multiples of step, all with the same number of decimals, and the
// power of ten to multiply them by: 0 unless the labels would have many zeros.
func tickLabels(ticks []float64, step float64) (labels []string, power int) {
	largest := 0.0
	for _, v := range ticks {
		largest = max(largest, math.Abs(v))
	}
	e, finest := exponent(largest), exponent(step)
	plain := -4 < e && e < 5 || 4 < e && e < 9 && finest <= 0 // all digits are needed anyway
	if largest > 0 && !plain {
		power = e
	}
	decimals := max(0, power-finest)
	for _, v := range ticks {
		labels = append(labels, decimal(v, power, decimals))
	}
	return labels, power
}

// decimal returns v / 10^power with this many decimals and a true minus sign.
func decimal(v float64, power, decimals int) string {
	// Move the decimal point in the digits: division is not exact, and overflows at the extremes.
	mantissa, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(e)
	scaled, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(n-power), 64)
	s := strconv.FormatFloat(scaled, 'f', decimals, 64)
	return strings.Replace(s, "-", "\u2212", 1)
}

// extreme returns v / 10^power with four digits, for use next to a scale whose labels have this
// power.
func extreme(v float64, power int) string {
	digits := 3 - exponent(v)
	if e := exponent(v) - power; e > 6 || e < -4 {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 2, 64), "e")
		n, _ := strconv.Atoi(exponent)
		return strings.Replace(mantissa+"e"+strconv.Itoa(n-power), "-", "\u2212", -1)
	}
	s := decimal(v, power, min(max(digits+power, 0), 12))
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// exponent returns the power of ten of the first digit of v.
func exponent(v float64) int {
	// Uses the decimal digits, since math.Log10(1000) is below 3.
	_, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', 15, 64), "e")
	n, _ := strconv.Atoi(e)
	return n
}
