package optest

import (
	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/host"
	"github.com/go-op2/op2/internal/backend/rehearse"
)

// FakeDriver is the backend "test", which keeps data on a device whose memory is Go's: loops run on
// the backend sequential, with the device's addresses.
var FakeDriver = backend.Driver{
	Name: "test", Summary: "a device for tests", Probe: host.Sequential.Probe,
	Open: func(c backend.Config) (backend.Backend, error) {
		b, err := host.Sequential.Open(c)
		if err != nil {
			return nil, err
		}
		k := &FakeDevice{}
		k.Backend = rehearse.New(b.(backend.Multiplier), func(dim int) bool { return dim == 4 }, k, c.Static)
		return k, nil
	},
}

// FakeDevice is a backend that FakeDriver has opened.
type FakeDevice struct {
	*rehearse.Backend
	Given backend.Memory // to the last loop that was prepared
}

// Loop remembers what a loop is given.
func (k *FakeDevice) Loop(_ backend.Spec, m backend.Memory) error {
	k.Given = m
	return nil
}

// Product does nothing.
func (k *FakeDevice) Product(backend.Matrix, bool, bool) error { return nil }
