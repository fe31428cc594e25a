//go:build !unix

package checkpoint

import "os"

// listen returns no channel: this system has no such signals.
func listen() (<-chan os.Signal, func()) { return nil, func() {} }

func signalNumber(os.Signal) int64 { return 0 }

func nameOf(int64) string { return "" }
