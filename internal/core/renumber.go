package core

import (
	"fmt"
	"math"
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/problem"
)

// Renumber changes the order of the elements of all sets in memory, within each part of a set, such that
// data used together is close together. Programs give and get declared numbers nevertheless. Coordinates are dats of positions, one for each element of
// a set; any of them may be nil, which is an error.
func (rt *Runtime) Renumber(coordinates []*Data) error {
	if rt.config.Static {
		return nil
	}
	if rt.mesh.sealed {
		return fmt.Errorf("op2: Renumber: %s already, the first was %s: they depend on the previous numbers\n"+
			"  hint: call it before the first sparsity and the first loop: what is declared later gets the same order", rt.mesh.what, rt.mesh.first)
	}
	if i := slices.IndexFunc(rt.mesh.sets, (*Set).shared); i >= 0 {
		return fmt.Errorf("op2: Renumber: each rank has declared a share of %s: no rank can number all of it\n  hint: call Partition, which numbers the elements of each rank", rt.mesh.sets[i].name)
	}
	if err := rt.renumber(coordinates, false); err != nil {
		return err
	}
	rt.mesh.coordinates, rt.mesh.wanted = coordinates, nil
	return nil
}

// RenumberLater makes the first call that depends on the order of elements renumber them, by these
// coordinates among others, as Renumber would, unless their order is a good one already.
func (rt *Runtime) RenumberLater(coordinates *Data) {
	if !rt.mesh.sealed && !rt.config.Static {
		rt.mesh.wanted = append(rt.mesh.wanted, coordinates)
	}
}

func (rt *Runtime) renumber(coordinates []*Data, scattered bool) error {
	m, sets, err := rt.mesh.describe(rt, "Renumber", coordinates)
	if err != nil || scattered && !m.Scattered() {
		return err
	}
	m.Workers, m.Stopped = rt.config.Backend.Threads, rt.config.Backend.Stop.Raised
	orders := m.Orders()
	if err := rt.config.Backend.Stop.Err(); err != nil {
		return fmt.Errorf("op2: Renumber: %w", err)
	}
	bySet := map[*Set][]int32{}
	for i, s := range sets {
		bySet[s] = s.extents.within(orders[i])
	}
	rt.numbers.Lock()
	defer rt.numbers.Unlock()
	rt.mesh.apply(bySet)
	return nil
}

// declared holds what has been declared on a runtime, until something depends on the current
// numbers: the first sparsity, or the first loop.
type declared struct {
	sets        []*Set
	subsets     []*Subset
	maps        []*Map               // including masked ones
	dats        []weak.Pointer[Data] // some of which may have become unreachable
	held        []*Data              // those on shares, whose values all ranks exchange, whatever the collector does
	whole       []wholeDat           // on several ranks: those on sets that were declared whole
	alive       int                  // of the dats, at the last sweep
	weights     map[*Set]int         // bytes of data per element
	sealed      bool
	coordinates []*Data // that Renumber was given
	wanted      []*Data // those that Seal renumbers by; none: it does not
	what        string  // "loops have been prepared"
	first       string  // the first of them
}

func (m *declared) addSet(s *Set) {
	if !m.sealed {
		m.sets = append(m.sets, s)
	}
}

func (m *declared) addSubset(s *Subset) {
	if !m.sealed && !s.of.isReady() {
		m.subsets = append(m.subsets, s)
	}
}

func (m *declared) addMap(f *Map) {
	if !m.sealed && !f.from.isReady() {
		m.maps = append(m.maps, f)
	}
}

// addDat does not keep the dat alive, unless its set is declared in shares. The order of elements does
// not depend on which dats are still reachable.
func (m *declared) addDat(d *Data) {
	if m.sealed || d.set.isReady() {
		return
	}
	if m.weights == nil {
		m.weights = map[*Set]int{}
	}
	m.weights[d.set] += d.dim * d.scalar.Size()
	if len(m.dats) >= 2*m.alive+64 {
		m.dats = slices.DeleteFunc(m.dats, func(d weak.Pointer[Data]) bool { return d.Value() == nil })
		m.alive = len(m.dats)
	}
	m.dats = append(m.dats, weak.Make(d))
	switch {
	case d.set.shared():
		m.held = append(m.held, d)
	case d.set.distribution != nil:
		m.whole = append(m.whole, newWholeDat(d))
	}
}

// Seal ends the phase in which Renumber is possible, and renumbers the mesh if that was asked for. On
// several ranks, it distributes the mesh.
func (rt *Runtime) Seal(what, first string) error {
	if rt.mesh.sealed {
		return nil
	}
	if len(rt.mesh.wanted) > 0 && !slices.ContainsFunc(rt.mesh.sets, (*Set).shared) {
		if err := rt.renumber(rt.mesh.wanted, true); err != nil {
			return rt.Report(err)
		}
	}
	rt.recordMesh()
	if rt.Several() {
		if err := rt.distribute(rt.mesh.coordinates); err != nil {
			return rt.Report(err) // others may wait in the middle of it
		}
	}
	rt.mesh = declared{sealed: true, what: what, first: first}
	return nil
}

// Sealed reports whether Seal has been called: there is no way back to another order of elements.
func (rt *Runtime) Sealed() bool { return rt.mesh.sealed }

