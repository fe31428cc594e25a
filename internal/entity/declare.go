package entity

import (
	"fmt"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/sparse"
)

// A Declaration describes what a constructor of package op2 makes.
type Declaration struct {
	On       []*Runtime // those of what it is made from; nil for what is not there
	What, Of string     // "map edge2node", "set": that is needed; "" if construct reports what is not there, without a runtime
	Together bool       // it is collective, and fails on all ranks if it does on any

	Enter func(*Runtime) error // how it enters the runtime; nil: by Enter
}

// Declare returns what construct makes within the runtime. If that fails, it returns a placeholder instead, of a
// runtime that has failed: whatever enters that returns the error, with the place of the declaration.
// A placeholder is also what is made from another one.
func Declare[T any](d Declaration, construct func() (T, error), instead func(failed *Runtime) T) T {
	made, rt, err := declareOn(d, construct)
	if err == nil {
		return made
	}
	failed := rt.Fail(err)
	for _, rt := range d.On {
		rt.keep(failed.failed)
	}
	return instead(failed)
}

func declareOn[T any](d Declaration, construct func() (T, error)) (made T, rt *Runtime, err error) {
	if rt, err = d.runtime(); err == nil && rt == nil {
		made, err = construct()
	}
	if err != nil {
		return made, rt, rt.Report(declaredHere(err))
	}
	enter, leave := d.Enter, rt.LeaveWith
	if enter == nil {
		enter = (*Runtime).Enter
	}
	if d.Together {
		leave = rt.LeaveTogether
	}
	if err = enter(rt); err != nil {
		return made, rt, err
	}
	defer leave(&err)
	rt.DropUnreachable()
	made, err = construct()
	return made, rt, declaredHere(err)
}

// runtime returns the runtime to declare on: one that has failed, if there is one.
func (d *Declaration) runtime() (live *Runtime, err error) {
	for _, rt := range d.On {
		switch {
		case rt.Failed() != nil:
			return rt, rt.failed
		case rt == nil || !rt.Opened():
			if d.Of != "" {
				err = fmt.Errorf("op2: %s: there is no %s", d.What, d.Of)
			}
		case live == nil:
			live = rt
		}
	}
	return live, err
}

// Fail keeps the error if it is the runtime's first one of a declaration. It returns a runtime whose placeholders
// report the error; rt itself if it is one.
func (rt *Runtime) Fail(err error) *Runtime {
	if rt.Failed() != nil {
		return rt
	}
	err = declaredHere(err)
	rt.keep(err)
	return &Runtime{closed: true, failed: err}
}

// declarationError is an error in an atomic.Value, whose values have all one type.
type declarationError struct{ error }

// keep keeps the first error of a declaration, if there is a runtime.
func (rt *Runtime) keep(err error) {
	if rt != nil && rt.lackedBy != nil {
		rt = rt.lackedBy
	}
	if rt != nil {
		rt.undeclared.CompareAndSwap(nil, declarationError{err})
	}
}

// Lack returns a runtime whose placeholders report an error, which rt keeps once something is declared with them.
func (rt *Runtime) Lack(err error) *Runtime {
	if rt.Failed() != nil {
		return rt
	}
	return &Runtime{closed: true, failed: declaredHere(err), lackedBy: rt}
}

// Err returns the first error of a declaration. It may be called at any time.
func (rt *Runtime) Err() error {
	switch {
	case rt == nil || !rt.Opened() && rt.failed == nil:
		return Called(problem.ErrNoRuntime)
	case rt.failed != nil:
		return rt.failed
	}
	first, _ := rt.undeclared.Load().(declarationError)
	return first.error
}

// Made returns why something that belongs to the runtime cannot be used: no constructor made it, or that failed.
func (rt *Runtime) Made(what, constructor string) error {
	if rt == nil {
		return NotMade(what, constructor)
	}
	return Called(rt.failed) // a declaration says itself where it is
}

// InertSet returns a placeholder for a set.
func InertSet(rt *Runtime, name string) *Set { return &Set{rt: rt, name: name} }

// InertSubset returns a placeholder for a subset.
func InertSubset(rt *Runtime, name string) *Subset { return &Subset{of: InertSet(rt, ""), name: name} }

// InertMap returns a placeholder for a map.
func InertMap(rt *Runtime, arity int, name string) *Map {
	return &Map{from: InertSet(rt, ""), to: InertSet(rt, ""), arity: arity, name: name}
}

// InertDat returns a placeholder for a dat.
func InertDat(rt *Runtime, dim int, of loop.Type, name string) *Data {
	d := &Data{kind: loop.Dat, rt: rt, set: InertSet(rt, ""), name: name}
	_ = d.hold(dim, of) // what cannot be is never used
	return d
}

// InertMixedMap returns a placeholder for a mixed map.
func InertMixedMap(rt *Runtime, name string) *MixedMap {
	return &MixedMap{from: InertSet(rt, ""), parts: []*Map{InertMap(rt, 1, name)}, name: name}
}

// InertMixedData returns a placeholder for a mixed dat.
func InertMixedData(rt *Runtime, of loop.Type, name string) *MixedData {
	return &MixedData{rt: rt, parts: []*Data{InertDat(rt, 1, of, name)}, name: name}
}

// InertGlobal returns a placeholder for a global.
func InertGlobal(rt *Runtime, dim int, of loop.Type, name string) *Data {
	d := &Data{kind: loop.Global, rt: rt, name: name}
	_ = d.hold(dim, of)
	return d
}

// InertSparsity returns a placeholder for a sparsity.
func InertSparsity(rt *Runtime, name string) *Sparsity {
	return &Sparsity{rt: rt, name: name, rows: InertSet(rt, ""), cols: InertSet(rt, ""), blocks: sparse.Blocks{Rows: 1, Cols: 1}, pattern: noPattern()}
}

// InertMat returns a placeholder for a mat.
func InertMat(rt *Runtime, scalar loop.Scalar, name string) *Data {
	s := InertSparsity(rt, "")
	return &Data{kind: loop.Mat, rt: rt, set: s.rows, dim: 1, scalar: scalar, name: name, sparsity: s}
}
