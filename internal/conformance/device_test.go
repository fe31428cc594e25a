package conformance

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// If a device has the values, only parameters and results are transferred.
func TestArithmeticOnDevice(t *testing.T) {
	EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t, op2.WithLayout(op2.SoA))
		set := optest.NewSet(t, rt, 4, "set")
		x, y := optest.NewDat(t, set, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8}, "x"), optest.NewDat[float64](t, set, 2, nil, "y")
		optest.OK(t, y.AXPY(2, x))
		optest.Must(y.Inner(x))
		rt.ResetStats()
		optest.OK(t, y.AXPY(1, x))
		if inner := optest.Must(y.Inner(x)); inner != 3*204 {
			t.Errorf("the inner product is %v", inner)
		}
		optest.Moved(t, rt, "AXPY and Inner", op2.Transfers{ToDevice: 1, BytesToDevice: 8, ToHost: 1, BytesToHost: 8})
		optest.Expect(t, y, []float64{3, 6, 9, 12, 15, 18, 21, 24})
	})
}

func TestDeclaredNumbersOnDevice(t *testing.T) { EachDevice(t, conformNumbers) }

// Devices apply conditions where the matrices and vectors are.
func TestDirichletOnDevice(t *testing.T) {
	EachDevice(t, func(t *testing.T, open optest.Opener) {
		newDirichletTest(t, open(t, op2.WithLayout(op2.SoA)), 2).run(t)
	})
	const dim = 2
	rt := optest.OpenBackend(t, "test")
	d := newDirichletTest(t, rt, dim)
	d.run(t)
	profile := optest.NewDat[float64](t, d.nodes, dim, nil, "profile")
	left, right := op2.NewSubset(d.nodes, []int{0, 4}, "left"), op2.NewSubset(d.nodes, []int{4, 6}, "right")
	constant := op2.Fix(left, 3.0)
	bc := op2.NewDirichlet(constant, op2.FixTo(right, profile))
	step := func() {
		optest.OK(t, constant.Set(4))
		optest.OK(t, d.matrix.Zero())
		d.assemble(t)
		optest.Run(t, d.assign, d.nodes, profile.Write(), d.source.Read())
		optest.OK(t, bc.Apply(d.matrix, d.fresh(t)))
	}
	step()
	rt.ResetStats()
	step()
	optest.OK(t, bc.ApplyTo(profile))
	optest.Moved(t, rt, "a step", op2.Transfers{ToDevice: 4, BytesToDevice: 32, ToHost: 1, BytesToHost: 16}) // the constant, the diagonal and the scale, twice; whether b is as it was left
}
