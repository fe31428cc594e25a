package gpu_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/opencl"
)

// pretender is a device that claims to be a CPU, or not.
type pretender struct {
	device.Device
	cpu bool
}

func (p *pretender) Info() device.Info {
	i := p.Device.Info()
	i.CPU = p.cpu
	return i
}

// kinds returns the devices of this machine, as CPUs and as GPUs.
func kinds(t testing.TB) map[string]gpu.Kind {
	all := map[string]gpu.Kind{}
	for name, k := range map[string]gpu.Kind{
		"opencl": {Dialect: codegen.OpenCLC, Open: opencl.Open}, "standin": {Dialect: codegen.CUDA, Open: standin.Open},
	} {
		d, err := k.Open(device.Config{})
		if err != nil {
			if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), name) {
				t.Fatal(err)
			}
			t.Logf("no %s: %v", name, err)
			continue
		}
		d.Close()
		for what, cpu := range map[string]bool{"/cpu": true, "/gpu": false} {
			as := k
			as.Open = func(c device.Config) (device.Device, error) {
				d, err := k.Open(c)
				return &pretender{d, cpu}, err
			}
			all[name+what] = as
		}
	}
	if len(all) == 0 {
		t.Skip("no device")
	}
	return all
}

// open opens a backend.
func open(t testing.TB, k gpu.Kind, c backend.Config) backend.DeviceBackend {
	t.Helper()
	b, err := gpu.Driver(k).Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b.(backend.DeviceBackend)
}

// values are values on the host and on a device.
type values[T any] struct {
	host   []T
	mirror *device.Mirror
}

func newValues[T any](d device.Device, host []T, dim int, moved *device.Transfers) *values[T] {
	shape := device.Shape{Elements: len(host) / dim, Dim: dim, Size: int(unsafe.Sizeof(*new(T)))}
	return &values[T]{host, device.NewMirror(d, shape, func() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(host)) }, true, moved)}
}

func (v *values[T]) vector(soa bool) backend.Vector {
	return backend.Vector{Mirror: v.mirror, SoA: soa}
}

// system is a random matrix of small integers, so that products are exact in any order.
type system[T int32 | float32 | float64] struct {
	matrix     backend.Matrix
	a, x, y    *values[T]
	want       []T
	moved      device.Transfers
	strategies []string
}

const systemCols = 40

// newSystem puts most nonzeros into a few of the rows; nonzeros is the maximum for a row.
func newSystem[T int32 | float32 | float64](d device.Device, scalar loop.Scalar, rows, rowDim, colDim, nonzeros int) *system[T] {
	random := rand.New(rand.NewPCG(uint64(rows), uint64(rowDim)))
	small := func() T { return T(random.IntN(19) - 9) }
	s := &system[T]{want: make([]T, rows*rowDim)}
	s.matrix = backend.Matrix{Scalar: scalar, RowDim: rowDim, ColDim: colDim, RowPtr: []int32{0}, ColIdx: []int32{}, Cols: systemCols,
		ReportTime: func(time.Duration) {}, ReportHow: func(how string) { s.strategies = append(s.strategies, how) }}
	x, y, a := make([]T, systemCols*colDim), make([]T, rows*rowDim), []T{}
	for i := range x {
		x[i] = small()
	}
	for r := range rows {
		n := random.IntN(3) * random.IntN(1+nonzeros*(r%5)/4)
		for _, c := range random.Perm(systemCols)[:min(n, systemCols)] {
			s.matrix.ColIdx = append(s.matrix.ColIdx, int32(c))
			for j := range colDim {
				for i := range rowDim {
					v := small()
					a = append(a, v)
					s.want[r*rowDim+i] += v * x[c*colDim+j]
				}
			}
		}
		s.matrix.RowPtr = append(s.matrix.RowPtr, int32(len(s.matrix.ColIdx)))
	}
	s.a, s.x, s.y = newValues(d, a, rowDim*colDim, &s.moved), newValues(d, x, colDim, &s.moved), newValues(d, y, rowDim, &s.moved)
	s.matrix.Mirror = s.a.mirror
	return s
}

// aos and layouts say which of y and x are stored component by component.
var (
	aos     = [][2]bool{{false, false}}
	layouts = [][2]bool{{false, false}, {true, false}, {true, true}, {false, true}}
)

