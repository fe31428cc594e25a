package jit

import (
	"runtime"
	"sync"
)

// A registry holds what the builders of a process share: the builds, with their loaded instances,
// and the limit on compilers running at a time.
type registry struct {
	mu     sync.Mutex
	builds map[registryKey]*Build
	slots  chan struct{} // one per compiler that may run
}

// Builders of different folders do not share builds: each caller finds its entries in the folder
// that it specified.
type registryKey struct {
	dir string
	key key
}

// processRegistry is the registry that New uses. It is the package's only variable, because what it
// holds belongs to the process: a loaded library stays loaded, and the next runtime that needs it
// takes the idle instance instead of loading another.
var processRegistry = newRegistry(runtime.NumCPU())

func newRegistry(slots int) *registry {
	return &registry{builds: map[registryKey]*Build{}, slots: make(chan struct{}, slots)}
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
