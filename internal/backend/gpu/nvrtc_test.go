package gpu_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/device"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// NVRTC compiles the sources of products and of copies of rows without a warning.
func TestNVRTC(t *testing.T) {
	c, err := nvrtc.Open(0)
	var missing *native.NotFoundError
	if errors.As(err, &missing) && !slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "nvrtc") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	compile := func(p *codegen.Program, flags ...string) {
		t.Helper()
		if _, log, err := c.Compile(p.Name, p.Text, "sm_90", flags); err != nil || strings.Contains(log, "warning") {
			t.Errorf("%v\n%s\n%s", err, log, p.Text)
		}
	}
	for _, size := range []int{1, 2, 4, 8} {
		compile(device.Rows(size, codegen.CUDA, 256))
		compile(device.Rows(size, codegen.CUDA, 1024), "-Xptxas", "-dlcm=cg", "--maxrregcount=32") // which WithDeviceFlags passes on
	}
	for _, scalar := range []loop.Scalar{loop.Float64, loop.Float32, loop.Int8, loop.Uint64} {
		for _, lanes := range []int{1, 8} {
			for _, soa := range []bool{false, true} {
				o := device.ProductOptions{Dialect: codegen.CUDA, GroupSize: 256, Lanes: lanes, SoAX: soa, SoAY: soa}
				compile(device.Product(scalar, 3, 2, o))
			}
		}
	}
}
