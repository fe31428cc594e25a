package language_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/optest"
	"github.com/go-op2/op2/internal/plan"
	"github.com/go-op2/op2/internal/tune"
)

const (
	fuzzKernels = 10               // in a generated file
	fuzzRows    = 24               // inputs for each
	reduceFor   = 10 * time.Second // what differs is made smaller
)

// FuzzTranslate writes a file of random kernels, runs them as Go, compiled by the Go
// tool, and as the C that they are translated to, on the same inputs, and compares
// every bit and every fault.
//
// OP2_FUZZ_SEED chooses seeds, as 7 or 1-300, rather than the one that runs each time;
// OP2_FUZZ_CC chooses the C compiler.
func FuzzTranslate(f *testing.F) { fuzzTranslate(f, false, false, "") }

// FuzzTranslatePacks does so with kernels that run on packs of elements at once.
func FuzzTranslatePacks(f *testing.F) { fuzzTranslate(f, true, false, "") }

// FuzzTranslatePacksOfC takes the C that such kernels are translated to as kernels
// written in C.
func FuzzTranslatePacksOfC(f *testing.F) { fuzzTranslate(f, true, true, "") }

// FuzzTranslateOpenCL does so with loops on an OpenCL device, in which math functions of constants are frequent.
func FuzzTranslateOpenCL(f *testing.F) { fuzzTranslate(f, false, false, "opencl") }

// FuzzTranslateCUDA does so on the stand-in for CUDA.
func FuzzTranslateCUDA(f *testing.F) { fuzzTranslate(f, false, false, gputest.Standin) }

func fuzzTranslate(f *testing.F, packs, c bool, onDevice string) {
	first, last := uint64(1), uint64(1)
	if s := os.Getenv("OP2_FUZZ_SEED"); s != "" {
		from, to, isRange := strings.Cut(s, "-")
		if !isRange {
			to = from
		}
		var err1, err2 error
		first, err1 = strconv.ParseUint(from, 10, 64)
		last, err2 = strconv.ParseUint(to, 10, 64)
		if err := errors.Join(err1, err2); err != nil {
			f.Fatalf("OP2_FUZZ_SEED=%s: %v", s, err)
		}
	}
	if onDevice == "" {
		optest.RequireCompiler(f)
	} else {
		gputest.Require(f, onDevice)
	}
	if _, err := exec.LookPath("go"); err != nil {
		f.Skip(err)
	}
	for seed := first; ; seed++ {
		f.Add(seed)
		if seed == last {
			break
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		x := &experiment{t: t, dir: t.TempDir(), packs: packs, c: c, onDevice: onDevice, narrow: packs && narrowSeed(seed)}
		x.inputs(seed)
		kernels := fuzzKernels
		if onDevice != "" {
			kernels = 1
		} else {
			x.engine = fuzzEngine(t)
		}
		source := generate(seed, kernels, packs, onDevice != "")
		failures := x.compare(source)
		if x.packs && !c && 2*x.on < x.all {
			t.Errorf("only %d of %d kernels run on packs", x.on, x.all)
		}
		if c && 2*x.inC < kernels {
			t.Errorf("only %d of %d kernels are C", x.inC, kernels)
		}
		if len(failures) == 0 {
			return
		}
		for _, name := range failures[1:] {
			t.Errorf("kernel %s differs too", name)
		}
		small, what := x.reduce(source, failures[0])
		t.Fatalf("%s\nsmallest kernel:\n%s\nreproduce: OP2_FUZZ_SEED=%d go test -run '^%s$' ./internal/conformance/language", what, small, seed, f.Name())
	})
}

