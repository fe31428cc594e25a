package conformance

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/optest"
)

//go:embed mixed.go
var mixedSource string

// mixedAll does something else with each of several mixed dats, which have 12 values for an element.
func mixedAll(r, w, rw, inc, low, high, sets *[12]float64) {
	for i := range r {
		w[i] = 2*r[i] + float64(i)
		rw[i] = 3*rw[i] - r[i]
		inc[i] += r[11-i]
		low[i] = r[i] - float64(i)
		high[i] = r[i] + float64(i)
	}
	for i := range sets { // so that it cannot add in place
		sets[i] = float64(i) - r[i]
	}
}

const mixedAllC = `void mixed_all(double *r, double w[12], double *rw, double *inc, double low[12], double *high, double *sets)
{
	for (int i = 0; i < 12; i++) {
		w[i] = 2 * r[i] + i;
		rw[i] = 3 * rw[i] - r[i];
		inc[i] += r[11 - i];
		low[i] = r[i] - i;
		high[i] = r[i] + i;
		sets[i] = i - r[i];
	}
}`

// mixedLocal computes local matrices of all blocks, one of any size.
func mixedLocal(n *int, a *[12][12]float64, b [][]float64) {
	for i := range b {
		for j := range b[i] {
			b[i][j] = float64((*n%5+1)*(i+1) - j)
			a[i][j] += b[i][j]
		}
	}
}

// conformMixed runs loops on mixed dats with random parts.
func conformMixed(t *testing.T, open optest.Opener) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rt := open(t)
			m := newMixedMesh(t, rt, seed, 300)
			r, w, rw, inc, low, high, sets := m.dat("r"), m.dat("w"), m.dat("rw"), m.dat("inc"), m.dat("low"), m.dat("high"), m.dat("sets")
			kernel := op2.Kernels(mixedSource).Func(mixedAll)
			if seed == 2 {
				kernel = ckernel.New("mixed_all", mixedAllC)
			}
			optest.Run(t, kernel, m.from, r.Read(m.anywhere.MixedMap), w.Write(m.once.MixedMap), rw.RW(m.once.MixedMap),
				inc.Inc(m.anywhere.MixedMap), low.Min(m.anywhere.MixedMap), high.Max(m.anywhere.MixedMap), sets.Inc(m.anywhere.MixedMap))
			for e := range m.from.Size() {
				var x [12]float64
				r.each(m.anywhere, e, func(i int, v *float64) { x[i] = *v })
				w.each(m.once, e, func(i int, v *float64) { *v = 2*x[i] + float64(i) })
				rw.each(m.once, e, func(i int, v *float64) { *v = 3**v - x[i] })
				inc.each(m.anywhere, e, func(i int, v *float64) { *v += x[11-i] })
				low.each(m.anywhere, e, func(i int, v *float64) { *v = min(*v, x[i]-float64(i)) })
				high.each(m.anywhere, e, func(i int, v *float64) { *v = max(*v, x[i]+float64(i)) })
				sets.each(m.anywhere, e, func(i int, v *float64) { *v += float64(i) - x[i] })
			}
			for _, d := range []*mixedDat{r, w, rw, inc, low, high, sets} {
				d.expect(t)
			}
		})
	}
}

// mixedMesh has maps from one set to several, one of which leads nowhere in some seeds.
type mixedMesh struct {
	*rand.Rand
	t              *testing.T
	from           *op2.Set
	to             []*op2.Set
	dims           []int // of parts that maps lead to, for 12 values together
	anywhere, once mixedMap
}

type mixedMap struct {
	*op2.MixedMap
	arity  []int // 0 for a part that is absent
	values [][]int32
}

// mixedShapes are the dims and arities of parts; 0 for one that is absent.
var mixedShapes = [][][2]int{
	{{2, 3}, {1, 2}, {4, 1}},
	{{1, 6}, {2, 0}, {3, 2}},
	{{1, 1}, {1, 4}, {2, 2}, {3, 1}},
}

func newMixedMesh(t *testing.T, rt *op2.Runtime, seed uint64, n int) *mixedMesh {
	m := &mixedMesh{Rand: rand.New(rand.NewPCG(seed, 51)), t: t}
	m.from = optest.NewSet(t, rt, n, "from")
	for i, shape := range mixedShapes[seed] {
		m.to = append(m.to, optest.NewSet(t, rt, max(1, n*shape[1])+m.IntN(20), fmt.Sprint("part", i)))
		m.dims = append(m.dims, shape[0])
	}
	m.anywhere, m.once = m.maps("anywhere", false, mixedShapes[seed]), m.maps("once", true, mixedShapes[seed])
	return m
}

