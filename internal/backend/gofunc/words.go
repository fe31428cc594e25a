package gofunc

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/kernel"
)

// Kernels are called as functions of words: a pointer is one, a slice three, its address, length and
// capacity. Go passes an argument in registers if all of it fits into those that are left, and
// otherwise on the stack; either kind in order. So a function of words gets them in another order:
// first those in registers, then those on the stack. Where a register is left over, and there are
// words on the stack, a word that nobody reads fills it.

// sliceWords is the number of words of a slice.
const sliceWords = 3

// registersOf returns the number of words that Go passes in registers on an architecture.
func registersOf(arch string) int {
	switch arch {
	case "amd64":
		return 9
	case "arm64", "loong64", "riscv64":
		return 16
	case "ppc64", "ppc64le":
		return 12
	case "s390x":
		return 8
	}
	return 0
}

// arrange returns the place of the first word of each parameter, given their numbers of words, in a
// call by words where so many are passed in registers, and the number of all words.
func arrange(params []int, registers int) (first []int, words int) {
	first = make([]int, len(params))
	used, stack := 0, 0
	for i, n := range params {
		if used+n <= registers {
			first[i] = used
			used += n
		} else {
			first[i] = registers + stack
			stack += n
		}
	}
	if stack == 0 {
		return first, used
	}
	return first, registers + stack
}

// wordsOf returns the number of words of a parameter.
func wordsOf(v *kernel.Var) int {
	if v.Count > 0 { // it is the length of slices
		return 0
	}
	if v.Slices > 0 {
		return sliceWords
	}
	return 1
}

// callOf returns the function that calls a kernel with a number of words, and the number that it
// passes: the last ones, which may be more than the kernel takes, are on the stack and not read.
func callOf(words int) (call func(fn, table P, n int), passed int) {
	for calls[words] == nil {
		words++
	}
	return calls[words], words
}

// constant is a word that is the same for each element: the length of a slice.
type constant struct {
	slot int
	word uintptr
}

// length is a word, and the one after it, that differ from element to element: the length of a slice, and its capacity.
type length struct{ slot, count int }

// lengthen passes the lengths of slices for n elements.
func (b *body) lengthen(w *worker, n int) {
	for _, l := range b.lengths {
		for _, slot := range []int{l.slot, l.slot + 1} {
			c := column{slot: slot}
			for e, rows := 0, c.rows(w.table, n); e < n; e++ {
				rows[e] = uint64(b.count(w, l.count, e))
			}
		}
	}
	for i := range b.headers {
		if h := &b.headers[i]; h.count > 0 {
			for e := range n {
				h.fillOne(w.scratch, uintptr(e), b.count(w, h.count, e))
			}
		}
	}
}

// count returns the length that a parameter leads to for the element e of a strip.
func (b *body) count(w *worker, count, e int) int {
	return *(*int)(add(w.scratch, b.counts[count]+uintptr(e)*unsafe.Sizeof(0)))
}

// headers are the slices of a parameter that is a slice of slices: for each element of a strip, the
// rows of its copy. They are always the same, unless the lengths of rows vary.
type headers struct {
	values, at    local // the copies, and the slices
	rows, cols    int
	count         int     // of the lengths of rows; 0 if they do not vary
	size, ofSlice uintptr // of a row, and of a slice in memory
}

// fill writes the slices for n elements into scratch memory, as numbers, which the runner's own
// pointers keep valid.
func (h *headers) fill(scratch P, n int) {
	for e := range uintptr(n) {
		h.fillOne(scratch, e, h.cols)
	}
}

// fillOne writes the slices for element e, of rows with that many values.
func (h *headers) fillOne(scratch P, e uintptr, cols int) {
	for r := range uintptr(h.rows) {
		row := add(scratch, h.values.offset+e*h.values.size+r*h.size)
		*(*[sliceWords]uintptr)(add(scratch, h.at.offset+e*h.at.size+r*h.ofSlice)) = [...]uintptr{uintptr(row), uintptr(cols), uintptr(cols)}
	}
}

// arrangeWords gives the parameters their slots, and passes the lengths of slices, and nil for what is left out.
func (b *binder) arrangeWords(k *kernel.Kernel) {
	var words []int
	for _, v := range k.Params() {
		words = append(words, wordsOf(v))
	}
	slots, n := arrange(words, registersOf(runtime.GOARCH))
	b.words, b.slots = n, make([]int, len(b.program.Params))
	for i, p := range b.program.Params {
		if p.Var.Count == 0 {
			b.slots[i] = slots[k.Number(i)]
		}
	}
	for _, missing := range k.LeftOut {
		for w := range words[missing.At] {
			b.constants = append(b.constants, constant{slots[missing.At] + w, 0})
		}
	}
	for i, p := range b.program.Params {
		if p.Var.Slices > 0 {
			array := kernel.Elem(p.Var.Type).(*kernel.Array)
			if array.Count > 0 {
				b.lengths = append(b.lengths, length{b.slots[i] + 1, array.Count})
				continue
			}
			n := uintptr(array.Len)
			b.constants = append(b.constants, constant{b.slots[i] + 1, n}, constant{b.slots[i] + 2, n})
		}
	}
}

// rows returns the pointee of a parameter with its values in own: these, or slices of them.
func (b *binder) rows(v *kernel.Var, own local) local {
	if v.Slices < 2 {
		return own
	}
	array := kernel.Elem(v.Type).(*kernel.Array)
	h := headers{values: own, rows: array.Len, cols: array.Elem.(*kernel.Array).Len, count: array.Elem.(*kernel.Array).Count, ofSlice: unsafe.Sizeof([]byte{})}
	h.size = own.size / uintptr(h.rows)
	size := h.ofSlice * uintptr(h.rows)
	h.at = local{own.slot, b.newScratch(size), size}
	b.headers = append(b.headers, h)
	return h.at
}

// passesSlices returns an error if slices do not arrive as arrange passes them, since this version
// of Go calls functions otherwise.
var passesSlices = sync.OnceValue(func() error {
	values := make([]byte, 40)
	address := func(i int) uintptr { return uintptr(P(&values[i])) }
	params := []int{3, 1, 3, 3, 1, 3, 1, 1, 3, 1, 3, 3}
	first, words := arrange(params, registersOf(runtime.GOARCH))
	call, passed := callOf(words)
	table := newLines(uintptr(columnSize * passed))
	for i, n := range params {
		repeat(table, first[i], address(i), 0)
		for k := 1; k < n; k++ {
			repeat(table, first[i]+k, uintptr(i+k), 0)
		}
	}
	arrived := false
	probe := func(a []byte, b *byte, c, d []byte, e *byte, f []byte, g, h *byte, i []byte, j *byte, k, l []byte) {
		arrived = true
		for n, s := range map[int][]byte{0: a, 2: c, 3: d, 5: f, 8: i, 10: k, 11: l} {
			arrived = arrived && uintptr(P(unsafe.SliceData(s))) == address(n) && len(s) == n+1 && cap(s) == n+2
		}
		for n, p := range map[int]*byte{1: b, 4: e, 6: g, 7: h, 9: j} {
			arrived = arrived && uintptr(P(p)) == address(n)
		}
	}
	call(*(*P)(P(&probe)), table, 1)
	runtime.KeepAlive(values)
	if !arrived {
		return fmt.Errorf("this version of Go passes slices in a way that op2 does not know: %w\n  hint: declare the parameters as arrays, *[n]T", backend.ErrUnavailable)
	}
	return nil
})
