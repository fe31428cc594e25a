package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/loop"
)

// Range is what a loop runs over: a set, or a subset of one.
type Range struct {
	Set    *Set
	Subset *Subset // nil: the whole set
	Layers Layers  // of the columns over the set, if the loop is over these
}

// All returns the range of the whole set.
func (s *Set) All() Range {
	if s.Extruded() {
		return Range{Set: s.base, Layers: Layers{Of: s}}
	}
	return Range{Set: s}
}

// All returns the range of the subset.
func (s *Subset) All() Range { return Range{Set: s.of, Subset: s} }

// Name returns the name of what the loop runs over.
func (r Range) Name() string {
	if r.Layers.Of != nil {
		if r.Subset != nil {
			return r.Layers.name() + " over " + r.Subset.name
		}
		return r.Layers.name()
	}
	if r.Subset != nil {
		return r.Subset.name
	}
	return r.Set.name
}

// Size returns the number of elements that belong here, and count.
func (r Range) Size() int { return r.Prefix(halo.Owned) }

// Prefix returns the number of elements of a prefix of the set.
func (r Range) Prefix(x int) int {
	if r.Subset == nil {
		return r.Set.Prefix(x)
	}
	return r.Subset.prefix(x)
}

// At returns the i-th element.
func (r Range) At(i int) int {
	if r.Subset == nil {
		return i
	}
	return int(r.Subset.elements[i])
}

// Each calls f for each element that loops can run over, including those of a halo.
func (r Range) Each(f func(e int)) {
	for i := range r.Prefix(r.Set.Deepest()) {
		f(r.At(i))
	}
}

// Besides describes the range for a message that also names another set.
func (r Range) Besides(other *Set) string {
	if r.Subset != nil {
		return fmt.Sprintf("%s, a subset of %s", r.Subset.name, r.Set.Besides(other))
	}
	return r.Set.Besides(other)
}

// Whole returns the number of elements of the whole mesh.
func (r Range) Whole() int64 {
	if r.Subset != nil {
		return r.Subset.size
	}
	return r.Set.Whole()
}

// Here returns the elements of the range that are here, including those of a halo.
func (r Range) Here() []int32 {
	if r.Subset != nil {
		return r.Subset.elements
	}
	return lists.UpTo(r.Set.Total())
}

// Layers is the part of the columns over a set that a loop runs over: of none if Of is nil.
type Layers struct {
	Of     *Set // the extruded set
	Region loop.Region
	Wrong  string // what OnBottom and the like were given that has no such layers; "" if nothing
}

// On returns a region of the same columns.
func (r Range) On(region loop.Region) Range {
	what := [...]string{loop.Bottom: "OnBottom", loop.Top: "OnTop", loop.Facets: "OnInteriorFacets"}[region]
	switch {
	case r.Set == nil || r.Layers.Wrong != "":
	case r.Layers.Of == nil:
		r.Layers.Wrong = fmt.Sprintf("%s takes an extruded set, or what OnColumns returns, and %s is not extruded", what, r.Name())
	case r.Layers.Region != loop.Column:
		r.Layers.Wrong = fmt.Sprintf("%s takes columns with all layers, not the %s", what, r.Name())
	default:
		r.Layers.Region = region
	}
	return r
}

// Over returns the columns over the elements of a subset.
func (r Range) Over(s *Subset) Range {
	switch {
	case r.Set == nil:
	case r.Layers.Of == nil:
		r.Layers.Wrong = fmt.Sprintf("OnColumns takes an extruded set, and %s is not extruded", r.Name())
	case s == nil:
		r.Layers.Wrong = "the subset of OnColumns is nil"
	case s.of != r.Set:
		r.Layers.Wrong = fmt.Sprintf("OnColumns takes a subset of %s, the base set of %s, and %s is one of %s", r.Set.Besides(s.of), r.Name(), s.name, s.of.Besides(r.Set))
	default:
		r.Subset = s
	}
	return r
}

// NotElements returns why the layers are no elements of an extruded set; "" if they are.
func (l Layers) NotElements() string {
	if l.Wrong == "" && l.Region == loop.Facets {
		return "interior facets are between elements: all of a set are elements, or those that OnBottom, OnTop and OnColumns return"
	}
	return l.Wrong
}

// Count returns the number of layers that run for each element of the base set, at most: one without columns.
func (l Layers) Count() int { return l.Describe().Count() }

// All reports whether a loop over the layers reaches all of each column.
func (l Layers) All() bool { return l.Of == nil || l.Region == loop.Column && l.Of.bounds == nil }

// name returns the name of the layers.
func (l Layers) name() string {
	return [...]string{loop.Column: "", loop.Bottom: "bottom of ", loop.Top: "top of ", loop.Facets: "interior facets of "}[l.Region] + l.Of.name
}

// Describe returns the layers as loops know them, without bounds.
func (l Layers) Describe() loop.Layers {
	if l.Of == nil {
		return loop.Layers{}
	}
	return loop.Layers{Of: l.Of.layers, Region: l.Region}
}

// Bounds returns the dat with the bounds of columns; nil if each has all layers.
func (l Layers) Bounds() *Data {
	if l.Of == nil {
		return nil
	}
	return l.Of.bounds
}
