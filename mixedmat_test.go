package op2_test

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/conformance"
	"github.com/go-op2/op2/internal/optest"
)

// The patterns of blocks are those of PyOP2's documentation.
func TestMixedSparsity(t *testing.T) {
	rt := optest.Open(t, op2.WithBackend("go"))
	elements, three, four := rt.NewSet(3, "elements"), rt.NewSet(3, "three"), rt.NewSet(4, "four")
	one := op2.NewMap(elements, three, 1, []int{0, 1, 2}, "one")
	two := op2.NewMap(elements, four, 2, []int{0, 1, 1, 2, 2, 3}, "two")
	both := op2.NewMixedMap([]*op2.Map{one, two}, "both")
	first := op2.NewMixedMap([]*op2.Map{one, nil}, "first")
	for _, test := range []struct {
		name  string
		pairs []op2.MapPair
		out   [][2]int
		want  [4][]int32
	}{
		{"all", []op2.MapPair{{Rows: both, Cols: both}}, nil, [4][]int32{{0, 1, 2, 3}, {0, 2, 4, 6}, {0, 1, 3, 5, 6}, {0, 2, 5, 8, 10}}},
		{"absent", []op2.MapPair{{Rows: both, Cols: both}}, [][2]int{{1, 1}, {0, 1}}, [4][]int32{{0, 1, 2, 3}, nil, {0, 1, 3, 5, 6}, nil}},
		{"not reached", []op2.MapPair{{Rows: first, Cols: both}, {Rows: both, Cols: first}}, nil, [4][]int32{{0, 1, 2, 3}, {0, 2, 4, 6}, {0, 1, 3, 5, 6}, nil}},
	} {
		s := op2.NewSparsity(test.pairs, []int{2, 1}, []int{2, 1}, "s", test.out...)
		optest.OK(t, rt.Err())
		m := op2.NewMat[float64](s, "m")
		for k, want := range test.want {
			of := m.Block(k/2, k%2)
			if (of == nil) != (want == nil) {
				t.Errorf("%s: block %d is absent: %v", test.name, k, of == nil)
			} else if b := of.Sparsity(); want != nil && (!slices.Equal(b.RowPtr(), want) || b.RowDim() != 2-k/2 || b.ColDim() != 2-k%2 || of.Name() != fmt.Sprintf("m[%d][%d]", k/2, k%2)) {
				t.Errorf("%s: block %d, %s, has the row pointers %v, want %v", test.name, k, of.Name(), b.RowPtr(), want)
			}
		}
		if m.Rows() != 10 || m.Cols() != 10 {
			t.Errorf("%d by %d", m.Rows(), m.Cols())
		}
	}
}

// valuesOf returns the values of all parts, one after the other.
func valuesOf(d *op2.MixedDat[float64]) (all []float64) {
	for _, p := range d.Parts() {
		all = append(all, optest.Must(p.DataRO())...)
	}
	return all
}

// onHostAndDevices runs f on a backend that compiles nothing, on one that does, and on devices.
func onHostAndDevices(t *testing.T, f func(t *testing.T, open optest.Opener)) {
	for _, backend := range []string{"go", "sequential"} {
		t.Run(backend, func(t *testing.T) {
			if backend != "go" {
				optest.RequireCompiler(t)
			}
			f(t, func(t testing.TB, options ...op2.Option) *op2.Runtime {
				return optest.Open(t, append(options, op2.WithBackend(backend))...)
			})
		})
	}
	conformance.EachDevice(t, f)
}

// denseOf returns all values of a mixed mat, by definition of its blocks.
func denseOf(t *testing.T, m *op2.Mat[float64], parts int) []float64 {
	t.Helper()
	dense := make([]float64, m.Rows()*m.Cols())
	row := 0
	for i := range parts {
		col, height := 0, 0
		for j := range parts {
			b := m.Block(i, j)
			width := m.Block(0, j).Cols()
			if b != nil {
				height = b.Rows()
				for r := range b.Rows() {
					copy(dense[(row+r)*m.Cols()+col:][:width], optest.Must(b.Values())[r*width:])
				}
			}
			col += width
		}
		row += height
	}
	return dense
}

