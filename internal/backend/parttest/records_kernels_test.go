package parttest

type (
	near struct {
		Distance float64
		Cell     int32
		Flags    [2]int8
	}
	spin struct{ Up, Down float32 }
)

// closest is an operation: the closer one of two, of equal ones that with the lower number.
func closest(into, from *near) {
	if from.Distance < into.Distance || from.Distance == into.Distance && from.Cell < into.Cell {
		*into = *from
	}
}

// times is an operation: a product of complex numbers.
func times(into, from *spin) {
	*into = spin{into.Up*from.Up - into.Down*from.Down, into.Up*from.Down + into.Down*from.Up}
}

// larger is an operation on plain numbers.
func larger(into, from *float64) {
	if *from > *into {
		*into = *from
	}
}

// record uses records and operations in all ways.
func record(n *int, x *float64, at *[2]near, own, sum, res *near, best *near, all *[2][2]near, product *spin, top *[2]float64) {
	own.Distance = *x + at[1].Distance
	own.Cell = at[0].Cell
	own.Flags[0], own.Flags[1] = at[0].Flags[1], int8(*n)
	sum.Distance += *x
	sum.Cell++
	res.Cell += at[1].Cell
	res.Distance = 2 * *x
	res.Flags[1]--
	*best = near{Distance: *x, Cell: int32(*n)}
	for i := range all {
		all[i][0] = near{Distance: *x - float64(i), Cell: int32(*n)}
		if *n%3 == 0 {
			all[i][1].Distance = float64(-*n)
		}
	}
	if *n%50 == 0 {
		*product = spin{0, 1}
	}
	top[0] = *x
	top[1] = -*x
}

func entry(_ *int) {
	var n int
	var x float64
	var a [2]near
	var b near
	var c [2][2]near
	var s spin
	var top [2]float64
	record(&n, &x, &a, &b, &b, &b, &b, &c, &s, &top)
	closest(&b, &b)
	times(&s, &s)
	larger(&x, &x)
}
