package run

import (
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/userkernel"
)

// loopCacheSize is the number of loops that ParLoop caches.
const loopCacheSize = 1024

// loopCache finds prepared loops by kernel, set and arguments. When it is full, the oldest is
// dropped. It does not keep the sets, maps and data of loops alive: once one of them has become
// unreachable, its loops are dropped, and with them the memory that they point into.
type loopCache struct {
	byHash map[uint64][]*cachedLoop
	order  []*cachedLoop // oldest first
}

type cachedLoop struct {
	hash        uint64
	kernel      *userkernel.Kernel
	set, subset entity.ID // subset: 0 for the whole set
	layers      cachedLayers
	args        []cachedArg
	loop        *Loop
}

// cachedLayers are Layers that refer to the extruded set by identity; zero without one.
type cachedLayers struct {
	of     entity.ID
	region loop.Region
}

func layersOf(l entity.Layers) cachedLayers {
	if l.Of == nil {
		return cachedLayers{}
	}
	return cachedLayers{l.Of.ID(), l.Region}
}

// cachedArg is an Arg that refers to objects by identity.
type cachedArg struct {
	kind          loop.Kind
	access        loop.Access
	component     int
	entry         int
	single        int
	op            entity.Operation
	current       bool
	data, m, cols entity.ID // 0 for nil
	extruded      entity.ID
	placement     entity.Placement
}

func (c *loopCache) find(k *userkernel.Kernel, over entity.Range, args []entity.Arg) *Loop {
	for _, l := range c.byHash[hashLoop(k, over, args)] {
		if l.is(k, over, args) {
			return l.loop
		}
	}
	return nil
}

func (l *cachedLoop) is(k *userkernel.Kernel, over entity.Range, args []entity.Arg) bool {
	set, subset := over.Set, over.Subset
	if l.kernel != k || l.set != set.ID() || subset == nil != (l.subset == 0) || subset != nil && l.subset != subset.ID() || l.layers != layersOf(over.Layers) || len(l.args) != len(args) {
		return false
	}
	for i := range args {
		if !l.args[i].is(&args[i]) {
			return false
		}
	}
	return true
}

func (c *cachedArg) is(a *entity.Arg) bool {
	if c.kind != a.Kind || c.access != a.Access || c.component != a.Component || c.single != a.Single || c.entry != a.Entry || c.op != a.Op || c.current != a.Current || a.Fault != entity.Sound || c.placement != a.Placement() {
		return false
	}
	if a.Data == nil {
		return c.data == 0
	}
	return c.data == a.Data.ID() && sameMap(c.m, a.Map) && sameMap(c.cols, a.Cols) && sameMap(c.extruded, a.Extruded)
}

func sameMap(id entity.ID, m *entity.Map) bool {
	if m == nil {
		return id == 0
	}
	return id != 0 && id == m.ID()
}

// add caches a loop. Its arguments are valid.
func (c *loopCache) add(k *userkernel.Kernel, over entity.Range, args []entity.Arg, l *Loop) {
	if c.byHash == nil {
		c.byHash = map[uint64][]*cachedLoop{}
	}
	over.Layers.Of.Tracked()
	entry := &cachedLoop{hash: hashLoop(k, over, args), kernel: k, set: over.Set.Tracked(), subset: over.Subset.Tracked(), layers: layersOf(over.Layers), loop: l}
	for _, a := range args {
		entry.args = append(entry.args, cachedArg{kind: a.Kind, access: a.Access, component: a.Component, single: a.Single, entry: a.Entry, op: a.Op, current: a.Current,
			data: a.Data.Tracked(), m: a.Map.Tracked(), cols: a.Cols.Tracked(), extruded: a.Extruded.Tracked(), placement: a.Placement()})
	}
	if len(c.order) == loopCacheSize {
		oldest := c.order[0]
		c.order[0], c.order = nil, c.order[1:]
		c.remove(oldest)
	}
	c.byHash[entry.hash] = append(c.byHash[entry.hash], entry)
	c.order = append(c.order, entry)
}

// remove removes a loop, already gone from order, from byHash.
func (c *loopCache) remove(l *cachedLoop) {
	rest := slices.DeleteFunc(c.byHash[l.hash], func(e *cachedLoop) bool { return e == l })
	if len(rest) == 0 {
		delete(c.byHash, l.hash)
	} else {
		c.byHash[l.hash] = rest
	}
}

// drop drops the loops that use any of the objects.
func (c *loopCache) drop(objects entity.Objects) {
	c.order = slices.DeleteFunc(c.order, func(l *cachedLoop) bool {
		used := objects[l.set] || objects[l.subset] || objects[l.layers.of] ||
			slices.ContainsFunc(l.args, func(a cachedArg) bool {
				return objects[a.data] || objects[a.m] || objects[a.cols] || objects[a.extruded]
			})
		if used {
			c.remove(l)
		}
		return used
	})
}

// clear drops all loops.
func (c *loopCache) clear() { c.byHash, c.order = nil, nil }

// hashLoop mixes addresses, which Go's collector does not change.
func hashLoop(k *userkernel.Kernel, over entity.Range, args []entity.Arg) uint64 {
	set, subset := over.Set, over.Subset
	h := mix(uint64(uintptr(unsafe.Pointer(k))), uint64(uintptr(unsafe.Pointer(set))^uintptr(unsafe.Pointer(subset))))
	if over.Layers.Of != nil {
		h = mix(h, uint64(uintptr(unsafe.Pointer(over.Layers.Of)))^uint64(over.Layers.Region)<<56)
	}
	for i := range args {
		a := &args[i]
		h = mix(h, uint64(uintptr(unsafe.Pointer(a.Data))))
		h = mix(h, uint64(uintptr(unsafe.Pointer(a.Map)))^uint64(a.Access)<<56^uint64(a.Component+a.Entry)<<40^uint64(a.Single)<<32)
		if a.Cols != nil {
			h = mix(h, uint64(uintptr(unsafe.Pointer(a.Cols))))
		}
		if a.Op.Kernel != nil {
			h = mix(h, uint64(uintptr(unsafe.Pointer(a.Op.Kernel))))
		}
	}
	return h
}

func mix(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}
