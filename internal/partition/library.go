package partition

import (
	"math"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// graphLibrary is a loaded library that divides graphs. Calls take turns: libraries have one
// generator of random numbers for all threads.
type graphLibrary struct {
	turn      sync.Mutex
	arguments []argument // of the call that runs
	divide    func(g *graph, o *Options) ([]int32, error)
}

// load loads the first of the files that there is, and looks up its functions.
func load(functions any, files ...string) (*graphLibrary, error) {
	if runtime.GOOS == "darwin" {
		files = files[len(files)-1:]
		files[0] = strings.TrimSuffix(files[0], ".so") + ".dylib"
	}
	return &graphLibrary{}, native.Search{What: "not installed", Names: files}.Find(func(l *native.Library) error { return l.Bind(functions) })
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
func (l *graphLibrary) call(function native.Function, arguments ...argument) int32 {
	l.arguments = arguments // what they point to is not on a stack, which could move
	words := make([]uintptr, len(arguments))
	for i, a := range arguments {
		words[i] = uintptr(a.pointer) + a.number
	}
	result := function.Call(words...)
	l.arguments = nil
	return int32(result)
}

// protected calls f when it is its turn, on one thread, and then restores signal handlers.
func (l *graphLibrary) protected(f func() error) error {
	l.turn.Lock()
	defer l.turn.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer native.Guard()()
	return f()
}

// graphLists returns the lists of a graph in the type that a library has.
func graphLists[T int32 | int64](g *graph) (starts, targets, weights []T, err error) {
	if starts, err = libraryWords[T](g.starts); err != nil {
		return nil, nil, nil, err
	}
	if targets, err = libraryWords[T](g.targets); err != nil {
		return nil, nil, nil, err
	}
	weights, err = libraryWords[T](g.weights)
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

// mostWeight is the sum of elements' weights that libraries with numbers of 32 bits can add up.
const mostWeight = 1 << 30

// elementWeights returns the weights of elements in proportion, in the type that a library has; nil if there are none.
func elementWeights[T int32 | int64](o *Options) []T {
	if o.Elements == nil {
		return nil
	}
	sum := int64(0)
	for _, w := range o.Elements {
		sum += w
	}
	weights := make([]T, len(o.Elements))
	for e, w := range o.Elements {
		weights[e] = T(w)
		if sum > mostWeight {
			weights[e] = T(max(1, float64(w)*(mostWeight/float64(sum))))
		}
	}
	return weights
}
