package userkernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/interp"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// The backend go runs a kernel's Go function, the others compile its source. Nothing guarantees
// that they match: a line may have been changed since the program was built, and a const may be
// another variable than the one that the compiled function reads. So the function and its source,
// which package interp runs, are compared on some values.

const (
	verifySteps  = 20000       // of a kernel on one sample: longer ones are not compared
	verifyTime   = time.Second // after which a function that hangs, although its source ends, is abandoned
	samples      = 8           // as a rule
	moreSamples  = 32          // for kernels with branches that those do not take
	enoughAgree  = 2           // samples that establish a match
	enoughDiffer = 3           // samples that establish a difference: rounding never causes this many
)

// verify returns an error if the function and its source clearly differ, for the current values of
// the consts.
func (k *Kernel) verify(ir *kernel.Kernel, consts []Const) error {
	if k.function == nil || kernel.Has[*kernel.Print](ir) { // running it would print
		return nil
	}
	type comparison struct{ difference, gap string }
	result := make(chan comparison, 1)
	go func() {
		difference, gap := k.compare(ir, consts)
		result <- comparison{difference, gap}
	}()
	select {
	case c := <-result:
		if c.difference != "" {
			return k.differs(c.difference, consts)
		}
		k.gap.Store(c.gap)
	case <-time.After(verifyTime):
		k.gap.Store("it takes more than a second")
	}
	return nil
}

// sameParams returns an error if the parameters of the function and its source differ.
func (k *Kernel) sameParams(ir *kernel.Kernel) error {
	params := ir.Params()
	t := reflect.TypeOf(k.function)
	if t.NumIn() != len(params) {
		return k.differs(fmt.Sprintf("it takes %s, its source %d", problem.Count(t.NumIn(), "argument"), len(params)), nil)
	}
	for i, p := range params {
		if p.Slices > 0 || t.In(i).Kind() == reflect.Slice {
			if err := sameSlice(k, ir, p, t.In(i)); err != nil {
				return err
			}
			continue
		}
		compiled := TypeOf(t.In(i).Elem())
		if source := kernel.Elem(p.Type); compiled != nil && !kernel.Same(compiled, source) {
			return k.differs(fmt.Sprintf("its parameter %s is a *%s, that of its source a *%s", p.Name, compiled, source), nil)
		}
	}
	return nil
}

func (k *Kernel) differs(how string, consts []Const) error {
	hint := fmt.Sprintf("//go:embed the file that declares %s, and rebuild", k.name)
	if len(consts) > 0 {
		var names []string
		for _, c := range consts {
			names = append(names, fmt.Sprintf("op2.NewConst(rt, %q, &%s)", c.Name, c.InGo))
		}
		hint = fmt.Sprintf("consts must be the variables that the function itself reads: %s; if they are, %s", strings.Join(names, ", "), hint)
	}
	return problem.Kernelf(k.name, "the compiled function is not what its source says: %s\n  hint: %s", how, hint)
}

// fuses reports whether the Go compiler rounds a product and a sum once on this processor.
var fuses = sync.OnceValue(func() bool {
	x := nearOne
	return x*x-float64(x*x) != 0
})

var nearOne = 1 + 0x1p-30

// compare runs both on samples, and returns how their results differ, "" if they do not or if that
// cannot be determined, and the parts of the kernel that have not been compared.
func (k *Kernel) compare(ir *kernel.Kernel, consts []Const) (difference, gap string) {
	c := newCoverage(ir)
	var values [][]uint64
	floats := false // decide integers
	for _, c := range consts {
		leaves := c.Layout.Leaves()
		values = append(values, leaves.Load(c.Ptr))
		floats = floats || slices.ContainsFunc(leaves, func(l loop.Leaf) bool { return l.Scalar.Float() })
	}
	for _, p := range ir.Entry().Params {
		floats = floats || slices.ContainsFunc(kernel.Scalars(p.Type), loop.Scalar.Float)
	}
	agree, differ, first := 0, 0, ""
	for sample := range moreSamples {
		if sample == samples && (!c.ran || c.gap() == "") {
			break
		}
		difference, known := k.compareOne(ir, values, sample, floats && fuses(), c)
		switch {
		case !known:
		case difference == "":
			agree++
		default:
			differ++
			if first == "" {
				first = difference
			}
		}
		if agree >= enoughAgree && c.gap() == "" {
			return "", ""
		}
		if differ == enoughDiffer {
			return first, ""
		}
	}
	return "", c.gap()
}

