package opencl

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/native"
)

// A build is a running or finished compilation, shared by all requests for the same source.
type build struct {
	device *opened
	key    buildKey
	source device.Source
	done   chan struct{} // closed when handle and err are set
	handle uintptr
	found  bool // in the cache
	err    error

	holders int // programs that are not released, and the compilation itself; guarded by device.mu
}

// buildKey identifies the result of a build.
type buildKey struct{ options, text string }

// A program is one holder's reference to a build.
type program struct {
	build    *build
	kernels  []*kernel
	released bool
}

// slots limits the number of compilations that run at a time, on all devices.
var slots = make(chan struct{}, runtime.NumCPU())

func (d *opened) Build(s device.Source) device.Program {
	s.Flags = append([]string{"-cl-std=CL1.2", "-w"}, s.Flags...) // PoCL prints the number of warnings to stderr
	k := buildKey{strings.Join(s.Flags, " "), s.Text}
	d.mu.Lock()
	defer d.mu.Unlock()
	b, ok := d.builds[k]
	if !ok {
		b = &build{device: d, key: k, source: s, done: make(chan struct{})}
		if d.closed {
			b.err = errClosed
			close(b.done)
			return &program{build: b, released: true}
		}
		d.builds[k] = b
		b.holders = 1
		d.building.Add(1)
		go b.run()
	}
	b.holders++
	p := &program{build: b}
	d.programs[p] = struct{}{}
	return p
}

// drop gives up a reference to the build. The last one releases it.
func (b *build) drop() {
	d := b.device
	d.mu.Lock()
	defer d.mu.Unlock()
	b.holders--
	if b.holders > 0 {
		return
	}
	b.forget()
	if b.handle != 0 {
		d.clReleaseProgram.Call(b.handle)
		b.handle = 0
	}
}

// forget makes the next request for the same source start over.
func (b *build) forget() {
	if b.device.builds[b.key] == b {
		delete(b.device.builds, b.key)
	}
}

func (p *program) Wait() error {
	<-p.build.done
	if p.build.err != nil {
		return p.build.err
	}
	return p.usable()
}

// Found reports whether the program was in the cache.
func (p *program) Found() bool { return p.build.found }

// Translated returns "": drivers of OpenCL take no code that others have made.
func (p *program) Translated() string { return "" }

// usable returns an error if the program can no longer be used.
func (p *program) usable() error {
	switch {
	case p.build.device.handle.queue == 0:
		return errClosed
	case p.released:
		return fmt.Errorf("program %s: %w", p.build.source.Name, errReleased)
	}
	return nil
}

// Release also releases the program's kernels.
func (p *program) Release() {
	if p.released {
		return
	}
	p.released = true
	for _, k := range p.kernels {
		k.release()
	}
	p.kernels = nil
	delete(p.build.device.programs, p)
	p.build.drop()
}

// run finds the program in the cache, or compiles it.
func (b *build) run() {
	d := b.device
	defer d.building.Done()
	defer close(b.done)
	defer b.drop()
	if b.handle = b.load(); b.handle != 0 {
		b.found = true
		return
	}
	if b.handle, b.err = b.compile(); b.err != nil {
		d.mu.Lock()
		b.forget()
		d.mu.Unlock()
		return
	}
	b.keep()
}

// load creates the program from a binary in the cache; 0 if there is none, or the driver rejects
// it.
func (b *build) load() uintptr {
	d := b.device
	if d.cache == nil {
		return 0
	}
	image, ok := d.cache.Load(b.source.Name, b.cacheKey()...)
	if !ok || len(image) == 0 {
		return 0
	}
	defer native.Guard()()
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&image[0])
	var status, c code
	size, address := uintptr(len(image)), uintptr(unsafe.Pointer(&image[0]))
	p := d.clCreateProgramWithBinary.Call(d.handle.context, 1, uintptr(unsafe.Pointer(&d.unit.id)), uintptr(unsafe.Pointer(&size)),
		uintptr(unsafe.Pointer(&address)), uintptr(unsafe.Pointer(&status)), uintptr(unsafe.Pointer(&c)))
	if c == 0 && status == 0 && b.callBuild(p) == 0 {
		return p
	}
	if p != 0 {
		d.clReleaseProgram.Call(p)
	}
	return 0
}

