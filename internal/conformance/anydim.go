package conformance

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

//go:embed anydim.go
var anyDimSource string

// anyDirect has all accesses of a direct argument, and of one component of a map.
func anyDirect(in, via, w, rw, inc, low, high, p, sum, least []float64, n *int, scale *float64) {
	for d, v := range in {
		w[d] = v + 2*via[d] + float64(*n%3)
		rw[d] = 2*rw[d] - v
		inc[d] += v * p[d]
		sum[d] += v
	}
	copy(low, via)
	smaller(least, in)
	for d := range len(high) {
		high[d] = max(high[d], in[d]) + 0**scale
	}
}

// anyEdge needs no copies.
func anyEdge(in, via, p, inc []float64) {
	for d := range inc {
		inc[d] += in[d]*p[d] - via[d]
	}
}

func smaller(least, values []float64) {
	for d := range least {
		if v := values[d]; v < least[d] {
			least[d] = v
		}
	}
}

// anyPacked has all accesses of the values of a whole map.
func anyPacked(in, w, rw, add, set [][]float64, low, high [][]float64, sum []float64) {
	clear(sum)
	for i, row := range in {
		r := rw[i]
		for d, v := range row {
			w[i][d] = v + float64(i)
			r[d] = 2*r[d] - v
			add[i][d] += v
			add[i][d] -= float64(d)
			set[i][d] = v * float64(d)
			if v > high[i][d] {
				high[i][d] = v
			}
		}
		copy(low[i], row)
		sum[0] += total(row) + total(in[len(in)-1-i][:])
	}
	for d := 1; d < len(sum); d++ {
		sum[d] = sum[0] + float64(d)
	}
}

