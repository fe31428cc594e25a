package conformance

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed values.go
var valuesSource string

// Values of the program's own types, all of whose fields are numbers of one type.
type (
	amount    float64
	conserved struct{ Rho, RhoU, RhoV, RhoE float64 }
	vector2   struct{ X, Y float32 }
	pair      struct {
		vector2
		Ends   [2]vector2
		_      float32
		Charge float32
	}
)

func (c conserved) plus(d conserved) conserved {
	return conserved{c.Rho + d.Rho, c.RhoU + d.RhoU, c.RhoV + d.RhoV, c.RhoE + d.RhoE}
}

func (c *conserved) stretch(by amount) {
	c.Rho *= float64(by)
	c.RhoE *= float64(by)
}

func (v vector2) turned() vector2 { return vector2{-v.Y, v.X} }

// conformValues runs loops over data of such types with every access, direct and through a map.
func conformValues(t *testing.T, open optest.Opener) {
	t.Run("structs", func(t *testing.T) { conformStructs(t, open) })
	t.Run("c", func(t *testing.T) { conformCStructs(t, open) })
	t.Run("flags", func(t *testing.T) { conformFlags(t, open) })
	t.Run("complex", func(t *testing.T) { conformComplex(t, open) })
}

func conserveds(random func(int) int, n int) []conserved {
	values := make([]conserved, n)
	for i := range values {
		values[i] = conserved{float64(random(9)), float64(random(9)), float64(-random(9)), float64(random(5))}
	}
	return values
}

func pairs(random func(int) int, n int) []pair {
	values := make([]pair, n)
	for i := range values {
		f := func() float32 { return float32(random(9) - 4) }
		values[i] = pair{vector2: vector2{f(), f()}, Ends: [2]vector2{{f(), f()}, {f(), f()}}, Charge: f()}
	}
	return values
}

func conformStructs(t *testing.T, open optest.Opener) {
	optest.Parallel(t)
	rt := open(t)
	const n, m = 700, 200
	mesh := optest.NewTopology(n, m)
	random := mesh.Random.IntN
	edges, nodes, slots := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes"), optest.NewSet(t, rt, 2*n, "slots")
	ends, slotOf := mesh.Anywhere(2), mesh.Once(2)
	edge2node, edge2slot := optest.NewMap(t, edges, nodes, 2, ends, "edge2node"), optest.NewMap(t, edges, slots, 2, slotOf, "edge2slot")

	in, x, rw, inc := conserveds(random, 2*n), conserveds(random, m), pairs(random, n), conserveds(random, 2*m)
	by, sum, low := []amount{3}, conserveds(random, 1), []amount{100}
	all, all2, slot, slotRW := pairs(random, m), pairs(random, m), pairs(random, 2*n), conserveds(random, 4*n)
	dIn, dX, dW := optest.NewDat(t, edges, 2, in, "in"), optest.NewDat(t, nodes, 1, x, "x"), optest.NewDat[conserved](t, edges, 2, nil, "w")
	dRW, dInc := optest.NewDat(t, edges, 1, rw, "rw"), optest.NewDat(t, nodes, 2, inc, "inc")
	gBy, gSum, gLow := optest.NewGlobal(t, rt, "by", by...), optest.NewGlobal(t, rt, "sum", sum...), optest.NewGlobal(t, rt, "low", low...)
	dAll, dAll2 := optest.NewDat(t, nodes, 1, all, "all"), optest.NewDat(t, nodes, 1, all2, "all2")
	dSlot, dSlotRW := optest.NewDat(t, slots, 1, slot, "slot"), optest.NewDat(t, slots, 2, slotRW, "slotRW")

	k := op2.Kernels(valuesSource)
	optest.Run(t, k.Func(singleStructs), edges,
		dIn.Read(), dX.Read(edge2node.At(0)), dW.Write(), dRW.RW(), dInc.Inc(edge2node.At(1)), gBy.Read(), gSum.Inc(), gLow.Min())
	optest.Run(t, k.Func(packedStructs), edges, dAll.Read(edge2node), dSlot.Write(edge2slot), dSlotRW.RW(edge2slot), dAll2.Inc(edge2node))

	w := make([]conserved, 2*n)
	for e := range n {
		a, b := ends[2*e], ends[2*e+1]
		first, second := in[2*e], in[2*e+1]
		w[2*e], w[2*e+1] = second, first.plus(x[a])
		w[2*e+1].stretch(by[0])
		rw[e].Ends[1] = rw[e].vector2.turned()
		rw[e].X += float32(first.Rho)
		inc[2*b] = inc[2*b].plus(first)
		inc[2*b+1].RhoV -= second.RhoE
		sum[0] = sum[0].plus(second)
		low[0] = min(low[0], amount(first.RhoV))
		for i := range 2 {
			node, at := ends[2*e+i], slotOf[2*e+i]
			slot[at] = pair{vector2: all[node].Ends[0], Ends: [2]vector2{all[node].vector2, all[node].turned()}, Charge: all[node].Charge}
			slotRW[2*at] = slotRW[2*at].plus(slotRW[2*at+1])
			all2[node].Ends[1].Y += all[node].Charge
			all2[node].Charge++
		}
	}
	optest.Expect(t, dW, w)
	optest.Expect(t, dRW, rw)
	optest.Expect(t, dInc, inc)
	optest.Expect(t, gSum, sum)
	optest.Expect(t, gLow, low)
	optest.Expect(t, dSlot, slot)
	optest.Expect(t, dSlotRW, slotRW)
	optest.Expect(t, dAll2, all2)
}

