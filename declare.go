package op2

import (
	"errors"
	"reflect"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/solve"
)

// Declarations declares a mesh and its data without a check after each step: the first error is
// kept, and later declarations do nothing. Call Err once, at the end.
//
//	d := op2.Declare(rt)
//	nodes, edges := d.Set(mesh.Nodes, "nodes"), d.Set(mesh.Edges, "edges")
//	edge2node := op2.DeclareMap(d, edges, nodes, 2, mesh.EdgeNodes, "edge2node")
//	x := op2.DeclareDat(d, nodes, 2, mesh.XY, "x")
//	if err := d.Err(); err != nil {
//		return err
//	}
//
// Each method and each Declare function is the constructor of the same name: Set is
// [Runtime.NewSet], [DeclareDat] is [NewDat]. After an error they return values that hold nothing.
// These are safe to use: everything done with them fails, and reports the error that went
// unchecked.
type Declarations struct {
	rt    *Runtime
	err   error
	inert core.Runtime // owner of declarations after the error
}

// Declare starts a series of declarations on the runtime.
func Declare(rt *Runtime) *Declarations { return &Declarations{rt: rt} }

// Err returns the first error, as the constructor returned it.
func (d *Declarations) Err() error { return d.made().err }

// made returns d, or for nil declarations that have already failed: nil cannot hold an error.
func (d *Declarations) made() *Declarations {
	if d == nil {
		d = &Declarations{}
		d.Check(errors.New("op2: the declarations are nil, or were not made by Declare"))
	}
	return d
}

// Check keeps err if it is the first error, and reports whether there has been none so far. It is
// for steps between declarations: d.Check(q.Fill(1)).
func (d *Declarations) Check(err error) bool {
	if d == nil {
		return false
	}
	if d.err == nil && err != nil {
		d.err = err
		d.inert.Fail(err)
	}
	return d.err == nil
}

// keep returns the constructor's result, or instead if there has been an error.
func keep[T any](d *Declarations, instead T, construct func() (T, error)) T {
	if d.err == nil {
		if value, err := construct(); d.Check(err) {
			return value
		}
	}
	return instead
}

// Set declares a set of size elements, as [Runtime.NewSet].
func (d *Declarations) Set(size int, name string) *Set {
	d = d.made()
	return keep(d, (*Set)(core.InertSet(&d.inert, name)), func() (*Set, error) { return d.rt.NewSet(size, name) })
}

// SetShare declares a set of which each rank declares a share, as [Runtime.NewSetShare].
func (d *Declarations) SetShare(size int, name string) *Set {
	d = d.made()
	return keep(d, (*Set)(core.InertSet(&d.inert, name)), func() (*Set, error) { return d.rt.NewSetShare(size, name) })
}

// LocalSet declares a set that another tool has distributed, as [Runtime.NewLocalSet].
func (d *Declarations) LocalSet(l LocalSet, name string) *Set {
	d = d.made()
	return keep(d, (*Set)(core.InertSet(&d.inert, name)), func() (*Set, error) { return d.rt.NewLocalSet(l, name) })
}

// DeclareSubset declares some elements of a set or subset, as [NewSubset].
func DeclareSubset[I Integer](d *Declarations, of IterationSet, indices []I, name string) *Subset {
	d = d.made()
	return keep(d, (*Subset)(core.InertSubset(d.inertSet(iteration(of).Set), name)),
		func() (*Subset, error) { return NewSubset(of, indices, name) })
}

// DeclareMap declares a map of the given arity, as [NewMap].
func DeclareMap[I Integer](d *Declarations, from, to *Set, arity int, values []I, name string) *Map {
	d = d.made()
	return keep(d, d.inertMap(from, to, arity, name),
		func() (*Map, error) { return NewMap(from, to, arity, values, name) })
}

// DeclareMaskedMap declares a map that leads nowhere in places, as [NewMaskedMap].
func DeclareMaskedMap[I Integer](d *Declarations, from, to *Set, arity int, values []I, name string) *MaskedMap {
	d = d.made()
	return keep(d, &MaskedMap{d.inertMap(from, to, arity, name)},
		func() (*MaskedMap, error) { return NewMaskedMap(from, to, arity, values, name) })
}

