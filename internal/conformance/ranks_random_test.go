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
)

// TestRandomRanks runs random programs on one or several ranks: loops one by one and as chains, and what
// programs do with data in between. Everything is compared with plain slices.
func TestRandomRanks(t *testing.T) {
	seeds := map[string]uint64{"go/1": 150, "go/2": 20, "sequential": 2, "openmp": 1}
	if testing.Short() {
		seeds = map[string]uint64{"go/1": 50}
	}
	randomRanks(t, 1, seeds)
	randomRanks(t, 2014, map[string]uint64{"go/1": 1}) // an exchange brings what the loop that waits for it changes
}

func TestHeavyRandomRanks(t *testing.T) {
	optest.Heavy(t)
	randomRanks(t, 1000, map[string]uint64{"go/1": 5000, "go/2": 1000, "sequential": 100, "openmp": 50, "test": 30, "opencl/auto": 20, "standin/auto": 20})
}

func randomRanks(t *testing.T, first uint64, seeds map[string]uint64) {
	for _, c := range slices.Concat(Configs(t), DeviceConfigs(t)) {
		if seeds[c.Name] == 0 || c.Parts != nil {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			c.Require(t)
			t.Parallel()
			for seed := first; seed < first+seeds[c.Name]; seed++ {
				ok := t.Run(fmt.Sprint(seed), func(t *testing.T) {
					r := rand.New(rand.NewPCG(seed, 41))
					n, depth, diags := []int{1, 2, 2, 3, 4, 7}[r.IntN(6)], 1+r.IntN(3), r.IntN(4) == 0
					t.Logf("%d ranks, %d layers, diags %v", n, depth, diags)
					optest.Ranks(t, n, c.Open, func(t *testing.T, open optest.Opener) {
						rt := open(t, op2.WithDiags(diags), op2.WithHaloDepth(depth))
						optest.Distribute(rt, randomOwners(seed, n))
						newRankProgram(t, rt, seed).run()
					})
				})
				if !ok {
					return
				}
			}
		})
	}
}

// rankProgram is a random program, with what it has declared.
type rankProgram struct {
	*rand.Rand
	t      *testing.T
	rt     *op2.Runtime
	sealed bool // the mesh has been distributed
	moved  bool // by Renumber

	sets    []*op2.Set
	maps    []*rankMap
	dats    []rankDat
	subsets []*rankSubset
	globals []*op2.Global[uint64]
	values  []uint64 // of globals
	chains  []*rankChain
}

type rankMap struct {
	*op2.Map
	from, to int
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
	dim  int
	want []uint64
	mask uint64 // the bits that its type has
}

