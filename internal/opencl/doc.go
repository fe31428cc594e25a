// Package opencl opens OpenCL devices as [device.Device]: a thin binding of libOpenCL, which is
// loaded when the first device is opened. It knows nothing of loops or generated code.
//
// A device that is opened twice has two contexts and two queues; they share only the count of its
// allocated memory.
package opencl
