package gputest

import (
	"errors"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// Info returns the device's description, as the test has changed it.
func (w *Watched) Info() device.Info {
	i := w.Device.Info()
	if w.Change != nil {
		w.Change(&i)
	}
	return i
}

// Alloc counts the bytes that are allocated.
func (w *Watched) Alloc(n int) (device.Buffer, error) {
	if err := w.asked("Alloc"); err != nil {
		return 0, err
	}
	b, err := w.Device.Alloc(n)
	if err == nil {
		w.sizes[b] = n
		w.Allocated += int64(n)
	}
	return b, err
}

// Free counts the bytes that are freed.
func (w *Watched) Free(b device.Buffer) {
	w.Allocated -= int64(w.sizes[b])
	delete(w.sizes, b)
	w.Device.Free(b)
}

// Upload counts the call and its bytes, as do the methods below.
func (w *Watched) Upload(to device.Buffer, offset int, from unsafe.Pointer, n int) error {
	if err := w.asked("Upload"); err != nil {
		return err
	}
	w.Uploads++
	w.BytesUp += int64(n)
	return w.Device.Upload(to, offset, from, n)
}

// Download counts the call and its bytes.
func (w *Watched) Download(to unsafe.Pointer, from device.Buffer, offset, n int) error {
	if err := w.asked("Download"); err != nil {
		return err
	}
	w.Downloads++
	w.BytesDown += int64(n)
	return w.Device.Download(to, from, offset, n)
}

// PrepareFetch returns a Fetch that counts as a download each time.
func (w *Watched) PrepareFetch(to []byte, from device.Buffer) (device.Fetch, error) {
	f, err := w.Device.PrepareFetch(to, from)
	return watchedFetch{f, w, len(to)}, err
}

type watchedFetch struct {
	device.Fetch
	watched *Watched
	bytes   int
}

func (f watchedFetch) Start() error {
	if err := f.watched.asked("Download"); err != nil {
		return err
	}
	f.watched.Downloads++
	f.watched.BytesDown += int64(f.bytes)
	return f.Fetch.Start()
}

func (f watchedFetch) Wait() error {
	if err := f.watched.asked("Wait"); err != nil {
		return err
	}
	return f.Fetch.Wait()
}

// Copy counts the call.
func (w *Watched) Copy(to device.Buffer, toOffset int, from device.Buffer, fromOffset, n int) error {
	if err := w.asked("Copy"); err != nil {
		return err
	}
	w.Copies++
	return w.Device.Copy(to, toOffset, from, fromOffset, n)
}

// Clear counts the call.
func (w *Watched) Clear(b device.Buffer, offset, n int) error {
	if err := w.asked("Clear"); err != nil {
		return err
	}
	w.Clears++
	return w.Device.Clear(b, offset, n)
}

// Finish may fail.
func (w *Watched) Finish() error {
	if err := w.asked("Finish"); err != nil {
		return err
	}
	return w.Device.Finish()
}

// End returns a timing that may fail.
func (w *Watched) End() (device.Timing, error) {
	t, err := w.Device.End()
	return watchedTiming{t, w}, err
}

type watchedTiming struct {
	device.Timing
	watched *Watched
}

func (t watchedTiming) Elapsed() (time.Duration, error) {
	if err := t.watched.asked("Elapsed"); err != nil {
		return 0, err
	}
	return t.Timing.Elapsed()
}

// Build counts programs.
func (w *Watched) Build(s device.Source) device.Program {
	w.Builds++
	w.Texts[s.Text] = true
	if w.Dry {
		return dry{}
	}
	return &watchedProgram{w.Device.Build(s), w}
}

// dry is a program that is never compiled.
type dry struct{}

var errDry = errors.New("nothing is compiled")

func (dry) Wait() error                          { return errDry }
func (dry) Found() bool                          { return false }
func (dry) Translated() string                   { return "" }
func (dry) Kernel(string) (device.Kernel, error) { return nil, errDry }
func (dry) Release()                             {}

type watchedProgram struct {
	device.Program
	watched *Watched
}

func (p *watchedProgram) Kernel(name string) (device.Kernel, error) {
	k, err := p.Program.Kernel(name)
	return watchedKernel{k, name, p.watched}, err
}

func (p *watchedProgram) Release() {
	p.watched.Released++
	p.Program.Release()
}

type watchedKernel struct {
	device.Kernel
	name    string
	watched *Watched
}

func (k watchedKernel) Figures() device.Figures {
	f := k.Kernel.Figures()
	if k.watched.Figures != nil {
		k.watched.Figures(k.name, &f)
	}
	return f
}

func (k watchedKernel) Launch(groups, size, shared int, args []device.Arg) error {
	if err := k.watched.asked("Launch"); err != nil {
		return err
	}
	k.watched.Launches++
	return k.Kernel.Launch(groups, size, shared, args)
}
