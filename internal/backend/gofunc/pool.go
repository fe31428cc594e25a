package gofunc

import (
	"errors"
	"path"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/kernel"
)

// pool is the goroutines that help the caller of a loop. They start when first
// needed and live until the backend is closed.
type pool struct {
	threads int
	work    chan *batch
}

func newPool(threads int) *pool { return &pool{threads: max(1, threads)} }

// share runs the batch on up to workers goroutines, the caller's among them.
func (p *pool) share(b *batch, workers int) {
	if p.work == nil {
		work := make(chan *batch)
		p.work = work
		for range p.threads - 1 {
			go func() {
				for b := range work {
					b.work()
					b.running.Done()
				}
			}()
		}
	}
	b.running.Add(workers - 1)
	for range workers - 1 {
		p.work <- b
	}
	b.work()
	b.running.Wait()
}

func (p *pool) close() {
	if p.work != nil {
		close(p.work)
		p.work = nil
	}
}

// batch is blocks of a loop that can run at the same time: workers take them one
// after the other.
type batch struct {
	runner  *runner
	blocks  []int32
	next    atomic.Int64 // the block to be taken
	workers atomic.Int64 // that have begun, for their memory
	running sync.WaitGroup

	mu      sync.Mutex
	fault   *backend.Fault // of the first block that has one
	faultAt int64
}

func (b *batch) begin(r *runner, blocks []int32) {
	b.runner, b.blocks, b.fault = r, blocks, nil
	b.next.Store(0)
	b.workers.Store(0)
}

// work runs blocks until there are none left. A kernel that panics ends the batch.
func (b *batch) work() {
	w := &b.runner.workers[b.workers.Add(1)-1]
	at := int64(0)
	defer func() {
		if p := recover(); p != nil {
			b.fail(at, faultOf(p))
		}
	}()
	for {
		at = b.next.Add(1) - 1
		if at >= int64(len(b.blocks)) {
			return
		}
		b.runner.block(int(b.blocks[at]), w)
	}
}

func (b *batch) fail(at int64, f *backend.Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fault == nil || at < b.faultAt {
		b.fault, b.faultAt = f, at
	}
	b.next.Store(int64(len(b.blocks)))
}

// faultOf describes a panic in the kernel, or in what it calls, at the place of the
// innermost frame. A panic that is not one of Go's own, or is this package's, goes on.
func faultOf(p any) *backend.Fault {
	var fault runtime.Error
	err, ok := p.(error)
	if !ok || !errors.As(err, &fault) {
		panic(p)
	}
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		frame, more := frames.Next()
		switch {
		case strings.HasPrefix(frame.Function, thisPackage), !more:
			panic(p)
		case strings.HasPrefix(frame.Function, "runtime."):
			continue
		}
		return &backend.Fault{
			Pos: kernel.Pos{File: path.Base(frame.File), Line: frame.Line},
			Msg: strings.TrimPrefix(err.Error(), "runtime error: "),
		}
	}
}

// thisPackage begins the names of this package's functions.
var thisPackage = reflect.TypeFor[batch]().PkgPath() + "."
