package partition

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/dl"
	"github.com/go-op2/op2/internal/signals"
)

// library is a loaded library that divides graphs. Calls take turns: libraries have one
// generator of random numbers for all threads.
type library struct {
	functions map[string]uintptr
	turn      sync.Mutex
	arguments []argument // of the call that runs
	divide    func(g *graph, o *Options) ([]int32, error)
}

// load loads the first of the files that there is, and looks up its functions.
func load(files []string, functions ...string) (*library, error) {
	defer signals.Save()()
	handle, err := uintptr(0), errors.New("no file is known")
	for _, file := range files {
		if handle, err = dl.Open(file); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("not installed: looked for %s", strings.Join(files, ", "))
	}
	l := &library{functions: map[string]uintptr{}}
	for _, name := range functions {
		if l.functions[name], err = dl.Symbol(handle, name); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// argument is a pointer or a number that a function gets.
type argument struct {
	pointer unsafe.Pointer
	number  uintptr
}

// pointer returns where values are as an argument; without values it is NULL.
func pointer[T any](values []T) argument {
	if len(values) == 0 {
		return argument{}
	}
	return argument{pointer: unsafe.Pointer(unsafe.SliceData(values))}
}

// number returns a whole number as an argument.
func number[T int | int32 | int64](n T) argument { return argument{number: uintptr(n)} }

// call calls a function, and returns its result, an int of C.
func (l *library) call(function string, arguments ...argument) int32 {
	l.arguments = arguments // what they point to is not on a stack, which could move
	words := make([]uintptr, len(arguments))
	for i, a := range arguments {
		words[i] = uintptr(a.pointer) + a.number
	}
	result, _, _ := purego.SyscallN(l.functions[function], words...)
	l.arguments = nil
	return int32(result)
}

// protected calls f when it is its turn, on one thread, and then restores signal handlers.
func (l *library) protected(f func() error) error {
	l.turn.Lock()
	defer l.turn.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer signals.Save()()
	return f()
}

// graphLists returns the lists of a graph in the type that a library has.
func graphLists[T int32 | int64](g *graph) (starts, targets, weights []T, err error) {
	if starts, err = words[T](g.starts); err != nil {
		return nil, nil, nil, err
	}
	if targets, err = words[T](g.targets); err != nil {
		return nil, nil, nil, err
	}
	weights, err = words[T](g.weights)
	return starts, targets, weights, err
}

// narrowed returns parts as int32; those that are not in its range are -1.
func narrowed[T int32 | int64](parts []T) []int32 {
	out := make([]int32, len(parts))
	for e, p := range parts {
		if out[e] = -1; p >= 0 && int64(p) <= math.MaxInt32 {
			out[e] = int32(p)
		}
	}
	return out
}