func singleStructs(in *[2]conserved, x *conserved, w *[2]conserved, rw *pair, inc *[2]conserved, by *amount, sum *conserved, low *amount) {
	w[0] = in[1]
	w[1] = in[0].plus(*x)
	w[1].stretch(*by)
	rw.Ends[1] = rw.turned()
	rw.X += float32(in[0].Rho)
	inc[0] = inc[0].plus(in[0])
	inc[1].RhoV -= in[1].RhoE
	*sum = sum.plus(in[1])
	*low = min(*low, amount(in[0].RhoV))
}

func packedStructs(x *[2]pair, slot *[2]pair, rw *[2][2]conserved, inc *[2]pair) {
	for i := range slot {
		slot[i] = pair{vector2: x[i].Ends[0], Charge: x[i].Charge}
		slot[i].Ends[0] = x[i].vector2
		slot[i].Ends[1] = x[i].turned()
		rw[i][0] = rw[i][0].plus(rw[i][1])
		inc[i].Ends[1].Y += x[i].Charge
		inc[i].Charge++
	}
}

// conformFlags marks nodes by bools, and counts in an int.
func conformFlags(t *testing.T, open optest.Opener) {
	optest.Parallel(t)
	rt := open(t)
	const n, m = 300, 200
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	ends := mesh.Anywhere(2)
	edge2node := optest.NewMap(t, edges, nodes, 2, ends, "edge2node")
	odd := make([]bool, m)
	for i := range odd {
		odd[i] = mesh.Random.IntN(2) == 0
	}
	dOdd, dBoth := optest.NewDat(t, nodes, 1, odd, "odd"), optest.NewDat[[2]bool](t, edges, 1, nil, "both")
	count := optest.NewGlobal(t, rt, "count", 7)
	optest.Run(t, op2.Kernels(valuesSource).Func(flags), edges, dOdd.Read(edge2node), dBoth.Write(), count.Inc())
	both, total := make([][2]bool, n), 7
	for e := range both {
		a, b := odd[ends[2*e]], odd[ends[2*e+1]]
		both[e] = [2]bool{a && b, a != b}
		if a {
			total++
		}
	}
	optest.Expect(t, dBoth, both)
	optest.Expect(t, count, []int{total})
	if !slices.Contains(both, [2]bool{false, true}) {
		t.Error("no edge joins an odd and an even node")
	}
}

