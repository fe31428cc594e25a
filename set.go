package op2

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
)

// Set is a collection of mesh elements of one kind: nodes, edges, cells.
type Set entity.Set

func (s *Set) core() *entity.Set { return (*entity.Set)(s) }

// NewSet declares a set of size elements; it may be empty. Sets have at most
// 2,147,483,647 elements, since maps hold their numbers as int32.
func (rt *Runtime) NewSet(size int, name string) *Set {
	return rt.newSet(name, func() (*entity.Set, error) { return rt.core().NewSet(halo.All(size), name) })
}

// newSet declares a set.
func (rt *Runtime) newSet(name string, construct func() (*entity.Set, error)) *Set {
	return (*Set)(entity.Declare(entity.Declaration{On: []*entity.Runtime{rt.core()}, What: "set " + name, Of: "runtime"}, construct,
		func(failed *entity.Runtime) *entity.Set { return entity.InertSet(failed, name) }))
}

// NewSetShare declares a set of which each rank declares a share, so that no process ever has all of
// it: this rank declares size elements, which come after those of lower ranks. Maps from the set,
// and dats on it, are then given values for this share, and maps that lead to it have the numbers of
// elements in the whole mesh, as int64 if need be. It is collective. On one process it is
// [Runtime.NewSet].
func (rt *Runtime) NewSetShare(size int, name string) *Set {
	return rt.newSet(name, func() (*entity.Set, error) { return rt.core().NewSetShare(size, name) })
}

// LocalSet describes what one rank has of a set that another tool has distributed. The elements have
// local numbers: first those that the rank owns, beginning with those from which no map leads to the
// halo; then the layers of the halo, copies of elements that other ranks own.
type LocalSet struct {
	Core, Owned int
	// Executed and ReadOnly are the numbers of elements in each layer of the halo: first those that loops run over as
	// well, because maps lead from them to what the rank owns, or to the layer before; then those that are only read.
	Executed, ReadOnly []int
	// Numbers are the numbers of the elements in the whole mesh, by local number; nil: the elements
	// of the ranks, one rank after the other. On one process no others are possible.
	Numbers []int64
	// Sends and Receives list, by the rank of a neighbor, the owned elements that are sent to it, and the elements of
	// the halo that it sends, by local numbers in one order on both.
	Sends, Receives map[int][]int32
}

// NewLocalSet declares a set that another tool has distributed. Maps from it, and dats on it, are
// given values for all elements of the rank, including its halo, and maps that lead to it have local
// numbers. The lists of neighbors must match, which is checked. It is collective.
func (rt *Runtime) NewLocalSet(l LocalSet, name string) *Set {
	g := &halo.Given{Name: name, Extents: halo.Extents{Core: l.Core, Owned: l.Owned}, Numbers: l.Numbers, Sends: l.Sends, Receives: l.Receives}
	g.Layers = make([]halo.Layer, max(len(l.Executed), len(l.ReadOnly)))
	for i, n := range l.Executed {
		g.Layers[i].Executed = n
	}
	for i, n := range l.ReadOnly {
		g.Layers[i].ReadOnly = n
	}
	return rt.newSet(name, func() (*entity.Set, error) { return rt.core().NewReadySet(g) })
}

// Size returns the number of elements: on several ranks, of the whole mesh.
func (s *Set) Size() int {
	base, layers := orEmpty(s.core()).Base()
	return int(base.Whole()) * layers
}

// Owned returns the number of elements that belong to this rank: all of them on one process, and
// before the mesh has been distributed. Data of dats has values for these.
func (s *Set) Owned() int {
	base, layers := orEmpty(s.core()).Base()
	owned, _ := base.Here()
	return owned * layers
}

// Halo returns the number of elements that this rank has copies of, besides its own: those of other
// ranks that its loops read, or run over.
func (s *Set) Halo() int {
	base, layers := orEmpty(s.core()).Base()
	owned, total := base.Here()
	return (total - owned) * layers
}

// Err returns why the set could not be declared; nil if it was.
func (s *Set) Err() error { return s.core().Runtime().Made("set", "NewSet") }

// Name returns the name the set was declared with.
func (s *Set) Name() string { return orEmpty(s.core()).Name() }

// DeclaredNumbers returns the numbers that the elements had when the set was declared, in the order of
// [Dat.Data]: all of them in ascending order, unless the mesh has been distributed. The caller owns the
// slice. Numbers above 2,147,483,647, of sets in shares, do not fit: [Index] has them.
func (s *Set) DeclaredNumbers() []int32 {
	if s.Size() == 0 {
		return []int32{}
	}
	if s.core().Extruded() {
		return s.core().DeclaredCells()
	}
	return s.core().DeclaredNumbers()
}

// IterationSet is what a loop can run over: a *Set, a *Subset of one, or some layers of an extruded set, as [OnBottom] returns.
type IterationSet interface {
	Name() string
	Size() int
	iteration() entity.Range
}

func (s *Set) iteration() entity.Range { return s.core().All() }

// elements returns what arithmetic is for: elements of the extruded set itself, where that is what a loop would run over.
func elements(over IterationSet) entity.Range {
	r := iteration(over)
	if r.Layers.Of != nil {
		r.Set = r.Layers.Of
	}
	return r
}

// iteration returns what a loop runs over; empty for nil.
func iteration(over IterationSet) entity.Range {
	if over == nil {
		return entity.Range{}
	}
	return over.iteration()
}
