package algebra

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/run"
	"github.com/go-op2/op2/internal/userkernel"
)

// mostAddends is the number of vectors that one loop adds to another.
const mostAddends = 4

// Combine changes the vector by an operation of arithmetic, which takes the bytes of parameters and other
// vectors.
func (d Vector) Combine(operation string, parameters []byte, others ...Vector) error {
	k, args, g, err := d.operation(operation, len(parameters), others)
	if err != nil {
		return err
	}
	if g != nil {
		Assign(g, parameters...)
	}
	return run.ParLoop(d.Runtime(), k, d.Set().All(), args...)
}

// operation returns the kernel of an operation with its arguments, and the global for its parameters,
// of which it has so many bytes; nil for none.
func (d Vector) operation(name string, bytes int, others []Vector) (k *userkernel.Kernel, args []entity.Arg, g *entity.Data, err error) {
	a, err := arithmeticOf(d.Runtime(), d.Scalar())
	if err != nil {
		return nil, nil, nil, err
	}
	parameters := bytes / d.Scalar().Size()
	args = []entity.Arg{d.RW()}
	if name == "Copy" || name == "Fill" {
		args[0] = d.Write()
	}
	for _, other := range others {
		args = append(args, other.Read())
	}
	if parameters > 0 {
		if g, err = a.parameter(d.Runtime(), parameters); err != nil {
			return nil, nil, nil, err
		}
		args = append(args, g.Read())
	}
	return a.kernel(name, false), args, g, nil
}

// parameter returns a global for that many parameters.
func (a *arithmetic) parameter(rt *entity.Runtime, n int) (*entity.Data, error) {
	if g, ok := a.parameters[n]; ok {
		return g, nil
	}
	g, err := entity.NewScalars(rt, a.scalar, n, "factor")
	if err == nil {
		a.parameters[n] = g
	}
	return g, err
}

// Copy copies the values of another vector of the same set and dim.
func (d Vector) Copy(from Vector) error {
	return d.Take(from.Data)
}

// Inner returns the sum of the products of the two vectors' values, on all ranks, in float64.
func (d Vector) Inner(other Vector) (float64, error) {
	if d.OnDevice() || other.OnDevice() {
		sum, err := d.innerOnDevice(other)
		if err == nil {
			err = d.Set().Sum(&sum)
		}
		return sum, err
	}
	if err := d.Bring(false); err != nil {
		return 0, err
	}
	if err := other.Bring(false); err != nil {
		return 0, err
	}
	n := d.Set().Size() * d.Dim()
	if d.Runtime().Config().Backend.SameBits {
		return innerExactly(d.Set().Parted(), d.Data, other.Data, n)
	}
	sum := types[d.Scalar()].inner(d.Data, other.Data, n)
	err := d.Set().Sum(&sum)
	return sum, err
}

// innerOnDevice computes the part of Inner that belongs to this rank, on the device.
func (d Vector) innerOnDevice(other Vector) (float64, error) {
	a, err := arithmeticOf(d.Runtime(), d.Scalar())
	if err != nil {
		return 0, err
	}
	if err := a.sum.Zero(); err != nil {
		return 0, err
	}
	if err := run.ParLoop(d.Runtime(), a.kernel("Inner", true), d.Set().All(), d.Read(), other.Read(), a.sum.Inc()); err != nil {
		return 0, err
	}
	return Value[float64](a.sum)
}

// arithmetic holds the kernels and parameters for loops over the values of dats of one type.
type arithmetic struct {
	scalar     loop.Scalar
	parameters map[int]*entity.Data // by number of values
	sum        *entity.Data
	counts     *entity.Data // two, of int64
	zero       *entity.Data
	kernels    map[instance]*userkernel.Kernel
}

// instance is an operation, whose loops each rank may run alone.
type instance struct {
	operation string
	alone     bool
}

// arithmeticKey is the key that the arithmetic of a type is kept under.
type arithmeticKey loop.Scalar

// arithmeticOf returns the runtime's arithmetic for a type, created on first use.
func arithmeticOf(rt *entity.Runtime, scalar loop.Scalar) (*arithmetic, error) {
	return entity.Keep(rt, arithmeticKey(scalar), func() (*arithmetic, error) {
		a := &arithmetic{scalar: scalar, parameters: map[int]*entity.Data{}, kernels: map[instance]*userkernel.Kernel{}}
		var err error
		if a.sum, err = entity.NewGlobal(rt, []float64{0}, "sum"); err != nil {
			return nil, err
		}
		if a.counts, err = entity.NewGlobal(rt, []int64{0, 0}, "counts"); err != nil {
			return nil, err
		}
		a.zero, err = entity.NewScalars(rt, scalar, 1, "zero")
		return a, err
	})
}

// AXPY returns the kernel that adds a multiple of one value to another: y, x and the factor.
func AXPY(rt *entity.Runtime) (*userkernel.Kernel, error) {
	a, err := arithmeticOf(rt, loop.Float64)
	if err != nil {
		return nil, err
	}
	return a.kernel("AXPY", false), nil
}

// kernel returns the kernel of an operation, whose loops each rank may run alone.
func (a *arithmetic) kernel(operation string, alone bool) *userkernel.Kernel {
	k := a.kernels[instance{operation, alone}]
	if k == nil {
		k = sourceFor(a.scalar).Instance("dat"+operation, types[a.scalar].kernel(operation))
		if alone {
			k.Alone()
		}
		a.kernels[instance{operation, alone}] = k
	}
	return k
}
