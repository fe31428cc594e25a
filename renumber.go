package op2

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/order"
	"github.com/go-op2/op2/internal/problem"
)

// Coordinates are the positions of a set's elements: a dat with one position per element, in as
// many dimensions as it has values per element. Every *Dat is one.
type Coordinates interface {
	place() (*data, []float64)
}

// Renumber renumbers the elements of all sets such that data used together is close together in
// memory. It can make loops many times faster if the mesh is numbered in no particular order, as
// mesh generators often leave it.
//
// It is called once, after sets, subsets, maps and dats have been declared and before the first
// sparsity is built or the first loop prepared. Among sets that maps connect, the one with the most
// data leads. Its elements are numbered by recursive coordinate bisection if coordinates are given
// for it or for a set it is connected with, otherwise by the reverse Cuthill-McKee algorithm. The
// other sets follow: edges are numbered by their cells. Unconnected sets keep their numbers.
//
// The values of all dats, maps and subsets are reordered accordingly. From then on [Dat.Data],
// [Map.Values] and [Index] use the new numbers. [Set.DeclaredNumbers] returns the old ones, which
// [Dat.InDeclaredOrder], [Dat.SetInDeclaredOrder] and [Map.InDeclaredOrder] use.
func (rt *Runtime) Renumber(coordinates ...Coordinates) error {
	if rt == nil {
		return errors.New("op2: Renumber: there is no runtime")
	}
	if err := rt.enter(); err != nil {
		return err
	}
	defer rt.leave()
	if rt.config.static {
		return nil
	}
	if rt.mesh.sealed {
		return fmt.Errorf("op2: Renumber: %s already, the first was %s: they depend on the previous numbers\n"+
			"  hint: call it after the declarations, before the first sparsity and the first loop", rt.mesh.what, rt.mesh.first)
	}
	m, err := rt.mesh.describe(rt, coordinates)
	if err != nil {
		return err
	}
	m.Workers, m.Stopped = rt.config.given.Threads, rt.config.given.Stop.Raised
	orders := m.Orders()
	if err := rt.config.given.Stop.Err(); err != nil {
		return fmt.Errorf("op2: Renumber: %w", err)
	}
	rt.numbers.Lock()
	defer rt.numbers.Unlock()
	rt.mesh.apply(orders)
	return nil
}

// declared holds what has been declared on a runtime, until something depends on the current
// numbers: the first sparsity, or the first loop.
type declared struct {
	sets    []*Set
	subsets []*Subset
	maps    []*Map       // including masked ones
	dats    []func() dat // nil for those that have become unreachable
	alive   int          // of the dats, at the last sweep
	weights map[*Set]int // bytes of data per element
	sealed  bool
	what    string // "loops have been prepared"
	first   string // the first of them
}

// dat is a *Dat of some type.
type dat interface {
	common() *data
	reorder(order []int32)
}

func (m *declared) addSet(s *Set) {
	if !m.sealed {
		m.sets = append(m.sets, s)
	}
}

func (m *declared) addSubset(s *Subset) {
	if !m.sealed {
		m.subsets = append(m.subsets, s)
	}
}

func (m *declared) addMap(f *Map) {
	if !m.sealed {
		m.maps = append(m.maps, f)
	}
}

// addDat does not keep the dat alive. The order of elements does not depend on which dats are still
// reachable.
func addDat[T Scalar](m *declared, d *Dat[T]) {
	if m.sealed {
		return
	}
	if m.weights == nil {
		m.weights = map[*Set]int{}
	}
	m.weights[d.set] += d.dim * d.scalar.Size()
	if len(m.dats) >= 2*m.alive+64 {
		m.dats = slices.DeleteFunc(m.dats, func(d func() dat) bool { return d() == nil })
		m.alive = len(m.dats)
	}
	w := weak.Make(d)
	m.dats = append(m.dats, func() dat {
		if d := w.Value(); d != nil {
			return d
		}
		return nil
	})
}

// seal ends the phase in which Renumber is possible.
func (rt *Runtime) seal(what, first string) {
	if !rt.mesh.sealed {
		rt.recordMesh()
		rt.mesh = declared{sealed: true, what: what, first: first}
	}
}

