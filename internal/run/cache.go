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
	set, subset entity.ID // subset: nil for the whole set
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

// cachedArg is an argument that refers to objects by identity.
type cachedArg struct {
	entity.Arg                                // without objects
	data, m, cols, extruded, counts entity.ID // nil for nil
	placement                       entity.Placement
	mixed                           bool       // it has a part of mixed data
	leftOut                         *cachedArg // that it takes the place of
}

func cachedArgOf(a *entity.Arg) cachedArg {
	c := cachedArg{Arg: *a, placement: a.Placement(), mixed: a.Part != nil}
	c.Data, c.Map, c.Cols, c.Extruded, c.Counts, c.Part, c.LeftOut = nil, nil, nil, nil, nil, nil, nil
	if a.Unknown() { // left out: its objects may be anything
		return c
	}
	c.data, c.m, c.cols, c.extruded, c.counts = a.Data.Tracked(), a.Map.Tracked(), a.Cols.Tracked(), a.Extruded.Tracked(), a.Counts.Tracked()
	if a.LeftOut != nil {
		of := cachedArgOf(a.LeftOut)
		c.leftOut = &of
	}
	return c
}

// arg returns the argument, unless something that it leads to has become unreachable, or it has a part of mixed data.
func (c *cachedArg) arg() (a entity.Arg, ok bool) {
	a = c.Arg
	a.Data, a.Map, a.Cols = entity.At[entity.Data](c.data), entity.At[entity.Map](c.m), entity.At[entity.Map](c.cols)
	a.Extruded, a.Counts = entity.At[entity.Map](c.extruded), entity.At[entity.Map](c.counts)
	ok = !c.mixed && [...]bool{a.Data == nil, a.Map == nil, a.Cols == nil, a.Extruded == nil, a.Counts == nil} ==
		[...]bool{c.data == nil, c.m == nil, c.cols == nil, c.extruded == nil, c.counts == nil}
	if c.leftOut != nil {
		of, there := c.leftOut.arg()
		a.LeftOut, ok = &of, ok && there
	}
	return a, ok
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
	if l.kernel != k || l.set != set.ID() || subset == nil != (l.subset == nil) || subset != nil && l.subset != subset.ID() || l.layers != layersOf(over.Layers) || len(l.args) != len(args) {
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
	if c.Kind != a.Kind || c.Access != a.Access || c.Component != a.Component || c.Single != a.Single || c.Entry != a.Entry || c.Op != a.Op || c.Current != a.Current || c.Fault != a.Fault || c.placement != a.Placement() {
		return false
	}
	if a.Data == nil {
		return c.data == nil
	}
	return c.data == a.Data.ID() && sameMap(c.m, a.Map) && sameMap(c.cols, a.Cols) && sameMap(c.extruded, a.Extruded)
}

func sameMap(id entity.ID, m *entity.Map) bool {
	if m == nil {
		return id == nil
	}
	return id != nil && id == m.ID()
}

// add caches a loop. Its arguments are valid.
func (c *loopCache) add(k *userkernel.Kernel, over entity.Range, args []entity.Arg, l *Loop) {
	if c.byHash == nil {
		c.byHash = map[uint64][]*cachedLoop{}
	}
	over.Layers.Of.Tracked()
	entry := &cachedLoop{hash: hashLoop(k, over, args), kernel: k, set: over.Set.Tracked(), subset: over.Subset.Tracked(), layers: layersOf(over.Layers), loop: l}
	for i := range args {
		entry.args = append(entry.args, cachedArgOf(&args[i]))
	}
	if len(c.order) == loopCacheSize {
		oldest := c.order[0]
		c.order[0], c.order = nil, c.order[1:]
		c.remove(oldest)
	}
	l.cached = entry
	c.byHash[entry.hash] = append(c.byHash[entry.hash], entry)
	c.order = append(c.order, entry)
}

// whole returns what the loop was called with, unless some of it has become unreachable, or is a part of mixed data.
func (l *cachedLoop) whole() (over entity.Range, args []entity.Arg, ok bool) {
	over = entity.Range{Set: entity.At[entity.Set](l.set), Subset: entity.At[entity.Subset](l.subset)}
	over.Layers = entity.Layers{Of: entity.At[entity.Set](l.layers.of), Region: l.layers.region}
	ok = over.Set != nil && (over.Subset != nil) == (l.subset != nil) && (over.Layers.Of != nil) == (l.layers.of != nil)
	for i := range l.args {
		a, there := l.args[i].arg()
		args, ok = append(args, a), ok && there
	}
	return over, args, ok
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
