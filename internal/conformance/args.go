package conformance

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

func conformDims(t *testing.T, open optest.Opener) {
	const n, m = 300, 50
	for i, kernel := range []any{dim1, dim2, dim3, dim4, dim5} {
		dim := i + 1
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			optest.Parallel(t)
			rt := open(t)
			mesh := optest.NewTopology(n, m)
			edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
			targets := mesh.Anywhere(2)
			edge2node := optest.NewMap(t, edges, nodes, 2, targets, "edge2node")
			a, x, r := optest.Some[float64](mesh.Random, n*dim), optest.Some[float64](mesh.Random, m*dim), optest.Some[float64](mesh.Random, m*dim)
			direct, via := optest.NewDat(t, edges, dim, a, "direct"), optest.NewDat(t, nodes, dim, x, "via")
			out, inc := optest.NewDat[float64](t, edges, dim, nil, "out"), optest.NewDat(t, nodes, dim, r, "inc")

			optest.Run(t, kernels.Func(kernel), edges, direct.Read(), via.Read(edge2node.At(1)), out.Write(), inc.Inc(edge2node.At(0)))

			y := make([]float64, n*dim)
			for e := range n {
				for d := range dim {
					y[e*dim+d] = a[e*dim+d] + 2*x[int(targets[2*e+1])*dim+d]
					r[int(targets[2*e])*dim+d] += a[e*dim+d]
				}
			}
			optest.Expect(t, out, y)
			optest.Expect(t, inc, r)
		})
	}
}

func conformArities(t *testing.T, open optest.Opener) {
	const n, m = 300, 50
	for _, test := range []struct {
		arity, dim int
		kernel     any
	}{
		{1, 1, pack1x1}, {1, 2, pack1x2}, {2, 1, pack2x1}, {2, 2, pack2x2}, {2, 5, pack2x5},
		{3, 1, pack3x1}, {3, 2, pack3x2}, {4, 3, pack4x3}, {5, 1, pack5x1}, {5, 4, pack5x4},
	} {
		arity, dim := test.arity, test.dim
		t.Run(fmt.Sprintf("%dx%d", arity, dim), func(t *testing.T) {
			optest.Parallel(t)
			rt := open(t)
			mesh := optest.NewTopology(n, m)
			edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
			targets := mesh.Anywhere(arity)
			edge2node := optest.NewMap(t, edges, nodes, arity, targets, "edge2node")
			x, r := optest.Some[float64](mesh.Random, m*dim), optest.Some[float64](mesh.Random, m*dim)
			in, inc := optest.NewDat(t, nodes, dim, x, "in"), optest.NewDat(t, nodes, dim, r, "inc")
			sum := optest.NewDat[float64](t, edges, dim, nil, "sum")

			optest.Run(t, kernels.Func(test.kernel), edges, in.Read(edge2node), sum.Write(), inc.Inc(edge2node))

			s := make([]float64, n*dim)
			for e := range n {
				for i := range arity {
					node := int(targets[e*arity+i])
					for d := range dim {
						s[e*dim+d] += float64(i+1) * x[node*dim+d]
						r[node*dim+d] += x[node*dim+d]
					}
				}
			}
			optest.Expect(t, sum, s)
			optest.Expect(t, inc, r)
		})
	}
}

