package opencl

import (
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/go-op2/op2/internal/device"
)

// A unit is a device of the machine, open or not.
type unit struct {
	id, platform    uintptr
	kind            uint64
	info            device.Info
	platformName    string
	platformVersion string
	driver          string
	maxAlloc        int64 // bytes of one buffer; 0: unknown

	allocated atomic.Int64 // bytes in buffers of this process
}

// caches reports whether the driver keeps its compilations on disk, so that op2 need not. PoCL
// does, and recompiles all kernels of a program when asked for their binary.
func (u *unit) caches() bool {
	return u.platformName == poclPlatform && os.Getenv("POCL_KERNEL_CACHE") != "0"
}

// enumerate finds the usable devices of all platforms.
func (l *library) enumerate() error {
	var n uint32
	c := code(l.clGetPlatformIDs.Call(0, 0, uintptr(unsafe.Pointer(&n))))
	if c != 0 || n == 0 {
		return notFound("a platform (a driver)", vendorsPath(), codeError(c))
	}
	platforms := make([]uintptr, n)
	if c := code(l.clGetPlatformIDs.Call(uintptr(n), uintptr(unsafe.Pointer(&platforms[0])), 0)); c != 0 {
		return notFound("a platform (a driver)", vendorsPath(), codeError(c))
	}
	var names []string
	for _, p := range platforms {
		names = append(names, askText(l.clGetPlatformInfo, platformName, p))
		for _, id := range l.devicesOf(p) {
			if u := l.describe(p, id); u != nil {
				l.units = append(l.units, u)
			}
		}
	}
	if len(l.units) == 0 {
		return notFound("a device that is available and has a compiler", "the platforms "+strings.Join(names, ", "), nil)
	}
	return nil
}

// vendorsPath returns where libOpenCL looks for drivers.
func vendorsPath() string {
	for _, name := range []string{"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"} {
		if path := os.Getenv(name); path != "" {
			return name + " (" + path + ")"
		}
	}
	return "/etc/OpenCL/vendors"
}

func (l *library) devicesOf(platform uintptr) []uintptr {
	var n uint32
	if c := code(l.clGetDeviceIDs.Call(platform, kindAll, 0, 0, uintptr(unsafe.Pointer(&n)))); c != 0 || n == 0 {
		return nil
	}
	ids := make([]uintptr, n)
	if c := code(l.clGetDeviceIDs.Call(platform, kindAll, uintptr(n), uintptr(unsafe.Pointer(&ids[0])), 0)); c != 0 {
		return nil
	}
	return ids
}

// describe queries a device; nil if it cannot be used.
func (l *library) describe(platform, id uintptr) *unit {
	number := func(what uintptr) uint64 { return askNumber(l.clGetDeviceInfo, what, id) }
	if number(deviceAvailable) == 0 || number(deviceCompilerAvailable) == 0 {
		return nil
	}
	u := &unit{
		id: id, platform: platform,
		kind:            number(deviceType),
		platformName:    askText(l.clGetPlatformInfo, platformName, platform),
		platformVersion: askText(l.clGetPlatformInfo, platformVersion, platform),
		driver:          askText(l.clGetDeviceInfo, driverVersion, id),
		maxAlloc:        int64(number(deviceMaxMemAllocSize)),
	}
	extensions := strings.Fields(askText(l.clGetDeviceInfo, deviceExtensions, id))
	has := func(name string) bool { return slices.Contains(extensions, name) }
	u.info = device.Info{
		Name:     askText(l.clGetDeviceInfo, deviceName, id),
		Driver:   driverText(u.platformVersion, u.driver),
		CPU:      u.kind&kindCPU != 0,
		Units:    int(number(deviceMaxComputeUnits)),
		Memory:   int64(number(deviceGlobalMemSize)),
		Local:    int(number(deviceLocalMemSize)),
		MaxGroup: int(min(number(deviceMaxWorkGroupSize), number(deviceMaxWorkItemSizes))),
		Float64:  has("cl_khr_fp64") || number(deviceDoubleFPConfig) != 0,
		Atomic64: has("cl_khr_int64_base_atomics"),
	}
	return u
}

// driverText returns the versions of OpenCL and of the driver, without the list of options that
// some append.
func driverText(platformVersion, driver string) string {
	text, _, _ := strings.Cut(platformVersion, "  ")
	if driver != "" && !strings.Contains(text, driver) {
		text += ", driver " + driver
	}
	return text
}
