package rehearse

import (
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/gpu"
	"github.com/go-op2/op2/internal/translate/unit"
)

// Of returns the driver of a backend that, where op2 translate requests programs for devices, opens a backend which
// records them: loops then run on the host, by code of their own. Requested are GPUs, or processors.
func Of(d, host backend.Driver, kinds ...gpu.Kind) backend.Driver {
	open := d.Open
	d.Open = func(c backend.Config) (backend.Backend, error) {
		devices, err := unit.ProgramsRequested(c.Translate)
		if err != nil {
			return nil, err
		}
		if c.Static || len(devices) == 0 {
			return open(c)
		}
		cpu := strings.HasSuffix(devices[0], gpu.OfProcessors)
		var all recorders
		for _, k := range kinds {
			if slices.Contains(devices, k.Target(cpu)) {
				r, err := k.NewRecorder(c, cpu)
				if err != nil {
					return nil, err
				}
				all = append(all, r)
			}
		}
		c.Translate, c.Warn = "", func(string) {} // the backend that is recorded does not warn of this one's code
		b, err := host.Open(c)
		if err != nil {
			return nil, err
		}
		return New(b.(backend.Multiplier), func(int) bool { return !cpu }, all, false), nil
	}
	return d
}

// recorders record what each of several kinds of devices compiles.
type recorders []*gpu.Recorder

// Loop records a loop.
func (all recorders) Loop(s backend.Spec, m backend.Memory) error {
	for _, r := range all {
		if err := r.Loop(s, m); err != nil {
			return err
		}
	}
	return nil
}

// Product records a product.
func (all recorders) Product(m backend.Matrix, y, x bool) error {
	for _, r := range all {
		if err := r.Product(m, y, x); err != nil {
			return err
		}
	}
	return nil
}
