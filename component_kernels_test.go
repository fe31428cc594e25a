package op2_test

type pair struct {
	A float64
	B int32
}

// swapParts reads one component of its nodes and adds to another; of its own it changes both, one by one.
func swapParts(q *[2]float64, to *[2]float64, old, new *float64, pairs *[2]pair) {
	*new = q[0] - 2*q[1] + *old
	*old += 1
	to[0] += q[1] + pairs[1].A
	to[1] += 3 * q[0] * float64(pairs[0].B)
}

func collect(new []float64, first, second, largest *float64, least, bits *int32, own *pair) {
	*first += new[0]
	*second -= new[0]
	*largest = max(*largest, new[0])
	*least = min(*least, int32(new[0]))
	*bits = int32(new[0]) & 15
	own.A, own.B = new[0], 7
}

func settle(q, old *float64) { *q, *old = *old+*q, *q }

func addBoth(q *float64, to *[2]float64) {
	to[0] += *q
	to[1] += 2 * *q
}

func countEach(to []float64) {
	for i := range to {
		to[i]++
	}
}
