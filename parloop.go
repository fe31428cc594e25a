package op2

import "slices"

// ParLoop runs the kernel for every element of a set or a subset: NewLoop, then Compute. The
// prepared loop is cached, and found again by kernel, set and arguments as long as these are
// reachable.
func ParLoop(k *Kernel, over IterationSet, args ...Arg) error {
	set, _ := resolve(over)
	if set == nil || set.rt == nil || k == nil {
		return incomplete("ParLoop", k)
	}
	rt := set.rt
	if rt.failed != nil {
		return checkDeclared(loopName(k, over), rt)
	}
	if err := rt.enter(); err != nil {
		return err
	}
	defer rt.leave()
	return rt.parLoop(k, over, args...)
}

// parLoop is ParLoop for callers within the runtime.
func (rt *Runtime) parLoop(k *Kernel, over IterationSet, args ...Arg) error {
	rt.dropUnreachable()
	l := rt.loops.find(k, over, args)
	if l == nil {
		var err error
		if l, err = newLoop(k, over, slices.Clone(args)...); err != nil {
			return err
		}
		if err := l.prepare(); err != nil {
			return err
		}
		l.keep, l.over = nil, nil
		rt.loops.add(k, over, args, l)
	}
	return l.compute(over, args)
}
