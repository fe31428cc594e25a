// Package gpu is the common part of the backends `opencl` and `cuda`, everything but the device:
// data mirrored in device memory, a strategy for each loop, and its launches.
//
// Package codegen/device prints the source, and a device.Device compiles and runs it. choose.go lists the
// strategies that a loop can use, prepare.go prepares it for them: source.go has the source for each
// of them, divide.go its launches, staging.go and reach.go lay out on the device what their plans need.
// bind.go creates the arguments, runner.go runs it, part.go in parts.
package gpu
