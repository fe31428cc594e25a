package fromgo

import (
	"strings"
	"testing"
)

const airfoilSource = `package main

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/go-op2/op2"
)

//go:embed kernels.go
var source string

// The constants of the flow, read by the kernels.
var (
	gam, gm1, cfl, eps float64
	qinf               [4]float64
)

type solver struct {
	rt   *op2.Runtime
	name string
}

func (s *solver) run() (err error) {
	defer func() { err = fmt.Errorf("run: %w", err) }()
	go op2.ParLoop(resCalc, s.edges)
	return nil
}

func saveSoln(q, qold *[4]float64) {
	for n := range q {
		qold[n] = q[n]
	}
}

func adtCalc(x1, x2, x3, x4 *[2]float64, q *[4]float64, adt *float64) {
	ri := 1 / q[0]
	u := ri * q[1]
	v := ri * q[2]
	c := math.Sqrt(gam * gm1 * (ri*q[3] - 0.5*(u*u+v*v)))
	*adt = edgeTime(x1, x2, u, v, c)
	*adt += edgeTime(x2, x3, u, v, c)
	*adt += edgeTime(x3, x4, u, v, c)
	*adt += edgeTime(x4, x1, u, v, c)
	*adt = *adt / cfl
}

func edgeTime(a, b *[2]float64, u, v, c float64) float64 {
	dx := b[0] - a[0]
	dy := b[1] - a[1]
	return math.Abs(u*dy-v*dx) + c*math.Sqrt(dx*dx+dy*dy)
}

func resCalc(x1, x2 *[2]float64, q1, q2 *[4]float64, adt1, adt2 *float64, res1, res2 *[4]float64) {
	dx := x1[0] - x2[0]
	dy := x1[1] - x2[1]

	ri := 1 / q1[0]
	p1 := gm1 * (q1[3] - 0.5*ri*(q1[1]*q1[1]+q1[2]*q1[2]))
	vol1 := ri * (q1[1]*dy - q1[2]*dx)

	ri = 1 / q2[0]
	p2 := gm1 * (q2[3] - 0.5*ri*(q2[1]*q2[1]+q2[2]*q2[2]))
	vol2 := ri * (q2[1]*dy - q2[2]*dx)

	mu := 0.5 * (*adt1 + *adt2) * eps

	f := 0.5*(vol1*q1[0]+vol2*q2[0]) + mu*(q1[0]-q2[0])
	res1[0] += f
	res2[0] -= f
	f = 0.5*(vol1*q1[1]+p1*dy+vol2*q2[1]+p2*dy) + mu*(q1[1]-q2[1])
	res1[1] += f
	res2[1] -= f
	f = 0.5*(vol1*q1[2]-p1*dx+vol2*q2[2]-p2*dx) + mu*(q1[2]-q2[2])
	res1[2] += f
	res2[2] -= f
	f = 0.5*(vol1*(q1[3]+p1)+vol2*(q2[3]+p2)) + mu*(q1[3]-q2[3])
	res1[3] += f
	res2[3] -= f
}

func bresCalc(x1, x2 *[2]float64, q1 *[4]float64, adt1 *float64, res1 *[4]float64, bound *int32) {
	dx := x1[0] - x2[0]
	dy := x1[1] - x2[1]

	ri := 1 / q1[0]
	p1 := gm1 * (q1[3] - 0.5*ri*(q1[1]*q1[1]+q1[2]*q1[2]))

	if *bound == 1 {
		res1[1] += p1 * dy
		res1[2] -= p1 * dx
		return
	}
	vol1 := ri * (q1[1]*dy - q1[2]*dx)

	ri = 1 / qinf[0]
	p2 := gm1 * (qinf[3] - 0.5*ri*(qinf[1]*qinf[1]+qinf[2]*qinf[2]))
	vol2 := ri * (qinf[1]*dy - qinf[2]*dx)

	mu := *adt1 * eps

	f := 0.5*(vol1*q1[0]+vol2*qinf[0]) + mu*(q1[0]-qinf[0])
	res1[0] += f
	f = 0.5*(vol1*q1[1]+p1*dy+vol2*qinf[1]+p2*dy) + mu*(q1[1]-qinf[1])
	res1[1] += f
	f = 0.5*(vol1*q1[2]-p1*dx+vol2*qinf[2]-p2*dx) + mu*(q1[2]-qinf[2])
	res1[2] += f
	f = 0.5*(vol1*(q1[3]+p1)+vol2*(qinf[3]+p2)) + mu*(q1[3]-qinf[3])
	res1[3] += f
}

func update(qold, q, res *[4]float64, adt, rms *float64) {
	adti := 1 / *adt
	for n := range 4 {
		del := adti * res[n]
		q[n] = qold[n] - del
		res[n] = 0
		*rms += del * del
	}
}
`

var airfoilKernels = []string{"saveSoln", "adtCalc", "resCalc", "bresCalc", "update"}

