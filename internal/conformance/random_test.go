package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/ckernel"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// TestRandomLoops runs random C loops on random meshes, on every backend that accepts C, in random
// configurations, one by one or as a chain, and compares them with plain slices.
func TestRandomLoops(t *testing.T) {
	last := uint64(5)
	if testing.Short() {
		last = 1
	}
	randomLoops(t, 1, last)
}

func TestHeavyRandomLoops(t *testing.T) {
	heavy.Tests(t)
	randomLoops(t, 6, 60)
}

func randomLoops(t *testing.T, first, last uint64) {
	for _, c := range slices.Concat(Configs(t), DeviceConfigs(t)) {
		if c.Parts != nil || !slices.Contains([]string{"sequential", "openmp", "test", "opencl/auto", "cuda/auto", gputest.Standin + "/auto"}, c.Name) {
			continue
		}
		for seed := first; seed <= last; seed++ {
			t.Run(fmt.Sprintf("%s/%d", c.Name, seed), func(t *testing.T) {
				heavy.Share(t)
				c.Require(t)
				t.Parallel()
				newRandomMesh(t, c.Open, seed).run()
			})
		}
	}
}

// randomMesh is a mesh, with data on it and the expected values.
type randomMesh struct {
	*rand.Rand
	t     *testing.T
	rt    *op2.Runtime
	calls int    // of each loop
	chain string // what chains are turned into; "": the loops run one by one
	noMat bool

	edges, nodes, slots *op2.Set
	toNodes, toSlots    []randomMap // from edges; no slot is reached twice
	data                []*randomData
	mats                []*randomMat
}

type randomMap struct {
	*op2.Map
	arity  int
	values []int32
}

// randomData is a dat or, where set is nil, a global.
type randomData struct {
	name, ctype string
	set         *op2.Set
	dim         int
	want        []int64
	randomType
	arg func(access loop.Access, via ...op2.Via) op2.Arg
	get func() ([]int64, error)
	put func([]int64) error
}

// randomType describes a type whose values are held as int64.
type randomType struct {
	wrap func(int64) int64
	less func(a, b int64) bool
}

// randomMat is a full matrix.
type randomMat struct {
	name, ctype string
	rows, cols  randomMap
	dim         [2]int
	want        []int64
	randomType
	arg func(access loop.Access) op2.Arg
	get func() ([]int64, error)
}

// chained reports whether the loops of a seed run as a chain.
func chained(seed uint64) bool { return seed%2 == 0 }

