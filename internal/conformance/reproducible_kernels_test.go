package conformance

import "math"

// What would differ if products and sums were contracted, if an element added twice in place, or if
// packs added in another order, does differ here.

func sameFlux(x *[2][2]float64, w *float64, r *[2][3]float64) {
	dx, dy := x[0][0]-x[1][0], x[0][1]-x[1][1]
	d := math.Sqrt(dx*dx+dy*dy) + 0.1
	f := *w*dx + dy/d
	r[0][0] += f
	r[0][0] += dx * dy
	r[1][0] -= f * 1.0001
	r[0][1] += f*dx - d*dy
	r[1][1] -= f*dy + d*dx
	r[0][2] += d
	r[1][2] += 1 / d
}

func sameSides(x, y *[2]float64, a, b *[4]float64, low *float32) {
	f := x[0]*y[1] - x[1]*y[0]
	for i := range a {
		a[i] += f * float64(i+1)
		b[i] -= f/float64(i+3) + x[0]*y[0]
	}
	*low += float32(f)*float32(x[0]) + float32(y[1])
}

func sameMixed(x *[10]float64, r *[16]float64) {
	f := x[8]*x[0] + x[9]*x[3]
	for i := range r {
		r[i] += f * x[i%10]
	}
	r[0] += f * 0.7
	r[15] += f / 3
}

func sameCorners(x *[4][2]float64, r *[4][3]float64, n *[4]int32, volume *float64) {
	s := 0.0
	for c := range x {
		s += x[c][0]*x[(c+1)%4][1] - x[c][1]*x[(c+1)%4][0]
	}
	for c := range r {
		r[c][0] += s / (1 + x[c][0]*x[c][0])
		r[c][1] += s * x[c][1]
		r[c][2] -= s
		n[c] += 1
	}
	*volume += s
}

func sameLibrary(x *[2]float64, y *float64) { *y = math.Exp(-x[0]*x[0]) * math.Sin(x[1]) }

func sameUpdate(x *[2]float64, r *[3]float64, a *[4]float64, sum *[2]float64, low *float32, count *int64, least, most *float64) {
	old := x[0]
	x[0] += 1e-3 * (r[0] + a[0]*a[1])
	x[1] -= 1e-3 * (r[1] - a[2]*a[3] + r[2])
	d := x[0] - old
	sum[0] += d * d
	sum[1] += x[0] * x[1]
	*low += float32(d)
	if d > 0 {
		*count += 1
	}
	*least = min(*least, d)
	*most = max(*most, d)
}

// sameMost adds through a map and reduces in all ways at once.
func sameMost(x *[2][2]float64, r *[2][3]float64, count *int64, least, sum *float64, low *[2]float32) {
	d := x[0][0] - x[1][1]
	r[0][0] += d
	r[1][2] -= d / 3
	*count += 2
	*least = min(*least, d)
	*sum += d * 1e10
	low[0] += float32(d)
	low[1] -= float32(d) / 7
}

// sameRecord mixes types.
type sameRecord struct {
	Sum   float64
	Count int32
	Low   float32
}

// sameLength is an operation that rounds: what it leaves depends on the order of values.
func sameLength(into, from *float64) { *into = math.Sqrt(*into**into + *from**from) }

// sameProduct is one on pairs of numbers.
func sameProduct(into, from *[2]float32) {
	into[0] *= from[0]
	into[1] += from[1] * 0.7 * into[0]
}

func sameReduce(x *[2][2]float64, length *float64, lengths *[2]float64, product *[2]float32, records *[2]sameRecord, record *sameRecord) {
	d := x[0][0] - x[1][1]
	*length = d
	lengths[0], lengths[1] = d, d/3
	product[0], product[1] = 1+float32(d)/1000, float32(d)
	for i := range records {
		records[i].Sum += d * float64(i+1)
		records[i].Low -= float32(d) / 3
		records[i].Count++
	}
	record.Sum -= d / 7
	record.Low += float32(d)
}

func sameTwice(x *[2]float64, a, b *float64) {
	*a += x[0]
	*b -= x[1] / 3
}

func sameSet(x, y *float64) { *y = *x }
