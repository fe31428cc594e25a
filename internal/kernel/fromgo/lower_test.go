package fromgo

import (
	"strings"
	"testing"
)

// lowerings are sources of a kernel k, without the package clause, and the dump of the lowered
// kernel.
var lowerings = []struct{ name, source, want string }{
	{"constants are folded exactly", `
const gam = 1.4
const gm1 = gam - 1
const (
	a = iota * 2
	b
)
type real float32
func k(p *float64, q *float32, n *int32) {
	*p = gm1 * math.Pi
	*q = 0.1
	*n = b<<3 + 'a'
	*p += math.MaxFloat64
	*q = float32(real(1) / 3)
	*p *= 1 << 3
}
`, `
func k(p *float64, q *float32, n *int32) {
	*p = 1.2566370614359172
	*q = 0.1'float32
	*n = 113'int32
	*p += 1.7976931348623157e+308
	*q = 0.33333334'float32
	*p *= 8.0
}
`},
	{"operators", `
func k(i *int64, u *uint8, p *float64, b *[2]int32) {
	n := *i
	n = n&^3 | n<<2 ^ n>>u2(*u)
	n &^= 7
	n <<= *u
	n %= -n
	*u = ^*u + +1
	less := *p < 1 && !(n >= 2 || n != 3)
	if less == (n > 0) {
		b[0]--
	}
	b[1]++
}
func u2(u uint8) uint8 { return u & 1 }
`, `
func u2(u uint8) (uint8) {
	return (u & 1'uint8)
}
func k(i *int64, u *uint8, p *float64, b *[2]int32) {
	var n int64 = *i
	n = (((n &^ 3) | (n << 2)) ^ (n >> u2(*u)))
	n &^= 7
	n <<= *u
	n %= -n
	*u = (^*u + 1'uint8)
	var less bool = ((*p < 1.0) && !((n >= 2) || (n != 3)))
	if (less == (n > 0)) {
		b[0] -= 1'int32
	}
	b[1] += 1'int32
}
`},
	{"accumulation is found", `
func k(p *[4]float64, x *float64) {
	p[0] = p[0] + *x
	p[1] = *x + p[1]
	p[2] = p[2] - *x
	p[3] = *x - p[3]
	(*p)[0] = p[0] + p[1] + *x
	*x = *x * 2
	i := 1
	p[i] = *x*3 + p[i]
	p[i+1] = p[i] + *x
}
`, `
func k(p *[4]float64, x *float64) {
	p[0] += *x
	p[1] += *x
	p[2] -= *x
	p[3] = (*x - p[3])
	p[0] = ((p[0] + p[1]) + *x)
	*x = (*x * 2.0)
	var i int64 = 1
	p[i] += (*x * 3.0)
	p[(i + 1)] = (p[i] + *x)
}
`},
	{"conversions", `
type real float64
func k(p *float64, n *int32, f *float32) {
	*p = float64(*n) + float64(real(*p))
	*n = int32(*p) + int32(int8(*n))
	*p = float64(*p**p) + *p
	*p = float64(-(*p * 2)) + float64(math.Sqrt(*p)) + float64(float64(*n))
	*f = float32(*p) * float32(*f)
	u := uint8(300 & 0xff)
	*n += int32(u)
}
`, `
func k(p *float64, n *int32, f *float32) {
	*p = (float64(*n) + float64(*p))
	*n = (int32(*p) + int32(int8(*n)))
	*p += float64((*p * *p))
	*p = ((float64(-(*p * 2.0)) + math.Sqrt(*p)) + float64(*n))
	*f = (float32(*p) * float32(*f))
	var u uint8 = 44'uint8
	*n += int32(u)
}
`},
	{"math", `
func k(p *float64, n *int, f *float32) {
	*p = math.Sqrt(math.Abs(*p)) + math.Pow(*p, 2) + math.Inf(1)
	*p = max(*p, 0, math.Min(*p, 3))
	*n = min(*n, 7)
	*f = min(1, *f)
	frac, exp := math.Frexp(*p)
	_, *p = math.Sincos(frac)
	*n += exp
	*p = max(*p)
	if math.IsNaN(*p) {
		*f = math.Float32frombits(math.Float32bits(*f) ^ 1)
	}
}
`, `
func k(p *float64, n *int64, f *float32) {
	*p = ((math.Sqrt(math.Abs(*p)) + math.Pow(*p, 2.0)) + math.Inf(1))
	*p = math.max(*p, 0.0, math.Min(*p, 3.0))
	*n = math.min(*n, 7)
	*f = math.min(1.0'float32, *f)
	var frac float64
	var exp int64
	do frac, exp = math.Frexp(*p)
	var r float64
	do _, r = math.Sincos(frac)
	*p = r
	*n += exp
	*p = *p
	if math.IsNaN(*p) {
		*f = math.Float32frombits((math.Float32bits(*f) ^ 1'uint32))
	}
}
`},
	{"short forms of pointers", `
func k(p *[2][4]float64, x *float64) {
	(*p)[0][1] = (*p)[1][0]
	row(&p[1], &(*p)[0], &p[0][2], x, &*x)
	both(p)
	*&*x = 1
	q := *p
	row(&q[1], &q[0], &q[0][0], x, x)
	*p = q
	p[0] = q[1]
}
func row(a, b *[4]float64, c, d, e *float64) { a[0] = b[0] + *c + *d + *e }
func both(p *[2][4]float64)                  { p[0] = p[1] }
`, `
func row(a *[4]float64, b *[4]float64, c *float64, d *float64, e *float64) {
	a[0] = (((b[0] + *c) + *d) + *e)
}
func both(p *[2][4]float64) {
	p[0] = p[1]
}
func k(p *[2][4]float64, x *float64) {
	p[0][1] = p[1][0]
	do row(&p[1], &p[0], &p[0][2], x, x)
	do both(p)
	*x = 1.0
	var q [2][4]float64 = *p
	do row(&q[1], &q[0], &q[0][0], x, x)
	*p = q
	p[0] = q[1]
}
`},
	{"arrays and composite literals", `
type vec [3]float64
func k(p *[3]float64) {
	a := vec{1, 2: p0(p)}
	var b vec
	b = vec{}
	b = vec{a[1], a[0]}
	c := [...][2]float64{{1, 2}, 1: {a[0]}}
	d := [2]vec{a, {4}}
	*p = sum(a, vec{7}, d[0])
	p[0] = [2]float64{c[0][1], 2}[1] + float64(len(c)+cap(d))
	_ = b
}
func p0(p *[3]float64) (r float64) { return p[0] }
func sum(a, b, c vec) [3]float64 {
	for i := range a {
		a[i] += b[i] + c[i]
	}
	return a
}
`, `
func p0(p *[3]float64) (float64) {
	return p[0]
}
func sum(a [3]float64, b [3]float64, c [3]float64) ([3]float64) {
	loop1: for var i int64 = 0; (i < 3); i += 1 {
		a[i] += (b[i] + c[i])
	}
	return a
}
func k(p *[3]float64) {
	var a [3]float64 = [3]float64{1.0, zero, p0(p)}
	var b [3]float64
	b = [3]float64{zero, zero, zero}
	var t [3]float64 = [3]float64{a[1], a[0], zero}
	b = t
	var c [2][2]float64 = [2][2]float64{[2]float64{1.0, 2.0}, [2]float64{a[0], zero}}
	var d [2][3]float64
	d[0] = a
	d[1][0] = 4.0
	var t2 [3]float64 = [3]float64{7.0, zero, zero}
	var r [3]float64
	do r = sum(a, t2, d[0])
	*p = r
	var t3 [2]float64 = [2]float64{c[0][1], 2.0}
	p[0] = (t3[1] + 4.0)
}
`},
	{"structs", `
type point struct{ x, y float64 }
type box struct {
	point
	size [2]float64
	_    int8
}
func k(p *[2]float64) {
	b := box{point: point{x: p[0]}, size: *p}
	b.y = b.point.x
	grow(&b, &b.size)
	c := b
	c.size[1] = mirror(c.point).x
	var local struct{ on bool }
	local.on = p[0] > 0
	if local.on {
		p[0] = area(box{size: [2]float64{1, 2}})
	}
	type pair point
	p[1] = pair(mirror(point{1, 2})).y
}
func grow(b *box, s *[2]float64) { b.size[0] += s[1]; (*b).x = 1 }
func mirror(p point) point       { return point{p.y, p.x} }
func area(b box) float64         { return b.size[0] * b.size[1] }
`, `
type point struct{ x float64; y float64 }
type box struct{ point point; size [2]float64; _2 int8 }
type fields struct{ on bool }
func grow(b *box, s *[2]float64) {
	b.size[0] += s[1]
	b.point.x = 1.0
}
func mirror(p point) (point) {
	var t point = point{p.y, p.x}
	return t
}
func area(b box) (float64) {
	return (b.size[0] * b.size[1])
}
func k(p *[2]float64) {
	var b box
	b.point.x = p[0]
	b.size = *p
	b.point.y = b.point.x
	do grow(&b, &b.size)
	var c box = b
	var r point = mirror(c.point)
	c.size[1] = r.x
	var local fields
	local.on = (p[0] > 0.0)
	if local.on {
		var t box = box{zero, [2]float64{1.0, 2.0}, zero}
		p[0] = area(t)
	}
	var t2 point = point{1.0, 2.0}
	var r2 point = mirror(t2)
	p[1] = r2.y
}
`},
	{"consts", `
var gam, cfl float64
var qinf [4]float64
var table [2][3]int32
var unused []string
const n = len(table)
func k(p *[4]float64) {
	p[0] = gam * qinf[1] * float64(table[n-1][0])
	p[1] = dot(&qinf, p) + first(qinf)
	for i, q := range qinf {
		p[i] -= q
	}
}
func dot(a, b *[4]float64) float64 { return a[0] * b[0] }
func first(a [4]float64) float64   { return a[0] }
`, `
const gam float64
const qinf [4]float64
const table [2][3]int32
func dot(a *[4]float64, b *[4]float64) (float64) {
	return (a[0] * b[0])
}
func first(a [4]float64) (float64) {
	return a[0]
}
func k(p *[4]float64) {
	p[0] = ((gam * qinf[1]) * float64(table[1][0]))
	var copy [4]float64 = qinf
	var copy2 [4]float64 = qinf
	p[1] = (dot(&copy, p) + first(copy2))
	loop1: for var i int64 = 0; (i < 4); i += 1 {
		var q float64 = qinf[i]
		p[i] -= q
	}
}
`},
	{"if and else", `
func k(p *float64, n *int) {
	if x := *p; x > 1 {
		*n = 1
	} else if y := x * x; y > 2 {
		*n = 2
	} else if *n == 0 {
		*n = 3
	} else {
		*n = 4
	}
	if *n > 2 {
	} else if *n > 3 {
		*n = 0
	}
}
`, `
func k(p *float64, n *int64) {
	{
		var x float64 = *p
		if (x > 1.0) {
			*n = 1
		} else {
			var y float64 = (x * x)
			if (y > 2.0) {
				*n = 2
			} else if (*n == 0) {
				*n = 3
			} else {
				*n = 4
			}
		}
	}
	if (*n > 2) {
	} else if (*n > 3) {
		*n = 0
	}
}
`},
	{"shadowing", `
func k(p *[2]float64) {
	x := p[0]
	{
		x := x + 1
		p[1] = x
		x++
	}
	if x := 2; x > 1 {
		p[0] = float64(x)
	}
	x, y := x+2, x
	p[0] = x + y
}
`, `
func k(p *[2]float64) {
	var x float64 = p[0]
	{
		var x2 float64 = (x + 1.0)
		p[1] = x2
		x2 += 1.0
	}
	{
		var x3 int64 = 2
		if (x3 > 1) {
			p[0] = float64(x3)
		}
	}
	var y float64 = x
	x += 2.0
	p[0] = (x + y)
}
`},
	{"for loops", `
func k(p *[8]float64) {
	for i := 0; i < 8; i++ {
		p[i] = 0
	}
	i := 0
	for i < 4 {
		i += 2
	}
	for {
		i++
		if i > 10 {
			break
		}
	}
	for ; i > 0; i-- {
		p[0]++
	}
	var j int
	for j = 3; ; {
		j++
		return
	}
}
`, `
func k(p *[8]float64) {
	loop1: for var i int64 = 0; (i < 8); i += 1 {
		p[i] = 0.0
	}
	var i2 int64 = 0
	loop2: for ; (i2 < 4);  {
		i2 += 2
	}
	loop3: for ; ;  {
		i2 += 1
		if (i2 > 10) {
			break loop3
		}
	}
	loop4: for ; (i2 > 0); i2 -= 1 {
		p[0] += 1.0
	}
	var j int64
	loop5: for j = 3; ;  {
		j += 1
		return
	}
}
`},
	{"range", `
func k(p *[2][4]float64, n *int32) {
	for i := range 4 {
		p[0][i] = 1
	}
	for range *n {
		p[0][0]++
	}
	for i := range *n {
		i *= 2
		*n += i
	}
	for i, row := range p {
		for j := range row {
			p[i][j] = row[j]
		}
		for _, x := range row {
			p[0][0] += x
		}
	}
	for _, x := range p[0] {
		p[1][0] += x
	}
	var i int8
	for i = range 10 {
		*n += int32(i)
	}
	for _ = range p {
		*n++
	}
}
`, `
func k(p *[2][4]float64, n *int32) {
	loop1: for var i int64 = 0; (i < 4); i += 1 {
		p[0][i] = 1.0
	}
	{
		var n2 int32 = *n
		loop2: for var i2 int32 = 0'int32; (i2 < n2); i2 += 1'int32 {
			p[0][0] += 1.0
		}
	}
	{
		var n3 int32 = *n
		loop3: for var i3 int32 = 0'int32; (i3 < n3); i3 += 1'int32 {
			var i4 int32 = i3
			i4 *= 2'int32
			*n += i4
		}
	}
	loop4: for var i5 int64 = 0; (i5 < 2); i5 += 1 {
		var row [4]float64 = p[i5]
		loop5: for var j int64 = 0; (j < 4); j += 1 {
			p[i5][j] = row[j]
		}
		loop6: for var i6 int64 = 0; (i6 < 4); i6 += 1 {
			var x float64 = row[i6]
			p[0][0] += x
		}
	}
	{
		var copy [4]float64 = p[0]
		loop7: for var i7 int64 = 0; (i7 < 4); i7 += 1 {
			var x2 float64 = copy[i7]
			p[1][0] += x2
		}
	}
	var i8 int8
	loop8: for var i9 int8 = 0'int8; (i9 < 10'int8); i9 += 1'int8 {
		i8 = i9
		*n += int32(i8)
	}
	loop9: for var i10 int64 = 0; (i10 < 2); i10 += 1 {
		*n += 1'int32
	}
}
`},
	{"range over a copy", `
func k(p *[4]float64) {
	a := *p
	for i, x := range a {
		a[3-i] = x
	}
	for i, x := range &a {
		a[3-i] = x
	}
	for i, x := range a {
		p[i] = x
	}
	for i, x := range *p {
		p[3-i] += x
	}
	var x float64
	i := 0
	for i, x = range a {
		p[i] = x
	}
	var w [1]int
	for w[0], x = range made() {
	}
	b := [2][2]float64{}
	for _, y := range b[i] {
		i = int(y)
	}
	for _, y := range &b[i] {
		i = int(y)
	}
}
func made() [4]float64 { return [4]float64{1} }
`, `
func made() ([4]float64) {
	return [4]float64{1.0, zero, zero, zero}
}
func k(p *[4]float64) {
	var a [4]float64 = *p
	{
		var copy [4]float64 = a
		loop1: for var i int64 = 0; (i < 4); i += 1 {
			var x float64 = copy[i]
			a[(3 - i)] = x
		}
	}
	loop2: for var i2 int64 = 0; (i2 < 4); i2 += 1 {
		var x2 float64 = a[i2]
		a[(3 - i2)] = x2
	}
	loop3: for var i3 int64 = 0; (i3 < 4); i3 += 1 {
		var x3 float64 = a[i3]
		p[i3] = x3
	}
	{
		var copy2 [4]float64 = *p
		loop4: for var i4 int64 = 0; (i4 < 4); i4 += 1 {
			var x4 float64 = copy2[i4]
			p[(3 - i4)] += x4
		}
	}
	var x5 float64
	var i5 int64 = 0
	{
		var copy3 [4]float64 = a
		loop5: for var i6 int64 = 0; (i6 < 4); i6 += 1 {
			i5 = i6
			x5 = copy3[i6]
			p[i5] = x5
		}
	}
	var w [1]int64
	{
		var r [4]float64
		do r = made()
		var copy4 [4]float64 = r
		loop6: for var i7 int64 = 0; (i7 < 4); i7 += 1 {
			w[0] = i7
			x5 = copy4[i7]
		}
	}
	var b [2][2]float64 = [2][2]float64{zero, zero}
	{
		var copy5 [2]float64 = b[i5]
		loop7: for var i8 int64 = 0; (i8 < 2); i8 += 1 {
			var y float64 = copy5[i8]
			i5 = int64(y)
		}
	}
	{
		var i9 int64 = i5
		loop8: for var i10 int64 = 0; (i10 < 2); i10 += 1 {
			var y2 float64 = b[i9][i10]
			i5 = int64(y2)
		}
	}
}
`},
	{"switch", `
func k(n *int, p *float64) {
	switch *n {
	case 1, 2:
		*n = 0
	default:
		*n = 9
		fallthrough
	case 3:
		*n++
		break
	case 4:
	}
	switch x := *p; {
	case x > 1:
		*n = 1
	case x < 0, x == 0.5:
		*n = 2
	}
	switch *p {
	case 1, *p * 2:
		*n = 3
	}
	switch *n {
	case *n + 1:
	}
	switch true {
	case *n > 1:
		*n = 1
	}
	switch {
	}
}
`, `
func k(n *int64, p *float64) {
	switch1: switch *n {
	case 1, 2:
		*n = 0
	default:
		*n = 9
		fallthrough
	case 3:
		*n += 1
		break switch1
	case 4:
	}
	{
		var x float64 = *p
		switch2: switch {
		case (x > 1.0):
			*n = 1
		case (x < 0.0), (x == 0.5):
			*n = 2
		}
	}
	var tag float64 = *p
	switch3: switch tag {
	case 1.0, (*p * 2.0):
		*n = 3
	}
	var tag2 int64 = *n
	switch4: switch tag2 {
	case (*n + 1):
	}
	switch5: switch {
	case (*n > 1):
		*n = 1
	}
	switch6: switch {
	}
}
`},
	{"labels", `
func k(n *[3]int) {
outer:
	for i := range n {
	inner:
		for {
			switch {
			case i == 1:
				continue outer
			case i == 2:
				break outer
			case i == 3:
				break inner
			case i == 4:
				continue
			default:
				break
			}
			n[i]++
		}
	}
choice:
	switch {
	case n[0] > 0:
		for {
			break choice
		}
	}
}
`, `
func k(n *[3]int64) {
	loop1: for var i int64 = 0; (i < 3); i += 1 {
		loop2: for ; ;  {
			switch3: switch {
			case (i == 1):
				continue loop1
			case (i == 2):
				break loop1
			case (i == 3):
				break loop2
			case (i == 4):
				continue loop2
			default:
				break switch3
			}
			n[i] += 1
		}
	}
	switch4: switch {
	case (n[0] > 0):
		loop5: for ; ;  {
			break switch4
		}
	}
}
`},
	{"results", `
func k(p *[3]float64) {
	a, b := divmod(p[0], p[1])
	p[0], p[1] = divmod(a, b)
	_, p[2] = divmod(1, 2)
	divmod(3, 4)
	_ = p[0]
	_, _ = a, b
	var c, d = divmod(add(divmod(1, 2)))
	p[0], _ = named(c)
	p[1], p[2] = add(divmod(c, d))
}
func divmod(x, y float64) (float64, float64) { return math.Floor(x / y), math.Mod(x, y) }
func add(x, y float64) (float64, float64)    { return divmod(x+y, y) }
func named(x float64) (r float64, _ int) {
	r = x
	if x > 1 {
		return
	}
	return -x, 2
}
`, `
func divmod(x float64, y float64) (float64, float64) {
	return math.Floor((x / y)), math.Mod(x, y)
}
func add(x float64, y float64) (float64, float64) {
	var r float64
	var r2 float64
	do r, r2 = divmod((x + y), y)
	return r, r2
}
func named(x float64) (float64, int64) {
	var r float64
	var result int64
	r = x
	if (x > 1.0) {
		return r, result
	}
	return -x, 2
}
func k(p *[3]float64) {
	var a float64
	var b float64
	do a, b = divmod(p[0], p[1])
	var r float64
	var r2 float64
	do r, r2 = divmod(a, b)
	p[0] = r
	p[1] = r2
	var r3 float64
	do _, r3 = divmod(1.0, 2.0)
	p[2] = r3
	do _, _ = divmod(3.0, 4.0)
	var r4 float64
	var r5 float64
	do r4, r5 = divmod(1.0, 2.0)
	var r6 float64
	var r7 float64
	do r6, r7 = add(r4, r5)
	var c float64
	var d float64
	do c, d = divmod(r6, r7)
	var r8 float64
	do r8, _ = named(c)
	p[0] = r8
	var r9 float64
	var r10 float64
	do r9, r10 = divmod(c, d)
	var r11 float64
	var r12 float64
	do r11, r12 = add(r9, r10)
	p[1] = r11
	p[2] = r12
}
`},
	{"parallel assignment", `
func k(p *[4]int, x, y *int) {
	a, b := 1, 2.5
	*x, *y = *y, *x
	i, j := 0, 1
	i, p[i] = 2, 3
	p[i], p[j] = p[j], p[i]
	i, c := j, i
	p[p[0]], p[1] = 5, 6
	_, j = *x, c
	_, _ = a, b
}
`, `
func k(p *[4]int64, x *int64, y *int64) {
	var a int64 = 1
	var b float64 = 2.5
	var t int64 = *y
	var t2 int64 = *x
	*x = t
	*y = t2
	var i int64 = 0
	var j int64 = 1
	var i2 int64 = i
	i = 2
	p[i2] = 3
	var t3 int64 = p[j]
	var t4 int64 = p[i]
	p[i] = t3
	p[j] = t4
	var c int64 = i
	i = j
	var i3 int64 = p[0]
	p[i3] = 5
	p[1] = 6
	j = c
}
`},
	{"methods", `
type pressure float64
func (p pressure) pascal() float64 { return float64(p) }
type point struct{ X, Y float64 }
func (a point) plus(b point) point { return point{a.X + b.X, a.Y + b.Y} }
func (p *point) move(by float64) { p.X += by }
func (point) zero() float64 { return 0 }
type moved struct { N int; point }
var origin point
func k(p *point, q *[2]moved, r *pressure) {
	p.move(r.pascal())
	q[1].move(origin.zero())
	*p = q[0].plus((*p).plus(q[1].point))
	pressure(3).pascal()
}
`, `
const origin point
type point struct{ X float64; Y float64 }
type moved struct{ N int64; point point }
func point_move(p *point, by float64) {
	p.X += by
}
func pressure_pascal(p float64) (float64) {
	return float64(p)
}
func point_zero(receiver point) (float64) {
	return 0.0
}
func point_plus(a point, b point) (point) {
	var t point = point{(a.X + b.X), (a.Y + b.Y)}
	return t
}
func k(p *point, q *[2]moved, r *float64) {
	var r2 float64 = pressure_pascal(*r)
	do point_move(p, r2)
	var r3 float64 = point_zero(origin)
	do point_move(&q[1].point, r3)
	var r4 point = point_plus(*p, q[1].point)
	var r5 point = point_plus(q[0].point, r4)
	*p = r5
	do pressure_pascal(3.0)
}
`},
	{"impure calls become statements", `
func k(p *[4]float64, n *int) {
	p[0] = next(n) + p[1]*next(n)
	p[next2(n)] += next(n)
	p[1] = next(n)
	x := next(n)
	x = next(n)
	x += pure(n) + next(n) + pure(n)
	x = math.Sqrt(x) + next(n)
	p[2] = sum2(pure(n), next(n))
	if next(n) > 1 {
		return
	}
	if test(n) {
		return
	} else if !test(n) {
		p[0] = x
	}
	var y, z = next(n), pure(n)
	_, _ = y, z
	_ = next(n)
	_ = next(n) + 1
}
func next(n *int) float64      { *n++; return float64(*n) }
func next2(n *int) int         { *n++; return *n }
func test(n *int) bool         { *n++; return *n > 3 }
func pure(n *int) float64      { return float64(*n) }
func sum2(a, b float64) float64 { return a + b }
`, `
func next(n *int64) (float64) {
	*n += 1
	return float64(*n)
}
func next2(n *int64) (int64) {
	*n += 1
	return *n
}
func pure(n *int64) (float64) {
	return float64(*n)
}
func sum2(a float64, b float64) (float64) {
	return (a + b)
}
func test(n *int64) (bool) {
	*n += 1
	return (*n > 3)
}
func k(p *[4]float64, n *int64) {
	var r float64 = next(n)
	var r2 float64 = next(n)
	p[0] = (r + (p[1] * r2))
	var r3 int64 = next2(n)
	var r4 float64 = next(n)
	p[r3] += r4
	var r5 float64 = next(n)
	p[1] = r5
	var x float64 = next(n)
	x = next(n)
	var r6 float64 = pure(n)
	var r7 float64 = next(n)
	x += ((r6 + r7) + pure(n))
	var r8 float64 = math.Sqrt(x)
	var r9 float64 = next(n)
	x = (r8 + r9)
	var r10 float64 = pure(n)
	var r11 float64 = next(n)
	p[2] = sum2(r10, r11)
	var r12 float64 = next(n)
	if (r12 > 1.0) {
		return
	}
	if test(n) {
		return
	} else {
		var r13 bool = test(n)
		if !r13 {
			p[0] = x
		}
	}
	var r14 float64 = next(n)
	var y float64 = r14
	var z float64 = pure(n)
	do next(n)
	var r15 float64 = next(n)
}
`},
	{"impure calls in conditions", `
func k(n *int, p *float64) {
	if *n > 0 && test(n) || *p > 1 {
		*p = 1
	}
	ok := test(n) || test(n) && *n < 3
	if ok || pure(n) {
		*p = 2
	}
	for *n < 10 && test(n) {
		*p = 3
	}
	for test(n) {
		*p = 4
	}
	ok = (*p > 1 && pure(n)) == test(n)
}
func test(n *int) bool { *n++; return *n > 3 }
func pure(n *int) bool { return *n > 3 }
`, `
func test(n *int64) (bool) {
	*n += 1
	return (*n > 3)
}
func pure(n *int64) (bool) {
	return (*n > 3)
}
func k(n *int64, p *float64) {
	var cond bool = (*n > 0)
	if cond {
		cond = test(n)
	}
	if (cond || (*p > 1.0)) {
		*p = 1.0
	}
	var r bool = test(n)
	var cond2 bool = r
	if !cond2 {
		var r2 bool = test(n)
		cond2 = (r2 && (*n < 3))
	}
	var ok bool = cond2
	if (ok || pure(n)) {
		*p = 2.0
	}
	loop1: for ; ;  {
		var cond3 bool = (*n < 10)
		if cond3 {
			cond3 = test(n)
		}
		if !cond3 {
			break loop1
		}
		*p = 3.0
	}
	loop2: for ; test(n);  {
		*p = 4.0
	}
	var cond4 bool = (*p > 1.0)
	if cond4 {
		var r3 bool = pure(n)
		cond4 = r3
	}
	var r4 bool = test(n)
	ok = (cond4 == r4)
}
`},
	{"loops that need statements", `
func k(n *int, p *[4]float64) {
	for i, j := 0, 3; i < j; i, j = i+1, j-1 {
		if p[i] > 1 {
			continue
		}
		p[i], p[j] = p[j], p[i]
	}
loop:
	for i := 0; step(&i) > step(n); step(&i) {
		for range 3 {
			continue loop
		}
		switch {
		case i > 3:
			continue
		}
	}
}
func step(n *int) int { *n++; return *n }
`, `
func step(n *int64) (int64) {
	*n += 1
	return *n
}
func k(n *int64, p *[4]float64) {
	{
		var i int64 = 0
		var j int64 = 3
		loop1: for ; (i < j);  {
			if (p[i] > 1.0) {
				var t int64 = (i + 1)
				var t2 int64 = (j - 1)
				i = t
				j = t2
				continue loop1
			}
			var t3 float64 = p[j]
			var t4 float64 = p[i]
			p[i] = t3
			p[j] = t4
			var t5 int64 = (i + 1)
			var t6 int64 = (j - 1)
			i = t5
			j = t6
		}
	}
	loop2: for var i2 int64 = 0; ;  {
		var r int64 = step(&i2)
		var r2 int64 = step(n)
		if !(r > r2) {
			break loop2
		}
		loop3: for var i3 int64 = 0; (i3 < 3); i3 += 1 {
			do step(&i2)
			continue loop2
		}
		switch4: switch {
		case (i2 > 3):
			do step(&i2)
			continue loop2
		}
		do step(&i2)
	}
}
`},
	{"switch on impure calls", `
func k(n *int) {
	switch step(n) {
	case 1:
		*n = 5
	}
	switch step(n) + 1 {
	case 0, step(n):
		*n = 1
		fallthrough
	case 7:
		*n = 2
	default:
		*n = 3
	}
	switch {
	case step(n) > 3:
		*n = 0
	case *n == 2:
		break
	}
}
func step(n *int) int { *n++; return *n }
`, `
func step(n *int64) (int64) {
	*n += 1
	return *n
}
func k(n *int64) {
	switch1: switch step(n) {
	case 1:
		*n = 5
	}
	var r int64 = step(n)
	var tag int64 = (r + 1)
	var sel int64 = -1
	if (sel < 0) {
		if (tag == 0) {
			sel = 0
		}
	}
	if (sel < 0) {
		var r2 int64 = step(n)
		if (tag == r2) {
			sel = 0
		}
	}
	if (sel < 0) {
		if (tag == 7) {
			sel = 1
		}
	}
	switch2: switch sel {
	case 0:
		*n = 1
		fallthrough
	case 1:
		*n = 2
	default:
		*n = 3
	}
	var sel2 int64 = -1
	if (sel2 < 0) {
		var r3 int64 = step(n)
		if (r3 > 3) {
			sel2 = 0
		}
	}
	if (sel2 < 0) {
		if (*n == 2) {
			sel2 = 1
		}
	}
	switch3: switch sel2 {
	case 0:
		*n = 0
	case 1:
		break switch3
	}
}
`},
	{"unnamed parameters", `
func k(_ *float64, _ *int, x *float64) { *x = f(1, 2) }
func f(int, float64) float64       { return 1 }
`, `
func f(arg0 int64, arg1 float64) (float64) {
	return 1.0
}
func k(arg0 *float64, arg1 *int64, x *float64) {
	*x = f(1, 2.0)
}
`},
	{"int for bits and shifts", `
func k(n *int, u *uint, s *uint8) {
	*n = 1 << *s
	*u = 1<<63 | *u>>*s
	*s = 1<<*s | *s<<3
	*n = int(-5) >> 1.0 << *n
}
`, `
func k(n *int64, u *uint64, s *uint8) {
	*n = (1 << *s)
	*u = (9223372036854775808'uint64 | (*u >> *s))
	*s = ((1'uint8 << *s) | (*s << 3))
	*n = (-3 << *n)
}
`},
	{"a struct by a pointer and as a value", `
type state struct {
	q  [2]float64
	ok bool
}
func k(q *[2]float64) {
	s := load(q)
	s.ok = load(q).ok && load(q).q[0] > 1
	t := [2]state{s, {ok: true}}
	store(q, t[1].q, &t[0])
}
func load(q *[2]float64) (s state) { s.q = *q; return }
func store(q *[2]float64, r [2]float64, s *state) {
	*q = s.q
	s.q = r
	*s = state{}
	*s = state{q: r}
}
`, `
type state struct{ q [2]float64; ok bool }
func load(q *[2]float64) (state) {
	var s state
	s.q = *q
	return s
}
func store(q *[2]float64, r [2]float64, s *state) {
	*q = s.q
	s.q = r
	*s = state{zero, zero}
	var t state
	t.q = r
	*s = t
}
func k(q *[2]float64) {
	var s state = load(q)
	var r state = load(q)
	var cond bool = r.ok
	if cond {
		var r2 state = load(q)
		cond = (r2.q[0] > 1.0)
	}
	s.ok = cond
	var t [2]state = [2]state{s, state{zero, true}}
	do store(q, t[1].q, &t[0])
}
`},
	{"blanks, shadowed names and results as arguments", `
func k(p, q *float64) {
	_ = p
	_, *q = q, 1
	_ = *p
	var _ float64
	len := 2
	math := 3.0
	*p = float64(len)*math + add(two())
	var a [2]float64
	for i := range pair() {
		a[i] = *p
	}
	a = pair()
	for _, x := range pair() {
		*q += x
	}
}
const two_ = 2
func two() (float64, [2]float64)             { return two_, [2]float64{1: 3} }
func add(x float64, y [2]float64) float64    { return x + y[1] }
func pair() [2]float64                       { return [2]float64{} }
`, `
func add(x float64, y [2]float64) (float64) {
	return (x + y[1])
}
func two() (float64, [2]float64) {
	return 2.0, [2]float64{zero, 3.0}
}
func pair() ([2]float64) {
	return [2]float64{zero, zero}
}
func k(p *float64, q *float64) {
	*q = 1.0
	var len int64 = 2
	var math float64 = 3.0
	var r float64
	var r2 [2]float64
	do r, r2 = two()
	*p = ((float64(len) * math) + add(r, r2))
	var a [2]float64
	{
		do _ = pair()
		loop1: for var i int64 = 0; (i < 2); i += 1 {
			a[i] = *p
		}
	}
	var r3 [2]float64
	do r3 = pair()
	a = r3
	{
		var r4 [2]float64
		do r4 = pair()
		loop2: for var i2 int64 = 0; (i2 < 2); i2 += 1 {
			var x float64 = r4[i2]
			*q += x
		}
	}
}
`},
	{"named results that no statement uses", `
func k(p, q *float64) { *p, *q = both(*p) }
func both(x float64) (a, b float64) {
	if x > 0 {
		return x, 1
	}
	b = x
	return 2, b
}
`, `
func both(x float64) (float64, float64) {
	var b float64
	if (x > 0.0) {
		return x, 1.0
	}
	b = x
	return 2.0, b
}
func k(p *float64, q *float64) {
	var r float64
	var r2 float64
	do r, r2 = both(*p)
	*p = r
	*q = r2
}
`},
}

func TestLowering(t *testing.T) {
	for _, test := range lowerings {
		t.Run(test.name, func(t *testing.T) {
			k, err := Parse("package p; import \"math\"; "+test.source).Kernel("k", "k.go", 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := dump(k); got != strings.TrimPrefix(test.want, "\n") {
				t.Errorf("got\n%s\nwant%s", got, test.want)
			}
		})
	}
}