// check multiplies, with the vectors in each of those layouts in turn.
func (s *system[T]) check(t *testing.T, b backend.DeviceBackend, layouts [][2]bool) {
	t.Helper()
	p, err := b.(backend.Multiplier).PrepareProduct(s.matrix)
	if err == nil {
		err = p.Ready()
	}
	if err != nil {
		t.Fatalf("%+v", err)
	}
	for _, soa := range layouts {
		for i := range s.y.host {
			s.y.host[i] = -99
		}
		if err := p.Run(s.y.vector(soa[0]), s.x.vector(soa[1])); err != nil {
			t.Fatalf("%+v", err)
		}
		before := s.moved
		if err := p.Run(s.y.vector(soa[0]), s.x.vector(soa[1])); err != nil {
			t.Fatalf("%+v", err)
		}
		if s.moved != before {
			t.Errorf("the second time has moved something: %+v, before %+v", s.moved, before)
		}
		if err := s.y.mirror.Host(true); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.y.host, s.want) {
			t.Fatalf("y, x as SoA: %v: got %v\nwant %v", soa, s.y.host, s.want)
		}
	}
}

// Products of random matrices of small integers, exact in any order.
func TestProduct(t *testing.T) {
	for name, kind := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, kind, backend.Config{CacheDir: t.TempDir()})
			for _, rows := range []int{0, 1, 5, 1000} {
				for _, nonzeros := range []int{0, 40} {
					t.Run(fmt.Sprint(rows, nonzeros), func(t *testing.T) {
						newSystem[float64](b.Device(), loop.Float64, rows, 1, 1, nonzeros).check(t, b, layouts)
						newSystem[float64](b.Device(), loop.Float64, rows, 3, 2, nonzeros).check(t, b, aos)
					})
				}
			}
			newSystem[int32](b.Device(), loop.Int32, 70, 2, 3, 9).check(t, b, layouts)
			newSystem[int32](b.Device(), loop.Int32, 70, 2, 3, 40).check(t, b, layouts[2:3])
			newSystem[float32](b.Device(), loop.Float32, 50, 1, 4, 9).check(t, b, layouts[1:2])
			newSystem[float32](b.Device(), loop.Float32, 50, 4, 1, 9).check(t, b, aos)
		})
	}
}

// On a CPU each work-item has its own rows, on a GPU several share them.
func TestProductStrategy(t *testing.T) {
	for name, kind := range kinds(t) {
		b := open(t, kind, backend.Config{CacheDir: t.TempDir()})
		for _, test := range []struct {
			nonzeros int
			cpu, gpu string
		}{
			{0, "generated, work-items: 1", "generated, work-items for a value: 1"},
			{40, "generated, work-items: 1", "generated, work-items for a value: 8"},
		} {
			s := newSystem[float64](b.Device(), loop.Float64, 500, 1, 1, test.nonzeros)
			if _, err := b.(backend.Multiplier).PrepareProduct(s.matrix); err != nil {
				t.Fatal(err)
			}
			want := test.gpu
			if strings.HasSuffix(name, "/cpu") {
				want = test.cpu
			}
			if !slices.Equal(s.strategies, []string{want}) {
				t.Errorf("%s, %d nonzeros in a row: %q, want %q", name, len(s.matrix.ColIdx)/500, s.strategies, want)
			}
		}
	}
}

// What the device cannot do is rejected, with the reason.
func TestProductErrors(t *testing.T) {
	for name, kind := range kinds(t) {
		single := kind
		single.Open = func(c device.Config) (device.Device, error) {
			d, err := kind.Open(c)
			return &withoutDoubles{d}, err
		}
		b := open(t, single, backend.Config{CacheDir: t.TempDir()})
		_, err := b.(backend.Multiplier).PrepareProduct(newSystem[float64](b.Device(), loop.Float64, 5, 1, 1, 4).matrix)
		if err == nil || !strings.Contains(err.Error(), "has no double precision, in which the matrix is") {
			t.Errorf("%s: got %v", name, err)
		}
		newSystem[float32](b.Device(), loop.Float32, 5, 1, 1, 4).check(t, b, aos)
	}
}

type withoutDoubles struct{ device.Device }

func (d *withoutDoubles) Info() device.Info {
	i := d.Device.Info()
	i.Float64 = false
	return i
}
