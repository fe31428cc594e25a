//go:build !linux

package store

import "unsafe"

// adviseHuge does nothing: this system has no such advice.
func adviseHuge(unsafe.Pointer, int) {}