func newRandomMesh(t *testing.T, open optest.Opener, seed uint64) *randomMesh {
	r := rand.New(rand.NewPCG(seed, 20))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	strategy := []string{"auto", "staged", "in-place", "atomic", "global-color", "gather", "blocks", "scratchpad", "measure"}[seed%9]
	layout, block := pick("auto", "aos", "soa"), []int{0, 0, 1, 7, 40, 300}[r.IntN(6)]
	deterministic, diags := r.IntN(4) == 0, r.IntN(3) == 0
	if chained(seed) {
		diags = diags && seed%8 == 0 // which run no tiles
	}
	options := []op2.Option{op2.WithStrategy(op2.Strategy(strategy)), op2.WithLayout(op2.Layout(layout)), op2.WithDiags(diags)}
	if deterministic {
		options = append(options, op2.WithoutAtomics())
	}
	if block > 0 {
		options = append(options, op2.WithBlockSize(block))
	}
	t.Logf("%s, layout %s, blocks of %d, deterministic %v, diags %v", strategy, layout, block, deterministic, diags)
	m := &randomMesh{Rand: r, t: t, rt: open(t, options...), calls: 2}
	if strategy == "measure" {
		m.calls = 17 // until it has measured
	}
	if chained(seed) {
		optest.FuseAfter(m.rt, 1)
		m.chain = pick("tile", "tile", "fuse", "auto")
		m.noMat = r.IntN(4) > 0
	}

	n, nodes := []int{0, 1, 33, 257, 700, 1500}[r.IntN(6)], 1+r.IntN(120)
	m.edges, m.nodes, m.slots = optest.NewSet(t, m.rt, n, "edges"), optest.NewSet(t, m.rt, nodes, "nodes"), optest.NewSet(t, m.rt, 4*n+1, "slots")
	for i := range 3 {
		arity := 1 + r.IntN(4)
		values := make([]int32, n*arity)
		near := r.IntN(2) == 0
		for j := range values {
			values[j] = int32(r.IntN(nodes))
			if near { // the nodes of neighbors are neighbors
				values[j] = int32((j/arity*nodes/n + r.IntN(3)) % nodes)
			}
		}
		m.toNodes = append(m.toNodes, randomMap{optest.NewMap(t, m.edges, m.nodes, arity, values, fmt.Sprintf("nodes%d", i)), arity, values})
	}
	for i := range 2 {
		arity := 1 + r.IntN(4)
		values := make([]int32, n*arity)
		for j, slot := range r.Perm(4*n + 1)[:len(values)] {
			values[j] = int32(slot)
		}
		m.toSlots = append(m.toSlots, randomMap{optest.NewMap(t, m.edges, m.slots, arity, values, fmt.Sprintf("slots%d", i)), arity, values})
	}
	for _, set := range []*op2.Set{m.edges, m.edges, m.edges, m.nodes, m.nodes, m.nodes, m.nodes, m.slots, m.slots, nil, nil, nil} {
		m.data = append(m.data, []func(*randomMesh, *op2.Set) *randomData{
			newRandomData[float64], newRandomData[float64], newRandomData[float64], newRandomData[float32], newRandomData[int32],
			newRandomData[int64], newRandomData[uint64], newRandomData[int16], newRandomData[uint8],
		}[r.IntN(9)](m, set))
	}
	for range 2 {
		m.mats = append(m.mats, []func(*randomMesh) *randomMat{newRandomMat[float64], newRandomMat[float32], newRandomMat[int32]}[r.IntN(3)](m))
	}
	return m
}

// cTypes are the names of types in C.
var cTypes = map[string]string{"float64": "double", "float32": "float", "int32": "int32_t", "int64": "int64_t", "uint64": "uint64_t", "int16": "int16_t", "uint8": "uint8_t"}

func typeOf[T op2.Scalar]() (ctype string, behaves randomType) {
	return cTypes[fmt.Sprintf("%T", T(0))], randomType{
		wrap: func(v int64) int64 { return int64(T(v)) },
		less: func(a, b int64) bool { return T(a) < T(b) },
	}
}

// whole returns values as int64; a value that is not an integer becomes a number that is never
// expected.
func whole[T op2.Scalar](values []T, err error) ([]int64, error) {
	all := make([]int64, len(values))
	for i, v := range values {
		if all[i] = int64(v); T(all[i]) != v {
			all[i] = math.MinInt64
		}
	}
	return all, err
}

func newRandomData[T op2.Scalar](m *randomMesh, set *op2.Set) *randomData {
	d := &randomData{name: fmt.Sprintf("d%d", len(m.data)), set: set, dim: 1 + m.IntN(4)}
	d.ctype, d.randomType = typeOf[T]()
	size := 1
	if set != nil {
		size = set.Size()
	}
	values := optest.Some[T](m.Rand, size*d.dim)
	d.want, _ = whole(values, nil)
	put := func(to []T, err error) error {
		for i := range to {
			to[i] = T(d.want[i])
		}
		return err
	}
	if set == nil {
		g := optest.NewGlobal(m.t, m.rt, d.name, values...)
		d.arg = func(access loop.Access, _ ...op2.Via) op2.Arg {
			return map[loop.Access]func() op2.Arg{loop.Read: g.Read, loop.Inc: g.Inc, loop.Min: g.Min, loop.Max: g.Max}[access]()
		}
		d.get = func() ([]int64, error) { return whole(g.DataRO()) }
		d.put = func([]int64) error { return put(g.Data()) }
		return d
	}
	dat := optest.NewDat(m.t, set, d.dim, values, d.name)
	optest.OK(m.t, dat.SetLayout([]op2.Layout{"", op2.AoS, op2.SoA}[m.IntN(3)]))
	d.arg = func(access loop.Access, via ...op2.Via) op2.Arg {
		return map[loop.Access]func(...op2.Via) op2.Arg{
			loop.Read: dat.Read, loop.Write: dat.Write, loop.RW: dat.RW, loop.Inc: dat.Inc, loop.Min: dat.Min, loop.Max: dat.Max,
		}[access](via...)
	}
	d.get = func() ([]int64, error) { return whole(dat.DataRO()) }
	d.put = func([]int64) error { return put(dat.Data()) }
	return d
}

