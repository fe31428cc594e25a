package core

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// adviseHuge asks for huge pages for n bytes that have not been touched yet. It is
// advice: where the kernel does not take it, nothing is lost.
func adviseHuge(p unsafe.Pointer, n int) {
	const page = 4096
	skip := int(-uintptr(p) & (page - 1))
	_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, skip)), (n-skip)&^(page-1)), unix.MADV_HUGEPAGE)
}
