package host

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
	"weak"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
	"github.com/go-op2/op2/translated"
)

// library is the code of one source: translated ahead of time, or being compiled, or loaded. Loops of one
// runtime with the same source share it.
type library struct {
	program *codegen.Program
	linked  *translated.Code // nil: compiled by build
	build   *jit.Build
	by      string // the compiler's path; "" if linked
	held    *held
	wrap    uintptr
	block   uintptr // 0 if there is none
	lanes   int     // elements in a pack; 1 for none
}

// held is a library's instance, which is released only once: when no loop uses the library any
// more, or when the runtime is closed.
type held struct {
	mu       sync.Mutex
	instance *jit.Instance
}

func (h *held) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.instance != nil {
		h.instance.Release()
		h.instance = nil
	}
}

// ready waits for the compiler and loads its output.
func (l *library) ready() error {
	if l.lanes > 0 {
		return nil
	}
	instance, err := l.build.Acquire()
	if err != nil {
		return err
	}
	wrap, err := instance.Symbol(l.program.Symbol)
	if err == nil && l.program.Block != "" {
		l.block, err = instance.Symbol(l.program.Block)
	}
	if err != nil {
		instance.Release()
		return err
	}
	l.held.mu.Lock()
	l.held.instance = instance
	l.held.mu.Unlock()
	lanes := 1
	if l.program.Lanes != "" {
		address, err := instance.Symbol(l.program.Lanes)
		if err != nil {
			return err
		}
		lanes = int(**(**int32)(unsafe.Pointer(&address)))
	}
	l.wrap, l.lanes = wrap, lanes
	return nil
}

// waits reports whether ready would wait now.
func (l *library) waits() bool { return l.lanes == 0 && !l.build.Done() }

// call calls the wrapper. Go's memory does not move, so its addresses may be passed as numbers as long
// as it is kept alive.
func (l *library) call(args unsafe.Pointer) {
	if l.linked != nil {
		l.linked.Call(args)
		return
	}
	native.Call(l.wrap, uintptr(args))
}

// run calls the function of one block.
func (l *library) run(args unsafe.Pointer, block int32) {
	if l.linked != nil {
		l.linked.Blocks(args, block, block+1)
		return
	}
	native.Call(l.block, uintptr(args), uintptr(block))
}

// origin says where the code is from, for Stats.
func (l *library) origin() string {
	if l.linked != nil {
		return "translated, " + l.linked.Level
	}
	return backend.Code(l.build.Found())
}

// how describes whether elements run in packs, and if not, why.
func (l *library) how() string {
	switch {
	case l.lanes > 1:
		return fmt.Sprintf("packs of %d", l.lanes)
	case l.program.Scalar != "":
		return "scalar (" + l.program.Scalar + ")"
	}
	return "scalar (no vectors that packs pay for)"
}

// libraries holds the libraries of a runtime's loops. It keeps none alive.
type libraries struct {
	bySource map[string]weak.Pointer[library]
	alive    int // how many were alive at the last count
}

// get returns the library of a source, which is made unless it is known.
func (l *libraries) get(source string, make func() (*library, error)) (*library, error) {
	if lib := l.bySource[source].Value(); lib != nil {
		return lib, nil
	}
	if len(l.bySource) >= 2*l.alive+64 {
		l.forgetUnreachable()
	}
	if l.bySource == nil {
		l.bySource = map[string]weak.Pointer[library]{}
	}
	lib, err := make()
	if err != nil {
		return nil, err
	}
	runtime.AddCleanup(lib, (*held).release, lib.held)
	l.bySource[source] = weak.Make(lib)
	return lib, nil
}

// forgetUnreachable removes the sources of libraries that no loop uses any more.
func (l *libraries) forgetUnreachable() {
	for source, lib := range l.bySource {
		if lib.Value() == nil {
			delete(l.bySource, source)
		}
	}
	l.alive = len(l.bySource)
}

// release releases all libraries for other runtimes of the process. They must not be used
// afterward.
func (l *libraries) release() {
	for _, lib := range l.bySource {
		if lib := lib.Value(); lib != nil {
			lib.held.release()
		}
	}
	l.bySource = nil
}
