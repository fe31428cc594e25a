package conformance

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/solver"
)

//go:embed mat.go
var matSource string

// massP1 computes the mass matrix of a triangle with linear elements.
func massP1(a *[3][3]float64, x *[3][2]float64) {
	area := ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])) / 2
	for i := range 3 {
		for j := range 3 {
			a[i][j] += area / 12
		}
		a[i][i] += area / 12
	}
}

// massP1Vector does the same for two components at each vertex.
func massP1Vector(a *[6][6]float64, x *[3][2]float64) {
	area := ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])) / 2
	for i := range 6 {
		for j := range 6 {
			if i%2 == j%2 {
				a[i][j] = area / 12
			}
			if i == j {
				a[i][j] = area / 6
			}
		}
	}
}

// loadP1 computes the right-hand side for a function that is linear on the triangle.
func loadP1(b *[3]float64, x *[3][2]float64, f *[3]float64) {
	area := ((x[1][0]-x[0][0])*(x[2][1]-x[0][1]) - (x[2][0]-x[0][0])*(x[1][1]-x[0][1])) / 2
	for i := range 3 {
		b[i] += area / 12 * (f[0] + f[1] + f[2] + f[i])
	}
}

// facetPair adds 1 to the diagonal and 2 beside it.
func facetPair(k *[2][2]float64) {
	for i := range 2 {
		k[i][i] += 1
		k[i][1-i] += 2
	}
}

// conformMass checks mass matrix and right-hand side of two triangles against known answers.
func conformMass(t *testing.T, open optest.Opener) {
	want := []float64{
		.25, .125, 0, .125,
		.125, .291667, .0208333, .145833,
		0, .0208333, .0416667, .0208333,
		.125, .145833, .0208333, .291667,
	}
	rt := open(t)
	nodes, elements := optest.NewSet(t, rt, 4, "nodes"), optest.NewSet(t, rt, 2, "elements")
	elem2node := optest.NewMap(t, elements, nodes, 3, []int32{0, 1, 3, 2, 3, 1}, "elem2node")
	x := optest.NewDat(t, nodes, 2, []float64{0, 0, 2, 0, 1, 1, 0, 1.5}, "x")
	pairs := []op2.MapPair{{Rows: elem2node, Cols: elem2node}}

	t.Run("scalar", func(t *testing.T) {
		mass := op2.NewMat[float64](op2.NewSparsity(pairs, 1, 1, "sp"), "mass")
		for range 2 { // a second time the same
			if err := mass.Zero(); err != nil {
				t.Fatal(err)
			}
			optest.Run(t, kernels.Func(massP1), elements, mass.Inc(elem2node, elem2node), x.Read(elem2node))
			close5(t, optest.Must(mass.Values()), want)
		}
		if n := mass.Sparsity().Blocks(); n != 14 {
			t.Errorf("%d nonzeros, want 14", n)
		}
	})
	t.Run("a facet's nonzeros are among its cell's", func(t *testing.T) {
		facets := optest.NewSet(t, rt, 3, "facets")
		facet2node := optest.NewMap(t, facets, nodes, 2, []int32{3, 1, 1, 2, 0, 3}, "facet2node")
		k := op2.NewMat[float64](op2.NewSquareSparsity(elem2node, 1, "sp"), "k")
		optest.Run(t, kernels.Func(facetPair), facets, k.Inc(facet2node, facet2node))
		close5(t, optest.Must(k.Values()), []float64{1, 0, 0, 2, 0, 2, 2, 2, 0, 2, 1, 0, 2, 2, 0, 2})
		if err := facet2node.SetValues([]int32{3, 1, 0, 2, 0, 3}); err == nil {
			t.Error("a map that the matrix was assembled through may change")
		}
	})
	t.Run("vector", func(t *testing.T) {
		mass := op2.NewMat[float64](op2.NewSparsity(pairs, 2, 2, "sp"), "mass")
		optest.Run(t, kernels.Func(massP1Vector), elements, mass.Inc(elem2node, elem2node), x.Read(elem2node))
		vector := make([]float64, 64)
		for i := range 8 {
			for j := range 8 {
				if i%2 == j%2 {
					vector[8*i+j] = want[i/2*4+j/2]
				}
			}
		}
		close5(t, optest.Must(mass.Values()), vector)
	})
	t.Run("right-hand side", func(t *testing.T) {
		f, b := optest.NewDat(t, nodes, 1, []float64{1, 2, 3, 4}, "f"), optest.NewDat[float64](t, nodes, 1, nil, "b")
		optest.Run(t, kernels.Func(loadP1), elements, b.Inc(elem2node), x.Read(elem2node), f.Read(elem2node))
		close5(t, optest.Must(b.DataRO()), []float64{.9999999523522115, 1.3541666031724144, .2499999883507239, 1.6458332580869566})
	})
	for dim := 1; dim <= 2; dim++ {
		t.Run(fmt.Sprintf("solution, dim %d", dim), func(t *testing.T) {
			mass := op2.NewMat[float64](op2.NewSparsity(pairs, dim, dim, "sp"), "mass")
			k, f, b := kernels.Func(massP1), []float64{1, 2, 3, 4}, []float64{.9999999523522115, 1.3541666031724144, .2499999883507239, 1.6458332580869566}
			if dim == 2 {
				k, f, b = kernels.Func(massP1Vector), doubled(f), doubled(b)
			}
			optest.Run(t, k, elements, mass.Inc(elem2node, elem2node), x.Read(elem2node))
			// The known right-hand side was computed in single precision: seven digits are right.
			u, exact := optest.NewDat[float64](t, nodes, dim, nil, "u"), optest.NewDat[float64](t, nodes, dim, nil, "exact")
			if err := mass.Mul(exact, optest.NewDat(t, nodes, dim, f, "f")); err != nil {
				t.Fatal(err)
			}
			close5(t, optest.Must(exact.DataRO()), b)
			system := solver.New(mass, solver.WithRTol(1e-12))
			defer system.Close()
			if _, err := system.Solve(u, exact); err != nil {
				t.Fatal(err)
			}
			optest.Within(t, u, f, 1e-8)
		})
	}
	for form, at := range map[string]string{"double a[3][3]": "a[i][j]", "double *a": "a[3 * i + j]", "double *a[3]": "a[i][j]", "double a[9]": "a[3 * i + j]"} {
		t.Run(form, func(t *testing.T) {
			mass := op2.NewMat[float64](op2.NewSparsity(pairs, 1, 1, "sp"), "mass")
			k := ckernel.New("mass_p1", fmt.Sprintf(`
void mass_p1(%s, const double x[3][2])
{
	const double area = ((x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1])) / 2;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			%s += area / (i == j ? 6 : 12);
}`, form, at))
			optest.Run(t, k, elements, mass.Inc(elem2node, elem2node), x.Read(elem2node))
			close5(t, optest.Must(mass.Values()), want)
		})
	}
}

