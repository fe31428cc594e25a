package core

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/profile"
	"github.com/go-op2/op2/internal/sparse"
)

// What could not be declared is replaced by placeholders, on a runtime that has failed. They are
// safe to use: whatever is done with them returns the error that went unchecked.

// Fail makes rt, which was not opened, one whose placeholders report the error.
func (rt *Runtime) Fail(err error) { rt.closed, rt.failed = true, err }

// Failed returns why what belongs to the runtime could not be declared; nil for one that was opened.
func (rt *Runtime) Failed() error {
	if rt == nil {
		return nil
	}
	return rt.failed
}

// InertSet returns a placeholder for a set.
func InertSet(rt *Runtime, name string) *Set { return &Set{rt: rt, name: name} }

// InertSubset returns a placeholder for a subset.
func InertSubset(of *Set, name string) *Subset { return &Subset{of: of, name: name} }

// InertMap returns a placeholder for a map.
func InertMap(from, to *Set, arity int, name string) *Map {
	return &Map{from: from, to: to, arity: arity, name: name}
}

// InertDat returns a placeholder for a dat.
func InertDat(set *Set, dim int, of reflect.Type, name string) *Data {
	d := &Data{kind: loop.Dat, rt: set.rt, set: set, name: name}
	_ = d.hold(dim, of) // what cannot be is never used
	return d
}

// InertMixedSet returns a placeholder for a mixed set.
func InertMixedSet(rt *Runtime, name string) *MixedSet {
	return &MixedSet{rt: rt, parts: []*Set{InertSet(rt, name)}, name: name}
}

// InertMixedMap returns a placeholder for a mixed map.
func InertMixedMap(rt *Runtime, name string) *MixedMap {
	from := InertSet(rt, "")
	return &MixedMap{from: from, parts: []*Map{InertMap(from, from, 1, name)}, name: name}
}

// InertMixedData returns a placeholder for a mixed dat.
func InertMixedData(rt *Runtime, of reflect.Type, name string) *MixedData {
	return &MixedData{rt: rt, parts: []*Data{InertDat(InertSet(rt, ""), 1, of, name)}, name: name}
}

// InertGlobal returns a placeholder for a global.
func InertGlobal(rt *Runtime, dim int, of reflect.Type, name string) *Data {
	d := &Data{kind: loop.Global, rt: rt, name: name}
	_ = d.hold(dim, of)
	return d
}

// InertSparsity returns a placeholder for a sparsity.
func InertSparsity(rt *Runtime, name string) *Sparsity {
	return &Sparsity{rt: rt, name: name, rows: InertSet(rt, ""), cols: InertSet(rt, ""), blocks: sparse.Blocks{Rows: 1, Cols: 1}, pattern: noPattern()}
}

// InertMat returns a placeholder for a mat.
func InertMat(s *Sparsity, scalar loop.Scalar, name string) *Data {
	return &Data{kind: loop.Mat, rt: s.rt, set: s.rows, dim: 1, scalar: scalar, name: name, sparsity: s}
}

// InertLoop returns a placeholder for a loop.
func InertLoop(rt *Runtime) *Loop { return &Loop{rt: rt, meter: &meter{total: &profile.Stats{}}} }

// CheckDeclared returns an error if one of the runtimes belongs to failed declarations. It says
// what was attempted, and includes the error that stopped them.
func CheckDeclared(what string, runtimes ...*Runtime) error {
	for _, rt := range runtimes {
		if rt != nil && rt.failed != nil {
			return &inertError{what, rt.failed}
		}
	}
	return nil
}

// inertError reports the use of something that an earlier error prevented from being declared.
type inertError struct {
	what  string // "loop flux over edges"; or ""
	first error
}

func (e *inertError) Error() string {
	msg := "not declared, because of an earlier error: " + strings.TrimPrefix(e.first.Error(), "op2: ")
	if e.what == "" {
		return "op2: " + msg
	}
	return fmt.Sprintf("op2: %s: %s", e.what, msg)
}

func (e *inertError) Unwrap() error { return e.first }
