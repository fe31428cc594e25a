package gpu

import "github.com/go-op2/op2/internal/device"

// queueAll queues everything that a call launches.
func (v *variant) queueAll() error {
	if err := v.resetFinished(); err != nil {
		return err
	}
	v.count = int32(v.groups)
	err := v.launchAll(v.launches, v.args, 0)
	if v.program.LastCombines {
		v.broken = err != nil
		return err
	}
	if err != nil || v.combine == nil {
		return err
	}
	return v.combinePartials(v.groups)
}

// resetFinished zeroes the count of finished groups after a call whose launch was rejected in part.
func (v *variant) resetFinished() error {
	if !v.broken {
		return nil
	}
	if err := v.engine.device.Clear(v.finished, 0, 4); err != nil {
		return err
	}
	v.broken = false
	return nil
}

// launchAll queues launches, whose partial results start at first.
func (v *variant) launchAll(launches []launch, args []device.Arg, first int) error {
	for _, l := range launches {
		v.set(l, first)
		if err := v.kernel.Launch(l.groups, v.size, v.shared, args); err != nil {
			return err
		}
	}
	return nil
}

// set sets the arguments that differ between launches.
func (v *variant) set(l launch, first int) {
	v.offset, v.end, v.before = l.offset, l.end, int32(first)+l.before
}

// combinePartials queues the combination of the first n partial results with the globals.
func (v *variant) combinePartials(n int) error {
	v.count = int32(n)
	return v.combine.Launch(1, v.size, 0, v.combined)
}
