// Package cuda is the backend `cuda`: loops on NVIDIA GPUs.
package cuda

import (
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/cuda"
)

// Driver is the backend.
var Driver = gpu.Driver(Kind)

// Kind describes the backend to package gpu.
var Kind = gpu.Kind{
	Name:    "cuda",
	Summary: "CUDA C++ compiled at run time, on NVIDIA GPUs",
	Dialect: codegen.CUDA,
	Open:    cuda.Open,
	List:    cuda.List,
	Missing: "NVIDIA GPU",
}
