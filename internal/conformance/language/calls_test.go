//lint:file-ignore SA4000,SA4017 calls are repeated and dropped on purpose

package language_test

// Calls: their order, several results, pointers.

// tick counts up, and so shows the order of calls.
func tick(at *int64) int64 {
	*at = *at*2 + 1
	return *at
}

func add10(at *int64, by int64) int64 {
	*at = *at*10 + by
	return *at & 3
}

func divmod(x, y int64) (q, rest int64) {
	if y == 0 {
		return 0, x
	}
	return x / y, x % y
}

func three(at *int64) (int64, float64, [2]int64) {
	tick(at)
	return *at, float64(*at) / 2, [2]int64{*at, -*at}
}

func sum3(x, y, z int64) int64 { return x + 10*y + 100*z }

func order(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	s := a[0] & 7
	r[0] = tick(&s) + 10*tick(&s)*tick(&s)
	r[1] = sum3(tick(&s), tick(&s), tick(&s))
	var v [4]int64
	v[add10(&s, 1)] = add10(&s, 2)
	r[2], r[3] = v[0]+10*v[1]+100*v[2]+1000*v[3], s
	s &= 0xffff
	v[add10(&s, 1)] += 5 * add10(&s, 2)
	v[add10(&s, 3)]++
	v[add10(&s, 1)] *= 3
	r[4] = v[0] + 10*v[1] + 100*v[2] + 1000*v[3]
	var w [4]uint8
	w[add10(&s, 2)] += 200
	w[add10(&s, 3)] -= 100
	w[add10(&s, 1)] <<= 1
	w[add10(&s, 1)] |= uint8(add10(&s, 2))
	r[5] = int64(w[0]) + int64(w[1])<<8 + int64(w[2])<<16 + int64(w[3])<<24
	r[6] = s
	if add10(&s, 1) > 1 && add10(&s, 2) > 1 || add10(&s, 3) > 1 {
		r[7] = 1
	} else if add10(&s, 4) > 0 {
		r[7] = 2
	}
	r[8] = s
	both := add10(&s, 1) > 0 && add10(&s, 2) > 0
	neither := !(add10(&s, 2) > 0 || add10(&s, 3) > 0)
	if both != neither {
		r[9] = s
	}
	p := pair{add10(&s, 1), add10(&s, 2)}
	q := [3]int64{2: add10(&s, 3), 0: add10(&s, 4)}
	r[10] = p.a + 10*p.b + 100*q[0] + 1000*q[2]
	switch add10(&s, 1) {
	case add10(&s, 2):
		r[11] = 1
	case 3, add10(&s, 3):
		r[11] = 2
	default:
		r[11] = 3
	}
	r[12] = s
	s = 0
	for i := int64(0); i < 3 && tick(&s) < 20; i += tick(&s) & 1 {
		r[13] += s
	}
	for i := range tick(&s) & 3 {
		r[14] += i + s
	}
	_ = tick(&s)
	tick(&s)
	r[15] = -tick(&s) + int64(int8(tick(&s))) - min(tick(&s), tick(&s), 5)
}

func results(a *[6]int64, _ *[6]float64, r *[16]int64, y *[16]float64) {
	q, rest := divmod(a[0], a[1])
	r[0], r[1] = q, rest
	q, _ = divmod(rest, 3)
	_, rest = divmod(a[0], 7)
	r[2], r[3] = q, rest
	r[4], r[5] = divmod(divmod(a[0], 10))
	q, more := divmod(q+100, 9) // one old, one new
	r[6] = q*10 + more
	s := int64(1)
	i, f, p := three(&s)
	r[7], y[0], r[8] = i, f, p[1]
	_, _, p = three(&s)
	r[9] = p[0] + s
	v := [3]int64{5, 6, 7}
	v[0], v[v[0]&1] = divmod(a[2], 4)
	r[10] = v[0] + 100*v[1] + 10000*v[2]
	k := int64(0)
	k, v[k] = divmod(a[3], 3) // the index is that from before
	r[11] = k + 100*v[0]
	//lint:ignore SA4017 a call for nothing is what is tested
	divmod(1, 2)
	_, _ = divmod(3, 4)
	r[12] = both(divmod(a[4], 5))
	r[13], r[14] = forward(a[5])
}

func both(q, rest int64) int64 { return q*1000 + rest }

func forward(x int64) (int64, int64) { return divmod(x, 11) }

