package codegen

import (
	"fmt"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// apartText makes a float, or a vector of floats, one that the compiler knows nothing about, for
// free: it stays in its register.
const apartText = `// Nothing is known about how x was computed: no product before is fused with a sum after.
#if defined(__x86_64__)
#define op2_apart(x) __asm__("" : "+v"(x))
#elif defined(__aarch64__)
#define op2_apart(x) __asm__("" : "+w"(x))
#else
#define op2_apart(x) __asm__("" : "+m"(x))
#endif`

// apartDevice is the same for CUDA C++, and where that runs on a processor.
const apartDevice = `// Nothing is known about how x was computed: no product before is fused with a sum after.
#if defined(__CUDA_ARCH__)
[[maybe_unused]] static __device__ inline void op2_apart(double &x) { asm("" : "+d"(x)); }
[[maybe_unused]] static __device__ inline void op2_apart(float &x) { asm("" : "+f"(x)); }
#else
#define op2_apart(x) __asm__("" : "+m"(x))
#endif`

// mostApart is the number of values of a variable up to which a barrier leaves them in registers.
const mostApart = 32

// barrier prints a barrier. OpenCL C has no assembly: what its compilers fuse across is not known.
func (p *printer) barrier(s *kernel.Barrier) {
	if p.device != nil && !p.device.assembly {
		return
	}
	for _, v := range s.Vars {
		if kernel.Count(v.Type) > mostApart && p.device == nil {
			p.helpers.use("apart")
			p.w.line("%s(%s);", p.helpers.use("apart_memory"), p.scope.vars[v])
			continue
		}
		for _, place := range p.floats(v.Type, p.scope.vars[v], nil) {
			p.w.line("%s(%s);", p.helpers.use("apart"), place)
		}
	}
}

// floats returns the places of all floats in a value of type t, after those found before.
func (p *printer) floats(t kernel.Type, place string, found []string) []string {
	switch t := t.(type) {
	case *kernel.Array:
		for i := range t.Len {
			found = p.floats(t.Elem, fmt.Sprintf("%s[%d]", place, i), found)
		}
	case *kernel.Struct:
		for _, f := range t.Fields {
			found = p.floats(f.Type, place+"."+p.fields[t][f.Name], found)
		}
	case kernel.Basic:
		if loop.Scalar(t).Float() {
			found = append(found, place)
		}
	}
	return found
}
