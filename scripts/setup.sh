#!/bin/sh
# Installs the C and C++ compilers, PETSc and OpenCL that the tests use, and NVRTC in the folder
# .tools, where that is allowed; otherwise says which are missing.
set -eu
cd "$(dirname "$0")/.."

# The compiler of CUDA, of the last version that compiles for all the architectures
# tested, lies in a folder of its own, whatever Python there is.
nvrtc=.tools/nvrtc
needs_nvrtc=""
[ -n "${OP2_NVRTC:-}" ] || [ "$(uname -s)" != Linux ] || [ -e "$nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12" ] || needs_nvrtc=1

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
find /usr/lib /usr/lib64 -name libOpenCL.so.1 2>/dev/null | grep -q . || missing="$missing ocl-icd-libopencl1"
[ -n "${PETSC_DIR:-}" ] || [ -e /usr/lib/petsc/lib/petsc/conf/petscvariables ] || missing="$missing petsc-dev"
[ -z "$needs_nvrtc" ] || [ -n "$(python)" ] || missing="$missing python3-pip"

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

if [ -n "$needs_nvrtc" ]; then
	echo "installing NVRTC in $nvrtc"
	new=$nvrtc.$$ # and then renamed: it is there as a whole, or not at all
	trap 'rm -rf "$new"' EXIT
	p=$(python)
	if [ -n "$p" ] && PIP_ROOT_USER_ACTION=ignore "$p" -m pip install --quiet --disable-pip-version-check --no-deps --target "$new" 'nvidia-cuda-nvrtc-cu12==12.9.*'; then
		rm -rf "$nvrtc"
		mv "$new" "$nvrtc"
	else
		echo "missing, and not to be installed from here: NVRTC, the compiler of CUDA"
		echo "  python3 -m pip install --target $nvrtc 'nvidia-cuda-nvrtc-cu12==12.9.*', or OP2_NVRTC=/folder/of/libnvrtc.so.12"
	fi
fi
