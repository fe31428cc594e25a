/* The functions of NVRTC that driver/cuda.c calls. They compile nothing: the test has made a library of each text, by
   package standin, whose name is the image. */
#pragma once
#include <stdio.h>
#include <string.h>

typedef int nvrtcResult;
typedef char *nvrtcProgram;

static inline const char *nvrtcGetErrorString(nvrtcResult r) { return r ? "NVRTC_ERROR" : "NVRTC_SUCCESS"; }
static inline nvrtcResult nvrtcCreateProgram(nvrtcProgram *p, const char *text, const char *name, int headers, const char *const *h, const char *const *n)
{
	*p = strdup(name);
	return !text[0];
}
static inline nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int n, const char *const *options)
{
	return n < 2 || strcmp(options[0], "--gpu-architecture=sm_90") || strcmp(options[1], "--std=c++17");
}
static inline nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *n) { return *n = 1, 0; }
static inline nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) { return *log = 0; }
static inline nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *n) { return *n = sizeof TEXTS + strlen(p) + 5, 0; }
static inline nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *image) { return sprintf(image, "%s/%s.so", TEXTS, p) < 0; }
static inline nvrtcResult nvrtcDestroyProgram(nvrtcProgram *p) { return *p = NULL, 0; }
