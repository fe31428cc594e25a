package solver_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/mesh"
	"github.com/go-op2/op2/solver"
)

// An iteration transfers only parameters and sums, and a solve no vectors.
func TestIterationsMoveScalars(t *testing.T) {
	optest.NotShort(t)
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t, op2.WithLayout(op2.SoA))
		for _, test := range []struct {
			method  string
			iterate op2.Transfers // of 5 iterations
		}{
			{"cg", op2.Transfers{ToDevice: 10, BytesToDevice: 5 * (8 + 16), ToHost: 10, BytesToHost: 5 * (8 + 16)}},
			{"bicgstab", op2.Transfers{ToDevice: 15, BytesToDevice: 5 * (16 + 8 + 16), ToHost: 15, BytesToHost: 5 * (16 + 16 + 16)}},
			{"gmres", op2.Transfers{ToDevice: 21, BytesToDevice: 504, ToHost: 24, BytesToHost: 488}}, // sums of four and weights of four
		} {
			for _, preconditioner := range []string{"none", "jacobi", "pbjacobi"} {
				for _, dim := range []int{1, 3} {
					if test.method != "cg" && (preconditioner != "pbjacobi" || dim == 1) {
						continue // a preconditioner's loops are the same
					}
					s := optest.NewSystem(70, dim, test.method == "cg")
					d := s.Declare(t, rt)
					var solves [2]op2.Transfers
					for i, iterations := range []int{5, 10} {
						system := optest.NewSolver(t, d.Matrix, solver.Method(test.method), solver.Preconditioner(preconditioner), solver.WithRTol(0),
							solver.WithRestart(5), solver.WithMaxIterations(iterations), solver.WithErrorIfNotConverged(false))
						for range 2 { // the first time transfers the right-hand side and the matrix
							rt.ResetStats()
							c, err := system.Solve(d.X, d.B)
							if err != nil || c.Iterations != iterations {
								t.Fatal(c.Iterations, err)
							}
						}
						solves[i] = rt.Transfers()
					}
					five := op2.Transfers{
						ToDevice: solves[1].ToDevice - solves[0].ToDevice, BytesToDevice: solves[1].BytesToDevice - solves[0].BytesToDevice,
						ToHost: solves[1].ToHost - solves[0].ToHost, BytesToHost: solves[1].BytesToHost - solves[0].BytesToHost,
					}
					what := fmt.Sprintf("%s + %s, dim %d", test.method, preconditioner, dim)
					want := test.iterate
					if test.method == "cg" && preconditioner == "none" { // which needs one sum less
						want.BytesToHost -= 5 * 8
					}
					if five != want {
						t.Errorf("%s: 5 iterations moved %+v, want %+v", what, five, want)
					}
					before := op2.Transfers{ToDevice: solves[0].ToDevice - five.ToDevice, BytesToDevice: solves[0].BytesToDevice - five.BytesToDevice,
						ToHost: solves[0].ToHost - five.ToHost, BytesToHost: solves[0].BytesToHost - five.BytesToHost}
					if before.BytesToDevice > 64 || before.BytesToHost > 64 {
						t.Errorf("%s: a solution without iterations moves %+v", what, before)
					}
				}
			}
		}
	})
}

// A row without an inverse is found on the device, too.
func TestPivotsOnDevice(t *testing.T) {
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		for _, dim := range []int{1, 3} {
			s := optest.NewSystem(20, dim, true)
			d := s.Declare(t, rt)
			element := 7
			csr := optest.Must(d.Matrix.CSR())
			for k := csr.RowPtr[element]; k < csr.RowPtr[element+1]; k++ {
				if csr.ColIdx[k] == int32(element) {
					last := csr.Values[int(k)*dim*dim:][:dim*dim]
					for j := range dim { // the last row of the block
						last[j*dim+dim-1] = 0
					}
				}
			}
			where := "element 7 of nodes"
			if dim > 1 {
				where = "value 2 of element 7 of nodes"
			}
			for _, preconditioner := range []string{"jacobi", "pbjacobi"} {
				_, err := optest.NewSolver(t, d.Matrix, solver.Preconditioner(preconditioner)).Solve(d.X, d.B)
				var failed *solver.Error
				if !errors.As(err, &failed) || failed.Reason != "DIVERGED_PC_FAILED" || !strings.Contains(err.Error(), "has a pivot of zero at "+where) {
					t.Errorf("%s, dim %d: got %v", preconditioner, dim, err)
				}
			}
		}
	})
}

