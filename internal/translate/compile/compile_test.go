package compile

import (
	"bytes"
	"debug/elf"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/translate/link"
)

func TestTargets(t *testing.T) {
	const source = `
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct row { double v[40]; };
void f(void **args, int32_t i) { ((struct row *)args[0])[i] = *(struct row *)args[1]; }
void g(void **args, int32_t i)
{
	double *x = args[0];
	bool small = !isnan(x[i]) && x[i] < M_PI;
	x[i] = small ? sqrt(fabs(x[i])) : floor(x[i]) + copysign(1, x[i]) + abs(i) + (double)(INT64_MAX - UINT8_C(3));
}
double library(double x) { return exp(x) + pow(x, 10) + pow(10, x) + ldexp(x, 3) + fma(x, x, x); }`
	for target, machine := range map[Target]elf.Machine{AMD64v2: elf.EM_X86_64, AMD64v3: elf.EM_X86_64, AMD64v4: elf.EM_X86_64, ARM64: elf.EM_AARCH64} {
		t.Run(target.String(), func(t *testing.T) {
			if _, err := exec.LookPath(target.compiler()); err != nil {
				t.Skip(err)
			}
			c, err := New("", target)
			if errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			o, err := c.Object("f.c", source, "-O3", "-fno-math-errno", "-fno-trapping-math")
			if err != nil {
				t.Fatalf("%+v", err)
			}
			f, err := elf.NewFile(bytes.NewReader(o.Data))
			if err != nil || f.Machine != machine || f.Section(".text.f") == nil {
				t.Errorf("%v: %v, %v", err, f.Machine, f.Sections)
			}
			if _, ok := o.Stack["f"]; !ok || o.Name != "f.c" {
				t.Errorf("%s: stack %v", o.Name, o.Stack)
			}
			// The functions that are instructions need no library.
			if _, err := link.Link([]link.Object{o}, []link.Entry{{Symbol: "g", Name: "G", Indexed: true}}, link.Options{}); err != nil {
				t.Error(err)
			}
			// Compilers replace functions of C by those of C alone.
			_, err = link.Link([]link.Object{o}, []link.Entry{{Symbol: "library", Name: "library"}}, link.Options{})
			for line := range strings.Lines(err.Error()) {
				name, _, _ := strings.Cut(strings.TrimPrefix(line, "f.c: library needs "), ",")
				if !slices.Contains([]string{"exp", "pow", "ldexp", "fma"}, name) {
					t.Error(line)
				}
			}
			_, err = link.Link([]link.Object{o}, []link.Entry{{Symbol: "f", Name: "F", Indexed: true}}, link.Options{})
			if err != nil && err.Error() != "f.c: f needs memcpy, which no object defines" {
				t.Error(err)
			}
		})
	}
}

func TestNoCompiler(t *testing.T) {
	_, err := New("missing-cc", ARM64)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if want := `compiling for armv8-a: no C compiler called "missing-cc"`; err == nil || err.Error()[:len(want)] != want {
		t.Error(err)
	}
}
