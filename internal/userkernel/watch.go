package userkernel

import (
	"bytes"
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
)

// Watch compares the function and the source of a kernel again while its loop runs, because a
// variable other than the one that the function reads may have started with the same value. New
// values are compared when they occur; and since it may be the function's own variable that has
// changed, comparisons are repeated at the second call, the fourth, the eighth and so on.
type Watch struct {
	kernel *Kernel
	ir     *kernel.Kernel
	consts []Const
	memory [][]byte // the first bytes of each const
	seen   []byte   // their contents at the last comparison
	next   int64    // next call to compare at
}

// watched is the number of bytes of a const that are observed.
const watched = 64

// Watch compares, unless that was done for these consts and values, and returns what repeats it;
// nil for a kernel without consts, or a C kernel.
func (k *Kernel) Watch(ir *kernel.Kernel, consts []Const) (*Watch, error) {
	if k.source == nil {
		return nil, nil
	}
	w := &Watch{kernel: k, ir: ir, consts: consts, next: 2}
	for _, c := range consts {
		n := min(watched, c.Layout.Size)
		w.memory = append(w.memory, unsafe.Slice((*byte)(c.Ptr), n))
	}
	if err := w.compareNew(); err != nil {
		return nil, err
	}
	if len(consts) == 0 {
		return nil, nil
	}
	return w, nil
}

// Call must be called before each call of the loop, with its number.
func (w *Watch) Call(n int64) error {
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

// lengths tells the instances of a kernel apart: by the lengths of slices, and what is left out.
func (w *Watch) lengths() (key string) {
	for _, p := range w.ir.Entry().Params {
		if p.Slices > 0 {
			key += p.Type.String()
		}
	}
	for _, missing := range w.ir.LeftOut {
		key += fmt.Sprint(" without ", missing.At)
	}
	return key
}

// manyComparisons limits the sets of consts and values for which a kernel is compared. A const may
// change in each step.
const manyComparisons = 32

// compareNew compares unless the kernel was compared with these consts and values before.
func (w *Watch) compareNew() error {
	w.seen = w.seen[:0]
	for _, m := range w.memory {
		w.seen = append(w.seen, m...)
	}
	key := string(w.seen) + w.lengths()
	for _, c := range w.consts {
		address := uintptr(c.Ptr)
		key += string(unsafe.Slice((*byte)(unsafe.Pointer(&address)), unsafe.Sizeof(address)))
	}
	k := w.kernel.untuned()
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
