package jit

import "sync"

// Progress counts compilations, from any goroutine, and reports them.
type Progress struct {
	Report func(name string, started, done int) // nil: not reported

	mu            sync.Mutex // held during reports
	started, done int
}

// Started counts the start of a compilation; the function that it returns, its end.
func (p *Progress) Started(name string) (ended func()) {
	p.count(name, 1, 0)
	return func() { p.count(name, 0, 1) }
}

// Count returns the numbers of compilations started and ended so far.
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
	if p.Report != nil {
		p.Report(name, p.started, p.done)
	}
}
