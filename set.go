package op2

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/problem"
)

// Set is a collection of mesh elements of one kind: nodes, edges, cells.
type Set struct {
	rt      *Runtime
	name    string
	extents core.Extents
	at      string // where it was declared: "main.go:31"
	identity

	unrolled map[int]*Set // by dim, created on demand: one element for each value

	order []int32 // declared numbers by current ones; nil if they are the same
}

// NewSet declares a set of size elements; it may be empty. Sets have at most
// 2,147,483,647 elements, since maps hold their numbers as int32.
func (rt *Runtime) NewSet(size int, name string) (*Set, error) {
	if err := rt.declare("set", name); err != nil {
		return nil, err
	}
	defer rt.leave()
	return rt.newSet(core.All(size), name)
}

// newSet creates a set of the given extents, for callers within the runtime.
func (rt *Runtime) newSet(e core.Extents, name string) (*Set, error) {
	if size := e.Total(); size < 0 || size > math.MaxInt32 {
		return nil, &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("a size from 0 to %d is needed, %d was given", math.MaxInt32, size)}
	}
	if err := e.Check(); err != nil {
		return nil, &problem.ShapeError{What: "set " + name, Msg: err.Error()}
	}
	s := &Set{rt: rt, name: name, extents: e, at: callSite()}
	rt.mesh.addSet(s)
	return s, nil
}

// Size returns the number of elements.
func (s *Set) Size() int { return orEmpty(s).extents.Owned }

// total returns the number of elements that maps lead to and that data has values for.
func (s *Set) total() int { return s.extents.Total() }

// Name returns the name the set was declared with.
func (s *Set) Name() string { return orEmpty(s).name }

func (s *Set) String() string { return orEmpty(s).name }
