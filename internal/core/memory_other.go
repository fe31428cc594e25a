//go:build !linux

package core

import "unsafe"

// adviseHuge does nothing: this system has no such advice.
func adviseHuge(unsafe.Pointer, int) {}