// doubled returns each value twice.
func doubled(x []float64) (y []float64) {
	for _, v := range x {
		y = append(y, v, v)
	}
	return y
}

// close5 fails the test if values differ by more than 1e-5.
func close5(t testing.TB, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d values, want %d", len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-5) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// Kernels with local matrices of all shapes: value (i, j) is v*(i+1) + j, or is increased
// by that.

func local3x3(a *[3][3]float64, v *float64) {
	for i := range 3 {
		for j := range 3 {
			a[i][j] = *v*float64(i+1) + float64(j)
		}
	}
}

func local3x3Adds(a *[3][3]float64, v *float64) {
	for i := range 3 {
		for j := range 3 {
			a[i][j] += *v * float64(i+1)
			a[i][j] += float64(j)
		}
	}
}

func local3x3Float32(a *[3][3]float32, v *float64) {
	for i := range 3 {
		for j := range 3 {
			a[i][j] = float32(*v)*float32(i+1) + float32(j)
		}
	}
}

func local3x3Int32(a *[3][3]int32, v *float64) {
	for i := range 3 {
		for j := range 3 {
			a[i][j] = int32(*v)*int32(i+1) + int32(j)
		}
	}
}

func local1x1(a *[1][1]float64, v *float64) { a[0][0] = *v }

func local2x3(a *[2][3]float64, v *float64) {
	for i := range 2 {
		for j := range 3 {
			a[i][j] = *v*float64(i+1) + float64(j)
		}
	}
}

func local6x6(a *[6][6]float64, v *float64) {
	for i := range 6 {
		for j := range 6 {
			a[i][j] = *v*float64(i+1) + float64(j)
		}
	}
}

func local6x3(a *[6][3]float64, v *float64) {
	for i := range 6 {
		for j := range 3 {
			a[i][j] = *v*float64(i+1) + float64(j)
		}
	}
}

func local4x9(a *[4][9]float64, v *float64) {
	for i := range 4 {
		for j := range 9 {
			a[i][j] = *v*float64(i+1) + float64(j)
		}
	}
}

// conformMats assembles matrices of all shapes, through all sorts of maps.
func conformMats(t *testing.T, open optest.Opener) {
	for _, shape := range []struct {
		kernel     any
		arity, dim [2]int
		square     bool
		elements   int
	}{
		{local3x3, [2]int{3, 3}, [2]int{1, 1}, true, 2500},
		{local3x3Adds, [2]int{3, 3}, [2]int{1, 1}, true, 700},
		{local1x1, [2]int{1, 1}, [2]int{1, 1}, true, 100},
		{local2x3, [2]int{2, 3}, [2]int{1, 1}, false, 700},
		{local6x6, [2]int{3, 3}, [2]int{2, 2}, true, 1100},
		{local6x3, [2]int{2, 1}, [2]int{3, 3}, false, 300},
		{local4x9, [2]int{4, 3}, [2]int{1, 3}, false, 300},
		{local6x3, [2]int{2, 3}, [2]int{3, 1}, false, 0},
	} {
		for _, layout := range []string{"anywhere", "one target", "repeats", "masked", "search", "masked search"} {
			if strings.Contains(layout, "search") && shape.elements < 1000 { // each is a text to compile
				continue
			}
			t.Run(fmt.Sprintf("%s/%s", kernels.Func(shape.kernel).Name(), layout), func(t *testing.T) {
				n := shape.elements
				rt := open(t)
				mesh := optest.NewTopology(n, 60)
				elements, nodes, faces := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, 60, "nodes"), optest.NewSet(t, rt, 45, "faces")
				values := [2][]int32{mesh.Anywhere(shape.arity[0]), optest.NewTopology(n, 45).Anywhere(shape.arity[1])}
				for k := range values {
					for i := range values[k] {
						switch {
						case layout == "one target":
							values[k][i] = 17
						case layout == "repeats":
							values[k][i] = values[k][i-i%shape.arity[k]]
						}
					}
				}
				if shape.square {
					faces = nodes
				}
				rows, cols := optest.NewMap(t, elements, nodes, shape.arity[0], values[0], "rows"), optest.NewMap(t, elements, faces, shape.arity[1], values[1], "cols")
				s := op2.NewSparsity([]op2.MapPair{{Rows: rows, Cols: cols}}, shape.dim[0], shape.dim[1], "sp")
				s.SetSearch(layout == "search" || layout == "masked search")
				var throughRows, throughCols op2.MatMap = rows, cols
				if layout == "masked" || layout == "masked search" {
					maskedRows := rows.Masked(op2.NewSubset(nodes, []int{0, 3, 4, 59}, "fixed"), "free rows")
					holes := slices.Clone(values[1])
					for i := range holes {
						if mesh.Random.IntN(5) == 0 {
							holes[i] = -1
						}
					}
					if n > 0 {
						values = [2][]int32{maskedRows.Values(), holes}
					}
					maskedCols := op2.NewMaskedMap(elements, faces, shape.arity[1], holes, "some cols")
					if layout == "masked" { // a sparsity of the masked maps themselves
						s = op2.NewSparsity([]op2.MapPair{{Rows: rows, Cols: maskedCols}}, shape.dim[0], shape.dim[1], "sp")
					} else {
						s = op2.NewSparsity([]op2.MapPair{{Rows: maskedRows, Cols: maskedCols}, {Rows: rows, Cols: cols}}, shape.dim[0], shape.dim[1], "sp")
						s.SetSearch(true)
					}
					throughRows, throughCols = maskedRows, maskedCols
				}
				m := op2.NewMat[float64](s, "m")
				v := optest.Some[float64](mesh.Random, n)
				value := optest.NewDat(t, elements, 1, v, "value")
				want := &optest.Dense{Cols: m.Cols(), Values: make([]float64, m.Rows()*m.Cols())}
				var all, half []int32
				for e := range int32(n) {
					all = append(all, e)
					if mesh.Random.IntN(2) == 0 {
						half = append(half, e)
					}
				}
				subset := op2.NewSubset(elements, half, "half")

				k := kernels.Func(shape.kernel)
				optest.Run(t, k, elements, m.Inc(throughRows, throughCols), value.Read())
				want.Assemble(all, values[0], values[1], shape.arity, shape.dim, v, false)
				optest.ExpectMat(t, m, want)
				optest.Run(t, k, subset, m.Inc(throughRows, throughCols), value.Read())
				want.Assemble(half, values[0], values[1], shape.arity, shape.dim, v, false)
				optest.ExpectMat(t, m, want)
				if k.Name() == "local3x3Adds" { // which is no kernel for Write
					return
				}
				optest.Run(t, k, subset, m.Write(throughRows, throughCols), value.Read())
				want.Assemble(half, values[0], values[1], shape.arity, shape.dim, v, true)
				optest.ExpectMat(t, m, want)
				optest.Run(t, k, elements, m.Inc(throughRows, throughCols), value.Read())
				want.Assemble(all, values[0], values[1], shape.arity, shape.dim, v, false)
				optest.ExpectMat(t, m, want)
				optest.Run(t, k, elements, m.Write(throughRows, throughCols), value.Read())
				want.Assemble(all, values[0], values[1], shape.arity, shape.dim, v, true)
				optest.ExpectMat(t, m, want)
			})
		}
	}
	t.Run("types", func(t *testing.T) {
		rt := open(t)
		conformMatOf[float32](t, rt, local3x3Float32)
		conformMatOf[int32](t, rt, local3x3Int32)
	})
}

