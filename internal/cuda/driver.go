package cuda

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/cuda/library"
	"github.com/go-op2/op2/internal/signals"
)

// driverName is the name of the driver's library.
const driverName = "libcuda.so.1"

// driver is the loaded library: its functions, whose names start with cu.
type driver struct {
	version int // of CUDA: 12040 is 12.4

	init, driverGetVersion, getErrorName                                       uintptr
	deviceGetCount, deviceGet, deviceGetName, deviceGetAttribute, deviceMemory uintptr
	ctxCreate, ctxDestroy, ctxSetCurrent                                       uintptr
	memAlloc, memFree, memHostAlloc, memFreeHost                               uintptr
	copyToDevice, copyToHost, copyOnDevice, clear                              uintptr
	streamCreate, streamSynchronize, streamDestroy                             uintptr
	eventCreate, eventRecord, eventSynchronize, eventElapsed, eventDestroy     uintptr
	moduleLoad, moduleUnload, moduleGetFunction                                uintptr
	funcGetAttribute, funcSetAttribute, launchKernel                           uintptr

	graphs                         bool // there are those that follow, which are newer than CUDA 11
	beginCapture, endCapture       uintptr
	graphInstantiate, graphLaunch  uintptr
	graphDestroy, graphExecDestroy uintptr
}

func newDriver(l *library.Library) (*driver, error) {
	d := &driver{}
	err := l.Symbols(map[string]*uintptr{
		"cuInit": &d.init, "cuDriverGetVersion": &d.driverGetVersion, "cuGetErrorName": &d.getErrorName,
		"cuDeviceGetCount": &d.deviceGetCount, "cuDeviceGet": &d.deviceGet, "cuDeviceGetName": &d.deviceGetName,
		"cuDeviceGetAttribute": &d.deviceGetAttribute, "cuDeviceTotalMem_v2": &d.deviceMemory,
		"cuCtxCreate_v2": &d.ctxCreate, "cuCtxDestroy_v2": &d.ctxDestroy, "cuCtxSetCurrent": &d.ctxSetCurrent,
		"cuMemAlloc_v2": &d.memAlloc, "cuMemFree_v2": &d.memFree, "cuMemHostAlloc": &d.memHostAlloc, "cuMemFreeHost": &d.memFreeHost,
		"cuMemcpyHtoDAsync_v2": &d.copyToDevice, "cuMemcpyDtoHAsync_v2": &d.copyToHost, "cuMemcpyDtoDAsync_v2": &d.copyOnDevice,
		"cuMemsetD8Async": &d.clear,
		"cuStreamCreate":  &d.streamCreate, "cuStreamSynchronize": &d.streamSynchronize, "cuStreamDestroy_v2": &d.streamDestroy,
		"cuEventCreate": &d.eventCreate, "cuEventRecord": &d.eventRecord, "cuEventSynchronize": &d.eventSynchronize,
		"cuEventElapsedTime": &d.eventElapsed, "cuEventDestroy_v2": &d.eventDestroy,
		"cuModuleLoadData": &d.moduleLoad, "cuModuleUnload": &d.moduleUnload, "cuModuleGetFunction": &d.moduleGetFunction,
		"cuFuncGetAttribute": &d.funcGetAttribute, "cuFuncSetAttribute": &d.funcSetAttribute, "cuLaunchKernel": &d.launchKernel,
	})
	if err != nil {
		return nil, &NotFoundError{What: "no NVIDIA driver of CUDA 11 or later", Err: err, Hint: driverHint}
	}
	d.graphs = l.Symbols(map[string]*uintptr{
		"cuStreamBeginCapture_v2": &d.beginCapture, "cuStreamEndCapture": &d.endCapture,
		"cuGraphInstantiateWithFlags": &d.graphInstantiate, "cuGraphLaunch": &d.graphLaunch,
		"cuGraphDestroy": &d.graphDestroy, "cuGraphExecDestroy": &d.graphExecDestroy,
	}) == nil
	defer signals.Save()()
	var version int32
	if code, _, _ := purego.SyscallN(d.driverGetVersion, uintptr(unsafe.Pointer(&version))); code != success {
		return nil, d.failure("cuDriverGetVersion", code)
	}
	d.version = int(version)
	switch code, _, _ := purego.SyscallN(d.init, 0); int32(code) {
	case success:
		return d, nil
	case noDevice:
		return nil, &NotFoundError{What: "no CUDA device", Err: d.failure("cuInit", code), Hint: deviceHint}
	default:
		return nil, &NotFoundError{What: "the NVIDIA driver does not start", Err: d.failure("cuInit", code), Hint: driverHint}
	}
}

// Version returns the CUDA version, such as "12.4".
func (d *driver) Version() string {
	return fmt.Sprintf("%d.%d", d.version/1000, d.version%1000/10)
}

// The driver's results that are distinguished.
const (
	success          = 0
	outOfMemory      = 2
	noDevice         = 100
	invalidImage     = 200
	noBinaryForGPU   = 209
	unsupportedPTX   = 222
	deviceGone       = 46
	eccUncorrectable = 214
	illegalAddress   = 700
	launchTimeout    = 702
	contextDestroyed = 709
	assertFailed     = 710
	stackError       = 714
	illegalOp        = 715
	misaligned       = 716
	invalidSpace     = 717
	invalidPC        = 718
	launchFailed     = 719
	unknown          = 999
)

// lost reports whether a result means that the device's context is unusable.
func lost(code int32) bool {
	switch code {
	case deviceGone, eccUncorrectable, illegalAddress, launchTimeout, contextDestroyed, assertFailed, stackError, illegalOp,
		misaligned, invalidSpace, invalidPC, launchFailed, unknown:
		return true
	}
	return false
}

// errorName returns a name such as "CUDA_ERROR_ILLEGAL_ADDRESS".
func (d *driver) errorName(code int32) string {
	var name uintptr
	if r, _, _ := purego.SyscallN(d.getErrorName, uintptr(code), uintptr(unsafe.Pointer(&name))); r != success || name == 0 {
		return fmt.Sprintf("CUDA error %d", code)
	}
	return library.TextAt(name)
}

// failure returns the error of a failed call that has no device yet.
func (d *driver) failure(call string, code uintptr) error {
	return fmt.Errorf("%s: %s", call, d.errorName(int32(code)))
}
