package conformance

import "math"

// The kernels of the suite: each does one thing that a backend may get wrong.

// One to five values for each element: direct, and through one component.

func dim1(direct, via, out, inc *float64) {
	*out = *direct + 2**via
	*inc += *direct
}

func dim2(direct, via, out, inc *[2]float64) {
	for d := range direct {
		out[d] = direct[d] + 2*via[d]
		inc[d] += direct[d]
	}
}

func dim3(direct, via, out, inc *[3]float64) {
	for d := range direct {
		out[d] = direct[d] + 2*via[d]
		inc[d] += direct[d]
	}
}

func dim4(direct, via, out, inc *[4]float64) {
	for d := range direct {
		out[d] = direct[d] + 2*via[d]
		inc[d] += direct[d]
	}
}

func dim5(direct, via, out, inc *[5]float64) {
	for d := range direct {
		out[d] = direct[d] + 2*via[d]
		inc[d] += direct[d]
	}
}

// All components of maps of one to five, with one to five values each.

func pack1x1(x *[1]float64, sum *float64, inc *[1]float64) {
	*sum = x[0]
	inc[0] += x[0]
}

func pack1x2(x *[1][2]float64, sum *[2]float64, inc *[1][2]float64) {
	*sum = x[0]
	inc[0][0] += x[0][0]
	inc[0][1] += x[0][1]
}

func pack2x1(x *[2]float64, sum *float64, inc *[2]float64) {
	*sum = x[0] + 2*x[1]
	inc[0] += x[0]
	inc[1] += x[1]
}

func pack2x2(x *[2][2]float64, sum *[2]float64, inc *[2][2]float64) {
	for d := range sum {
		sum[d] = x[0][d] + 2*x[1][d]
	}
	for i := range x {
		for d := range x[i] {
			inc[i][d] += x[i][d]
		}
	}
}

func pack2x5(x *[2][5]float64, sum *[5]float64, inc *[2][5]float64) {
	for d := range sum {
		sum[d] = x[0][d] + 2*x[1][d]
	}
	for i := range x {
		for d := range x[i] {
			inc[i][d] += x[i][d]
		}
	}
}

func pack3x1(x *[3]float64, sum *float64, inc *[3]float64) {
	*sum = 0
	for i, v := range x {
		*sum += float64(i+1) * v
		inc[i] += v
	}
}

func pack3x2(x *[3][2]float64, sum *[2]float64, inc *[3][2]float64) {
	*sum = [2]float64{}
	for i, row := range x {
		for d, v := range row {
			sum[d] += float64(i+1) * v
			inc[i][d] += v
		}
	}
}

func pack4x3(x *[4][3]float64, sum *[3]float64, inc *[4][3]float64) {
	*sum = [3]float64{}
	for i, row := range x {
		for d, v := range row {
			sum[d] += float64(i+1) * v
			inc[i][d] += v
		}
	}
}

func pack5x1(x *[5]float64, sum *float64, inc *[5]float64) {
	*sum = 0
	for i, v := range x {
		*sum += float64(i+1) * v
		inc[i] += v
	}
}

func pack5x4(x *[5][4]float64, sum *[4]float64, inc *[5][4]float64) {
	*sum = [4]float64{}
	for i, row := range x {
		for d, v := range row {
			sum[d] += float64(i+1) * v
			inc[i][d] += v
		}
	}
}

// Every way in which arguments arrive at once, for sets of all sizes.

func everyWay(a *float64, b *[2]float64, out *[2]float64, inc *[2]float64, all *[2][2]float64, count *int64, low *float64) {
	out[0] = *a + b[0]
	out[1] = all[0][0] - all[1][1]
	inc[0] += *a
	inc[1] -= b[1]
	*count += 1
	*low = min(*low, *a)
}

// What increments may look like: only += and -=, for which the data itself may be
// passed; and all else, which must find zero and be added.

func incAdds(v *float64, r *[2]float64) {
	r[0] += *v
	r[1] -= 2 * *v
	r[1] += 1
}

func incSets(v *float64, r *[2]float64) {
	r[0] = *v
	r[1] = -1
}

func incSees(v *float64, r *[2]float64) {
	r[0] += *v
	r[1] = 2*r[0] + 1 // twice v and 1, whatever was there
	r[0] *= 3
}

func incSometimes(v *float64, r *[2]float64) {
	if *v > 0 {
		r[0] = *v
		return
	}
	r[1] += 1
}

