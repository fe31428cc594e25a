package op2_test

type euler struct{ Rho, RhoU, RhoV, RhoE float64 }

type axis struct {
	Position float64
	Momentum [2]float64
}

type celsius float64

func halfWritten(q, r *euler) {
	r.Rho = q.Rho
	if q.RhoU > 0 {
		r.RhoU, r.RhoV = q.RhoU, q.RhoV
	}
	r.RhoE = 1
}

func momentumRead(q *euler, r *[2]axis) {
	r[1].Momentum[1] += q.RhoU
}

func stateWritten(q *euler) { q.RhoV = 0 }

func fourOf(q *[4]float64, r *euler) {}

func infinite(q *euler, r *axis) {
	*r = axis{Momentum: [2]float64{1: q.Rho / q.RhoU}}
}

type marked struct {
	Rho float64
	_   [2]float64
	No  int64
}

func marks(one *marked, all *[2]marked) {
	one.Rho, one.No = 1, 2
	for i := range all {
		all[i].No, all[i].Rho = int64(i), 3
	}
}

func warmed(t *celsius, u *float64) { *u = float64(*t) + 1 }

// ragged has bytes between and after its fields.
type ragged struct {
	A int8
	B float64
	C int16
}

func raggedWritten(x *int, r *[2]ragged) {
	for i := range r {
		r[i] = ragged{A: 1, B: 2, C: int16(*x)}
	}
}
