package cuda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

// fake is a driver without a device, and a compiler whose images are the sources.
type fake struct {
	t       testing.TB
	library *native.Library
	system  system

	mu       sync.Mutex
	compiled int
	archs    []string
}

// fakeDriver is the driver as a library, compiled once.
var fakeDriver = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "op2-fakecuda-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "libfakecuda.so")
	if out, err := exec.Command("cc", "-shared", "-fPIC", "-w", "-g", "-o", path, "testdata/fakecuda.c").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return os.ReadFile(path)
})

// newFake loads the driver, anew for each test, so that no two share state.
func newFake(t testing.TB) *fake {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil || runtime.GOOS != "linux" {
		t.Skipf("no C compiler for a driver: %v", err)
	}
	image, err := fakeDriver()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "libfakecuda.so")
	if err := os.WriteFile(path, image, 0o700); err != nil {
		t.Fatal(err)
	}
	f := &fake{t: t, archs: []string{"sm_70", "sm_80", "sm_86", "sm_90"}}
	if f.library, err = native.Open(path); err != nil {
		t.Fatal(err)
	}
	f.system = system{
		driver:   func() (*driver, error) { return newDriver(f.library) },
		compiler: func(int) (compiler, error) { return f, nil },
		images:   newImages(),
	}
	return f
}

func (f *fake) Version() string          { return "0.1" }
func (f *fake) Archs() ([]string, error) { return f.archs, nil }
func (f *fake) Arguments(arch string, flags []string) []string {
	return append([]string{arch}, flags...)
}

func (f *fake) Compile(name, text, arch string, flags []string) ([]byte, string, error) {
	f.mu.Lock()
	f.compiled++
	f.mu.Unlock()
	if strings.Contains(text, "wrong") {
		return nil, "a warning\n" + name + "(1): error: it is wrong\n", &nvrtc.Error{Call: "nvrtcCompileProgram", Code: nvrtc.ErrorCompilation}
	}
	return []byte(text), "", nil
}

// variable returns one of the driver's variables, which are longs except for fake_failing.
func (f *fake) variable(name string) *int64 {
	f.t.Helper()
	address, err := f.library.Symbol(name)
	if err != nil {
		f.t.Fatal(err)
	}
	return *(**int64)(unsafe.Pointer(&address))
}

// fail makes the next call of a function fail.
func (f *fake) fail(name string, code int64) {
	*f.variable("fake_code") = code
	failing := (*[64]byte)(unsafe.Pointer(f.variable("fake_failing")))
	clear(failing[:])
	copy(failing[:], name)
}

func (f *fake) limit(n int) {
	address, err := f.library.Symbol("fake_limit")
	if err != nil {
		f.t.Fatal(err)
	}
	purego.SyscallN(address, uintptr(n))
}

func (f *fake) open(config device.Config) *Device {
	f.t.Helper()
	d, err := f.system.open(config)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = d.Close() })
	return d
}

// empty checks that everything was released.
func (f *fake) empty() {
	f.t.Helper()
	for _, name := range []string{"fake_contexts", "fake_blocks", "fake_pinned", "fake_events", "fake_streams", "fake_modules", "fake_graphs"} {
		if n := *f.variable(name); n != 0 {
			f.t.Errorf("%s: %d are left", name, n)
		}
	}
}

func arg[T any](v T) device.Arg {
	return device.Arg{Value: unsafe.Pointer(&v), Size: int(unsafe.Sizeof(v))}
}

func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%+v", err)
		}
		return v
	}
}

// check fails the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%+v", err)
	}
}

