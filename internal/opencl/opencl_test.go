package opencl

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

// TestMain turns PoCL's own cache off, so that there are binaries to store.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "op2-opencl-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		os.Setenv("POCL_CACHE_DIR", dir)
		os.Setenv("POCL_KERNEL_CACHE", "0")
		return m.Run()
	}())
}

// open opens the default device; without one, it skips the test, unless OP2_REQUIRE requires one.
func open(t testing.TB, config device.Config) *opened {
	t.Helper()
	d, err := Open(config)
	var missing *native.NotFoundError
	if errors.As(err, &missing) {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "opencl") {
			t.Fatalf("opencl is required by OP2_REQUIRE, and missing: %v", err)
		}
		t.Skipf("no opencl: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d.(*opened)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%+v", err)
	}
}

func alloc(t testing.TB, d device.Device, n int) device.Buffer {
	t.Helper()
	b, err := d.Alloc(n)
	must(t, err)
	return b
}

func compile(t testing.TB, d device.Device, name, text string) device.Program {
	t.Helper()
	p := d.Build(device.Source{Name: name, Text: text})
	must(t, p.Wait())
	return p
}

func kernelOf(t testing.TB, p device.Program, name string) device.Kernel {
	t.Helper()
	k, err := p.Kernel(name)
	must(t, err)
	return k
}

// arg returns an argument with the value at p.
func arg[T any](p *T) device.Arg {
	return device.Arg{Value: unsafe.Pointer(p), Size: int(unsafe.Sizeof(*p))}
}

func TestInfo(t *testing.T) {
	i := open(t, device.Config{}).Info()
	if i.Name == "" || i.Driver == "" || i.Units < 1 || i.Memory < 1<<20 || i.Local < 1<<10 || i.MaxGroup < 1 || i.Arch != "" {
		t.Errorf("%+v", i)
	}
	t.Logf("%+v", i)
}