func newRandomMat[T op2.Scalar](m *randomMesh) *randomMat {
	a := &randomMat{name: fmt.Sprintf("m%d", len(m.mats)), rows: m.toNodes[m.IntN(3)], cols: m.toNodes[m.IntN(3)], dim: [2]int{1 + m.IntN(2), 1 + m.IntN(2)}}
	a.ctype, a.randomType = typeOf[T]()
	s := op2.NewSparsity([]op2.MapPair{{Rows: a.rows.Map, Cols: a.cols.Map}}, a.dim[0], a.dim[1], a.name)
	s.SetSearch(m.IntN(3) == 0)
	mat := op2.NewMat[T](s, a.name)
	a.want = make([]int64, mat.Rows()*mat.Cols())
	a.arg = func(access loop.Access) op2.Arg {
		if access == loop.Inc {
			return mat.Inc(a.rows.Map, a.cols.Map)
		}
		return mat.Write(a.rows.Map, a.cols.Map)
	}
	a.get = func() ([]int64, error) { return whole(mat.Values()) }
	return a
}

// randomArg is an argument of a loop.
type randomArg struct {
	access    loop.Access
	data      *randomData // nil: mat, or the element's number
	mat       *randomMat
	via       *randomMap // nil: direct
	component int
	rows      int // of values that the kernel is given, each of dim
	dim       int
	form      cForm
	name      string
}

// run runs some loops, and checks all data.
func (m *randomMesh) run() {
	var chained []*randomLoop
	for i := range 3 {
		l := m.newLoop(fmt.Sprintf("k%d", i))
		if m.chain != "" {
			chained = append(chained, l)
			continue
		}
		m.compute(l.Loop, l)
		m.hostChanges()
	}
	if m.chain != "" {
		m.runChain(chained)
	}
	for _, d := range m.data {
		m.check(d.name, d.get, d.want)
	}
	for _, a := range m.mats {
		m.check(a.name, a.get, a.want)
	}
}

// runChain runs loops as a chain, some of them repeatedly.
func (m *randomMesh) runChain(loops []*randomLoop) {
	for range m.IntN(3) {
		loops = append(loops, loops[m.IntN(3)])
	}
	var places []*op2.Loop
	for _, l := range loops {
		places = append(places, l.Loop)
	}
	c := op2.NewChain(places...).With(op2.WithChains(op2.Chaining(m.chain)))
	for range 2 {
		m.compute(c, loops...)
		m.hostChanges()
	}
	m.t.Log(optest.Must(c.Plan()))
}

// compute runs what loops are computed by some times.
func (m *randomMesh) compute(by interface{ Compute() error }, loops ...*randomLoop) {
	for range m.calls {
		if err := by.Compute(); err != nil {
			m.t.Fatalf("%+v\n%s", err, loops[0].source)
		}
		for _, l := range loops {
			for _, e := range l.elements {
				m.element(l.args, int64(e))
			}
		}
	}
	for _, l := range loops {
		m.checkChanged(l)
	}
}

// hostChanges sets new values now and then: the host has its say.
func (m *randomMesh) hostChanges() {
	d := m.data[m.IntN(len(m.data))]
	if m.IntN(2) > 0 {
		return
	}
	m.check(d.name, d.get, d.want)
	for j := range d.want {
		d.want[j] = d.wrap(int64(m.IntN(20) - 10))
	}
	if err := d.put(d.want); err != nil {
		m.t.Fatal(err)
	}
}

func (m *randomMesh) check(name string, get func() ([]int64, error), want []int64) {
	m.t.Helper()
	got, err := get()
	if err != nil {
		m.t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			m.t.Fatalf("%s: value %d of %d is %d, want %d", name, i, len(want), got[i], want[i])
		}
	}
}

