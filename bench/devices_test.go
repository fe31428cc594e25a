package main

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/backend/gpu/gputest"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/internal/opencl"
	"github.com/go-op2/op2/internal/optest"
)

func TestMain(m *testing.M) { optest.Main(m) }

// The whole report, on a mesh of a few cells.
func TestDevices(t *testing.T) {
	for _, k := range []kind{{backend: "opencl", open: opencl.Open}, {backend: gputest.Standin, open: standin.Open}} {
		t.Run(k.backend, func(t *testing.T) {
			var out strings.Builder
			err := k.measure(&out, deviceSettings{cells: []int{72, 600}, turns: 2, quick: true})
			var noDevice *native.NotFoundError
			if errors.As(err, &noDevice) {
				if slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), k.backend) {
					t.Fatal(err)
				}
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Log(out.String())
			for _, want := range []string{
				"device: ", "one element, 8 arguments", "an iteration on 72 cells", "airfoil, 72 cells",
				"staged/auto", "gather/auto", "global-color/auto", "atomic/auto", "of copy", "an iteration with auto/auto, over ",
			} {
				if !strings.Contains(out.String(), want) {
					t.Errorf("there is no %q", want)
				}
			}
		})
	}
}

// Missing devices are reported.
func TestDevicesMissing(t *testing.T) {
	missing := kind{backend: "none", open: func(device.Config) (device.Device, error) { return nil, errors.New("no device") }}
	if err := missing.measure(nil, deviceSettings{}); err == nil || err.Error() != "backend none: no device" {
		t.Errorf("error %v", err)
	}
	if err := devices(nil, deviceSettings{only: "metal"}); err == nil || err.Error() != "-backend metal: expected cuda or opencl" {
		t.Errorf("error %v", err)
	}
}

func TestParseCells(t *testing.T) {
	for _, c := range []struct {
		list string
		want []int
		err  bool
	}{
		{list: ""},
		{list: "43200,720000", want: []int{43200, 720000}},
		{list: "5", err: true},
		{list: "1e6", err: true},
	} {
		got, err := parseCells(c.list)
		if !slices.Equal(got, c.want) || (err != nil) != c.err {
			t.Errorf("%q: %v, %v", c.list, got, err)
		}
	}
}

// The meshes have as many cells as requested, if that number is possible.
func TestNewMesh(t *testing.T) {
	for _, c := range []struct{ cells, want int }{{72, 72}, {6, 9}, {43_200, 43_200}, {100, 99}} {
		m, err := newMesh(c.cells)
		if err != nil || m.Cells() != c.want {
			t.Errorf("%d cells: %v, %v", c.cells, m.Cells(), err)
		}
	}
}
