package jit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/native"
)

// An Instance is a loaded copy of a unit's library, held by one owner between Acquire and Release.
// Instances that are held at the same time share no variables. An Instance must be used by one
// goroutine at a time.
type Instance struct {
	build   *Build
	library *library // nil once released
}

// A library is an image loaded by the dynamic loader.
type library struct {
	handle *native.Library // whose path is valid as long as file is open
	file   int             // descriptor; -1 for none
}

// Acquire waits for the build and returns an instance that no one else holds: an idle one, whose
// variables are as its last owner left them, or a newly loaded one. The error is a *CompileError,
// even if the library cannot be loaded.
func (p *Build) Acquire() (*Instance, error) {
	if err := p.Wait(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if last := len(p.idle) - 1; last >= 0 {
		l := p.idle[last]
		p.idle = p.idle[:last]
		return p.hold(l), nil
	}
	l, err := p.load()
	if err != nil && p.fromDisk {
		// The image is intact but does not load on this host, perhaps because a library it needs is
		// gone: treat it as a miss.
		image, compileErr := p.compile(context.Background())
		if compileErr != nil {
			return nil, compileErr
		}
		p.image, p.fromDisk = image, false
		l, err = p.load()
	}
	if err != nil {
		b := p.builder
		return nil, &CompileError{
			Name: p.unit.Name, Reason: "the compiled library cannot be loaded: " + err.Error(),
			Compiler: b.compiler, Flags: b.arguments(p.unit)[len(b.compiler.Args):], Source: p.unit.Source,
			err: err,
		}
	}
	return p.hold(l), nil
}

func (p *Build) hold(l *library) *Instance {
	p.held++
	p.builder.registry.revive(p, l)
	return &Instance{p, l}
}

func (p *Build) load() (*library, error) {
	name := fileName(p.unit.Name) + "-" + p.key.short()[:8] + ".so"
	return p.builder.store.openImage(name, p.image)
}

// drop unloads an idle library, if it is still idle, and drops the image of a build that is not in
// use.
func (p *Build) drop(l *library) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.idle, l); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		l.unload()
	}
	if p.held == 0 && len(p.idle) == 0 {
		p.builder.registry.remove(registryKey{p.builder.store.dir, p.key}, p)
	}
}

var errReleased = errors.New("the instance was released")

// Symbol returns the address of a function or variable of the library, for native.Call.
func (i *Instance) Symbol(name string) (uintptr, error) {
	if i.library == nil {
		return 0, fmt.Errorf("symbol %s of %s: %w", name, i.build.unit.Name, errReleased)
	}
	address, err := i.library.handle.Symbol(name)
	if err != nil {
		return 0, fmt.Errorf("symbol %s of %s: not in the compiled library", name, i.build.unit.Name)
	}
	return address, nil
}

// Release returns the instance for the next Acquire; one that is not acquired again is eventually
// unloaded. Its symbols must not be used afterward. A second Release does nothing.
func (i *Instance) Release() {
	if i.library == nil {
		return
	}
	p, l := i.build, i.library
	i.library = nil
	p.mu.Lock()
	p.held--
	p.idle = append(p.idle, l)
	p.mu.Unlock()
	if !p.unit.Resident {
		p.builder.registry.retire(unused{p, l})
	}
}
