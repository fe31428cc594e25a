package mesh

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"
)

// awkward returns numbers around every way to go wrong: ties between two sixth decimals and their neighbors,
// both zeros, the bound of the short way, the extremes.
func awkward() []float64 {
	xs := []float64{
		0, 1, 0.5, 0.1, 1e-6, 5e-7, 1.5e-6, 2.5e-6, 4.9999999e-7, 0.0077, 1e15, 1e300,
		1 << 32, 1<<32 - 1e-6, 1 << 52, 1 << 53, math.MaxFloat64, math.SmallestNonzeroFloat64,
	}
	for n := 1.0; n < 1024; n += 2 {
		xs = append(xs, n/128, n/(1<<20)) // n/128 ends in a 5 at the seventh decimal: an exact tie
		xs = append(xs, (n+0.5)/1e6)      // a tie but for the rounding of this very division
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		xs = append(xs, 18*random.Float64(), math.Float64frombits(random.Uint64()>>1))
	}
	for _, x := range xs {
		xs = append(xs, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1)))
	}
	for _, x := range xs {
		xs = append(xs, -x)
	}
	return xs
}

// Six decimals are those nearest to the number, but for a tie, which the product with a million may round to either side.
func TestSixDecimals(t *testing.T) {
	for _, x := range awkward() {
		text := strconv.FormatFloat(x, 'f', 6, 64)
		exact, _ := new(big.Rat).SetString(text)
		if parsed, _ := strconv.ParseFloat(text, 64); math.Abs(x) < 1e6 && round6(x) != parsed && !tie(exact.Sub(exact, new(big.Rat).SetFloat64(x))) {
			t.Errorf("%v is rounded to %v, want %v", x, round6(x), parsed)
		}
	}
}

// tie reports whether an error is half a millionth, but for rounding.
func tie(by *big.Rat) bool {
	f, _ := by.Float64()
	return math.Abs(math.Abs(f)-5e-7) < 1e-9
}

func TestParseFloat(t *testing.T) {
	check := func(text string) {
		t.Helper()
		want, err := strconv.ParseFloat(text, 64)
		got, ok := parseFloat([]byte(text))
		if !ok || err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s is read as %v, %v, want %v, %v", text, got, ok, want, err)
		}
	}
	for _, text := range []string{
		"0", "-0", "+0", "-0.000000", "1", "+1.5", "5.", ".5", "-.25", "007", "1e3", "-1.25E-2", "1e-400",
		"9007199254740992", "9007199254740993", "9223372036854775807", "99999999999999999999",
		"0.1234567890123456789", "0.00000000000000000001", "1.7976931348623157e308",
	} {
		check(text)
	}
	for _, x := range awkward() {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		check(strconv.FormatFloat(x, 'g', -1, 64))
		check(strconv.FormatFloat(x, 'f', 6, 64))
	}
	for _, text := range []string{
		"", "+", "-", ".", "-.", "..1", "1.2.3", "1-2", "--1", "e5", "1e", "1,5", "x", "NaN", "nan", "Inf", "-inf",
		"infinity", "0x10", "0x1p-2", "1_000", "1e309", "-1e999", "١",
	} {
		if got, ok := parseFloat([]byte(text)); ok {
			t.Errorf("%q is read as %v, want it refused", text, got)
		}
	}
}