func fuzzEngine(t *testing.T) backend.Backend {
	engine, err := host.Sequential.Open(backend.Config{
		Threads: 1, Choices: choice.Choices{Compiler: os.Getenv("OP2_FUZZ_CC"), HostFlags: "-ffp-contract=off"}, CacheDir: os.Getenv("OP2_CACHE_DIR"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { engine.Close() })
	return engine
}

// experiment is the comparison of one generated file, on some inputs.
type experiment struct {
	t        *testing.T
	dir      string
	engine   backend.Backend
	packs    bool
	c        bool
	onDevice string // the device's backend; empty: on the host
	narrow   bool   // kernels take int32 and float32
	on       int    // kernels that ran on packs, of those that were translated
	all      int
	inC      int // kernels that were printed as C, and read
	a        [][6]int64
	x        [][6]float64
	why      map[string]string // a kernel's difference
}

// outcome is what a kernel leaves for one row.
type outcome struct {
	Fault int64 // the line, or 0; then the rest is undefined
	Kind  int64
	R     [8]int64
	Y     [8]uint64
}

// inputs returns values of all sizes, and such at which something may go wrong.
func (e *experiment) inputs(seed uint64) {
	random := rand.New(rand.NewPCG(seed, 2))
	for range fuzzRows {
		var a [6]int64
		var x [6]float64
		for j := range 6 {
			a[j] = cornerInts[random.IntN(len(cornerInts))]
			x[j] = cornerFloats[random.IntN(len(cornerFloats))]
			if random.IntN(2) == 0 {
				a[j] = int64(random.Uint64()) >> random.IntN(64)
				x[j] = random.NormFloat64() * math.Exp2(float64(random.IntN(60)-30))
			}
		}
		e.a, e.x = append(e.a, a), append(e.x, x)
	}
}

// compare runs all kernels of a file both ways, and gives the names of those that
// differ.
func (e *experiment) compare(source string) []string {
	e.why = map[string]string{}
	names := kernelNames(source)
	inGo, err := e.runGo(source, names)
	if err != nil {
		e.t.Fatalf("the generated file is no Go: %v", err)
	}
	run := e.runC
	if e.onDevice != "" {
		run = e.runApart
	}
	inC := run(source, names)
	var failures []string
	for k, name := range names {
		if e.why[name] == "" {
			e.why[name] = e.differs(inGo[k], inC[k])
		}
		if e.why[name] != "" {
			failures = append(failures, name)
		}
	}
	return failures
}

func (e *experiment) differs(inGo, inC []outcome) string {
	for row := range inGo {
		p, q := inGo[row], inC[row]
		if p.Fault != 0 && q.Fault == p.Fault && q.Kind == p.Kind {
			continue
		}
		if p.Fault != q.Fault || p.Kind != q.Kind {
			return fmt.Sprintf("%s in Go, %s in C, for %v %v", p.fault(), q.fault(), e.a[row], e.x[row])
		}
		for i := range p.R {
			if p.R[i] != q.R[i] {
				return fmt.Sprintf("r[%d] is %d in Go, %d in C, for %v %v", i, p.R[i], q.R[i], e.a[row], e.x[row])
			}
			u, v := math.Float64frombits(p.Y[i]), math.Float64frombits(q.Y[i])
			if p.Y[i] != q.Y[i] && (u == u || v == v) {
				return fmt.Sprintf("y[%d] is %v in Go, %v in C, for %v %v", i, u, v, e.a[row], e.x[row])
			}
		}
	}
	return ""
}

func (o outcome) fault() string {
	if o.Fault == 0 {
		return "no fault"
	}
	return fmt.Sprintf("%s at line %d", []string{"another panic", "index out of range", "division by zero", "negative shift"}[o.Kind], o.Fault)
}

// kernelNames returns the functions of a file that are called k and a number.
func kernelNames(source string) []string {
	var names []string
	for line := range strings.Lines(source) {
		if rest, ok := strings.CutPrefix(line, "func k"); ok {
			number, _, _ := strings.Cut(rest, "(")
			names = append(names, "k"+number)
		}
	}
	return names
}

// goMain reads the rows and writes the outcomes.
const goMain = `package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"
)

type outcome struct {
	Fault, Kind int64
	R           [8]int64
	Y           [8]uint64
}

func main() {
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	var a [ROWS][6]int64
	var x [ROWS][6]float64
	for _, in := range []any{&a, &x} {
		if err := binary.Read(os.Stdin, binary.LittleEndian, in); err != nil && err != io.EOF {
			panic(err)
		}
	}
	for _, k := range kernels {
		for i := range a {
			binary.Write(w, binary.LittleEndian, run(k, a[i], x[i]))
		}
	}
}

func run(k func(*[6]int64, *[6]float64, *[8]int64, *[8]float64), a [6]int64, x [6]float64) (o outcome) {
	var y [8]float64
	defer func() {
		if p := recover(); p != nil {
			o = outcome{Fault: -1}
			msg := p.(runtime.Error).Error()
			switch {
			case strings.Contains(msg, "index out of range"):
				o.Kind = 1
			case strings.Contains(msg, "divide by zero"):
				o.Kind = 2
			case strings.Contains(msg, "negative shift"):
				o.Kind = 3
			}
			pcs := make([]uintptr, 32)
			frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
			for {
				f, more := frames.Next()
				if filepath.Base(f.File) == "kernels.go" {
					o.Fault = int64(f.Line)
					return
				}
				if !more {
					return
				}
			}
		}
	}()
	k(&a, &x, &o.R, &y)
	for i, v := range y {
		o.Y[i] = math.Float64bits(v)
	}
	return o
}

// wide returns a kernel that may take structs, as one that takes arrays.
func wide[A, X, R, Y any](k func(*A, *X, *R, *Y)) func(*[6]int64, *[6]float64, *[8]int64, *[8]float64) {
	return func(a *[6]int64, x *[6]float64, r *[8]int64, y *[8]float64) {
		k((*A)(unsafe.Pointer(a)), (*X)(unsafe.Pointer(x)), (*R)(unsafe.Pointer(r)), (*Y)(unsafe.Pointer(y)))
	}
}

func narrow[A, X, R, Y any](k func(*A, *X, *R, *Y)) func(*[6]int64, *[6]float64, *[8]int64, *[8]float64) {
	return func(a *[6]int64, x *[6]float64, r *[8]int64, y *[8]float64) {
		var a2, x2, r2, y2 = [6]int32{}, [6]float32{}, [8]int32{}, [8]float32{}
		for i := range a {
			a2[i], x2[i] = int32(a[i]), float32(x[i])
		}
		k((*A)(unsafe.Pointer(&a2)), (*X)(unsafe.Pointer(&x2)), (*R)(unsafe.Pointer(&r2)), (*Y)(unsafe.Pointer(&y2)))
		for i := range r {
			r[i], y[i] = int64(r2[i]), float64(y2[i])
		}
	}
}

var kernels = []func(*[6]int64, *[6]float64, *[8]int64, *[8]float64){KERNELS}
`

// runGo compiles the file with the Go tool and runs it.
func (e *experiment) runGo(source string, names []string) ([][]outcome, error) {
	calls := slices.Clone(names)
	for i, name := range names {
		calls[i] = "wide(" + name + ")"
		if e.narrow {
			calls[i] = "narrow(" + name + ")"
		}
	}
	main := strings.NewReplacer("ROWS", fmt.Sprint(len(e.a)), "KERNELS", strings.Join(calls, ", ")).Replace(goMain)
	for name, text := range map[string]string{"go.mod": "module kernels\n\ngo 1.25\n", "main.go": main, "kernels.go": source} {
		if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	build := exec.Command("go", "build", "-o", "kernels", ".")
	build.Dir = e.dir
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	var in bytes.Buffer
	binary.Write(&in, binary.LittleEndian, e.a)
	binary.Write(&in, binary.LittleEndian, e.x)
	program := exec.Command(filepath.Join(e.dir, "kernels"))
	program.Stdin, program.Stderr = &in, os.Stderr
	out, err := program.Output()
	if err != nil {
		return nil, err
	}
	results := make([][]outcome, len(names))
	r := bytes.NewReader(out)
	for k := range results {
		results[k] = make([]outcome, len(e.a))
		if err := binary.Read(r, binary.LittleEndian, results[k]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// The consts of the generator's prelude, with the same values.
var (
	fuzzConstF = 1.25
	fuzzConstI = int32(-7)
	fuzzConstA = [4]float64{0.5, -2, 1e10, 3}
	fuzzConstU = [2][2]uint8{{1, 200}, {255, 0}}
	fuzzConsts = map[string]unsafe.Pointer{
		"constF": unsafe.Pointer(&fuzzConstF), "constI": unsafe.Pointer(&fuzzConstI),
		"constA": unsafe.Pointer(&fuzzConstA), "constU": unsafe.Pointer(&fuzzConstU),
	}
)

// onC is one kernel, translated, and the memory of some rows.
type onC struct {
	a       [][6]int64
	x       [][6]float64
	r       [][8]int64
	y       [][8]float64
	narrow  *narrowRows // in their place
	runner  backend.Runner
	mirrors []*device.Mirror
}

// narrowRows are rows of numbers of four bytes.
type narrowRows struct {
	a [][6]int32
	x [][6]float32
	r [][8]int32
	y [][8]float32
}

// runC translates the kernels and runs them: each row alone and, where none faults,
// all together.
func (e *experiment) runC(source string, names []string) [][]outcome {
	pkg := fromgo.Parse(source)
	one, all := make([]*onC, len(names)), make([]*onC, len(names))
	for k, name := range names {
		ir, err := pkg.Kernel(name, "kernels.go", 0)
		if err != nil {
			e.why[name] = "refused: " + err.Error()
			continue
		}
		kernel.Analyze(ir, nil)
		if e.c {
			if ir, err = e.asC(ir); err != nil {
				e.why[name] = fmt.Sprintf("refused as C: %+v", err)
				continue
			}
			if ir.IsC() {
				e.inC++
			}
		}
		if all[k] = e.prepare(ir, len(e.a)); e.onDevice == "" {
			one[k] = e.prepare(ir, 1)
		}
	}
	results := make([][]outcome, len(names))
	for k, name := range names {
		if e.onDevice != "" && all[k] != nil {
			results[k] = make([]outcome, len(e.a))
			if err := all[k].run(e.a, e.x, results[k]); err != nil {
				e.why[name] = fmt.Sprintf("%+v", err)
			}
		}
		if one[k] == nil {
			continue
		}
		if err := one[k].runner.Ready(); err != nil {
			e.why[name] = fmt.Sprintf("%+v", err)
			continue
		}
		results[k] = make([]outcome, len(e.a))
		sound := true
		for row := range e.a {
			if err := one[k].run(e.a[row:row+1], e.x[row:row+1], results[k][row:row+1]); err != nil {
				e.why[name] = err.Error()
			}
			sound = sound && results[k][row].Fault == 0
		}
		if !sound {
			continue
		}
		together := make([]outcome, len(e.a))
		if err := all[k].runner.Ready(); err != nil {
			e.why[name] = err.Error()
			continue
		}
		if err := all[k].run(e.a, e.x, together); err != nil {
			e.why[name] = err.Error()
			continue
		}
		if d := e.differs(results[k], together); d != "" {
			e.why[name] = "all rows at once: " + strings.NewReplacer("in Go", "alone", "in C", "together").Replace(d)
		}
	}
	return results
}

// contexts matches what leads to consts in generated C.
var contexts = regexp.MustCompile(`(?ms)^// What leads to the consts.*?^\} op2_context;\n|^struct op2_consts \{.*?^\};\n|const op2_context op2(, )?`)

var farConst = regexp.MustCompile(`\(\*op2\.consts->(\w+)\)`)

// asC returns the kernel that ir is printed as, read as one written in C.
func (e *experiment) asC(ir *kernel.Kernel) (*kernel.Kernel, error) {
	for _, i := range kernel.All[*kernel.Index](ir) {
		_, constant := i.I.(*kernel.Lit)
		i.InRange = i.InRange || constant // also where it is never reached, so that nothing can fault
	}
	spec, _ := e.spec(ir, e.rows(1), 1)
	spec.Chosen.SIMD = tune.SIMDOff
	engine, err := host.Sequential.Open(backend.Config{Static: true})
	if err != nil {
		return nil, err
	}
	text, err := engine.Generate(spec)
	if err != nil {
		return nil, err
	}
	text, _, _ = strings.Cut(text, "static __attribute__((noinline)) void op2_loop_")
	if strings.Contains(text, "op2_exit") { // it faults, which C has no words for
		return ir, nil
	}
	var consts []kernel.Const
	var lines []string
	text = farConst.ReplaceAllString(text, "const_$1")
	text = strings.NewReplacer("__builtin_mem", "mem", "op2.consts->", "const_", "(op2, ", "(", "(op2)", "()").Replace(contexts.ReplaceAllString(text, ""))
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#line") || strings.HasPrefix(line, "_Static_assert") {
			continue
		}
		lines = append(lines, line)
	}
	for _, c := range ir.Consts {
		printed := *c
		printed.Name = "const_" + c.Name
		consts = append(consts, printed)
	}
	own := strings.NewReplacer("op2_", "own_") // which are not a kernel's names
	inC, err := fromc.Kernel(ir.Name+"_", "#include <string.h>\n"+own.Replace(strings.Join(lines, "")), consts)
	if err != nil {
		return nil, err
	}
	kernel.Analyze(inC, []kernel.Shape{{Rows: 1, Cols: 6}, {Rows: 1, Cols: 6}, {Rows: 1, Cols: 8}, {Rows: 1, Cols: 8}})
	return inC, nil
}

func (e *experiment) prepare(ir *kernel.Kernel, rows int) *onC {
	c := e.rows(rows)
	spec, memory := e.spec(ir, c, rows)
	if text, err := e.engine.Generate(spec); err != nil {
		e.t.Error(err)
	} else if e.all++; strings.Contains(text, "LANES") {
		e.on++
	}
	var err error
	if c.runner, err = e.engine.Prepare(spec, memory); err != nil {
		e.t.Fatal(err)
	}
	return c
}

// rows returns memory for so many rows.
func (e *experiment) rows(rows int) *onC {
	c := &onC{a: make([][6]int64, rows), x: make([][6]float64, rows), r: make([][8]int64, rows), y: make([][8]float64, rows)}
	if e.narrow {
		c.narrow = &narrowRows{make([][6]int32, rows), make([][6]float32, rows), make([][8]int32, rows), make([][8]float32, rows)}
	}
	return c
}

// spec returns the loop over some rows of a kernel, and their memory.
func (e *experiment) spec(ir *kernel.Kernel, c *onC, rows int) (backend.Spec, backend.Memory) {
	spec := backend.Spec{Loop: &loop.Loop{Kernel: ir.Name}, Kernel: ir, Chosen: choice.Choices{SIMD: tune.SIMDOff}.By(choice.User)}
	if e.packs {
		spec.Chosen.SIMD = tune.SIMDOn
	}
	memory := backend.Memory{Last: rows, SetSize: rows, ReportHow: func(how, code string) {}, ReportTime: func(time.Duration) {},
		NewPlan: func(r backend.PlanRequest) (*plan.Plan, *plan.Input, error) {
			in := &plan.Input{Last: rows, BlockSize: r.BlockSize, Boundaries: r.Boundaries}
			p, err := plan.Build(in)
			return p, in, err
		}}
	for i, d := range []struct {
		data loop.Data
		at   unsafe.Pointer
	}{
		{loop.Data{Type: loop.Int64, Dim: 6}, unsafe.Pointer(&c.a[0])}, {loop.Data{Type: loop.Float64, Dim: 6}, unsafe.Pointer(&c.x[0])},
		{loop.Data{Type: loop.Int64, Dim: 8}, unsafe.Pointer(&c.r[0])}, {loop.Data{Type: loop.Float64, Dim: 8}, unsafe.Pointer(&c.y[0])},
	} {
		if w := c.narrow; w != nil {
			d.data.Type = []loop.Scalar{loop.Int32, loop.Float32}[i%2]
			d.at = []unsafe.Pointer{unsafe.Pointer(&w.a[0]), unsafe.Pointer(&w.x[0]), unsafe.Pointer(&w.r[0]), unsafe.Pointer(&w.y[0])}[i]
		}
		d.data.Kind = loop.Dat
		if takesStructs(ir.Entry().Params[i]) {
			d.data.Value = e.layouts()[i]
		}
		arg := loop.Arg{Kind: loop.Dat, Access: loop.RW, Data: len(memory.Data), Map: loop.Direct, ColMap: loop.Direct}
		spec.Loop.Data, spec.Loop.Args = append(spec.Loop.Data, d.data), append(spec.Loop.Args, arg)
		memory.Data = append(memory.Data, d.at)
		memory.Elements = append(memory.Elements, rows)
		if e.onDevice != "" {
			shape := device.Shape{Elements: rows, Dim: d.data.Dim, Size: d.data.Type.Size()}
			mirror := device.NewMirror(e.engine.(backend.DeviceBackend).Device(), shape, func() unsafe.Pointer { return d.at }, true, &device.Transfers{})
			memory.Mirrors, c.mirrors = append(memory.Mirrors, mirror), append(c.mirrors, mirror)
		}
	}
	for _, k := range ir.Consts {
		memory.Consts = append(memory.Consts, fuzzConsts[strings.TrimPrefix(k.Name, "const_")])
	}
	return spec, memory
}

func takesStructs(p *kernel.Var) bool { return kernel.Leaf(p.Type) == loop.Invalid }

// layouts returns those of the generator's structs in and out, for x and y.
func (e *experiment) layouts() map[int]*loop.Layout {
	if e.narrow {
		return map[int]*loop.Layout{1: layoutOf[fuzzIn[float32]](), 3: layoutOf[fuzzOut[float32]]()}
	}
	return map[int]*loop.Layout{1: layoutOf[fuzzIn[float64]](), 3: layoutOf[fuzzOut[float64]]()}
}

// fuzzIn and fuzzOut are the generator's structs in and out, of floats F.
type (
	fuzzIn[F any] struct {
		F0 F
		F1 [2]F
		F2 struct{ F0, F1 F }
		F3 F
	}
	fuzzOut[F any] struct {
		F0 [2]F
		F1 struct{ F0, F1 F }
	}
)

func layoutOf[T any]() *loop.Layout {
	l, err := loop.LayoutOf(reflect.TypeFor[T]())
	if err != nil {
		panic(err)
	}
	return l
}

func (c *onC) run(a [][6]int64, x [][6]float64, into []outcome) error {
	copy(c.a, a)
	copy(c.x, x)
	clear(c.r)
	clear(c.y)
	if w := c.narrow; w != nil {
		clear(w.r)
		clear(w.y)
		for i := range a {
			for j := range a[i] {
				w.a[i][j], w.x[i][j] = int32(a[i][j]), float32(x[i][j])
			}
		}
	}
	err := c.runner.Ready()
	if err == nil {
		err = c.toHost()
	}
	if err == nil {
		err = errors.Join(c.runner.Run(), c.toHost())
	}
	var fault *backend.Fault
	if errors.As(err, &fault) {
		for i := range into {
			into[i] = outcome{Fault: int64(fault.Pos.Line)}
			for kind, msg := range []string{"?", "index out of range", "divide by zero", "negative shift"} {
				if strings.Contains(fault.Msg, msg) {
					into[i].Kind = int64(kind)
				}
			}
		}
		return nil
	}
	if err != nil {
		return err
	}
	for i := range into {
		if w := c.narrow; w != nil {
			for j := range w.r[i] {
				c.r[i][j], c.y[i][j] = int64(w.r[i][j]), float64(w.y[i][j])
			}
		}
		into[i].R = c.r[i]
		for j, v := range c.y[i] {
			into[i].Y[j] = math.Float64bits(v)
		}
	}
	return nil
}

// toHost brings what is on a device to the host, to be written there.
func (c *onC) toHost() error {
	for _, m := range c.mirrors {
		if err := m.Host(true); err != nil {
			return err
		}
	}
	return nil
}

// reduce drops what it can of a file without the kernel's difference going away:
// other functions, and statement after statement. It gives what is left of the
// kernel and what it calls, and the difference.
func (e *experiment) reduce(source, name string) (small, what string) {
	what = e.why[name]
	try := func(text string) bool {
		inner := &experiment{t: e.t, dir: e.dir, engine: e.engine, packs: e.packs, c: e.c, onDevice: e.onDevice, narrow: e.narrow, a: e.a, x: e.x, why: map[string]string{}}
		inGo, err := inner.runGo(text, []string{name})
		if err != nil {
			return false
		}
		run := inner.runC
		if e.onDevice != "" {
			run = inner.runApart
		}
		inC := run(text, []string{name})
		d := inner.why[name]
		if d == "" {
			d = inner.differs(inGo[0], inC[0])
		}
		if d != "" {
			what = d
		}
		return d != ""
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "kernels.go", source, 0)
	if err != nil {
		return err.Error(), what
	}
	text := func() string {
		var b bytes.Buffer
		if err := format.Node(&b, fset, file); err != nil {
			return ""
		}
		return b.String()
	}
	end := time.Now().Add(reduceFor)
	// From the end, since what comes before is used by what comes after.
	for i := len(file.Decls) - 1; i >= 0; i-- {
		f, ok := file.Decls[i].(*ast.FuncDecl)
		if !ok {
			continue
		}
		if f.Name.Name != name {
			before := file.Decls
			file.Decls = slices.Delete(slices.Clone(before), i, i+1)
			// No other kernel is needed, nor what has no call left.
			if strings.HasPrefix(f.Name.Name, "k") || !strings.Contains(text(), f.Name.Name+"(") {
				continue
			}
			file.Decls = before
		}
		for progress := true; progress; {
			progress = false
			ast.Inspect(f, func(n ast.Node) bool {
				list := statementsOf(n)
				if list == nil {
					return true
				}
				for i := len(*list) - 1; i >= 0 && time.Now().Before(end); i-- {
					before := *list
					*list = slices.Delete(slices.Clone(before), i, i+1)
					if try(text()) {
						progress = true
					} else {
						*list = before
					}
				}
				return true
			})
		}
	}
	return text(), what
}

func statementsOf(n ast.Node) *[]ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return &n.List
	case *ast.CaseClause:
		return &n.Body
	}
	return nil
}
