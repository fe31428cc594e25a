package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/optest/heavy"
)

// TestRandomRanks runs random programs on one or several ranks: loops one by one, lazily and as chains, and
// what programs do with data in between. Everything is compared with plain slices.
func TestRandomRanks(t *testing.T) {
	counts := map[string]programs{"go/1": {seeds: 150}, "go/2": {seeds: 20}, "sequential": {30, 1}, "openmp": {30, 1}, "opencl/auto": {6, 1}}
	if testing.Short() {
		counts = map[string]programs{"go/1": {seeds: 50}}
	}
	randomRanks(t, 1, counts)
}

func TestHeavyRandomRanks(t *testing.T) {
	heavy.Tests(t)
	few := programs{200, 10}
	randomRanks(t, 1000, map[string]programs{"go/1": {seeds: 5000}, "go/2": {seeds: 1000}, "sequential": {1000, 50}, "openmp": {500, 25}, "test": few, "opencl/auto": few, "standin/auto": few})
}

// programs is how many random programs run. With shapes, they have only so many, for the sake of backends
// that compile: programs of one shape differ in nothing that matters to generated code.
type programs struct{ seeds, shapes uint64 }

func randomRanks(t *testing.T, first uint64, counts map[string]programs) {
	for _, c := range slices.Concat(Configs(t), DeviceConfigs(t)) {
		count := counts[c.Name]
		if count.seeds == 0 || c.Parts != nil {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			c.Require(t)
			t.Parallel()
			for seed := first; seed < first+count.seeds; seed++ {
				shape := uint64(0)
				if count.shapes > 0 {
					shape = 1 + seed%count.shapes
				}
				if !t.Run(fmt.Sprint(seed), func(t *testing.T) {
					heavy.Share(t)
					randomRank(t, c, seed, shape)
				}) {
					return
				}
			}
		})
	}
}

// randomRank runs a program with a shape of its own, 0, or one of a number of shapes.
func randomRank(t *testing.T, c Config, seed, shape uint64) {
	r := rand.New(rand.NewPCG(seed, 41))
	n, depth := []int{1, 2, 2, 3, 4, 7}[r.IntN(6)], 1+r.IntN(3)
	diags, lazy, chains := shape == 0 && r.IntN(4) == 0, r.IntN(2) == 0, chainModes[r.IntN(len(chainModes))]
	if shape > 0 {
		n = []int{1, 1, 2, 3}[r.IntN(4)]
	}
	if onDevices := slices.Contains(devices, c.Needs); onDevices {
		n = 1
	}
	options := []op2.Option{op2.WithDiags(diags), op2.WithHaloDepth(depth), op2.WithLazy(lazy), op2.WithChains(op2.Chaining(chains))}
	if c.Needs == "sequential" && shape > 0 {
		options = append(options, op2.WithCFlags("-O1"))
	}
	factor := n == 1 && (shape > 0 || r.IntN(2) == 0)
	if factor {
		rankFactorTurn.Lock()
		defer rankFactorTurn.Unlock()
	}
	t.Logf("%d ranks, %d layers, diags %v, lazy %v, chains %s", n, depth, diags, lazy, chains)
	optest.Ranks(t, n, c.Open, func(t *testing.T, open optest.Opener) {
		rt := open(t, options...)
		optest.FuseAfter(rt, int64(seed%3))
		optest.Distribute(rt, randomOwners(seed, n))
		newRankProgram(t, rt, seed, shape, factor).run()
	})
}

var chainModes = []string{"tile", "tile", "tile", "fuse", "auto", "off"}

// rankProgram is a random program, with what it has declared.
type rankProgram struct {
	*rand.Rand
	t      *testing.T
	rt     *op2.Runtime
	shape  *rand.Rand // decides what generated code depends on
	fixed  bool       // the shape is one of few: only known loops run
	factor bool       // loops read rankFactor
	sealed bool       // the mesh has been distributed
	moved  bool       // by Renumber

	sets    []*op2.Set
	maps    []*rankMap
	dats    []rankDat
	subsets []*rankSubset
	globals []*op2.Global[uint64]
	values  []uint64 // of globals
	chains  []*rankChain

	known    []*rankLoop
	sequence [][]*rankLoop // that are repeated, or become chains
}