// TestAirfoil lowers a file of kernels that holds ordinary code as well.
func TestAirfoil(t *testing.T) {
	want := map[string]string{
		"saveSoln": `
func saveSoln(q *[4]float64, qold *[4]float64) {
	loop1: for var n int64 = 0; (n < 4); n += 1 {
		qold[n] = q[n]
	}
}
`,
		"adtCalc": `
const cfl float64
const gam float64
const gm1 float64
func edgeTime(a *[2]float64, b *[2]float64, u float64, v float64, c float64) (float64) {
	var dx float64 = (b[0] - a[0])
	var dy float64 = (b[1] - a[1])
	return (math.Abs(((u * dy) - (v * dx))) + (c * math.Sqrt(((dx * dx) + (dy * dy)))))
}
func adtCalc(x1 *[2]float64, x2 *[2]float64, x3 *[2]float64, x4 *[2]float64, q *[4]float64, adt *float64) {
	var ri float64 = (1.0 / q[0])
	var u float64 = (ri * q[1])
	var v float64 = (ri * q[2])
	var c float64 = math.Sqrt(((gam * gm1) * ((ri * q[3]) - (0.5 * ((u * u) + (v * v))))))
	*adt = edgeTime(x1, x2, u, v, c)
	*adt += edgeTime(x2, x3, u, v, c)
	*adt += edgeTime(x3, x4, u, v, c)
	*adt += edgeTime(x4, x1, u, v, c)
	*adt = (*adt / cfl)
}
`,
		"resCalc": `
const eps float64
const gm1 float64
func resCalc(x1 *[2]float64, x2 *[2]float64, q1 *[4]float64, q2 *[4]float64, adt1 *float64, adt2 *float64, res1 *[4]float64, res2 *[4]float64) {
	var dx float64 = (x1[0] - x2[0])
	var dy float64 = (x1[1] - x2[1])
	var ri float64 = (1.0 / q1[0])
	var p1 float64 = (gm1 * (q1[3] - ((0.5 * ri) * ((q1[1] * q1[1]) + (q1[2] * q1[2])))))
	var vol1 float64 = (ri * ((q1[1] * dy) - (q1[2] * dx)))
	ri = (1.0 / q2[0])
	var p2 float64 = (gm1 * (q2[3] - ((0.5 * ri) * ((q2[1] * q2[1]) + (q2[2] * q2[2])))))
	var vol2 float64 = (ri * ((q2[1] * dy) - (q2[2] * dx)))
	var mu float64 = ((0.5 * (*adt1 + *adt2)) * eps)
	var f float64 = ((0.5 * ((vol1 * q1[0]) + (vol2 * q2[0]))) + (mu * (q1[0] - q2[0])))
	res1[0] += f
	res2[0] -= f
	f = ((0.5 * ((((vol1 * q1[1]) + (p1 * dy)) + (vol2 * q2[1])) + (p2 * dy))) + (mu * (q1[1] - q2[1])))
	res1[1] += f
	res2[1] -= f
	f = ((0.5 * ((((vol1 * q1[2]) - (p1 * dx)) + (vol2 * q2[2])) - (p2 * dx))) + (mu * (q1[2] - q2[2])))
	res1[2] += f
	res2[2] -= f
	f = ((0.5 * ((vol1 * (q1[3] + p1)) + (vol2 * (q2[3] + p2)))) + (mu * (q1[3] - q2[3])))
	res1[3] += f
	res2[3] -= f
}
`,
		"bresCalc": `
const eps float64
const gm1 float64
const qinf [4]float64
func bresCalc(x1 *[2]float64, x2 *[2]float64, q1 *[4]float64, adt1 *float64, res1 *[4]float64, bound *int32) {
	var dx float64 = (x1[0] - x2[0])
	var dy float64 = (x1[1] - x2[1])
	var ri float64 = (1.0 / q1[0])
	var p1 float64 = (gm1 * (q1[3] - ((0.5 * ri) * ((q1[1] * q1[1]) + (q1[2] * q1[2])))))
	if (*bound == 1'int32) {
		res1[1] += (p1 * dy)
		res1[2] -= (p1 * dx)
		return
	}
	var vol1 float64 = (ri * ((q1[1] * dy) - (q1[2] * dx)))
	ri = (1.0 / qinf[0])
	var p2 float64 = (gm1 * (qinf[3] - ((0.5 * ri) * ((qinf[1] * qinf[1]) + (qinf[2] * qinf[2])))))
	var vol2 float64 = (ri * ((qinf[1] * dy) - (qinf[2] * dx)))
	var mu float64 = (*adt1 * eps)
	var f float64 = ((0.5 * ((vol1 * q1[0]) + (vol2 * qinf[0]))) + (mu * (q1[0] - qinf[0])))
	res1[0] += f
	f = ((0.5 * ((((vol1 * q1[1]) + (p1 * dy)) + (vol2 * qinf[1])) + (p2 * dy))) + (mu * (q1[1] - qinf[1])))
	res1[1] += f
	f = ((0.5 * ((((vol1 * q1[2]) - (p1 * dx)) + (vol2 * qinf[2])) - (p2 * dx))) + (mu * (q1[2] - qinf[2])))
	res1[2] += f
	f = ((0.5 * ((vol1 * (q1[3] + p1)) + (vol2 * (qinf[3] + p2)))) + (mu * (q1[3] - qinf[3])))
	res1[3] += f
}
`,
		"update": `
func update(qold *[4]float64, q *[4]float64, res *[4]float64, adt *float64, rms *float64) {
	var adti float64 = (1.0 / *adt)
	loop1: for var n int64 = 0; (n < 4); n += 1 {
		var del float64 = (adti * res[n])
		q[n] = (qold[n] - del)
		res[n] = 0.0
		*rms += (del * del)
	}
}
`,
	}
	p := Parse(airfoilSource)
	for _, name := range airfoilKernels {
		k, err := p.Kernel(name, "/home/me/airfoil/kernels.go", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := dump(k); got != strings.TrimPrefix(want[name], "\n") {
			t.Errorf("got\n%s\nwant%s", got, want[name])
		}
	}
}

func BenchmarkAirfoil(b *testing.B) {
	for b.Loop() {
		p := Parse(airfoilSource)
		for _, name := range airfoilKernels {
			if _, err := p.Kernel(name, "kernels.go", 0); err != nil {
				b.Fatal(err)
			}
		}
	}
}
