package jit

import (
	"context"
	"encoding/binary"
	"slices"
	"sync"
)

// Ranks that need the same code compile it once. By its key, each unit falls to one of them, which
// compiles it as soon as it is ordered. On the others, a unit that is not in the cache waits: until the code
// comes from another rank, or somebody asks for it. Package run sends it between ranks.

// ranks is the place of a builder among those of all ranks.
type ranks struct {
	rank, size int
	mu         sync.Mutex
	ordered    []*Build // since Ordered was called
}

// order notes that a build has been ordered, and reports whether it is to begin at once.
func (r *ranks) order(p *Build) bool {
	if r.size < 2 {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.ordered, p) {
		r.ordered = append(r.ordered, p)
	}
	return int(binary.LittleEndian.Uint32(p.key[:]))%r.size == r.rank
}

// Ordered returns the builds that have been started since it was last called.
func (b *Builder) Ordered() []*Build {
	b.ranks.mu.Lock()
	defer b.ranks.mu.Unlock()
	ordered := b.ranks.ordered
	b.ranks.ordered = nil
	return ordered
}

// turn lets a build that is not in the cache wait for Begin, or for code of another rank.
type turn struct {
	awaited chan struct{} // closed when the cache has been searched in vain
	begun   chan struct{} // closed by Begin
	once    *sync.Once
	ctx     context.Context // that of the build, until another rank has given its code, which is the cause
	give    context.CancelCauseFunc
}

func newTurn(build context.Context) turn {
	ctx, give := context.WithCancelCause(build)
	return turn{make(chan struct{}), make(chan struct{}), new(sync.Once), ctx, give}
}

// fromRank is code from another rank.
type fromRank struct{ image []byte }

func (fromRank) Error() string { return "the code has come from another rank" }

// await waits until the build is to begin, or its code comes from another rank.
func (p *Build) await() {
	close(p.turn.awaited)
	select {
	case <-p.turn.begun:
	case <-p.turn.ctx.Done():
	}
}

// take makes the code from another rank that of the build, if it has come.
func (p *Build) take() bool {
	g, come := context.Cause(p.turn.ctx).(fromRank)
	if come && !p.find() { // in a cache that ranks share
		p.image, p.fromDisk = g.image, true
		p.keep(p.image)
		p.builder.registry.retire(unused{build: p})
	}
	return come
}

// KeySize is the length of a key.
const KeySize = len(key{})

// Key identifies the code on all ranks, by everything that it depends on.
func (p *Build) Key() string { return string(p.key[:]) }

// Stages of a build.
const (
	Built = iota
	Begun
	Waiting // for Begin, or another rank
)

// Stage says how far the build is. One that failed begins again when it is next started.
func (p *Build) Stage() int {
	select {
	case <-p.done:
	case <-p.turn.awaited:
	}
	switch {
	case p.Done():
		return Built
	case isClosed(p.turn.begun):
		return Begun
	}
	return Waiting
}

// Begin makes the build compile, unless its code has come from elsewhere.
func (p *Build) Begin() { p.turn.once.Do(func() { close(p.turn.begun) }) }

// Give passes the code that another rank has for the key. It ends a compilation that is under way.
func (p *Build) Give(image []byte) {
	if checkImage(image) != nil {
		p.Begin()
		return
	}
	p.turn.give(fromRank{image})
}

// Image waits for the code, and returns it.
func (p *Build) Image() ([]byte, error) {
	if err := p.Wait(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.image, nil
}
