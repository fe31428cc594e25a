package cuda

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

// each runs a test on a real device and on the stand-in, skipping what is missing, unless
// OP2_REQUIRE requires it.
func each(t *testing.T, test func(t *testing.T, open func() device.Device)) {
	for name, open := range map[string]func(device.Config) (device.Device, error){"cuda": Open, "standin": standin.Open} {
		t.Run(name, func(t *testing.T) {
			if name == "standin" && os.Getenv("OP2_CACHE_DIR") == "" {
				t.Setenv("OP2_CACHE_DIR", t.TempDir())
			}
			test(t, func() device.Device {
				d, err := open(device.Config{})
				var missing *native.NotFoundError
				if errors.As(err, &missing) {
					if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), name) {
						t.Fatalf("%s is required by OP2_REQUIRE, and missing: %v", name, err)
					}
					t.Skipf("no %s: %v", name, err)
				}
				check(t, err)
				return d
			})
		})
	}
}

const bothText = `
struct arguments { const double *x; double *y; int n; double plus[2]; };
extern "C" __global__ void __launch_bounds__(256) scale(const __grid_constant__ arguments a, const double *factor) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < a.n)
		a.y[i] = *factor * a.x[i] + a.plus[i % 2];
}
extern "C" __global__ void sum(const double *x, double *total, int *blocks, int n) {
	extern __shared__ double partial[];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	partial[threadIdx.x] = i < n ? x[i] : 0;
	__syncthreads();
	for (int half = blockDim.x / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			partial[threadIdx.x] += partial[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		atomicAdd(total, partial[0]);
		atomicAdd(blocks, 1);
	}
}
extern "C" __global__ void crash(double *x) { x[-(1ll << 44)] = 1; }
`

func TestBoth(t *testing.T) {
	each(t, func(t *testing.T, open func() device.Device) {
		d := open()
		info := d.Info()
		t.Logf("%+v", info)
		if info.Name == "" || !strings.HasPrefix(info.Arch, "sm_") || info.Units < 1 || info.Memory < 1<<20 || info.Local < 48<<10 || info.MaxGroup < 256 {
			t.Errorf("info %+v", info)
		}
		p := d.Build(device.Source{Name: "both", Text: bothText, Flags: []string{"--fmad=false"}})
		check(t, p.Wait())
		scale := must[device.Kernel](t)(p.Kernel("scale"))
		sum := must[device.Kernel](t)(p.Kernel("sum"))
		t.Logf("scale %+v, sum %+v", scale.Figures(), sum.Figures())
		if scale.Figures().MaxGroup < 256 {
			t.Errorf("groups of at most %d", scale.Figures().MaxGroup)
		}

		const n = 1_600_001 // 13 MB: through pinned memory, in pieces
		x := must[device.Buffer](t)(d.Alloc(8 * n))
		y := must[device.Buffer](t)(d.Alloc(8 * n))
		z := must[device.Buffer](t)(d.Alloc(8 * n))
		factor := must[device.Buffer](t)(d.Alloc(8))
		total := must[device.Buffer](t)(d.Alloc(16))
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(i % 1000)
		}
		three := 3.0
		check(t, d.Upload(x, 0, unsafe.Pointer(&values[0]), 8*n))
		check(t, d.Upload(factor, 0, unsafe.Pointer(&three), 8))
		check(t, d.Clear(total, 0, 16))
		type arguments struct {
			X, Y device.Buffer
			N    int32
			Plus [2]float64
		}
		check(t, d.Begin())
		check(t, scale.Launch((n+255)/256, 256, 0, []device.Arg{arg(arguments{x, y, n, [2]float64{1, 2}}), arg(factor)}))
		check(t, sum.Launch((n+127)/128, 128, 128*8, []device.Arg{arg(y), arg(total), arg(total + 8), arg(int32(n))}))
		timing := must[device.Timing](t)(d.End())
		check(t, d.Copy(z, 0, y, 0, 8*n))
		check(t, d.Clear(y, 0, 8*n))

		var want, got float64
		for i, v := range values {
			want += 3*v + float64(1+i%2)
		}
		var blocks int32
		check(t, d.Download(unsafe.Pointer(&got), total, 0, 8))
		check(t, d.Download(unsafe.Pointer(&blocks), total, 8, 4))
		if got != want || blocks != (n+127)/128 {
			t.Errorf("sum %v of %d blocks, want %v of %d", got, blocks, want, (n+127)/128)
		}
		back := make([]float64, n)
		check(t, d.Download(unsafe.Pointer(&back[1]), z, 8, 8*(n-1)))
		for i := 1; i < n; i++ {
			if back[i] != 3*values[i]+float64(1+i%2) {
				t.Fatalf("value %d is %v", i, back[i])
			}
		}
		last := make([]byte, 8)
		fetch := must[device.Fetch](t)(d.PrepareFetch(last, y))
		check(t, d.Upload(y, 0, unsafe.Pointer(&three), 8))
		check(t, fetch.Start())
		check(t, d.Clear(y, 0, 8))
		check(t, fetch.Wait())
		if got := *(*float64)(unsafe.Pointer(&last[0])); got != three {
			t.Errorf("fetched %v, want %v", got, three)
		}
		fetch.Free()
		check(t, d.Download(unsafe.Pointer(&back[0]), y, 0, 8*n))
		if slices.ContainsFunc(back, func(v float64) bool { return v != 0 }) {
			t.Error("Clear left something")
		}
		if elapsed, err := timing.Elapsed(); elapsed <= 0 || err != nil {
			t.Errorf("timing %v, %v", elapsed, err)
		}

		if _, err := d.Alloc(1 << 50); !errors.As(err, new(*device.OutOfMemoryError)) {
			t.Errorf("a petabyte: %v", err)
		}
		for _, b := range []device.Buffer{x, y, z, factor, total} {
			d.Free(b)
		}
		check(t, d.Finish())
		p.Release()
		check(t, d.Close())
	})
}

