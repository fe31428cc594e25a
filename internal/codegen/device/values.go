package device

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Define returns the source of a program preceded by the values of those consts that a C kernel
// reads in its own source. Consts are by kernel.Consts.
func Define(p *codegen.DeviceProgram, k *kernel.Kernel, consts []unsafe.Pointer) string {
	var b strings.Builder
	for _, i := range p.Defined {
		fmt.Fprintf(&b, "#define OP2_CONST_%d %s\n", i, constText(k.Consts[i].Type, consts[i]))
	}
	return b.String() + p.Text
}

func constText(t kernel.Type, at unsafe.Pointer) string {
	if a, ok := t.(*kernel.Array); ok {
		size := uintptr(kernel.Count(a.Elem) * kernel.Leaf(a.Elem).Size())
		elems := make([]string, a.Len)
		for i := range elems {
			elems[i] = constText(a.Elem, unsafe.Add(at, uintptr(i)*size))
		}
		return "{" + strings.Join(elems, ", ") + "}"
	}
	float := func(v float64, bits int) string {
		switch {
		case math.IsNaN(v):
			return "OP2_NAN"
		case math.IsInf(v, 1):
			return "OP2_INFINITY"
		case math.IsInf(v, -1):
			return "-OP2_INFINITY"
		}
		return text.Decimal(v, bits)
	}
	s := kernel.Scalar(t)
	switch value := reflect.NewAt(loop.Reflect(s.Type()), at).Elem(); {
	case s.Float():
		return float(value.Float(), 8*s.Size())
	case s == loop.Int64 && value.Int() == math.MinInt64:
		return "(-9223372036854775807 - 1)"
	case s == loop.Uint64:
		return fmt.Sprint(value, "u")
	default:
		return fmt.Sprint(value)
	}
}
