package fromgo

import "math"

// The kernels below are compiled with the test, and lowered from the text of this
// very file.

const semGam = 1.4

var (
	semScale = 2.5
	semTable = [2][3]int32{{1, 2, 3}, {4, 5, 6}}
)

type semPoint struct{ x, y float64 }

type semBox struct {
	semPoint
	size  [3]float64
	count uint8
}

func semNext(n *int64) int64            { *n++; return *n * 3 }
func semPeek(n *int64) int64            { return *n }
func semOdd(n *int64) bool              { *n++; return *n%2 == 1 }
func semAdd3(a, b, c int64) int64       { return a + 10*b + 100*c }
func semDivmod(x, y int64) (q, r int64) { q = x / y; r = x % y; return }
func semSwap(a [3]int64, b *[3]int64) [3]int64 {
	old := *b
	*b = a
	a[0] = 99
	return old
}
func semMove(b semBox, by *semPoint) semBox {
	b.x += by.x
	b.semPoint.y -= by.y
	b.size[1]++
	b.count += 200
	return b
}
func semFill(p *[3]int64, from int64) {
	for i := range p {
		p[i] = from + int64(i)
	}
}

func semOrder(n *int64, out *[12]int64) {
	out[0] = semNext(n) - semNext(n)*10
	out[1] = semAdd3(semNext(n), semPeek(n), semNext(n))
	out[2] = semPeek(n) + semNext(n)
	out[semNext(n)%5+3] += semNext(n)
	a, b := semNext(n), semPeek(n)
	a, b = b, a
	out[8] = a - b
	out[9], out[10] = semNext(n), semNext(n)
	q, r := semDivmod(semNext(n), semNext(n)%7+1)
	out[11] = q*100 + r
	*n += semNext(n)
	*n = semNext(n) - 1
}

func semConditions(n *int64, out *[8]int64) {
	if *n > 2 && semOdd(n) || semOdd(n) && *n < 100 {
		out[0] = *n
	}
	ok := semOdd(n) == (semOdd(n) || !semOdd(n))
	if !ok || semOdd(n) {
		out[1] = *n
	} else if semOdd(n) {
		out[2] = *n
	} else {
		out[3] = *n
	}
	for *n < 40 && (semOdd(n) || semPeek(n) < 30) {
		out[4]++
	}
	for semNext(n) < 200 {
		out[5]++
		if out[5] > 3 {
			break
		}
	}
	switch semNext(n) % 3 {
	case semPeek(n) % 3:
		out[6] = 1
	case 1, semNext(n) % 2:
		out[6] = 2
		fallthrough
	case 99:
		out[6] += 10
	default:
		out[6] = 7
	}
	switch {
	case semOdd(n) && !semOdd(n):
		out[7] = 1
	case semOdd(n), semOdd(n):
		out[7] = 2
	}
}

func semLoops(n *int64, p *[8]int64) {
	for i, j := 0, 7; i < j; i, j = i+1, j-1 {
		if p[i] == 3 {
			continue
		}
		p[i], p[j] = p[j], p[i]
	}
outer:
	for i := int64(0); semNext(&i) < 60; semNext(&i) {
		for j := range p {
			switch {
			case j == 2 && i%2 == 0:
				continue outer
			case j == 5:
				continue
			case j == 6 && i > 40:
				break outer
			}
			*n += int64(j) * i
			if j == 6 {
				break
			}
		}
		*n ^= i
	}
	for i := range *n&7 + 2 {
		i *= 3
		*n += i
	}
	for i := range uint8(200) {
		*n += int64(i << 1)
	}
	var k int
	for k = range 5 {
		*n += int64(k)
	}
	*n += int64(k)
	for range *n & 3 {
		*n++
	}
}

func semRange(p *[4]int64, m *[2][4]int64) {
	a := *p
	for i, x := range a {
		a[3-i] = 10*x + int64(i)
	}
	for i, x := range &a {
		a[3-i] += x
	}
	for i, x := range *p {
		p[3-i] += 2 * x
	}
	for i, x := range p {
		p[3-i] += 3 * x
	}
	for i, row := range m {
		m[1-i] = a
		for j, x := range row {
			p[j] += x
		}
	}
	k := 0
	for i, x := range m[k] {
		k = 1
		m[0][3-i] -= x
	}
	k = 1
	for i, x := range &m[k] {
		k = 0
		m[1][3-i] -= x
	}
	for k, a[1] = range a {
		p[0] += int64(k) * a[1]
	}
	for i, x := range semTable[1] {
		p[i] *= int64(x)
	}
	var grid [2][4]int64
	for i, row := range grid {
		grid[1] = *p
		p[i] += row[i]
	}
}

func semAssign(p *[6]int64, x, y *int64) {
	i, j := 0, 1
	i, p[i] = 2, 3
	p[i], p[j], i = p[j], p[i], 4
	p[p[0]&3], p[0] = 5, 6
	*x, *y = *y, *x
	*x, p[i] = p[i], *x-*y
	i, k := i+1, i
	p[i], _ = p[k], k
	p[0], p[1] = semDivmod(p[1]*7+3, 5)
	a := [3]int64{p[0], 2: p[2]}
	c := a
	a = [3]int64{a[2], a[1], a[0] + 1}
	b := semSwap(a, &a)
	b = semSwap(b, &a)
	a, b = b, a
	p[5] = b[2] + c[0]
	semFill(&a, semSwap(a, &b)[1])
	m := [2][3]int64{a, {7, 8, 9}}
	m[0], m[1] = m[1], m[0]
	p[3] = m[0][0]*1000 + m[1][2] + b[0] + int64(len(semSwap(a, &a)))
	p[4] = a[0] + a[1]*10 + a[2]*100
	p[5] += *x - *y
}

