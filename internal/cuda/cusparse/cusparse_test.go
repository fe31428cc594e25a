package cusparse

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

// fake is a library that works on host memory.
type fake struct {
	t       testing.TB
	path    string
	library *native.Library
}

// newFake compiles and loads the library, anew for each test, so that no two share state.
func newFake(t testing.TB, flags ...string) *fake {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil || runtime.GOOS != "linux" {
		t.Skipf("no C compiler for a library: %v", err)
	}
	f := &fake{t: t, path: filepath.Join(t.TempDir(), "libcusparse.so.12")}
	args := append([]string{"-shared", "-fPIC", "-w", "-g", "-o", f.path, "testdata/fakecusparse.c"}, flags...)
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var err error
	if f.library, err = native.Open(f.path); err != nil {
		t.Fatal(err)
	}
	return f
}

// variable returns one of the library's variables, which are longs except for the texts.
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

// empty checks that everything was released, and that no call was invalid.
func (f *fake) empty() {
	f.t.Helper()
	for _, name := range []string{"fake_handles", "fake_matrices", "fake_vectors"} {
		if n := *f.variable(name); n != 0 {
			f.t.Errorf("%s: %d are left", name, n)
		}
	}
	if wrong := native.Text((*[256]byte)(unsafe.Pointer(f.variable("fake_wrong")))[:]); wrong != "" {
		f.t.Error(wrong)
	}
}

// stream is a context of CUDA 12 with a stream.
type stream uintptr

func (s stream) Within(f func(uintptr, int) error) error { return f(uintptr(s), 12) }

// problem is a matrix and vectors in host memory.
type problem[T float32 | float64] struct {
	first, column []int32
	values, x, y  []T
	workspace     []uint64
	matrix        device.SparseMatrix
}

func newProblem[T float32 | float64]() *problem[T] {
	p := &problem[T]{first: []int32{0, 2, 2, 5}, column: []int32{0, 3, 1, 2, 3}, values: []T{1, 2, 3, 4, 5}, x: []T{1, 10, 100, 1000}, y: []T{-1, -1, -1}}
	p.matrix = device.SparseMatrix{Rows: 3, Cols: 4, Nonzeros: 5, First: address(p.first), Column: address(p.column), Values: address(p.values), Double: unsafe.Sizeof(p.x[0]) == 8}
	return p
}

func (p *problem[T]) allocate(bytes int) (device.Buffer, error) {
	p.workspace = make([]uint64, (bytes+7)/8)
	return address(p.workspace), nil
}

func address[T any](s []T) device.Buffer { return device.Buffer(unsafe.Pointer(unsafe.SliceData(s))) }

func TestMultiply(t *testing.T) {
	for _, flags := range [][]string{nil, {"-DOLD"}} {
		for _, deterministic := range []bool{false, true} {
			f := newFake(t, flags...)
			h, err := open(f.library, stream(77), 77)
			if err != nil {
				t.Fatal(err)
			}
			multiply[float64](f, h, deterministic)
			multiply[float32](f, h, deterministic)
			want := int64(2) // CUSPARSE_SPMV_CSR_ALG1
			if deterministic {
				want = 3 // CUSPARSE_SPMV_CSR_ALG2
			}
			if got := *f.variable("fake_algorithm"); got != want {
				t.Errorf("algorithm %d, want %d", got, want)
			}
			if got := *f.variable("fake_stream"); got != 77 {
				t.Errorf("the stream is %d", got)
			}
			if got := *f.variable("fake_preprocessed"); (got == 2) != (flags == nil) {
				t.Errorf("looked at %d patterns", got)
			}
			if err := h.Close(); err != nil {
				t.Error(err)
			}
			f.empty()
		}
	}
}

func multiply[T float32 | float64](f *fake, h *Handle, deterministic bool) {
	f.t.Helper()
	p := newProblem[T]()
	p.matrix.Deterministic = deterministic
	product, err := h.Prepare(p.matrix, address(p.y), address(p.x), p.allocate)
	if err != nil {
		f.t.Fatal(err)
	}
	check := func(y, x, values []T, want []T) {
		f.t.Helper()
		if err := product.Run(address(y), address(x), address(values)); err != nil {
			f.t.Fatal(err)
		}
		if !slices.Equal(y, want) {
			f.t.Errorf("got %v, want %v", y, want)
		}
	}
	want := []T{2001, 0, 5430}
	check(p.y, p.x, p.values, want)
	pointers := f.variable("fake_pointers")
	before := *pointers
	check(p.y, p.x, p.values, want)
	if *pointers != before {
		f.t.Error("the library was given the addresses of the values again")
	}
	check(slices.Clone(p.y), p.x, p.values, want)
	check(p.y, []T{1, 1, 1, 1}, p.values, []T{3, 0, 12})
	check(p.y, p.x, []T{1, 1, 1, 1, 1}, []T{1001, 0, 1110})
	runtime.KeepAlive(p)
}