func TestChoose(t *testing.T) {
	f := newFake(t)
	tests := []struct {
		choice string
		want   device.Info
	}{
		{"", device.Info{Name: "Fake H100", Arch: "sm_90", Units: 8, Local: 232448}},
		{"0", device.Info{Name: "Fake One", Arch: "sm_86", Units: 4, Local: 49152}},
		{"h10", device.Info{Name: "Fake H100", Arch: "sm_90", Units: 8, Local: 232448}},
		{"fake", device.Info{Name: "Fake H100", Arch: "sm_90", Units: 8, Local: 232448}},
		{"one", device.Info{Name: "Fake One", Arch: "sm_86", Units: 4, Local: 49152}},
	}
	for _, test := range tests {
		test.want.Driver, test.want.Memory, test.want.MaxGroup, test.want.Float64, test.want.Atomic64 = "CUDA 12.4", 1<<30, 1024, true, true
		d := f.open(device.Config{Choice: test.choice})
		if got := d.Info(); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.choice, got, test.want)
		}
		check(t, d.Close())
	}
	f.empty()
	for _, choice := range []string{"A100", "2"} {
		_, err := f.system.open(device.Config{Choice: choice})
		want := fmt.Sprintf("no CUDA device %q; there are 0: Fake One, 1: Fake H100\n  hint: ", choice) + deviceHint
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestMissing(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(f *fake)
		want    string
	}{
		{"devices", func(f *fake) { *f.variable("fake_devices") = 0 }, "no CUDA device: cuInit: CUDA_ERROR_NO_DEVICE"},
		{"start", func(f *fake) { f.fail("cuInit", 999) }, "the NVIDIA driver does not start: cuInit: CUDA error 999"},
		{"compiler", func(f *fake) {
			f.system.compiler = func(int) (compiler, error) {
				return nil, &native.NotFoundError{What: "no NVRTC, the compiler of CUDA", Hint: "install it", Names: []string{"libnvrtc.so.12"}, Where: []string{"/nowhere"}}
			}
		}, "Fake H100 was found, but no compiler for it: no NVRTC, the compiler of CUDA: looked for libnvrtc.so.12 in /nowhere"},
		{"architecture", func(f *fake) { f.archs = []string{"sm_80", "sm_100"} },
			"NVRTC 0.1 does not compile for this device's sm_90, but for sm_80, sm_100"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(t)
			test.prepare(f)
			_, err := f.system.open(device.Config{})
			var missing *native.NotFoundError
			if !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), test.want) || !strings.Contains(err.Error(), "\n  hint: ") {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			f.empty()
		})
	}
}

// Without the driver, the error says what was searched for.
func TestInstalled(t *testing.T) {
	infos, err := List()
	var missing *native.NotFoundError
	switch {
	case err == nil:
		t.Logf("%+v", infos)
	case !errors.As(err, &missing) || !strings.Contains(err.Error(), driverName) && !strings.Contains(err.Error(), "device"):
		t.Error(err)
	}
}