func conformMatOf[T op2.Scalar](t *testing.T, rt *op2.Runtime, kernel any) {
	const n = 400
	mesh := optest.NewTopology(n, 50)
	elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, 50, "nodes")
	values := mesh.Anywhere(3)
	elem2node := optest.NewMap(t, elements, nodes, 3, values, "elem2node")
	m := op2.NewMat[T](op2.NewSparsity([]op2.MapPair{{Rows: elem2node, Cols: elem2node}}, 1, 1, "sp"), "m")
	v := optest.Some[float64](mesh.Random, n)
	want := &optest.Dense{Cols: 50, Values: make([]float64, 2500)}
	optest.Run(t, kernels.Func(kernel), elements, m.Inc(elem2node, elem2node), optest.NewDat(t, elements, 1, v, "value").Read())
	var all []int32
	for e := range int32(n) {
		all = append(all, e)
	}
	want.Assemble(all, values, values, [2]int{3, 3}, [2]int{1, 1}, v, false)
	optest.ExpectMat(t, m, want)
}

// several assembles two matrices and a right-hand side, reads, counts and reduces.
func several(a *[3][3]float64, n *int, x *[3]float64, b *[3]float64, c *[1][3]float64, c2 *[1][3]float64, sum *float64) {
	for i := range 3 {
		for j := range 3 {
			a[i][j] = x[j]
		}
		b[i] += x[i] * 2
		c[0][i] = float64(*n)
		c2[0][i] += x[i]
	}
	*sum += x[0]
}

