package opencl

import (
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/device"
)

// List is what OpenCL devices there are, in the order of their numbers. The error wraps a *NotFoundError if there are
// none.
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

// choose takes the device of that number; else of those of whose name, or of whose platform's name, the choice is a
// part, the best, of which each process takes its own.
func choose(units []*unit, choice string) (*unit, error) {
	choice = strings.TrimSpace(choice)
	if n, err := strconv.Atoi(choice); err == nil && n >= 0 && n < len(units) {
		return units[n], nil
	}
	var best []*unit
	for _, u := range units {
		if !u.matches(choice) {
			continue
		}
		if len(best) > 0 && u.rank() > best[0].rank() {
			best = nil
		}
		if len(best) == 0 || u.rank() == best[0].rank() {
			best = append(best, u)
		}
	}
	if len(best) > 0 {
		return best[device.Share(len(best))], nil
	}
	e := &ChoiceError{Choice: choice}
	for _, u := range units {
		e.Devices = append(e.Devices, u.info.Name+" ("+u.platformName+")")
	}
	return nil, e
}

func (u *unit) matches(part string) bool {
	part = strings.ToLower(part)
	return strings.Contains(strings.ToLower(u.info.Name), part) || strings.Contains(strings.ToLower(u.platformName), part)
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
