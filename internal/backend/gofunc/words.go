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

//go:generate go run ./gen

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
