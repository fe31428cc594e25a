package jit

import (
	"context"
	"slices"
	"sync"
	"time"
)

// A Unit is a C source text that becomes one shared library.
type Unit struct {
	Name   string   // readable, such as "res_calc": used in messages and file names
	Source string   // C
	Flags  []string // such as -O3, -march=native, -pthread, -lpetsc; -shared, -fPIC and -lm are added

	// Headers are files beside the source of an Object, found by its #include directives before all others.
	Headers map[string]string

	// Resident says that threads may run in the library after Release: it stays loaded.
	Resident bool
}

// A Build is the compilation of a unit, running or finished. Its methods may be called from any
// goroutine.
type Build struct {
	builder *Builder
	unit    Unit
	key     key
	done    chan struct{} // closed when err and image are set
	turn    turn
	err     error
	waiters waiters

	mu       sync.Mutex // guards the following fields, once done
	image    []byte     // the shared library
	fromDisk bool       // image was not compiled by this process
	took     time.Duration
	idle     []*library
	held     int // instances
}

// Start starts to build u in the background and returns at once. If this process has already built
// the same, or is building it, Start returns that Build; one that failed is tried again.
func (b *Builder) Start(u Unit) *Build {
	u.Flags = slices.Clone(u.Flags)
	parts := append(slices.Clone(b.identity), u.Name, u.Source)
	k := newKey(append(parts, b.arguments(u)...)...)
	for {
		p, made := b.registry.find(registryKey{b.store.dir, k}, func() *Build {
			p := &Build{builder: b, unit: u, key: k, done: make(chan struct{}), waiters: newWaiters()}
			p.turn = newTurn(p.waiters.ctx)
			return p
		})
		if !p.waiters.join(b.ctx) && !made { // no one was waiting for it any more: it is being stopped
			<-p.done
			continue
		}
		if made {
			go p.run()
		}
		if b.ranks.order(p) {
			p.Begin()
		}
		return p
	}
}

// Wait waits until the unit is compiled, or found in the cache. The error is a *CompileError.
func (p *Build) Wait() error {
	p.Begin()
	<-p.done
	return p.err
}

// Done reports whether Wait would return at once.
func (p *Build) Done() bool { return isClosed(p.done) }

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Found reports, after Wait, whether the library came from the cache on disk instead of being
// compiled by this process.
func (p *Build) Found() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fromDisk
}

// Took returns, after Wait, the processor time of the compiler; 0 for what came from the cache.
func (p *Build) Took() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.took
}

func (p *Build) run() {
	defer close(p.done)
	defer p.waiters.leave()
	if p.find() {
		return
	}
	p.await()
	if p.take() {
		return
	}
	// Of several processes that start together one compiles; the others find its result.
	defer p.builder.store.lock(p.turn.ctx, p.key)()
	if p.find() {
		return
	}
	if p.image, p.err = p.compile(p.turn.ctx); p.err != nil && p.take() {
		p.err = nil
		return
	}
	if p.err != nil {
		p.builder.registry.forget(registryKey{p.builder.store.dir, p.key})
		return
	}
	p.builder.registry.retire(unused{build: p})
}

// find looks for the library in the cache on disk.
func (p *Build) find() bool {
	_, image, ok := p.builder.store.read(p.file(librarySuffix), p.key)
	if ok {
		p.image, p.fromDisk = image, true
		p.builder.registry.retire(unused{build: p})
	}
	return ok
}

func (p *Build) file(suffix string) string { return cacheFile(p.unit.Name, p.key, suffix) }

// compile compiles the unit and stores the result.
func (p *Build) compile(ctx context.Context) ([]byte, error) {
	b := p.builder
	image, err := b.compile(ctx, p.unit, p.key, &p.took)
	if err != nil {
		return nil, err
	}
	p.keep(image)
	b.store.sweepSometimes()
	return image, nil
}

// keep stores a library in the cache on disk.
func (p *Build) keep(image []byte) {
	b := p.builder
	about := metadata{Name: p.unit.Name, Compiler: b.compiler.String(), Flags: b.arguments(p.unit)}
	if err := b.store.write(p.file(librarySuffix), p.key, about, image); err != nil {
		b.warnNoCache(err)
		return
	}
	b.store.writeSource(p.file(sourceSuffix), p.key, p.unit.Source)
}
