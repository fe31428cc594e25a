// The target cuda: NVIDIA's GPU 0, or that whose number the variable DEVICE has. NVRTC compiles the kernels for it.
#include "device.h"

#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>

static char architecture[64]; // the flag of the compiler

static void check(CUresult code, const char *call)
{
	const char *name = "an error that has no name";
	if (code) {
		cuGetErrorName(code, &name);
		fail("%s: %s", call, name);
	}
}

static void check_compiler(nvrtcResult code, const char *call)
{
	if (code)
		fail("%s: %s", call, nvrtcGetErrorString(code));
}

void device_open(void)
{
	CUdevice device;
	CUcontext context;
	char name[256] = "";
	int major, minor;
	check(cuInit(0), "cuInit");
	check(cuDeviceGet(&device, getenv("DEVICE") ? atoi(getenv("DEVICE")) : 0), "cuDeviceGet");
	check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
	check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
	check(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
	check(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device), "cuDeviceGetAttribute");
	check(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device), "cuDeviceGetAttribute");
	fprintf(stderr, "%s\n", name);
	snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", major, minor);
}

buffer device_allocate(size_t bytes)
{
	CUdeviceptr p;
	check(cuMemAlloc(&p, bytes), "cuMemAlloc");
	return p;
}

void device_upload(buffer to, const void *from, size_t bytes) { check(cuMemcpyHtoD(to, from, bytes), "cuMemcpyHtoD"); }

void device_download(void *to, buffer from, size_t bytes) { check(cuMemcpyDtoH(to, from, bytes), "cuMemcpyDtoH"); }

void *device_compile(const struct code *c, const char *text)
{
	static char log[1 << 16];
	nvrtcProgram program;
	CUmodule module;
	size_t size = 0;
	const char *options[16] = {architecture, "--std=c++17"};
	int n = 2;
	for (int i = 0; c->flags[i]; i++)
		options[n++] = c->flags[i];
	check_compiler(nvrtcCreateProgram(&program, text, c->name, 0, NULL, NULL), "nvrtcCreateProgram");
	nvrtcResult code = nvrtcCompileProgram(program, n, options);
	if (code) {
		if (!nvrtcGetProgramLogSize(program, &size) && size < sizeof log)
			nvrtcGetProgramLog(program, log);
		fail("%s does not compile: %s\n%s", c->name, nvrtcGetErrorString(code), log);
	}
	check_compiler(nvrtcGetCUBINSize(program, &size), "nvrtcGetCUBINSize");
	char *image = allocate(size);
	check_compiler(nvrtcGetCUBIN(program, image), "nvrtcGetCUBIN");
	check_compiler(nvrtcDestroyProgram(&program), "nvrtcDestroyProgram");
	check(cuModuleLoadData(&module, image), "cuModuleLoadData");
	free(image);
	return module;
}

void *device_kernel(void *program, const char *name)
{
	CUfunction f;
	check(cuModuleGetFunction(&f, program, name), name);
	return f;
}

void device_launch(void *kernel, int groups, int size, const struct value *values, int n)
{
	void *args[256];
	for (int i = 0; i < n; i++)
		args[i] = (void *)values[i].at;
	check(cuLaunchKernel(kernel, groups, 1, 1, size, 1, 1, 0, NULL, args, NULL), "cuLaunchKernel");
}