func TestTransfers(t *testing.T) {
	d := open(t, device.Config{})
	const n = 1000
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i*7 + 1)
	}
	a, b := alloc(t, d, n), alloc(t, d, n)
	must(t, d.Upload(a, 0, unsafe.Pointer(&data[0]), n))
	must(t, d.Copy(b, 0, a, 0, n))
	want := slices.Clone(data)
	for _, r := range []struct{ offset, n int }{{3, 5}, {16, 32}, {100, 1}, {64, 4}, {n - 24, 24}, {n, 0}} {
		must(t, d.Clear(b, r.offset, r.n))
		clear(want[r.offset:][:r.n])
	}
	must(t, d.Upload(b, 200, unsafe.Pointer(&data[1]), 77))
	copy(want[200:], data[1:][:77])
	must(t, d.Copy(b, 300, a, 150, 90))
	copy(want[300:], data[150:][:90])
	got := make([]byte, n)
	must(t, d.Download(unsafe.Pointer(&got[0]), b, 0, n))
	if !bytes.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	part := make([]byte, 10)
	must(t, d.Download(unsafe.Pointer(&part[0]), b, 203, 10))
	if !bytes.Equal(part, want[203:213]) {
		t.Errorf("got %v, want %v", part, want[203:213])
	}
	must(t, d.Download(nil, b, 0, 0))
	must(t, d.Upload(b, n, nil, 0))

	f, err := d.PrepareFetch(part, b)
	must(t, err)
	clear(part)
	must(t, f.Wait()) // for nothing
	if !bytes.Equal(part, make([]byte, 10)) {
		t.Errorf("got %v of a fetch that has not started", part)
	}
	for _, first := range []byte{7, 8} {
		must(t, d.Upload(b, 0, unsafe.Pointer(&first), 1))
		must(t, f.Start())
		must(t, d.Clear(b, 0, 1)) // later
		must(t, f.Wait())
		if want[0] = first; !bytes.Equal(part, want[:10]) {
			t.Errorf("fetched %v, want %v", part, want[:10])
		}
	}
	must(t, f.Start())
	f.Free()
	f.Free()
	if n := len(d.fetches); n != 0 {
		t.Errorf("%d fetches are not done", n)
	}

	d.Free(a)
	d.Free(a)
	d.Free(0)
	for name, err := range map[string]error{
		"a buffer that was freed": d.Upload(a, 0, unsafe.Pointer(&data[0]), 1),
		"no buffer":               d.Clear(0, 0, 1),
		"beyond the end":          d.Download(unsafe.Pointer(&got[0]), b, n-1, 2),
		"before the start":        d.Clear(b, -1, 2),
		"copy of too much":        d.Copy(b, 0, b, 0, n+1),
		"copy beyond the end":     d.Copy(b, n-1, b, 0, 2),
		"copy from beyond it":     d.Copy(b, 0, b, n-1, 2),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

const text = `
typedef struct { int start; float by; double to[3]; } params;

kernel void scale(global double *x, int n, double a, params p, local double *tmp, char c) {
	int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0);
	tmp[l] = i < n ? x[i] : 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (i < n)
		x[i] = a * tmp[s - 1 - l] + p.start + p.by + p.to[2] + c;
}

kernel void add(global int *x, int by) {
	x[get_global_id(0)] += by;
}
`

func TestKernel(t *testing.T) {
	d := open(t, device.Config{})
	k := kernelOf(t, compile(t, d, "scale", text), "scale")
	const n, groups, size = 64, 4, 16
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i)
	}
	b := alloc(t, d, 8*n)
	count, a, c := int32(n), 2.0, int8(-3)
	p := struct {
		start int32
		by    float32
		to    [3]float64
	}{1, 0.5, [3]float64{0, 0, 7}}
	args := []device.Arg{arg(&b), arg(&count), arg(&a), arg(&p), {Size: 8 * size}, arg(&c)}
	want := slices.Clone(x)
	launch := func(size int) {
		t.Helper()
		must(t, d.Upload(b, 0, unsafe.Pointer(&x[0]), 8*n))
		args[4].Size = 8 * size
		must(t, k.Launch(n/size, size, 0, args))
		got := make([]float64, n)
		must(t, d.Download(unsafe.Pointer(&got[0]), b, 0, 8*n))
		for i := range want {
			want[i] = x[i]
			if i < int(count) {
				from := i/size*size + size - 1 - i%size
				value := 0.0
				if from < int(count) {
					value = x[from]
				}
				want[i] = a*value + float64(p.start) + float64(p.by) + p.to[2] + float64(c)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got  %v\nwant %v", got, want)
		}
	}
	launch(size)
	// Unchanged arguments are kept, changed ones are set, whatever their size.
	a = -1
	launch(size)
	count, c = 50, 9
	launch(8)
	p.to[2] = math.Pi
	launch(size)
	// A buffer may get the handle of a freed one.
	d.Free(b)
	b = alloc(t, d, 8*n)
	launch(size)

	if f := k.Figures(); f.Registers != -1 || f.MaxGroup < size || f.Local < 0 || f.Spilled < 0 {
		t.Errorf("figures %+v", f)
	}
	for name, err := range map[string]error{
		"too few arguments": k.Launch(1, size, 0, args[:5]),
		"no groups":         k.Launch(0, size, 0, args),
		"no size":           k.Launch(1, 0, 0, args),
		"argument of a wrong size": k.Launch(1, size, 0, slices.Concat(args[:1],
			[]device.Arg{{Value: unsafe.Pointer(&a), Size: 8}}, args[2:])),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	launch(size)
	var e *device.Error
	if err := k.Launch(1, 1<<20, 0, args); !errors.As(err, &e) || e.Call != "clEnqueueNDRangeKernel" || e.Code != "CL_INVALID_WORK_GROUP_SIZE" || e.Lost {
		t.Errorf("too large a group: %v", err)
	}
}

func TestTiming(t *testing.T) {
	d := open(t, device.Config{})
	k := kernelOf(t, compile(t, d, "scale", text), "add")
	const n = 1 << 20
	b, by := alloc(t, d, 4*n), int32(2)
	args := []device.Arg{arg(&b), arg(&by)}
	if _, err := d.End(); err == nil {
		t.Error("End without Begin: no error")
	}
	timed := func(launches int) device.Timing {
		must(t, d.Begin())
		if err := d.Begin(); err == nil {
			t.Error("Begin twice: no error")
		}
		for range launches {
			must(t, k.Launch(n/64, 64, 0, args))
		}
		timing, err := d.End()
		must(t, err)
		return timing
	}
	must(t, d.Clear(b, 0, 4*n))
	all := []device.Timing{timed(0), timed(1), timed(2), timed(50)}
	for i, timing := range all {
		elapsed, err := timing.Elapsed()
		must(t, err)
		if again, err := timing.Elapsed(); again != elapsed || err != nil {
			t.Errorf("asked again: %v, %v; %v before", again, err, elapsed)
		}
		if (elapsed > 0) != (i > 0) {
			t.Errorf("timing %d: %v", i, elapsed)
		}
		t.Logf("timing %d: %v", i, elapsed)
	}
	if len(d.timings) != 0 {
		t.Errorf("%d timings still hold events", len(d.timings))
	}
	var sum [2]int32
	must(t, d.Download(unsafe.Pointer(&sum), b, 4*(n-2), 8))
	if sum != [2]int32{106, 106} {
		t.Errorf("got %v, want 106", sum)
	}
}

// What is queued in a batch runs without another call, also before an error.
func TestBatch(t *testing.T) {
	d := open(t, device.Config{})
	k := kernelOf(t, compile(t, d, "scale", text), "add")
	b, by := alloc(t, d, 4*64), int32(2)
	args := []device.Arg{arg(&b), arg(&by)}
	must(t, d.Clear(b, 0, 4*64))
	errQueue := errors.New("queue")
	for _, want := range []error{nil, errQueue} {
		must(t, d.Begin())
		err := d.Batch(func() error {
			for range 3 {
				must(t, k.Launch(1, 64, 0, args))
			}
			return want
		})
		if !errors.Is(err, want) || d.batch != noBatch {
			t.Errorf("err = %v, want %v; batch %d", err, want, d.batch)
		}
		timing, err := d.End()
		must(t, err)
		elapsed, err := timing.Elapsed()
		must(t, err)
		if elapsed <= 0 {
			t.Errorf("it took %v", elapsed)
		}
	}
	must(t, d.Batch(func() error { return nil }))
	var first int32
	must(t, d.Download(unsafe.Pointer(&first), b, 0, 4))
	if first != 12 {
		t.Errorf("got %d, want 12", first)
	}
}

func TestCompileError(t *testing.T) {
	d := open(t, device.Config{})
	source := device.Source{Name: "res_calc", Text: "kernel void f(global int *x) {\n\tx[0] = y + 1;\n}\n", Flags: []string{"-DN=3"}}
	for range 2 {
		p := d.Build(source)
		err := p.Wait()
		var e *jit.CompileError
		if !errors.As(err, &e) {
			t.Fatalf("got %v", err)
		}
		if e.Name != "res_calc" || !strings.Contains(e.Reason, "undeclared identifier 'y'") || strings.Contains(e.Reason, "\n") ||
			!strings.HasPrefix(e.Compiler.Path, "OpenCL compiler of ") || e.Compiler.Version == "" ||
			!slices.Equal(e.Flags, []string{"-cl-std=CL1.2", "-w", "-DN=3"}) || e.Source != source.Text || !strings.Contains(e.Log, e.Reason) {
			t.Errorf("%#v", e)
		}
		if d.unit.platformName == "Portable Computing Language" && !strings.Contains(e.Reason, "res_calc.cl:2:") {
			t.Errorf("reason %s", e.Reason)
		}
		if _, err := p.Kernel("f"); !errors.As(err, &e) {
			t.Errorf("kernel of it: %v", err)
		}
		p.Release()
	}
	if started, done := d.progress.Count(); started != 2 || done != 2 {
		t.Errorf("compiled %d times, want a new attempt for each", started)
	}
	p := compile(t, d, "scale", text)
	if _, err := p.Kernel("missing"); err == nil || !strings.Contains(err.Error(), "kernel missing of scale: ") ||
		!strings.Contains(err.Error(), "CL_INVALID_KERNEL_NAME") {
		t.Errorf("missing kernel: %v", err)
	}
}

// A build that fails for reasons other than its source is tried once more; one with a mistake is
// not.
func TestBuildAgain(t *testing.T) {
	d := open(t, device.Config{})
	build := d.clBuildProgram
	calls, failures := 0, 1
	d.clBuildProgram.Address = purego.NewCallback(func(program, n, devices, options, notify, data uintptr) uintptr {
		if calls++; calls <= failures {
			failed := int32(-11)
			return uintptr(uint32(failed))
		}
		return build.Call(program, n, devices, options, notify, data)
	})
	defer func() { d.clBuildProgram = build }()
	for _, test := range []struct {
		text            string
		failures, calls int
		reason          string
	}{
		{"kernel void a(global int *x) {}", 1, 2, ""},
		{"kernel void b(global int *x) {}", 2, 2, "clBuildProgram: CL_BUILD_PROGRAM_FAILURE"},
		{"kernel void c(global int *x) { y; }", 0, 1, "undeclared identifier 'y'"},
	} {
		calls, failures = 0, test.failures
		p := d.Build(device.Source{Name: "again", Text: test.text})
		err := p.Wait()
		if calls != test.calls || (err == nil) != (test.reason == "") || err != nil && !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: built %d times, %v, want %d times, %q", test.text, calls, err, test.calls, test.reason)
		}
		p.Release()
	}
}

