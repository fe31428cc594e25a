package plan

import (
	"container/list"
	"fmt"
	"slices"
	"sync"
)

// Cache shares plans between loops with the same indirections. It is safe for concurrent use; while
// one goroutine builds a plan, others wait.
type Cache struct {
	mu     sync.Mutex
	limit  int64
	bytes  int64
	recent *list.List // of *cached, most recently used first
	byKey  map[string]*list.Element
	stats  CacheStats
}

// CacheStats counts what a cache did, and what it holds.
type CacheStats struct {
	Hits, Misses int
	Plans        int
	Bytes        int64
}

type cached struct {
	key   string
	maps  []MapID
	plan  *Plan
	bytes int64
}

// NewCache returns a cache that holds at most the given bytes of plans, but always the latest one.
// Plans that loops still use stay alive with the loops.
func NewCache(bytes int64) *Cache {
	return &Cache{limit: bytes, recent: list.New(), byKey: map[string]*list.Element{}}
}

// Get returns the plan of the input: one that was built for an input of the same structure, or a
// new one. Two inputs have the same structure if they have the same range, block size, boundaries and
// request for element colors, and if the same components of the same maps, by ID, collide and are staged
// together, whatever the order of the data and the number of equal data. The values of maps are not
// compared.
func (c *Cache) Get(in *Input) (*Plan, error) {
	if err := in.validate(); err != nil {
		return nil, err
	}
	s := in.structure()
	key := in.key(&s)
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.stats.Hits++
		c.recent.MoveToFront(e)
		return e.Value.(*cached).plan, nil
	}
	c.stats.Misses++
	p, err := in.build(s)
	if err != nil {
		return nil, err
	}
	c.add(&cached{key, s.usedMaps(), p, p.Bytes() + int64(len(key))})
	return p, nil
}

// add inserts a plan as the most recent and drops the least recently used until the rest fit.
func (c *Cache) add(entry *cached) {
	c.byKey[entry.key] = c.recent.PushFront(entry)
	c.bytes += entry.bytes
	for c.bytes > c.limit && c.recent.Len() > 1 {
		c.remove(c.recent.Back())
	}
}

// Drop drops the plans that were built from any of the maps.
func (c *Cache) Drop(maps map[MapID]bool) {
	if len(maps) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.byKey {
		if slices.ContainsFunc(e.Value.(*cached).maps, func(id MapID) bool { return maps[id] }) {
			c.remove(e)
		}
	}
}

// remove removes a plan from the cache.
func (c *Cache) remove(e *list.Element) {
	entry := c.recent.Remove(e).(*cached)
	delete(c.byKey, entry.key)
	c.bytes -= entry.bytes
}

// Stats returns the cache's statistics so far.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Plans, s.Bytes = c.recent.Len(), c.bytes
	return s
}

// key returns a string of everything in the input, other than map values, that determines the plan.
func (in *Input) key(s *structure) string {
	key := fmt.Appendf(nil, "[%d,%d)/%d", in.First, in.Last, in.BlockSize)
	if len(in.Boundaries) > 0 {
		key = fmt.Appendf(key, " at%v", in.Boundaries)
	}
	if in.ElementColors && len(s.colored) > 0 {
		key = append(key, " elements"...)
		if in.ByColor {
			key = append(key, " by color"...)
		}
	}
	for _, id := range s.usedMaps() {
		m := in.mapOf(id)
		key = fmt.Appendf(key, " map %d:%d->%d", id, m.Arity, m.Targets)
	}
	for _, slots := range s.colored {
		key = fmt.Appendf(key, " colored%v", slots)
	}
	for _, slots := range s.staged {
		key = fmt.Appendf(key, " staged%v", slots)
	}
	return string(key)
}
