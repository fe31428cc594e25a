package jit

import (
	"runtime"
	"slices"
	"sync"
)

// A registry holds what the builders of a process share: the builds, with their loaded instances,
// and the limit on compilers running at a time.
type registry struct {
	mu     sync.Mutex
	builds map[registryKey]*Build
	unused []unused      // the oldest first
	most   int           // maximum number of unused
	slots  chan struct{} // one per compiler that may run
}

// unused is something that no one currently holds: an idle library, or the image of a build that
// was not loaded.
type unused struct {
	build   *Build
	library *library // nil for the image alone
}

// mostUnused limits the unused images and libraries that are kept: more than most programs have
// loops. Dropped ones are still in the disk cache.
const mostUnused = 256

// Builders of different folders do not share builds: each caller finds its entries in the folder
// that it specified.
type registryKey struct {
	dir string
	key key
}

// processRegistry is the registry that New uses. It is the package's only variable, because what it
// holds belongs to the process: a library stays loaded when its owner releases it, and the next
// runtime that needs it takes the idle instance instead of loading another.
var processRegistry = newRegistry(runtime.NumCPU())

func newRegistry(slots int) *registry {
	return &registry{builds: map[registryKey]*Build{}, most: mostUnused, slots: make(chan struct{}, slots)}
}

// find returns the build of k, creating it if there is none; made reports whether it did.
func (r *registry) find(k registryKey, build func() *Build) (p *Build, made bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p, ok := r.builds[k]; ok {
		return p, false
	}
	p = build()
	r.builds[k] = p
	return p, true
}

// forget makes the next Start retry a build that failed.
func (r *registry) forget(k registryKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.builds, k)
}

// retire adds something that is no longer held, and drops the oldest if there are too many.
func (r *registry) retire(u unused) {
	r.mu.Lock()
	r.unused = append(r.unused, u)
	var oldest unused
	if len(r.unused) > r.most {
		oldest, r.unused[0] = r.unused[0], unused{}
		r.unused = r.unused[1:]
	}
	r.mu.Unlock()
	if oldest.build != nil {
		oldest.build.drop(oldest.library)
	}
}

// revive removes a library that is held again from the list, together with the build's image.
func (r *registry) revive(p *Build, l *library) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unused = slices.DeleteFunc(r.unused, func(u unused) bool { return u.build == p && (u.library == l || u.library == nil) })
}

// remove ends the sharing of a build, unless it has ended.
func (r *registry) remove(k registryKey, p *Build) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.builds[k] == p {
		delete(r.builds, k)
	}
}