func TestTarget(t *testing.T) {
	f := &fake{archs: []string{"sm_50", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100", "sm_103"}}
	for arch, want := range map[string]string{
		"sm_70": "sm_70", "sm_72": "sm_70", "sm_86": "sm_80", "sm_89": "sm_80", "sm_90": "sm_90", "sm_103": "sm_103", "sm_120": "", "sm_60": "",
	} {
		if got, err := target(f, arch); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", arch, got, err, want)
		}
	}
}

// Transfers of all sizes around the size of a piece, from and to odd addresses; the fake driver
// does everything with pinned memory as late as it may.
func TestTransfers(t *testing.T) {
	f := newFake(t)
	d := f.open(device.Config{})
	const most = 3*pieceBytes + 12345
	b := must[device.Buffer](t)(d.Alloc(most + 100))
	c := must[device.Buffer](t)(d.Alloc(most + 100))
	sent, got := make([]byte, most), make([]byte, most)
	for round, n := range []int{0, 1, 7, fewBytes, fewBytes + 1, pieceBytes, pieceBytes + 3, 2 * pieceBytes, 2*pieceBytes + 1, most} {
		for i := range sent {
			sent[i] = byte(i*7 + i>>13 + round)
		}
		clear(got)
		offset := 3 * round
		check(t, d.Upload(b, offset, unsafe.Pointer(&sent[0]), n))
		check(t, d.Copy(c, 0, b, 0, offset+n/2))
		check(t, d.Copy(c, offset+n/2, b, offset+n/2, n-n/2))
		if n > 10 {
			check(t, d.Clear(c, offset+2, 5))
		}
		kept := slices.Clone(sent[:n])
		clear(sent) // the host's memory may change
		check(t, d.Download(unsafe.Pointer(&got[0]), c, offset, n))
		if n > 10 {
			clear(kept[2:7])
		}
		if !slices.Equal(got[:n], kept) || slices.ContainsFunc(got[n:], func(b byte) bool { return b != 0 }) {
			t.Fatalf("%d bytes at %d: they are others", n, offset)
		}
	}
	few := make([]byte, 10)
	fetches := []device.Fetch{must[device.Fetch](t)(d.PrepareFetch(few, b)), must[device.Fetch](t)(d.PrepareFetch(few, b))}
	check(t, fetches[0].Wait()) // for nothing
	check(t, d.Upload(b, 0, unsafe.Pointer(&[]byte("0123456789")[0]), 10))
	for round := range byte(2) {
		check(t, d.Upload(b, 0, unsafe.Pointer(&[]byte{'a' + round}[0]), 1))
		check(t, fetches[0].Start())
		check(t, d.Clear(b, 0, 1)) // later
		check(t, fetches[0].Wait())
		if got, want := string(few), string('a'+round)+"123456789"; got != want {
			t.Errorf("fetched %q, want %q", got, want)
		}
	}
	check(t, fetches[0].Start())
	fetches[0].Free()
	fetches[0].Free()
	check(t, fetches[1].Start()) // closing the device frees it
	if *f.variable("fake_deferred") == 0 || *f.variable("fake_pinned") != 2*pieces+1 {
		t.Error("nothing passed through pinned memory")
	}
	for name, err := range map[string]error{
		"upload":   d.Upload(b, 101, unsafe.Pointer(&sent[0]), most),
		"download": d.Download(unsafe.Pointer(&got[0]), b, -1, 3),
		"copy":     d.Copy(b, 0, c, 0, most+101),
		"copy to":  d.Copy(b, 1, c, 0, most+100),
		"clear":    d.Clear(b+1, 0, 1),
	} {
		var failed *device.Error
		if !errors.As(err, &failed) || !strings.Contains(failed.Code, "CUDA_ERROR_INVALID_VALUE (") || failed.Lost {
			t.Errorf("%s out of bounds: %v", name, err)
		}
	}
	d.Free(b)
	d.Free(c)
	d.Free(0)
	check(t, d.Finish())
	if d.allocated != 0 {
		t.Errorf("%d bytes are allocated", d.allocated)
	}
	check(t, d.Close())
	check(t, d.Close())
	f.empty()
}

// TestFewBytes uploads more than the rooms hold before the device has received any of it.
func TestFewBytes(t *testing.T) {
	f := newFake(t)
	d := f.open(device.Config{})
	const n, most = 5000, 3 * pieces * roomBytes
	b := must[device.Buffer](t)(d.Alloc(most))
	sent, got, few := make([]byte, most), make([]byte, most), make([]byte, n)
	for i := range sent {
		sent[i] = byte(i*7 + i>>13)
	}
	for at := 0; at < most; at += n {
		check(t, d.Upload(b, at, unsafe.Pointer(&few[0]), copy(few, sent[at:])))
	}
	check(t, d.Download(unsafe.Pointer(&got[0]), b, 0, most))
	if !slices.Equal(got, sent) {
		t.Error("the device has other bytes")
	}
	check(t, d.Close())
	f.empty()
}

func TestLaunch(t *testing.T) {
	f := newFake(t)
	d := f.open(device.Config{})
	p := d.Build(device.Source{Name: "loop", Text: "text"})
	check(t, p.Wait())
	k := must[device.Kernel](t)(p.Kernel("fill"))
	if got, want := k.Figures(), (device.Figures{Registers: 42, Spilled: 16, Local: 512, MaxGroup: 768}); got != want {
		t.Errorf("figures %+v, want %+v", got, want)
	}
	b := must[device.Buffer](t)(d.Alloc(80))
	check(t, d.Clear(b, 0, 80))
	value, n := 2.5, int32(10)
	args := []device.Arg{arg(b), {Value: unsafe.Pointer(&value), Size: 8}, {Size: 64}, {Value: unsafe.Pointer(&n), Size: 4}}
	check(t, k.Launch(7, 128, 4096, args))
	launched := (*[3]int64)(unsafe.Pointer(f.variable("fake_launched")))
	if *launched != [3]int64{7, 128, 4096} {
		t.Errorf("launched with %v", *launched)
	}
	value, n = 100, 2 // as they are at the next launch
	check(t, k.Launch(1, 1, 0, args))

	type arguments struct {
		To   device.Buffer
		N    int32
		Plus [2]float64
	}
	add := must[device.Kernel](t)(p.Kernel("add"))
	check(t, add.Launch(1, 1, 0, []device.Arg{arg(arguments{b, 5, [2]float64{1000, 2000}})}))
	got := make([]float64, 10)
	check(t, d.Download(unsafe.Pointer(&got[0]), b, 0, 80))
	if want := []float64{1100, 2101, 1004.5, 2005.5, 1006.5, 7.5, 8.5, 9.5, 10.5, 11.5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}

	check(t, k.Launch(1, 1, 49152-512, args))
	check(t, k.Launch(1, 1, 200<<10, args)) // which must be requested
	check(t, k.Launch(1, 1, 100<<10, args))
	var refused *device.Error
	if err := k.Launch(1, 769, 0, args); !errors.As(err, &refused) || refused.Call != "cuLaunchKernel" || refused.Code != "CUDA_ERROR_INVALID_VALUE" {
		t.Errorf("a large group: %v", err)
	}
	if err := k.Launch(1, 1, 300<<10, args); !errors.As(err, &refused) || refused.Call != "cuFuncSetAttribute" {
		t.Errorf("much shared memory: %v", err)
	}
	if _, err := p.Kernel("missing"); !errors.As(err, &refused) || refused.Code != "CUDA_ERROR_NOT_FOUND" {
		t.Errorf("a missing kernel: %v", err)
	}
	if !testing.Short() { // the race detector makes pools drop items at random
		launchAllocatesNothing(t, d, k, args)
	}
	p.Release()
	p.Release()
	check(t, d.Close())
	f.empty()
}

func launchAllocatesNothing(t *testing.T, d *Device, k device.Kernel, args []device.Arg) {
	t.Helper()
	if allocated := testing.AllocsPerRun(100, func() { check(t, k.Launch(1, 1, 0, args)) }); allocated != 0 {
		t.Errorf("a launch allocates %v times", allocated)
	}
	timed := func() {
		check(t, d.Begin())
		check(t, k.Launch(1, 1, 0, args))
		_, err := must[device.Timing](t)(d.End()).Elapsed()
		check(t, err)
	}
	if allocated := testing.AllocsPerRun(100, timed); allocated > 1 {
		t.Errorf("a launch that is timed allocates %v times, with the timing itself", allocated)
	}
}

// A goroutine may run on threads other than the one the device was opened on.
func TestThreads(t *testing.T) {
	f := newFake(t)
	d := f.open(device.Config{})
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		_, err := d.Alloc(10)
		done <- errors.Join(err, d.Finish())
	}()
	check(t, <-done)
	check(t, d.Close())
	f.empty()
}

