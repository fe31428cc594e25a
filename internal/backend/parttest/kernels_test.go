package parttest

// scale and shift are consts.
var (
	scale = 2.0
	shift = [2]float64{1, -1}
)

// flux changes data in all ways that parts must keep apart.
func flux(n *int, x *float64, u *[2]float64, y *float64, res *[2]float64, sum *[2]float64, low *float32, high *int32) {
	f := scale*(u[1]-u[0]) + *x + shift[*n%2]
	*y = f
	res[0] += f
	res[1] -= f
	sum[0] += f
	sum[1] += *x
	*low = min(*low, float32(f))
	*high = max(*high, int32(*x*100))
}