type rankMap struct {
	*op2.Map
	from, to int
	arity    int
	values   []int32
	once     bool
}

type rankSubset struct {
	*op2.Subset
	of       int
	elements []int
}

// rankDat is a dat of any type.
type rankDat interface {
	what() *rankValues
	arg(access loop.Access, via ...op2.Via) op2.Arg
	check(p *rankProgram)
	change(p *rankProgram)
	combine(p *rankProgram, other rankDat)
}

// rankValues are the expected values of a dat: dim for each element, in declared order.
type rankValues struct {
	name string
	set  int
	kind rankKind
	dim  int
	want []uint64
	mask []uint64 // by component: the bits that its type has
}

func newRankProgram(t *testing.T, rt *op2.Runtime, seed, shape uint64, factor bool) *rankProgram {
	p := &rankProgram{Rand: rand.New(rand.NewPCG(seed, 42)), t: t, rt: rt, shape: rand.New(rand.NewPCG(seed, 43)), fixed: shape > 0, factor: factor}
	if p.fixed {
		p.shape = rand.New(rand.NewPCG(shape, 44))
	}
	if factor {
		rankFactor = p.Uint64N(100)
		op2.NewConst(rt, "rankFactor", &rankFactor)
	}
	p.addMesh()
	for i := range p.sets {
		for kind := range rankKind(kinds) {
			p.addDat(i, kind)
		}
	}
	for range 6 {
		p.addDat(p.shape.IntN(len(p.sets)), rankKind(p.shape.IntN(kinds)))
	}
	for i := range 4 {
		p.values = append(p.values, p.Uint64N(1000))
		p.globals = append(p.globals, optest.NewGlobal(t, rt, fmt.Sprint("g", i), p.values[i]))
	}
	p.addSubset(p.shape.IntN(len(p.sets)))
	for range 8 {
		if l := p.newLoop(p.shape); l != nil {
			p.known = append(p.known, l)
		}
	}
	for range min(4, len(p.known)) {
		var sequence []*rankLoop
		for range 2 + p.shape.IntN(4) {
			sequence = append(sequence, p.known[p.shape.IntN(len(p.known))])
		}
		p.sequence = append(p.sequence, sequence)
	}
	return p
}

// run runs random steps.
func (p *rankProgram) run() {
	if p.IntN(3) == 0 {
		p.hostStep()
	}
	if p.IntN(3) == 0 && !p.sealed {
		optest.OK(p.t, p.rt.Renumber())
		p.moved = true
	}
	for range 8 + p.IntN(16) {
		switch p.IntN(8) {
		case 0, 1:
			p.hostStep()
		case 2:
			p.chain()
		case 3:
			p.repeat()
		default:
			if l := p.loop(); l != nil {
				p.parLoop(l)
			}
		}
		if p.IntN(4) == 0 {
			p.dats[p.IntN(len(p.dats))].check(p)
		}
	}
	for _, d := range p.dats {
		d.check(p)
	}
	for i, g := range p.globals {
		optest.Expect(p.t, g, []uint64{p.values[i]})
	}
	for _, s := range p.subsets {
		p.checkSubset(s)
	}
	for _, m := range p.maps {
		p.checkMap(m)
	}
}

func (p *rankProgram) parLoop(l *rankLoop) {
	p.sealed = true
	optest.OK(p.t, op2.ParLoop(l.k.Kernel, l.over, l.given()...))
	p.compute(l)
}

// repeat runs a sequence of loops often enough to be found if loops wait, and sometimes looks at a result or
// changes something in between.
func (p *rankProgram) repeat() {
	if len(p.sequence) == 0 {
		return
	}
	_ = p.rt.Stats() // runs what waits
	sequence := p.sequence[p.IntN(len(p.sequence))]
	for range 2 + p.IntN(5) {
		for _, l := range sequence {
			p.parLoop(l)
		}
		switch p.IntN(8) {
		case 0:
			p.dats[p.IntN(len(p.dats))].check(p)
		case 1:
			p.hostStep()
		}
	}
}

