// Package compile compiles C to the objects that package link links, for the processors that translated programs run
// on, whatever this one is.
//
//	compiler, err := compile.New("", compile.ARM64)     // or "clang", "aarch64-linux-gnu-gcc", ...
//	object, err := compiler.Object("res_calc.c", source, "-O3", "-ffp-contract=off")
//
// The flags of a target are those without which the code cannot be linked, or cannot run in a Go program; languages
// and optimization are the caller's. Neither the library of C nor its headers need be there: math.h, setjmp.h, stdint.h,
// stdlib.h and string.h are those of this package. Compilers know the functions of C, and expand those that are instructions,
// such as sqrt; another object must define the others, and memcpy, memmove, memset and memcmp, which compilers call where
// they copy structures and fill arrays.
package compile

import (
	"embed"
	"fmt"
	"os/exec"
	"runtime"
	"slices"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/translate/link"
)

// A Target is what code is compiled for. It is comparable.
type Target struct {
	Arch  string // as in GOARCH
	Level string // of the processor, as in -march=x86-64-v3
}

// The targets.
var (
	AMD64v2 = Target{"amd64", "x86-64-v2"} // SSE 4.2
	AMD64v3 = Target{"amd64", "x86-64-v3"} // AVX2
	AMD64v4 = Target{"amd64", "x86-64-v4"} // AVX-512
	ARM64   = Target{"arm64", "armv8-a"}
)

// String returns the level.
func (t Target) String() string { return t.Level }

// free are the flags of all targets: a section for each function, nothing that a loader, a debugger or an unwinder would
// need, and no calls of functions that are not C's.
var free = []string{
	"-fPIE", "-fvisibility=hidden", "-fno-common", "-ffunction-sections", "-fdata-sections",
	"-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fno-optimize-sibling-calls",
	"-fno-stack-clash-protection",
	"-U_FORTIFY_SOURCE", "-fno-builtin-bcmp", "-fno-builtin-exp10", "-fno-builtin-exp10f", "-w",
}

// Flags returns the flags of the target, for compilers of a family (jit.GCC, jit.Clang).
func (t Target) Flags(family string) []string {
	flags := append(slices.Clone(free), "-march="+t.Level)
	triple := "x86_64-unknown-linux-gnu"
	if t.Arch == "amd64" {
		// Windows may use memory below the stack pointer.
		flags = append(flags, "-mno-red-zone", "-fcf-protection=none")
	} else {
		triple = "aarch64-unknown-linux-gnu"
		flags = append(flags, "-mcmodel=tiny", "-ffixed-x18", "-ffixed-x28", "-mno-outline-atomics")
	}
	if family == jit.Clang {
		flags = append(flags, "--target="+triple)
	}
	return flags
}

//go:embed include
var include embed.FS

// headers are the files of the folder include.
var headers = func() map[string]string {
	texts := map[string]string{}
	for _, name := range []string{"math.h", "setjmp.h", "stdint.h", "stdlib.h", "string.h"} {
		text, err := include.ReadFile("include/" + name)
		if err != nil {
			panic(err)
		}
		texts[name] = string(text)
	}
	return texts
}()

// A Compiler compiles for a target.
type Compiler struct {
	Target  Target
	builder *jit.Builder
}

// New finds the compiler called cc, or one for the target if that is empty. Without any, the error is a
// *native.NotFoundError.
func New(cc string, t Target) (*Compiler, error) {
	if cc == "" {
		cc = t.compiler()
	}
	b, err := jit.New(jit.Config{CC: cc})
	if err != nil {
		return nil, fmt.Errorf("compiling for %v: %w", t, err)
	}
	return &Compiler{t, b}, nil
}

// compiler returns the name of a compiler for the target: gcc if it is that of this machine, or a cross compiler, or
// clang.
func (t Target) compiler() string {
	names := []string{map[string]string{"amd64": "x86_64-linux-gnu-gcc", "arm64": "aarch64-linux-gnu-gcc"}[t.Arch], "clang"}
	if runtime.GOOS == "linux" && runtime.GOARCH == t.Arch {
		names = slices.Insert(names, 0, "gcc")
	}
	for _, name := range names {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	return names[len(names)-1]
}

// String returns the compiler's path and version.
func (c *Compiler) String() string { return c.builder.Compiler().String() }

// Version returns what the compiler says of its version.
func (c *Compiler) Version() string { return c.builder.Compiler().Version }

// Family returns jit.GCC, jit.Clang or jit.Unknown.
func (c *Compiler) Family() string { return c.builder.Compiler().Family }

// Object compiles C, with flags after those of the target. The error is a *jit.CompileError.
func (c *Compiler) Object(name, source string, flags ...string) (link.Object, error) {
	o, err := c.builder.Object(jit.Unit{Name: name, Source: source, Headers: headers, Flags: append(c.Target.Flags(c.Family()), flags...)})
	if err != nil {
		return link.Object{}, err
	}
	return link.Object{Name: name, Data: o.Image, Stack: link.ParseStackUse(o.Stack)}, nil
}
