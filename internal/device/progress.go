package device

import "sync"

// Progress counts compilations, from any goroutine, and tells of them.
type Progress struct {
	Tell func(name string, started, done int) // nil: nobody asked

	mu            sync.Mutex // held while it is told
	started, done int
}

// Started says that a compilation has begun; the function that it returns, that it has ended.
func (p *Progress) Started(name string) (ended func()) {
	p.count(name, 1, 0)
	return func() { p.count(name, 0, 1) }
}

// Count is how many compilations have begun and ended so far.
func (p *Progress) Count() (started, done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.started, p.done
}

func (p *Progress) count(name string, started, done int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.started += started
	p.done += done
	if p.Tell != nil {
		p.Tell(name, p.started, p.done)
	}
}
