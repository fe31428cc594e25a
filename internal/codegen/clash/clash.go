// Package clash has kernels and consts with the names of the variables and functions of generated
// source, for the tests of backends that run them.
package clash

import _ "embed"

// Source declares the kernels and the consts.
//
//go:embed clash.go
var Source string

var (
	order, block, color, team, args = 2, 3, 5, 7, 11
	runs, first                     = 0.5, 0.25
	aligned                         = [3]float32{1, 2, 3} // with n no multiple of 8 bytes
	n                               = [5]uint8{4, 5, 6, 7, 8}
)

// The variables that the kernels read.
var (
	Ints   = map[string]*int{"order": &order, "block": &block, "color": &color, "team": &team, "args": &args}
	Floats = map[string]*float64{"runs": &runs, "first": &first}
	Arrays = map[string]*[3]float32{"aligned": &aligned}
	Bytes  = map[string]*[5]uint8{"n": &n}
)

// A Kernel adds x, and Adds more, to y and to sum.
type Kernel struct {
	Func any
	Adds float64
}

// Kernels take x, y and sum.
var Kernels = []Kernel{{run, 28}, {end, 1.5}, {last, 14}}

func run(x, y, sum *float64) {
	*y += *x + float64(order+block+color+team+args)
	*sum += *x + float64(order+block+color+team+args)
}

func end(x, y, sum *float64) {
	end := *x + float64(order)*runs + 2*first
	*y += end
	*sum += end
}

func last(x, y, sum *float64) {
	last, job := float64(aligned[0]+aligned[2]), float64(n[0]+n[2])
	*y += *x + last + job
	*sum += *x + last + job
}
