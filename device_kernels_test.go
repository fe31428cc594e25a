package op2_test

import (
	_ "embed"

	"github.com/go-op2/op2"
)

// The kernels of the tests of devices.

//go:embed device_kernels_test.go
var deviceSource string

var deviceKernels = op2.Kernels(deviceSource)

func lookAt(d *[3]float64, sum *float64) { *sum = d[0] + 10*d[1] + 100*d[2] }

func setAll(d *[3]float64, v *float64) {
	for i := range 3 {
		d[i] = *v + float64(i)
	}
}

func doubleAll(d *[3]float64) {
	for i := range 3 {
		d[i] *= 2
	}
}

func addAll(d *[3]float64, v *float64) {
	for i := range 3 {
		d[i] += *v
	}
}

func lowerAll(d *[3]float64, v *float64) {
	for i := range 3 {
		d[i] = min(d[i], *v)
	}
}

func raiseAll(d *[3]float64, v *float64) {
	for i := range 3 {
		d[i] = max(d[i], *v)
	}
}

// Of globals.

func useGlobal(g *[2]float64, out *float64) { *out = g[0] + g[1] }
func addGlobal(g *[2]float64, v *float64)   { g[0], g[1] = g[0]+*v, g[1]+1 }
func lowerGlobal(g *[2]float64, v *float64) { g[0], g[1] = min(g[0], *v), min(g[1], -*v) }
func raiseGlobal(g *[2]float64, v *float64) { g[0], g[1] = max(g[0], *v), max(g[1], -*v) }
func swapFlow(a, b *[3]float64, ra, rb *[3]float64) {
	for i := range 3 {
		f := a[i] - b[i]
		ra[i] -= f
		rb[i] += f
	}
}

var strength = 1.0

func strengthen(v *float64) { *v *= strength }

func assemble2(m *[2][2]float64, v *float64) {
	m[0][0] += *v
	m[0][1] -= *v
	m[1][0] -= *v
	m[1][1] += *v
}

func pickFrom(table *[4]float64, at *int64, out *float64) { *out = table[*at] } // out of range

func onceSingle(x *float32, y *float32) { *y = 2 * *x }

func onceDouble(x *float64, y *float64) { *y = 2 * *x }
