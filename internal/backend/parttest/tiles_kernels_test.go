package parttest

// limit and broken are consts.
var (
	limit  = 8.0
	broken = -1
)

// settle changes the values that flux adds to, and some that it reads.
func settle(n *int, r, u *float64, low *[2]float64, x *float64, trap *[4]float64) {
	v := min(*r, limit)
	*r = 0.25 * v
	*u = v + *x
	low[0] = v
	low[1] = *x
	*x = 0.5 * *x
	if *n == broken {
		*u = trap[*n]
	}
}