// conformSeveralMats runs one loop that changes several matrices, one of them twice, dats and
// globals; its code depends neither on sizes nor on the pattern of a matrix.
func conformSeveralMats(t *testing.T, open optest.Opener) {
	cache := t.TempDir()
	rt := open(t, op2.WithCacheDir(cache))
	k := kernels.Func(several)
	for _, n := range []int{1500, 0, 700} {
		const m = 40
		mesh := optest.NewTopology(n, m)
		elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, m, "nodes")
		to, one := mesh.Anywhere(3), mesh.Anywhere(1)
		elem2node, elem2one := optest.NewMap(t, elements, nodes, 3, to, "elem2node"), optest.NewMap(t, elements, nodes, 1, one, "elem2one")
		square := op2.NewSparsity([]op2.MapPair{{Rows: elem2one, Cols: elem2node}, {Rows: elem2node, Cols: elem2node}}, 1, 1, "square")
		a, c := op2.NewMat[float64](square, "a"), op2.NewMat[float64](square, "c")
		xv := optest.Some[float64](mesh.Random, m)
		x, b, sum := optest.NewDat(t, nodes, 1, xv, "x"), optest.NewDat[float64](t, nodes, 1, nil, "b"), optest.NewGlobal(t, rt, "sum", 1.0)
		optest.Run(t, k, elements, a.Inc(elem2node, elem2node), op2.Index(), x.Read(elem2node), b.Inc(elem2node),
			c.Inc(elem2one, elem2node), c.Inc(elem2one, elem2node), sum.Inc())

		wantA, wantC, wantB, wantSum := make([]float64, m*m), make([]float64, m*m), make([]float64, m), 1.0
		for e := range n {
			for i := range 3 {
				for j := range 3 {
					wantA[int(to[3*e+i])*m+int(to[3*e+j])] += xv[to[3*e+j]]
				}
				wantB[to[3*e+i]] += 2 * xv[to[3*e+i]]
				wantC[int(one[e])*m+int(to[3*e+i])] += float64(e) + xv[to[3*e+i]]
			}
			wantSum += xv[to[3*e]]
		}
		optest.ExpectMat(t, a, &optest.Dense{Cols: m, Values: wantA})
		optest.ExpectMat(t, c, &optest.Dense{Cols: m, Values: wantC})
		optest.Expect(t, b, wantB)
		optest.Expect(t, sum, []float64{wantSum})
	}
	if n := compilations(t, cache); n > 1 {
		t.Errorf("%d compilations, want one", n)
	}
}