// conformMost runs a loop with the largest possible number of arguments, each a separate dat.
func conformMost(t *testing.T, open optest.Opener) {
	const n, m = 300, 50
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	targets := mesh.Anywhere(3)
	edge2node := optest.NewMap(t, edges, nodes, 3, targets, "edge2node")
	want, total := make([]float64, n), make([]float64, m)
	var args []op2.Arg
	for i := range 62 {
		set, size := edges, n
		if i%2 == 1 {
			set, size = nodes, m
		}
		values := optest.Some[float64](mesh.Random, size)
		d := optest.NewDat(t, set, 1, values, fmt.Sprint("d", i))
		if i%2 == 0 {
			args = append(args, d.Read())
		} else {
			args = append(args, d.Read(edge2node.At(i%3)))
		}
		for e := range n {
			v := values[e%size]
			if i%2 == 1 {
				v = values[targets[3*e+i%3]]
			}
			want[e] += v * float64(1+i%2)
			if i == 0 || i == 61 {
				total[targets[3*e+2]] += v
			}
		}
	}
	out, sum := optest.NewDat[float64](t, edges, 1, nil, "out"), optest.NewDat[float64](t, nodes, 1, nil, "sum")
	optest.Run(t, kernels.Func(most), edges, append(args, out.Write(), sum.Inc(edge2node.At(2)))...)
	optest.Expect(t, out, want)
	optest.Expect(t, sum, total)
}

// conformSizes runs a loop over sets of sizes around those at which backends split them, and over
// empty ones.
func conformSizes(t *testing.T, open optest.Opener) {
	for _, size := range []struct{ edges, nodes int }{
		{0, 0}, {0, 7}, {1, 1}, {2, 1}, {31, 33}, {1023, 400}, {1024, 400}, {1025, 400}, {2048, 1}, {5000, 3000},
	} {
		n, m := size.edges, size.nodes
		t.Run(fmt.Sprintf("%d over %d", n, m), func(t *testing.T) {
			rt := open(t)
			mesh := optest.NewTopology(n, m)
			edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
			targets := mesh.Anywhere(2)
			edge2node := optest.NewMap(t, edges, nodes, 2, targets, "edge2node")
			av, bv, rv := optest.Some[float64](mesh.Random, n), optest.Some[float64](mesh.Random, 2*m), optest.Some[float64](mesh.Random, 2*m)
			a, b := optest.NewDat(t, edges, 1, av, "a"), optest.NewDat(t, nodes, 2, bv, "b")
			out, inc := optest.NewDat[float64](t, edges, 2, nil, "out"), optest.NewDat(t, nodes, 2, rv, "inc")
			count, low := optest.NewGlobal[int64](t, rt, "count", 5), optest.NewGlobal(t, rt, "low", -3.0)

			optest.Run(t, kernels.Func(everyWay), edges, a.Read(), b.Read(edge2node.At(0)), out.Write(),
				inc.Inc(edge2node.At(1)), b.Read(edge2node), count.Inc(), low.Min())

			y, least := make([]float64, 2*n), -3.0
			for e := range n {
				i, j := targets[2*e], targets[2*e+1]
				y[2*e], y[2*e+1] = av[e]+bv[2*i], bv[2*i]-bv[2*j+1]
				rv[2*j] += av[e]
				rv[2*j+1] -= bv[2*i+1]
				least = min(least, av[e])
			}
			optest.Expect(t, out, y)
			optest.Expect(t, inc, rv)
			optest.Expect(t, count, []int64{5 + int64(n)})
			optest.Expect(t, low, []float64{least})
		})
	}
}