func parallel(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	x, y, z := a[0], a[1], a[2]
	x, y = y, x
	r[0], r[1] = x, y
	x, y, z = z, x+y, x-y
	r[2], r[3], r[4] = x, y, z
	v := [4]int64{0, 1, 2, 3}
	i := 1
	i, v[i] = 2, 50 // v[1]
	r[5] = v[1] + 100*v[2]
	v[0], v[1], v[2], v[3] = v[3], v[2], v[1], v[0]
	r[6] = v[0] + 10*v[1] + 100*v[2] + 1000*v[3]
	v[i], i = int64(i), 3 // v[2]
	r[7] = v[2] + 10*int64(i)
	v[v[3]&3], v[3] = v[3]+1, v[0]
	r[8] = v[0] + 10*v[1] + 100*v[2] + 1000*v[3]
	x, x = 1, 2 // from left to right
	r[9] = x
	var m [2][2]int64
	m[0], m[1], x = [2]int64{1, 2}, [2]int64{3, m[0][0]}, m[1][1]+5
	r[10] = m[0][0] + 10*m[0][1] + 100*m[1][0] + 1000*m[1][1] + x
	m[0], m[1] = m[1], m[0]
	m[0][0], m[0][1] = m[0][1], m[0][0]
	r[11] = m[0][0] + 10*m[0][1] + 100*m[1][0] + 1000*m[1][1]
	p := pair{1, 2}
	p.a, p.b = p.b, p.a
	p.a, p = 7, pair{p.b, p.a} // p is set last
	r[12] = p.a*10 + p.b
	b, c := x > 0, y > 0
	b, c = !c, b || c
	if b != c {
		r[13] = 1
	}
	s := int64(3)
	x, y = tick(&s), tick(&s)
	r[14], r[15] = x, y
}

func pointers(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	v := a[0]
	twice(&v)
	r[0] = v
	w := [3]int64{1, 2, a[1]}
	twice(&w[a[2]&1])
	rotate(&w)
	r[1] = w[0] + 100*w[1] + 10000*w[2]
	m := [2][3]int64{{1, 2, 3}, {4, 5, 6}}
	rotate(&m[1])
	assign(&m[0], &m[1])
	assign(&m[1], &m[1]) // the same twice
	r[2] = m[0][0] + 10*m[0][1] + 100*m[1][2]
	accumulateInto(&v, &v) // two names for one variable
	r[3] = v
	accumulateInto(&m[0][0], &m[0][1])
	r[4] = m[0][0]
	p := pair{a[3], 4}
	exchange(&p.a, &p.b)
	r[5], r[6] = p.a, p.b
	c := [2]pair{{1, 2}, p}
	flip(&c[1])
	flip(&c[0])
	r[7] = c[0].a*10 + c[1].b
	r[8] = inner(&m, 1)
	twice(&r[9])
	r[9] += 3
	twice(&r[9])
	half(&y[0], &x[0])
	half(&y[1], &y[0])
	exchange(&r[10], &r[9])
	r[11] = lastOf(&w)
	var t uint8 = 200
	bump(&t)
	r[12] = int64(t)
	fill(&m, w)
	r[13] = m[1][2] - m[0][0]
}

func twice(p *int64) { *p *= 2 }

func rotate(p *[3]int64) {
	p[0], p[1], p[2] = p[1], p[2], p[0]
}

func assign(to, from *[3]int64) { *to = *from }

func accumulateInto(to, from *int64) {
	*to += *from
	*to += *from
}

func exchange(p, q *int64) { *p, *q = *q, *p }

func flip(p *pair) { *p = pair{p.b, p.a} }

func inner(m *[2][3]int64, i int) int64 {
	rotate(&m[i])
	(*m)[1-i][0] = 77
	row := m[1-i]
	row[1] = 5
	return lastOf(&m[i]) + row[0] + m[1-i][1]
}

func lastOf(p *[3]int64) int64 { return p[len(p)-1] }

func half(to, from *float64) { *to = *from / 2 }

func bump(p *uint8) {
	*p += 100
	*p++
}

func fill(m *[2][3]int64, row [3]int64) {
	for i := range m {
		row[i] += 5
		m[i] = row
	}
}

// indices uses subscripts of all types, in range or not.
func indices(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	v := [8]int64{1, 2, 3, 4, 5, 6, 7, 8}
	r[0] = v[uint8(a[0])&7] + v[int8(a[0])&3]
	r[1] = v[a[0]&7^1] + v[7-a[0]&7]
	for i := range v {
		r[2] += v[len(v)-1-i] * v[i]
	}
	for i := 1; i < len(v); i++ {
		v[i] += v[i-1]
	}
	r[3] = v[7]
	if i := a[1]; 0 <= i && i < 8 {
		r[4] = v[i]
	}
	k := a[2]
	if k < 0 {
		k = -k
	}
	r[5] = v[k%8] // -k may be negative still
}

func indexFaults(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	v := [5]int64{1, 2, 3, 4, 5}
	r[0] = v[a[0]%6]
	r[1] = v[uint8(a[1])%7]
	v[int8(a[2])&7]++
	m := [2][3]int64{}
	m[a[3]&3][1] = 3
	m[1][a[4]&3] = 4
	r[2] = m[1][1] + v[0]
}

func indexHuge(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	v := [5]int64{1, 2, 3, 4, 5}
	r[0] = v[uint64(a[0])>>(a[2]&63)]
	r[1] = v[uint32(a[1])%9]
}
