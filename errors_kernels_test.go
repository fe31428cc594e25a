package op2_test

// Kernels for the error texts, which name their lines: add new ones at the end.

func resCalc(x1, x2 *[2]float64, q *[3]float64, res *[4]float64) {
	res[0] += q[0] * (x1[0] - x2[0])
}

func copyQ(q, to *[4]float64) {
	*to = *q
}

func writesRead(q, to *[4]float64) {
	q[1] = 0
	*to = *q
}

func writesHalf(q, to *[4]float64) {
	to[0] = q[0]
	if q[1] > 0 {
		to[1] = q[1]
	}
	to[2], to[3] = 0, 0
}

func readsEarly(q, to *[4]float64) {
	to[0] += q[0]
	to[1], to[2], to[3] = 0, 0, 0
}

var (
	gamma0 = 1.4
	table0 [3]float32
)

func readsConst(q, to *[4]float64) {
	*to = [4]float64{q[0] * gamma0, float64(table0[1]), 0, 0}
}

func packedQ(q *[3][4]float64, n *int, sum *float64) {
	*sum += q[*n&1][0]
}

func nothing() {}

func withResult(q *[4]float64) float64 { return q[0] }

func byValue(q [4]float64, to *[4]float64) { *to = q }

func variadic(q *[4]float64, rest ...*float64) {}

func generic[T float32 | float64](q *T) { *q = 1 }

type method struct{}

func (method) kernel(q *[4]float64) {}

func refused(q, to *[4]float64) {
	s := q[:2]
	for range s {
		go copyQ(q, to)
	}
}

func one(x *float64) { *x = 1 }

func local2x2(a *[2][2]float64) {
	for i := range a {
		a[i][0], a[i][1] = 1, 2
	}
}

func local2x2Twice(a, b *[2][2]float64) {
	local2x2(a)
	local2x2(b)
}

func local2x2Half(a *[2][2]float64) {
	a[0][0], a[0][1] = 1, 2
	a[1][1] = 3
}

func local1x1(a *[1][1]float64, v *float64) { a[0][0] = *v }

func local3x3(a *[3][3]float64, v *float64) {
	for i := range 3 {
		for j := range 3 {
			a[i][j] = *v*float64(i+1) + float64(j)
		}
	}
}

func faultDivide(k *int64, out *float64) {
	*out = float64(12 / *k) // integer divide by zero
}

// busy takes long enough to be found at work.
func busy(x *float64) {
	for range 2000 {
		*x = 0.5**x + 1
	}
}

func sliced(q, to []float64) {
	copy(to, q)
	to[0] += q[4]
}

func slicedRows(x [][]float64, sum []float64) {
	for i := 0; i <= len(x); i++ {
		sum[0] += x[i][0]
	}
}

func slicedNumber(n []int, to []float64) { to[0] = float64(n[0]) }

func slicedHalf(q, to []float64) {
	for i := 1; i < len(to); i++ {
		to[i] = q[i]
	}
}

func slicedPairs(q [][2]float64, sum *float64) { *sum += q[0][0] }

func pastArray(q, to *[4]float64) {
	*to = *q
	for i := 0; i <= len(q); i++ {
		to[0] += q[i]
	}
}

func maybePastArray(q, to *[4]float64) {
	*to = *q
	for i := 0; i <= len(q); i++ {
		if q[0] > 1e300 {
			to[0] += q[i]
		}
	}
}
