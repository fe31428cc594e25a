package device

import "unsafe"

// FetchAtOnce is a Fetch of a device that does all work at once.
type FetchAtOnce struct {
	Device Device
	To     []byte
	From   Buffer
}

// Start copies.
func (f FetchAtOnce) Start() error {
	return f.Device.Download(unsafe.Pointer(unsafe.SliceData(f.To)), f.From, 0, len(f.To))
}

// Wait returns at once.
func (FetchAtOnce) Wait() error { return nil }

// Free does nothing.
func (FetchAtOnce) Free() {}