// randomLoop is a loop, with what it should do.
type randomLoop struct {
	*op2.Loop
	source   string
	args     []*randomArg
	elements []int32
}

func (m *randomMesh) newLoop(name string) *randomLoop {
	l := &randomLoop{}
	for range 2 + m.IntN(7) {
		if a := m.argument(l.args); a != nil {
			a.name = fmt.Sprintf("a%d", len(l.args))
			l.args = append(l.args, a)
		}
	}
	var given []op2.Arg
	for _, a := range l.args {
		given = append(given, a.arg())
	}
	l.source = randomKernel(name, l.args)
	var over op2.IterationSet = m.edges
	l.elements = make([]int32, m.edges.Size())
	for e := range l.elements {
		l.elements[e] = int32(e)
	}
	if m.IntN(3) == 0 {
		l.elements = slices.DeleteFunc(l.elements, func(int32) bool { return m.IntN(3) == 0 })
		over = op2.NewSubset(m.edges, l.elements, "some edges of "+name)
	}
	l.Loop = op2.NewLoop(ckernel.New(name, l.source), over, given...)
	return l
}

// checkChanged checks what a loop changes.
func (m *randomMesh) checkChanged(l *randomLoop) {
	for _, a := range l.args {
		d, e := a.data, a.mat
		switch {
		case m.t.Failed():
			return
		case d != nil && a.access != loop.Read:
			m.check(d.name, d.get, d.want)
		case e != nil:
			m.check(e.name, e.get, e.want)
		}
	}
}

// argument returns a random argument compatible with the existing ones; nil if there is none.
func (m *randomMesh) argument(others []*randomArg) *randomArg {
	a := &randomArg{rows: 1, form: cForms[m.IntN(len(cForms))]}
	switch m.IntN(10) {
	case 0:
		a.access = loop.Read
		return a
	case 1, 2:
		if m.noMat {
			return nil
		}
		a.mat, a.access = m.mats[m.IntN(len(m.mats))], []loop.Access{loop.Inc, loop.Write}[m.IntN(2)]
		for _, o := range others {
			if o.mat == a.mat && (a.access == loop.Write || o.access != a.access) {
				return nil
			}
		}
		a.rows, a.dim = a.mat.rows.arity*a.mat.dim[0], a.mat.cols.arity*a.mat.dim[1]
		return a
	}
	d := m.data[m.IntN(len(m.data))]
	a.data, a.dim = d, d.dim
	accesses := []loop.Access{loop.Read, loop.Read, loop.Inc, loop.Inc, loop.Min, loop.Max}
	switch d.set {
	case m.edges:
		accesses = append(accesses, loop.Write, loop.RW)
	case m.nodes:
		a.via = &m.toNodes[m.IntN(len(m.toNodes))]
	case m.slots:
		a.via = &m.toSlots[m.IntN(len(m.toSlots))]
		accesses = append(accesses, loop.Write, loop.RW, loop.Write, loop.RW)
	}
	a.access = accesses[m.IntN(len(accesses))]
	if a.via != nil {
		a.component = m.IntN(a.via.arity)
		if m.IntN(2) == 0 {
			a.component, a.rows = loop.All, a.via.arity
		}
	}
	for _, o := range others {
		if o.data == d && (o.access != a.access || a.access != loop.Read && (a.access != loop.Inc || d.set == nil)) {
			return nil
		}
	}
	return a
}

func (a *randomArg) arg() op2.Arg {
	switch {
	case a.mat != nil:
		return a.mat.arg(a.access)
	case a.data == nil:
		return op2.Index()
	case a.via == nil:
		return a.data.arg(a.access)
	case a.component == loop.All:
		return a.data.arg(a.access, a.via.Map)
	}
	return a.data.arg(a.access, a.via.At(a.component))
}

// packed reports whether the kernel is given rows of values.
func (a *randomArg) packed() bool { return a.mat != nil || a.via != nil && a.component == loop.All }