// addMesh declares sets and maps. The shape decides which maps there are: where these lead, sets are large
// enough.
func (p *rankProgram) addMesh() {
	sizes := make([]int, 2+p.shape.IntN(3))
	for i := range sizes {
		sizes[i] = []int{0, 1, 1, 5, 20, 20, 60, 60, 150, 150}[p.IntN(10)]
	}
	for range 2 + p.shape.IntN(5) {
		m := &rankMap{from: p.shape.IntN(len(sizes)), to: p.shape.IntN(len(sizes)), once: p.shape.IntN(3) == 0, arity: 1 + p.shape.IntN(4)}
		if m.once {
			m.arity = 1
		}
		p.maps = append(p.maps, m)
	}
	for range sizes {
		for _, m := range p.maps {
			if m.once || sizes[m.to] == 0 {
				sizes[m.from] = min(sizes[m.from], sizes[m.to])
			}
		}
	}
	for i, n := range sizes {
		p.sets = append(p.sets, optest.NewSet(p.t, p.rt, n, fmt.Sprint("set", i)))
	}
	for i, m := range p.maps {
		m.values = p.targets(m, sizes[m.from]*m.arity, sizes[m.to])
		m.Map = optest.NewMap(p.t, p.sets[m.from], p.sets[m.to], m.arity, m.values, fmt.Sprint("map", i))
	}
}

// targets returns random values of a map.
func (p *rankProgram) targets(m *rankMap, n, targets int) []int32 {
	values := make([]int32, n)
	near, order := p.IntN(2) == 0, p.Perm(targets)
	for i := range values {
		switch {
		case m.once:
			values[i] = int32(order[i])
		case near:
			values[i] = int32((i*targets/n + p.IntN(3)) % targets)
		default:
			values[i] = int32(p.IntN(targets))
		}
	}
	return values
}

func (p *rankProgram) addSubset(of int) {
	s := &rankSubset{of: of}
	for e := range p.sets[s.of].Size() {
		if p.IntN(3) == 0 {
			s.elements = append(s.elements, e)
		}
	}
	s.Subset = op2.NewSubset(p.sets[s.of], s.elements, fmt.Sprint("subset", len(p.subsets)))
	p.subsets = append(p.subsets, s)
}

// mergeSubsets makes a subset of two others.
func (p *rankProgram) mergeSubsets() {
	a := p.subsets[p.IntN(len(p.subsets))]
	for _, b := range p.subsets {
		if b.of != a.of || a == b {
			continue
		}
		s := &rankSubset{of: a.of}
		way := p.IntN(3)
		merge := []func(*op2.Subset, string) *op2.Subset{a.Union, a.Intersection, a.Difference}[way]
		for e := range p.sets[s.of].Size() {
			in, other := slices.Contains(a.elements, e), slices.Contains(b.elements, e)
			if []bool{in || other, in && other, in && !other}[way] {
				s.elements = append(s.elements, e)
			}
		}
		s.Subset = merge(b.Subset, fmt.Sprint("subset", len(p.subsets)))
		p.subsets = append(p.subsets, s)
		return
	}
}

func (p *rankProgram) checkSubset(s *rankSubset) {
	if s.Size() != len(s.elements) {
		p.t.Errorf("%s has %d elements, want %d", s.Name(), s.Size(), len(s.elements))
	}
	numbers := p.sets[s.of].DeclaredNumbers()
	in := make([]bool, len(numbers))
	for _, e := range s.Elements() {
		in[e] = true
	}
	for i, e := range numbers {
		if want := slices.Contains(s.elements, int(e)); in[i] != want || s.Contains(i) != want {
			p.t.Errorf("whether %s has element %d: %v and %v, want %v", s.Name(), e, in[i], s.Contains(i), want)
		}
	}
}

func (p *rankProgram) checkMap(m *rankMap) {
	if got := m.InDeclaredOrder(); !slices.Equal(got, m.values) {
		p.t.Errorf("%s has, in declared order, the values %v, want %v", m.Name(), got, m.values)
	}
}

