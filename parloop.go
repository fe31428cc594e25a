package op2

import (
	"errors"
	"slices"
	"unsafe"
)

// ParLoop runs the kernel for every element of a set or a subset: NewLoop, and then
// Compute. The prepared loop is kept, and found again by kernel, set and arguments.
func ParLoop(k *Kernel, over IterationSet, args ...Arg) error {
	set, _ := resolve(over)
	if set == nil || k == nil {
		return errors.New("op2: ParLoop needs a kernel and a set")
	}
	rt := set.rt
	if rt.failed != nil {
		return checkDeclared(loopName(k, over), rt)
	}
	if err := rt.enter(); err != nil {
		return err
	}
	err := rt.parLoop(k, over, args)
	rt.leave()
	return err
}

func (rt *Runtime) parLoop(k *Kernel, over IterationSet, args []Arg) error {
	l := rt.loops.find(k, over, args)
	if l == nil {
		own := slices.Clone(args)
		var err error
		if l, err = newLoop(k, over, own); err != nil {
			return err
		}
		rt.loops.add(k, over, own, l)
	}
	return l.compute()
}

// loopCacheSize is how many loops ParLoop keeps. A program that makes new dats all
// the time would otherwise never let go of the old ones.
const loopCacheSize = 1024

// loopCache finds prepared loops by identity of kernel, set and arguments. The
// oldest goes when it is full.
type loopCache struct {
	byHash map[uint64][]*cachedLoop
	order  []*cachedLoop
	oldest int
}

type cachedLoop struct {
	hash   uint64
	kernel *Kernel
	over   IterationSet
	args   []Arg
	loop   *Loop
}

func (c *loopCache) find(k *Kernel, over IterationSet, args []Arg) *Loop {
	for _, l := range c.byHash[hashLoop(k, over, args)] {
		if l.kernel == k && l.over == over && slices.Equal(l.args, args) {
			return l.loop
		}
	}
	return nil
}

func (c *loopCache) add(k *Kernel, over IterationSet, args []Arg, l *Loop) {
	if c.byHash == nil {
		c.byHash = map[uint64][]*cachedLoop{}
	}
	entry := &cachedLoop{hashLoop(k, over, args), k, over, args, l}
	c.byHash[entry.hash] = append(c.byHash[entry.hash], entry)
	if len(c.order) < loopCacheSize {
		c.order = append(c.order, entry)
		return
	}
	old := c.order[c.oldest]
	c.order[c.oldest] = entry
	c.oldest = (c.oldest + 1) % loopCacheSize
	rest := slices.DeleteFunc(c.byHash[old.hash], func(e *cachedLoop) bool { return e == old })
	if len(rest) == 0 {
		delete(c.byHash, old.hash)
	} else {
		c.byHash[old.hash] = rest
	}
}

// forget lets go of the loops that have the data among their arguments.
func (c *loopCache) forget(d *data) {
	for hash, loops := range c.byHash {
		c.byHash[hash] = slices.DeleteFunc(loops, func(l *cachedLoop) bool {
			return slices.ContainsFunc(l.args, func(a Arg) bool { return a.data == d })
		})
	}
}

// hashLoop mixes addresses, which stay what they are: Go's collector moves nothing,
// and the cache itself keeps alive what it holds.
func hashLoop(k *Kernel, over IterationSet, args []Arg) uint64 {
	set, subset := over.iteration()
	h := mix(uint64(uintptr(unsafe.Pointer(k))), uint64(uintptr(unsafe.Pointer(set))^uintptr(unsafe.Pointer(subset))))
	for i := range args {
		a := &args[i]
		h = mix(h, uint64(uintptr(unsafe.Pointer(a.data))))
		h = mix(h, uint64(uintptr(unsafe.Pointer(a.m)))^uint64(a.access)<<56^uint64(a.component)<<40)
		if a.cols != nil {
			h = mix(h, uint64(uintptr(unsafe.Pointer(a.cols))))
		}
	}
	return h
}

func mix(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
