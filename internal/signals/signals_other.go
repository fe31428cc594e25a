//go:build !linux

package signals

func save() (restore func()) { return func() {} }