func (p *rankProgram) addDat(set int, kind rankKind) {
	v := rankValues{name: fmt.Sprint("dat", len(p.dats)), set: set, kind: kind, dim: 1, mask: []uint64{math.MaxUint64}}
	number := func(v uint64) []uint64 { return []uint64{v} }
	var d rankDat
	switch kind {
	case word:
		d = newTypedDat(p, v, number, func(v []uint64) uint64 { return v[0] })
	case short:
		v.dim, v.mask = 3, []uint64{math.MaxUint16}
		d = newTypedDat(p, v, func(v uint16) []uint64 { return number(uint64(v)) }, func(v []uint64) uint16 { return uint16(v[0]) })
	case wide:
		v.dim = 2
		d = newTypedDat(p, v, func(v float64) []uint64 { return number(uint64(v)) }, func(v []uint64) float64 { return float64(v[0]) })
	case single:
		d = newTypedDat(p, v, func(v float32) []uint64 { return number(uint64(v)) }, func(v []uint64) float32 { return float32(v[0]) })
	case record:
		v.dim, v.mask = 2, []uint64{math.MaxUint16, math.MaxUint64}
		d = newTypedDat(p, v, func(v rankRecord) []uint64 { return []uint64{uint64(v.Part), v.Whole} },
			func(v []uint64) rankRecord { return rankRecord{uint16(v[0]), v[1]} })
	}
	p.dats = append(p.dats, d)
}

// typedDat is a rankDat of type T, whose values are one or several expected ones.
type typedDat[T any] struct {
	rankValues
	*op2.Dat[T]
	split func(T) []uint64
	join  func([]uint64) T
}

func newTypedDat[T any](p *rankProgram, v rankValues, split func(T) []uint64, join func([]uint64) T) *typedDat[T] {
	d := &typedDat[T]{rankValues: v, split: split, join: join}
	d.want = make([]uint64, p.sets[v.set].Size()*v.dim)
	var values []T
	if p.IntN(4) > 0 {
		values = d.random(p)
	}
	d.Dat = optest.NewDat(p.t, p.sets[v.set], v.dim/d.width(), values, v.name)
	return d
}

// width returns the number of expected values of one of type T.
func (d *typedDat[T]) width() int { return len(d.mask) }

// random sets all expected values, and returns them.
func (d *typedDat[T]) random(p *rankProgram) []T {
	for i := range d.want {
		d.want[i] = p.Uint64N(50)
	}
	var values []T
	for v := range slices.Chunk(d.want, d.width()) {
		values = append(values, d.join(v))
	}
	return values
}

func (d *typedDat[T]) what() *rankValues { return &d.rankValues }

func (d *typedDat[T]) arg(access loop.Access, via ...op2.Via) op2.Arg {
	return map[loop.Access]func(...op2.Via) op2.Arg{
		loop.Read: d.Read, loop.Write: d.Write, loop.RW: d.RW, loop.Inc: d.Inc, loop.Min: d.Min, loop.Max: d.Max,
	}[access](via...)
}

// check compares the values in one of the ways in which programs see them.
func (d *typedDat[T]) check(p *rankProgram) {
	t := p.t
	t.Helper()
	var numbers []int32
	var got []T
	switch p.IntN(4) {
	case 0:
		got = optest.Must(d.InDeclaredOrder())
	case 1:
		root := p.IntN(p.rt.Ranks())
		if got = optest.Must(d.Gather(root)); p.rt.Rank() != root {
			if got != nil {
				t.Errorf("%s: rank %d has got values, too", d.name, p.rt.Rank())
			}
			return
		}
	case 2:
		got, numbers = optest.Must(d.DataRO()), p.sets[d.set].DeclaredNumbers()
	case 3:
		got, numbers = optest.Must(d.DataWithHalos()), p.withHalos(d.set)
	}
	if numbers == nil {
		for e := range p.sets[d.set].Size() {
			numbers = append(numbers, int32(e))
		}
	}
	width := d.width()
	each := d.dim / width
	if len(got) != len(numbers)*each {
		t.Fatalf("%s has %d values, want %d", d.name, len(got), len(numbers)*each)
	}
	for i, v := range got {
		e := int(numbers[i/each])
		if want := d.want[e*d.dim+i%each*width:][:width]; !slices.Equal(d.split(v), want) {
			t.Fatalf("%s: value %d of element %d, here %d, is %v, want %d", d.name, i%each, e, i/each, v, want)
		}
	}
}

// withHalos returns the declared numbers of all elements of a set that are here.
func (p *rankProgram) withHalos(set int) []int32 {
	s := p.sets[set]
	numbers := op2.NewDat[int32](s, 1, nil, "numbers")
	own := optest.Must(numbers.Data())
	copy(own, s.DeclaredNumbers())
	return optest.Must(numbers.DataWithHalos())
}

