package entity

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/store"
)

// InDeclaredOrder returns a copy of the map's values in declared numbering. It may be called at any
// time, except once the mesh is distributed: it then is collective, and returns those of the whole
// mesh.
func (m *Map) InDeclaredOrder() ([]int32, error) {
	if n := m.to.Whole(); n > math.MaxInt32 {
		return nil, fmt.Errorf("op2: %s: the numbers of %d %s are no int32", m.What(), n, m.to.name)
	}
	m.from.rt.numbers.RLock()
	defer m.from.rt.numbers.RUnlock()
	if m.global == nil && !m.to.numbered() && !m.from.numbered() {
		return slices.Clone(m.values), nil
	}
	numbers := m.targetNumbers()
	values := make([]int32, len(numbers))
	for i, n := range numbers {
		values[i] = int32(n)
	}
	all, err := m.from.gatherRows(4*m.arity, store.Bytes(values), -1)
	return store.As[int32](all), err
}

// TargetNumbers returns the declared numbers that the map leads to, -1 for no target, from the elements that this rank has
// declared, in declared order; or, once the mesh is distributed, from those that belong to it.
func (m *Map) TargetNumbers() []int64 {
	m.from.rt.numbers.RLock()
	defer m.from.rt.numbers.RUnlock()
	numbers := m.targetNumbers()
	numbers = numbers[:min(m.from.Size()*m.arity, len(numbers))]
	ReorderRows(store.Bytes(numbers), 8*m.arity, m.from.places)
	return numbers
}

// targetNumbers returns the declared numbers that the map leads to, -1 for no target, from all elements here, in the order of
// memory.
func (m *Map) targetNumbers() []int64 {
	values, renumbered := m.Numbers(), m.to.numbered()
	numbers := make([]int64, values.Len())
	for i := range numbers {
		if numbers[i] = values.At(i); renumbered && numbers[i] >= 0 {
			numbers[i] = m.to.NumberHere(int(numbers[i]))
		}
	}
	return numbers
}
