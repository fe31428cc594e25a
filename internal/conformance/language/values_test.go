package language_test

// Values: arrays and structs are copied when they are assigned, passed and returned.

type pair struct {
	a, b int64
}

type particle struct {
	position [3]float64
	id       int64
	spin     pair
	ends     [2]pair
	alive    bool
}

type tagged struct {
	pair
	tag uint8
}

func arrayCopies(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	p := [4]int64{a[0], a[1], 2, 3}
	q := p
	q[0] += 100
	r[0], r[1] = p[0], q[0]
	p, q = q, p
	r[2], r[3] = p[0], q[0]
	m := [3][4]int64{p, q, {3: 7, 1: a[2]}}
	m[0], m[1] = m[1], m[0]
	m[2][0], m[2][2] = m[2][1], m[0][0]
	r[4] = m[0][0] + 10*m[1][0] + 100*m[2][0] + 1000*m[2][2]
	m[1] = m[2]
	m[1][1]++
	r[5] = m[1][1] - m[2][1]
	row := m[int(a[3]&1)]
	row[0] = -1
	r[6] = m[0][0] + m[1][0]
	k := [...]int64{5: 1, 0: 2, 3}
	r[7] = int64(len(k)) + k[0]*10 + k[1]*100 + k[5]*1000
	r[8] = total(p) + total(m[1])
	r[9] = p[0]
	s := filled(a[1])
	s[1], s[2] = s[2], s[1]
	r[10] = s[0] + 10*s[1] + 100*s[2]
	s = filled(s[0] + 1)
	r[11] = s[0]
	var z [2][2][2]int64
	z[1][a[4]&1][1] = 5
	y := z
	y[1] = z[0]
	r[12] = z[1][0][1] + z[1][1][1] + y[1][1][1]
	p = [4]int64{p[3], p[2], p[1], p[0]}
	r[13] = p[0] + 10*p[1] + 100*p[2] + 1000*p[3]
	r[14] = [3]int64{4, 5, 6}[a[5]&1]
	r[15] = filled(a[0])[2]
}

// total changes its own copy.
func total(x [4]int64) int64 {
	x[0] += 1000
	return x[0] + x[1] + x[2] + x[3]
}

func filled(v int64) [3]int64 {
	return [3]int64{v, v + 1, v * 2}
}

func ranges(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	p := [4]int64{1, 2, 3, 4}
	for i, v := range p { // over p as it was
		p[3] = 100
		r[0] += v * int64(i+1)
	}
	q := [4]int64{1, 2, 3, 4}
	for i, v := range &q { // over q as it is
		q[3] = 100
		r[1] += v * int64(i+1)
	}
	for i := range a {
		r[2] += a[i] & 3 * int64(i)
	}
	for i, v := range x {
		if v > 0 {
			y[0] += v
		} else {
			y[1] = float64(i)
		}
		v = 7
		y[2] += v
	}
	m := [2][3]int64{{1, 2, 3}, {4, 5, 6}}
	for i, row := range m {
		row[0] = 50
		for j, v := range row {
			m[i][j] += v
		}
	}
	r[3] = m[0][0] + 100*m[0][1] + 10000*m[1][2]
	var i int
	var v int64
	for i, v = range p {
		if v == 2 {
			break
		}
	}
	r[4], r[5] = int64(i), v
	for i, p[i&3] = range [3]int64{7, 8, 9} {
	}
	r[6] = p[0] + 10*p[1] + 100*p[2]
	for range p {
		r[7]++
	}
	for _, w := range [2]pair{{1, 2}, {3, a[0]}} {
		r[8] += w.a * w.b
	}
	for k := range len(p) {
		p[k] = int64(k) * a[1]
	}
	r[9] = total(p)
	for i := range p {
		for _, v := range p {
			if v > p[i] {
				p[i] = v
			}
		}
	}
	r[10] = p[0]
}

