#!/bin/sh
# Installs the C and C++ compilers, PETSc and OpenCL that the tests use, where that is allowed;
# otherwise says which are missing.
set -eu

missing=""
command -v gcc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
command -v clang >/dev/null 2>&1 || missing="$missing clang libomp-dev"
command -v g++ >/dev/null 2>&1 || missing="$missing g++"
ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1 || missing="$missing pocl-opencl-icd"
find /usr/lib /usr/lib64 -name libOpenCL.so.1 2>/dev/null | grep -q . || missing="$missing ocl-icd-libopencl1"
[ -n "${PETSC_DIR:-}" ] || [ -e /usr/lib/petsc/lib/petsc/conf/petscvariables ] || missing="$missing petsc-dev"
[ -n "$missing" ] || exit 0

sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo -n"
if command -v apt-get >/dev/null 2>&1 && $sudo true 2>/dev/null; then
	echo "installing$missing"
	# one retry: package lists can be stale or a mirror busy
	$sudo apt-get update -qq || $sudo apt-get update -qq
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
	echo "missing, and not to be installed from here:$missing"
	echo "  as root: apt-get install$missing"
fi
