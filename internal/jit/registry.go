package jit

import (
	"runtime"
	"sync"
)

// A registry holds what the builders of a process share: the builds, with their loaded instances, and the number of
// compilers that run at a time.
type registry struct {
	mu     sync.Mutex
	builds map[registryKey]*Build
	slots  chan struct{} // one for each compiler that may run
}

// Builders of different folders do not share builds: each caller finds its entries in the folder that it named.
type registryKey struct {
	dir string
	key key
}

// processRegistry is what New uses. It is the one variable of this package, because what it holds is the process's:
// a loaded library stays, and the next runtime that needs it takes the idle instance instead of loading another.
var processRegistry = newRegistry(runtime.NumCPU())

func newRegistry(slots int) *registry {
	return &registry{builds: map[registryKey]*Build{}, slots: make(chan struct{}, slots)}
}

// find returns the build of k, and makes it where there is none; made says which.
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

// forget lets the next Start of a build that failed try again.
func (r *registry) forget(k registryKey) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.builds, k)
}
