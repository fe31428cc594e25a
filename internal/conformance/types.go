package conformance

import (
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/optest"
)

// Every element type with every access, direct and through a map, one component and
// all at once. The kernels are the same for each type, which Go's kernels, having no
// type parameters, must spell out.

// conformTypes runs the kernels of each type.
func conformTypes(t *testing.T, open optest.Opener) {
	t.Run("float64", func(t *testing.T) { conformType[float64](t, open, singleFloat64, packedFloat64) })
	t.Run("float32", func(t *testing.T) { conformType[float32](t, open, singleFloat32, packedFloat32) })
	t.Run("int64", func(t *testing.T) { conformType[int64](t, open, singleInt64, packedInt64) })
	t.Run("int32", func(t *testing.T) { conformType[int32](t, open, singleInt32, packedInt32) })
	t.Run("int16", func(t *testing.T) { conformType[int16](t, open, singleInt16, packedInt16) })
	t.Run("int8", func(t *testing.T) { conformType[int8](t, open, singleInt8, packedInt8) })
	t.Run("uint64", func(t *testing.T) { conformType[uint64](t, open, singleUint64, packedUint64) })
	t.Run("uint32", func(t *testing.T) { conformType[uint32](t, open, singleUint32, packedUint32) })
	t.Run("uint16", func(t *testing.T) { conformType[uint16](t, open, singleUint16, packedUint16) })
	t.Run("uint8", func(t *testing.T) { conformType[uint8](t, open, singleUint8, packedUint8) })
}

func conformType[T op2.Scalar](t *testing.T, open optest.Opener,
	single func(in *[2]T, x *T, w *[2]T, rw *T, inc *[2]T, low, high *T, p *[2]T, sum, least, most *T),
	packed func(x *[3][2]T, one, w *[3]T, rw, inc *[3][2]T, low *[3]T, high *[3][2]T),
) {
	optest.Parallel(t)
	rt := open(t)
	const n, m = 1500, 400
	mesh := optest.NewTopology(n, m)
	edges, nodes, slots := optest.NewSet(t, rt, n, "edges"), optest.NewSet(t, rt, m, "nodes"), optest.NewSet(t, rt, 3*n, "slots")
	pairValues, tripleValues, slotValues := mesh.Anywhere(2), mesh.Anywhere(3), mesh.Once(3)
	pairs := optest.NewMap(t, edges, nodes, 2, pairValues, "pairs")
	triples := optest.NewMap(t, edges, nodes, 3, tripleValues, "triples")
	edge2slot := optest.NewMap(t, edges, slots, 3, slotValues, "edge2slot")

	// What the loops get, and what the reference works on.
	in, x, rw := optest.Some[T](mesh.Random, 2*n), optest.Some[T](mesh.Random, m), optest.Some[T](mesh.Random, n)
	inc, low, high := optest.Some[T](mesh.Random, 2*m), optest.Some[T](mesh.Random, m), optest.Some[T](mesh.Random, m)
	p, sum, least, most := optest.Some[T](mesh.Random, 2), optest.Some[T](mesh.Random, 1), optest.Some[T](mesh.Random, 1), optest.Some[T](mesh.Random, 1)
	x2, slot1 := optest.Some[T](mesh.Random, 2*m), optest.Some[T](mesh.Random, 3*n)
	slot2, inc2 := optest.Some[T](mesh.Random, 6*n), optest.Some[T](mesh.Random, 2*m)
	low1, high2 := optest.Some[T](mesh.Random, m), optest.Some[T](mesh.Random, 2*m)

	dIn, dX, dW := optest.NewDat(t, edges, 2, in, "in"), optest.NewDat(t, nodes, 1, x, "x"), optest.NewDat[T](t, edges, 2, nil, "w")
	dRW, dInc := optest.NewDat(t, edges, 1, rw, "rw"), optest.NewDat(t, nodes, 2, inc, "inc")
	dLow, dHigh := optest.NewDat(t, nodes, 1, low, "low"), optest.NewDat(t, nodes, 1, high, "high")
	gP, gSum := optest.NewGlobal(t, rt, "p", p...), optest.NewGlobal(t, rt, "sum", sum...)
	gLeast, gMost := optest.NewGlobal(t, rt, "least", least...), optest.NewGlobal(t, rt, "most", most...)
	dX2, dOne, dW2 := optest.NewDat(t, nodes, 2, x2, "x2"), optest.NewDat(t, slots, 1, slot1, "one"), optest.NewDat[T](t, slots, 1, nil, "w2")
	dRW2, dInc2 := optest.NewDat(t, slots, 2, slot2, "rw2"), optest.NewDat(t, nodes, 2, inc2, "inc2")
	dLow1, dHigh2 := optest.NewDat(t, nodes, 1, low1, "low1"), optest.NewDat(t, nodes, 2, high2, "high2")

	optest.Run(t, kernels.Func(single), edges,
		dIn.Read(), dX.Read(pairs.At(0)), dW.Write(), dRW.RW(), dInc.Inc(pairs.At(1)),
		dLow.Min(pairs.At(0)), dHigh.Max(pairs.At(1)), gP.Read(), gSum.Inc(), gLeast.Min(), gMost.Max())
	optest.Run(t, kernels.Func(packed), edges,
		dX2.Read(triples), dOne.Read(edge2slot), dW2.Write(edge2slot), dRW2.RW(edge2slot), dInc2.Inc(triples),
		dLow1.Min(triples), dHigh2.Max(triples))

	w, w2 := make([]T, 2*n), make([]T, 3*n)
	for e := range n {
		a, b := pairValues[2*e], pairValues[2*e+1]
		u, v := in[2*e], in[2*e+1]
		w[2*e], w[2*e+1] = v, u+x[a]
		rw[e] += u * p[0]
		inc[2*b] += u
		inc[2*b+1] -= v
		low[a], high[b] = min(low[a], u), max(high[b], v)
		sum[0] += u + p[1]
		least[0], most[0] = min(least[0], u), max(most[0], v)
		for i := range 3 {
			node, slot := tripleValues[3*e+i], slotValues[3*e+i]
			w2[slot] = slot1[slot] + x2[2*node]
			slot2[2*slot] += x2[2*node+1]
			slot2[2*slot+1] -= slot1[slot]
			inc2[2*node] += slot1[slot]
			inc2[2*node+1] -= x2[2*node]
			low1[node] = min(low1[node], slot1[slot])
			high2[2*node] = max(high2[2*node], slot1[slot])
			high2[2*node+1] = max(high2[2*node+1], x2[2*node])
		}
	}
	optest.Expect(t, dW, w)
	optest.Expect(t, dRW, rw)
	optest.Expect(t, dInc, inc)
	optest.Expect(t, dLow, low)
	optest.Expect(t, dHigh, high)
	optest.Expect(t, gSum, sum)
	optest.Expect(t, gLeast, least)
	optest.Expect(t, gMost, most)
	optest.Expect(t, dW2, w2)
	optest.Expect(t, dRW2, slot2)
	optest.Expect(t, dInc2, inc2)
	optest.Expect(t, dLow1, low1)
	optest.Expect(t, dHigh2, high2)
}