// writesSome writes the rows that the data select, possibly one of them twice.
func writesSome(a *[3][3]float64, rows *[3]int32) {
	for i := range 3 {
		for j := range 3 {
			a[rows[i]&3][j] = 1
		}
	}
}

// conformMatPoison checks that values which a kernel fails to write are found.
func conformMatPoison(t *testing.T, open optest.Opener) {
	rt := open(t, op2.WithDiags(true))
	elements, nodes := optest.NewSet(t, rt, 3, "elements"), optest.NewSet(t, rt, 9, "nodes")
	elem2node := optest.NewMap(t, elements, nodes, 3, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}, "elem2node")
	m := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: elem2node, Cols: elem2node}}, 1, 1, "sp"), "m")
	which := optest.NewDat(t, elements, 3, []int32{0, 1, 2, 0, 2, 0, 2, 1, 0}, "which")
	err := op2.ParLoop(kernels.Func(writesSome), elements, m.Write(elem2node, elem2node), which.Read())
	optest.ExpectError(t, err, "op2: loop writesSome over elements: mat m: the value in row 4 and column 3 is NaN")
}

// conformMatThreads checks that sums do not depend on the number of threads, bit by bit.
func conformMatThreads(t *testing.T, open optest.Opener) {
	if strings.Contains(t.Name(), "/atomic") || strings.Contains(t.Name(), "/measure") {
		t.Skip("the order in which increments come is the device's")
	}
	var first []float64
	for _, threads := range []int{1, 2, 5} {
		rt := open(t, op2.WithThreads(threads), op2.WithBlockSize(37), op2.WithoutAtomics())
		const n, m = 4000, 300
		mesh := optest.NewTopology(n, m)
		elements, nodes := optest.NewSet(t, rt, n, "elements"), optest.NewSet(t, rt, m, "nodes")
		elem2node := optest.NewMap(t, elements, nodes, 3, mesh.Anywhere(3), "elem2node")
		v := make([]float64, n)
		for i := range v {
			v[i] = mesh.Random.NormFloat64()
		}
		a := op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: elem2node, Cols: elem2node}}, 1, 1, "sp"), "a")
		optest.Run(t, kernels.Func(local3x3), elements, a.Inc(elem2node, elem2node), optest.NewDat(t, elements, 1, v, "v").Read())
		values := optest.Must(a.CSR()).Values
		if first != nil && !slices.Equal(values, first) {
			t.Errorf("another matrix on %d threads", threads)
		}
		first = values
	}
}