// A failure is reported, and leaves nothing behind.
func TestFailures(t *testing.T) {
	for _, call := range []string{"cusparseCreateCsr", "cusparseCreateDnVec", "cusparseSpMV_bufferSize", "cusparseSpMV_preprocess"} {
		f := newFake(t)
		h, err := open(f.library, stream(1), 1)
		if err != nil {
			t.Fatal(err)
		}
		p := newProblem[float64]()
		f.fail(call, 2)
		_, err = h.Prepare(p.matrix, address(p.y), address(p.x), p.allocate)
		if want := call + ": CUSPARSE_STATUS_ALLOC_FAILED"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if n := *f.variable("fake_matrices") + *f.variable("fake_vectors"); n != 0 {
			t.Errorf("%s: %d descriptors are left", call, n)
		}
		full := errors.New("the device is full")
		if _, err = h.Prepare(p.matrix, address(p.y), address(p.x), func(int) (device.Buffer, error) { return 0, full }); err != full {
			t.Errorf("got %v", err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		f.empty()
	}
}

// Unreachable products are released.
func TestForgotten(t *testing.T) {
	f := newFake(t)
	h, err := open(f.library, stream(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	p := newProblem[float64]()
	matrices := f.variable("fake_matrices")
	for range 100 {
		if _, err := h.Prepare(p.matrix, address(p.y), address(p.x), p.allocate); err != nil {
			t.Fatal(err)
		}
	}
	for tries := 0; *matrices > 1; tries++ {
		if tries == 10_000 {
			t.Fatalf("%d matrices are left", *matrices)
		}
		runtime.GC()
		time.Sleep(time.Millisecond)
		if _, err := h.Prepare(p.matrix, address(p.y), address(p.x), p.allocate); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	f.empty()
}

func TestOpen(t *testing.T) {
	f := newFake(t)
	dir := filepath.Dir(f.path)
	text := filepath.Join(t.TempDir(), "libcusparse.so.12")
	if err := os.WriteFile(text, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ variable, want string }{
		{f.path, ""},
		{dir, ""},
		{"0", "OP2_CUSPARSE=0 refuses cuSPARSE"},
		{"/nowhere", "no cuSPARSE that works here: looked for /nowhere (OP2_CUSPARSE)\n" +
			"  hint: pip install nvidia-cusparse-cu12, or the CUDA toolkit; OP2_CUSPARSE names the library, or its folder"},
		{text, "no cuSPARSE that works here: looked for " + text + " (OP2_CUSPARSE): " + text + ": "},
	} {
		t.Setenv("OP2_CUSPARSE", test.variable)
		h, err := Open(stream(5))
		if test.want == "" {
			if err != nil {
				t.Fatal(err)
			}
			if h.Name() != "cuSPARSE 12.5" || h.Path != f.path {
				t.Errorf("%s in %s", h.Name(), h.Path)
			}
			h.Close()
			continue
		}
		var missing *native.NotFoundError
		if !errors.As(err, &missing) || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got  %v\nwant %s", err, test.want)
		}
	}
	t.Setenv("OP2_CUSPARSE", f.path)
	for _, call := range []string{"cusparseCreate", "cusparseSetStream"} {
		f.fail(call, 1)
		_, err := Open(stream(5))
		if want := f.path + ": " + call + ": CUSPARSE_STATUS_NOT_INITIALIZED\n"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	f.empty()
}

func TestSearch(t *testing.T) {
	root := t.TempDir()
	var wheels []string
	for _, wheel := range []string{"nvidia/cusparse/lib", "nvidia/cu13/lib"} {
		dir := filepath.Join(root, wheel)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		wheels = append(wheels, dir)
	}
	t.Setenv("OP2_CUSPARSE", "")
	t.Setenv("PYTHONPATH", root)
	for _, test := range []struct {
		prefer int
		first  string
		wheels []string
	}{{11, "libcusparse.so.11", wheels}, {12, "libcusparse.so.12", wheels}, {13, "libcusparse.so.12", []string{wheels[1], wheels[0]}}} {
		found := search(test.prefer)
		got := slices.DeleteFunc(found.Last, func(dir string) bool { return !strings.HasPrefix(dir, root) })
		if found.Names[0] != test.first || !slices.Equal(got, test.wheels) {
			t.Errorf("%d: %v in %v", test.prefer, found.Names, got)
		}
	}
}

// NVIDIA's own library, if installed, has every function, and creates descriptors without a device.
// A handle needs a device.
func TestInstalled(t *testing.T) {
	if os.Getenv("OP2_CUSPARSE") == "0" {
		t.Skip("OP2_CUSPARSE=0")
	}
	l, err := search(12).Open()
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "cusparse") {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	h, err := open(l, stream(0), 0)
	var failed *Error
	switch {
	case err == nil:
		t.Logf("%s in %s", h.Name(), h.Path)
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	case !errors.As(err, &failed) || failed.Call != "cusparseCreate":
		t.Error(err)
	}
	h = &Handle{alive: map[*descriptors]bool{}}
	if err := l.Bind(&h.functions); err != nil {
		t.Fatal(err)
	}
	p := newProblem[float64]()
	made := &product{handle: h, matrix: p.matrix, x: address(p.x), y: address(p.y), own: &descriptors{}}
	h.alive[made.own] = true
	if err := made.describe(); err != nil {
		t.Error(err)
	}
	h.destroy(made.own)
}