// keep stores the program's binary in the cache, if the driver provides one.
func (b *build) keep() {
	d := b.device
	if d.cache == nil || d.unit.caches() {
		return
	}
	var size uintptr
	c := code(d.clGetProgramInfo.Call(b.handle, programBinarySizes, unsafe.Sizeof(size), uintptr(unsafe.Pointer(&size)), 0))
	if c != 0 || size == 0 {
		return
	}
	image := make([]byte, size)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&image[0])
	address := uintptr(unsafe.Pointer(&image[0]))
	c = code(d.clGetProgramInfo.Call(b.handle, programBinaries, unsafe.Sizeof(address), uintptr(unsafe.Pointer(&address)), 0))
	if c == 0 {
		d.cache.Keep(b.source.Name, b.source.Text, image, b.cacheKey()...)
	}
}

func (b *build) cacheKey() []string {
	u := b.device.unit
	return []string{"opencl", u.platformVersion, u.info.Name, u.driver, b.key.options, b.key.text}
}

func (b *build) compile() (handle uintptr, err error) {
	d := b.device
	defer d.progress.Started(b.source.Name)()
	slots <- struct{}{}
	defer func() { <-slots }()
	d.mu.Lock()
	closed := d.closed
	d.mu.Unlock()
	if closed {
		return 0, errClosed
	}
	defer native.Guard()()
	var c code
	text := []byte(b.source.Text + "\x00")
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(&text[0])
	length, address := uintptr(len(text)-1), uintptr(unsafe.Pointer(&text[0]))
	p := d.clCreateProgramWithSource.Call(d.handle.context, 1, uintptr(unsafe.Pointer(&address)), uintptr(unsafe.Pointer(&length)),
		uintptr(unsafe.Pointer(&c)))
	if c != 0 {
		return 0, b.refused("clCreateProgramWithSource: "+c.String(), "")
	}
	c = b.callBuild(p)
	if c != 0 && !place.MatchString(b.log(p)) { // processes that start at the same time corrupt each other's files in PoCL's cache
		c = b.callBuild(p)
	}
	if c != 0 {
		log := b.cleanLog(b.log(p))
		d.clReleaseProgram.Call(p)
		reason := jit.FirstLine(log, errorLine.MatchString)
		if reason == "" {
			reason = "clBuildProgram: " + c.String()
		}
		return 0, b.refused(reason, log)
	}
	return p, nil
}

// log returns the compiler's log for the last build of a program.
func (b *build) log(handle uintptr) string {
	return askText(b.device.clGetProgramBuildInfo, programBuildLog, handle, b.device.unit.id)
}

func (b *build) callBuild(handle uintptr) code {
	d := b.device
	options := []byte(b.key.options + "\x00")
	return code(d.clBuildProgram.Call(handle, 1, uintptr(unsafe.Pointer(&d.unit.id)), uintptr(unsafe.Pointer(&options[0])), 0, 0))
}

func (b *build) refused(reason, log string) error {
	u := b.device.unit
	return &jit.CompileError{
		Name: b.source.Name, Reason: reason,
		Compiler: jit.Compiler{Path: "OpenCL compiler of " + u.info.Name, Version: u.info.Driver},
		Flags:    slices.Clone(b.source.Flags), Source: b.source.Text, Log: log,
	}
}

// Kernel creates a new kernel for each call.
func (p *program) Kernel(name string) (device.Kernel, error) {
	if err := p.Wait(); err != nil {
		return nil, err
	}
	d := p.build.device
	var c code
	text := []byte(name + "\x00")
	handle := d.clCreateKernel.Call(p.build.handle, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&c)))
	if c != 0 {
		return nil, fmt.Errorf("kernel %s of %s: %w", name, p.build.source.Name, d.failed("clCreateKernel", c))
	}
	k := newKernel(d, name, handle)
	p.kernels = append(p.kernels, k)
	return k, nil
}
