package opencl

import "fmt"

// A code is the result of a function of OpenCL: 0 is success.
type code int32

const (
	deviceNotFound      code = -1
	deviceNotAvailable  code = -2
	memObjectAllocation code = -4
	outOfResources      code = -5
	outOfHostMemory     code = -6
	invalidCommandQueue code = -36
	invalidBufferSize   code = -61
	platformNotFound    code = -1001
	nvidiaIllegalAccess code = -9999
)

func (c code) String() string {
	if name, ok := codeNames[c]; ok {
		return name
	}
	return fmt.Sprintf("error %d of OpenCL", int32(c))
}

var codeNames = map[code]string{
	deviceNotFound:      "CL_DEVICE_NOT_FOUND",
	deviceNotAvailable:  "CL_DEVICE_NOT_AVAILABLE",
	-3:                  "CL_COMPILER_NOT_AVAILABLE",
	memObjectAllocation: "CL_MEM_OBJECT_ALLOCATION_FAILURE",
	outOfResources:      "CL_OUT_OF_RESOURCES",
	outOfHostMemory:     "CL_OUT_OF_HOST_MEMORY",
	-7:                  "CL_PROFILING_INFO_NOT_AVAILABLE",
	-8:                  "CL_MEM_COPY_OVERLAP",
	-11:                 "CL_BUILD_PROGRAM_FAILURE",
	-12:                 "CL_MAP_FAILURE",
	-13:                 "CL_MISALIGNED_SUB_BUFFER_OFFSET",
	-14:                 "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
	-15:                 "CL_COMPILE_PROGRAM_FAILURE",
	-16:                 "CL_LINKER_NOT_AVAILABLE",
	-17:                 "CL_LINK_PROGRAM_FAILURE",
	-19:                 "CL_KERNEL_ARG_INFO_NOT_AVAILABLE",
	-30:                 "CL_INVALID_VALUE",
	-31:                 "CL_INVALID_DEVICE_TYPE",
	-32:                 "CL_INVALID_PLATFORM",
	-33:                 "CL_INVALID_DEVICE",
	-34:                 "CL_INVALID_CONTEXT",
	-35:                 "CL_INVALID_QUEUE_PROPERTIES",
	invalidCommandQueue: "CL_INVALID_COMMAND_QUEUE",
	-37:                 "CL_INVALID_HOST_PTR",
	-38:                 "CL_INVALID_MEM_OBJECT",
	-42:                 "CL_INVALID_BINARY",
	-43:                 "CL_INVALID_BUILD_OPTIONS",
	-44:                 "CL_INVALID_PROGRAM",
	-45:                 "CL_INVALID_PROGRAM_EXECUTABLE",
	-46:                 "CL_INVALID_KERNEL_NAME",
	-47:                 "CL_INVALID_KERNEL_DEFINITION",
	-48:                 "CL_INVALID_KERNEL",
	-49:                 "CL_INVALID_ARG_INDEX",
	-50:                 "CL_INVALID_ARG_VALUE",
	-51:                 "CL_INVALID_ARG_SIZE",
	-52:                 "CL_INVALID_KERNEL_ARGS",
	-53:                 "CL_INVALID_WORK_DIMENSION",
	-54:                 "CL_INVALID_WORK_GROUP_SIZE",
	-55:                 "CL_INVALID_WORK_ITEM_SIZE",
	-56:                 "CL_INVALID_GLOBAL_OFFSET",
	-57:                 "CL_INVALID_EVENT_WAIT_LIST",
	-58:                 "CL_INVALID_EVENT",
	-59:                 "CL_INVALID_OPERATION",
	invalidBufferSize:   "CL_INVALID_BUFFER_SIZE",
	-63:                 "CL_INVALID_GLOBAL_WORK_SIZE",
	-64:                 "CL_INVALID_PROPERTY",
	-66:                 "CL_INVALID_COMPILER_OPTIONS",
	-67:                 "CL_INVALID_LINKER_OPTIONS",
	platformNotFound:    "CL_PLATFORM_NOT_FOUND_KHR",
	nvidiaIllegalAccess: "CL_NVIDIA_ILLEGAL_BUFFER_READ_OR_WRITE",
}

// Queries of platforms, devices, programs, kernels and events, from cl.h.
const (
	platformVersion = 0x0901
	platformName    = 0x0902

	deviceType              = 0x1000
	deviceMaxComputeUnits   = 0x1002
	deviceMaxWorkGroupSize  = 0x1004
	deviceMaxWorkItemSizes  = 0x1005
	deviceMaxMemAllocSize   = 0x1010
	deviceGlobalMemSize     = 0x101F
	deviceLocalMemSize      = 0x1023
	deviceAvailable         = 0x1027
	deviceCompilerAvailable = 0x1028
	deviceName              = 0x102B
	driverVersion           = 0x102D
	deviceExtensions        = 0x1030
	deviceDoubleFPConfig    = 0x1032

	contextPlatform = 0x1084

	programBinarySizes = 0x1165
	programBinaries    = 0x1166
	programBuildLog    = 0x1183

	kernelNumArgs        = 0x1191
	kernelWorkGroupSize  = 0x11B0
	kernelLocalMemSize   = 0x11B2
	kernelPrivateMemSize = 0x11B4

	profilingCommandStart = 0x1282
	profilingCommandEnd   = 0x1283
)

// Device types, and flags.
const (
	kindCPU         = 1 << 1
	kindGPU         = 1 << 2
	kindAccelerator = 1 << 3
	kindAll         = 0xFFFFFFFF

	memReadWrite         = 1
	queueProfilingEnable = 1 << 1
)