// change changes values on the host.
func (d *typedDat[T]) change(p *rankProgram) {
	t := p.t
	width := d.width()
	switch p.IntN(5) {
	case 0:
		optest.OK(t, d.Zero())
		clear(d.want)
	case 1:
		v := slices.Repeat([]uint64{p.Uint64N(100)}, width)
		optest.OK(t, d.Fill(d.join(v)))
		for i := range d.want {
			d.want[i] = v[0]
		}
	case 2:
		optest.OK(t, d.SetInDeclaredOrder(d.random(p)))
	default:
		values, numbers := optest.Must(d.Data()), p.sets[d.set].DeclaredNumbers()
		v, every := p.Uint64N(100), 1+p.IntN(4)
		for e := 0; e < len(d.want)/d.dim; e += every {
			d.want[e*d.dim] = (d.want[e*d.dim] + v) & d.mask[0]
		}
		for i, e := range numbers {
			if int(e)%every == 0 {
				values[i*d.dim/width] = d.join(d.want[int(e)*d.dim:][:width])
			}
		}
	}
}

// combine changes values by those of another dat of the set and type.
func (d *typedDat[T]) combine(p *rankProgram, other rankDat) {
	o, t, over := other.(*typedDat[T]), p.t, 0
	each := func(err error, f func(a, b uint64) uint64) {
		t.Helper()
		optest.OK(t, err)
		for i := range d.want {
			d.want[i] = f(d.want[i], o.want[i]) & d.mask[0]
		}
	}
	way := p.IntN(7)
	if d.kind >= wide { // which grow only as fast as sums
		way = []int{0, 0, 0, 0, 4, 4, 6}[way]
	}
	p.sealed = p.sealed || way > 0
	switch way {
	case 0:
		optest.OK(t, d.Copy(o.Dat))
		copy(d.want, o.want)
	case 1:
		each(d.AXPY(d.join([]uint64{3}), o.Dat), func(a, b uint64) uint64 { return a + 3*b })
	case 2:
		each(d.Mul(o.Dat), func(a, b uint64) uint64 { return a * b })
	case 3:
		each(d.Scale(d.join([]uint64{5})), func(a, b uint64) uint64 { return a * 5 })
	case 4:
		for over < len(p.subsets) && p.subsets[over].of != d.set {
			over++
		}
		if over == len(p.subsets) {
			optest.OK(t, d.Copy(o.Dat, p.sets[d.set]))
			copy(d.want, o.want)
			return
		}
		optest.OK(t, d.Copy(o.Dat, p.subsets[over].Subset))
		for _, e := range p.subsets[over].elements {
			copy(d.want[e*d.dim:(e+1)*d.dim], o.want[e*d.dim:])
		}
	case 5:
		want := 0.0
		for i, v := range d.want {
			want += float64(v) * float64(o.want[i])
		}
		optest.Near(t, optest.Must(d.Inner(o.Dat)), want, 1e-12)
	case 6:
		twin := &typedDat[T]{rankValues: d.rankValues, split: d.split, join: d.join}
		twin.name, twin.want = fmt.Sprint("dat", len(p.dats)), slices.Clone(d.want)
		twin.Dat = d.Duplicate(twin.name)
		p.dats = append(p.dats, twin)
	}
}

// hostStep does something other than a loop.
func (p *rankProgram) hostStep() {
	declares := !p.moved // in other numbers after Renumber
	switch what := p.IntN(11); {
	case what < 4:
		p.dats[p.IntN(len(p.dats))].change(p)
	case what < 7:
		d := p.dats[p.IntN(len(p.dats))]
		for _, other := range p.dats {
			if a, b := d.what(), other.what(); a.set == b.set && a.kind == b.kind && a != b {
				d.combine(p, other)
				return
			}
		}
	case what == 7:
		i := p.IntN(len(p.globals))
		p.values[i] = p.Uint64N(1000)
		optest.OK(p.t, p.globals[i].Set(p.values[i]))
	case what == 8 && declares:
		switch p.IntN(3) {
		case 0:
			p.addSubset(p.IntN(len(p.sets)))
		case 1:
			p.mergeSubsets()
		case 2:
			p.addDat(p.IntN(len(p.sets)), rankKind(p.IntN(kinds)))
		}
	case what == 9 && len(p.maps) > 0:
		p.changeMap(p.maps[p.IntN(len(p.maps))])
	case what == 10 && p.factor:
		rankFactor = p.Uint64N(100)
	}
}