func incAllAdds(v *float64, r *[3][2]float64) {
	for i := range r {
		r[i][0] += *v
		r[i][1] -= float64(i)
	}
}

func incAllSets(v *float64, r *[3][2]float64) {
	for i := range r {
		r[i][0] = *v
		r[i][1] = float64(i)
	}
}

func incAllSees(v *float64, r *[3][2]float64) {
	r[0][0] += *v
	r[2][1] = r[0][0] + r[1][1] + 1 // v and 1, whatever was there
}

// One dat several times.

func neighbors(x, x0, x1, x2 *float64, sum *[2]float64) {
	sum[0] = *x
	sum[1] = *x0 + 10**x1 + 100**x2
}

func twiceAdds(v *float64, r0, r1 *[2]float64) {
	r0[0] += *v
	r1[0] += 2 * *v
	r1[1] -= 1
}

func twiceSets(v *float64, r0, r1 *[2]float64) {
	r0[0] = *v
	r1[0] = 2 * *v
	r1[1] = -1
}

func moveUnique(from, to *[2]float64, both *[2][2]float64) {
	to[0], to[1] = from[1], from[0]
	both[0], both[1] = both[1], both[0]
}

// The element's number.

func numbered(n *int, direct *[2]int64, via *int32, out *int64) {
	direct[0] = int64(*n)
	direct[1] = -3 * int64(*n)
	*via = int32(*n) + 1
	*out += int64(*n % 2)
}

// squares adds a function of the element's number.
func squares(n *int, sum *int64) {
	*sum += int64(*n**n + 1)
}

// bothWays adds to one dat directly and through a map.
func bothWays(v *float64, own, other *float64) {
	*own += *v
	*other -= 2 * *v
}

// Globals.

func reduce1(v *float64, scale *float64, sum, low, high *float64) {
	*sum += *scale * *v
	*low = min(*low, *v)
	*high = max(*high, *v)
}

func reduce3(v *[3]float64, scale *[3]float64, sum, low, high *[3]float64) {
	for d := range v {
		sum[d] += scale[d] * v[d]
		if v[d] < low[d] {
			low[d] = v[d]
		}
		high[d] = v[d]
	}
}

func reduceSets(v *float64, sum *float64, other *float64, count *[2]int32) {
	*sum = *v
	*other += 2 * *v
	count[0] = 1
	count[1] += 2
}

// Consts.

var (
	gain    = 2.0
	offsets = [3]float64{1, 2, 3}
	stencil = [2][2]int32{{1, 2}, {3, 4}}
	shift   uint8
)

func withConsts(v *float64, k *int32, out *[2]float64, bits *int32) {
	*out = [2]float64{gain * *v, gain}
	for _, o := range offsets {
		out[1] += o
	}
	*bits = stencil[*k&1][1] << shift
}

// Arithmetic whose results are not exact.

func rounded(x *[2]float64, low *float32, y *[3]float64, z *float32) {
	y[0] = math.Sqrt(float64(x[0]*x[0]) + float64(x[1]*x[1]))
	y[1] = x[0] / (1 + math.Abs(x[1]))
	y[2] = math.Floor(x[0]*7) + math.FMA(x[0], x[1], 1)
	*z = *low / 3
	*z = float32(*z**low) + *low
}

// products computes the rounding errors of products, by Dekker: every conversion rounds.
func products(x *[2]float64, y *[5]float64, z *float32) {
	a, b := x[0], x[1]
	p := a * b
	rounded := float64(p)
	y[0] = float64(a*b) - rounded
	y[1] = math.FMA(a, b, -rounded)
	aHigh, aLow := veltkamp(a)
	bHigh, bLow := veltkamp(b)
	y[2] = float64(aLow*bLow) - (((rounded - float64(aHigh*bHigh)) - float64(aLow*bHigh)) - float64(aHigh*bLow))
	y[3] = a
	y[3] += float64(squared(b))
	y[4] = float64(-(a * b)) + rounded
	f, g := float32(a), float32(b)
	*z = float32(f*g) - float32(squared32(g))
}

func squared(x float64) float64   { return x * x }
func squared32(x float32) float32 { return x * x }

// turned multiplies a complex number by 0.6 + 0.8i: sums and differences alternate.
func turned(x, y *[2]float64) {
	y[0] = float64(x[0]*0.6) - float64(x[1]*0.8)
	y[1] = float64(x[0]*0.8) + float64(x[1]*0.6)
}

