package op2_test

// carried is a struct that moves with its element.
type carried struct {
	ID   int64
	Mass float32
	On   bool
	V    [3]float64
}

// flow adds to both ends of an edge what flows through it.
func flow(w *float64, a, b *[2]float64, toA, toB *[2]float64) {
	for i := range toA {
		f := *w * (b[i] - a[i])
		toA[i] += f
		toB[i] -= f
	}
}

// push moves the values of a node, and sums them up.
func push(d, u *[2]float64, s *carried, sum *float64) {
	for i := range u {
		u[i] += 0.1 * d[i]
		d[i] = 0
		s.V[i] += u[i]
		*sum += u[i]
	}
}

// tallied is a record that is summed up.
type tallied struct {
	N   int64
	Sum float64
}

// note adds a node to a record.
func note(u *[2]float64, all *tallied) {
	all.N++
	all.Sum += u[0]
}

// visit adds the values around a zone, and counts.
func visit(n *int32, total *float64, u [][2]float64) {
	*n += int32(len(u))
	for i := range u {
		*total += u[i][0]
	}
}

// raise changes some nodes by their number.
func raise(u *[2]float64, number *int) { u[1] += 0.001 * float64(*number) }

// loaded takes as long as a number says.
func loaded(n *int32, x *float64) {
	v := *x
	for i := 0; i < int(*n); i++ {
		v = 0.5*v + 1/(1+v*v)
	}
	*x = v
}
