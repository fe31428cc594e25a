// Package opencl is the backend `opencl`: loops on OpenCL devices.
package opencl

import (
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/opencl"
)

// Driver is the backend.
var Driver = gpu.Driver(Kind)

// Kind describes the backend to package gpu.
var Kind = gpu.Kind{
	Name:    "opencl",
	Summary: "OpenCL C compiled at run time, on any OpenCL device",
	Dialect: codegen.OpenCLC,
	Open:    opencl.Open,
	List:    opencl.List,
	Missing: "OpenCL device",
}