// veltkamp splits x into numbers of half the digits, by Veltkamp.
func veltkamp(x float64) (high, low float64) {
	scaled := 134217729 * x
	high = float64(scaled) - (float64(scaled) - x)
	return high, x - high
}

func contracted(x *[2]float64, y *[2]float64) {
	y[0] = x[0]*x[0] + x[1]*x[1]
	y[1] = math.Exp(-y[0]) * math.Sin(x[0])
}

// A chain: fluxes along edges, and steps at nodes.

func edgeFlux(u, res *[2]float64, weight *float64) {
	f := *weight * (u[1] - u[0])
	res[0] += f
	res[1] -= f
}

func nodeStep(u, res *float64, change *float64) {
	du := 0.1 * *res
	*u += du
	*res = 0
	*change += du * du
}

func sumUp(v, total *float64) {
	*total += *v
}

func double(v, w *float64) {
	*w = 2 * *v
}

func addInto(v, w *float64) {
	*w += *v
}

// Faults.

func faultIndex(k *int64, out *float64) {
	table := [4]float64{1, 2, 3, 4}
	*out = table[*k] // index out of range
}

func faultIndexOf(k *int64, out *float64) {
	*out = entry(int(*k))
}

func entry(k int) float64 {
	table := [4]float64{1, 2, 3, 4}
	k++
	return table[k-1] // index out of range, in a helper
}

func faultAt(k *[1]int64, out *float64) {
	*out = value(k, int(k[0]))
}

func value(k *[1]int64, at int) float64 {
	return float64(k[at]) // index out of range, of an argument
}

func faultLate(k *int64, out *float64) {
	table := [4]float64{1, 2, 3, 4}
	for range 100 {
		*out = 0.5**out + 1
	}
	*out += table[*k] // index out of range, after some time
}

func faultDivide(k *int64, out *float64) {
	*out = float64(12 / *k) // integer divide by zero
}

func faultRemainder(k *int64, out *float64) {
	*out = float64(uint8(12) % uint8(*k)) // remainder by zero
}

func faultShift(k *int64, out *float64) {
	*out = float64(int64(1) << *k) // negative shift amount
}

func sound(k *int64, out *float64) {
	*out = float64(*k)
}

// A WRITE that nothing shows to be incomplete.

func forgetful(k *int32, one *[3]float64, all *[2][3]float32, ints *[2]int64) {
	one[*k] = 1
	all[1][*k] = 2
	ints[*k&1] = 3
}

// A reduction and an increment whose results depend on the order of additions.

func orderly(x *[2]float64, y *float64, sum *[3]float64, low, high *float64) {
	*y = x[0] / x[1]
	sum[0] += *y
	sum[1] += x[0] * x[1]
	sum[2] = *y * 0.1
	*low = min(*low, *y)
	*high = max(*high, *y)
}

func scatter(x *[2]float64, r *[2][2]float64) {
	for i := range r {
		r[i][0] += x[0] / 3
		r[i][1] = x[1] / 7
	}
}

// Work that takes long enough to be found at.

func busy(x *float64) {
	for range 2000 {
		*x = 0.5**x + 1
	}
}

// most takes as many parameters as possible.
func most(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,
	a16, a17, a18, a19, a20, a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31,
	a32, a33, a34, a35, a36, a37, a38, a39, a40, a41, a42, a43, a44, a45, a46, a47,
	a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, a59, a60, a61, a62, a63 *float64) {
	*a62 = *a0 + 2**a1 + *a2 + 2**a3 + *a4 + 2**a5 + *a6 + 2**a7 + *a8 + 2**a9 + *a10 + 2**a11 + *a12 + 2**a13 + *a14 + 2**a15 +
		*a16 + 2**a17 + *a18 + 2**a19 + *a20 + 2**a21 + *a22 + 2**a23 + *a24 + 2**a25 + *a26 + 2**a27 + *a28 + 2**a29 + *a30 + 2**a31 +
		*a32 + 2**a33 + *a34 + 2**a35 + *a36 + 2**a37 + *a38 + 2**a39 + *a40 + 2**a41 + *a42 + 2**a43 + *a44 + 2**a45 + *a46 + 2**a47 +
		*a48 + 2**a49 + *a50 + 2**a51 + *a52 + 2**a53 + *a54 + 2**a55 + *a56 + 2**a57 + *a58 + 2**a59 + *a60 + 2**a61
	*a63 += *a0 + *a61
}

// A division that fails for some elements.

func quotient(x *int64, r *[2]float64) {
	r[0] += float64(1000 / *x)
	r[1] -= float64(1000 / *x)
}