// The diagonal of an operator that is applied by loops is inverted on the device.
func TestOperatorOnDevice(t *testing.T) {
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		s := optest.NewSystem(50, 2, true)
		d := s.Declare(t, rt)
		system := optest.NewSolver(t, d.Operator, solver.WithRTol(1e-12))
		for range 2 {
			rt.ResetStats()
			c, err := system.Solve(d.X, d.B)
			optest.OK(t, err)
			if moved := rt.Transfers(); moved.BytesToHost > int64(64+32*c.Iterations) {
				t.Errorf("%d iterations moved %+v", c.Iterations, moved)
			}
		}
		optest.Within(t, d.X, s.X, 1e-9)
	})
}

// membrane solves a Poisson equation, assembled where the runtime's loops run, and returns the
// iterations and the solution.
func membrane(t *testing.T, rt *op2.Runtime, options ...solver.Option) (int, []float64) {
	t.Helper()
	m := optest.Must(mesh.Rectangle(mesh.Triangle, 14, 14, 1, 1))
	nodes, cells := optest.NewSet(t, rt, m.Nodes(), "nodes"), optest.NewSet(t, rt, m.Cells(), "cells")
	cell2node := optest.NewMap(t, cells, nodes, 3, m.Blocks[0].Nodes, "cell2node")
	x, u, b := optest.NewDat(t, nodes, 2, m.Points, "x"), optest.NewDat[float64](t, nodes, 1, nil, "u"), optest.NewDat[float64](t, nodes, 1, nil, "b")
	k := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: cell2node, Cols: cell2node}}, 1, 1, "pattern"), "k")
	optest.Run(t, op2.Kernels(testSource).Func(stiffness3), cells, k.Inc(cell2node, cell2node), b.Inc(cell2node), x.Read(cell2node))
	boundary := op2.NewSubset(nodes, optest.Must(m.Facets()).Boundary.Nodes(), "boundary")
	optest.OK(t, k.ZeroRows(boundary, 1))
	optest.Run(t, op2.Kernels(testSource).Func(clear1), boundary, b.Write())
	c, err := optest.NewSolver(t, k, append(options, solver.WithRTol(1e-9))...).Solve(u, b)
	optest.OK(t, err)
	return c.Iterations, slices.Clone(optest.Must(u.DataRO()))
}

// Devices take the same steps to the same solution as one core.
func TestSolversAgreeOnDevices(t *testing.T) {
	optest.NotShort(t)
	host, err := op2.Open(op2.WithBackend("sequential"), op2.WithLog(nil))
	if errors.Is(err, op2.ErrUnavailable) {
		optest.Require(t, "sequential", err.Error())
	}
	optest.OK(t, err)
	defer host.Close()
	conformance.EachDevice(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		for _, method := range []string{"cg", "bicgstab", "gmres"} {
			for _, preconditioner := range []string{"none", "jacobi"} {
				options := []solver.Option{solver.Method(method), solver.Preconditioner(preconditioner)}
				iterations, want := membrane(t, host, options...)
				got, u := membrane(t, rt, options...)
				// Those of bicgstab depend on the last bits.
				if got != iterations && (method != "bicgstab" || got > iterations+iterations/10 || got < iterations-iterations/10) {
					t.Errorf("%s + %s: %d iterations, %d on a core", method, preconditioner, got, iterations)
				}
				for i, w := range want {
					if !(math.Abs(u[i]-w) <= 1e-8) {
						t.Fatalf("%s + %s: u[%d] = %g, want %g", method, preconditioner, i, u[i], w)
					}
				}
			}
		}
	})
}
