package algebra

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/given"
	"github.com/go-op2/op2/internal/loop"
)

// few is the number of vectors that one loop adds to another.
const few = 4

// AddMany adds a linear combination of other vectors: a[i] times x[i], in order.
func (d Vector[T]) AddMany(a []T, x []Vector[T]) error {
	for ; len(x) >= few; a, x = a[few:], x[few:] {
		if err := d.Combine("maxpy", a[:few], x[0], x[1], x[2], x[3]); err != nil {
			return err
		}
	}
	for i := range x {
		if err := d.Combine("axpy", a[i:i+1], x[i]); err != nil {
			return err
		}
	}
	return nil
}

// Combine changes the vector by one of the kernels below, which takes parameters and other vectors.
func (d Vector[T]) Combine(kernel string, parameters []T, others ...Vector[T]) error {
	var list []*core.Data
	for _, other := range others {
		list = append(list, other.Data)
	}
	k, args, g, err := d.elementwise(kernel, len(parameters), list)
	if err != nil {
		return err
	}
	if len(parameters) > 0 {
		g.Assign(parameters...)
	}
	return d.Runtime().ParLoop(k, d.Set().All(), args...)
}

// elementwise returns one of the kernels below with its arguments, and the global for its parameters,
// if it has some.
func (d Vector[T]) elementwise(kernel string, parameters int, others []*core.Data) (k *given.Kernel, args []core.Arg, g Scalars[T], err error) {
	a, err := arithmeticOf[T](d.Runtime())
	if err != nil {
		return nil, nil, g, err
	}
	args = []core.Arg{d.RW()}
	if kernel == "copy" || kernel == "fill" {
		args[0] = d.Write()
	}
	for _, other := range others {
		args = append(args, other.Read())
	}
	if parameters > 0 {
		if g, err = a.parameter(d.Runtime(), parameters); err != nil {
			return nil, nil, g, err
		}
		args = append(args, g.Read())
	}
	return a.kernel(kernel, d.Dim(), parameters), args, g, nil
}

// parameter returns a global for that many parameters.
func (a *arithmetic[T]) parameter(rt *core.Runtime, n int) (Scalars[T], error) {
	if g, ok := a.parameters[n]; ok {
		return g, nil
	}
	g, err := NewScalars(rt, make([]T, n), "factor")
	if err == nil {
		a.parameters[n] = g
	}
	return g, err
}

// Copy copies the values of another vector of the same set and dim.
func (d Vector[T]) Copy(from Vector[T]) error {
	return d.Take(from.Data)
}

// Inner returns the sum of the products of the two vectors' values, on all ranks, in float64.
func (d Vector[T]) Inner(other Vector[T]) (float64, error) {
	if d.OnDevice() || other.OnDevice() {
		sum, err := d.innerOnDevice(other)
		if err == nil {
			err = d.Set().Sum(&sum)
		}
		return sum, err
	}
	a, err := d.Reading()
	if err != nil {
		return 0, err
	}
	b, err := other.Reading()
	if err != nil {
		return 0, err
	}
	a = a[:d.Set().Size()*d.Dim()]
	if d.Runtime().Config().Backend.SameBits {
		return innerExactly(d.Runtime(), d.Set().Parted(), a, b)
	}
	// Partial sums lose less precision than one long sum.
	const piece = 1024
	sum := 0.0
	for first := 0; first < len(a); first += piece {
		part := 0.0
		for i := first; i < min(first+piece, len(a)); i++ {
			part += float64(a[i]) * float64(b[i])
		}
		sum += part
	}
	err = d.Set().Sum(&sum)
	return sum, err
}

// innerOnDevice computes the part of Inner that belongs to this rank, on the device.
func (d Vector[T]) innerOnDevice(other Vector[T]) (float64, error) {
	a, err := arithmeticOf[T](d.Runtime())
	if err != nil {
		return 0, err
	}
	if err := a.sum.Zero(); err != nil {
		return 0, err
	}
	if err := d.Runtime().ParLoop(a.kernel("inner", d.Dim(), 0), d.Set().All(), d.Read(), other.Read(), a.sum.Inc()); err != nil {
		return 0, err
	}
	return a.sum.Value()
}

