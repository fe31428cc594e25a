// Package exact adds floating-point numbers without error, so that a sum depends neither on their
// order nor on how they are divided among threads and processes. It is rounded once, at the end.
//
// The sum is a long fixed-point number, a superaccumulator: U. Kulisch, Computer Arithmetic and
// Validity, 2008; R. M. Neal, Fast exact summation using small and large superaccumulators,
// arXiv:1505.05571, 2015.
package exact

import (
	"math"
	"math/big"
)

// Sum is a sum of numbers; its zero value is the empty one.
type Sum struct {
	// The integers that numbers with each exponent are multiples of their unit by, in halves, so
	// that a half has room for 2³¹ numbers.
	halves [exponents][2]int64
	count  int64 // of numbers since the halves were carried over
	limbs  Limbs
}

const (
	exponents = 1 << 11
	mantissa  = 52 // bits
	special   = exponents - 1
	lowest    = -1074 // the exponent of the smallest number
	room      = 1 << 30
)

// Limbs is a sum as integers that processes can add one by one: first the numbers of NaN, +Inf and
// -Inf, then digits to the base 2³², the lowest first and the highest with the sign.
type Limbs [specials + digits]int64

const (
	specials = 3
	digits   = (1<<11 + mantissa + 64) / 32
)

// Add adds values to the sum.
func Add[T float64 | float32](s *Sum, values ...T) { AddStrided(s, values, 1) }

// AddStrided adds every dim-th of the values, the first one included.
func AddStrided[T float64 | float32](s *Sum, values []T, dim int) {
	for i := 0; i < len(values); {
		end := min(len(values), i+room)
		s.reserve(end - i)
		for ; i < end; i += dim {
			b := math.Float64bits(float64(values[i]))
			exponent := b >> mantissa & (exponents - 1)
			if exponent-1 >= special-1 {
				s.addOdd(b)
				continue
			}
			whole := int64(b&(1<<mantissa-1) | 1<<mantissa)
			sign := int64(b) >> 63
			h := &s.halves[exponent]
			h[0] += whole&(1<<32-1) ^ sign - sign
			h[1] += whole>>32 ^ sign - sign
		}
	}
}

// reserve makes room for n numbers.
func (s *Sum) reserve(n int) {
	if s.count += int64(n); s.count > 2*room {
		s.carry()
		s.count = int64(n)
	}
}

// addOdd adds a number, given as bits, that is zero, subnormal or infinite, or NaN.
func (s *Sum) addOdd(b uint64) {
	if v := math.Float64frombits(b); b<<1>>1 >= special<<mantissa {
		s.limbs[kindOf(v)]++
		return
	}
	whole := int64(b & (1<<mantissa - 1))
	sign := int64(b) >> 63
	h := &s.halves[1] // whose unit is that of subnormal numbers
	h[0] += whole&(1<<32-1) ^ sign - sign
	h[1] += whole>>32 ^ sign - sign
}

func kindOf(v float64) int {
	switch {
	case math.IsNaN(v):
		return 0
	case v > 0:
		return 1
	}
	return 2
}

// Take returns the sum as integers, and leaves the empty sum.
func (s *Sum) Take() Limbs {
	s.carry()
	l := s.limbs
	s.limbs = Limbs{}
	return l
}

// carry moves the halves to the limbs.
func (s *Sum) carry() {
	for e := 1; e < special; e++ {
		for half, v := range &s.halves[e] {
			if v != 0 {
				s.limbs.addAt(v, e-1+32*half)
				s.halves[e][half] = 0
			}
		}
	}
	s.limbs.carry()
	s.count = 0
}

// addAt adds v times 2ᵇⁱᵗ units to the digits, without carrying over.
func (l *Limbs) addAt(v int64, bit int) {
	at, shift := specials+bit/32, uint(bit%32)
	low := uint64(v) << shift
	l[at] += int64(low & (1<<32 - 1))
	l[at+1] += int64(low >> 32)
	l[at+2] += v >> (64 - shift) // what is shifted out; without a shift, the sign
}

// Add adds the limbs of another sum.
func (l *Limbs) Add(other *Limbs) {
	for i, v := range other {
		l[i] += v
	}
	l.carry()
}

// carry makes the digits but the highest ones from 0 to 2³²-1.
func (l *Limbs) carry() {
	for i := specials; i < len(l)-1; i++ {
		over := l[i] >> 32
		l[i] -= over << 32
		l[i+1] += over
	}
}

// Float returns the sum, rounded to the nearest float64, to even in the middle.
func (l *Limbs) Float() float64 {
	if v, is := l.special(); is {
		return v
	}
	f, _ := l.big().Float64()
	return f
}

// Float32 returns the sum, rounded to the nearest float32.
func (l *Limbs) Float32() float32 {
	if v, is := l.special(); is {
		return float32(v)
	}
	f, _ := l.big().Float32()
	return f
}

// special returns a sum that is no number.
func (l *Limbs) special() (float64, bool) {
	switch {
	case l[0] > 0 || l[1] > 0 && l[2] > 0:
		return math.NaN(), true
	case l[1] > 0:
		return math.Inf(1), true
	case l[2] > 0:
		return math.Inf(-1), true
	}
	return 0, false
}

// big returns the exact sum.
func (l *Limbs) big() *big.Float {
	var x big.Int
	for i := len(l) - 1; i >= specials; i-- {
		x.Lsh(&x, 32)
		x.Add(&x, big.NewInt(l[i]))
	}
	f := new(big.Float).SetInt(&x) // with as many bits as it has
	return f.SetMantExp(f, lowest)
}