func singleFloat64(in *[2]float64, x *float64, w *[2]float64, rw *float64, inc *[2]float64, low, high *float64, p *[2]float64, sum, least, most *float64) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedFloat64(x *[3][2]float64, one, w *[3]float64, rw, inc *[3][2]float64, low *[3]float64, high *[3][2]float64) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]float64{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleFloat32(in *[2]float32, x *float32, w *[2]float32, rw *float32, inc *[2]float32, low, high *float32, p *[2]float32, sum, least, most *float32) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedFloat32(x *[3][2]float32, one, w *[3]float32, rw, inc *[3][2]float32, low *[3]float32, high *[3][2]float32) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]float32{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleInt64(in *[2]int64, x *int64, w *[2]int64, rw *int64, inc *[2]int64, low, high *int64, p *[2]int64, sum, least, most *int64) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedInt64(x *[3][2]int64, one, w *[3]int64, rw, inc *[3][2]int64, low *[3]int64, high *[3][2]int64) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]int64{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleInt32(in *[2]int32, x *int32, w *[2]int32, rw *int32, inc *[2]int32, low, high *int32, p *[2]int32, sum, least, most *int32) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedInt32(x *[3][2]int32, one, w *[3]int32, rw, inc *[3][2]int32, low *[3]int32, high *[3][2]int32) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]int32{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleInt16(in *[2]int16, x *int16, w *[2]int16, rw *int16, inc *[2]int16, low, high *int16, p *[2]int16, sum, least, most *int16) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedInt16(x *[3][2]int16, one, w *[3]int16, rw, inc *[3][2]int16, low *[3]int16, high *[3][2]int16) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]int16{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleInt8(in *[2]int8, x *int8, w *[2]int8, rw *int8, inc *[2]int8, low, high *int8, p *[2]int8, sum, least, most *int8) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedInt8(x *[3][2]int8, one, w *[3]int8, rw, inc *[3][2]int8, low *[3]int8, high *[3][2]int8) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]int8{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleUint64(in *[2]uint64, x *uint64, w *[2]uint64, rw *uint64, inc *[2]uint64, low, high *uint64, p *[2]uint64, sum, least, most *uint64) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedUint64(x *[3][2]uint64, one, w *[3]uint64, rw, inc *[3][2]uint64, low *[3]uint64, high *[3][2]uint64) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]uint64{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleUint32(in *[2]uint32, x *uint32, w *[2]uint32, rw *uint32, inc *[2]uint32, low, high *uint32, p *[2]uint32, sum, least, most *uint32) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedUint32(x *[3][2]uint32, one, w *[3]uint32, rw, inc *[3][2]uint32, low *[3]uint32, high *[3][2]uint32) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]uint32{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleUint16(in *[2]uint16, x *uint16, w *[2]uint16, rw *uint16, inc *[2]uint16, low, high *uint16, p *[2]uint16, sum, least, most *uint16) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedUint16(x *[3][2]uint16, one, w *[3]uint16, rw, inc *[3][2]uint16, low *[3]uint16, high *[3][2]uint16) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]uint16{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}

func singleUint8(in *[2]uint8, x *uint8, w *[2]uint8, rw *uint8, inc *[2]uint8, low, high *uint8, p *[2]uint8, sum, least, most *uint8) {
	w[0], w[1] = in[1], in[0]+*x
	*rw += in[0] * p[0]
	inc[0] += in[0]
	inc[1] -= in[1]
	*low = in[0] // what was there is compared with it afterward
	*high = max(*high, in[1])
	*sum += in[0] + p[1]
	*least = min(*least, in[0])
	if in[1] > *most {
		*most = in[1]
	}
}

func packedUint8(x *[3][2]uint8, one, w *[3]uint8, rw, inc *[3][2]uint8, low *[3]uint8, high *[3][2]uint8) {
	for i := range 3 {
		w[i] = one[i] + x[i][0]
		rw[i][0] += x[i][1]
		rw[i][1] -= one[i]
		inc[i] = [2]uint8{one[i], -x[i][0]}
		low[i] = one[i]
		high[i][0], high[i][1] = one[i], x[i][0]
	}
}