func total(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

// anyArity takes a dat of dim 1 through a whole map of any arity, and another with a dim that it
// knows.
func anyArity(x []int32, y [][2]float32, sum *float32) {
	*sum = 0
	for i, v := range x {
		*sum += float32(v)*y[i][0] - y[i][1]
	}
}

// anyPair is a value of two numbers of one type, anyReading one of two types.
type (
	anyPair    struct{ A, B float64 }
	anyReading struct {
		Value float64
		Count int32
	}
)

// anyValues has values of the program's types.
func anyValues(x []anyPair, r []anyReading, all [][]anyPair, sum []float64) {
	last := all[len(all)-1]
	for i, v := range r {
		sum[i] = x[i].A + v.Value*float64(v.Count) + last[i].B - all[0][i].A
	}
	for i := range x {
		x[i].B += float64(i)
	}
}

// anyLocal adds to a local matrix of any shape, and writes another.
func anyLocal(a, b [][]float64, x [][]float64) {
	for i, row := range a {
		for j := range row {
			row[j] += x[0][0] + float64(i)
			row[j] -= float64(2 * j)
			b[i][j] = float64(i*len(row) + j)
		}
	}
}

// conformAnyDim runs kernels whose parameters are slices, for random dims and arities.
func conformAnyDim(t *testing.T, open optest.Opener) {
	seed := fnv.New64()
	seed.Write([]byte(strings.Split(t.Name(), "/")[1])) // other pairs on each backend, whose configurations share code
	random := rand.New(rand.NewPCG(seed.Sum64(), 0))
	pairs := 3
	if heavy.On() {
		pairs = 7
	}
	dims := random.Perm(7)
	for i, arity := range random.Perm(7)[:pairs] {
		arity, dim := arity+1, dims[i]+1
		t.Run(fmt.Sprintf("%dx%d", arity, dim), func(t *testing.T) {
			t.Run("direct", func(t *testing.T) { anyDimDirect(t, open, dim) })
			t.Run("packed", func(t *testing.T) { anyDimPacked(t, open, arity, dim) })
		})
	}
	for _, arity := range []int{1, 4} {
		t.Run(fmt.Sprintf("arity %d", arity), func(t *testing.T) { anyDimArity(t, open, arity) })
	}
	for _, dim := range []int{1, 3} {
		t.Run(fmt.Sprintf("values %d", dim), func(t *testing.T) { anyDimValues(t, open, dim) })
	}
	for _, shape := range [][3]int{{1, 1, 1}, {3, 1, 1}, {2, 3, 2}} {
		t.Run(fmt.Sprintf("mat %dx%dx%d", shape[0], shape[1], shape[2]), func(t *testing.T) { anyDimMat(t, open, shape[0], shape[1], shape[2]) })
	}
}

func anyDimDirect(t *testing.T, open optest.Opener, dim int) {
	optest.Parallel(t)
	const n, m = 300, 50
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	to := mesh.Anywhere(2)
	edge2node := optest.NewMap(t, edges, nodes, 2, to, "edge2node")
	values := func(size int) []float64 { return optest.Some[float64](mesh.Random, size*dim) }
	in, via, w, rw, inc, low, high := values(n), values(m), make([]float64, n*dim), values(n), values(m), values(m), values(m)
	p, sum, least := values(1), values(1), values(1)
	dIn, dVia, dW, dRW := optest.NewDat(t, edges, dim, in, "in"), optest.NewDat(t, nodes, dim, via, "via"), optest.NewDat[float64](t, edges, dim, nil, "w"), optest.NewDat(t, edges, dim, rw, "rw")
	dInc, dLow, dHigh := optest.NewDat(t, nodes, dim, inc, "inc"), optest.NewDat(t, nodes, dim, low, "low"), optest.NewDat(t, nodes, dim, high, "high")
	gP, gSum, gLeast, gScale := optest.NewGlobal(t, rt, "p", p...), optest.NewGlobal(t, rt, "sum", sum...), optest.NewGlobal(t, rt, "least", least...), optest.NewGlobal(t, rt, "scale", 1.0)
	optest.Run(t, kernels.Func(anyDirect), edges, dIn.Read(), dVia.Read(edge2node.At(0)), dW.Write(), dRW.RW(), dInc.Inc(edge2node.At(1)),
		dLow.Min(edge2node.At(0)), dHigh.Max(edge2node.At(1)), gP.Read(), gSum.Inc(), gLeast.Min(), op2.Index(), gScale.Read())
	optest.Run(t, kernels.Func(anyEdge), edges, dIn.Read(), dVia.Read(edge2node.At(0)), gP.Read(), dInc.Inc(edge2node.At(1)))

	for e := range n {
		a, b := int(to[2*e]), int(to[2*e+1])
		for d := range dim {
			v := in[e*dim+d]
			w[e*dim+d] = v + 2*via[a*dim+d] + float64(e%3)
			rw[e*dim+d] = 2*rw[e*dim+d] - v
			inc[b*dim+d] += 2*v*p[d] - via[a*dim+d]
			low[a*dim+d], high[b*dim+d] = min(low[a*dim+d], via[a*dim+d]), max(high[b*dim+d], v)
			sum[d] += v
			least[d] = min(least[d], v)
		}
	}
	optest.Expect(t, dW, w)
	optest.Expect(t, dRW, rw)
	optest.Expect(t, dInc, inc)
	optest.Expect(t, dLow, low)
	optest.Expect(t, dHigh, high)
	optest.Expect(t, gSum, sum)
	optest.Expect(t, gLeast, least)
}

func anyDimPacked(t *testing.T, open optest.Opener, arity, dim int) {
	optest.Parallel(t)
	const n, m = 250, 60
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes, slots := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes"), optest.NewSet(t, rt, n*arity, "slots")
	to, slot := mesh.Anywhere(arity), mesh.Once(arity)
	edge2node, edge2slot := optest.NewMap(t, edges, nodes, arity, to, "edge2node"), optest.NewMap(t, edges, slots, arity, slot, "edge2slot")
	values := func(size int) []float64 { return optest.Some[float64](mesh.Random, size*dim) }
	in, w, rw, add, set, low, high, sum := values(m), values(n*arity), values(n*arity), values(m), values(m), values(m), values(m), make([]float64, n*dim)
	dIn, dW, dRW := optest.NewDat(t, nodes, dim, in, "in"), optest.NewDat(t, slots, dim, w, "w"), optest.NewDat(t, slots, dim, rw, "rw")
	dAdd, dSet := optest.NewDat(t, nodes, dim, add, "add"), optest.NewDat(t, nodes, dim, set, "set")
	dLow, dHigh, dSum := optest.NewDat(t, nodes, dim, low, "low"), optest.NewDat(t, nodes, dim, high, "high"), optest.NewDat[float64](t, edges, dim, nil, "sum")
	optest.Run(t, kernels.Func(anyPacked), edges, dIn.Read(edge2node), dW.Write(edge2slot), dRW.RW(edge2slot),
		dAdd.Inc(edge2node), dSet.Inc(edge2node), dLow.Min(edge2node), dHigh.Max(edge2node), dSum.Write())

	for r := range n * arity {
		for d := range dim {
			at, own := int(to[r])*dim+d, int(slot[r])*dim+d
			v := in[at]
			w[own] = v + float64(r%arity)
			rw[own] = 2*rw[own] - v
			add[at] += v - float64(d)
			set[at] += v * float64(d)
			low[at] = min(low[at], v)
			high[at] = max(high[at], v)
			for c := range dim {
				sum[r/arity*dim+c] += 2 * v
			}
		}
	}
	for i := range sum {
		sum[i] += float64(i % dim)
	}
	optest.Expect(t, dW, w)
	optest.Expect(t, dRW, rw)
	optest.Expect(t, dAdd, add)
	optest.Expect(t, dSet, set)
	optest.Expect(t, dLow, low)
	optest.Expect(t, dHigh, high)
	optest.Expect(t, dSum, sum)
}

func anyDimArity(t *testing.T, open optest.Opener, arity int) {
	optest.Parallel(t)
	const n, m = 200, 50
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	to := mesh.Anywhere(arity)
	edge2node := optest.NewMap(t, edges, nodes, arity, to, "edge2node")
	x, y, sum := optest.Some[int32](mesh.Random, m), optest.Some[float32](mesh.Random, 2*m), make([]float32, n)
	dSum := optest.NewDat[float32](t, edges, 1, nil, "sum")
	optest.Run(t, kernels.Func(anyArity), edges, optest.NewDat(t, nodes, 1, x, "x").Read(edge2node), optest.NewDat(t, nodes, 2, y, "y").Read(edge2node), dSum.Write())
	for r, at := range to {
		sum[r/arity] += float32(x[at])*y[2*at] - y[2*at+1]
	}
	optest.Expect(t, dSum, sum)
}

func anyDimValues(t *testing.T, open optest.Opener, dim int) {
	optest.Parallel(t)
	const n, m = 200, 50
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	to := mesh.Anywhere(2)
	edge2node := optest.NewMap(t, edges, nodes, 2, to, "edge2node")
	x, all, r, sum := make([]anyPair, n*dim), make([]anyPair, m*dim), make([]anyReading, m*dim), make([]float64, n*dim)
	number := func() float64 { return float64(mesh.Random.IntN(50)) }
	for i := range x {
		x[i] = anyPair{number(), number()}
	}
	for i := range all {
		all[i], r[i] = anyPair{number(), number()}, anyReading{number(), int32(i)}
	}
	dX := op2.NewDat(edges, dim, x, "x")
	dSum := optest.NewDat[float64](t, edges, dim, nil, "sum")
	optest.Run(t, kernels.Func(anyValues), edges, dX.RW(), op2.NewDat(nodes, dim, r, "r").Read(edge2node.At(1)),
		op2.NewDat(nodes, dim, all, "all").Read(edge2node), dSum.Write())
	for i := range sum {
		e, d := i/dim, i%dim
		first, second := int(to[2*e])*dim+d, int(to[2*e+1])*dim+d
		sum[i] = x[i].A + r[second].Value*float64(r[second].Count) + all[second].B - all[first].A
		x[i].B += float64(d)
	}
	optest.Expect(t, dSum, sum)
	optest.Expect(t, dX, x)
}

func anyDimMat(t *testing.T, open optest.Opener, arity, rowDim, colDim int) {
	optest.Parallel(t)
	const n, m = 40, 60
	rt := open(t)
	mesh := optest.NewTopology(n, m)
	edges, nodes, slots := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes"), optest.NewSet(t, rt, n*arity, "slots")
	to, once := mesh.Anywhere(arity), mesh.Once(arity)
	edge2node, edge2slot := optest.NewMap(t, edges, nodes, arity, to, "edge2node"), optest.NewMap(t, edges, slots, arity, once, "edge2slot")
	newMat := func(rows, cols *op2.Map, name string) *op2.Mat[float64] {
		return op2.NewMat[float64](op2.NewSparsity([]op2.MapPair{{Rows: rows, Cols: cols}}, rowDim, colDim, "sp "+name), name)
	}
	a, b := newMat(edge2node, edge2node, "a"), newMat(edge2slot, edge2slot, "b")
	x := optest.Some[float64](mesh.Random, m)
	optest.Run(t, kernels.Func(anyLocal), edges, a.Inc(edge2node, edge2node), b.Write(edge2slot, edge2slot), optest.NewDat(t, nodes, 1, x, "x").Read(edge2node))

	rows, cols := arity*rowDim, arity*colDim
	wantA, wantB := make([]float64, m*rowDim*m*colDim), make([]float64, n*arity*rowDim*n*arity*colDim)
	for e := range n {
		for i := range rows {
			for j := range cols {
				at := func(to []int32, size int) int {
					return (int(to[e*arity+i/rowDim])*rowDim+i%rowDim)*size*colDim + int(to[e*arity+j/colDim])*colDim + j%colDim
				}
				wantA[at(to, m)] += x[to[e*arity]] + float64(i) - float64(2*j)
				wantB[at(once, n*arity)] = float64(i*cols + j)
			}
		}
	}
	optest.ExpectMat(t, a, &optest.Dense{Cols: m * colDim, Values: wantA})
	optest.ExpectMat(t, b, &optest.Dense{Cols: n * arity * colDim, Values: wantB})
}