// changeMap sets the values of a map: any, or other components of the same elements once these are
// all that is here.
func (p *rankProgram) changeMap(m *rankMap) {
	arity := m.Arity()
	if !p.sealed {
		m.values = p.targets(m, len(m.values), m.To().Size())
	} else {
		values, by := slices.Clone(m.values), p.IntN(arity)
		for i := range values {
			values[i] = m.values[i/arity*arity+(i+by)%arity]
		}
		m.values = values
	}
	optest.OK(p.t, m.SetValues(m.values))
}

// rankArg is an argument of a random loop.
type rankArg struct {
	access    loop.Access
	values    *rankValues // nil: the number
	m         *rankMap    // nil: direct, or global
	component int
	global    int
	arg       op2.Arg
}

// rankLoop is a random loop.
type rankLoop struct {
	k        *rankKernel
	over     op2.IterationSet
	elements []int
	args     []*rankArg
}

func (l *rankLoop) given() (args []op2.Arg) {
	for _, a := range l.args {
		args = append(args, a.arg)
	}
	return args
}

// loop returns a random loop, known or new; nil if it finds none.
func (p *rankProgram) loop() *rankLoop {
	if len(p.known) > 0 && (p.fixed || p.IntN(3) == 0) {
		return p.known[p.IntN(len(p.known))]
	}
	if p.fixed {
		return nil
	}
	return p.newLoop(p.Rand)
}

// newLoop returns a new loop; nil if it finds no arguments.
func (p *rankProgram) newLoop(r *rand.Rand) *rankLoop {
	for range 20 {
		k := &rankKernels[r.IntN(len(rankKernels))]
		over := r.IntN(len(p.sets))
		if k.factored() && !p.factor {
			continue
		}
		if args := p.arguments(r, k, over); args != nil {
			return p.loopOf(r, k, over, args)
		}
	}
	return nil
}

// loopOf returns a loop over a set or a subset.
func (p *rankProgram) loopOf(r *rand.Rand, k *rankKernel, over int, args []*rankArg) *rankLoop {
	l := &rankLoop{k: k, over: p.sets[over], args: args}
	for e := range p.sets[over].Size() {
		l.elements = append(l.elements, e)
	}
	for _, s := range p.subsets {
		if s.of == over && r.IntN(3) == 0 {
			l.over, l.elements = s.Subset, s.elements
		}
	}
	text := ""
	for _, a := range args {
		text += fmt.Sprint("; ", a.arg)
	}
	if p.rt.Rank() == 0 {
		p.t.Logf("%s over %s%s", k.Name(), l.over.Name(), text)
	}
	return l
}

// compute computes what a loop should.
func (p *rankProgram) compute(l *rankLoop) {
	for _, e := range l.elements {
		p.element(l.k, e, l.args)
	}
}

// rankChain is a random chain.
type rankChain struct {
	*op2.Chain
	loops []*rankLoop
}

// chain computes a new chain, or one again.
func (p *rankProgram) chain() {
	if len(p.chains) == 0 || p.IntN(3) > 0 {
		p.newChain()
	}
	if len(p.chains) == 0 {
		return
	}
	c := p.chains[p.IntN(len(p.chains))]
	for range 1 + p.IntN(2) {
		optest.OK(p.t, c.Compute())
		for _, l := range c.loops {
			p.compute(l)
		}
	}
}

func (p *rankProgram) newChain() {
	c := &rankChain{}
	if len(p.sequence) > 0 && (p.fixed || p.IntN(4) == 0) {
		c.loops = p.sequence[p.IntN(len(p.sequence))]
	} else {
		for range 2 + p.IntN(4) {
			if l := p.loop(); l != nil {
				c.loops = append(c.loops, l)
			}
		}
	}
	if len(c.loops) == 0 {
		return
	}
	p.sealed = true
	var places []*op2.Loop
	for _, l := range c.loops {
		places = append(places, op2.NewLoop(l.k.Kernel, l.over, l.given()...))
	}
	mode := chainModes[p.IntN(len(chainModes))]
	c.Chain = op2.NewChain(places...).With(op2.WithChains(op2.Chaining(mode)))
	p.chains = append(p.chains, c)
	if plan := optest.Must(c.Plan()); p.rt.Rank() == 0 {
		p.t.Log("chains: ", mode, "\n", plan)
	}
}