// memory is a device.Cache.
type memory struct {
	sync.Mutex
	images       map[string][]byte
	loads, keeps int
}

func (m *memory) Load(name string, key ...string) ([]byte, bool) {
	m.Lock()
	defer m.Unlock()
	image, ok := m.images[name+strings.Join(key, "\x00")]
	if ok {
		m.loads++
	}
	return image, ok
}

func (m *memory) Keep(name, source string, image []byte, key ...string) {
	m.Lock()
	defer m.Unlock()
	m.images[name+strings.Join(key, "\x00")] = image
	m.keeps++
}

func TestCache(t *testing.T) {
	c := &memory{images: map[string][]byte{}}
	var reports []string
	run := func(wantLoads, wantKeeps, wantCompiled int) {
		t.Helper()
		reports = nil
		d := open(t, device.Config{Cache: c, Progress: func(name string, started, done int) {
			reports = append(reports, fmt.Sprintf("%s %d %d", name, started, done))
		}})
		k := kernelOf(t, compile(t, d, "add", text), "add")
		b, by := alloc(t, d, 4), int32(5)
		must(t, d.Clear(b, 0, 4))
		must(t, k.Launch(1, 1, 0, []device.Arg{arg(&b), arg(&by)}))
		var got int32
		must(t, d.Download(unsafe.Pointer(&got), b, 0, 4))
		if got != 5 {
			t.Errorf("got %d, want 5", got)
		}
		if c.loads != wantLoads || c.keeps != wantKeeps || len(reports) != 2*wantCompiled {
			t.Errorf("%d loads, %d keeps, progress %q; want %d, %d, %d", c.loads, c.keeps, reports, wantLoads, wantKeeps, wantCompiled)
		}
		must(t, d.Close())
	}
	run(0, 1, 1)
	if want := []string{"add 1 0", "add 1 1"}; fmt.Sprint(reports) != fmt.Sprint(want) {
		t.Errorf("progress %q, want %q", reports, want)
	}
	run(1, 1, 0)
	for key := range c.images {
		if !strings.HasPrefix(key, "addopencl\x00OpenCL ") || !strings.HasSuffix(key, "\x00-cl-std=CL1.2 -w\x00"+text) || strings.Count(key, "\x00") != 5 {
			t.Errorf("key %q", key)
		}
		c.images[key] = []byte("no binary")
	}
	run(2, 2, 1)
	for key := range c.images {
		c.images[key] = nil
	}
	run(3, 3, 1)
}