// randomKernel returns a kernel that combines everything it reads into a number, and changes
// everything it may with it.
func randomKernel(name string, args []*randomArg) string {
	var params []string
	var reads, writes strings.Builder
	for i, a := range args {
		if a.data == nil && a.mat == nil {
			params = append(params, "const int *"+a.name)
			fmt.Fprintf(&reads, "\tv = (v * 3 + *%s %% 7) %% 31;\n", a.name)
			continue
		}
		ctype, value := "", "[d]"
		if a.mat != nil {
			ctype = a.mat.ctype
		} else {
			ctype = a.data.ctype
		}
		declaration := ctype + " *" + a.name
		if a.packed() {
			declaration, value = strings.Replace(a.form.declare(a.name, a.rows, a.dim), "double", ctype, 1), strings.ReplaceAll(a.form.value, "DIM", fmt.Sprint(a.dim))
		}
		if a.access == loop.Read {
			declaration = "const " + declaration
		}
		params = append(params, declaration)
		value = a.name + value
		each := func(to *strings.Builder, format string) {
			fmt.Fprintf(to, "\tfor (int i = 0; i < %d; i++)\n\t\tfor (int d = 0; d < %d; d++) {\n\t\t\tconst int64_t u = (v + 7 * (i * %d + d) + %d) %% 13;\n\t\t\t%s;\n\t\t}\n",
				a.rows, a.dim, a.dim, i, strings.ReplaceAll(format, "@", value))
		}
		if a.access == loop.Read || a.access == loop.RW {
			each(&reads, "v = (v * 3 + (int64_t)@) % 31 + 0 * u")
		}
		switch a.access {
		case loop.Write:
			each(&writes, "@ = u")
		case loop.RW:
			each(&writes, "@ = (int64_t)@ % 50 + u")
		case loop.Inc:
			each(&writes, "@ += u")
		case loop.Min:
			each(&writes, "@ = u")
		case loop.Max:
			each(&writes, "@ = u")
		}
	}
	return "void " + name + "(" + strings.Join(params, ", ") + ")\n{\n\tint64_t v = 5;\n" + reads.String() + writes.String() + "}\n"
}

// element applies to the plain slices what the kernel does for element e.
func (m *randomMesh) element(args []*randomArg, e int64) {
	v := int64(5)
	for _, a := range args {
		switch {
		case a.data == nil && a.mat == nil:
			v = (v*3 + e%7) % 31
		case a.access == loop.Read || a.access == loop.RW:
			for i := range a.rows {
				for d := range a.dim {
					v = (v*3 + a.data.want[a.place(e, i, d)]) % 31
				}
			}
		}
	}
	for n, a := range args {
		if a.access == loop.Read {
			continue
		}
		for i := range a.rows {
			for d := range a.dim {
				u := (v + 7*int64(i*a.dim+d) + int64(n)) % 13
				if a.mat != nil {
					a.mat.put(a.access, e, i, d, u)
					continue
				}
				x, t := &a.data.want[a.place(e, i, d)], a.data.randomType
				switch u = t.wrap(u); a.access {
				case loop.Write:
					*x = u
				case loop.RW:
					*x = t.wrap(*x%50 + u)
				case loop.Inc:
					*x = t.wrap(*x + u)
				case loop.Min:
					if t.less(u, *x) {
						*x = u
					}
				case loop.Max:
					if t.less(*x, u) {
						*x = u
					}
				}
			}
		}
	}
}

// place returns the place of value d of row i that element e gets.
func (a *randomArg) place(e int64, i, d int) int {
	row := int(e)
	switch {
	case a.data.set == nil:
		row = 0
	case a.via != nil && a.component == loop.All:
		row = int(a.via.values[int(e)*a.via.arity+i])
	case a.via != nil:
		row = int(a.via.values[int(e)*a.via.arity+a.component])
	}
	return row*a.dim + d
}

func (a *randomMat) put(access loop.Access, e int64, i, j int, u int64) {
	row := int(a.rows.values[int(e)*a.rows.arity+i/a.dim[0]])*a.dim[0] + i%a.dim[0]
	col := int(a.cols.values[int(e)*a.cols.arity+j/a.dim[1]])*a.dim[1] + j%a.dim[1]
	x := &a.want[row*(a.cols.To().Size()*a.dim[1])+col]
	if access == loop.Inc {
		*x = a.wrap(*x + u)
	} else {
		*x = a.wrap(u)
	}
}