// conformInc runs kernels that add, and kernels that leave a value to be added, on elements that
// share targets.
func conformInc(t *testing.T, open optest.Opener) {
	const n, m = 1100, 37
	for _, test := range []struct {
		name   string
		kernel any
		packed bool
		// leaves returns what the kernel leaves for a value, [row][dim].
		leaves func(v float64) [3][2]float64
	}{
		{"adds", incAdds, false, func(v float64) [3][2]float64 { return [3][2]float64{{v, 1 - 2*v}} }},
		{"sets", incSets, false, func(v float64) [3][2]float64 { return [3][2]float64{{v, -1}} }},
		{"sees", incSees, false, func(v float64) [3][2]float64 { return [3][2]float64{{3 * v, 2*v + 1}} }},
		{"sometimes", incSometimes, false, func(v float64) [3][2]float64 {
			if v > 0 {
				return [3][2]float64{{v, 0}}
			}
			return [3][2]float64{{0, 1}}
		}},
		{"all adds", incAllAdds, true, func(v float64) [3][2]float64 { return [3][2]float64{{v, 0}, {v, -1}, {v, -2}} }},
		{"all sets", incAllSets, true, func(v float64) [3][2]float64 { return [3][2]float64{{v, 0}, {v, 1}, {v, 2}} }},
		{"all sees", incAllSees, true, func(v float64) [3][2]float64 { return [3][2]float64{{v, 0}, {}, {0, v + 1}} }},
	} {
		for _, layout := range []string{"anywhere", "one target", "repeats", "direct"} {
			if layout == "direct" && test.packed {
				continue
			}
			t.Run(test.name+" "+layout, func(t *testing.T) {
				rt := open(t)
				mesh := optest.NewTopology(n, m)
				targets := mesh.Anywhere(3)
				for i := range targets {
					switch layout {
					case "one target": // every element hits the same
						targets[i] = m / 2
					case "repeats": // each element hits one, three times
						targets[i] = targets[i-i%3]
					case "direct":
						targets[i] = int32(i / 3)
					}
				}
				edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
				if layout == "direct" {
					nodes = edges
				}
				v, r := optest.Some[float64](mesh.Random, n), optest.Some[float64](mesh.Random, 2*nodes.Size())
				value, res := optest.NewDat(t, edges, 1, v, "value"), optest.NewDat(t, nodes, 2, r, "res")

				rows, component := 1, 1
				arg := res.Inc()
				if layout != "direct" {
					edge2node := optest.NewMap(t, edges, nodes, 3, targets, "edge2node")
					arg = res.Inc(edge2node.At(component))
					if test.packed {
						rows, component = 3, 0
						arg = res.Inc(edge2node)
					}
				}
				optest.Run(t, kernels.Func(test.kernel), edges, value.Read(), arg)

				for e := range n {
					left := test.leaves(v[e])
					for i := range rows {
						node := targets[3*e+component+i]
						r[2*node] += left[i][0]
						r[2*node+1] += left[i][1]
					}
				}
				optest.Expect(t, res, r)
			})
		}
	}
}