// maps declares a mixed map; if once, no target has several elements.
func (m *mixedMesh) maps(name string, once bool, shapes [][2]int) mixedMap {
	var x mixedMap
	var parts []*op2.Map
	n := m.from.Size()
	for i, shape := range shapes {
		arity := shape[1]
		x.arity = append(x.arity, arity)
		if arity == 0 {
			x.values, parts = append(x.values, nil), append(parts, nil)
			continue
		}
		values := make([]int32, n*arity)
		perm := m.Perm(m.to[i].Size())
		for j := range values {
			values[j] = int32(m.IntN(min(40, len(perm))))
			if once {
				values[j] = int32(perm[j])
			}
		}
		x.values = append(x.values, values)
		parts = append(parts, optest.NewMap(m.t, m.from, m.to[i], arity, values, fmt.Sprint(name, i)))
	}
	x.MixedMap = op2.NewMixedMap(parts, name)
	return x
}

// mixedDat is a mixed dat with the expected values of its parts.
type mixedDat struct {
	*op2.MixedDat[float64]
	dims []int
	want [][]float64
}

func (m *mixedMesh) dat(name string) *mixedDat {
	d := &mixedDat{dims: m.dims}
	var parts []*op2.Dat[float64]
	for i, set := range m.to {
		values := make([]float64, set.Size()*m.dims[i])
		for j := range values {
			values[j] = float64(m.IntN(20) - 10)
		}
		d.want = append(d.want, values)
		parts = append(parts, optest.NewDat(m.t, set, m.dims[i], values, fmt.Sprint(name, i)))
	}
	d.MixedDat = op2.NewMixedDat(parts, name)
	return d
}

// each calls f for each of the values that an element has through a map, in their order.
func (d *mixedDat) each(m mixedMap, element int, f func(i int, v *float64)) {
	n := 0
	for part, arity := range m.arity {
		for c := range arity {
			at := int(m.values[part][element*arity+c]) * d.dims[part]
			for k := range d.dims[part] {
				f(n, &d.want[part][at+k])
				n++
			}
		}
	}
}

func (d *mixedDat) expect(t *testing.T) {
	t.Helper()
	for i, p := range d.Parts() {
		optest.Expect(t, p, d.want[i])
	}
}

// conformMixedMats assembles matrices of blocks, some of which are absent, as some parts of maps are.
func conformMixedMats(t *testing.T, open optest.Opener) {
	for seed, absent := range [][][2]int{{{2, 0}}, nil, {{0, 0}, {1, 3}}} {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := newMixedMesh(t, open(t), uint64(seed), 29)
			shapes := slices.Clone(mixedShapes[seed])
			for i := range shapes { // a sparsity has a map to each part
				shapes[i][1] = max(1, shapes[i][1])
			}
			full := m.maps("full", false, shapes)
			rows, cols := m.anywhere, m.once
			s := op2.NewSparsity([]op2.MapPair{{Rows: rows.MixedMap, Cols: cols.MixedMap}, {Rows: full.MixedMap, Cols: full.MixedMap}}, m.dims, m.dims, "s", absent...)
			a, b := op2.NewMat[float64](s, "a"), op2.NewMat[float64](s, "b")
			a.Block(1, 0).Sparsity().SetSearch(true)
			optest.Run(t, op2.Kernels(mixedSource).Func(mixedLocal), m.from, op2.Index(), a.Inc(rows.MixedMap, cols.MixedMap), b.Write(rows.MixedMap, cols.MixedMap))
			for _, x := range []*op2.Mat[float64]{a, b} {
				for i := range m.dims {
					for j := range m.dims {
						block := x.Block(i, j)
						if (block == nil) != slices.Contains(absent, [2]int{i, j}) {
							t.Errorf("block [%d][%d] is absent: %v", i, j, block == nil)
						}
						if block != nil {
							optest.ExpectMat(t, block, m.assembled(rows, cols, i, j, x == b))
						}
					}
				}
			}
		})
	}
}

// assembled returns block [i][j] of the matrix that mixedLocal assembles.
func (m *mixedMesh) assembled(rows, cols mixedMap, i, j int, write bool) *optest.Dense {
	d := &optest.Dense{Cols: m.to[j].Size() * m.dims[j]}
	d.Values = make([]float64, m.to[i].Size()*m.dims[i]*d.Cols)
	for e := range m.from.Size() {
		m.values(rows, i, e, func(r, row int) {
			m.values(cols, j, e, func(c, col int) {
				at, v := &d.Values[row*d.Cols+col], float64((e%5+1)*(r+1)-c)
				if write {
					*at = v
				} else {
					*at += v
				}
			})
		})
	}
	return d
}