// The cache on disk works, too.
func TestDiskCache(t *testing.T) {
	dir := t.TempDir()
	for i, compiled := range []int{1, 0} {
		d := open(t, device.Config{Cache: jit.NewPrograms(dir, func(text string) { t.Error(text) })})
		kernelOf(t, compile(t, d, "add", text), "add")
		if started, _ := d.progress.Count(); started != compiled {
			t.Errorf("start %d: compiled %d times, want %d", i, started, compiled)
		}
		entries, err := jit.Entries(dir)
		if err != nil || len(entries) != 1 || entries[0].Name != "add" || !strings.Contains(entries[0].Compiler, d.Info().Name) {
			t.Errorf("entries %+v, %v", entries, err)
		}
	}
}

func TestSharedPrograms(t *testing.T) {
	d := open(t, device.Config{})
	s := device.Source{Name: "add", Text: text}
	first, second := d.Build(s), d.Build(s)
	must(t, first.Wait())
	must(t, second.Wait())
	if started, _ := d.progress.Count(); started != 1 {
		t.Errorf("compiled %d times, want 1", started)
	}
	one, two := kernelOf(t, first, "add"), kernelOf(t, second, "add")
	first.Release()
	first.Release()
	b, by := alloc(t, d, 4), int32(5)
	args := []device.Arg{arg(&b), arg(&by)}
	if err := one.Launch(1, 1, 0, args); !errors.Is(err, errReleased) {
		t.Errorf("launch after Release: %v", err)
	}
	if _, err := first.Kernel("add"); !errors.Is(err, errReleased) {
		t.Errorf("kernel after Release: %v", err)
	}
	must(t, two.Launch(1, 1, 0, args))
	second.Release()
	must(t, compile(t, d, "add", text).Wait())
	if started, _ := d.progress.Count(); started != 2 {
		t.Errorf("compiled %d times, want again after all released it", started)
	}
	// Released and closed while it is being compiled.
	d.Build(device.Source{Name: "late", Text: text + "\n"}).Release()
	for i := range 5 {
		d.Build(device.Source{Name: "late", Text: fmt.Sprintf("%s// %d\n", text, i)})
	}
	must(t, d.Close())
}