// conformRepeats passes one dat several times, through different components, where one row of the
// map contains the same target more than once.
func conformRepeats(t *testing.T, open optest.Opener) {
	const n, m = 1100, 40
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	targets := mesh.Anywhere(3)
	for e := range n {
		if e%3 == 0 {
			targets[3*e+1] = targets[3*e]
		}
	}
	edge2node := optest.NewMap(t, edges, nodes, 3, targets, "edge2node")
	others := optest.NewTopology(n, n).Anywhere(3)
	copy(others, []int32{0, 0, 0, 1, 0, 1})
	edge2edge := optest.NewMap(t, edges, edges, 3, others, "edge2edge")
	slots := optest.NewSet(t, rt, 3*n, "slots")
	once := mesh.Once(3)
	edge2slot := optest.NewMap(t, edges, slots, 3, once, "edge2slot")
	pairs := make([]int32, 2*n) // of other slots than component 2 leads to, for a dat of its own
	for e := range n {
		pairs[2*e], pairs[2*e+1] = once[3*e], once[3*e+1]
	}
	edge2pair := optest.NewMap(t, edges, slots, 2, pairs, "edge2pair")

	t.Run("read", func(t *testing.T) {
		x := optest.Some[float64](mesh.Random, n)
		d, sum := optest.NewDat(t, edges, 1, x, "x"), optest.NewDat[float64](t, edges, 2, nil, "sum")
		optest.Run(t, kernels.Func(neighbors), edges, d.Read(), d.Read(edge2edge.At(0)), d.Read(edge2edge.At(1)), d.Read(edge2edge.At(2)), sum.Write())
		s := make([]float64, 2*n)
		for e := range n {
			s[2*e], s[2*e+1] = x[e], x[others[3*e]]+10*x[others[3*e+1]]+100*x[others[3*e+2]]
		}
		optest.Expect(t, sum, s)
	})
	for _, test := range []struct {
		name   string
		kernel any
	}{{"inc by adding", twiceAdds}, {"inc by setting", twiceSets}} {
		t.Run(test.name, func(t *testing.T) {
			v, r := optest.Some[float64](mesh.Random, n), optest.Some[float64](mesh.Random, 2*m)
			value, res := optest.NewDat(t, edges, 1, v, "value"), optest.NewDat(t, nodes, 2, r, "res")
			optest.Run(t, kernels.Func(test.kernel), edges, value.Read(), res.Inc(edge2node.At(0)), res.Inc(edge2node.At(1)))
			for e := range n {
				r[2*targets[3*e]] += v[e]
				r[2*targets[3*e+1]] += 2 * v[e]
				r[2*targets[3*e+1]+1] -= 1
			}
			optest.Expect(t, res, r)
		})
	}
	t.Run("unique targets", func(t *testing.T) {
		x, y := optest.Some[float64](mesh.Random, 6*n), optest.Some[float64](mesh.Random, 6*n)
		w := make([]float64, 6*n)
		from, into, both := optest.NewDat(t, slots, 2, x, "from"), optest.NewDat(t, slots, 2, w, "into"), optest.NewDat(t, slots, 2, y, "both")
		optest.Run(t, kernels.Func(moveUnique), edges, from.Read(edge2slot.At(1)), into.Write(edge2slot.At(2)), both.RW(edge2pair))
		for e := range n {
			s0, s1, s2 := once[3*e], once[3*e+1], once[3*e+2]
			w[2*s2], w[2*s2+1] = x[2*s1+1], x[2*s1]
			y[2*s0], y[2*s0+1], y[2*s1], y[2*s1+1] = y[2*s1], y[2*s1+1], y[2*s0], y[2*s0+1]
		}
		optest.Expect(t, into, w)
		optest.Expect(t, both, y)
	})
}

func conformIndex(t *testing.T, open optest.Opener) {
	const n, m = 2500, 3
	rt := open(t)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	targets := optest.NewTopology(n, m).Anywhere(1)
	edge2node := optest.NewMap(t, edges, nodes, 1, targets, "edge2node")
	direct, via := optest.NewDat[int64](t, edges, 2, nil, "direct"), optest.NewDat[int32](t, nodes, 1, nil, "via")
	odd := optest.NewGlobal[int64](t, rt, "odd", 0)
	optest.Run(t, kernels.Func(numbered), edges, op2.Index(), direct.Write(), via.Max(edge2node.At(0)), odd.Inc())
	d, v := make([]int64, 2*n), make([]int32, m)
	for e := range n {
		d[2*e], d[2*e+1] = int64(e), -3*int64(e)
		v[targets[e]] = int32(e) + 1
	}
	optest.Expect(t, direct, d)
	optest.Expect(t, via, v)
	optest.Expect(t, odd, []int64{n / 2})
}

