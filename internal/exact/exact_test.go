package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// sum adds values in one sum for each part.
func sum(parts ...[]float64) Limbs {
	var all Limbs
	for _, values := range parts {
		var s Sum
		Add(&s, values...)
		l := s.Take()
		all.Add(&l)
	}
	return all
}

func TestSums(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tiny, huge := math.SmallestNonzeroFloat64, math.MaxFloat64
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{math.Copysign(0, -1)}, 0},
		{[]float64{1, 1e100, 1, -1e100}, 2},
		{[]float64{tiny, tiny, tiny}, 3 * tiny},
		{[]float64{huge, huge, -huge}, huge},
		{[]float64{huge, huge}, inf},
		{[]float64{-huge, -huge, -tiny}, -inf},
		{[]float64{1, math.Ldexp(1, -53)}, 1},
		{[]float64{1, math.Ldexp(1, -53), tiny}, 1 + math.Ldexp(1, -52)},
		{[]float64{-1, -math.Ldexp(1, -53), -tiny}, -1 - math.Ldexp(1, -52)},
		{[]float64{inf, 1}, inf},
		{[]float64{-inf, huge}, -inf},
		{[]float64{inf, -inf}, nan},
		{[]float64{nan, 1, inf}, nan},
	} {
		l := sum(c.values)
		if got := l.Float(); math.Float64bits(got) != math.Float64bits(c.want) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v: got %v, want %v", c.values, got, c.want)
		}
	}
}

// exactly adds with as many bits as necessary.
func exactly(values []float64) float64 {
	x := new(big.Float).SetPrec(2200)
	for _, v := range values {
		x.Add(x, new(big.Float).SetFloat64(v))
	}
	f, _ := x.Float64()
	return f
}

// Neither the order of numbers nor how they are divided changes a bit, and the result is the exact
// sum, rounded once.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		values := make([]float64, r.IntN(200))
		spread := r.IntN(1000) + 1
		for i := range values {
			values[i] = math.Ldexp(r.NormFloat64(), r.IntN(2*spread)-spread)
			if r.IntN(4) == 0 && i > 0 {
				values[i] = -values[i-1]
			}
		}
		want := exactly(values)
		for range 3 {
			r.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
			cut := r.IntN(len(values) + 1)
			l, one := sum(values[:cut], values[cut:]), Limbs{}
			for _, v := range values {
				one.AddFloat(v)
			}
			if l != one || l.Float() != want {
				t.Fatalf("%v: got %v and %v, want %v", values, l.Float(), one.Float(), want)
			}
		}
	}
}

func TestFloat32(t *testing.T) {
	var a, b, s Sum
	middle := math.Ldexp(1, -24)
	Add(&s, 1, float32(middle))
	if l := s.Take(); l.Float32() != 1 {
		t.Errorf("got %v", l.Float32())
	}
	Add(&s, 1, float32(middle))
	Add(&s, math.Ldexp(1, -1000)) // rounded to a float64 first, it would be lost
	if l := s.Take(); l.Float32() != 1+float32(math.Ldexp(1, -23)) {
		t.Errorf("got %v", l.Float32())
	}
	AddStrided(&a, []float32{1, 10, 2, 20, 4, 40}, 2)
	AddStrided(&b, []float32{1, 10, 2, 20, 4, 40}[1:], 2)
	l := a.Take()
	other := b.Take()
	if l.Float32() != 7 || other.Float32() != 70 {
		t.Errorf("got %v and %v", l.Float32(), other.Float32())
	}
	if l.Add(&other); l.Float32() != 77 {
		t.Errorf("got %v", l.Float32())
	}
}

func BenchmarkAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 1<<16)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	var s Sum
	for b.Loop() {
		AddStrided(&s, values, 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(values)), "ns/value")
}

// Processes add the digits of their sums, without carrying over.
func TestDigitsAdded(t *testing.T) {
	var all Limbs
	for _, v := range []float64{0.1 * 0.1, 0.2 * 0.2, 0.7 * 0.7, 0.9 * 0.9} {
		l := sum([]float64{v})
		for i := range all {
			all[i] += l[i]
		}
	}
	if got, want := all.Float(), exactly([]float64{0.1 * 0.1, 0.2 * 0.2, 0.7 * 0.7, 0.9 * 0.9}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
