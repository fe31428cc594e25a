# make test       all checks except the long ones, installing what they need where permitted
# make translated regenerates the machine code of the examples
# make platforms  builds and vets for all platforms
# make answers    the known answers on standard meshes, and all generated CUDA C++ through NVRTC
# make heavy      the long ones: devices in every configuration, random loops, every known name
# make bench      op2 against hand-written C, in one run
# make fuzz       all fuzz tests in turn, each for FUZZTIME: kernels, meshes, results, the cache

FUZZTIME ?= 1m

# NVRTC, the compiler of CUDA, as installed by setup, unless another is named.
ifeq ($(OP2_NVRTC),)
export OP2_NVRTC = $(shell ls -d $(CURDIR)/.tools/nvrtc/nvidia/cuda_nvrtc/lib 2>/dev/null)
endif

.PHONY: test setup translated check-translated check platforms unit race answers heavy bench fuzz

test: setup check unit race

# Installs the C and C++ compilers, PETSc, OpenCL, METIS, Scotch, HDF5, NVRTC and VTK for the tests. Without permission to
# install them, it prints what is missing, and the tests that need them are skipped by name.
setup:
	@sh scripts/setup.sh

translated:
	go generate -run 'op2 translate' ./examples/...

# What is committed is compared as C, which does not depend on the compiler, and takes none.
check-translated:
	@grep -l '^//go:generate .*op2 translate' examples/*/*.go | while read f; do \
		(cd $$(dirname $$f) && eval "$$(sed -n 's,^//go:generate \(.*op2 translate\),\1 -check,p' $$(basename $$f))" 2>translated.log) || { cat $$(dirname $$f)/translated.log; exit 1; }; \
		rm $$(dirname $$f)/translated.log; \
	done

check: check-translated
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	cd internal/backend/gofunc && go run ./gen -check
	go vet ./...
	go tool staticcheck ./...

# All platforms that docs/backends.md promises. Without cgo, purego needs the flag on FreeBSD.
# Tests contain numbers that do not fit into a 32-bit int.
PLATFORMS = linux/amd64 linux/arm64 linux/386 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64 freebsd/amd64

platforms:
	@for p in $(PLATFORMS); do \
		export CGO_ENABLED=0 GOOS=$${p%/*} GOARCH=$${p#*/}; flags=; \
		test $$GOOS != freebsd || flags=-gcflags=github.com/ebitengine/purego/internal/fakecgo=-std; \
		go build $$flags ./... || { echo "on $$p"; exit 1; }; \
		test $$GOARCH = 386 || go vet $$flags ./... || { echo "on $$p"; exit 1; }; \
	done

unit:
	go test -timeout 30m ./...

# Programs, and what is pure, have no goroutines of their own.
RACE = $$(go list ./... | grep -vE '/(bench|cmd|docs|examples|internal/(codegen|settings|spell))(/|$$)')

race:
	@if [ "$$(go env CGO_ENABLED)" = 1 ]; then go test -race -short -timeout 30m $(RACE); \
	else echo "the race detector needs cgo: skipped"; fi

# Some minutes.
answers:
	OP2_HEAVY=1 go test -run 'Heavy|Texts' -timeout 60m ./bench ./examples/... ./internal/backend/gpu/gputest

# The whole conformance suite on devices in every strategy and layout, and in binaries that contain its code; random
# loops; names of all headers and compilers: half an hour on two cores. Run it before a release. OP2_HEAVY=3/8 make
# heavy runs the third of eight shares.
heavy:
	OP2_HEAVY=$${OP2_HEAVY:-1} go test -p 1 -run 'Heavy|Texts|^TestConformance$$' -timeout 60m ./internal/codegen ./internal/conformance ./solver .

bench:
	go run ./bench

fuzz:
	@grep -rn --include='*_test.go' '^func Fuzz' . | \
	sed 's,^\./\(.*\)/[^/]*:.*func \(Fuzz[A-Za-z0-9]*\).*,\1 \2,' | sort | \
	while read folder name; do \
		echo "$$name in $$folder"; \
		go test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) ./$$folder || exit 1; \
	done
