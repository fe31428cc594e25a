#!/bin/sh
# Installs the C and C++ compilers, PETSc, OpenCL, METIS, Scotch and HDF5 that the tests use, and NVRTC and VTK in the
# folder .tools, where that is allowed; otherwise says which are missing.
set -eu
cd "$(dirname "$0")/.."

# The compiler of CUDA, of the last version that compiles for all the architectures
# tested, lies in a folder of its own, whatever Python there is.
nvrtc=.tools/nvrtc
needs_nvrtc=""
[ -n "${OP2_NVRTC:-}" ] || [ "$(uname -s)" != Linux ] || [ -e "$nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12" ] || needs_nvrtc=1

# VTK for Python, which reads results back in a test.
vtk=.tools/vtk
needs_vtk=""
[ -e "$vtk/vtkmodules" ] || needs_vtk=1

# python is the first that has pip.
python() {
	for p in python3 /usr/bin/python3; do
		if "$p" -m pip --version >/dev/null 2>&1; then
			echo "$p"
			return
		fi
	done
}

missing=""
command -v gcc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
command -v clang >/dev/null 2>&1 || missing="$missing clang"
command -v g++ >/dev/null 2>&1 || missing="$missing g++"
ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1 || missing="$missing pocl-opencl-icd"
find /usr/lib /usr/lib64 -name libOpenCL.so 2>/dev/null | grep -q . || missing="$missing ocl-icd-opencl-dev"
[ -e /usr/include/CL/cl.h ] || missing="$missing opencl-c-headers"
[ -n "${PETSC_DIR:-}" ] || [ -e /usr/lib/petsc/lib/petsc/conf/petscvariables ] || missing="$missing petsc-dev"
find /usr/lib /usr/lib64 -name libmetis.so.5 2>/dev/null | grep -q . || missing="$missing libmetis5"
find /usr/lib /usr/lib64 -name 'libscotch*.so' 2>/dev/null | grep -q . || missing="$missing libscotch-dev"
find /usr/lib /usr/lib64 -name 'libptscotch*.so' 2>/dev/null | grep -q . || missing="$missing libptscotch-dev"
command -v mpirun.openmpi >/dev/null 2>&1 || missing="$missing openmpi-bin libopenmpi-dev"
command -v mpirun.mpich >/dev/null 2>&1 || missing="$missing mpich"
find /usr/lib /usr/lib64 -name 'libhdf5_serial.so.*' 2>/dev/null | grep -q . || missing="$missing libhdf5-dev"
for mpi in openmpi mpich; do
	find /usr/lib /usr/lib64 -name "libhdf5_$mpi.so.*" 2>/dev/null | grep -q . || missing="$missing libhdf5-$mpi-dev"
done
command -v h5dump >/dev/null 2>&1 || missing="$missing hdf5-tools"
[ -z "$needs_nvrtc$needs_vtk" ] || [ -n "$(python)" ] || missing="$missing python3-pip"

if [ -n "$missing" ]; then
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
fi

# install PACKAGE FOLDER WHAT installs a Python package in a folder of its own.
install() {
	echo "installing $3 in $2"
	new=$2.$$ # and then renamed: it is there as a whole, or not at all
	trap 'rm -rf "$new"' EXIT
	p=$(python)
	if [ -n "$p" ] && PIP_ROOT_USER_ACTION=ignore "$p" -m pip install --quiet --disable-pip-version-check --no-deps --target "$new" "$1"; then
		rm -rf "$2"
		mv "$new" "$2"
	else
		rm -rf "$new"
		echo "missing, and not to be installed from here: $3"
		echo "  python3 -m pip install --no-deps --target $2 '$1'$4"
	fi
}

[ -z "$needs_nvrtc" ] || install 'nvidia-cuda-nvrtc-cu12==12.9.*' "$nvrtc" "NVRTC, the compiler of CUDA" ", or OP2_NVRTC=/folder/of/libnvrtc.so.12"
[ -z "$needs_vtk" ] || install 'vtk>=9.3' "$vtk" "VTK" ""
