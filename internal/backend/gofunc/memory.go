package gofunc

import "unsafe"

// P is any pointer.
type P = unsafe.Pointer

func add(p P, n uintptr) P { return unsafe.Add(p, n) }

// newLines returns size bytes of memory on cache lines of their own.
func newLines(size uintptr) P {
	const line = 64
	start := P(unsafe.SliceData(make([]uint64, (size+2*line)/8)))
	return add(start, -uintptr(start)&(line-1))
}
