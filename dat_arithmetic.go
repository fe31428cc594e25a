package op2

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/given"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// AXPY adds a times x to the dat. Like all of the dat's arithmetic it is a loop, which runs where
// the runtime's loops do. x must be on the same set, with the same dim, and not d itself.
func (d *Dat[T]) AXPY(a T, x *Dat[T]) error { return d.combine("AXPY", "axpy", x, a) }

// MAXPY adds a linear combination of dats: a[i] times x[i], in order.
func (d *Dat[T]) MAXPY(a []T, x ...*Dat[T]) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().Leave()
	if len(a) != len(x) {
		return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("MAXPY takes a factor for each dat; %s %s given for %d", problem.Count(len(a), "factor"), problem.Were(len(a)), len(x))}
	}
	for _, other := range x {
		if err := d.apart("MAXPY", other); err != nil {
			return err
		}
	}
	for ; len(x) >= few; a, x = a[few:], x[few:] {
		if err := d.run("maxpy", a[:few], x[0].data().Read(), x[1].data().Read(), x[2].data().Read(), x[3].data().Read()); err != nil {
			return err
		}
	}
	for i := range x {
		if err := d.run("axpy", a[i:i+1], x[i].data().Read()); err != nil {
			return err
		}
	}
	return nil
}

// Add adds x to the dat, value by value.
func (d *Dat[T]) Add(x *Dat[T]) error { return d.combine("Add", "add", x) }

// Sub subtracts x from the dat, value by value.
func (d *Dat[T]) Sub(x *Dat[T]) error { return d.combine("Sub", "sub", x) }

// Mul multiplies the dat by x, value by value.
func (d *Dat[T]) Mul(x *Dat[T]) error { return d.combine("Mul", "mul", x) }

// Div divides the dat by x, value by value. It supports floating-point types only.
func (d *Dat[T]) Div(x *Dat[T]) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().Leave()
	if d.scalar() != loop.Float64 && d.scalar() != loop.Float32 {
		return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("Div is for floating-point numbers, the values are %s", d.scalar())}
	}
	if err := d.apart("Div", x); err != nil {
		return err
	}
	return d.run("div", nil, x.data().Read())
}

// Scale multiplies all values by a.
func (d *Dat[T]) Scale(a T) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().Leave()
	return d.run("scale", []T{a})
}

// CopyOver copies the values of another dat of the same set and dim for the elements of a
// subset.
func (d *Dat[T]) CopyOver(over IterationSet, from *Dat[T]) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().Leave()
	if err := d.apart("CopyOver", from); err != nil {
		return err
	}
	elements := iteration(over)
	set := elements.Set
	switch {
	case set == nil:
		return fmt.Errorf("op2: %s: CopyOver: the set is nil", d.describe())
	case set != d.set():
		return &problem.ShapeError{What: d.describe(), Msg: fmt.Sprintf("CopyOver takes elements of %s, those of %s are of %s", d.set().Name(), over.Name(), set.Name())}
	}
	a, err := arithmeticOf[T](d.rt())
	if err != nil {
		return err
	}
	return d.rt().ParLoop(a.kernel("copy", d.dim()), elements, d.data().Write(), from.data().Read())
}

// combine changes the dat by another one, and a parameter, if any.
func (d *Dat[T]) combine(operation, kernel string, x *Dat[T], parameter ...T) error {
	if err := d.begin(); err != nil {
		return err
	}
	defer d.rt().Leave()
	if err := d.apart(operation, x); err != nil {
		return err
	}
	return d.run(kernel, parameter, x.data().Read())
}

// apart checks that other is a different dat that can be combined with d value by value.
func (d *Dat[T]) apart(operation string, other *Dat[T]) error {
	if err := d.alike(operation, other); err != nil {
		return err
	}
	if other == d {
		return fmt.Errorf("op2: %s: %s: the other dat is %s itself\n  hint: Duplicate gives a second one", d.describe(), operation, d.name())
	}
	return nil
}

// run runs a kernel that changes the dat using others and parameters.
func (d *Dat[T]) run(kernel string, parameters []T, others ...core.Arg) error {
	a, err := arithmeticOf[T](d.rt())
	if err != nil {
		return err
	}
	args := append([]core.Arg{d.data().RW()}, others...)
	if len(parameters) > 0 {
		g := a.parameters[len(parameters)]
		g.assign(parameters...)
		args = append(args, g.data().Read())
	}
	return d.rt().ParLoop(a.kernel(kernel, d.dim()), d.set().All(), args...)
}

// innerThere is Inner on the device.
func (d *Dat[T]) innerThere(other *Dat[T]) (float64, error) {
	a, err := arithmeticOf[T](d.rt())
	if err != nil {
		return 0, err
	}
	if err := a.sum.clear(); err != nil {
		return 0, err
	}
	if err := d.rt().ParLoop(a.kernel("inner", d.dim()), d.set().All(), d.data().Read(), other.data().Read(), a.sum.data().Inc()); err != nil {
		return 0, err
	}
	return a.sum.value()
}

