package kernels

import "math"

// Graphs, images and random numbers.

// pagePush adds a page's share of rank to a page that it links to.
func pagePush(rank, degree, to *float64) { *to += 0.85 * *rank / *degree }

// pageUpdate completes a step and adds up how much the ranks changed.
func pageUpdate(sum, rank, change *float64) {
	const rest = 0.15
	r := rest + *sum
	*change += math.Abs(r - *rank)
	*rank = r
	*sum = 0
}

// graphLaplace applies the Laplace operator of a graph.
func graphLaplace(weight, a, b, ya, yb *float64) {
	d := *weight * (*a - *b)
	*ya += d
	*yb -= d
}

// degree counts links.
func degree(a, b *int32) {
	*a += 1
	*b += 1
}

// component propagates the smaller label to both ends of a link.
func component(a, b *int32, lowa, lowb *int32) {
	m := min(*a, *b)
	*lowa = min(*lowa, m)
	*lowb = min(*lowb, m)
}

// blur computes the mean of a pixel and its four neighbors.
func blur(u *[5]float32, out *float32) {
	*out = 0.5*u[0] + 0.125*(u[1]+u[2]+u[3]+u[4])
}

// sobel computes the strength of an edge in an image, from the eight pixels around.
func sobel(u *[8]float32, out *float32) {
	gx := u[2] + 2*u[4] + u[7] - u[0] - 2*u[3] - u[5]
	gy := u[5] + 2*u[6] + u[7] - u[0] - 2*u[1] - u[2]
	*out = float32(math.Sqrt(float64(gx*gx + gy*gy)))
}

// median takes the middle of five by a network of comparisons.
func median(u *[5]float32, out *float32) {
	a, b := min(u[0], u[1]), max(u[0], u[1])
	c, d := min(u[3], u[4]), max(u[3], u[4])
	a, c = max(a, c), min(b, d)
	m := u[2]
	lo, hi := min(a, c), max(a, c)
	*out = max(lo, min(m, hi))
}

// peronaMalik performs a step of anisotropic diffusion, which stops at edges (1990).
func peronaMalik(u *[5]float64, out *float64) {
	const k, dt = 0.3, 0.2
	s := 0.0
	for i := 1; i < 5; i++ {
		d := u[i] - u[0]
		s += d / (1 + d*d/(k*k))
	}
	*out = u[0] + dt*s
}

// bilateral applies a filter whose weights depend on the difference in value.
func bilateral(u *[5]float64, out *float64) {
	sum, weights := u[0], 1.0
	for i := 1; i < 5; i++ {
		d := u[i] - u[0]
		w := math.Exp(-20 * d * d)
		sum += w * u[i]
		weights += w
	}
	*out = sum / weights
}

// life computes the next generation of Conway's game.
func life(own *int32, others *[8]int32, next *int32) {
	n := int32(0)
	for i := range 8 {
		n += others[i]
	}
	*next = 0
	if n == 3 || n == 2 && *own == 1 {
		*next = 1
	}
}

// luma converts bytes of red, green and blue to one of gray.
func luma(rgb *[3]uint8, gray *uint8) {
	*gray = uint8((77*uint32(rgb[0]) + 150*uint32(rgb[1]) + 29*uint32(rgb[2])) >> 8)
}

// random draws the next number of Marsaglia's generator (2003) for each element, between 0 and 1.
func random(state *uint64, out *float64) {
	s := *state
	s ^= s << 13
	s ^= s >> 7
	s ^= s << 17
	*state = s
	*out = float64(s>>11) / (1 << 53)
}

// mandelbrot counts iterations until a point escapes.
func mandelbrot(c *[2]float64, count *int32) {
	x, y := 0.0, 0.0
	n := int32(0)
	for n < 40 && x*x+y*y < 4 {
		x, y = x*x-y*y+c[0], 2*x*y+c[1]
		n++
	}
	*count = n
}

// classify numbers the kinds of cells by their state.
func classify(q *[4]float64, kind *int32) {
	mach := math.Sqrt(q[1]*q[1]+q[2]*q[2]) / q[0]
	switch {
	case mach < 0.3:
		*kind = 0
	case mach < 1:
		*kind = 1
	default:
		*kind = 2
	}
}