func TestOutOfMemory(t *testing.T) {
	d := open(t, device.Config{})
	u := d.unit
	before := u.allocated.Load()
	b := alloc(t, d, 1000)
	existing := before + 1000
	if u.allocated.Load() != existing {
		t.Fatalf("%d bytes are allocated, want %d", u.allocated.Load(), existing)
	}
	refused := func(n int, existing int64) {
		t.Helper()
		_, err := d.Alloc(n)
		var e *device.OutOfMemoryError
		if !errors.As(err, &e) || *e != (device.OutOfMemoryError{Device: u.info.Name, Bytes: n, Existing: existing, Total: u.info.Memory}) {
			t.Errorf("Alloc(%d): %v", n, err)
		}
	}
	refused(math.MaxInt/2, existing)
	refused(math.MaxInt, existing)
	refused(int(u.info.Memory-existing)+1, existing)
	if u.maxAlloc < u.info.Memory {
		refused(int(u.maxAlloc)+1, existing)
	}
	u.allocated.Add(u.info.Memory - existing - 100)
	refused(101, u.info.Memory-100)
	d.Free(alloc(t, d, 100))
	u.allocated.Add(existing + 100 - u.info.Memory)
	d.Free(b)
	alloc(t, d, 0)
	must(t, d.Close())
	if u.allocated.Load() != before {
		t.Errorf("%d bytes are allocated after Close, %d before Open", u.allocated.Load(), before)
	}
}