// A lost device reports so. The next one that is opened works, unless the driver refuses the whole
// process, as NVIDIA's does after a fault of a kernel; then the error says what to do.
func TestBothLost(t *testing.T) {
	if os.Getenv("OP2_TEST_LOST") == "" {
		process := exec.Command(os.Args[0], "-test.run=^TestBothLost$", "-test.v")
		process.Env = append(os.Environ(), "OP2_TEST_LOST=1")
		out, err := process.CombinedOutput()
		t.Logf("%s", out)
		check(t, err)
		return
	}
	each(t, func(t *testing.T, open func() device.Device) {
		d := open()
		p := d.Build(device.Source{Name: "both", Text: bothText})
		crash := must[device.Kernel](t)(p.Kernel("crash"))
		x := must[device.Buffer](t)(d.Alloc(8))
		check(t, crash.Launch(1, 1, 0, []device.Arg{arg(x)}))
		var lost *device.Error
		if err := d.Finish(); !errors.As(err, &lost) || !lost.Lost || lost.Code != "CUDA_ERROR_ILLEGAL_ADDRESS" {
			t.Errorf("Finish: %v", err)
		}
		p.Release()
		_ = d.Close()

		if strings.HasSuffix(t.Name(), "/cuda") {
			_, err := Open(device.Config{})
			if !errors.As(err, &lost) || !lost.Lost || !strings.Contains(err.Error(), "start the program again") {
				t.Errorf("the next one: %v", err)
			}
			return
		}
		d = open()
		x = must[device.Buffer](t)(d.Alloc(8))
		check(t, d.Clear(x, 0, 8))
		check(t, d.Finish())
		check(t, d.Close())
	})
}

// The source compiles with the real compiler, even if there is no device to run it.
func TestBothText(t *testing.T) {
	c, err := nvrtc.Open(0)
	if err != nil {
		t.Skipf("no nvrtc: %v", err)
	}
	if _, log, err := c.Compile("both.cu", bothText, "sm_90", Flags(device.Source{})); err != nil || len(nvrtc.Warnings(log)) > 0 {
		t.Errorf("%v\n%s", err, log)
	}
}