// arguments returns random arguments; nil if some parameter has none.
func (p *rankProgram) arguments(r *rand.Rand, k *rankKernel, over int) []*rankArg {
	var args []*rankArg
	for i, param := range k.params {
		a := p.argument(r, param, over, i)
		if a == nil {
			return nil
		}
		for _, o := range args { // which must not be used in two ways
			if a.values != nil && a.values == o.values && (a.access != o.access || a.access != loop.Read && a.access != loop.Inc) {
				return nil
			}
		}
		args = append(args, a)
	}
	return args
}

func (p *rankProgram) argument(r *rand.Rand, param rankParam, over, number int) *rankArg {
	if param.access == nil {
		return &rankArg{access: loop.Read, arg: op2.Index()}
	}
	a := &rankArg{access: param.access[r.IntN(len(param.access))]}
	way := param.ways[r.IntN(len(param.ways))]
	if way == global {
		a.values, a.global = &rankValues{dim: 1, want: p.values[number:][:1], mask: []uint64{math.MaxUint64}}, 1
		g := p.globals[number]
		a.arg = map[loop.Access]func() op2.Arg{loop.Read: g.Read, loop.Inc: g.Inc, loop.Min: g.Min, loop.Max: g.Max}[a.access]()
		return a
	}
	to := over
	var via []op2.Via
	if way != direct {
		var fitting []*rankMap
		for _, m := range p.maps {
			if m.from == over && (way != once || m.once) && (way != packed || m.Arity() == 3) {
				fitting = append(fitting, m)
			}
		}
		if len(fitting) == 0 {
			return nil
		}
		a.m = fitting[r.IntN(len(fitting))]
		to, a.component = a.m.to, r.IntN(a.m.Arity())
		via = append(via, a.m.At(a.component))
		if way == packed {
			a.component, via[0] = loop.All, a.m.Map
		}
	}
	var fitting []rankDat
	for _, d := range p.dats {
		if v := d.what(); v.set == to && v.kind == param.kind {
			fitting = append(fitting, d)
		}
	}
	if len(fitting) == 0 {
		return nil
	}
	d := fitting[r.IntN(len(fitting))]
	a.values, a.arg = d.what(), d.arg(a.access, via...)
	return a
}

// places returns where the values are that an element has, by row.
func (a *rankArg) places(e int) []int {
	switch {
	case a.global > 0:
		return []int{0}
	case a.m == nil:
		return []int{e}
	}
	row := a.m.values[e*a.m.Arity():][:a.m.Arity()]
	if a.component != loop.All {
		row = row[a.component:][:1]
	}
	places := make([]int, len(row))
	for i, t := range row {
		places[i] = int(t)
	}
	return places
}

// element computes what the loop does for an element.
func (p *rankProgram) element(k *rankKernel, e int, args []*rankArg) {
	v := make([][]uint64, len(args))
	for i, a := range args {
		if a.values == nil {
			continue
		}
		for _, at := range a.places(e) {
			row := make([]uint64, a.values.dim)
			if a.access == loop.Read || a.access == loop.RW {
				copy(row, a.values.want[at*a.values.dim:])
			}
			v[i] = append(v[i], row...)
		}
	}
	k.do(e, v)
	for i, a := range args {
		if a.values == nil || a.access == loop.Read {
			continue
		}
		for row, at := range a.places(e) {
			for d := range a.values.dim {
				to, given := &a.values.want[at*a.values.dim+d], v[i][row*a.values.dim+d]
				switch a.access {
				case loop.Write, loop.RW:
					*to = given
				case loop.Inc:
					*to += given
				case loop.Min:
					*to = min(*to, given)
				case loop.Max:
					*to = max(*to, given)
				}
				*to &= a.values.mask[d%len(a.values.mask)]
			}
		}
	}
}
