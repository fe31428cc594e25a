package opencl

import (
	"strconv"
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
// platform's name, contains the choice. Among equally good ones, each process takes its own.
func choose(units []*unit, choice string) (*unit, error) {
	choice = strings.TrimSpace(choice)
	if n, err := strconv.Atoi(choice); err == nil && n >= 0 && n < len(units) {
		return units[n], nil
	}
	var best []*unit
	for _, u := range units {
		if !u.matches(choice) || isDigit(choice) {
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

// isDigit reports whether a choice can only be meant as a number: the 2 in H200 does not select by
// name.
func isDigit(choice string) bool { return len(choice) == 1 && choice[0] >= '0' && choice[0] <= '9' }

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
