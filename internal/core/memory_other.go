//go:build !linux

package core

import "unsafe"

// adviseHuge does nothing: there is no such advice here.
func adviseHuge(unsafe.Pointer, int) {}