// DeclareDat declares data on a set, as [NewDat]. Nil stands for zeros; then the type must be
// given: DeclareDat[float64](d, cells, 4, nil, "q").
func DeclareDat[T any](d *Declarations, set *Set, dim int, values []T, name string) *Dat[T] {
	d = d.made()
	instead := (*Dat[T])(core.InertDat(d.inertSet(set.core()), dim, reflect.TypeFor[T](), name))
	return keep(d, instead, func() (*Dat[T], error) { return NewDat(set, dim, values, name) })
}

// MixedSet declares a mixed set, as [NewMixedSet].
func (d *Declarations) MixedSet(parts []*Set, name string) *MixedSet {
	d = d.made()
	return keep(d, (*MixedSet)(core.InertMixedSet(&d.inert, name)), func() (*MixedSet, error) { return NewMixedSet(parts, name) })
}

// MixedMap declares a mixed map, as [NewMixedMap].
func (d *Declarations) MixedMap(parts []*Map, name string) *MixedMap {
	d = d.made()
	return keep(d, (*MixedMap)(core.InertMixedMap(&d.inert, name)), func() (*MixedMap, error) { return NewMixedMap(parts, name) })
}

// DeclareMixedDat declares a mixed dat, as [NewMixedDat].
func DeclareMixedDat[T any](d *Declarations, parts []*Dat[T], name string) *MixedDat[T] {
	d = d.made()
	return keep(d, (*MixedDat[T])(core.InertMixedData(&d.inert, reflect.TypeFor[T](), name)), func() (*MixedDat[T], error) { return NewMixedDat(parts, name) })
}

// DeclareGlobal declares values that a whole loop shares, as [NewGlobal].
func DeclareGlobal[T any](d *Declarations, values []T, name string) *Global[T] {
	d = d.made()
	instead := (*Global[T])(core.InertGlobal(&d.inert, len(values), reflect.TypeFor[T](), name))
	return keep(d, instead, func() (*Global[T], error) { return NewGlobal(d.rt, values, name) })
}

// DeclareConst declares a variable that kernels read by name, as [NewConst].
func DeclareConst[V any](d *Declarations, name string, ptr *V) {
	d = d.made()
	if d.err == nil {
		d.Check(NewConst(d.rt, name, ptr))
	}
}

// Sparsity builds the pattern of matrices, as [NewSparsity].
func (d *Declarations) Sparsity(pairs []MapPair, rowDim, colDim int, name string) *Sparsity {
	d = d.made()
	return keep(d, d.inertSparsity(name), func() (*Sparsity, error) { return NewSparsity(pairs, rowDim, colDim, name) })
}

// SquareSparsity builds the most common pattern, as [NewSquareSparsity].
func (d *Declarations) SquareSparsity(m MatMap, dim int, name string) *Sparsity {
	d = d.made()
	return keep(d, d.inertSparsity(name), func() (*Sparsity, error) { return NewSquareSparsity(m, dim, name) })
}

// DeclareMat declares a matrix of zeros, as [NewMat].
func DeclareMat[T Scalar](d *Declarations, s *Sparsity, name string) *Mat[T] {
	d = d.made()
	instead := (*Mat[T])(algebra.InertMatrix(core.InertMat(d.inertSparsity(name).core(), loop.Of[T](), name)))
	return keep(d, instead, func() (*Mat[T], error) { return NewMat[T](s, name) })
}

// MixedSparsity builds the pattern of matrices of blocks, as [NewMixedSparsity].
func (d *Declarations) MixedSparsity(pairs []MixedMapPair, rowDims, colDims []int, name string, absent ...[2]int) *MixedSparsity {
	d = d.made()
	return keep(d, &MixedSparsity{rt: &d.inert, name: name}, func() (*MixedSparsity, error) {
		return NewMixedSparsity(pairs, rowDims, colDims, name, absent...)
	})
}