// Operations on a mixed mat are those on all of its values.
func TestMixedMat(t *testing.T) {
	onHostAndDevices(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		for _, saddle := range []bool{false, true} {
			s, err := optest.NewMixedSystem(rt, saddle)
			optest.OK(t, err)
			n := s.M.Rows()
			all := optest.Must(s.M.Values())
			if want := denseOf(t, s.M, 2); !slices.Equal(all, want) {
				t.Fatal("Values differs from those of the blocks")
			}
			product := func(transposed bool) []float64 {
				y := make([]float64, n)
				x := valuesOf(s.B)
				for i := range n {
					for j := range n {
						if transposed {
							y[j] += all[i*n+j] * x[i]
						} else {
							y[i] += all[i*n+j] * x[j]
						}
					}
				}
				return y
			}
			near := func(what string, want []float64) {
				t.Helper()
				if far := optest.Must(optest.Off(s.X, want)); !(far <= 1e-12*float64(n)) {
					t.Errorf("%s is %g off", what, far)
				}
			}
			optest.OK(t, s.M.Mul(s.X, s.B))
			near("Mul", product(false))
			optest.OK(t, s.M.MulTranspose(s.X, s.B))
			near("MulTranspose", product(true))
			optest.OK(t, s.M.Diagonal(s.X))
			diagonal, square := make([]float64, n), 0.0
			for i := range n {
				diagonal[i] = all[i*n+i]
			}
			near("Diagonal", diagonal)
			for _, v := range all {
				square += v * v
			}
			optest.Near(t, optest.Must(s.M.Norm()), math.Sqrt(square), 1e-13)
			csr := optest.Must(s.M.CSR())
			again := make([]float64, n*n)
			for r := range csr.Rows {
				for k := csr.RowPtr[r]; k < csr.RowPtr[r+1]; k++ {
					again[r*n+int(csr.ColIdx[k])] = csr.Values[k]
				}
			}
			if !slices.Equal(again, all) {
				t.Error("CSR has other values")
			}
			var text strings.Builder
			optest.OK(t, s.M.WriteMatrixMarket(&text))
			if want := fmt.Sprintf("%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n1 1 %v\n", n, n, len(csr.Values), all[0]); !strings.HasPrefix(text.String(), want) {
				t.Errorf("MatrixMarket begins with %.100s, want %s", text.String(), want)
			}
			optest.OK(t, s.M.ZeroRows(s.Sets[0], 3, 1))
			for r := 1; r < s.M.Block(0, 0).Rows(); r += 2 {
				clear(all[r*n : (r+1)*n])
				all[r*n+r] = 3
			}
			if !slices.Equal(optest.Must(s.M.Values()), all) {
				t.Error("ZeroRows leaves other values")
			}
			optest.OK(t, s.M.Zero())
			if optest.Must(s.M.Norm()) != 0 {
				t.Error("Zero leaves something")
			}
		}
	})
}

// conditions fix the second component of some velocities and some pressures.
func conditions(rt *op2.Runtime, s *optest.MixedSystem, saddle bool) (*op2.Dirichlet[float64], *op2.Condition[float64]) {
	wall := op2.Fix(op2.NewSubset(s.Sets[0], []int{0, 3, 4, 17, 29}, "wall"), 0.5).Components(1)
	all := []*op2.Condition[float64]{wall, op2.Fix(op2.NewSubset(s.Sets[0], []int{5, 6}, "inflow"), 1.0, -2)}
	if !saddle {
		all = append(all, op2.Fix(op2.NewSubset(s.Sets[1], []int{2, 11}, "outflow"), 0.25).Part(1))
	}
	return op2.NewDirichlet(all...), wall
}

