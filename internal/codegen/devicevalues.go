package codegen

import (
	"fmt"
	"math"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Define returns the source of a program preceded by the values of those consts that a C kernel
// reads in its own source. Consts are by kernel.Consts.
func Define(p *DeviceProgram, k *kernel.Kernel, consts []unsafe.Pointer) string {
	var b strings.Builder
	for _, i := range p.Defined {
		fmt.Fprintf(&b, "#define OP2_CONST_%d %s\n", i, constText(k.Consts[i].Type, consts[i]))
	}
	return b.String() + p.Text
}

// definedFloats are constants for values that have no C literals: device compilers do not treat NAN
// and INFINITY as constants.
const definedFloats = `#ifdef OP2_STANDIN
#define OP2_NAN __builtin_nanf("")
#define OP2_INFINITY __builtin_inff()
#else
#define OP2_NAN (0.0f / 0.0f)
#define OP2_INFINITY (1.0f / 0.0f)
#endif
`

// constText returns the value of a const as an initializer.
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
		return decimal(v, bits)
	}
	switch kernel.Scalar(t) {
	case loop.Float64:
		return float(*(*float64)(at), 64)
	case loop.Float32:
		return float(float64(*(*float32)(at)), 32)
	case loop.Int64:
		if v := *(*int64)(at); v != math.MinInt64 {
			return fmt.Sprint(v)
		}
		return "(-9223372036854775807 - 1)"
	case loop.Uint64:
		return fmt.Sprint(*(*uint64)(at), "u")
	case loop.Int32:
		return fmt.Sprint(*(*int32)(at))
	case loop.Uint32:
		return fmt.Sprint(*(*uint32)(at))
	case loop.Int16:
		return fmt.Sprint(*(*int16)(at))
	case loop.Uint16:
		return fmt.Sprint(*(*uint16)(at))
	case loop.Int8:
		return fmt.Sprint(*(*int8)(at))
	case loop.Uint8:
		return fmt.Sprint(*(*uint8)(at))
	}
	return fmt.Sprint(*(*uint8)(at) != 0)
}

// NeedsFloat64 reports whether a loop has float64 values, or its kernel computes with them.
func NeedsFloat64(l *loop.Loop, k *kernel.Kernel) bool { return isFloat64(l, k) }

// DeviceFault is a fault recorded on a device: what panics in Go.
type DeviceFault struct {
	Element, Kind, Line, Column int
	A, B                        int64
}

// ReadFault reads the fault of the first element that failed from the record.
func ReadFault(record []int32) DeviceFault {
	both := func(low, high int32) int64 { return int64(uint32(low)) | int64(high)<<32 }
	for slot := FaultWords; slot < len(record); slot += FaultWords {
		if r := record[slot : slot+FaultWords]; r[0] == record[0] && r[1] != 0 {
			return DeviceFault{int(r[0]), int(r[1]), int(r[2]), int(r[3]), both(r[4], r[5]), both(r[6], r[7])}
		}
	}
	return DeviceFault{}
}

// Text describes the fault in Go's words.
func (f DeviceFault) Text() string { return FaultText(f.Kind, f.A, f.B) }

// FaultText describes a fault of that kind, with its two numbers, in Go's words.
func FaultText(kind int, a, b int64) string {
	switch kind {
	case FaultIndex:
		if a < 0 {
			return fmt.Sprintf("index out of range [%d]", a)
		}
		return fmt.Sprintf("index out of range [%d] with length %d", a, b)
	case FaultUIndex:
		return fmt.Sprintf("index out of range [%d] with length %d", uint64(a), b)
	case FaultDivide:
		return "integer divide by zero"
	case FaultShift:
		return "negative shift amount"
	}
	return fmt.Sprintf("fault %d", kind)
}
