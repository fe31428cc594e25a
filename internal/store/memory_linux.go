package store

import (
	"syscall"
	"unsafe"
)

// adviseHuge requests huge pages for n bytes that have not been touched yet. The kernel may ignore
// that.
func adviseHuge(p unsafe.Pointer, n int) {
	const page = 4096
	skip := int(-uintptr(p) & (page - 1))
	_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Add(p, skip)), (n-skip)&^(page-1)), syscall.MADV_HUGEPAGE)
}