func conformGlobals(t *testing.T, open optest.Opener) {
	for _, n := range []int{0, 1, 1024, 5000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			rt := open(t)
			mesh := optest.NewTopology(n, 1)
			cells := optest.NewSet(t, rt, n, "cells")
			v1, v3 := optest.Some[float64](mesh.Random, n), optest.Some[float64](mesh.Random, 3*n)
			d1, d3 := optest.NewDat(t, cells, 1, v1, "d1"), optest.NewDat(t, cells, 3, v3, "d3")
			scale1, scale3 := optest.NewGlobal(t, rt, "scale1", 3.0), optest.NewGlobal(t, rt, "scale3", 2.0, -1, 5)
			sum1, sum3 := optest.NewGlobal(t, rt, "sum1", 10.0), optest.NewGlobal(t, rt, "sum3", 1.0, 2, 3)
			low1, low3 := optest.NewGlobal(t, rt, "low1", 7.0), optest.NewGlobal(t, rt, "low3", 100.0, -100, 0)
			high1, high3 := optest.NewGlobal(t, rt, "high1", -7.0), optest.NewGlobal(t, rt, "high3", 100.0, -100, 0)
			wantSum1, wantSum3 := []float64{10}, []float64{1, 2, 3}
			wantLow1, wantLow3 := []float64{7}, []float64{100, -100, 0}
			wantHigh1, wantHigh3 := []float64{-7}, []float64{100, -100, 0}
			for range 2 { // what was there counts once, each time
				optest.Run(t, kernels.Func(reduce1), cells, d1.Read(), scale1.Read(), sum1.Inc(), low1.Min(), high1.Max())
				optest.Run(t, kernels.Func(reduce3), cells, d3.Read(), scale3.Read(), sum3.Inc(), low3.Min(), high3.Max())
				for e := range n {
					wantSum1[0] += 3 * v1[e]
					wantLow1[0], wantHigh1[0] = min(wantLow1[0], v1[e]), max(wantHigh1[0], v1[e])
					for d, s := range []float64{2, -1, 5} {
						v := v3[3*e+d]
						wantSum3[d] += s * v
						wantLow3[d], wantHigh3[d] = min(wantLow3[d], v), max(wantHigh3[d], v)
					}
				}
				optest.Expect(t, sum1, wantSum1)
				optest.Expect(t, low1, wantLow1)
				optest.Expect(t, high1, wantHigh1)
				optest.Expect(t, sum3, wantSum3)
				optest.Expect(t, low3, wantLow3)
				optest.Expect(t, high3, wantHigh3)
			}

			// What a loop has left counts no more in values that the program replaces.
			reduce := func() {
				optest.Run(t, kernels.Func(reduce1), cells, d1.Read(), scale1.Read(), sum1.Inc(), low1.Min(), high1.Max())
			}
			reduce()
			optest.OK(t, sum1.Set(5))
			optest.OK(t, low1.Set(50))
			optest.Expect(t, low1, []float64{50})
			reduce()
			wantSum1[0], wantLow1[0] = 5, 50
			for _, v := range v1 {
				wantSum1[0] += 3 * v
				wantLow1[0] = min(wantLow1[0], v)
			}
			optest.Expect(t, sum1, wantSum1)
			optest.Expect(t, low1, wantLow1)
			optest.Expect(t, high1, wantHigh1)

			// One global twice, and reductions that are set rather than added to.
			sum, count := optest.NewGlobal(t, rt, "sum", 1.0), optest.NewGlobal[int32](t, rt, "count", 0, 4)
			optest.Run(t, kernels.Func(reduceSets), cells, d1.Read(), sum.Inc(), sum.Inc(), count.Inc())
			want := 1.0
			for _, v := range v1 {
				want += 3 * v
			}
			optest.Expect(t, sum, []float64{want})
			optest.Expect(t, count, []int32{int32(n), 4 + 2*int32(n)})
		})
	}
	t.Run("nan", func(t *testing.T) {
		rt := open(t)
		cells := optest.NewSet(t, rt, 3000, "cells")
		v := make([]float64, 3000)
		v[1700] = math.NaN()
		value, scale := optest.NewDat(t, cells, 1, v, "value"), optest.NewGlobal(t, rt, "scale", 1.0)
		sum, low, high := optest.NewGlobal(t, rt, "sum", 0.0), optest.NewGlobal(t, rt, "low", 0.0), optest.NewGlobal(t, rt, "high", 0.0)
		optest.Run(t, kernels.Func(reduce1), cells, value.Read(), scale.Read(), sum.Inc(), low.Min(), high.Max())
		for _, g := range []*op2.Global[float64]{sum, low, high} {
			optest.Expect(t, g, []float64{math.NaN()})
		}
	})
}

