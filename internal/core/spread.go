package core

import (
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/halo"
)

// spread is how a set lies on several ranks. Until the mesh is distributed, each rank has all of a
// set that was declared whole, or its share.
type spread struct {
	size  int64 // elements of the whole mesh
	share bool  // each rank declared its share
	first int64 // of the share

	numbers []int64     // declared numbers of the elements here; nil until the mesh is distributed
	parts   []halo.Part // messages for each part of the halo
}

// Whole returns the number of elements of the whole mesh, on all ranks.
func (s *Set) Whole() int64 {
	if s.spread != nil {
		return s.spread.size
	}
	return int64(s.Size())
}

// Here returns the number of elements that belong to this rank, and of all that it has. It may be
// called at any time.
func (s *Set) Here() (owned, total int) {
	if s.rt != nil {
		s.rt.numbers.RLock()
		defer s.rt.numbers.RUnlock()
	}
	return s.Size(), s.Total()
}

// distributed reports whether the set has been distributed to the ranks.
func (s *Set) distributed() bool { return s.spread != nil && s.spread.numbers != nil }

// distribute gives each rank its part of what has been declared: the elements it owns and their
// halo, with their values. It is collective.
func (rt *Runtime) distribute(coordinates []*Data) error {
	m := &rt.mesh
	c := rt.Comm()
	owners, err := m.owners(rt, coordinates)
	if err = rt.agree(err); err != nil {
		return err
	}
	number := map[*Set]int{}
	mesh := &halo.Mesh{}
	for i, s := range m.sets {
		number[s] = i
		mesh.Sets = append(mesh.Sets, halo.Set{Name: s.name, Size: s.spread.size, Owned: ownedBy(rt.Rank(), owners[i]), Home: halo.Whole(owners[i])})
	}
	for _, f := range m.maps {
		from := number[f.from]
		mesh.Maps = append(mesh.Maps, halo.Map{Name: f.name, From: from, To: number[f.to], Arity: f.arity, Values: f.rowsOf(mesh.Sets[from].Owned)})
		f.values = nil
	}
	local, err := halo.Build(c, mesh, max(1, rt.config.Depth))
	if err != nil {
		return rt.broken(err)
	}
	rt.numbers.Lock()
	defer rt.numbers.Unlock()
	for i, f := range m.maps {
		f.values, f.distinct = local.Maps[i], nil
	}
	for _, d := range m.dats {
		if d := d.Value(); d != nil {
			if err := d.localize(local.Sets[number[d.set]].Numbers); err != nil {
				return err
			}
		}
	}
	for _, s := range m.subsets {
		s.localize(local.Sets[number[s.of]].Numbers)
	}
	for i, s := range m.sets {
		s.localize(&local.Sets[i])
	}
	return nil
}

// owners returns for each set the rank that is going to own each element.
func (m *declared) owners(rt *Runtime, coordinates []*Data) ([][]int32, error) {
	if _, err := m.describe(rt, coordinates); err != nil {
		return nil, err
	}
	owners := make([][]int32, len(m.sets))
	for i, s := range m.sets {
		owners[i] = make([]int32, s.Total())
		for e := range owners[i] {
			owners[i][e] = int32(e * rt.Ranks() / s.Total())
		}
	}
	return owners, nil
}

// ownedBy returns the numbers of the elements that a rank owns, ascending.
func ownedBy(rank int, owners []int32) []int64 {
	owned := []int64{}
	for e, r := range owners {
		if int(r) == rank {
			owned = append(owned, int64(e))
		}
	}
	return owned
}

// rowsOf returns the values of a map for some elements, as global numbers.
func (m *Map) rowsOf(elements []int64) []int64 {
	rows := make([]int64, 0, len(elements)*m.arity)
	for _, e := range elements {
		for _, t := range m.values[int(e)*m.arity : (int(e)+1)*m.arity] {
			rows = append(rows, int64(t))
		}
	}
	return rows
}

// localize keeps the values of the elements with these numbers.
func (d *Data) localize(numbers []int64) error {
	s := d.storage
	if err := d.Bring(false); err != nil {
		return err
	}
	whole := d.bytes()
	kept := NewStorage(device.Shape{Elements: len(numbers), Dim: d.dim, Size: d.scalar.Size()})
	kept.version, kept.Replaced = s.version, s.Replaced
	*s = *kept
	if whole != nil {
		row := d.dim * d.scalar.Size()
		local := unsafe.Slice((*byte)(s.Memory()), s.Bytes())
		for i, e := range numbers {
			copy(local[i*row:(i+1)*row], whole[int(e)*row:])
		}
	} else if d.rt.device == nil {
		s.Memory()
	}
	d.share()
	return nil
}

// localize keeps the elements that are here.
func (s *Subset) localize(numbers []int64) {
	var local []int32
	for i, e := range numbers {
		if _, in := slices.BinarySearch(s.elements, int32(e)); in {
			local = append(local, int32(i))
		}
	}
	s.elements = local
}

// localize records the part of the set that is here.
func (s *Set) localize(l *halo.LocalSet) {
	s.extents = Extents{Core: l.Core, Owned: l.Owned}
	for _, layer := range l.Layers {
		s.extents.Layers = append(s.extents.Layers, Layer{layer.Executed, layer.ReadOnly})
	}
	s.spread.numbers, s.spread.parts = l.Numbers, l.Parts
	if s.order != nil {
		for i, e := range s.spread.numbers {
			s.spread.numbers[i] = int64(s.order[e])
		}
		s.order = nil
	}
}
