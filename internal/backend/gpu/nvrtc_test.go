package gpu_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/loop"
)

// NVRTC compiles the sources of products without a warning.
func TestProductNVRTC(t *testing.T) {
	c, err := nvrtc.Open(0)
	var missing *nvrtc.NotFoundError
	if errors.As(err, &missing) && !slices.Contains(strings.Split(os.Getenv("OP2_REQUIRE"), ","), "nvrtc") {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, scalar := range []loop.Scalar{loop.Float64, loop.Float32, loop.Int8, loop.Uint64} {
		for _, lanes := range []int{1, 8} {
			for _, soa := range []bool{false, true} {
				o := codegen.ProductOptions{Dialect: codegen.CUDA, GroupSize: 256, Lanes: lanes, SoAX: soa, SoAY: soa}
				text := codegen.DeviceProduct(scalar, 3, 2, o).Text
				if _, log, err := c.Compile("product", text, "sm_90", nil); err != nil || strings.Contains(log, "warning") {
					t.Errorf("%v\n%s\n%s", err, log, text)
				}
			}
		}
	}
}