// describe describes the mesh to package order.
func (m *declared) describe(rt *Runtime, coordinates []Coordinates) (*order.Mesh, error) {
	numbers := map[*Set]int{}
	mesh := &order.Mesh{}
	for i, s := range m.sets {
		numbers[s] = i
		mesh.Sets = append(mesh.Sets, order.Set{Size: s.total(), Weight: m.weights[s]})
	}
	for _, f := range m.maps {
		if f.masked {
			continue
		}
		mesh.Maps = append(mesh.Maps, order.Map{From: numbers[f.from], To: numbers[f.to], Arity: f.arity, Values: f.values})
	}
	for i, c := range coordinates {
		if c == nil {
			return nil, fmt.Errorf("op2: Renumber: coordinates %d are nil", i+1)
		}
		d, values := c.place()
		switch {
		case d == nil:
			return nil, fmt.Errorf("op2: Renumber: coordinates %d are nil", i+1)
		case d.rt.failed != nil:
			return nil, checkDeclared("Renumber: dat "+d.name, d.rt)
		case d.rt != rt:
			return nil, fmt.Errorf("op2: Renumber: dat %s belongs to %s, not to %s", d.name, d.rt.what(), rt.what())
		}
		s := &mesh.Sets[numbers[d.set]]
		if s.Coordinates != nil {
			return nil, fmt.Errorf("op2: Renumber: dat %s: coordinates of %s were given already", d.name, d.set.name)
		}
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, &problem.ShapeError{What: fmt.Sprintf("Renumber: dat %s", d.name),
					Msg: fmt.Sprintf("%v, value %d of element %d, is no coordinate", v, i%d.dim, i/d.dim)}
			}
		}
		s.Coordinates, s.Dim = values, d.dim
	}
	return mesh, nil
}

// apply renumbers the elements of all sets.
func (m *declared) apply(orders [][]int32) {
	bySet := map[*Set][]int32{}
	for i, s := range m.sets {
		bySet[s] = orders[i]
	}
	for _, f := range m.maps {
		f.reorder(bySet[f.from], order.Inverse(bySet[f.to]))
	}
	for _, d := range m.dats {
		if d := d(); d != nil {
			d.reorder(bySet[d.common().set])
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
	if s.order == nil {
		s.order = o
		return
	}
	rows(s.order, 1, o)
}

// reorder reorders the map's elements, and renumbers their targets; nil leaves either unchanged.
func (m *Map) reorder(o, numbers []int32) { reorderMap(m.values, m.arity, o, numbers) }

func reorderMap(values []int32, arity int, o, numbers []int32) {
	rows(values, arity, o)
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

// reorder reorders the host's values, since no loop has run yet. If there are none, they are zero.
func (d *Dat[T]) reorder(o []int32) {
	if values := d.values(); values != nil {
		rows(values, d.dim, o)
	}
}

func (d *Dat[T]) place() (*data, []float64) {
	if d == nil || d.rt == nil {
		return nil, nil
	}
	values := make([]float64, d.set.total()*d.dim)
	for i, v := range d.values() {
		values[i] = float64(v)
	}
	return &d.data, values
}

// rows reorders rows of dim values in place; nil leaves them unchanged.
func rows[T any](values []T, dim int, o []int32) {
	if o != nil {
		copy(values, gathered(values, dim, o))
	}
}

// gathered returns rows of dim values in an order.
func gathered[T any](values []T, dim int, o []int32) []T {
	moved := make([]T, len(values))
	for i, e := range o {
		copy(moved[i*dim:(i+1)*dim], values[int(e)*dim:(int(e)+1)*dim])
	}
	return moved
}

// DeclaredNumbers returns the numbers that the elements had when the set was declared, by their
// current ones: the same unless [Runtime.Renumber] was called. The caller owns the slice.
func (s *Set) DeclaredNumbers() []int32 {
	numbers := make([]int32, s.Size())
	if len(numbers) == 0 {
		return numbers
	}
	s.rt.numbers.RLock()
	defer s.rt.numbers.RUnlock()
	for i := range numbers {
		numbers[i] = int32(i)
		if s.order != nil {
			numbers[i] = s.order[i]
		}
	}
	return numbers
}

// InDeclaredOrder returns a copy of the values of all elements, dim for each, in the order in which
// NewDat was given values.
func (d *Dat[T]) InDeclaredOrder() ([]T, error) {
	if err := d.begin(); err != nil {
		return nil, err
	}
	defer d.rt.leave()
	values, err := d.dataRO()
	if err != nil {
		return nil, err
	}
	if d.set.order == nil {
		return append([]T(nil), values...), nil
	}
	return gathered(values, d.dim, order.Inverse(d.set.order)), nil
}

// SetInDeclaredOrder sets all values to the given ones, dim for each element, in declared order.
func (d *Dat[T]) SetInDeclaredOrder(values []T) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt.leave()
	if len(values) != d.set.total()*d.dim {
		return d.wrongCount(len(values))
	}
	if d.set.order != nil {
		values = gathered(values, d.dim, d.set.order)
	}
	copy(d.dataWO(), values)
	return nil
}

// InDeclaredOrder returns a copy of the map's values in declared numbering, arity for each element,
// as NewMap was given them.
func (m *Map) InDeclaredOrder() []int32 {
	if m.made() != nil {
		return nil
	}
	m.from.rt.numbers.RLock()
	defer m.from.rt.numbers.RUnlock()
	values := append([]int32(nil), m.values...)
	if m.to.order != nil {
		for i, t := range values {
			values[i] = m.to.order[t]
		}
	}
	rows(values, m.arity, order.Inverse(m.from.order))
	return values
}
