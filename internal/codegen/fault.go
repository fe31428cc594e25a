package codegen

import "fmt"

// The kinds of fault, the first number of a fault record.
const (
	FaultIndex = iota + 1 // a is the subscript, b the length
	FaultDivide
	FaultShift  // a is the count
	FaultUIndex // like FaultIndex, with the bits of a uint64 as the subscript
)

// The fault record on a device: FaultSlots times FaultWords int32 after the first FaultWords, of
// which the first is the number of the first element that failed and the second how often a lower
// one was found. Each record has element, kind, line, column, and two 64-bit numbers, the lower half
// first.
const (
	FaultSlots = 64
	FaultWords = 8
)

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
