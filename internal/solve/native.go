package solve

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/algebra"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/krylov"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/precondition"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/userkernel"
)

// native solves with the methods of package krylov, and is their Space: each operation is one
// loop over all values of each part of the vectors, which runs wherever the runtime's loops do.
//
// Field splits have an engine for each split, of the same solver.
type native struct {
	solver  *Solver
	space   space
	config  *Config
	system  system
	method  krylov.Method
	vectors []vector // by krylov.Vector; the first two are x and b
	adopted map[*entity.Data]krylov.Vector
	loops   map[operation][]*run.Loop // for each part
	values  []*entity.Set             // of each part: one element for each value of a vector
	axpy    *userkernel.Kernel

	one    scalars // a parameter
	two    scalars
	four   scalars
	sum    scalars // a result
	sums   scalars
	dots   []scalars // a result for each few directions
	inner  preconditioner
	copies []krylov.Vector // of dats of the program, for field splits
	null   *nullSpace      // nil if the operator is regular
	err    error           // of the first operation of a solve that failed
}

// system is the operator of an engine, with the matrix or the diagonal for its preconditioner.
type system struct {
	name     string
	of       string // the matrix that it is some blocks of
	parts    []int  // of that; nil: all
	apply    func(y, x []Vector) error
	product  *Blocks      // if that is its product; else nil
	measure  func() error // updates diagonal
	diagonal []Vector     // nil if unknown
	matrix   *Blocks      // nil if the operator is only applied
	scalar   *scalarMatrix
}

// vector is a dat of each part's shape, and views of their values on the sets of values: the
// kernels work on single values, whatever the dim.
type vector struct{ dats, flat []Vector }

// scalars is a parameter or a result of an operation.
type scalars = *entity.Data

// none stands for no parameter and no result.
var none scalars

const (
	vectorX krylov.Vector = 0
	vectorB krylov.Vector = 1
)

// operation identifies a kernel on certain vectors; -1 stands for no vector.
type operation struct {
	kernel  *userkernel.Kernel
	vectors [6]krylov.Vector
}

// bind makes d the dats of a vector. Loops over the previous ones are dropped.
func (e *native) bind(v krylov.Vector, d []Vector) {
	if slices.Equal(e.dats(v), d) {
		return
	}
	e.vectors[v] = e.vector(d)
	for op := range e.loops {
		for _, used := range op.vectors {
			if used == v {
				delete(e.loops, op)
			}
		}
	}
}

// adopt returns the vector with these dats, for as long as the engine lives.
func (e *native) adopt(d []Vector) krylov.Vector {
	v, ok := e.adopted[d[0].Data]
	if !ok {
		v = krylov.Vector(len(e.vectors))
		e.vectors = append(e.vectors, e.vector(d))
		e.adopted[d[0].Data] = v
	}
	return v
}

// dats returns the dats of a vector.
func (e *native) dats(v krylov.Vector) []Vector { return e.vectors[v].dats }

// vector returns dats as a vector. The kernels see their values in the host's order.
func (e *native) vector(d []Vector) vector {
	v := vector{slices.Clone(d), slices.Clone(d)}
	for i := range d {
		d[i].InOrder()
		if e.values[i] != d[i].Set() {
			v.flat[i] = d[i].View(e.values[i], 1)
		}
	}
	return v
}

// Err returns the error of the first operation of the solve that failed.
func (e *native) Err() error { return e.err }

// try runs an operation, unless another one has failed before.
func (e *native) try(operation func() error) {
	if e.err == nil {
		e.err = operation()
	}
}

func (e *native) New() (v krylov.Vector) {
	v = -1
	e.try(func() error {
		d, err := e.space.newVector(fmt.Sprintf("solver%d", len(e.vectors)))
		if err == nil {
			v = krylov.Vector(len(e.vectors))
			e.vectors = append(e.vectors, e.vector(d))
		}
		return err
	})
	return v
}

// use is one vector of an operation, and how the kernel uses it.
type use struct {
	vector krylov.Vector
	access loop.Access
}

func read(v krylov.Vector) use   { return use{v, loop.Read} }
func write(v krylov.Vector) use  { return use{v, loop.Write} }
func change(v krylov.Vector) use { return use{v, loop.RW} }

// call runs a kernel over vectors, followed by the globals: a parameter, and a result, either of
// which may be none. It uses a vector always in the same way. It returns Err.
func (e *native) call(k *userkernel.Kernel, parameter, result scalars, uses ...use) error {
	op := operation{kernel: k, vectors: [6]krylov.Vector{-1, -1, -1, -1, -1, -1}}
	for i, u := range uses {
		op.vectors[i] = u.vector
	}
	e.try(func() error {
		loops, err := e.loops[op], error(nil)
		if loops == nil {
			if loops, err = e.prepare(k, parameter, result, uses); err != nil {
				return err
			}
			e.loops[op] = loops
		}
		if result != none {
			if err := result.Zero(); err != nil {
				return err
			}
		}
		for _, l := range loops {
			if err := l.Run(); err != nil {
				return err
			}
		}
		return nil
	})
	return e.err
}

// prepare returns the loops of an operation, one over each part.
func (e *native) prepare(k *userkernel.Kernel, parameter, result scalars, uses []use) ([]*run.Loop, error) {
	var loops []*run.Loop
	for part, values := range e.values {
		var args []entity.Arg
		for _, u := range uses {
			args = append(args, entity.Pass(loop.Dat, u.access, e.vectors[u.vector].flat[part].Data, entity.Via{}))
		}
		if parameter != none {
			args = append(args, parameter.Read())
		}
		if result != none {
			args = append(args, result.Inc())
		}
		l, err := run.NewLoop(k, values.All(), args...)
		if err != nil {
			return nil, err
		}
		loops = append(loops, l)
	}
	return loops, nil
}

