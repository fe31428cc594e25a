//go:build !linux || !(amd64 || arm64)

package rankfile

// room returns an error if the file system of a file has fewer bytes left, where that is known.
func room(string, uint64) error { return nil }
