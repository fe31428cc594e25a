package op2_test

var damping = 0.97

func keepPrevious(q, old *[2]float64) { *old = *q }

func exchanged(a, b, ra, rb *[2]float64) {
	for i := range 2 {
		f := 0.1 * (a[i] - b[i])
		ra[i] -= f
		rb[i] += f
	}
}

func stepped(old, res, q *[2]float64, weight, change, all *float64) {
	for i := range 2 {
		q[i] = damping*old[i] + *weight*res[i] + 0.001*q[1-i]
		*change += (q[i] - old[i]) * (q[i] - old[i])
		res[i] = 0
	}
	*all += q[0]
}

func readsOld(old *[2]float64, change *float64) { *change += old[0] }
func countsUp(x *float64)                       { *x += 1 }

func couples(a *[2][2]float64) { *a = [2][2]float64{{2, -1}, {-1, 2}} }

func weighs(a *[6][6]float64, w *float64) {
	for i := range 6 {
		for j := range 6 {
			a[i][j] = *w * float64(1+7*i+j*j)
		}
	}
}

func weighsOther(a *[6][2]float64, w *float64) {
	for i := range 6 {
		for j := range 2 {
			a[i][j] = *w * float64(2+i-3*j)
		}
	}
}

func weighsAll(a *[8][8]float64, w *float64) {
	for i := range 8 {
		for j := range 8 {
			a[i][j] = *w * float64(1+3*i-2*j+i*j)
		}
	}
}

func scaledCouples(a *[2][2]float64, w *float64) {
	*a = [2][2]float64{{2 + *w, -1}, {-1, 2 + *w}}
}
