package cuda

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// Flags returns NVRTC's flags for a program, apart from the architecture.
func Flags(s device.Source) []string { return slices.Concat([]string{"--std=c++17"}, s.Flags) }

type program struct {
	device   *Device
	recipe   recipe
	image    *image
	module   *module // nil until a kernel is requested
	released bool
}

// module is an image loaded on a device. Programs with the same source share it.
type module struct {
	handle     uintptr
	users      int
	fromCache  bool
	allowed    map[uintptr]int // bytes of shared memory that the driver allows its functions, including declared memory
	translated string          // what the PTX is for that it was made of; "" for none
}

// Build compiles in the background.
func (d *Device) Build(s device.Source) device.Program {
	p := &program{device: d, recipe: recipe{
		images: d.images, compiler: d.compiler, cache: d.cache, progress: &d.progress, missing: d.missing, arch: d.arch,
		flags: Flags(s), source: s,
	}}
	if s.PTX != nil && generation(d.info.Arch) < generation(s.PTX.For) {
		p.recipe.source.PTX = nil
	}
	var made bool
	if p.image, made = d.images.use(p.recipe.key()); made {
		go p.recipe.make(p.image)
	}
	return p
}

// Wait waits for the compiler.
func (p *program) Wait() error {
	<-p.image.done
	return p.image.err
}

// Found reports whether the image was in the cache.
func (p *program) Found() bool { return p.image.fromCache || p.module != nil && p.module.fromCache }

// Translated returns what the PTX is for that was loaded; or "".
func (p *program) Translated() string {
	if p.module == nil {
		return ""
	}
	return p.module.translated
}

// Kernel looks up a kernel.
func (p *program) Kernel(name string) (device.Kernel, error) {
	if err := p.Wait(); err != nil {
		return nil, err
	}
	d := p.device
	defer d.leave()
	if err := d.enter(); err != nil {
		return nil, err
	}
	if p.module == nil {
		m, err := p.load()
		if err != nil {
			return nil, err
		}
		m.users++
		p.module = m
	}
	k := &kernel{device: d, module: p.module}
	title := append([]byte(name), 0)
	code := d.driver.cuModuleGetFunction.Call(uintptr(unsafe.Pointer(&k.function)), p.module.handle, uintptr(unsafe.Pointer(&title[0])))
	if err := d.failure("cuModuleGetFunction "+name, code); err != nil {
		return nil, err
	}
	return k, k.measure()
}

// load loads the module. If the driver rejects PTX, as when that is newer than the driver, or an image from the cache,
// as after a driver update, load compiles the source.
func (p *program) load() (*module, error) {
	d := p.device
	if m := d.modules[p.image]; m != nil {
		return m, nil
	}
	m, r := &module{allowed: map[uintptr]int{}, fromCache: p.image.fromCache, translated: p.image.translated}, p.recipe
	code, err := d.loadImage(m, p.image.cubin)
	if m.translated != "" && rejects(code) {
		var cubin []byte
		r.source.PTX, m.translated = nil, ""
		if cubin, m.fromCache, err = r.find(); err != nil {
			return nil, p.rejected(code, err)
		}
		code, err = d.loadImage(m, cubin)
	}
	if m.fromCache && rejects(code) {
		cubin, failed := r.compile()
		if failed != nil {
			return nil, failed
		}
		_, err = d.loadImage(m, cubin)
	}
	if err != nil {
		return nil, err
	}
	d.modules[p.image] = m
	return m, nil
}

// rejects reports whether a result means that the driver does not take an image.
func rejects(code int32) bool {
	return code == invalidImage || code == noBinaryForGPU || code == invalidPTX || code == unsupportedPTX
}

// rejected returns the error for a source that cannot be compiled, and whose PTX the driver rejects.
func (p *program) rejected(code int32, err error) error {
	if !errors.Is(err, errNoCompiler) {
		return err
	}
	return fmt.Errorf("%s: the driver, of CUDA %s, does not take the translated code: cuModuleLoadData: %s; and %w\n  hint: update the driver, or translate with NVRTC of its version",
		p.recipe.source.Name, p.device.driver.Version(), p.device.driver.errorName(code), err)
}

func (d *Device) loadImage(m *module, cubin []byte) (int32, error) {
	if len(cubin) == 0 {
		cubin = []byte{0}
	}
	code := d.driver.cuModuleLoadData.Call(uintptr(unsafe.Pointer(&m.handle)), uintptr(unsafe.Pointer(&cubin[0])))
	return int32(code), d.failure("cuModuleLoadData", code)
}

// Release releases the program once queued work is done.
func (p *program) Release() {
	if p.released {
		return
	}
	p.released = true
	d := p.device
	if p.module != nil {
		if p.module.users--; p.module.users == 0 && d.context != 0 {
			delete(d.modules, p.image)
			d.discard(d.driver.cuModuleUnload, p.module.handle)
		}
	}
	d.images.release(p.image)
}