// arithmetic holds the kernels and parameters for loops over the values of dats of one type. Each
// kernel exists in C and in Go; the Go version is for the backend that compiles nothing.
type arithmetic[T Scalar] struct {
	parameters map[int]*Global[T] // by number of values
	sum        *Global[float64]
	kernels    map[elementwise]*given.Kernel
	source     string
}

// elementwise identifies a kernel for elements with that many values.
type elementwise struct {
	name string
	dim  int
}

// arithmeticKey is what the arithmetic of a type is kept under.
type arithmeticKey loop.Scalar

// arithmeticOf returns that of the runtime, created on first use.
func arithmeticOf[T Scalar](rt *core.Runtime) (*arithmetic[T], error) {
	scalar := scalarOf[T]()
	return core.Keep(rt, arithmeticKey(scalar), func() (*arithmetic[T], error) {
		a := &arithmetic[T]{parameters: map[int]*Global[T]{}, kernels: map[elementwise]*given.Kernel{}, source: strings.ReplaceAll(elementwiseKernels, "TYPE", scalar.C())}
		for _, n := range []int{1, few} {
			g, err := newGlobal(rt, make([]T, n), "factor")
			if err != nil {
				return nil, err
			}
			a.parameters[n] = g
		}
		var err error
		a.sum, err = newGlobal(rt, []float64{0}, "sum")
		return a, err
	})
}

// kernel returns one of the kernels below, for elements with dim values.
func (a *arithmetic[T]) kernel(name string, dim int) *given.Kernel {
	key := elementwise{name, dim}
	if a.kernels[key] == nil {
		f := elementwiseFunc[T](name, dim)
		a.kernels[key] = given.Own("dat_"+name, strings.ReplaceAll(a.source, "DIM", fmt.Sprint(dim)), f)
	}
	return a.kernels[key]
}

const elementwiseKernels = `
void dat_axpy(TYPE *y, const TYPE *x, const TYPE *a) { for (int i = 0; i < DIM; i++) y[i] += *a * x[i]; }

void dat_maxpy(TYPE *y, const TYPE *u, const TYPE *v, const TYPE *w, const TYPE *x, const TYPE *a)
{
	for (int i = 0; i < DIM; i++) {
		y[i] += a[0] * u[i];
		y[i] += a[1] * v[i];
		y[i] += a[2] * w[i];
		y[i] += a[3] * x[i];
	}
}

void dat_add(TYPE *y, const TYPE *x) { for (int i = 0; i < DIM; i++) y[i] += x[i]; }

void dat_sub(TYPE *y, const TYPE *x) { for (int i = 0; i < DIM; i++) y[i] -= x[i]; }

void dat_mul(TYPE *y, const TYPE *x) { for (int i = 0; i < DIM; i++) y[i] *= x[i]; }

void dat_div(TYPE *y, const TYPE *x) { for (int i = 0; i < DIM; i++) y[i] /= x[i]; }

void dat_scale(TYPE *y, const TYPE *a) { for (int i = 0; i < DIM; i++) y[i] *= *a; }

void dat_copy(TYPE *y, const TYPE *x) { for (int i = 0; i < DIM; i++) y[i] = x[i]; }

void dat_inner(const TYPE *x, const TYPE *y, double *sum)
{
	for (int i = 0; i < DIM; i++)
		*sum += (double)x[i] * (double)y[i];
}
`

// elementwiseFunc returns the Go function for a kernel.
func elementwiseFunc[T Scalar](name string, dim int) any {
	values := func(p *T) []T { return unsafe.Slice(p, dim) }
	each := func(f func(y *T, x T)) func(y, x *T) {
		return func(y, x *T) {
			from := values(x)
			for i := range values(y) {
				f(&values(y)[i], from[i])
			}
		}
	}
	switch name {
	case "axpy":
		return func(y, x, a *T) {
			from := values(x)
			for i := range from {
				values(y)[i] += *a * from[i]
			}
		}
	case "maxpy":
		return func(y, u, v, w, x *T, a *[few]T) {
			for i := range values(y) {
				y := &values(y)[i]
				*y += a[0] * values(u)[i]
				*y += a[1] * values(v)[i]
				*y += a[2] * values(w)[i]
				*y += a[3] * values(x)[i]
			}
		}
	case "add":
		return each(func(y *T, x T) { *y += x })
	case "sub":
		return each(func(y *T, x T) { *y -= x })
	case "mul":
		return each(func(y *T, x T) { *y *= x })
	case "div":
		return each(func(y *T, x T) { *y /= x })
	case "copy":
		return each(func(y *T, x T) { *y = x })
	case "scale":
		return func(y, a *T) {
			for i := range values(y) {
				values(y)[i] *= *a
			}
		}
	case "inner":
		return func(x, y *T, sum *float64) {
			for i := range values(x) {
				*sum += float64(values(x)[i]) * float64(values(y)[i])
			}
		}
	}
	panic("no kernel " + name)
}
