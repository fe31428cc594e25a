// Package opencl is the backend `opencl`: loops on OpenCL devices.
package opencl

import (
	"errors"
	"fmt"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/opencl"
)

// Driver is the backend.
var Driver = gpu.Driver(Kind)

// Kind describes the backend to package gpu.
var Kind = gpu.Kind{
	Name:    "opencl",
	Summary: "OpenCL C compiled at run time, on any OpenCL device",
	Dialect: codegen.OpenCLC,
	Open:    open,
	List:    opencl.List,
	Missing: "OpenCL device",
}

func open(c device.Config) (device.Device, error) {
	d, err := opencl.Open(c)
	var missing *opencl.NotFoundError
	if errors.As(err, &missing) {
		err = fmt.Errorf("%w: %w", backend.ErrUnavailable, err)
	}
	return d, err
}