func TestChoose(t *testing.T) {
	units := []*unit{
		{kind: kindCPU, platformName: "Portable Computing Language", info: device.Info{Name: "pthread-Xeon 7"}},
		{kind: kindAccelerator, platformName: "Boards", info: device.Info{Name: "FPGA"}},
		{kind: kindGPU, platformName: "NVIDIA CUDA", info: device.Info{Name: "RTX 3090"}},
		{kind: kindGPU, platformName: "NVIDIA CUDA", info: device.Info{Name: "RTX 3090"}},
	}
	for _, test := range []struct {
		choice string
		n      int
		want   int // -1: none
	}{
		{"", 4, 2}, {"", 2, 1}, {"", 1, 0},
		{"0", 4, 0}, {" 3 ", 4, 3}, {"3090", 4, 2}, {"4", 4, -1}, {"-1", 4, -1}, {"7", 4, -1},
		{"rtx", 4, 2}, {"portable", 4, 0}, {"PTHREAD", 4, 0}, {"boards", 4, 1}, {"amd", 4, -1},
	} {
		u, err := choose(units[:test.n], test.choice)
		if test.want < 0 {
			var e *ChoiceError
			want := "no OpenCL device \"" + test.choice + "\": it is a number, or a part of the name of a device or its platform; there are\n" +
				"  0: pthread-Xeon 7 (Portable Computing Language)\n  1: FPGA (Boards)\n  2: RTX 3090 (NVIDIA CUDA)\n  3: RTX 3090 (NVIDIA CUDA)"
			if !errors.As(err, &e) || err.Error() != want {
				t.Errorf("%q: %v", test.choice, err)
			}
			continue
		}
		if err != nil || u != units[test.want] {
			t.Errorf("%q of %d: got %v, %v; want %d", test.choice, test.n, u, err, test.want)
		}
	}
}

func TestList(t *testing.T) {
	d := open(t, device.Config{})
	infos, err := List()
	if err != nil || len(infos) == 0 || !slices.Contains(infos, d.Info()) {
		t.Errorf("got %+v, %v", infos, err)
	}
	var e *ChoiceError
	if _, err := Open(device.Config{Choice: "no such device"}); !errors.As(err, &e) || len(e.Devices) != len(infos) {
		t.Errorf("got %v", err)
	}
	for i, info := range infos {
		if one := open(t, device.Config{Choice: fmt.Sprint(i)}); one.Info() != info {
			t.Errorf("device %d is %+v, want %+v", i, one.Info(), info)
		}
	}
}

func TestNotFound(t *testing.T) {
	t.Setenv("LD_LIBRARY_PATH", "/lib/x")
	err := search([]string{"libMissing.so.1", "libMissing.so"}).Find(nil)
	if want := "no OpenCL: looked for libMissing.so.1, libMissing.so in the loader's path (LD_LIBRARY_PATH=/lib/x)\n  hint: " + hint; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	err = notFound("a platform (a driver)", "/etc/OpenCL/vendors", codeError(platformNotFound))
	if want := "no OpenCL: looked for a platform (a driver) in /etc/OpenCL/vendors: CL_PLATFORM_NOT_FOUND_KHR\n  hint: " + hint; err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
	err = notFound("a device", "the platforms "+poclPlatform, nil)
	if want := "no OpenCL: looked for a device in the platforms Portable Computing Language\n" +
		"  hint: PoCL needs a folder that it can write to: set POCL_CACHE_DIR, or XDG_CACHE_HOME"; err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
}

