// Package gpu is what the backends `opencl` and `cuda` have in common, which is all but the
// device: data mirrored in the device's memory, a strategy for each loop, and its launches.
//
// Package codegen prints the text, a device.Device compiles and runs it. choose.go says
// which strategies a loop can have and takes one, variant.go prepares a loop for one of
// them, staging.go and reach.go lay out what their plans need on the device, runner.go
// runs.
package gpu
