package jit

import (
	"context"
	"sync"
)

// waiters holds the contexts of the callers that wait for a build. When all of them have ended, the
// build's own context does.
type waiters struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu    sync.Mutex
	count int
	stops []func() bool
}

func newWaiters() waiters {
	ctx, cancel := context.WithCancelCause(context.Background())
	return waiters{ctx: ctx, cancel: cancel}
}

// join adds a context. It returns false if the build is already being stopped.
func (w *waiters) join(ctx context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx.Err() != nil {
		return false
	}
	w.count++
	if ctx.Done() != nil {
		w.stops = append(w.stops, context.AfterFunc(ctx, func() { w.lose(ctx) }))
	}
	return true
}

// lose removes a context that has ended.
func (w *waiters) lose(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.count--; w.count == 0 {
		w.cancel(context.Cause(ctx))
	}
}

// leave drops all contexts when the build is done.
func (w *waiters) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, stop := range w.stops {
		stop()
	}
	w.stops = nil
}
