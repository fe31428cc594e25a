package standin

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

// open opens the stand-in; without a C++ compiler it skips the test, unless OP2_REQUIRE requires
// one.
func open(t testing.TB, limits Limits) *Device {
	t.Helper()
	d, err := OpenLimited(device.Config{}, limits)
	var missing *native.NotFoundError
	if errors.As(err, &missing) {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "standin") {
			t.Fatalf("standin is required by OP2_REQUIRE, and missing: %v", err)
		}
		t.Skipf("no standin: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestMain(m *testing.M) {
	os.Exit(func() int {
		if os.Getenv("OP2_CACHE_DIR") == "" {
			dir, err := os.MkdirTemp("", "op2-standin-test-")
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			defer os.RemoveAll(dir)
			os.Setenv("OP2_CACHE_DIR", dir)
		}
		return m.Run()
	}())
}

// build builds a program.
func build(t testing.TB, d *Device, text string) device.Program {
	t.Helper()
	p := d.Build(device.Source{Name: strings.ReplaceAll(t.Name(), "/", "_"), Text: text})
	t.Cleanup(p.Release)
	if err := p.Wait(); err != nil {
		t.Fatalf("%+v", err)
	}
	return p
}

func find(t testing.TB, p device.Program, name string) device.Kernel {
	t.Helper()
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// upload returns a buffer that holds the values.
func upload[T any](t testing.TB, d *Device, values []T) device.Buffer {
	t.Helper()
	n := int(unsafe.Sizeof(values[0])) * len(values)
	b, err := d.Alloc(n)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Upload(b, 0, unsafe.Pointer(&values[0]), n); err != nil {
		t.Fatal(err)
	}
	return b
}

func download[T any](t testing.TB, d *Device, b device.Buffer, n int) []T {
	t.Helper()
	values := make([]T, n)
	if err := d.Download(unsafe.Pointer(&values[0]), b, 0, n*int(unsafe.Sizeof(values[0]))); err != nil {
		t.Fatal(err)
	}
	return values
}

func arg[T any](v T) device.Arg {
	return device.Arg{Value: unsafe.Pointer(&v), Size: int(unsafe.Sizeof(v))}
}

// counted returns n values computed from their indices.
func counted[T any](n int, f func(int) T) []T {
	values := make([]T, n)
	for i := range values {
		values[i] = f(i)
	}
	return values
}

func TestAdd(t *testing.T) {
	d := open(t, Limits{})
	k := find(t, build(t, d, `
#ifndef OP2_STANDIN
typedef long long int64_t;
#endif
extern "C" __global__ void __launch_bounds__(256)
add(const double *__restrict__ a, const float *b, double *c, const int n) {
	int64_t i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}`), "add")
	if f := k.Figures(); f != (device.Figures{Registers: -1, Spilled: -1, Local: 0, MaxGroup: 256}) {
		t.Errorf("figures %+v", f)
	}
	for _, n := range []int32{1, 31, 256, 257, 10007} {
		for _, size := range []int{1, 7, 32, 256} {
			a := upload(t, d, counted(int(n), func(i int) float64 { return float64(i) }))
			b := upload(t, d, counted(int(n), func(i int) float32 { return float32(2 * i) }))
			c := upload(t, d, make([]float64, n))
			if err := k.Launch((int(n)+size-1)/size, size, 0, []device.Arg{arg(a), arg(b), {Size: 8}, arg(c), arg(n)}); err != nil {
				t.Fatal(err)
			}
			for i, v := range download[float64](t, d, c, int(n)) {
				if v != float64(3*i) {
					t.Fatalf("n = %d, groups of %d: value %d is %v", n, size, i, v)
				}
			}
			d.Free(a)
			d.Free(b)
			d.Free(c)
		}
	}
	if d.allocated != 0 || len(d.spans) != 0 {
		t.Errorf("%d bytes are left", d.allocated)
	}
}

// A reduction with barriers, also with the fibers for other processors.
func TestReduction(t *testing.T) {
	for _, flags := range [][]string{nil, {"-DOP2_UCONTEXT", "--fmad=false"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) { testReduction(t, flags) })
	}
}

func testReduction(t *testing.T, flags []string) {
	d := open(t, Limits{})
	p := d.Build(device.Source{Name: "reduce", Flags: flags, Text: `
static __device__ __forceinline__ double square(double x) { return x * x; }
extern "C" __global__ void reduce(const double *x, double *sums, int n) {
	extern __shared__ __align__(16) double partial[];
	__shared__ int seen[3];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		seen[1] = 0;
	partial[threadIdx.x] = i < n ? square(x[i]) : 0;
	__syncthreads();
	atomicAdd(&seen[1], 1);
	for (int half = blockDim.x / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			partial[threadIdx.x] += partial[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		sums[blockIdx.x] = partial[0] + 1000000 * seen[1];
}`})
	defer p.Release()
	if err := p.Wait(); err != nil {
		t.Fatalf("%+v", err)
	}
	k := find(t, p, "reduce")
	const n, size, groups = 1000, 128, 8
	x := upload(t, d, counted(n, func(i int) float64 { return float64(i % 7) }))
	sums := upload(t, d, make([]float64, groups))
	if err := k.Launch(groups, size, size*8, []device.Arg{arg(x), arg(sums), arg(int32(n))}); err != nil {
		t.Fatal(err)
	}
	if f := k.Figures(); f.Local < 6 || f.Local > 64 {
		t.Errorf("figures %+v", f)
	}
	for g, sum := range download[float64](t, d, sums, groups) {
		want := float64(size * 1000000)
		for i := g * size; i < min(n, (g+1)*size); i++ {
			want += float64((i % 7) * (i % 7))
		}
		if sum != want {
			t.Errorf("group %d: %v, want %v", g, sum, want)
		}
	}
}

func TestAtomics(t *testing.T) {
	d := open(t, Limits{})
	k := find(t, build(t, d, `
struct all { int a; unsigned b; unsigned long long c; float d; double e; int low; unsigned high; unsigned wheel; unsigned long long cas; };
extern "C" __global__ void atomics(all *x) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&x->a, -1);
	atomicAdd(&x->b, 1u);
	atomicAdd(&x->c, 1ull << 40);
	atomicAdd(&x->d, 0.5f);
	atomicAdd(&x->e, 0.25);
	atomicMin(&x->low, -i);
	atomicMax(&x->high, (unsigned)i);
	atomicInc(&x->wheel, 6u);
	unsigned long long old = x->cas, assumed;
	do {
		assumed = old;
		old = atomicCAS(&x->cas, assumed, (unsigned long long)__double_as_longlong(max(__longlong_as_double(assumed), (double)i)));
	} while (old != assumed);
}`), "atomics")
	type all struct {
		A     int32
		B     uint32
		C     uint64
		D     float32
		E     float64
		Low   int32
		High  uint32
		Wheel uint32
		CAS   float64
	}
	x := upload(t, d, []all{{}})
	if err := k.Launch(3, 10, 0, []device.Arg{arg(x)}); err != nil {
		t.Fatal(err)
	}
	if got, want := download[all](t, d, x, 1)[0], (all{-30, 30, 30 << 40, 15, 7.5, -29, 29, 30 % 7, 29}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestStruct(t *testing.T) {
	d := open(t, Limits{})
	k := find(t, build(t, d, `
struct arguments { const double *x[2]; int n; double factor[3]; };
extern "C" __global__ void scale(double *y, const __grid_constant__ arguments a, unsigned char plus) {
	int i = threadIdx.x;
	if (i < a.n)
		y[i] = a.x[0][i] * a.factor[i % 3] + a.x[1][i] + plus;
}`), "scale")
	type arguments struct {
		X      [2]device.Buffer
		N      int32
		Factor [3]float64
	}
	a := upload(t, d, []float64{1, 2, 3, 4})
	b := upload(t, d, []float64{10, 20, 30, 40})
	y := upload(t, d, make([]float64, 4))
	err := k.Launch(1, 8, 0, []device.Arg{arg(y), arg(arguments{[2]device.Buffer{a, b}, 4, [3]float64{1, 2, 3}}), arg(uint8(5))})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := download[float64](t, d, y, 4), []float64{16, 29, 44, 49}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name, body string
		want       string
	}{
		{"fine", "x[threadIdx.x] = 0; __syncthreads(); __syncwarp();", ""},
		{"ended before a barrier", "if (threadIdx.x == 3) return;\n__syncthreads();",
			"kernel k, block 0, thread 0 waits at the barrier in line 4, which thread 3 has not reached: it has ended"},
		{"another barrier", "if (threadIdx.x < 5)\n__syncthreads();\nelse __syncthreads();",
			"kernel k, block 0, thread 0 waits at the barrier in line 4, thread 5 at another one in line 5"},
		{"a barrier more", "for (int i = 0; i < 2 + (threadIdx.x == 7); i++)\n__syncthreads();",
			"kernel k, block 0, thread 7 waits at the barrier in line 4, which thread 0 has not reached: it has ended"},
		{"half a warp", "if (threadIdx.x % 2)\n__syncwarp();\n__syncthreads();",
			"kernel k, block 0, thread 1 waits at the barrier in line 4, thread 0 at another one in line 5"},
		{"write behind", "x[n + blockIdx.x] = 0;", "kernel k, block 0, thread 0 writes 8 bytes at 64 in a buffer of 64 bytes"},
		{"write before", "if (blockIdx.x == 1 && threadIdx.x == 6) x[-1] = 0;", "kernel k, block 1, thread 6 writes 8 bytes at -8 in a buffer of 64 bytes"},
		{"read behind", "if (threadIdx.x == 6) x[0] = x[n + 3];", "kernel k, block 0, thread 6 reads 8 bytes at 88 in a buffer of 64 bytes"},
		{"across the end", "if (threadIdx.x == 6) *(double *)((char *)x + 60) = 1;", "kernel k, block 0, thread 6 writes 8 bytes at 60 in a buffer of 64 bytes"},
		{"atomic behind", "if (threadIdx.x == 6) atomicAdd(&x[n], 1.0);", "kernel k, block 0, thread 6 reads 8 bytes at 64 in a buffer of 64 bytes"},
		{"no address", "((int *)16)[threadIdx.x] = 1;", "kernel k, block 0, thread 0 writes 4 bytes at address 0x10, which is in no buffer"},
		{"memset", "memset((char *)x + 4, 1, 64 + n / 100);", "kernel k wrote outside a buffer of 64 bytes"},
		{"dynamic shared memory", "s[threadIdx.x + blockIdx.x] = 0;", "kernel k, block 1, thread 7 writes 4 bytes at 32 in the 32 bytes of shared memory it was launched with"},
		{"before shared memory", "s[(int)threadIdx.x - 1] = 0;", "kernel k, block 0, thread 0 writes 4 bytes at -4 in the 32 bytes of shared memory it was launched with"},
		{"memset of shared memory", "if (threadIdx.x == 1) memset(s, 1, 33 + n / 100);", "kernel k, block 0 has written outside the 32 bytes of shared memory it was launched with"},
		{"index from uninitialized shared memory", "x[s[threadIdx.x]] = 0;", "kernel k, block 0, thread 0 writes 8 bytes at address 0x"},
		{"declared shared memory", "__shared__ int a[3], b[2];\nb[0] = n;\na[threadIdx.x] = b[0];\n__syncthreads();\nx[threadIdx.x] = a[7 - threadIdx.x];", "kernel k, block 0, thread 3 writes 4 bytes at 12 in a of 12 bytes"},
		{"stack", "volatile char large[100000]; for (int i = 0; i < 100000; i++) large[i] = i;", "has used more than its 65856 bytes of stack"},
	}
	var text strings.Builder
	for i, test := range tests {
		fmt.Fprintf(&text, "#line 1\nextern \"C\" __global__ void k%d(double *x, int n) {\nextern __shared__ int s[];\n%s\n}\n", i, test.body)
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := open(t, Limits{})
			p := d.Build(device.Source{Name: "faults", Text: text.String()})
			defer p.Release()
			k := find(t, p, fmt.Sprintf("k%d", i))
			test.want = strings.Replace(test.want, "kernel k", fmt.Sprintf("kernel k%d", i), 1)
			x := upload(t, d, make([]float64, 8))
			if err := k.Launch(2, 8, 32, []device.Arg{arg(x), arg(int32(8))}); err != nil {
				t.Fatal(err)
			}
			err := d.Finish()
			if test.name == "declared shared memory" && d.builder.Compiler().Family == jit.Clang {
				t.Skip("clang leaves nothing free behind these variables")
			}
			if test.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got  %v\nwant %s", err, test.want)
			}
			var lost *device.Error
			if !errors.As(err, &lost) || !lost.Lost {
				t.Errorf("%#v is no lost device", err)
			}
			var to [8]float64
			if again := d.Download(unsafe.Pointer(&to), x, 0, 64); again != err {
				t.Errorf("Download: %v", again)
			}
			if again := d.Close(); again != err {
				t.Errorf("Close: %v", again)
			}
		})
	}
}

