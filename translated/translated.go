// Package translated holds the machine code of loops that the command op2 translate has made ahead of
// time. A program that imports the package which the command wrote, for its effects alone, contains the
// code; the runtime finds it there by what it was made from, and starts no compiler for it.
//
// Programs do not call this package: generated ones do.
package translated

import (
	"runtime"
	"slices"
	"sort"
	"sync"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Code is the machine code of one loop, or of another piece of generated C, for one level of a
// processor's instructions. It has no writable state: any number of goroutines may call it.
type Code struct {
	Name string // of the kernel, for messages
	// Key identifies the C that it was made from and how floating point is rounded. Code is never found
	// for other C.
	Key   string
	Level string // of GCC's -march: "x86-64-v3", "x86-64-v4", "armv8-a"
	Lanes int    // elements that run at once; 1: one

	// Call calls the C function with the addresses of its arguments. It is not preempted.
	Call func(args unsafe.Pointer)
	// Blocks calls the function of one block with the blocks first to last-1, if there is one.
	Blocks func(args unsafe.Pointer, first, last int32)
}

var (
	mu       sync.Mutex
	byKey    = map[string]*Code{}
	packages []Package
)

// Package is a generated package of a program, with what it has for this processor, or for a kind of device.
type Package struct {
	Path  string
	Level string   // the highest of them
	Names []string // of the kernels, in order
}

// Register adds the code of a generated package, of the levels that this processor has; of several for
// a key, that of the highest level.
func Register(path string, codes ...Code) {
	mu.Lock()
	defer mu.Unlock()
	p := Package{Path: path}
	for i := range codes {
		c := &codes[i]
		rank := slices.Index(levels, c.Level)
		if rank < 0 || !has[c.Level]() {
			continue
		}
		if old := byKey[c.Key]; old != nil && slices.Index(levels, old.Level) >= rank {
			continue
		}
		byKey[c.Key] = c
		if !slices.Contains(p.Names, c.Name) {
			p.Names = append(p.Names, c.Name)
		}
		if slices.Index(levels, p.Level) < rank {
			p.Level = c.Level
		}
	}
	sort.Strings(p.Names)
	packages = append(packages, p)
}

// Find returns the code for a key; nil if there is none.
func Find(key string) *Code {
	mu.Lock()
	defer mu.Unlock()
	return byKey[key]
}

// Packages returns the generated packages of the program that have code for this processor.
func Packages() []Package {
	mu.Lock()
	defer mu.Unlock()
	return slices.DeleteFunc(slices.Clone(packages), func(p Package) bool { return len(p.Names) == 0 })
}

// levels are the levels of instructions, the lowest first.
var levels = []string{"x86-64-v2", "x86-64-v3", "x86-64-v4", "armv8-a"}

// has reports for each level whether the processor has it.
var has = map[string]func() bool{
	"x86-64-v2": func() bool { return runtime.GOARCH == "amd64" && cpu.X86.HasSSE42 && cpu.X86.HasPOPCNT },
	"x86-64-v3": avx2,
	"x86-64-v4": func() bool {
		return avx2() && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512CD && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
	},
	"armv8-a": func() bool { return runtime.GOARCH == "arm64" },
}

func avx2() bool {
	return runtime.GOARCH == "amd64" && cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
}
