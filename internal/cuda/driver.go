package cuda

import (
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// driverName is the name of the driver's library.
const driverName = "libcuda.so.1"

// driver is the loaded library: its functions, whose names start with cu.
type driver struct {
	version int // of CUDA: 12040 is 12.4

	functions
	graphs      graphFunctions
	graphsExist bool // with CUDA 11.4
}

type functions struct {
	cuInit, cuDriverGetVersion, cuGetErrorName, cuDeviceGetCount, cuDeviceGet               native.Function
	cuDeviceGetName, cuDeviceGetAttribute, cuDeviceTotalMem_v2                              native.Function
	cuCtxCreate_v2, cuCtxDestroy_v2, cuCtxSetCurrent                                        native.Function
	cuMemAlloc_v2, cuMemFree_v2, cuMemHostAlloc, cuMemFreeHost                              native.Function
	cuMemcpyHtoDAsync_v2, cuMemcpyDtoHAsync_v2, cuMemcpyDtoDAsync_v2, cuMemsetD8Async       native.Function
	cuStreamCreate, cuStreamSynchronize, cuStreamDestroy_v2                                 native.Function
	cuEventCreate, cuEventRecord, cuEventSynchronize, cuEventElapsedTime, cuEventDestroy_v2 native.Function
	cuModuleLoadData, cuModuleUnload, cuModuleGetFunction                                   native.Function
	cuFuncGetAttribute, cuFuncSetAttribute, cuLaunchKernel                                  native.Function
}

type graphFunctions struct {
	cuStreamBeginCapture_v2, cuStreamEndCapture, cuGraphInstantiateWithFlags native.Function
	cuGraphLaunch, cuGraphDestroy, cuGraphExecDestroy                        native.Function
}

func newDriver(l *native.Library) (*driver, error) {
	d := &driver{}
	if err := l.Bind(&d.functions); err != nil {
		return nil, &native.NotFoundError{What: "no NVIDIA driver of CUDA 11 or later", Err: err, Hint: driverHint}
	}
	d.graphsExist = l.Bind(&d.graphs) == nil
	defer native.Guard()()
	var version int32
	if code := d.cuDriverGetVersion.Call(uintptr(unsafe.Pointer(&version))); code != success {
		return nil, d.failure("cuDriverGetVersion", code)
	}
	d.version = int(version)
	switch code := d.cuInit.Call(0); int32(code) {
	case success:
		return d, nil
	case noDevice:
		return nil, &native.NotFoundError{What: "no CUDA device", Err: d.failure("cuInit", code), Hint: deviceHint}
	default:
		return nil, &native.NotFoundError{What: "the NVIDIA driver does not start", Err: d.failure("cuInit", code), Hint: driverHint}
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
	invalidPTX       = 218
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
	if r := d.cuGetErrorName.Call(uintptr(code), uintptr(unsafe.Pointer(&name))); r != success || name == 0 {
		return fmt.Sprintf("CUDA error %d", code)
	}
	return native.TextAt(name)
}

// failure returns the error of a failed call that has no device yet.
func (d *driver) failure(call string, code uintptr) error {
	return fmt.Errorf("%s: %s", call, d.errorName(int32(code)))
}
