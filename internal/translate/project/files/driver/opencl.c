// The target opencl: the first GPU, or the first device if there is none. The variable DEVICE names another by its number.
#define CL_TARGET_OPENCL_VERSION 120
#include "device.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void check(cl_int code, const char *call)
{
	if (code)
		fail("%s: error %d of OpenCL", call, (int)code);
}

static void find(void)
{
	cl_platform_id platforms[16];
	cl_device_id devices[64];
	cl_uint platforms_n = 0, n = 0;
	check(clGetPlatformIDs(16, platforms, &platforms_n), "clGetPlatformIDs");
	for (cl_uint p = 0; p < platforms_n && p < 16; p++) {
		cl_uint more = 0;
		if (!clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 64 - n, devices + n, &more))
			n += more < 64 - n ? more : 64 - n;
	}
	if (n == 0)
		fail("there is no device of OpenCL");
	cl_uint chosen = n;
	for (cl_uint i = 0; i < n && chosen == n; i++) {
		cl_device_type type = 0;
		check(clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL), "clGetDeviceInfo");
		if (type & CL_DEVICE_TYPE_GPU)
			chosen = i;
	}
	if (getenv("DEVICE"))
		chosen = atoi(getenv("DEVICE"));
	else if (chosen == n)
		chosen = 0;
	if (chosen >= n)
		fail("DEVICE=%s: there are %u", getenv("DEVICE"), n);
	device = devices[chosen];
}

void device_open(void)
{
	char name[256] = "";
	cl_int code;
	find();
	clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
	fprintf(stderr, "%s\n", name);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	check(code, "clCreateContext");
	queue = clCreateCommandQueue(context, device, 0, &code);
	check(code, "clCreateCommandQueue");
}

buffer device_allocate(size_t bytes)
{
	cl_int code;
	cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
	check(code, "clCreateBuffer");
	return (buffer)m;
}

void device_upload(buffer to, const void *from, size_t bytes)
{
	check(clEnqueueWriteBuffer(queue, (cl_mem)to, CL_TRUE, 0, bytes, from, 0, NULL, NULL), "clEnqueueWriteBuffer");
}

void device_download(void *to, buffer from, size_t bytes)
{
	check(clEnqueueReadBuffer(queue, (cl_mem)from, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueReadBuffer");
}

void *device_compile(const struct code *c, const char *text)
{
	static char log[1 << 16];
	cl_int code;
	cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
	check(code, "clCreateProgramWithSource");
	char options[1024] = "-cl-std=CL1.2 -w";
	for (int i = 0, n = 16; c->flags[i]; i++)
		n += snprintf(options + n, sizeof options - n, " %s", c->flags[i]);
	code = clBuildProgram(program, 1, &device, options, NULL, NULL);
	if (code) {
		clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
		fail("%s does not compile: error %d of OpenCL\n%s", c->name, (int)code, log);
	}
	return program;
}

void *device_kernel(void *program, const char *name)
{
	cl_int code;
	cl_kernel k = clCreateKernel(program, name, &code);
	check(code, name);
	return k;
}

void device_launch(void *kernel, int groups, int size, const struct value *values, int n)
{
	size_t local = size, global = local * groups;
	for (int i = 0; i < n; i++)
		check(clSetKernelArg(kernel, i, values[i].bytes, values[i].at), "clSetKernelArg");
	check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
}
