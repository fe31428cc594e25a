package plan

import (
	"fmt"
	"math"
)

// MapID identifies a map: a nonnegative number chosen by the caller. Within one [Cache], equal IDs
// stand for equal maps.
type MapID int

const (
	// Direct in a Ref stands for the element itself instead of a map's target.
	Direct MapID = -1
	// All as a Ref's Component: every component of the map.
	All = -1
)

// Map gives Arity elements of another set for each element of the iteration set.
type Map struct {
	ID      MapID
	Arity   int
	Targets int     // size of the set that the map leads to
	Values  []int32 // [set][Arity]; below 0: no target
}

// Ref is one way from an element to a target: a component of a map, or the element
// itself.
type Ref struct {
	Map       MapID // or Direct
	Component int   // of the map, or All; ignored if Direct
}

// Data is one distinct dat, or the rows of a mat, and the ways in which the loop reaches it. All of
// them lead to one set.
type Data struct {
	Refs     []Ref
	Collides bool // is changed: two elements that reach the same target must not run at once
	Stage    bool // gets a local table
}

// Input is what a plan is built from. Data that are only reached directly, and data that neither
// collide nor are staged, may be included or omitted without affecting the plan. Neither does the
// order of Maps, Data and Refs.
type Input struct {
	First, Last int // the elements [First, Last)
	BlockSize   int // the most elements of a block
	// Boundaries are elements, in ascending order, at which a block starts in any case: the loop may
	// run in parts that start and end there.
	Boundaries    []int
	Maps          []Map
	Data          []Data
	ElementColors bool // color the elements of each block, too
	ByColor       bool // list the elements of each block by these colors
	Workers       int  // goroutines that build; 0: one per processor. Does not affect the plan
}

// validate checks the input itself, apart from the values of maps.
func (in *Input) validate() error {
	switch {
	case in.First < 0 || in.Last < in.First || in.Last > math.MaxInt32:
		return fmt.Errorf("plan: a range within 0 to %d is needed, [%d, %d) was given", math.MaxInt32, in.First, in.Last)
	case in.BlockSize < 1:
		return fmt.Errorf("plan: blocks of at least 1 element are needed, %d was given", in.BlockSize)
	}
	previous := in.First
	for _, e := range in.Boundaries {
		if e < previous || e > in.Last {
			return fmt.Errorf("plan: ascending boundaries within [%d, %d) are needed, %v were given", in.First, in.Last, in.Boundaries)
		}
		previous = e
	}
	for i, m := range in.Maps {
		if err := m.validate(in.Last); err != nil {
			return err
		}
		for _, earlier := range in.Maps[:i] {
			if earlier.ID == m.ID {
				return fmt.Errorf("plan: two maps have the ID %d", m.ID)
			}
		}
	}
	for d := range in.Data {
		if err := in.validateData(d); err != nil {
			return err
		}
	}
	return nil
}

func (m *Map) validate(last int) error {
	switch {
	case m.ID < 0:
		return fmt.Errorf("plan: the ID of a map is not negative, %d was given", m.ID)
	case m.Arity < 1:
		return fmt.Errorf("plan: map %d: an arity of at least 1 is needed, %d was given", m.ID, m.Arity)
	case m.Targets < 0 || m.Targets > math.MaxInt32:
		return fmt.Errorf("plan: map %d: 0 to %d targets are needed, %d were given", m.ID, math.MaxInt32, m.Targets)
	case len(m.Values)/m.Arity < last:
		return fmt.Errorf("plan: map %d: %d values of arity %d do not reach element %d", m.ID, len(m.Values), m.Arity, last-1)
	}
	return nil
}

// validateData checks that the references of data d exist and lead to one set.
func (in *Input) validateData(d int) error {
	targets, from := -1, Direct
	for _, r := range in.Data[d].Refs {
		if r.Map == Direct {
			continue
		}
		m := in.mapOf(r.Map)
		switch {
		case m == nil:
			return fmt.Errorf("plan: data %d: there is no map %d", d, r.Map)
		case r.Component != All && (r.Component < 0 || r.Component >= m.Arity):
			return fmt.Errorf("plan: data %d: map %d has components 0 to %d, not %d", d, m.ID, m.Arity-1, r.Component)
		case targets >= 0 && targets != m.Targets:
			return fmt.Errorf("plan: data %d: map %d leads to %d targets, map %d to %d", d, from, targets, m.ID, m.Targets)
		}
		targets, from = m.Targets, m.ID
	}
	for _, r := range in.Data[d].Refs {
		if r.Map == Direct && targets >= 0 && targets < in.Last {
			return fmt.Errorf("plan: data %d: reached directly by %d elements, map %d leads to %d", d, in.Last, from, targets)
		}
	}
	return nil
}

// mapOf returns the map with that ID, or nil.
func (in *Input) mapOf(id MapID) *Map {
	for i := range in.Maps {
		if in.Maps[i].ID == id {
			return &in.Maps[i]
		}
	}
	return nil
}