func TestOutOfMemory(t *testing.T) {
	f := newFake(t)
	f.limit(1000)
	d := f.open(device.Config{})
	b := must[device.Buffer](t)(d.Alloc(600))
	_, err := d.Alloc(500)
	var full *device.OutOfMemoryError
	if !errors.As(err, &full) || *full != (device.OutOfMemoryError{Device: "Fake H100", Bytes: 500, Existing: 600, Total: 1000}) {
		t.Errorf("%v", err)
	}
	d.Free(b)
	b = must[device.Buffer](t)(d.Alloc(1000))
	f.fail("cuMemFree", 1)
	d.Free(b)
	if err := d.Finish(); err == nil || !strings.Contains(err.Error(), "cuMemFree: CUDA_ERROR_INVALID_VALUE") {
		t.Errorf("a Free that fails: %v", err)
	}
	check(t, d.Finish())
}

func TestLost(t *testing.T) {
	f := newFake(t)
	d := f.open(device.Config{})
	p := d.Build(device.Source{Name: "loop", Text: "text"})
	k := must[device.Kernel](t)(p.Kernel("crash"))
	b := must[device.Buffer](t)(d.Alloc(100))
	check(t, k.Launch(1, 1, 0, nil))
	err := d.Finish()
	var lost *device.Error
	if !errors.As(err, &lost) || !lost.Lost || lost.Code != "CUDA_ERROR_ILLEGAL_ADDRESS" || lost.Call != "cuStreamSynchronize" {
		t.Fatalf("Finish: %v", err)
	}
	_, allocErr := d.Alloc(1)
	_, endErr := d.End()
	_, kernelErr := p.Kernel("fill")
	for name, again := range map[string]error{
		"Alloc": allocErr, "End": endErr, "Kernel": kernelErr, "Begin": d.Begin(), "Launch": k.Launch(1, 1, 0, nil), "Clear": d.Clear(b, 0, 1),
		"Upload": d.Upload(b, 0, unsafe.Pointer(&[1]byte{}), 1), "Finish": d.Finish(),
	} {
		if !errors.As(again, &lost) || !lost.Lost {
			t.Errorf("%s: %v", name, again)
		}
	}
	d.Free(b)
	p.Release()
	check(t, d.Close())
	if n := *f.variable("fake_contexts"); n != 0 {
		t.Errorf("%d contexts are left", n)
	}
	d = f.open(device.Config{}) // a new one works
	must[device.Buffer](t)(d.Alloc(1))
	check(t, d.Close())
}