// describe describes to package order the sets that were declared whole, which it returns, and the
// maps between them. What is for messages: "Renumber".
func (m *declared) describe(rt *Runtime, what string, coordinates []*Data) (*order.Mesh, []*Set, error) {
	numbers := map[*Set]int{}
	mesh := &order.Mesh{}
	var sets []*Set
	for _, s := range m.sets {
		if s.shared() {
			continue
		}
		numbers[s] = len(sets)
		sets = append(sets, s)
		mesh.Sets = append(mesh.Sets, order.Set{Size: s.Total(), Weight: m.weights[s]})
	}
	for _, f := range m.maps {
		if f.masked || f.global != nil {
			continue
		}
		mesh.Maps = append(mesh.Maps, order.Map{From: numbers[f.from], To: numbers[f.to], Arity: f.arity, Values: f.values})
	}
	for i, d := range coordinates {
		switch {
		case d == nil:
			return nil, nil, fmt.Errorf("op2: %s: coordinates %d are nil", what, i+1)
		case d.rt.failed != nil:
			return nil, nil, CheckDeclared(what+": dat "+d.name, d.rt)
		case d.rt != rt:
			return nil, nil, fmt.Errorf("op2: %s: dat %s belongs to %s, not to %s", what, d.name, d.rt.Describe(), rt.Describe())
		case d.set.shared(), d.set.isReady():
			continue
		}
		s := &mesh.Sets[numbers[d.set]]
		if s.Coordinates != nil {
			return nil, nil, fmt.Errorf("op2: %s: dat %s: coordinates of %s were given already", what, d.name, d.set.name)
		}
		values := d.AsFloat64s()
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, nil, &problem.ShapeError{What: fmt.Sprintf("%s: dat %s", what, d.name),
					Msg: fmt.Sprintf("%v, value %d of element %d, is no coordinate", v, i%d.dim, i/d.dim)}
			}
		}
		s.Coordinates, s.Dim = values, d.dim
	}
	return mesh, sets, nil
}

// apply renumbers the elements of all sets.
func (m *declared) apply(bySet map[*Set][]int32) {
	for _, f := range m.maps {
		f.reorder(bySet[f.from], order.Inverse(bySet[f.to]))
	}
	for _, d := range m.dats {
		if d := d.Value(); d != nil {
			d.reorder(bySet[d.set])
		}
	}
	for _, s := range m.subsets {
		s.reorder(order.Inverse(bySet[s.of]))
	}
	for s, o := range bySet {
		s.reorder(o)
	}
}

// reorder records the declared numbers of a set's elements.
func (s *Set) reorder(o []int32) {
	if o == nil {
		return
	}
	s.trees = nil
	if s.order == nil {
		s.order = o
	} else {
		rows(Bytes(s.order), 4, o)
	}
	s.places = order.Inverse(s.order)
}

// reorder reorders the map's elements, and renumbers their targets; nil leaves either unchanged.
func (m *Map) reorder(o, numbers []int32) { reorderMap(m.values, m.arity, o, numbers) }

func reorderMap(values []int32, arity int, o, numbers []int32) {
	rows(Bytes(values), 4*arity, o)
	if numbers != nil {
		for i, t := range values {
			if t >= 0 {
				values[i] = numbers[t]
			}
		}
	}
}

// reorder renumbers the subset's elements; nil leaves them unchanged.
func (s *Subset) reorder(numbers []int32) {
	if numbers == nil {
		return
	}
	for i, e := range s.elements {
		s.elements[i] = numbers[e]
	}
	slices.Sort(s.elements)
}

// reorder reorders the host's values, since no loop has run yet. If there are none, they are zero. The
// program may go on writing to those that it got in declared order.
func (d *Data) reorder(o []int32) {
	lent := d.storage.lent
	if d.storage.takeBack(); o == nil || d.storage.Host() == nil {
		return
	}
	size := d.dim * d.scalar.Size()
	before := d.bytes()
	d.storage.memory = nil
	d.storage.Memory()
	for i, e := range o {
		copy(d.bytes()[i*size:(i+1)*size], before[int(e)*size:])
	}
	switch {
	case d.set.order == nil:
		d.storage.Lend(o, size, before)
	case lent != nil:
		rows := make([]int32, len(o))
		for i, e := range o {
			rows[i] = lent.rows[e]
		}
		d.storage.Lend(rows, size, lent.values)
	}
}

// rows reorders rows of some bytes each in place; nil leaves them unchanged.
func rows(values []byte, size int, o []int32) {
	if o != nil && values != nil {
		copy(values, gathered(values, size, o))
	}
}

// gathered returns rows of some bytes each in an order.
func gathered(values []byte, size int, o []int32) []byte {
	moved := Room(len(values))
	for i, e := range o {
		copy(moved[i*size:(i+1)*size], values[int(e)*size:])
	}
	return moved
}

// StoredNumbers returns the declared numbers of the elements by their places in memory. It may be called
// at any time.
func (s *Set) StoredNumbers() []int32 {
	numbers := make([]int32, s.Size())
	s.rt.numbers.RLock()
	defer s.rt.numbers.RUnlock()
	for i, e := range s.numbersHere()[:len(numbers)] {
		numbers[i] = int32(e)
	}
	return numbers
}

// DeclaredNumbers returns the declared numbers of the rows of data that the program sees: of all elements
// in declared order, unless the mesh is distributed. It may be called at any time.
func (s *Set) DeclaredNumbers() []int32 {
	numbers := s.StoredNumbers()
	if !s.distributed() {
		slices.Sort(numbers)
	}
	return numbers
}

// inDeclaredOrder returns a copy of values, of some bytes for each element, in declared order.
func (s *Set) inDeclaredOrder(size int, values []byte) []byte {
	if s.order == nil {
		return append(Room(len(values))[:0], values...)
	}
	return gathered(values, size, s.places)
}

// FromDeclaredOrder returns the values, some bytes for each element in declared order, as they are in memory. Of sets that were declared in shares, each rank gives its own; that is collective.
func FromDeclaredOrder(s *Set, size int, values []byte) ([]byte, error) {
	switch {
	case values == nil || s.order == nil && !s.distributed():
		return values, nil
	case s.distributed():
		return s.local(size, values)
	}
	return gathered(values, size, s.order), nil
}