func flags(odd *[2]bool, both *[2]bool, count *int) {
	both[0] = odd[0] && odd[1]
	both[1] = odd[0] != odd[1]
	if odd[0] {
		*count++
	}
}

// conformCStructs runs C kernels, for which the structs are declared: one whose source is compiled as
// it is, because of a char, and one that is printed again.
func conformCStructs(t *testing.T, open optest.Opener) {
	optest.Parallel(t)
	rt := open(t)
	const n, m = 300, 100
	mesh := optest.NewTopology(n, m)
	edges, nodes := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes")
	ends := mesh.Anywhere(2)
	edge2node := optest.NewMap(t, edges, nodes, 2, ends, "edge2node")
	q, p, sum := conserveds(mesh.Random.IntN, m), pairs(mesh.Random.IntN, 2*n), conserveds(mesh.Random.IntN, 1)
	dQ, dP, dR := optest.NewDat(t, nodes, 1, q, "q"), optest.NewDat(t, edges, 2, p, "p"), optest.NewDat[conserved](t, nodes, 1, nil, "r")
	gSum := optest.NewGlobal(t, rt, "sum", sum...)
	r := make([]conserved, m)
	forms := []string{"", "char c = 1; r->Rho += c - 1;"}
	if !compiles(rt) {
		forms = forms[:1]
	}
	for _, exact := range forms {
		optest.Run(t, ckernel.New("structs", strings.Replace(cStructs, "EXACT", exact, 1)), edges,
			dQ.Read(edge2node), dP.RW(), dR.Inc(edge2node.At(1)), gSum.Inc(), dQ.Read(edge2node.At(0)))
		for e := range n {
			a, b := q[ends[2*e]], q[ends[2*e+1]]
			r[ends[2*e+1]].Rho += a.Rho + a.RhoE
			r[ends[2*e+1]].RhoV -= a.RhoU + b.RhoU
			p[2*e+1].Ends[0].Y = p[2*e].Ends[1].X + float32(a.RhoE)
			p[2*e].X = 1
			sum[0].RhoE += a.RhoE
		}
	}
	optest.Run(t, ckernel.New("rows", cRowsOfStructs), edges, dQ.Read(edge2node), dR.Inc(edge2node))
	for e := range n {
		for i, to := range ends[2*e : 2*e+2] {
			of, other := q[ends[2*e]], q[ends[2*e+1-i]]
			r[to].Rho += q[to].Rho + q[to].RhoE
			r[to].RhoV -= of.RhoU * other.RhoV
			r[to].RhoE++
		}
	}
	optest.Expect(t, dR, r)
	optest.Expect(t, dP, p)
	optest.Expect(t, gSum, sum)
}

// cRowsOfStructs runs in packs.
const cRowsOfStructs = `
static double sized(const conserved *q) { return q->Rho + q->RhoE; }

void rows(const conserved *q[2], conserved *r[2])
{
	const conserved of = *q[0];
	for (int i = 0; i < 2; i++) {
		r[i]->Rho += sized(q[i]);
		r[i][0].RhoV -= of.RhoU * q[1 - i]->RhoV;
		r[i]->RhoE += 1;
	}
}`

const cStructs = `
static double sized(const conserved *q) { return q->Rho + q->RhoE; }

void structs(conserved *q[2], pair p[2], conserved *r, conserved *sum, const double *flat)
{
	EXACT
	conserved total = *q[0];
	total.RhoU += q[1]->RhoU;
	r->Rho += sized(&total);
	r->RhoV -= total.RhoU;
	p[1].Ends[0].Y = p[0].Ends[1].X + flat[3];
	p[0].vector2.X = 1;
	sum->RhoE += q[0]->RhoE;
}`
