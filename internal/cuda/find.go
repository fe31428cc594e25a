package cuda

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/cuda/nvrtc"
	"github.com/go-op2/op2/internal/device"
	"github.com/go-op2/op2/internal/native"
)

const (
	driverHint = "install NVIDIA's driver: apt install nvidia-driver (Debian), nvidia-driver-NNN (Ubuntu); in a container, run it with --gpus all"
	deviceHint = "nvidia-smi lists the devices that there are; CUDA_VISIBLE_DEVICES hides some"
)

// system is the set of libraries to load. Tests replace it.
type system struct {
	driver   func() (*driver, error)
	compiler func(prefer int) (compiler, error)
	images   *images
}

// compiler is NVRTC.
type compiler interface {
	Version() string
	Archs() ([]string, error)
	Arguments(arch string, flags []string) []string
	Compile(name, text, arch string, flags []string) (cubin []byte, log string, err error)
}

// installed loads this machine's driver and NVRTC.
var installed = system{
	driver: sync.OnceValues(func() (*driver, error) {
		l, err := native.Search{What: "no NVIDIA driver", Names: []string{driverName}, Hint: driverHint}.Open()
		if err != nil {
			return nil, err
		}
		return newDriver(l)
	}),
	compiler: func(prefer int) (compiler, error) {
		c, err := nvrtc.Open(prefer)
		if err != nil {
			return nil, err
		}
		return c, nil
	},
	images: newImages(),
}

// candidate is a device known to the driver.
type candidate struct {
	number int32
	info   device.Info
}

// List lists the devices, in the driver's order. If there is no driver, or no device, the error is
// a *native.NotFoundError.
func List() ([]device.Info, error) {
	_, all, err := installed.list()
	var infos []device.Info
	for _, f := range all {
		infos = append(infos, f.info)
	}
	return infos, err
}

func (s system) list() (*driver, []candidate, error) {
	d, err := s.driver()
	if err != nil {
		return nil, nil, err
	}
	var n int32
	if code := d.cuDeviceGetCount.Call(uintptr(unsafe.Pointer(&n))); code != success {
		return nil, nil, &native.NotFoundError{What: "no CUDA device", Err: d.failure("cuDeviceGetCount", code), Hint: deviceHint}
	}
	if n == 0 {
		return nil, nil, &native.NotFoundError{What: "no CUDA device", Hint: deviceHint}
	}
	all := make([]candidate, n)
	for i := range all {
		if all[i], err = d.describe(i); err != nil {
			return nil, nil, err
		}
	}
	return d, all, nil
}

// The device attributes that are queried.
const (
	attributeMaxThreads      = 1
	attributeShared          = 8
	attributeMultiprocessors = 16
	attributeCapabilityMajor = 75
	attributeCapabilityMinor = 76
	attributeSharedOnRequest = 97
	usualShared              = 48 << 10 // more must be requested
)

// describe queries a device.
func (d *driver) describe(index int) (candidate, error) {
	var f candidate
	if code := d.cuDeviceGet.Call(uintptr(unsafe.Pointer(&f.number)), uintptr(index)); code != success {
		return f, d.failure("cuDeviceGet", code)
	}
	name := make([]byte, 256)
	if code := d.cuDeviceGetName.Call(uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(f.number)); code != success {
		return f, d.failure("cuDeviceGetName", code)
	}
	var memory uintptr
	if code := d.cuDeviceTotalMem_v2.Call(uintptr(unsafe.Pointer(&memory)), uintptr(f.number)); code != success {
		return f, d.failure("cuDeviceTotalMem", code)
	}
	attribute := func(which uintptr) int {
		var value int32
		if code := d.cuDeviceGetAttribute.Call(uintptr(unsafe.Pointer(&value)), which, uintptr(f.number)); code != success {
			return 0 // unknown to an old driver
		}
		return int(value)
	}
	f.info = device.Info{
		Name:     native.Text(name),
		Driver:   "CUDA " + d.Version(),
		Units:    attribute(attributeMultiprocessors),
		Memory:   int64(memory),
		Local:    max(attribute(attributeShared), attribute(attributeSharedOnRequest)),
		MaxGroup: attribute(attributeMaxThreads),
		Float64:  true,
		Atomic64: true,
		Arch:     fmt.Sprintf("sm_%d%d", attribute(attributeCapabilityMajor), attribute(attributeCapabilityMinor)),
	}
	return f, nil
}

// choose returns the device with that number, or the best of those whose name contains the choice:
// those with the most multiprocessors.
func choose(all []candidate, choice string) (candidate, error) {
	if f, ok := device.Choose(all, choice, func(f candidate) []string { return []string{f.info.Name} }, func(f candidate) int { return f.info.Units }); ok {
		return f, nil
	}
	var names []string
	for i, f := range all {
		names = append(names, fmt.Sprintf("%d: %s", i, f.info.Name))
	}
	return candidate{}, &native.NotFoundError{What: fmt.Sprintf("no CUDA device %q; there are %s", choice, strings.Join(names, ", ")), Hint: deviceHint}
}

// target returns the architecture to compile for: the device's, or an earlier one of the same
// generation if the compiler does not know the device's.
func target(c compiler, arch string) (string, error) {
	archs, err := c.Archs()
	if err != nil {
		return "", err
	}
	best := ""
	for _, a := range archs {
		if n := generation(a); n <= generation(arch) && n/10 == generation(arch)/10 && n >= generation(best) {
			best = a
		}
	}
	if best == "" {
		return "", &native.NotFoundError{
			What: fmt.Sprintf("NVRTC %s does not compile for this device's %s, but for %s", c.Version(), arch, strings.Join(archs, ", ")),
			Hint: "install another version: pip install nvidia-cuda-nvrtc-cu12, or nvidia-cuda-nvrtc",
		}
	}
	return best, nil
}

// generation returns the number of an architecture, such as 90 for sm_90 and for compute_90.
func generation(arch string) int {
	_, number, _ := strings.Cut(arch, "_")
	n, _ := strconv.Atoi(number)
	return n
}
