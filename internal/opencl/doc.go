// Package opencl opens OpenCL devices as [device.Device]: a thin binding of libOpenCL, which is looked for when the
// first device is opened. It knows nothing of loops and of the code that is generated for them.
//
// A device that is opened twice has a context and a queue for each time; they share nothing but the account of its
// memory.
package opencl
