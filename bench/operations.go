package main

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"text/tabwriter"
	"unsafe"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/bench/operations"
	"github.com/go-op2/op2/internal/jit"
)

//go:embed reference/operations.c
var operationsSource string

// operationElements is small enough for the arrays to stay in a core's L2 cache, so that the
// operation matters and not memory.
const operationElements = 50_000

// operationTable has an operation for each function of the package operations.
var operationTable = []operation{
	of(operations.MaxBuiltin), of(operations.MinBuiltin), of(operations.MaxBuiltin32), of(operations.MaxMath),
	of(operations.MinMath), of(operations.Clamp), of(operations.MaxInt),

	of(operations.Abs), of(operations.Copysign), of(operations.Dim), of(operations.FMA), of(operations.Sqrt),
	of(operations.Divide), of(operations.Floor), of(operations.Ceil), of(operations.Trunc), of(operations.Round),
	of(operations.RoundToEven), of(operations.Signbit), of(operations.IsNaN), of(operations.IsInf),
	of(operations.Modf), of(operations.Frexp), of(operations.Ldexp), of(operations.Ilogb), of(operations.Logb),
	of(operations.Nextafter), of(operations.Bits),

	of(operations.Mod), of(operations.Remainder), of(operations.Hypot), of(operations.Pow), of(operations.Cbrt),
	of(operations.Exp), of(operations.Log), of(operations.Sincos),

	of(operations.ToInt64), of(operations.ToInt32), of(operations.ToUint8), of(operations.ToUint32),
	of(operations.ToUint64), of(operations.ToFloat32), of(operations.FromInt64), of(operations.FromUint64),

	of(operations.AddInt8), of(operations.MultiplyInt64), of(operations.DivideInt64), of(operations.DivideInt32),
	of(operations.DivideUint64), of(operations.DivideByEight), of(operations.RemainderInt64), of(operations.RemainderInt32),
	of(operations.RemainderOfEight), of(operations.ShiftLeft), of(operations.ShiftRight), of(operations.ShiftLeftInt),
	of(operations.ShiftRightInt), of(operations.ShiftRightMasked), of(operations.ShiftByThree),
	ofRows(operations.Subscript), ofRows(operations.SubscriptMasked),
}

// operation prepares an operation: functions that run it in C, and on each of the runtimes.
type operation func(c *jit.Instance, kernels *op2.Source, rt []*op2.Runtime) (*operationRun, error)

// operationRun is an operation that is ready to run.
type operationRun struct {
	name  string
	c     *cFunction
	loops []*op2.Loop
	check func() error // whether all produced the same results
}

// of returns the operation of a kernel.
func of[X, Y, R op2.Scalar](k func(x *X, y *Y, r *R)) operation { return prepared[X, Y, R](k, 1) }

// ofRows returns the operation of a kernel whose x has four values, and whose y is a subscript.
func ofRows[X, Y, R op2.Scalar](k func(x *[4]X, y *Y, r *R)) operation {
	return prepared[X, Y, R](k, 4)
}

func prepared[X, Y, R op2.Scalar](k any, width int) operation {
	return func(c *jit.Instance, kernels *op2.Source, rts []*op2.Runtime) (*operationRun, error) {
		const n = operationElements
		kernel := kernels.Func(k)
		run := &operationRun{name: kernel.Name()}
		random := rand.New(rand.NewPCG(1, 2))
		x, y, r := make([]X, n*width), make([]Y, n), make([]R, n)
		for i := range x {
			x[i] = X(0.5 + 20*random.Float64())
		}
		for i := range y {
			y[i] = Y(1 + 2.9*random.Float64())
		}
		var err error
		if run.c, err = newCFunction(c, run.name, n, unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0]), unsafe.Pointer(&r[0])); err != nil {
			return nil, err
		}
		var results []*op2.Dat[R]
		for _, rt := range rts {
			set := rt.NewSet(n, "elements")
			dx, dy, dr := op2.NewDat(set, width, x, "x"), op2.NewDat(set, 1, y, "y"), op2.NewDat[R](set, 1, nil, "r")
			loop := op2.NewLoop(kernel, set, dx.Read(), dy.Read(), dr.Write())
			if err := rt.Err(); err != nil {
				return nil, err
			}
			run.loops, results = append(run.loops, loop), append(results, dr)
		}
		run.check = func() error {
			for _, dr := range results {
				got, err := dr.DataRO()
				if err != nil {
					return err
				}
				for i, v := range got {
					if want := float64(r[i]); math.Abs(float64(v)-want) > 1e-12*math.Abs(want) {
						return fmt.Errorf("%s of %v and %v: %v, in C %v", run.name, x[i*width:(i+1)*width], y[i], v, want)
					}
				}
			}
			return nil
		}
		return run, nil
	}
}

// operations measures each operation on single elements and on packs, against C, in turn.
func (r *reference) operations(rounds int) error {
	var rts []*op2.Runtime
	for _, simd := range []op2.Mode{op2.Off, op2.Auto, op2.On} {
		rt, err := op2.Open(op2.WithBackend("sequential"), op2.WithSIMD(simd), op2.WithLog(nil))
		if err != nil {
			return err
		}
		defer rt.Close()
		rts = append(rts, rt)
	}
	kernels := op2.Kernels(operations.Source)
	var runs []*operationRun
	for _, prepare := range operationTable { // all of them first, so that they are compiled in parallel
		run, err := prepare(r.operation, kernels, rts)
		if err != nil {
			return err
		}
		runs = append(runs, run)
	}
	fmt.Printf("\noperations, %d elements, times of generated code over those of C\n", operationElements)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "operation\tC ms\tpacks off\tauto\ton\t")
	for _, run := range runs {
		if err := run.measure(t, rounds); err != nil {
			return err
		}
	}
	return t.Flush()
}

// measure runs the operation alternately in C and as loops, and prints a row.
func (o *operationRun) measure(t *tabwriter.Writer, rounds int) error {
	o.c.call()
	for _, l := range o.loops {
		if err := l.Compute(); err != nil {
			return err
		}
	}
	if err := o.check(); err != nil {
		return err
	}
	inC, in := []float64{}, make([][]float64, len(o.loops))
	for range rounds {
		inC = append(inC, timeCalls(10, func() error { o.c.call(); return nil }))
		for i, l := range o.loops {
			in[i] = append(in[i], timeCalls(10, l.Compute))
		}
	}
	fmt.Fprintf(t, "%s\t%.4f\t", o.name, 1e3*median(inC))
	for _, times := range in {
		fmt.Fprintf(t, "%.2f\t", ratio(times, inC))
	}
	_, err := fmt.Fprintln(t)
	return err
}
