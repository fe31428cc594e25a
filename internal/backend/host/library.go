package host

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
	"weak"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/jit"
)

// library is the code of one source, being compiled or loaded. Loops of one runtime with the same
// source share it.
type library struct {
	program *codegen.Program
	build   *jit.Build
	held    *held
	wrap    uintptr
	lanes   int // elements in a pack; 1 for none
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
	if l.wrap != 0 {
		return nil
	}
	instance, err := l.build.Acquire()
	if err != nil {
		return err
	}
	wrap, err := instance.Symbol(l.program.Symbol)
	if err != nil {
		instance.Release()
		return err
	}
	l.held.mu.Lock()
	l.held.instance = instance
	l.held.mu.Unlock()
	l.wrap, l.lanes = wrap, 1
	if l.program.Lanes != "" {
		address, err := instance.Symbol(l.program.Lanes)
		if err != nil {
			return err
		}
		l.lanes = int(**(**int32)(unsafe.Pointer(&address)))
	}
	return nil
}

// waits reports whether ready would wait now.
func (l *library) waits() bool { return l.wrap == 0 && !l.build.Done() }

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
	bySource map[source]weak.Pointer[library]
	alive    int // how many were alive at the last count
}

// source is what distinguishes libraries: the text of a program, and the number of the copy for code
// that runs at the same time with other consts.
type source struct {
	text string
	copy int
}

// get returns the code of a program, starting its compilation unless it is known.
func (l *libraries) get(b *jit.Builder, program *codegen.Program, flags []string, copy int) *library {
	key := source{program.Text, copy}
	if lib := l.bySource[key].Value(); lib != nil {
		return lib
	}
	if len(l.bySource) >= 2*l.alive+64 {
		l.forgetUnreachable()
	}
	if l.bySource == nil {
		l.bySource = map[source]weak.Pointer[library]{}
	}
	lib := &library{program: program, build: b.Start(jit.Unit{Name: program.Name, Source: program.Text, Flags: flags}), held: &held{}}
	runtime.AddCleanup(lib, (*held).release, lib.held)
	l.bySource[key] = weak.Make(lib)
	return lib
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
