package halo

import (
	"fmt"
	"slices"
)

// Extents describe the parts of a set, in the order of its elements: first those that belong here,
// then a halo in layers of elements that belong elsewhere. Sets without a halo own all.
type Extents struct {
	Core   int     // number of leading elements from which no map leads into the halo
	Owned  int     // elements that belong here; loops run over them
	Layers []Layer // of the halo, the nearest first
}

// Layer is one layer of a halo. Its elements follow those of the previous layer.
type Layer struct {
	Executed int // elements that loops also run over, for their contributions to owned ones
	ReadOnly int // elements after them that loops only read
}

// All returns the extents of a set that owns all of its n elements.
func All(n int) Extents { return Extents{Core: n, Owned: n} }

// Total returns the number of elements including the halo: those that maps lead from and to, and that
// memory holds.
func (e Extents) Total() int { return e.Prefix(Everywhere) }

// Times returns the extents of a set with n elements for each one of e.
func (e Extents) Times(n int) Extents {
	t := Extents{Core: e.Core * n, Owned: e.Owned * n}
	for _, l := range e.Layers {
		t.Layers = append(t.Layers, Layer{l.Executed * n, l.ReadOnly * n})
	}
	return t
}

// ends returns the end of each part: the core, the owned elements, and those of each layer of the
// halo that are executed, and that are only read.
func (e Extents) ends() []int32 {
	end := int32(e.Owned)
	ends := []int32{int32(e.Core), end}
	for _, l := range e.Layers {
		executed := end + int32(l.Executed)
		end = executed + int32(l.ReadOnly)
		ends = append(ends, executed, end)
	}
	return ends
}

// Within returns an order of the elements that keeps each in its part, and within the parts is as
// the given one; nil for nil.
func (e Extents) Within(order []int32) []int32 {
	if order == nil || e.Core == e.Total() {
		return order
	}
	ends := e.ends()
	parts := make([][]int32, len(ends))
	for _, element := range order {
		part, _ := slices.BinarySearch(ends, element+1)
		parts[part] = append(parts[part], element)
	}
	return slices.Concat(parts...)
}

// Check returns an error for extents that no set can have.
func (e Extents) Check() error {
	if e.Core < 0 || e.Core > e.Owned {
		return fmt.Errorf("a core of %d elements, of %d that are owned", e.Core, e.Owned)
	}
	for i, l := range e.Layers {
		if l.Executed < 0 || l.ReadOnly < 0 {
			return fmt.Errorf("layer %d of the halo has %d and %d elements", i+1, l.Executed, l.ReadOnly)
		}
	}
	return nil
}

// Prefix returns the number of elements of a prefix: Owned, or what follows part by part. Prefix 2k-1 ends after the
// elements that layer k executes, prefix 2k after the layer.
func (e Extents) Prefix(x int) int {
	n := e.Owned
	for _, l := range e.Layers {
		if x > 0 {
			n += l.Executed
		}
		if x > 1 {
			n += l.ReadOnly
		}
		x -= 2
	}
	return n
}