// values calls f with the place, among the values that an element has through a map, of each value of
// a part, and in the part.
func (m *mixedMesh) values(x mixedMap, part, element int, f func(n, at int)) {
	n := 0
	for i := range part {
		n += x.arity[i] * m.dims[i]
	}
	for c := range x.arity[part] * m.dims[part] {
		dim, arity := m.dims[part], x.arity[part]
		f(n+c, int(x.values[part][element*arity+c/dim])*dim+c%dim)
	}
}

// mixedFields is what a kernel gets of mixed dats of the first shapes.
type mixedFields struct {
	U [3][2]float64
	P [2]float64
	S [4]float64
}

// mixedStruct takes the parts of mixed dats as the fields of structs, with and without a name.
func mixedStruct(r *mixedFields, inc *struct {
	A [3][2]float64
	B [2]float64
	C [1][4]float64
}, w []float64) {
	for i := range 3 {
		for d := range 2 {
			inc.A[i][d] += r.U[i][d] + r.P[d]
		}
	}
	for i := range r.P {
		inc.B[i] = r.P[i] - r.S[i]
	}
	inc.C[0] = r.S
	for i := range w {
		w[i] = float64(i) * r.P[1]
	}
}

// conformMixedForms runs a loop whose kernel takes mixed dats as structs and slices.
func conformMixedForms(t *testing.T, open optest.Opener) {
	m := newMixedMesh(t, open(t), 0, 300)
	r, inc, w := m.dat("r"), m.dat("inc"), m.dat("w")
	optest.Run(t, op2.Kernels(mixedSource).Func(mixedStruct), m.from, r.Read(m.anywhere.MixedMap), inc.Inc(m.anywhere.MixedMap), w.Write(m.once.MixedMap))
	for e := range m.from.Size() {
		var x [12]float64
		r.each(m.anywhere, e, func(i int, v *float64) { x[i] = *v })
		inc.each(m.anywhere, e, func(i int, v *float64) {
			switch {
			case i < 6:
				*v += x[i] + x[6+i%2]
			case i < 8:
				*v += x[i] - x[i+2]
			default:
				*v += x[i]
			}
		})
		w.each(m.once, e, func(i int, v *float64) { *v = float64(i) * x[7] })
	}
	for _, d := range []*mixedDat{r, inc, w} {
		d.expect(t)
	}
}

type mixedRecord struct {
	V float64
	N int32
}

// mixedRecords takes records, of one part and of two.
func mixedRecords(x *[5]mixedRecord, sum *struct {
	A [2][2]mixedRecord
	B mixedRecord
}) {
	for i := range 4 {
		sum.A[i/2][i%2].V += x[i].V
		sum.A[i/2][i%2].N += x[4].N
	}
	sum.B.V += x[4].V - x[0].V
	sum.B.N += 1
}

// conformMixedRecords runs a loop on mixed dats of records.
func conformMixedRecords(t *testing.T, open optest.Opener) {
	const n, most = 100, 30
	rt := open(t)
	random := rand.New(rand.NewPCG(1, 52))
	from := optest.NewSet(t, rt, n, "from")
	var maps []*op2.Map
	var parts, sums []*op2.Dat[mixedRecord]
	var values, want [][]mixedRecord
	targets := make([][]int32, 2)
	for i, shape := range [][2]int{{2, 2}, {1, 1}} {
		to := optest.NewSet(t, rt, most, fmt.Sprint("to", i))
		for range n * shape[1] {
			targets[i] = append(targets[i], int32(random.IntN(most)))
		}
		maps = append(maps, optest.NewMap(t, from, to, shape[1], targets[i], fmt.Sprint("map", i)))
		values, want = append(values, make([]mixedRecord, most*shape[0])), append(want, make([]mixedRecord, most*shape[0]))
		for j := range values[i] {
			values[i][j] = mixedRecord{float64(random.IntN(50)), int32(random.IntN(50))}
		}
		parts = append(parts, op2.NewDat(to, shape[0], values[i], fmt.Sprint("x", i)))
		sums = append(sums, op2.NewDat[mixedRecord](to, shape[0], nil, fmt.Sprint("sum", i)))
	}
	m := op2.NewMixedMap(maps, "m")
	x, sum := op2.NewMixedDat(parts, "x"), op2.NewMixedDat(sums, "sum")
	optest.Run(t, op2.Kernels(mixedSource).Func(mixedRecords), from, x.Read(m), sum.Inc(m))
	for e := range n {
		other := targets[1][e]
		for i := range 4 {
			at := int(targets[0][2*e+i/2])*2 + i%2
			want[0][at].V += values[0][at].V
			want[0][at].N += values[1][other].N
		}
		want[1][other].V += values[1][other].V - values[0][2*targets[0][2*e]].V
		want[1][other].N++
	}
	for i, part := range sums {
		optest.Expect(t, part, want[i])
	}
}