func newRankProgram(t *testing.T, rt *op2.Runtime, seed uint64) *rankProgram {
	p := &rankProgram{Rand: rand.New(rand.NewPCG(seed, 42)), t: t, rt: rt}
	for i := range 2 + p.IntN(3) {
		p.sets = append(p.sets, optest.NewSet(t, rt, []int{0, 1, 5, 20, 60, 150}[p.IntN(6)], fmt.Sprint("set", i)))
	}
	for range 2 + p.IntN(5) {
		p.addMap()
	}
	for i := range p.sets { // at least one of each type
		p.addDat(i, i%2 == 0)
		p.addDat(i, i%2 == 1)
	}
	for range 3 {
		p.addDat(p.IntN(len(p.sets)), p.IntN(4) > 0)
	}
	for i := range 4 {
		p.values = append(p.values, p.Uint64N(1000))
		p.globals = append(p.globals, optest.NewGlobal(t, rt, fmt.Sprint("g", i), p.values[i]))
	}
	p.addSubset()
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
		switch p.IntN(6) {
		case 0, 1:
			p.hostStep()
		case 2:
			p.chain()
		default:
			if l := p.loop(); l != nil {
				p.sealed = true
				optest.OK(p.t, op2.ParLoop(l.k.Kernel, l.over, l.given()...))
				p.compute(l)
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

func (p *rankProgram) addMap() {
	m := &rankMap{from: p.IntN(len(p.sets)), to: p.IntN(len(p.sets)), once: p.IntN(3) == 0}
	n, targets, arity := p.sets[m.from].Size(), p.sets[m.to].Size(), 1+p.IntN(4)
	if m.once = m.once && targets >= n; m.once {
		arity = 1
	}
	if n > 0 && targets == 0 {
		return
	}
	m.values = p.targets(m, n*arity, targets)
	m.Map = optest.NewMap(p.t, p.sets[m.from], p.sets[m.to], arity, m.values, fmt.Sprint("map", len(p.maps)))
	p.maps = append(p.maps, m)
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

func (p *rankProgram) addSubset() {
	s := &rankSubset{of: p.IntN(len(p.sets))}
	for e := range p.sets[s.of].Size() {
		if p.IntN(3) == 0 {
			s.elements = append(s.elements, e)
		}
	}
	s.Subset = op2.Must(op2.NewSubset(p.sets[s.of], s.elements, fmt.Sprint("subset", len(p.subsets))))
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
		way := p.IntN(4)
		merge := []func(*op2.Subset, string) (*op2.Subset, error){a.Union, a.Intersection, a.Difference, a.SymmetricDifference}[way]
		for e := range p.sets[s.of].Size() {
			in, other := slices.Contains(a.elements, e), slices.Contains(b.elements, e)
			if []bool{in || other, in && other, in && !other, in != other}[way] {
				s.elements = append(s.elements, e)
			}
		}
		s.Subset = op2.Must(merge(b.Subset, fmt.Sprint("subset", len(p.subsets))))
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

func (p *rankProgram) addDat(set int, wide bool) {
	v := rankValues{name: fmt.Sprint("dat", len(p.dats)), set: set, dim: 1, mask: math.MaxUint64}
	if wide {
		p.dats = append(p.dats, newTypedDat[uint64](p, v))
		return
	}
	v.dim, v.mask = 3, math.MaxUint16
	p.dats = append(p.dats, newTypedDat[uint16](p, v))
}

// typedDat is a rankDat of type T.
type typedDat[T uint64 | uint16] struct {
	rankValues
	*op2.Dat[T]
}

func newTypedDat[T uint64 | uint16](p *rankProgram, v rankValues) *typedDat[T] {
	d := &typedDat[T]{rankValues: v}
	d.want = make([]uint64, p.sets[v.set].Size()*v.dim)
	var values []T
	if p.IntN(4) > 0 {
		values = d.random(p)
	}
	d.Dat = optest.NewDat(p.t, p.sets[v.set], v.dim, values, v.name)
	return d
}

// random sets all expected values, and returns them.
func (d *typedDat[T]) random(p *rankProgram) []T {
	values := make([]T, len(d.want))
	for i := range values {
		values[i] = T(p.Uint64N(50))
		d.want[i] = uint64(values[i])
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
		got = op2.Must(d.InDeclaredOrder())
	case 1:
		root := p.IntN(p.rt.Ranks())
		if got = op2.Must(d.Gather(root)); p.rt.Rank() != root {
			if got != nil {
				t.Errorf("%s: rank %d has got values, too", d.name, p.rt.Rank())
			}
			return
		}
	case 2:
		got, numbers = op2.Must(d.DataRO()), p.sets[d.set].DeclaredNumbers()
	case 3:
		got, numbers = op2.Must(d.DataWithHalos()), p.withHalos(d.set)
	}
	if numbers == nil {
		for e := range p.sets[d.set].Size() {
			numbers = append(numbers, int32(e))
		}
	}
	if len(got) != len(numbers)*d.dim {
		t.Fatalf("%s has %d values, want %d", d.name, len(got), len(numbers)*d.dim)
	}
	for i, v := range got {
		e := int(numbers[i/d.dim])
		if want := d.want[e*d.dim+i%d.dim]; uint64(v) != want {
			t.Fatalf("%s: value %d of element %d, here %d, is %d, want %d", d.name, i%d.dim, e, i/d.dim, v, want)
		}
	}
}

// withHalos returns the declared numbers of all elements of a set that are here.
func (p *rankProgram) withHalos(set int) []int32 {
	s := p.sets[set]
	numbers := op2.Must(op2.NewDat[int32](s, 1, nil, "numbers"))
	own := op2.Must(numbers.Data())
	copy(own, s.DeclaredNumbers())
	return op2.Must(numbers.DataWithHalos())
}

// change changes values on the host.
func (d *typedDat[T]) change(p *rankProgram) {
	t := p.t
	switch p.IntN(5) {
	case 0:
		optest.OK(t, d.Zero())
		clear(d.want)
	case 1:
		v := T(p.Uint64N(100))
		optest.OK(t, d.Fill(v))
		for i := range d.want {
			d.want[i] = uint64(v)
		}
	case 2:
		optest.OK(t, d.SetInDeclaredOrder(d.random(p)))
	default:
		values, numbers := op2.Must(d.Data()), p.sets[d.set].DeclaredNumbers()
		v, every := T(p.Uint64N(100)), 1+p.IntN(4)
		for i, e := range numbers {
			if int(e)%every == 0 {
				values[i*d.dim] += v
			}
		}
		for e := 0; e < len(d.want)/d.dim; e += every {
			d.want[e*d.dim] = (d.want[e*d.dim] + uint64(v)) & d.mask
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
			d.want[i] = f(d.want[i], o.want[i]) & d.mask
		}
	}
	way := p.IntN(7)
	p.sealed = p.sealed || way > 0
	switch way {
	case 0:
		each(d.Copy(o.Dat), func(a, b uint64) uint64 { return b })
	case 1:
		each(d.AXPY(3, o.Dat), func(a, b uint64) uint64 { return a + 3*b })
	case 2:
		each(d.Mul(o.Dat), func(a, b uint64) uint64 { return a * b })
	case 3:
		each(d.Scale(5), func(a, b uint64) uint64 { return a * 5 })
	case 4:
		for over < len(p.subsets) && p.subsets[over].of != d.set {
			over++
		}
		if over == len(p.subsets) {
			optest.OK(t, d.CopyOver(p.sets[d.set], o.Dat))
			copy(d.want, o.want)
			return
		}
		optest.OK(t, d.CopyOver(p.subsets[over].Subset, o.Dat))
		for _, e := range p.subsets[over].elements {
			copy(d.want[e*d.dim:(e+1)*d.dim], o.want[e*d.dim:])
		}
	case 5:
		want := 0.0
		for i, v := range d.want {
			want += float64(v) * float64(o.want[i])
		}
		optest.Near(t, op2.Must(d.Inner(o.Dat)), want, 1e-12)
	case 6:
		twin := &typedDat[T]{rankValues: d.rankValues}
		twin.name, twin.want = fmt.Sprint("dat", len(p.dats)), slices.Clone(d.want)
		twin.Dat = op2.Must(d.Duplicate(twin.name))
		p.dats = append(p.dats, twin)
	}
}

// hostStep does something other than a loop.
func (p *rankProgram) hostStep() {
	declares := !p.moved // in other numbers after Renumber
	switch what := p.IntN(10); {
	case what < 4:
		p.dats[p.IntN(len(p.dats))].change(p)
	case what < 7:
		d := p.dats[p.IntN(len(p.dats))]
		for _, other := range p.dats {
			if a, b := d.what(), other.what(); a.set == b.set && a.dim == b.dim && a != b {
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
			p.addSubset()
		case 1:
			p.mergeSubsets()
		case 2:
			p.addDat(p.IntN(len(p.sets)), p.IntN(2) == 0)
		}
	case what == 9 && len(p.maps) > 0:
		p.changeMap(p.maps[p.IntN(len(p.maps))])
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
	optest.OK(p.t, m.SetInDeclaredOrder(m.values))
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

// loop returns a random loop; nil if it finds no arguments.
func (p *rankProgram) loop() *rankLoop {
	for range 20 {
		k := &rankKernels[p.IntN(len(rankKernels))]
		over := p.IntN(len(p.sets))
		if args := p.arguments(k, over); args != nil {
			return p.loopOf(k, over, args)
		}
	}
	return nil
}

// loopOf returns a loop over a set or a subset.
func (p *rankProgram) loopOf(k *rankKernel, over int, args []*rankArg) *rankLoop {
	l := &rankLoop{k: k, over: p.sets[over], args: args}
	for e := range p.sets[over].Size() {
		l.elements = append(l.elements, e)
	}
	for _, s := range p.subsets {
		if s.of == over && p.IntN(3) == 0 {
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
	var places []*op2.Loop
	for range 2 + p.IntN(4) {
		if l := p.loop(); l != nil {
			p.sealed = true
			c.loops, places = append(c.loops, l), append(places, op2.Must(op2.NewLoop(l.k.Kernel, l.over, l.given()...)))
		}
	}
	if len(places) == 0 {
		return
	}
	mode := []string{"tile", "tile", "tile", "fuse", "auto", "off"}[p.IntN(6)]
	c.Chain = op2.Must(op2.Must(op2.NewChain(places...)).With(op2.WithChains(mode)))
	p.chains = append(p.chains, c)
	if plan := op2.Must(c.Plan()); p.rt.Rank() == 0 {
		p.t.Log("chains: ", mode, "\n", plan)
	}
}

// arguments returns random arguments; nil if some parameter has none.
func (p *rankProgram) arguments(k *rankKernel, over int) []*rankArg {
	var args []*rankArg
	for i, param := range k.params {
		a := p.argument(param, over, i)
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

func (p *rankProgram) argument(param rankParam, over, number int) *rankArg {
	if param.access == nil {
		return &rankArg{access: loop.Read, arg: op2.Index()}
	}
	a := &rankArg{access: param.access[p.IntN(len(param.access))]}
	way := param.ways[p.IntN(len(param.ways))]
	if way == global {
		a.values, a.global = &rankValues{dim: 1, want: p.values[number:][:1], mask: math.MaxUint64}, 1
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
		a.m = fitting[p.IntN(len(fitting))]
		to, a.component = a.m.to, p.IntN(a.m.Arity())
		via = append(via, a.m.At(a.component))
		if way == packed {
			a.component, via[0] = loop.All, a.m.Map
		}
	}
	var fitting []rankDat
	for _, d := range p.dats {
		if v := d.what(); v.set == to && v.dim == param.dim {
			fitting = append(fitting, d)
		}
	}
	if len(fitting) == 0 {
		return nil
	}
	d := fitting[p.IntN(len(fitting))]
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
				*to &= a.values.mask
			}
		}
	}
}
