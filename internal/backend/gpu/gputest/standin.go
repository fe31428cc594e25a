// Package gputest lets tests of any package run loops on devices that the machine need not have:
// the backend `standin` is `cuda` on the stand-in of package standin. It records what it compiles,
// and CheckNVRTC compiles that with NVRTC.
package gputest

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/backend/registry/registrytest"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/cuda/standin"
	"github.com/go-op2/op2/internal/device"
)

// Standin is the name of the backend.
const Standin = "standin"

// StandinDriver is the backend.
var StandinDriver = Driver(Standin, func(c device.Config) (device.Device, error) { return standin.Open(c) })

// Register registers the backend. A test's TestMain calls it.
func Register() { registrytest.Add(StandinDriver) }

// Driver returns a CUDA C++ backend of that name, whose devices open opens.
func Driver(name string, open func(device.Config) (device.Device, error)) backend.Driver {
	return gpu.Driver(gpu.Kind{
		Name: name, Summary: "CUDA C++ on the host's processor, for tests", Dialect: codegen.CUDA, Missing: "C++ compiler",
		Open: func(c device.Config) (device.Device, error) {
			d, err := open(c)
			if err != nil {
				return nil, err
			}
			return &recorder{d}, nil
		},
		List: func() ([]device.Info, error) {
			d, err := standin.Open(device.Config{})
			if err != nil {
				return nil, err
			}
			defer d.Close()
			return []device.Info{d.Info()}, nil
		},
	})
}
