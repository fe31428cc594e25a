package entity

import (
	"fmt"
	"math"

	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/problem"
)

// NewSet returns a set of the given extents.
func (rt *Runtime) NewSet(e halo.Extents, name string) (*Set, error) {
	if size := e.Total(); size < 0 || size > math.MaxInt32 {
		return nil, &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("a size from 0 to %d is needed, %d was given", math.MaxInt32, size)}
	}
	if err := e.Check(); err != nil {
		return nil, &problem.ShapeError{What: "set " + name, Msg: err.Error()}
	}
	d := alone(e)
	if rt.Several() {
		if err := rt.checkOpen(name); err != nil {
			return nil, err
		}
		d = whole(e)
	}
	s := rt.newSet(true, e, d, name)
	addWeakly(&rt.program.sets, s)
	return s, nil
}

// newSet returns a set that joins the mesh, or has its order and its ranks already.
func (rt *Runtime) newSet(joins bool, e halo.Extents, d distribution, name string) *Set {
	s := &Set{rt: rt, joins: joins, name: name, extents: e, distribution: d}
	s.site.Capture()
	s.mesh().addSet(s)
	addWeakly(&rt.listed.sets, s)
	return s
}

// NewSetShare returns a set of which this rank declares size elements: those after the shares of
// the lower ranks. It is collective.
func (rt *Runtime) NewSetShare(size int, name string) (*Set, error) {
	if !rt.Several() {
		return rt.NewSet(halo.All(size), name)
	}
	own := rt.checkOpen(name)
	if own == nil && (size < 0 || size > math.MaxInt32) {
		own = &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("a share from 0 to %d elements is needed, %d was given", math.MaxInt32, size)}
	}
	if err := rt.Agree(own); err != nil {
		return nil, err
	}
	shares, err := halo.Offsets(rt.Comm(), int64(size))
	if err != nil {
		return nil, rt.Broken(err)
	}
	s := rt.newSet(true, halo.All(size), inShares(rt.Comm(), shares), name)
	addWeakly(&rt.program.sets, s)
	return s, nil
}

// checkOpen returns an error if the mesh has been distributed already.
func (rt *Runtime) checkOpen(name string) error {
	if !rt.mesh.Sealed {
		return nil
	}
	return fmt.Errorf("op2: set %s: %s\n  hint: declare all sets before Partition and the first loop, sparsity and solver", name, rt.mesh.Distributed())
}

// NewSetHere returns a set of n elements of this rank alone. Loops over it neither update halos nor
// combine their reductions with those of other ranks.
func (rt *Runtime) NewSetHere(n int, name string) (*Set, error) {
	if n > math.MaxInt32 {
		return nil, &problem.ShapeError{What: "set " + name, Msg: fmt.Sprintf("a size up to %d is needed, %d was given", math.MaxInt32, n)}
	}
	return rt.newSet(false, halo.All(n), alone(halo.All(n)), name), nil
}

// NewReadySet returns a set that another tool has distributed: its elements, and maps and data on it,
// have local numbers. It is collective.
func (rt *Runtime) NewReadySet(g *halo.Given) (*Set, error) {
	if !rt.Several() {
		if n := g.Total(); n != g.Owned || len(g.Sends)+len(g.Receives) > 0 {
			return nil, &problem.ShapeError{What: "set " + g.Name, Msg: fmt.Sprintf("it has a halo of %d elements and messages with %d ranks, but the program runs on one process", n-g.Owned, len(g.Sends)+len(g.Receives))}
		}
		for i, n := range g.Numbers {
			if n != int64(i) || len(g.Numbers) != g.Owned {
				return nil, &problem.ShapeError{What: "set " + g.Name, Msg: fmt.Sprintf("its %d elements have %d numbers, and element %d has the number %d", g.Owned, len(g.Numbers), i, n),
					Hint: "on one process, elements are numbered 0, 1, 2 and so on: leave Numbers out, or declare the set in that order"}
			}
		}
		return rt.NewSet(g.Extents, g.Name)
	}
	local, err := halo.Adopt(rt.Comm(), g)
	if err != nil {
		return nil, rt.Report(err)
	}
	s := rt.newSet(false, g.Extents, adopted(local), g.Name)
	s.Localize(local)
	return s, nil
}