// conformFloats compares rounding arithmetic with Go's own.
func conformFloats(t *testing.T, open optest.Opener) {
	const n = 2000
	mesh := optest.NewTopology(n, n)
	x, low := make([]float64, 2*n), make([]float32, n)
	for i := range x {
		x[i] = mesh.Random.NormFloat64() * math.Exp2(float64(mesh.Random.IntN(40)-20))
	}
	for i := range low {
		low[i] = float32(mesh.Random.NormFloat64())
	}
	t.Run("exact", func(t *testing.T) { // the same bits, where nothing is contracted
		rt := open(t, op2.WithCFlags("-ffp-contract=off"))
		cells := optest.NewSet(t, rt, n, "cells")
		dx, dlow := optest.NewDat(t, cells, 2, x, "x"), optest.NewDat(t, cells, 1, low, "low")
		dy, dz := optest.NewDat[float64](t, cells, 3, nil, "y"), optest.NewDat[float32](t, cells, 1, nil, "z")
		optest.Run(t, kernels.Func(rounded), cells, dx.Read(), dlow.Read(), dy.Write(), dz.Write())
		y, z := make([]float64, 3*n), make([]float32, n)
		for e := range n {
			a, b, c := x[2*e], x[2*e+1], low[e]
			aa, bb, cc := a*a, b*b, c/3*c
			y[3*e] = math.Sqrt(float64(aa) + float64(bb))
			y[3*e+1] = a / (1 + math.Abs(b))
			y[3*e+2] = math.Floor(float64(a*7)) + math.FMA(a, b, 1)
			z[e] = float32(cc) + c
		}
		optest.Expect(t, dy, y)
		optest.Expect(t, dz, z)
	})
	for _, simd := range []op2.Mode{op2.Off, op2.On} { // the same bits, where conversions round
		t.Run("conversions, packs "+string(simd), func(t *testing.T) {
			rt := open(t, op2.WithSIMD(simd))
			cells := optest.NewSet(t, rt, n, "cells")
			dx, dw := optest.NewDat(t, cells, 2, x, "x"), optest.NewDat[float64](t, cells, 2, nil, "w")
			dy, dz := optest.NewDat[float64](t, cells, 5, nil, "y"), optest.NewDat[float32](t, cells, 1, nil, "z")
			optest.Run(t, kernels.Func(products), cells, dx.Read(), dy.Write(), dz.Write())
			optest.Run(t, kernels.Func(turned), cells, dx.Read(), dw.Write())
			w, y, z := make([]float64, 0, 2*n), make([]float64, 0, 5*n), make([]float32, 0, n)
			for e := range n {
				a, b := x[2*e], x[2*e+1]
				aa, bb, af, bf := float64(a*b), float64(b*b), float32(a), float32(b)
				lost := math.FMA(a, b, -aa)
				y = append(y, 0, lost, lost, a+bb, 0)
				z = append(z, float32(af*bf)-float32(bf*bf))
				w = append(w, float64(a*0.6)-float64(b*0.8), float64(a*0.8)+float64(b*0.6))
			}
			optest.Expect(t, dw, w)
			optest.Expect(t, dy, y)
			optest.Expect(t, dz, z)
		})
	}
	t.Run("contracted", func(t *testing.T) { // to a tolerance: a few units in the last place
		rt := open(t)
		cells := optest.NewSet(t, rt, n, "cells")
		dx, dy := optest.NewDat(t, cells, 2, x, "x"), optest.NewDat[float64](t, cells, 2, nil, "y")
		optest.Run(t, kernels.Func(contracted), cells, dx.Read(), dy.Write())
		y := optest.Values(t, dy)
		for e := range n {
			a, b := x[2*e], x[2*e+1]
			square := a*a + b*b
			optest.Near(t, y[2*e], square, 4e-16)
			// Exp magnifies the error of the square by its size.
			optest.Near(t, y[2*e+1], math.Exp(-square)*math.Sin(a), 1e-15*(1+square))
		}
	})
}