// Conditions on parts change a mixed system as its definition says: rows and columns become zero, in
// all blocks, and the columns move to the right-hand side, however often they are applied.
func TestMixedDirichlet(t *testing.T) {
	onHostAndDevices(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		for _, saddle := range []bool{false, true} {
			s, err := optest.NewMixedSystem(rt, saddle)
			optest.OK(t, err)
			bc, wall := conditions(rt, s, saddle)
			optest.OK(t, rt.Err())
			n, u := s.M.Rows(), s.M.Block(0, 0).Rows()
			before, right := optest.Must(s.M.Values()), valuesOf(s.B)
			expect := func(what string, second float64) {
				t.Helper()
				fixed := map[int]float64{10: 1, 11: -2, 12: 1, 13: -2}
				for _, e := range []int{0, 3, 4, 17, 29} {
					fixed[2*e+1] = second
				}
				if !saddle {
					fixed[u+2], fixed[u+11] = 0.25, 0.25
				}
				all, b := slices.Clone(before), slices.Clone(right)
				for i := range n {
					for j, v := range fixed {
						b[i] -= before[i*n+j] * v
					}
				}
				for i, v := range fixed {
					for j := range n {
						all[i*n+j], all[j*n+i] = 0, 0
					}
					all[i*n+i], b[i] = 1, v
				}
				if !slices.Equal(optest.Must(s.M.Values()), all) {
					t.Errorf("%s: the matrix has other values", what)
				}
				if far := optest.Must(optest.Off(s.B, b)); !(far <= 1e-13*float64(n)) {
					t.Errorf("%s: the right-hand side is %g off", what, far)
				}
			}
			optest.OK(t, bc.Apply(s.M, s.B))
			expect("once", 0.5)
			optest.OK(t, bc.Apply(s.M, s.B))
			optest.OK(t, bc.ApplyRHS(s.M, s.B))
			expect("again", 0.5)
			optest.OK(t, wall.Set(-1))
			optest.OK(t, bc.ApplyRHS(s.M, s.B))
			expect("other values", -1)
			optest.OK(t, optest.SetPart(s.B.Parts()[0], right[:u]))
			optest.OK(t, optest.SetPart(s.B.Parts()[1], right[u:]))
			optest.OK(t, bc.ApplyRHS(s.M, s.B))
			expect("another right-hand side", -1)
			optest.OK(t, bc.ApplyTo(s.X))
			if x := optest.Must(s.X.Parts()[0].DataRO()); x[1] != -1 || x[10] != 1 || x[11] != -2 {
				t.Errorf("ApplyTo: %v", x)
			}
		}
	})
}

//go:embed mixedmat_kernels_test.go
var mixedMatSource string

// Loops assemble all blocks at once through mixed maps, or single ones through maps.
func TestMixedAssembly(t *testing.T) {
	onHostAndDevices(t, func(t *testing.T, open optest.Opener) {
		rt := open(t)
		for _, saddle := range []bool{false, true} {
			s, err := optest.NewMixedSystem(rt, saddle)
			optest.OK(t, err)
			cells := s.All.Parts()[0].From()
			random := rand.New(rand.NewPCG(1, 2))
			v := optest.NewDat(t, cells, 1, optest.Some[float64](random, cells.Size()), "v")
			k := op2.Kernels(mixedMatSource)
			optest.OK(t, s.M.Zero())
			optest.OK(t, op2.ParLoop(k.Func(localAll), cells, s.M.Inc(s.All, s.All), v.Read()))
			whole := optest.Must(s.M.Values())
			if whole[0] == 0 {
				t.Error("nothing was added")
			}
			optest.OK(t, s.M.Zero())
			u, p := s.All.Parts()[0], s.All.Parts()[1]
			optest.OK(t, op2.ParLoop(k.Func(local00), cells, s.M.Block(0, 0).Inc(u, u), v.Read()))
			optest.OK(t, op2.ParLoop(k.Func(local01), cells, s.M.Block(0, 1).Inc(u, p), v.Read()))
			optest.OK(t, op2.ParLoop(k.Func(local10), cells, s.M.Block(1, 0).Inc(p, u), v.Read()))
			if !saddle {
				optest.OK(t, op2.ParLoop(k.Func(local11), cells, s.M.Block(1, 1).Inc(p, p), v.Read()))
			}
			if !slices.Equal(optest.Must(s.M.Values()), whole) {
				t.Error("the blocks together are not the whole")
			}
			optest.OK(t, op2.ParLoop(k.Func(localAll), cells, s.M.Write(s.All, s.All), v.Read()))
			if !(optest.Must(s.M.Norm()) < normOf(whole)) {
				t.Error("Write adds")
			}
		}
	})
}

func normOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v * v
	}
	return math.Sqrt(sum)
}
