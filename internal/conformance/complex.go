package conformance

import (
	_ "embed"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed complex.go
var complexSource string

type wave struct {
	Amplitude complex128
	Phase     complex128
}

func (w wave) power() float64 {
	return real(w.Amplitude)*real(w.Amplitude) + imag(w.Amplitude)*imag(w.Amplitude)
}

// conformComplex runs loops over complex numbers, direct and through a map. The numbers are small
// integers or quotients by powers of two, so that all sums are exact.
func conformComplex(t *testing.T, open optest.Opener) {
	optest.Parallel(t)
	rt := open(t)
	const n, m = 400, 90
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	ends := mesh.Anywhere(2)
	edge2node := optest.NewMap(t, edges, nodes, 2, ends, "edge2node")
	small := func() float64 { return float64(mesh.Random.IntN(9) - 4) }
	z, inc, waves := make([]complex128, m), make([]complex64, 2*m), make([]wave, n)
	for i := range z {
		z[i], inc[2*i], inc[2*i+1] = complex(small(), small()), complex(float32(small()), 1), complex(1, float32(small()))
	}
	for i := range waves {
		waves[i] = wave{complex(small(), small()), complex(small(), small())}
	}
	sum, power := []complex128{1i}, []float64{0}
	dZ, dInc, dWaves := optest.NewDat(t, nodes, 1, z, "z"), optest.NewDat(t, nodes, 2, inc, "inc"), optest.NewDat(t, edges, 1, waves, "waves")
	gSum, gPower := optest.NewGlobal(t, rt, "sum", sum...), optest.NewGlobal(t, rt, "power", power...)
	optest.Run(t, op2.Kernels(complexSource).Func(interfere), edges,
		dZ.Read(edge2node), dInc.Inc(edge2node.At(1)), dWaves.RW(), gSum.Inc(), gPower.Inc())
	for e := range n {
		a, b := ends[2*e], ends[2*e+1]
		interfere(&[2]complex128{z[a], z[b]}, (*[2]complex64)(inc[2*b:]), &waves[e], &sum[0], &power[0])
	}
	optest.Expect(t, dInc, inc)
	optest.Expect(t, dWaves, waves)
	optest.Expect(t, gSum, sum)
	optest.Expect(t, gPower, power)
}

func interfere(z *[2]complex128, inc *[2]complex64, w *wave, sum *complex128, power *float64) {
	inc[0] += complex64(z[0] * z[1])
	inc[1] -= 2i
	*sum += w.Amplitude - z[0]
	*power += w.power()
	w.Amplitude *= 1 + 1i
	if w.Phase != z[1] && real(z[0]) > 0 {
		w.Phase = -w.Phase / (2 - 2i)
	} else {
		w.Phase = complex(imag(w.Phase), 0.5)
	}
}