func semStructs(p *[3]float64, n *uint8) {
	b := semBox{semPoint: semPoint{y: p[0]}, size: *p, count: 100}
	c := semMove(b, &b.semPoint)
	c.semPoint, b.semPoint = b.semPoint, c.semPoint
	boxes := [2]semBox{b, {size: [3]float64{1, 2, 3}}}
	boxes[1] = semMove(boxes[0], &boxes[1].semPoint)
	for i, x := range boxes {
		boxes[1].y += x.y + float64(i)
		*n += boxes[i].count
	}
	p[0] = boxes[1].y + semMove(c, &c.semPoint).size[1]
	p[1] = semBox{size: boxes[1].size}.size[2]
	boxes[0] = semBox{}
	p[2] = boxes[0].x + c.x
}

type semBlank struct {
	a, _ int32
	b    [2]int32
}

func semTwice(p *[2]int32) [2]int32 { return [2]int32{2 * p[0], 2 * p[1]} }

func semCompare(p, q *[2]float64, n *[4]int32, rows *[2][2]int32) {
	p[0] = float64(n[0] & 1)
	q[0], q[1] = p[0], p[1]
	if *p == *q {
		n[0]++
	}
	p[1] /= p[0] // NaN, infinite or not
	p[1] -= p[1]
	same := *p == *p
	if !same || *p != *q {
		n[1] += 2
	}
	rows[1][1] &= 1
	rows[0] = [2]int32{0, 1}
	if rows[0] == rows[n[2]&1] && semTwice(&rows[1]) != [2]int32{2, 2} || *rows == [2][2]int32{{0, 1}, {0, 1}} {
		n[2] += 40
	}
	a, b := semBlank{n[3], 1, rows[0]}, semBlank{n[3], 2, rows[1]}
	table := semTable
	if (a == b) == (a.b == b.b) && a != (semBlank{}) && table == semTable {
		n[3] -= 3
	}
}

func semNumbers(f *[4]float64, g *float32, n *[6]int32, u *[4]uint16, big *[3]uint64) {
	f[0] = semGam*f[1] - 1/f[2]
	f[1] += float64(n[0]) / 3
	f[2] = f[3] - f[2]
	f[3] = float64(int32(f[3])) + math.Pi
	*g = *g*3 + float32(f[0]) + 0.1
	n[0] = n[1]/n[2] + n[1]%n[2]
	n[1] = n[1]<<u[0]>>1 ^ n[3]&^0x55
	n[2] = -n[2] - n[3]*1000003
	n[3]++
	n[4] >>= u[0] & 63
	n[5] = int32(int8(n[0])) + int32(uint8(n[1]))
	u[0] = u[1] * u[2]
	u[1] = ^u[1]
	u[2] -= 40000
	u[3] = uint16(n[2]) | 1<<u[3]
	big[0] = big[0]*big[1] + math.MaxUint64
	big[1] = big[1]>>3 | big[1]<<61
	big[2] = math.Float64bits(f[0])
	f[0] = max(f[0], 1, f[1]) - min(f[2], float64(*g))
	n[0] = min(n[0], 100)
	whole, frac := math.Modf(f[1])
	_, exp := math.Frexp(f[2])
	f[1], f[2] = frac+float64(exp), whole
	f[3] = math.Sqrt(math.Abs(f[3])) * semScale
}

type semSpin complex128

func (s *semSpin) turn(by complex128) complex128 {
	*s *= semSpin(by)
	return complex128(*s)
}

func semComplex(z *[4]complex128, w *[2]complex64, s *semSpin, f *[3]float64, n *int32) {
	z[0] = z[1]*z[2] - z[0]
	z[1] += z[0] + 2i
	z[2] -= z[2] * z[2]
	z[3] = -z[3] * complex(f[0], 1)
	z[3]++
	z[1] *= z[1]
	f[1] = real(z[0]) + imag(z[1]*z[2])
	w[0] = w[0]*w[1] + complex64(z[0])
	w[1], w[0] = w[0]-0.1i, complex(float32(f[2]), imag(w[1]))
	z[0] += complex128(w[0])
	if z[0] != z[1] && w[0] != w[1] {
		*n += 3
	}
	if z[2] == complex(real(z[2]), imag(z[2])) || z[3] == 1+2i {
		*n *= 5
	}
	z[2] = s.turn(z[0]) + s.turn(1i)
	const half = 0.5 + 1i
	total := complex128(half)
	for _, v := range z {
		total += v * half
	}
	z[3] = total
}

// semQuotients divides what random bits make: zeros, infinities and numbers that are none too.
func semQuotients(z *[3]complex128, w *[2]complex64, n *[6]uint8) {
	special := [8]float64{0, 1, -2.5, 3e300, -1e-300, 1 / semZero(n), -1 / semZero(n), semZero(n) / semZero(n)}
	a := complex(special[n[0]&7], special[n[1]&7])
	b := complex(special[n[2]&7], special[n[3]&7])
	z[0] /= z[1]
	z[1] = semKnown(a / b)
	z[2] = semKnown(z[2] / b)
	w[0] = w[0] / w[1]
	w[1] /= 3 - 4i
}

func semZero(n *[6]uint8) float64 { return float64(n[4] / 255) }

// semKnown replaces NaN, whose bits are not defined.
func semKnown(z complex128) complex128 {
	re, im := real(z), imag(z)
	if re != re {
		re = -77
	}
	if im != im {
		im = -77
	}
	return complex(re, im)
}