// SquareMixedSparsity builds the most common pattern, as [NewSquareMixedSparsity].
func (d *Declarations) SquareMixedSparsity(m *MixedMap, dims []int, name string, absent ...[2]int) *MixedSparsity {
	d = d.made()
	return keep(d, &MixedSparsity{rt: &d.inert, name: name}, func() (*MixedSparsity, error) {
		return NewSquareMixedSparsity(m, dims, name, absent...)
	})
}

// DeclareMixedMat declares a matrix of blocks, as [NewMixedMat].
func DeclareMixedMat[T Scalar](d *Declarations, s *MixedSparsity, name string) *MixedMat[T] {
	d = d.made()
	instead := &MixedMat[T]{sparsity: &MixedSparsity{rt: &d.inert, name: name}, name: name}
	return keep(d, instead, func() (*MixedMat[T], error) { return NewMixedMat[T](s, name) })
}

// DeclareDirichlet joins boundary conditions, as [NewDirichlet].
func DeclareDirichlet[T Scalar](d *Declarations, conditions ...*Condition[T]) *Dirichlet[T] {
	d = d.made()
	return keep(d, (*Dirichlet[T])(algebra.InertDirichlet(d.inertSet(nil), "conditions")), func() (*Dirichlet[T], error) { return NewDirichlet(conditions...) })
}

// DeclareMixedDirichlet combines boundary conditions on the parts of mixed dats, as [NewMixedDirichlet].
func DeclareMixedDirichlet[T Scalar](d *Declarations, parts ...*Dirichlet[T]) *MixedDirichlet[T] {
	d = d.made()
	instead := &MixedDirichlet[T]{mixed: algebra.MixedDirichlet{Parts: []*algebra.Dirichlet{algebra.InertDirichlet(d.inertSet(nil), "conditions")}}}
	return keep(d, instead, func() (*MixedDirichlet[T], error) { return NewMixedDirichlet(parts...) })
}

// Operator declares a matrix-free operator, as [NewOperator].
func (d *Declarations) Operator(set *Set, dim int, apply func(y, x *Dat[float64]) error, diagonal *Dat[float64], name string) *FuncOperator {
	d = d.made()
	instead := &FuncOperator{set: d.inertSet(set.core()), dim: dim, name: name, apply: func(y, x *Dat[float64]) error { return core.CheckDeclared("operator "+name, &d.inert) }}
	return keep(d, instead, func() (*FuncOperator, error) { return NewOperator(set, dim, apply, diagonal, name) })
}

// Solver prepares a solver for linear systems, as [NewSolver].
func (d *Declarations) Solver(a Operator, options ...SolverOption) *Solver {
	d = d.made()
	return keep(d, (*Solver)(solve.Inert(&d.inert, "solver")), func() (*Solver, error) { return NewSolver(a, options...) })
}

// MixedSolver prepares a solver for linear systems on mixed dats, as [NewMixedSolver].
func (d *Declarations) MixedSolver(a MixedOperator, options ...SolverOption) *MixedSolver {
	d = d.made()
	return keep(d, &MixedSolver{solve.Inert(&d.inert, "solver")}, func() (*MixedSolver, error) { return NewMixedSolver(a, options...) })
}

// Loop prepares a loop over a set or a subset, as [NewLoop].
func (d *Declarations) Loop(k *Kernel, over IterationSet, args ...Arg) *Loop {
	d = d.made()
	return keep(d, (*Loop)(core.InertLoop(&d.inert)), func() (*Loop, error) { return NewLoop(k, over, args...) })
}

// inertSet returns a placeholder for a set whose dependents could not be declared.
func (d *Declarations) inertSet(of *core.Set) *core.Set {
	name := ""
	if of != nil {
		name = of.Name()
	}
	return core.InertSet(&d.inert, name)
}

func (d *Declarations) inertMap(from, to *Set, arity int, name string) *Map {
	return (*Map)(core.InertMap(d.inertSet(from.core()), d.inertSet(to.core()), arity, name))
}

func (d *Declarations) inertSparsity(name string) *Sparsity {
	return (*Sparsity)(core.InertSparsity(&d.inert, name))
}
