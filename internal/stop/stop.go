// Package stop lets long-running work, in Go and in C, check cheaply whether a context has ended.
package stop

import (
	"context"
	"sync/atomic"
	"unsafe"
)

// Flag is raised when a context ends. A nil Flag never is.
type Flag struct {
	raised  atomic.Int32
	ctx     context.Context
	release func() bool
}

// New returns a flag for ctx; nil if ctx is nil or never ends. Release it when it is no longer
// needed.
func New(ctx context.Context) *Flag {
	if ctx == nil || ctx.Done() == nil {
		return nil
	}
	f := &Flag{ctx: ctx}
	f.release = context.AfterFunc(ctx, func() { f.raised.Store(1) })
	return f
}

// Raised reports whether the context has ended, at the cost of a load. It may be a moment late.
func (f *Flag) Raised() bool { return f != nil && f.raised.Load() != 0 }

// Err returns why the context has ended, or nil if it has not.
func (f *Flag) Err() error {
	if f == nil || f.ctx.Err() == nil {
		return nil
	}
	return context.Cause(f.ctx)
}

// Context returns the context.
func (f *Flag) Context() context.Context {
	if f == nil {
		return context.Background()
	}
	return f.ctx
}

// Word returns the address of an int32 that becomes nonzero when the flag is raised; nil for a nil
// Flag.
func (f *Flag) Word() unsafe.Pointer {
	if f == nil {
		return nil
	}
	return unsafe.Pointer(&f.raised)
}

// Release detaches the flag from its context.
func (f *Flag) Release() {
	if f != nil {
		f.release()
	}
}
