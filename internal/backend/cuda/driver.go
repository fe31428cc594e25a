// Package cuda is the backend `cuda`: loops on NVIDIA GPUs.
package cuda

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/cuda"
	"github.com/go-op2/op2/internal/device"
)

// Driver is the backend.
var Driver = gpu.Driver(gpu.Kind{
	Name:    "cuda",
	Summary: "CUDA C++ compiled at run time, on NVIDIA GPUs",
	Dialect: codegen.CUDA,
	Open:    open,
	List:    cuda.List,
	Missing: "NVIDIA GPU",
	Sparse:  openSparse,
})

func open(c device.Config) (device.Device, error) {
	d, err := cuda.Open(c)
	var missing *cuda.NotFoundError
	if errors.As(err, &missing) {
		err = fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	return d, err
}