// arithmetic holds the kernels and parameters for loops over the values of dats of one type. Each
// kernel exists in C and in Go; the Go version is for the backend that compiles nothing.
type arithmetic[T loop.Number] struct {
	parameters map[int]Scalars[T] // by number of values
	sum        Scalars[float64]
	kernels    map[elementwise]*given.Kernel
	source     string
}

// elementwise identifies a kernel for elements with that many values, and that many parameters. If one
// factor is not enough, the values are those of structs, and the parameters a factor for each field.
type elementwise struct {
	name       string
	dim        int
	parameters int
}

// arithmeticKey is the key that the arithmetic of a type is kept under.
type arithmeticKey loop.Scalar

// arithmeticOf returns the runtime's arithmetic for a type, created on first use.
func arithmeticOf[T loop.Number](rt *core.Runtime) (*arithmetic[T], error) {
	scalar := loop.Of[T]()
	return core.Keep(rt, arithmeticKey(scalar), func() (*arithmetic[T], error) {
		a := &arithmetic[T]{parameters: map[int]Scalars[T]{}, kernels: map[elementwise]*given.Kernel{}, source: strings.ReplaceAll(elementwiseKernels, "TYPE", scalar.C())}
		var err error
		a.sum, err = NewScalars(rt, []float64{0}, "sum")
		return a, err
	})
}

// AXPY returns the kernel that adds a multiple of one value to another: y, x and the factor.
func AXPY(rt *core.Runtime) (*given.Kernel, error) {
	a, err := arithmeticOf[float64](rt)
	if err != nil {
		return nil, err
	}
	return a.kernel("axpy", 1, 1), nil
}

// kernel returns one of the kernels below, for elements with dim values and for that many parameters.
func (a *arithmetic[T]) kernel(name string, dim, parameters int) *given.Kernel {
	key := elementwise{name, dim, parameters}
	if a.kernels[key] == nil {
		factor := "*a"
		if parameters > 1 {
			factor = fmt.Sprintf("a[i %% %d]", parameters)
		}
		source := strings.NewReplacer("DIM", fmt.Sprint(dim), "FACTOR", factor).Replace(a.source)
		k := given.Own("dat_"+name, source, elementwiseFunc[T](key))
		if name == "inner" {
			k = k.Alone()
		}
		a.kernels[key] = k
	}
	return a.kernels[key]
}

const elementwiseKernels = `
void dat_axpy(TYPE *y, const TYPE *x, const TYPE *a) { for (int i = 0; i < DIM; i++) y[i] += FACTOR * x[i]; }

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

void dat_scale(TYPE *y, const TYPE *a) { for (int i = 0; i < DIM; i++) y[i] *= FACTOR; }

void dat_copy(TYPE *y, const TYPE *x) { for (int i = 0; i < DIM; i++) y[i] = x[i]; }

void dat_fill(TYPE *y, const TYPE *a) { for (int i = 0; i < DIM; i++) y[i] = FACTOR; }

void dat_inner(const TYPE *x, const TYPE *y, double *sum)
{
	for (int i = 0; i < DIM; i++)
		*sum += (double)x[i] * (double)y[i];
}
`

// elementwiseFunc returns the Go function for a kernel.
func elementwiseFunc[T loop.Number](of elementwise) any {
	values := func(p *T) []T { return unsafe.Slice(p, of.dim) }
	factors := func(p *T) []T { return unsafe.Slice(p, of.parameters) }
	each := func(f func(y *T, x T)) func(y, x *T) {
		return func(y, x *T) {
			from := values(x)
			for i := range values(y) {
				f(&values(y)[i], from[i])
			}
		}
	}
	switch of.name {
	case "axpy":
		return func(y, x, a *T) {
			from := values(x)
			for i := range from {
				values(y)[i] += factors(a)[i%of.parameters] * from[i]
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
				values(y)[i] *= factors(a)[i%of.parameters]
			}
		}
	case "fill":
		return func(y, a *T) {
			for i := range values(y) {
				values(y)[i] = factors(a)[i%of.parameters]
			}
		}
	case "inner":
		return func(x, y *T, sum *float64) {
			for i := range values(x) {
				*sum += float64(values(x)[i]) * float64(values(y)[i])
			}
		}
	}
	panic("no kernel " + of.name)
}
