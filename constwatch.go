package op2

import (
	"bytes"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
)

// constWatch has the function and the source of a kernel compared again while its loop runs:
// another variable than the function reads may have had the same value at first. Values
// that have not been seen are looked at when they come; and since the function's own
// variable may be what has changed, it is called at the second call, at the fourth, the
// eighth and so on.
type constWatch struct {
	kernel *Kernel
	ir     *kernel.Kernel
	consts []constValue
	memory [][]byte // of the consts, their beginnings
	seen   []byte   // what was there when they were last compared
	next   int64    // call
}

// watched is how many bytes of a const are looked at.
const watched = 64

// watch compares, if nobody has for these consts and values, and gives what does so again; nil
// for a kernel without consts, or one in C.
func (k *Kernel) watch(ir *kernel.Kernel, consts []constValue) (*constWatch, error) {
	if k.source == nil {
		return nil, nil
	}
	w := &constWatch{kernel: k, ir: ir, consts: consts, next: 2}
	for _, c := range consts {
		n := min(watched, kernel.Count(c.typ)*kernel.Leaf(c.typ).Size())
		w.memory = append(w.memory, unsafe.Slice((*byte)(c.ptr), n))
	}
	if err := w.compareNew(); err != nil {
		return nil, err
	}
	if len(consts) == 0 {
		return nil, nil
	}
	return w, nil
}

// call is to be called before a call of the loop, with its number.
func (w *constWatch) call(n int64) error {
	if n >= w.next {
		w.next = 2 * n
		return w.kernel.verify(w.ir, w.consts)
	}
	seen := w.seen
	for _, m := range w.memory {
		if !bytes.Equal(m, seen[:len(m)]) {
			return w.compareNew()
		}
		seen = seen[len(m):]
	}
	return nil
}

// manyComparisons is how many sets of consts and values a kernel is compared for. A const may
// change in each step.
const manyComparisons = 32

// compareNew compares unless the kernel has been compared with these consts and values.
func (w *constWatch) compareNew() error {
	w.seen = w.seen[:0]
	for _, m := range w.memory {
		w.seen = append(w.seen, m...)
	}
	key := string(w.seen)
	for _, c := range w.consts {
		address := uintptr(c.ptr)
		key += string(unsafe.Slice((*byte)(unsafe.Pointer(&address)), unsafe.Sizeof(address)))
	}
	k := w.kernel
	k.comparing.Lock()
	defer k.comparing.Unlock()
	err, done := k.compared[key]
	if done || len(k.compared) == manyComparisons {
		return err
	}
	if k.compared == nil {
		k.compared = map[string]error{}
	}
	err = k.verify(w.ir, w.consts)
	k.compared[key] = err
	return err
}
