package optest

import (
	"slices"
	"testing"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
)

// NewSet declares a set, or fails the test, as do the functions below.
func NewSet(t testing.TB, rt *op2.Runtime, size int, name string) *op2.Set {
	t.Helper()
	s := rt.NewSet(size, name)
	OK(t, s.Err())
	return s
}

// NewParts declares a set with a halo.
func NewParts(t testing.TB, rt *op2.Runtime, e halo.Extents, name string) *op2.Set {
	t.Helper()
	s, err := (*entity.Runtime)(rt).NewSet(e, name)
	OK(t, err)
	return (*op2.Set)(s)
}

func NewMap(t testing.TB, from, to *op2.Set, arity int, values []int32, name string) *op2.Map {
	t.Helper()
	m := op2.NewMap(from, to, arity, values, name)
	OK(t, m.Err())
	return m
}

func NewDat[T any](t testing.TB, set *op2.Set, dim int, values []T, name string) *op2.Dat[T] {
	t.Helper()
	d := op2.NewDat(set, dim, values, name)
	OK(t, d.Err())
	return d
}

func NewGlobal[T any](t testing.TB, rt *op2.Runtime, name string, values ...T) *op2.Global[T] {
	t.Helper()
	g := op2.NewGlobal(rt, values, name)
	OK(t, g.Err())
	return g
}

// NewConst declares a const, and returns the first error of the runtime.
func NewConst[V any](rt *op2.Runtime, name string, variable *V) error {
	op2.NewConst(rt, name, variable)
	return rt.Err()
}

// NewConsts declares consts by name.
func NewConsts[V any](t testing.TB, rt *op2.Runtime, consts map[string]*V) {
	t.Helper()
	for name, variable := range consts {
		op2.NewConst(rt, name, variable)
	}
	OK(t, rt.Err())
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

// Checked keeps the first error of a program of several steps on a runtime.
type Checked struct {
	rt     *op2.Runtime
	err    error
	shaker *shaker // nil: elements stay where they are
}

// Steps returns a Checked without an error.
func Steps(rt *op2.Runtime) *Checked { return &Checked{rt: rt, shaker: shakerOf(rt)} }

// Check keeps the first error, and reports whether there has been none.
func (c *Checked) Check(err error) bool {
	if c.Err() == nil {
		c.err = err
	}
	if c.Err() == nil {
		c.err = c.shaker.shake(c.rt)
	}
	return c.Err() == nil
}

// Err returns the first error of a step, or of a declaration.
func (c *Checked) Err() error {
	if c.err != nil {
		return c.err
	}
	return c.rt.Err()
}
