//go:build !linux

package native

func saveHandlers() (restore func()) { return func() {} }
