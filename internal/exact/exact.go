// Package exact adds floating-point numbers without error, so that a sum depends neither on their
// order nor on how they are divided among threads and processes. It is rounded once, at the end.
//
// The sum is a long fixed-point number, a superaccumulator: U. Kulisch, Computer Arithmetic and
// Validity, 2008; R. M. Neal, Fast exact summation using small and large superaccumulators,
// arXiv:1505.05571, 2015.
package exact

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
)

// Sum is a sum of numbers; its zero value is the empty one.
type Sum struct {
	// The integers that numbers with each exponent are multiples of their unit by, in halves, so
	// that a half has room for 2³¹ numbers.
	halves      [exponents][2]int64
	least, most uint64 // exponents since the halves were carried over; most is 0 for none
	count       int64  // of numbers since then
	limbs       Limbs
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
		least, most := uint64(special), uint64(0)
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
			least, most = min(least, exponent), max(most, exponent)
		}
		s.reach(least, most)
	}
}

// reserve makes room for n numbers.
func (s *Sum) reserve(n int) {
	if s.count += int64(n); s.count > 2*room {
		s.carry()
		s.count = int64(n)
	}
}

// reach records the least and the greatest exponent of some numbers.
func (s *Sum) reach(least, most uint64) {
	if s.most == 0 {
		s.least = special
	}
	s.least, s.most = min(s.least, least), max(s.most, most)
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
	if whole != 0 {
		s.reach(1, 1)
	}
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
	for e := s.least; e <= s.most && s.most > 0; e++ {
		for half, v := range s.halves[e] {
			s.limbs.addAt(v, int(e)-1+32*half)
		}
		s.halves[e] = [2]int64{}
	}
	s.limbs.carry()
	s.least, s.most, s.count = 0, 0, 0
}

// addAt adds v times 2ᵇⁱᵗ units to the digits, without carrying over.
func (l *Limbs) addAt(v int64, bit int) {
	at, shift := specials+bit/32, uint(bit%32)
	low := uint64(v) << shift
	l[at] += int64(low & (1<<32 - 1))
	l[at+1] += int64(low >> 32)
	l[at+2] += v >> (64 - shift) // what is shifted out; without a shift, the sign
}

// AddFloat adds a number.
func (l *Limbs) AddFloat(v float64) {
	b := math.Float64bits(v)
	exponent, whole := int(b>>mantissa&(exponents-1)), int64(b&(1<<mantissa-1))
	switch exponent {
	case special:
		l[kindOf(v)]++
		return
	case 0: // zero, or subnormal
		exponent = 1
	default:
		whole |= 1 << mantissa
	}
	if v < 0 {
		whole = -whole
	}
	l.addAt(whole, exponent-1)
	l.carry()
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
	a := *l
	a.carry() // processes may have added the digits
	negative := a[len(a)-1] < 0
	if negative {
		for i := range a {
			a[i] = -a[i]
		}
		a.carry()
	}
	var bytes [4*digits + 4]byte
	for i, v := range a[specials:] {
		binary.LittleEndian.PutUint32(bytes[4*i:], uint32(v))
	}
	binary.LittleEndian.PutUint32(bytes[4*digits:], uint32(a[len(a)-1]>>32)) // the highest digit may be larger
	slices.Reverse(bytes[:])
	x := new(big.Int).SetBytes(bytes[:])
	if negative {
		x.Neg(x)
	}
	f := new(big.Float).SetInt(x) // with as many bits as it has
	return f.SetMantExp(f, lowest)
}
