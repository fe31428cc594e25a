#!/bin/sh
# Tests and measures a device on a machine that needs neither Go, nor a compiler, nor a
# network, and writes one file of results.
#
#   bench/gpu.sh build                # on a machine with Go: builds the programs into bin/
#   bench/gpu.sh [all|suite|bench]    # on the one with the device, in a copy of the repository with bin/
#
# all is the default; suite runs the tests on the device, including the conformance suite;
# bench measures, also loops one by one against a chain of them, with further flags of `bench -devices` such as -cells 43200,720000. The file is
# bench/results/DATE-DEVICE.txt; all starts a new one, the others append to it.
#
#   OP2_BENCH_BACKEND   cuda (the default) or opencl
#   OP2_BENCH_FORMS     configurations of the whole suite, which run at once: more are slower on one device
#   OP2_BENCH_LIMIT     seconds that each part may take, 540 by default
#   OP2_BENCH_NAME      what the file calls the device
#   OP2_BENCH_RESULTS   another folder for the file
set -eu

cd "$(dirname "$0")/.."
root=$PWD
backend=${OP2_BENCH_BACKEND:-cuda}
limit=${OP2_BENCH_LIMIT:-540}
forms=${OP2_BENCH_FORMS-auto staged-aos blocks-soa deterministic}
results=${OP2_BENCH_RESULTS:-bench/results}

build() {
	export CGO_ENABLED=0 # native libraries are loaded at run time; the programs need only the C library
	go test -c -trimpath -ldflags "-s -w" -o bin/conformance.test ./internal/conformance
	go test -c -trimpath -ldflags "-s -w" -o bin/cuda.test ./internal/cuda
	go test -c -trimpath -ldflags "-s -w" -o bin/opencl.test ./internal/opencl
	go build -trimpath -ldflags "-s -w" -o bin/bench ./bench
	echo "$(git describe --always --dirty 2>/dev/null || echo unknown), $(go version | cut -d' ' -f3-)" >bin/VERSION
	ls -l bin
}

# looks prints the state of the machine, as far as it is available.
looks() {
	echo "processors: $(nproc 2>/dev/null || echo unknown), load $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
	[ "$backend" = cuda ] && command -v nvidia-smi >/dev/null 2>&1 || return 0
	nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem,temperature.gpu,power.draw,power.limit \
		--format=csv || true
}

# header begins the file.
header() {
	echo "op2 on a device: $(date -u '+%Y-%m-%d %H:%M UTC')"
	echo "version: $(cat bin/VERSION)"
	echo "$device"
	grep -m1 'model name' /proc/cpuinfo 2>/dev/null || true
	looks
}

# suite runs the tests on the device. The logs, if some fail, stay beside the file of results.
suite() {
	logs=$(mktemp -d)
	status=0
	export OP2_REQUIRE="$backend"
	begun=$(date +%s)
	passes suite "$root" env OP2_REQUIRE="$backend" OP2_HEAVY=1 bin/conformance.test -test.v -test.timeout "${limit}s" \
		-test.run "^(TestConformance|TestDevices|TestCalls)/^$backend"
	passes "$backend" "$root/internal/$backend" "$root/bin/$backend.test" -test.v -test.timeout 120s
	left=$((limit - $(date +%s) + begun))
	for form in $forms; do
		(
			passes "$form" "$root" env OP2_REQUIRE="$backend" OP2_HEAVY=1 OP2_TEST_CONFIGURATION="$backend/$form" \
				bin/conformance.test -test.v -test.timeout "$((left > 0 ? left : 1))s" -test.run '^TestConfiguration$' >"$logs/$form.said"
			[ "$status" = 0 ] || touch "$logs/failed"
		) &
	done
	wait
	[ -z "$forms" ] || cat "$logs"/*.said
	[ ! -e "$logs/failed" ] || status=1
	if [ "$status" != 0 ]; then
		(cd "$logs" && grep -vE '^ *(=== |--- PASS)' ./*.log) >"$file.log" || true
		echo "what the tests said, of which some fail, is in $file.log"
	fi
	rm -rf "$logs"
	return "$status"
}

# passes NAME DIR PROGRAM ARGS runs one program of tests, and sets status if it fails.
passes() {
	name=$1 dir=$2 code=0
	shift 2
	printf '\n== suite: %s\n' "$(echo "$*" | sed "s,$root/,,g; s,^env ,,; s, \(\^[^ ]*\)\$, '\1',")"
	(cd "$dir" && "$@") >"$logs/$name.log" 2>&1 || code=$?
	grep -E '^(    )?--- |^(PASS|FAIL|panic)|dispatch_test' "$logs/$name.log" || true
	counted "$logs/$name.log"
	[ "$code" != 0 ] || return 0
	status=$code
	echo "failed with status $code; the last lines, without what passed:"
	grep -vE '^ *(=== |--- PASS)' "$logs/$name.log" | tail -40
}

counted() {
	echo "passed $(grep -cE '^ *--- PASS' "$1" || true), failed $(grep -cE '^ *--- FAIL' "$1" || true), skipped $(grep -cE '^ *--- SKIP' "$1" || true)"
}

# measure begins nothing new after half of the limit: what has begun takes its time.
measure() {
	printf '\n== bench: bin/bench -devices -backend %s -limit %ss %s\n' "$backend" "$((limit / 2))" "$*"
	status=0
	bin/bench -devices -backend "$backend" -limit "$((limit / 2))s" "$@" || status=$?
	echo
	looks
	return "$status"
}

part=${1:-all}
[ $# = 0 ] || shift
case $part in
build)
	build
	exit
	;;
all | suite | bench) ;;
*)
	sed -n '2,16s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac

for program in conformance.test "$backend.test" bench VERSION; do
	if [ ! -e "bin/$program" ]; then
		echo "bin/$program is not there: run bench/gpu.sh build where Go is, and copy bin/ here" >&2
		exit 2
	fi
done
if ! device=$(bin/bench -describe -backend "$backend" 2>&1); then
	echo "nothing to measure: $device" >&2
	exit 1
fi

name=${OP2_BENCH_NAME:-$(echo "$device" | sed -n '1s/^device: \([^,]*\).*/\1/p')}
name=$(echo "$name" | tr 'A-Z' 'a-z' | tr -cs 'a-z0-9\n' '-' | sed 's/^-*//;s/-*$//')
mkdir -p "$results"
file=$results/$(date -u +%Y-%m-%d)-$name.txt
[ "$part" = all ] && rm -f "$file"
[ -e "$file" ] || header | tee "$file"

# The status of the part, which a pipe would lose.
failed=$(mktemp)
case $part in
all) (suite || echo suite >>"$failed"; measure "$@" || echo bench >>"$failed") 2>&1 | tee -a "$file" ;;
suite) (suite || echo suite >>"$failed") 2>&1 | tee -a "$file" ;;
bench) (measure "$@" || echo bench >>"$failed") 2>&1 | tee -a "$file" ;;
esac
what=$(tr '\n' ' ' <"$failed")
rm -f "$failed"
echo "written: $file"
if [ -n "$what" ]; then
	echo "failed: $what" >&2
	exit 1
fi