func TestClosed(t *testing.T) {
	d := open(t, device.Config{})
	p := compile(t, d, "add", text)
	k := kernelOf(t, p, "add")
	b, by := alloc(t, d, 4), int32(5)
	args := []device.Arg{arg(&b), arg(&by)}
	must(t, d.Begin())
	must(t, k.Launch(1, 1, 0, args))
	must(t, k.Launch(1, 1, 0, args))
	timing, err := d.End()
	must(t, err)
	must(t, d.Begin())
	must(t, d.Close())
	must(t, d.Close())
	at := unsafe.Pointer(&by)
	_, allocErr := d.Alloc(1)
	_, endErr := d.End()
	_, kernelErr := p.Kernel("add")
	_, elapsedErr := timing.Elapsed()
	for name, err := range map[string]error{
		"Launch": k.Launch(1, 1, 0, args), "Alloc": allocErr, "Upload": d.Upload(b, 0, at, 4), "Download": d.Download(at, b, 0, 4),
		"Copy": d.Copy(b, 0, b, 0, 4), "Clear": d.Clear(b, 0, 4), "Begin": d.Begin(), "End": endErr, "Elapsed": elapsedErr,
		"Finish": d.Finish(), "Build": d.Build(device.Source{Text: text}).Wait(), "Wait": p.Wait(), "Kernel": kernelErr,
	} {
		if !errors.Is(err, errClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
	d.Free(b)
	p.Release()
	d.Build(device.Source{Text: text}).Release()
	if k.Figures().MaxGroup < 1 || d.Info().Name == "" {
		t.Error("figures and info are gone")
	}
}

func TestCodes(t *testing.T) {
	if got := fmt.Sprint(outOfResources, code(-51), code(-12345)); got != "CL_OUT_OF_RESOURCES CL_INVALID_ARG_SIZE error -12345 of OpenCL" {
		t.Errorf("got %s", got)
	}
}

// BenchmarkLaunch launches an empty kernel with 12 arguments, of which some change.
func BenchmarkLaunch(b *testing.B) {
	d := open(b, device.Config{})
	const parameters = "global double *a, global double *b, global double *c, global double *d, global int *e, global int *f, " +
		"global int *g, global int *h, int i, int j, double k, int l"
	k := kernelOf(b, compile(b, d, "empty", "kernel void empty("+parameters+") {}"), "empty")
	var buffers [8]device.Buffer
	args := make([]device.Arg, 12)
	for i := range buffers {
		buffers[i] = alloc(b, d, 64)
		args[i] = arg(&buffers[i])
	}
	i, j, x, l := int32(1), int32(2), 3.0, int32(0)
	args[8], args[9], args[10], args[11] = arg(&i), arg(&j), arg(&x), arg(&l)
	for _, changed := range []int32{0, 1} {
		b.Run(fmt.Sprintf("changed=%d", changed), func(b *testing.B) {
			b.ReportAllocs()
			for n := range b.N {
				l += changed
				must(b, k.Launch(1, 1, 0, args))
				if n%100 == 99 {
					b.StopTimer()
					must(b, d.Finish())
					b.StartTimer()
				}
			}
			must(b, d.Finish())
		})
	}
	b.Run("OpenCL alone", func(b *testing.B) {
		k := k.(*kernel)
		for n := range b.N {
			if c := d.clEnqueueNDRangeKernel.Call(k.launch[:]...); c != 0 {
				b.Fatal(code(c))
			}
			if n%100 == 99 {
				b.StopTimer()
				must(b, d.Finish())
				b.StartTimer()
			}
		}
		must(b, d.Finish())
	})
	b.Run("clFlush", func(b *testing.B) {
		for range b.N {
			d.clFlush.Call(d.onQueue[:]...)
		}
	})
	b.Run("arguments only", func(b *testing.B) {
		b.ReportAllocs()
		k := k.(*kernel)
		for range b.N {
			for i := range args {
				if !k.args[i].is(args[i]) {
					b.Fatal("changed")
				}
			}
		}
	})
	b.Run("Finish", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			must(b, d.Finish())
		}
	})
	b.Run("launch and Finish", func(b *testing.B) {
		for range b.N {
			must(b, k.Launch(1, 1, 0, args))
			must(b, d.Finish())
		}
	})
}
