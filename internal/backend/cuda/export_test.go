package cuda

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/cuda/cusparse"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
)

// Stream is the stand-in's stream.
const Stream = 4711

// withContext is a stand-in that lets cuSPARSE work on its memory.
type withContext struct{ device.Device }

func (d *withContext) OpenSparse() (device.Sparse, error) {
	h, err := cusparse.Open(d)
	if err != nil {
		return nil, err
	}
	return h, nil
}

func (d *withContext) Within(f func(stream uintptr, major int) error) error { return f(Stream, 12) }

// Standin returns the backend on a stand-in, with cuSPARSE.
func Standin(name string) backend.Driver {
	return gpu.Driver(gpu.Kind{
		Name: name, Dialect: codegen.CUDA, Missing: "C++ compiler",
		Open: func(c device.Config) (device.Device, error) {
			d, err := standin.Open(c)
			return &withContext{d}, err
		},
		List: func() ([]device.Info, error) { return nil, nil },
	})
}