// compareOne runs both on one sample.
func (k *Kernel) compareOne(ir *kernel.Kernel, consts [][]uint64, sample int, floats bool, c *coverage) (difference string, known bool) {
	random := rand.New(rand.NewPCG(uint64(sample), 0))
	t := reflect.TypeOf(k.function)
	args, params := make([]reflect.Value, t.NumIn()), ir.Entry().Params[:t.NumIn()-len(ir.LeftOut)]
	memory, source := make([]reflect.Value, len(params)), make([][]uint64, len(params))
	largest := 0.0
	for _, missing := range ir.LeftOut {
		args[missing.At] = reflect.Zero(t.In(missing.At))
	}
	for i, p := range params {
		at := ir.Number(i)
		memory[i], args[at] = newArgument(t.In(at), p)
		fill(c, memory[i].Elem(), random, sample)
		source[i] = interp.Bits(memory[i])
	}
	for i, p := range params {
		for at, s := range kernel.Scalars(p.Type) {
			largest = max(largest, magnitude(s, source[i][at]))
		}
	}
	for _, p := range ir.Entry().Params[len(params):] {
		source = append(source, []uint64{uint64(p.Most)})
	}
	// The source comes first: it is bounded, and shows what would panic.
	if err := c.run(ir, source, consts); err != nil || !call(reflect.ValueOf(k.function), args) {
		return "", false
	}
	for i, p := range params {
		scalars := kernel.Scalars(p.Type)
		for at, compiled := range interp.Bits(memory[i]) {
			if s := scalars[at]; differ(s, compiled, source[i][at], largest, floats) {
				return fmt.Sprintf("for some values it leaves %s in %s, its source %s", scalarText(s, compiled), kernel.Component(p, at), scalarText(s, source[i][at])), true
			}
		}
	}
	return "", true
}

// call calls a function, and reports whether it completed without a panic.
func call(f reflect.Value, args []reflect.Value) (done bool) {
	defer func() { _ = recover() }()
	f.Call(args)
	return true
}

// fill sets an argument to random values: numbers around 1, of both signs or larger, small
// integers, which may be indices, and in the later samples values that the kernel compares with.
func fill(c *coverage, v reflect.Value, random *rand.Rand, sample int) {
	if decisive(c, v, random, sample) {
		return
	}
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			fill(c, v.Index(i), random, sample)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(c, settable(v.Field(i)), random, sample)
		}
	case reflect.Bool:
		v.SetBool(random.IntN(2) == 0)
	case reflect.Complex64, reflect.Complex128:
		parts := reflect.New(reflect.TypeFor[[2]float64]()).Elem()
		fill(c, parts, random, sample)
		v.SetComplex(complex(parts.Index(0).Float(), parts.Index(1).Float()))
	case reflect.Float32, reflect.Float64:
		switch sample % 4 {
		case 0:
			v.SetFloat(1 + random.Float64())
		case 1:
			v.SetFloat(4*random.Float64() - 2)
		case 2:
			v.SetFloat(random.Float64() / 2)
		default:
			v.SetFloat(20 * random.Float64())
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(random.IntN(max(1, samples-sample))))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(random.IntN(max(1, samples-sample))))
	}
}

// settable returns a field that may be set, although its name is not exported.
func settable(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
}

// differ reports whether two results differ by more than rounding can cause for inputs of that
// size: products and sums may be fused in one of them.
func differ(s loop.Scalar, a, b uint64, largest float64, floats bool) bool {
	if a == b {
		return false
	}
	if !s.Float() {
		return !floats || s == loop.Bool || math.Abs(asFloat(s, a)-asFloat(s, b)) > 1
	}
	x, y := asFloat(s, a), asFloat(s, b)
	if x != x || y != y {
		return (x != x) != (y != y)
	}
	relative, absolute := 1e-6, 1e-11
	if s == loop.Float32 {
		relative, absolute = 1e-3, 1e-5
	}
	d := math.Abs(x - y)
	return d > relative*max(math.Abs(x), math.Abs(y)) && d > absolute*largest
}

// magnitude returns the absolute value of a scalar.
func magnitude(s loop.Scalar, bits uint64) float64 { return math.Abs(asFloat(s, bits)) }

func asFloat(s loop.Scalar, bits uint64) float64 {
	switch {
	case s == loop.Float32:
		return float64(math.Float32frombits(uint32(bits)))
	case s.Float():
		return math.Float64frombits(bits)
	case s.Signed():
		return float64(int64(bits))
	}
	return float64(bits)
}

func scalarText(s loop.Scalar, bits uint64) string {
	switch {
	case s == loop.Bool:
		return fmt.Sprint(bits != 0)
	case s.Float():
		return fmt.Sprintf("%.6g", asFloat(s, bits))
	case s.Signed():
		return fmt.Sprint(int64(bits))
	}
	return fmt.Sprint(bits)
}