// Shared memory is NaN until it is written, anew in each block.
func TestPoison(t *testing.T) {
	d := open(t, Limits{})
	k := find(t, build(t, d, `
extern "C" __global__ void k(int *bad) {
	extern __shared__ float a[];
	__shared__ double b[4];
	if (isnan(a[threadIdx.x]) && isnan(b[threadIdx.x]))
		atomicAdd(bad, 1);
	a[threadIdx.x] = b[threadIdx.x] = 0;
}`), "k")
	bad := upload(t, d, []int32{0})
	if err := k.Launch(5, 4, 16, []device.Arg{arg(bad)}); err != nil {
		t.Fatal(err)
	}
	if n := download[int32](t, d, bad, 1)[0]; n != 20 {
		t.Errorf("%d of 20 values were poisoned", n)
	}
}

func TestLaunchRefused(t *testing.T) {
	d := open(t, Limits{Local: 4096, MaxGroup: 64})
	p := build(t, d, `
extern "C" __global__ void k(double *x, int n) { __shared__ int tile[256]; atomicAdd(&tile[n], 1); }
extern "C" __global__ void __launch_bounds__(16 * 2, 1) bounded(double *x, int n) {}`)
	k, bounded := find(t, p, "k"), find(t, p, "bounded")
	x := upload(t, d, make([]float64, 8))
	good := []device.Arg{arg(x), arg(int32(1))}
	tests := []struct {
		name                 string
		k                    device.Kernel
		groups, size, shared int
		args                 []device.Arg
		want                 string
	}{
		{"fine", k, 1, 64, 2048, good, ""},
		{"large group", k, 1, 65, 0, good, "k: groups of 65, which may have 64"},
		{"bounded", bounded, 1, 33, 0, good, "bounded: groups of 33, which may have 32"},
		{"shared memory", k, 1, 1, 4096, good, "k: 4096 bytes of shared memory and 10"},
		{"no group", k, 0, 1, 0, good, "k: 0 groups of 1 with 0 bytes of shared memory"},
		{"few arguments", k, 1, 1, 0, good[:1], "k: 1 arguments, the kernel has 2 parameters"},
		{"many arguments", k, 1, 1, 0, append(good[:2:2], good[0]), "k: 3 arguments, the kernel has 2 parameters"},
		{"another type", k, 1, 1, 0, []device.Arg{good[0], good[0]}, "k: argument 2 has 8 bytes, the parameter 4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.k.Launch(test.groups, test.size, test.shared, test.args)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), "CUDA_ERROR_INVALID_VALUE ("+test.want)) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	if err := d.Finish(); err != nil {
		t.Errorf("Finish: %v", err)
	}
	if _, err := p.Kernel("missing"); err == nil || !strings.Contains(err.Error(), `CUDA_ERROR_NOT_FOUND (TestLaunchRefused has no extern "C" __global__ void missing)`) {
		t.Errorf("a kernel that is not there: %v", err)
	}
}

func TestMemory(t *testing.T) {
	d := open(t, Limits{Memory: 1000})
	a, err := d.Alloc(600)
	if err != nil {
		t.Fatal(err)
	}
	var full *device.OutOfMemoryError
	if _, err := d.Alloc(401); !errors.As(err, &full) || *full != (device.OutOfMemoryError{Device: Name, Bytes: 401, Existing: 600, Total: 1000}) {
		t.Errorf("too many bytes: %v", err)
	}
	b, err := d.Alloc(400)
	if err != nil {
		t.Fatal(err)
	}
	from := counted(600, func(i int) byte { return byte(i) })
	if err := d.Upload(a, 0, unsafe.Pointer(&from[0]), 600); err != nil {
		t.Fatal(err)
	}
	if err := d.Copy(b, 0, a, 0, 400); err != nil {
		t.Fatal(err)
	}
	if err := d.Clear(b, 3, 5); err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(from[:400])
	clear(want[3:8])
	if err := d.Copy(b, 300, a, 550, 50); err != nil {
		t.Fatal(err)
	}
	copy(want[300:], from[550:])
	if got := download[byte](t, d, b, 400); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	for name, err := range map[string]error{
		"too far":     d.Upload(a, 1, unsafe.Pointer(&from[0]), 600),
		"no buffer":   d.Clear(a+1, 0, 1),
		"copy":        d.Copy(b, 0, a, 0, 401),
		"copy to":     d.Copy(b, 1, a, 0, 400),
		"copy from":   d.Copy(b, 0, a, 201, 400),
		"negative":    d.Download(unsafe.Pointer(&from[0]), a, -1, 2),
		"empty alloc": func() error { _, err := d.Alloc(0); return err }(),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	d.Free(0)
	d.Free(a)
	if c, err := d.Alloc(600); err != nil {
		t.Error(err)
	} else {
		d.Free(c)
	}
	if err := d.Finish(); err != nil {
		t.Error(err)
	}
	d.Free(a)
	if err := d.Finish(); err == nil || !strings.Contains(err.Error(), "is no buffer") {
		t.Errorf("freed twice: %v", err)
	}
}

func TestCompileError(t *testing.T) {
	d := open(t, Limits{})
	const text = "extern \"C\" __global__ void k(double *x) {\n\tx[0] = y;\n}\n"
	p := d.Build(device.Source{Name: "flux", Text: text})
	defer p.Release()
	var refused *jit.CompileError
	if err := p.Wait(); !errors.As(err, &refused) {
		t.Fatalf("%v", err)
	}
	if refused.Source != text || refused.Name != "flux" || !strings.Contains(refused.Reason, "flux.cu:2") || !strings.Contains(refused.Reason, "y") {
		t.Errorf("%s", refused)
	}
	if _, err := p.Kernel("k"); !errors.As(err, &refused) {
		t.Errorf("Kernel: %v", err)
	}
}

func TestTiming(t *testing.T) {
	d := open(t, Limits{})
	if err := d.Begin(); err != nil {
		t.Fatal(err)
	}
	timing, err := d.End()
	if err != nil {
		t.Fatal(err)
	}
	if elapsed, err := timing.Elapsed(); elapsed < 0 || err != nil {
		t.Errorf("%v, %v", elapsed, err)
	}
}

func TestNotFound(t *testing.T) {
	t.Setenv("PATH", "/nowhere")
	_, err := Open(device.Config{})
	const want = "the CUDA stand-in compiles C++: looked for g++, clang++ in PATH (/nowhere)\n  hint: apt install g++ (Debian, Ubuntu), dnf install gcc-c++ (Fedora, RHEL)"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// NVRTC has everything that the header declares.
func TestDialect(t *testing.T) {
	const text = `
#ifndef OP2_STANDIN
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned int uint32_t;
#endif
template <class T> static __device__ T all(T x, T y) {
	int n = 0;
	x += sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + sinh(x) + cosh(x) + tanh(x) + asinh(x) + acosh(x) + atanh(x);
	x += exp(x) + exp2(x) + expm1(x) + log(x) + log2(x) + log10(x) + log1p(x) + sqrt(x) + cbrt(x) + rsqrt(x);
	x += fabs(x) + abs(x) + ceil(x) + floor(x) + round(x) + trunc(x) + rint(x) + nearbyint(x) + erf(x) + erfc(x) + tgamma(x) + lgamma(x) + logb(x);
	x += pow(x, y) + atan2(x, y) + hypot(x, y) + fmod(x, y) + remainder(x, y) + fmin(x, y) + fmax(x, y) + fdim(x, y) + copysign(x, y);
	x += nextafter(x, y) + fma(x, y, x) + ldexp(x, 3) + scalbn(x, 3) + frexp(x, &n) + min(x, y) + max(x, y) + n;
	return x + isnan(x) + isinf(x) + isfinite(x) + signbit(x);
}
extern "C" __global__ void __launch_bounds__(128) k(double *d, float *f, int *i, unsigned *u, long long *l, unsigned long long *ul) {
	d[0] = all(d[1], d[2]) + j0(d[0]) + j1(d[0]) + y0(d[0]) + y1(d[0]) + jn(2, d[0]) + yn(2, d[0]) + exp10(d[0]) + ilogb(d[0]) + pow(d[0], i[0]) + pow(f[0], i[0]);
	sincos(d[0], d + 1, d + 2);
	d[0] += modf(d[1], d + 2) + __fma_rn(d[0], d[1], d[2]) + __dadd_rn(d[0], d[1]) + __dmul_rn(d[0], d[1]) + __ddiv_rn(d[0], d[1]) + __dsqrt_rn(d[0]);
	f[0] = all(f[1], f[2]) + sqrtf(f[0]) + rsqrtf(f[0]) + __fmaf_rn(f[0], f[1], f[2]) + __fadd_rn(f[0], f[1]) + __fmul_rn(f[0], f[1]) + __fdiv_rn(f[0], f[1]);
	l[0] = lround(d[0]) + lrint(d[0]) + llround(d[0]) + llrint(d[0]) + llabs(l[1]) + abs(l[1]) + min(l[0], l[1]) + __double_as_longlong(d[0]);
	d[0] += __longlong_as_double(l[0]) + __int_as_float(i[0]) + __uint_as_float(u[0]) + __ldg(d + 1);
	i[0] = __float_as_int(f[0]) + __float_as_uint(f[0]) + __popc(u[0]) + __popcll(ul[0]) + __clz(i[0]) + __clzll(l[0]) + __ffs(i[0]) + __ffsll(l[0]) + abs(i[1]) + max(u[0], u[1]);
	atomicAdd(i, 1), atomicAdd(u, 1u), atomicAdd(ul, 1ull), atomicAdd(f, 1.f), atomicAdd(d, 1.);
	atomicMin(i, 1), atomicMin(u, 1u), atomicMin(ul, 1ull), atomicMin(l, 1ll), atomicMax(i, 1), atomicMax(u, 1u), atomicMax(ul, 1ull), atomicMax(l, 1ll);
	atomicAnd(i, 1), atomicOr(u, 1u), atomicXor(ul, 1ull), atomicExch(i, 1), atomicExch(u, 1u), atomicExch(ul, 1ull), atomicExch(f, 1.f);
	atomicCAS(i, 1, 2), atomicCAS(u, 1u, 2u), atomicCAS(ul, 1ull, 2ull), atomicSub(i, 1), atomicSub(u, 1u), atomicInc(u, 1u), atomicDec(u, 1u);
	__threadfence();
	__threadfence_block();
	__syncwarp();
	__syncthreads();
	memset(d, 0, sizeof(int64_t) + sizeof(uint64_t) + sizeof(uint32_t) + sizeof(size_t));
	printf("%d %d %d %d", warpSize, gridDim.x, blockDim.y, threadIdx.z);
}`
	build(t, open(t, Limits{}), text)
	c, err := nvrtc.Open(0)
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "nvrtc") {
			t.Fatalf("nvrtc is required by OP2_REQUIRE, and missing: %v", err)
		}
		t.Skipf("no nvrtc: %v", err)
	}
	if _, log, err := c.Compile("all.cu", text, "sm_90", []string{"--std=c++17"}); err != nil {
		t.Errorf("%v\n%s", err, log)
	}
}

// BenchmarkLaunch runs threads without a barrier, and with one.
func BenchmarkLaunch(b *testing.B) {
	d := open(b, Limits{})
	p := build(b, d, `
extern "C" __global__ void plain(double *x) { x[threadIdx.x] = 1; }
extern "C" __global__ void barrier(double *x) { x[threadIdx.x] = 1; __syncthreads(); }`)
	x := upload(b, d, make([]float64, 256))
	for _, name := range []string{"plain", "barrier"} {
		k := find(b, p, name)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := k.Launch(1000, 256, 0, []device.Arg{arg(x)}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256000, "ns/thread")
		})
	}
}
