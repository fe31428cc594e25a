package optest

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/core"
)

// NewSet declares a set, or fails the test, as do the functions below.
func NewSet(t testing.TB, rt *op2.Runtime, size int, name string) *op2.Set {
	t.Helper()
	s, err := rt.NewSet(size, name)
	OK(t, err)
	return s
}

// NewParts declares a set with a halo.
func NewParts(t testing.TB, rt *op2.Runtime, e core.Extents, name string) *op2.Set {
	t.Helper()
	s, err := (*core.Runtime)(rt).NewSet(e, name)
	OK(t, err)
	return (*op2.Set)(s)
}

func NewMap(t testing.TB, from, to *op2.Set, arity int, values []int32, name string) *op2.Map {
	t.Helper()
	m, err := op2.NewMap(from, to, arity, values, name)
	OK(t, err)
	return m
}

func NewDat[T any](t testing.TB, set *op2.Set, dim int, values []T, name string) *op2.Dat[T] {
	t.Helper()
	d, err := op2.NewDat(set, dim, values, name)
	OK(t, err)
	return d
}

func NewGlobal[T any](t testing.TB, rt *op2.Runtime, name string, values ...T) *op2.Global[T] {
	t.Helper()
	g, err := op2.NewGlobal(rt, values, name)
	OK(t, err)
	return g
}

// NewConsts declares consts by name.
func NewConsts[V any](t testing.TB, rt *op2.Runtime, consts map[string]*V) {
	t.Helper()
	for name, variable := range consts {
		OK(t, op2.NewConst(rt, name, variable))
	}
}

// Set sets one value of a dat, wherever the element is on several ranks.
func Set[T any](t testing.TB, d *op2.Dat[T], at int, v T) {
	t.Helper()
	values, err := d.Data()
	OK(t, err)
	if runtimeOf(d.Set()).Ranks() > 1 {
		local := slices.Index(d.Set().DeclaredNumbers(), int32(at/d.Dim()))
		if local < 0 {
			return
		}
		at = local*d.Dim() + at%d.Dim()
	}
	values[at] = v
}

// Run runs a loop.
func Run(t testing.TB, k *op2.Kernel, over op2.IterationSet, args ...op2.Arg) {
	t.Helper()
	OK(t, op2.ParLoop(k, over, args...))
}
