package opencl

import (
	"strings"

	"github.com/go-op2/op2/internal/device"
)

// List returns the OpenCL devices, in the order of their numbers. The error wraps a *native.NotFoundError
// if there are none.
func List() ([]device.Info, error) {
	l, err := load()
	if err != nil {
		return nil, err
	}
	infos := make([]device.Info, len(l.units))
	for i, u := range l.units {
		infos[i] = u.info
	}
	return infos, nil
}

// choose returns the device with that number; otherwise the best of those whose name, or whose
// platform's name, contains the choice.
func choose(units []*unit, choice string) (*unit, error) {
	names := func(u *unit) []string { return []string{u.info.Name, u.platformName} }
	if u, ok := device.Choose(units, choice, names, (*unit).rank); ok {
		return u, nil
	}
	e := &ChoiceError{Choice: strings.TrimSpace(choice)}
	for _, u := range units {
		e.Devices = append(e.Devices, u.info.Name+" ("+u.platformName+")")
	}
	return nil, e
}

func (u *unit) rank() int {
	switch {
	case u.kind&kindGPU != 0:
		return 3
	case u.kind&kindAccelerator != 0:
		return 2
	case u.kind&kindCPU != 0:
		return 1
	}
	return 0
}