func TestFailingCalls(t *testing.T) {
	f := newFake(t)
	large := make([]byte, 2*pieceBytes)
	for _, name := range []string{"cuCtxCreate", "cuStreamCreate"} {
		f.fail(name, 1)
		if _, err := f.system.open(device.Config{}); err == nil || !strings.Contains(err.Error(), name+": CUDA_ERROR_INVALID_VALUE") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.empty()
	d := f.open(device.Config{})
	b := must[device.Buffer](t)(d.Alloc(len(large)))
	p := d.Build(device.Source{Name: "loop", Text: "text"})
	upload := func() error { return d.Upload(b, 0, unsafe.Pointer(&large[0]), len(large)) }
	download := func() error { return d.Download(unsafe.Pointer(&large[0]), b, 0, len(large)) }
	kernel := func() error { _, err := p.Kernel("fill"); return err }
	for _, test := range []struct {
		name string
		f    func() error
	}{
		{"cuMemHostAlloc", upload}, {"cuEventCreate", d.Begin}, {"cuMemcpyHtoDAsync", upload}, {"cuEventRecord", upload},
		{"cuMemcpyDtoHAsync", download}, {"cuEventSynchronize", download}, {"cuStreamSynchronize", d.Finish},
		{"cuModuleLoadData", kernel}, {"cuFuncGetAttribute", kernel}, {"cuEventRecord", d.Begin},
	} {
		f.fail(test.name, 1)
		if err := test.f(); err == nil || !strings.Contains(err.Error(), test.name+": CUDA_ERROR_INVALID_VALUE") {
			t.Errorf("%s: %v", test.name, err)
		}
		if err := test.f(); err != nil {
			t.Errorf("%s, again: %v", test.name, err)
		}
	}
	check(t, d.Close())
	f.empty()
}

func TestTiming(t *testing.T) {
	f := newFake(t)
	d := f.open(device.Config{})
	b := must[device.Buffer](t)(d.Alloc(100))
	if _, err := d.End(); err == nil {
		t.Error("End without Begin: no error")
	}
	var timings []device.Timing
	for range maxTimings + 10 {
		check(t, d.Begin())
		check(t, d.Copy(b, 0, b, 0, 10))
		check(t, d.Copy(b, 0, b, 0, 10))
		timings = append(timings, must[device.Timing](t)(d.End()))
	}
	if n := *f.variable("fake_events"); n > 2*maxTimings+4 {
		t.Errorf("%d events for %d timings", n, len(timings))
	}
	for i, timing := range timings {
		for range 2 {
			if elapsed, err := timing.Elapsed(); elapsed != 750_000 || err != nil {
				t.Fatalf("timing %d: %v, %v", i, elapsed, err)
			}
		}
	}
	check(t, d.Begin())
	check(t, d.Begin())
	check(t, d.Close())
	f.empty()
}

// store is a cache in memory.
type store struct {
	mu   sync.Mutex
	kept map[string][]byte
}

func (s *store) Load(_ string, key ...string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	image, ok := s.kept[strings.Join(key, "|")]
	return image, ok
}

func (s *store) Keep(_, _ string, image []byte, key ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[strings.Join(key, "|")] = image
}

func TestBuild(t *testing.T) {
	f := newFake(t)
	cache := &store{kept: map[string][]byte{}}
	var reports []int
	config := device.Config{Cache: cache, Progress: func(_ string, started, done int) { reports = append(reports, started, done) }}
	d, e := f.open(config), f.open(config)
	source := device.Source{Name: "loop", Text: "text", Flags: []string{"--fmad=false"}}

	var programs []device.Program
	for _, d := range []*Device{d, d, e} {
		p := d.Build(source)
		must[device.Kernel](t)(p.Kernel("fill"))
		must[device.Kernel](t)(p.Kernel("add"))
		programs = append(programs, p)
	}
	if f.compiled != 1 || *f.variable("fake_modules") != 2 || !slices.Equal(reports, []int{1, 0, 1, 1}) {
		t.Errorf("%d compilations, %d modules, progress %v", f.compiled, *f.variable("fake_modules"), reports)
	}
	const key = "cuda|0.1|sm_90|--std=c++17|--fmad=false|text"
	if string(cache.kept[key]) != "text" || len(cache.kept) != 1 {
		t.Errorf("cache %q", cache.kept)
	}
	for _, p := range programs {
		p.Release()
	}
	if len(f.system.images.all) != 0 || *f.variable("fake_modules") != 0 {
		t.Errorf("%d images and %d modules are left", len(f.system.images.all), *f.variable("fake_modules"))
	}

	p := d.Build(source)
	must[device.Kernel](t)(p.Kernel("fill"))
	p.Release()
	if f.compiled != 1 {
		t.Errorf("what is in the cache was compiled again")
	}
	cache.kept[key] = []byte("damaged")
	p = d.Build(source)
	must[device.Kernel](t)(p.Kernel("fill"))
	p.Release()
	if f.compiled != 2 || string(cache.kept[key]) != "text" {
		t.Errorf("an image that the driver refuses: %d compilations, cache %q", f.compiled, cache.kept)
	}
	cache.kept[key] = nil
	p = d.Build(source)
	must[device.Kernel](t)(p.Kernel("fill"))
	p = d.Build(device.Source{Name: "loop", Text: "damaged"})
	if _, err := p.Kernel("fill"); err == nil || !strings.Contains(err.Error(), "cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE") {
		t.Errorf("an image that the driver refuses for ever: %v", err)
	}
	check(t, d.Close())
	check(t, e.Close())
}

func TestBuildFails(t *testing.T) {
	f := newFake(t)
	d := f.open(device.Config{})
	for range 2 {
		p := d.Build(device.Source{Name: "loop", Text: "wrong", Flags: []string{"-w"}})
		var refused *jit.CompileError
		if err := p.Wait(); !errors.As(err, &refused) || refused.Reason != "loop.cu(1): error: it is wrong" || refused.Name != "loop" ||
			refused.Source != "wrong" || refused.Compiler.Path != "nvrtc" || refused.Compiler.Version != "0.1" ||
			!slices.Equal(refused.Flags, []string{"sm_90", "--std=c++17", "-w"}) || !strings.HasPrefix(refused.Log, "a warning\n") {
			t.Errorf("%+v", err)
		}
		if _, err := p.Kernel("fill"); !errors.As(err, &refused) {
			t.Errorf("Kernel: %v", err)
		}
		defer p.Release()
	}
	if f.compiled != 2 {
		t.Errorf("%d compilations: what failed is tried again", f.compiled)
	}
}

// Images from the real compiler on the fake driver.
func TestNVRTC(t *testing.T) {
	f := newFake(t)
	c, err := nvrtc.Open(12)
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "nvrtc") {
			t.Fatalf("nvrtc is required by OP2_REQUIRE, and missing: %v", err)
		}
		t.Skipf("no nvrtc: %v", err)
	}
	f.system.compiler = func(int) (compiler, error) { return c, nil }
	d := f.open(device.Config{})
	p := d.Build(device.Source{Name: "loop", Text: `extern "C" __global__ void fill(double *x) { x[threadIdx.x] = 1; }`})
	must[device.Kernel](t)(p.Kernel("fill"))
	p.Release()
	p = d.Build(device.Source{Name: "loop", Text: `extern "C" __global__ void fill(double *x) { x = y; }`})
	var refused *jit.CompileError
	if err := p.Wait(); !errors.As(err, &refused) || refused.Reason != `loop.cu(1): error: identifier "y" is undefined` {
		t.Errorf("%+v", err)
	}
	p.Release()
}

func BenchmarkLaunch(b *testing.B) {
	f := newFake(b)
	d := f.open(device.Config{})
	p := d.Build(device.Source{Name: "loop", Text: "text"})
	k := must[device.Kernel](b)(p.Kernel("nothing"))
	args := []device.Arg{arg(1.5), arg(int32(3)), arg(2.5)}
	b.ReportAllocs()
	for b.Loop() {
		check(b, k.Launch(100, 128, 0, args))
	}
}
