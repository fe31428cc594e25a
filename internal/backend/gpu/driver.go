package gpu

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"weak"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/choice"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/tune"
	"github.com/go-op2/op2/translated"
)

// Driver returns the backend for a kind of device.
func Driver(k Kind) backend.Driver {
	return backend.Driver{Name: k.Name, Summary: k.Summary, Probe: k.probe, Open: k.open}
}

func (k Kind) probe(backend.Config) backend.Report {
	devices, err := k.List()
	if err != nil {
		return backend.Report{Missing: []backend.Item{{What: k.Missing, Detail: err.Error()}}}
	}
	var r backend.Report
	for _, d := range devices {
		r.Found = append(r.Found, backend.Item{What: k.Missing, Detail: d.Name + ", " + d.Driver})
	}
	r.Found = append(r.Found, k.translated()...)
	return r
}

func (k Kind) open(c backend.Config) (backend.Backend, error) {
	limits := tune.DefaultMachine().Device
	e := &engine{kind: k, config: c, limits: limits, arrays: map[arrayKey]weak.Pointer[array]{}, info: device.Info{
		Name: "no device", Local: limits.GroupMemory, MaxGroup: limits.GroupSize, Float64: true, Atomic64: true}, mostItems: choice.MostGroup}
	if c.Static {
		return e, nil
	}
	d, err := k.Open(device.Config{Choice: c.DeviceOf(k.Name), Cache: jit.NewPrograms(c.CacheDir, c.Warn), Progress: c.Progress, WithPTX: k.hasPTX()})
	if err != nil {
		return nil, backend.Unavailable(err)
	}
	e.device, e.info = d, d.Info()
	e.mostItems = e.info.MaxGroup
	e.info.MaxGroup = 1 << (bits.Len(uint(max(1, min(e.info.MaxGroup, limits.GroupSize)))) - 1) // reductions halve groups
	if err := e.newFaults(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return e, nil
}

// hasPTX reports whether the program contains PTX.
func (k Kind) hasPTX() bool {
	return slices.ContainsFunc(translated.ProgramPackages(k.Target(false)), func(p translated.Package) bool { return p.Level != "" })
}

// translated describes what the program contains for devices of the kind.
func (k Kind) translated() (items []backend.Item) {
	for _, cpu := range []bool{false, true} {
		for _, p := range translated.ProgramPackages(k.Target(cpu)) {
			what, level := "translated text", k.Dialect.String()
			switch {
			case p.Level != "":
				what, level = "translated code", "PTX for "+p.Level
			case cpu:
				level += " for processors"
			}
			items = append(items, backend.Item{What: what, Detail: fmt.Sprintf("%s: %d loops, %s", p.Path, len(p.Names), level)})
		}
		if k.Dialect == codegen.CUDA {
			break
		}
	}
	return items
}
