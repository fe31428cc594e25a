package mpi

import (
	"errors"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// combining is a reduction by an operation of the program, or of records, which MPI has no operation
// for: it calls the program. The values travel as one element, which MPI does not divide, after a word
// that names the reduction on all ranks.
type combining struct {
	name      uint64
	reduction loop.Reduction
	panicked  any // by the operation, on this rank
}

// combinings are those of the process that are under way, by name.
var combinings sync.Map

// broken is set in the name of a result that an operation, which has panicked, has not computed.
const broken = 1 << 63

// newCombining returns a reduction that is the call with this number.
func (c *Comm) newCombining(r loop.Reduction, number int) *combining {
	x := &combining{name: c.opened<<40 | uint64(number), reduction: r}
	combinings.Store(x.name, x)
	return x
}

// form returns how the values travel.
func (x *combining) form() form {
	r := x.reduction
	bytes := func(values unsafe.Pointer) []byte { return unsafe.Slice((*byte)(values), r.Bytes()) }
	return form{loop.Reduction{Type: loop.Uint64, Dim: x.words()},
		func(sent, given unsafe.Pointer) {
			*(*uint64)(sent) = x.name
			copy(bytes(unsafe.Add(sent, 8)), bytes(given))
		},
		func(given, sent unsafe.Pointer) { copy(bytes(given), bytes(unsafe.Add(sent, 8))) }}
}

// words returns the size of an element in words.
func (x *combining) words() int { return 1 + (x.reduction.Bytes()+7)/8 }

// end ends the reduction, on all ranks with an error if the operation has panicked on one, where the
// panic goes on.
func (x *combining) end(result unsafe.Pointer) error {
	combinings.Delete(x.name)
	if x.panicked != nil {
		panic(x.panicked)
	}
	if *(*uint64)(result)&broken != 0 {
		return errors.New("the operation of a reduction has panicked on another rank")
	}
	return nil
}

// combine is an MPI_User_function: it leaves in inOut the combination of in, of lower ranks, and of
// inOut. MPI calls it in any call, which may be made by any goroutine. A panic is held back until C,
// whose frames must not be jumped over, has returned.
func combine(in, inOut *uint64, n *int32, _ unsafe.Pointer) {
	if *n == 0 {
		return
	}
	found, is := combinings.Load(*in)
	if !is || *inOut != *in {
		*inOut |= broken
		return
	}
	x := found.(*combining)
	defer func() {
		if p := recover(); p != nil {
			x.panicked = p
			*inOut |= broken
		}
	}()
	r := x.reduction
	result := r.New()
	values := func(element *uint64) unsafe.Pointer { return unsafe.Add(unsafe.Pointer(element), 8) }
	copy(unsafe.Slice((*byte)(result), r.Bytes()), unsafe.Slice((*byte)(values(in)), r.Bytes()))
	r.Combine(result, values(inOut))
	copy(unsafe.Slice((*byte)(values(inOut)), r.Bytes()), unsafe.Slice((*byte)(result), r.Bytes()))
}

// combineAddress is the address of combine for C.
var combineAddress = sync.OnceValue(func() uintptr { return native.Callback(combine) })

// opened is the greatest number of a Comm of the process.
var opened atomic.Uint64

// elements are MPI's handles for elements of combinings.
type elements struct {
	mu    sync.Mutex
	op    *uint64
	types map[int]*uint64 // by words
}

// element returns the type of elements of so many words, and the operation that combines them in the
// order of ranks.
func (l *Library) element(words int) (kind, op uintptr, err error) {
	e, f := &l.elements, &l.functions
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.op == nil {
		made, commutes := new(uint64), uintptr(0)
		if err := l.call(f.MPI_Op_create, combineAddress(), commutes, uintptr(unsafe.Pointer(made))); err != nil {
			return 0, 0, err
		}
		e.op, e.types = made, map[int]*uint64{}
	}
	if e.types[words] == nil {
		made := new(uint64)
		if err := l.call(f.MPI_Type_contiguous, uintptr(words), l.types[loop.Uint64], uintptr(unsafe.Pointer(made))); err != nil {
			return 0, 0, err
		}
		if err := l.call(f.MPI_Type_commit, uintptr(unsafe.Pointer(made))); err != nil {
			return 0, 0, err
		}
		e.types[words] = made
	}
	return l.handle(e.types[words]), l.handle(e.op), nil
}

// freeElements frees the handles: MPICH complains of those that are left when it ends.
func (l *Library) freeElements() {
	e, f := &l.elements, &l.functions
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.op == nil {
		return
	}
	l.call(f.MPI_Op_free, uintptr(unsafe.Pointer(e.op)))
	for _, t := range e.types {
		l.call(f.MPI_Type_free, uintptr(unsafe.Pointer(t)))
	}
}