// with runs a kernel as call does, after it has set the parameter.
func (e *native) with(parameter scalars, values []float64, k *userkernel.Kernel, result scalars, uses ...use) {
	if e.err == nil {
		algebra.Assign(parameter, values...)
		e.call(k, parameter, result, uses...)
	}
}

// read returns the values of a result; zeros after a failure.
func (e *native) read(result scalars) [few]float64 {
	var values [few]float64
	e.try(func() error {
		found, err := entity.Reading[float64](result)
		copy(values[:], found)
		return err
	})
	return values
}

func (e *native) Zero(x krylov.Vector) { e.call(kernels.zero, none, none, write(x)) }

func (e *native) Apply(y, x krylov.Vector) {
	e.try(func() error { return e.system.apply(e.dats(y), e.dats(x)) })
}

func (e *native) ApplyDot(y, x krylov.Vector) (xy float64) {
	done := false
	if e.system.product != nil {
		e.try(func() (err error) {
			xy, done, err = e.system.product.MulDot(e.dats(y), e.dats(x))
			return err
		})
	}
	if done {
		return xy
	}
	e.Apply(y, x)
	if e.solver.rt.Config().Backend.SameBits {
		xy, _ := e.Dots(x, y)
		return xy
	}
	// Ranks with other backends are in MulDot, and combine one number.
	e.call(kernels.dot, none, e.sum, read(x), read(y))
	here := e.read(e.sum)[0]
	e.try(func() error {
		sum, err := entity.Combine(e.solver.rt, loop.Inc, here)
		if err == nil {
			xy = sum[0]
		}
		return err
	})
	return xy
}

func (e *native) Scale(y, x krylov.Vector, a float64) {
	e.with(e.one, []float64{a}, kernels.scale, none, write(y), read(x))
}

func (e *native) Add(z, x, y krylov.Vector, a float64) {
	e.with(e.one, []float64{a}, kernels.add, none, write(z), read(x), read(y))
}

func (e *native) Dots(x, y krylov.Vector) (xy, xx float64) {
	e.call(kernels.dots, none, e.sums, read(x), read(y))
	return e.bothSums()
}

// bothSums returns the two sums of a loop.
func (e *native) bothSums() (float64, float64) {
	sums := e.read(e.sums)
	return sums[0], sums[1]
}

func (e *native) UpdateDirection(p, r, v krylov.Vector, beta, omega float64) {
	e.with(e.two, []float64{beta, omega}, kernels.direct, none, change(p), read(r), read(v))
}

func (e *native) Stabilize(x, r, p, s, t, q krylov.Vector, alpha, omega float64) (rq, rr float64) {
	e.with(e.two, []float64{alpha, omega}, kernels.stabilize, e.sums, change(x), write(r), read(p), read(s), read(t), read(q))
	return e.bothSums()
}

// few is the number of directions that one loop handles.
const few = 4

// Project runs all loops before it reads a result, so that ranks combine them at the same time.
func (e *native) Project(w krylov.Vector, vs []krylov.Vector, dots []float64) {
	for first := 0; first < len(vs); first += few {
		if first/few == len(e.dots) {
			e.try(func() error {
				result, err := entity.NewGlobal(e.solver.rt, make([]float64, few), "solver")
				if err == nil {
					e.dots = append(e.dots, result)
				}
				return err
			})
		}
		if e.err == nil {
			v := fewOf(vs[first:])
			e.call(kernels.project, none, e.dots[first/few], read(w), read(v[0]), read(v[1]), read(v[2]), read(v[3]))
		}
	}
	for first := 0; first < len(vs) && e.err == nil; first += few {
		found := e.read(e.dots[first/few])
		copy(dots[first:], found[:])
	}
}

func (e *native) Combine(w krylov.Vector, vs []krylov.Vector, a []float64) (ww float64) {
	for first := 0; first < len(vs); first += few {
		v := fewOf(vs[first:])
		var weights [few]float64
		copy(weights[:], a[first:])
		e.with(e.four, weights[:], kernels.combine, e.sum, change(w), read(v[0]), read(v[1]), read(v[2]), read(v[3]))
	}
	return e.read(e.sum)[0]
}

// fewOf returns the first few vectors, padded with the first one.
func fewOf(vs []krylov.Vector) [few]krylov.Vector {
	var v [few]krylov.Vector
	for i := range v {
		v[i] = vs[0]
	}
	copy(v[:], vs)
	return v
}

// preconditioner is a preconditioner of the native engine.
type preconditioner interface {
	// update rebuilds it for the current operator, or keeps it.
	update(keep bool) error
	// apply computes z = M⁻¹ r.
	apply(z, r krylov.Vector) error
}

// scalarMatrix is a matrix for preconditioners that work value by value on the host: the rows of all
// parts, one part's after another's.
type scalarMatrix struct {
	matrix *precondition.Matrix
	refill func() error // updates the values
}

// nullSpace keeps the iterates of native methods orthogonal to the operator's null space.
type nullSpace struct {
	vectors []krylov.Vector // orthonormal
	clean   krylov.Vector   // a right-hand side without null space components
}
