package wrong

import (
	"math"
	"strings"

	"github.com/go-op2/op2/elements"
)

var gamma, unknown = 1.4, 2.0

func flux(x *[2]float64, q *float64, res *[4]float64) {
	res[0] += gamma * x[0] * *q
}

func spread(corners *[3][2]float64, sum *float64) {
	sum = nil // want "an assignment to the pointer itself|nil"
	*sum = corners[0][0]
}

func reads(x *[2]float64, y *float64) {
	x[0] = 1     // want "x is written, but passed with Read"
	*y = unknown // want "the kernel reads the variable unknown, which is no const of the runtime"
}

func half(y *[2]float64) {
	y[0] = 1
} // want "y.1. is not written on the path that ends here, but y is passed with Write"

func mean(to []float64, corners [][]float64) {
	clear(to)
	for _, v := range corners {
		to[7] += v[0] / float64(len(corners)) // want "subscript 7 of to is out of range: there is 0 to 1"
	}
}

func beyond(y *float64) {
	table := [3]float64{1, 2, 3}
	last := len(table)
	*y = table[last] // want "subscript 3 of table is out of range: there is 0 to 2"
}

func allocates(y *float64) {
	m := map[int]int{} // want "a map"
	*y = math.Sqrt(float64(len(m)))
}

func scalePair(u *[2]float64) { u[0], u[1] = 2*u[0], 2*u[1] }

func numbered(i *int32, y *float64) { *y = float64(*i) }

func gradients(x *[3][2]float64, area *float64) {
	_, d := elements.TriangleP1(1./3, 1./3)
	var g [3][2]float64
	*area = elements.Gradients2(x[:], d[:], g[:]) / 2
}

func named(y *float64) { *y = float64(len(strings.ToUpper("y"))) } // want "a string|strings"

func least(x *[2]float64, low *float64, at *[2]float64) {
	if x[0] < *low {
		*low = x[0]
	}
	at[0] = x[1] // without a look at what is there
	at[1] = min(at[1], x[1]*unscaled)
}

const unscaled = 3

func sums(x *[2]float64, low, high *float64) {
	*low += x[0]  // want "low is passed with Min, but the kernel does not leave the smaller of what it finds there and a value that does not depend on it"
	if x[0] > 0 { // of two of them, the last one stays
		*high = *high/2 + x[1] // want "high is passed with Max, but .*\n  hint: set it to max.*high, x., or to x alone"
	}
}
