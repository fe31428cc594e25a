package halo

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/comm"
)

// builder builds a rank's mesh. Meanwhile elements are known by places: the position in an index of all elements that the
// rank knows, where the owned ones come first, in their given order. Rows of maps hold places.
type builder struct {
	c    comm.Comm
	mesh *Mesh
	sets []region
	maps []rows
}

// region is a set while its halo is built.
type region struct {
	known  index
	owned  int
	others []other // by place, after the owned
	halo   []int32 // places of the halo's elements, in local order
	ends   []int   // of the parts, in halo
	parts  []Part
	from   []int // maps from the set

	exposed []exposed // ascending
}

// other is an element of another rank.
type other struct {
	owner int32
	local int32 // place in halo, absent or wanted
}

const (
	absent int32 = -1 - iota
	wanted       // will be in the next part
)

// exposed is an owned element with targets in the halo. Bit i of maps stands for the i-th map from its set.
type exposed struct {
	place int32
	maps  uint64
}

// rows are the targets of elements by a map, as places; -1 is nowhere.
type rows struct {
	owned []int32
	halo  []int32 // in local order
	read  int     // length of the part of halo whose targets are here, or wanted
}

// read looks up the targets of owned elements, and the owners of those that are not owned here.
func (b *builder) read() error {
	for i := range b.sets {
		s, set := &b.sets[i], &b.mesh.Sets[i]
		if len(set.Owned) > math.MaxInt32 {
			return set.tooMany(len(set.Owned))
		}
		s.owned, s.known = len(set.Owned), newIndex(len(set.Owned))
		for place, number := range set.Owned {
			if int(s.known.put(number)) != place {
				return fmt.Errorf("halo: rank %d owns element %d of %s twice", b.c.Rank(), number, set.Name)
			}
		}
	}
	for i := range b.maps {
		if err := b.readMap(i); err != nil {
			return err
		}
	}
	for i := range b.sets {
		s, set := &b.sets[i], &b.mesh.Sets[i]
		set.Owned = nil // known has them
		owners, err := set.Home.Owners(b.c, s.known.numbers[s.owned:])
		if err != nil {
			return err
		}
		s.others = make([]other, len(owners))
		for j, owner := range owners {
			s.others[j] = other{owner, absent}
		}
	}
	return b.check()
}

// readMap looks up the targets of a map's owned elements.
func (b *builder) readMap(i int) error {
	m := &b.mesh.Maps[i]
	if err := b.mesh.check(m); err != nil {
		return err
	}
	b.sets[m.From].from = append(b.sets[m.From].from, i)
	to, size := &b.sets[m.To], b.mesh.Sets[m.To].Size
	targets := make([]int32, m.Values.Len())
	for at := range targets {
		switch v := m.Values.At(at); {
		case v < 0:
			targets[at] = -1
		case v < size:
			targets[at] = to.known.put(v)
		default:
			return b.mesh.outside(m, at)
		}
	}
	b.maps[i].owned, m.Values = targets, Numbers{}
	return nil
}

// check returns an error if a set has too many elements, or if the directory says that this rank owns an element
// that it does not.
func (b *builder) check() error {
	for i := range b.sets {
		s, set := &b.sets[i], &b.mesh.Sets[i]
		if n := len(s.known.numbers); n > math.MaxInt32 {
			return set.tooMany(n)
		}
		for j, o := range s.others {
			if int(o.owner) == b.c.Rank() {
				return fmt.Errorf("halo: rank %d does not own element %d of %s, as it should", b.c.Rank(), s.known.numbers[s.owned+j], set.Name)
			}
		}
	}
	return nil
}
