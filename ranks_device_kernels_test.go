package op2_test

// haloSum adds up the values that the far end of an edge has.
func haloSum(sum *[1]float64, a *[3]float64, b *[2]float32, c *[1]int64, d *[3]uint16, e *[5]uint8) {
	for i := range 3 {
		sum[0] += float64(i+1) * a[i]
	}
	sum[0] += float64(b[0]) + 2*float64(b[1]) + float64(c[0])
	sum[0] += float64(d[0]) + 2*float64(d[1]) + 3*float64(d[2])
	sum[0] += float64(e[0]) + 2*float64(e[4])
}

// haloGrow changes them.
func haloGrow(one *[1]float64, a *[3]float64, b *[2]float32, c *[1]int64, d *[3]uint16, e *[5]uint8) {
	for i := range 3 {
		a[i] += float64(i+1) * one[0]
	}
	b[0] += 1
	b[1] += 2
	c[0] += 3
	d[0] += 1
	d[1] += 5
	d[2] += 2
	e[0] += 1
	e[4] += 3
}

// haloRatio may divide by zero, as far as the compiler knows.
func haloRatio(sum *[1]float64, c *[1]int64) { sum[0] += float64(5040 / c[0]) }
