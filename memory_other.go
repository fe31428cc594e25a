//go:build !linux

package op2

import "unsafe"

// adviseHuge does nothing: there is no such advice here.
func adviseHuge(unsafe.Pointer, int) {}