func structs(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	p := pair{a[0], a[1]}
	q := p
	q.a++
	p, q = q, p
	r[0], r[1] = p.a, q.a
	one := particle{position: [3]float64{x[0], 1, 2}, id: 7, spin: p, alive: a[0] > 0}
	two := one
	two.position[1] = x[1]
	two.spin.b -= 5
	two.ends[1].a = 9
	one, two = two, one
	y[0], y[1] = one.position[1], two.position[1]
	r[2], r[3], r[4] = one.spin.b, two.spin.b, one.ends[1].a+two.ends[1].a
	if one.alive && !two.alive == false {
		r[5] = 1
	}
	crowd := [2]particle{one, {id: 3, ends: [2]pair{1: {b: 4}}}}
	crowd[0], crowd[1] = crowd[1], crowd[0]
	move(&crowd[a[2]&1], 0.5)
	r[6] = crowd[0].id + 10*crowd[1].id + 100*crowd[0].ends[1].b
	y[2], y[3] = crowd[0].position[0], crowd[1].position[0]
	t := tagged{pair{1, a[3]}, uint8(a[3])}
	t.a += t.b
	t.tag += 200
	r[7], r[8] = t.pair.a, int64(t.tag)
	t.pair = swapped(t.pair)
	r[9] = t.a
	s := mirror(one)
	y[4], y[5] = s.position[0], one.position[0]
	r[10] = mirror(s).spin.a
	one = particle{}
	r[11] = one.id + one.spin.a
	p = pair{b: p.a, a: p.b}
	r[12] = p.a - p.b
	p = pair{p.b, p.a}
	r[13] = p.a
	u := struct{ x, y int64 }{a[4], a[5]}
	u.x, u.y = u.y, u.x
	r[14] = u.x*3 + u.y
}

func move(p *particle, by float64) {
	for i := range p.position {
		p.position[i] += by
	}
	*p = particle{position: p.position, id: p.id + 1, spin: p.spin, ends: p.ends}
}

func swapped(p pair) pair {
	p.a, p.b = p.b, p.a
	return p
}

func mirror(p particle) particle {
	p.position[0], p.position[2] = p.position[2], p.position[0]
	p.spin = swapped(p.spin)
	return p
}

// shadows uses names that mean something else in an inner scope.
func shadows(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	v := a[0]
	{
		v := v + 1
		r[0] = v
		{
			v := v * 2
			v++
			r[1] = v
		}
		v++
		r[2] = v
	}
	r[3] = v
	if v := x[0]; v > 0 {
		v, w := -v, v
		y[0], y[1] = v, w
	} else {
		y[0] = v
	}
	for v := range int64(3) {
		v := v * v
		r[4] += v
	}
	v, w := v+1, v+2
	r[5], r[6] = v, w
	v, u := w, v // v is the old one, u is new
	r[7], r[8] = v, u
	r[9] = shadowed(a[1], a)
	{
		x, y := int64(3), int64(4)
		x, y = y, x
		r[10] = x*10 + y
	}
	type v2 struct{ v int64 }
	z := v2{v: v}
	r[11] = z.v
	len := 5
	r[12] = int64(len)
	true := false
	if true {
		r[13] = 1
	}
	const v3 = 7
	{
		const v3 = v3 + 1
		r[14] = v3
	}
}

func shadowed(v int64, p *[6]int64) int64 {
	p2 := *p
	if v > 0 {
		v := int64(1)
		p2[0] = v
	}
	return v + p2[0] + p[1]
}

type (
	meter float64
	node  int32
	row   [3]meter
)

func namedTypes(a *[6]int64, x *[6]float64, r *[16]int64, y *[16]float64) {
	length := meter(x[0])
	length *= 2
	n := node(a[0])
	n += 1 << 30
	line := row{length, 1, meter(n)}
	line[1] /= line[0]
	grid := [2]row{line}
	grid[1] = line
	grid[1][2]++
	y[0], y[1], y[2] = float64(length), float64(line[1]), float64(grid[1][2]-grid[0][2])
	r[0] = int64(n)
	b := bool(a[0] > 0)
	flags := [3]bool{b, !b}
	flags[2] = flags[0] != flags[1]
	if flags[2] && either(flags, 1) {
		r[1] = 1
	}
	b = b || flags[a[1]&1]
	if b {
		r[2] = 1
	}
}

func either(flags [3]bool, i int) bool { return flags[i] || flags[(i+1)%3] }

// comparisons compares arrays and structs value by value: zeros of both signs are equal, NaN is not equal to itself.
func comparisons(a *[6]int64, x *[6]float64, r *[16]int64, _ *[16]float64) {
	p, q := [3]float64{x[0], 0, x[1]}, [3]float64{x[0], -0 * x[0], x[1]}
	if p == q {
		r[0] = 1
	}
	q[2] = x[2]
	if p != q {
		r[1] = 2
	}
	s, t := particle{id: a[0], spin: pair{a[1] & 1, 2}}, particle{id: a[0], spin: pair{1, 2}}
	if s == t || s.ends != [2]pair{} {
		r[2] = 3
	}
	t.alive = true
	if s != t && filled(a[0]) == filled(1*a[0]) && [1]int64{a[0]} == [1]int64{a[1]} {
		r[3] = 4
	}
	m := [2][3]int64{filled(a[2]), filled(a[2] ^ a[3]&1)}
	for i := range 2 {
		if m[0] == m[(i+int(a[4]&1))&1] {
			r[4] += int64(i + 1)
		}
	}
}
