package loop

import (
	"fmt"
	"unsafe"
)

// Reduction is how an argument reduces into a global, on the host.
type Reduction struct {
	Access Access // Inc, Min, Max or Reduce
	Type   Scalar
	Dim    int
	Record *Layout // of values that are added leaf by leaf; nil for others
	Op     *Op     // of Reduce
	Loop   bool    // ranks combine results of a loop, rather than what the library asks them for itself
}

// String describes a call that combines results of ranks: "Reduce of 1 float64 with inc, by a loop".
func (r Reduction) String() string {
	s := fmt.Sprintf("Reduce of %d %v with %v", r.Dim, r.Type, r.Access)
	if r.Loop {
		s += ", by a loop"
	}
	return s
}

// ReductionOf returns how an argument reduces.
func ReductionOf(l *Loop, a Arg) Reduction {
	r := Reduction{Access: a.Access, Type: l.Type(a), Dim: l.Dim(a), Record: l.Data[a.Data].Record()}
	if a.Access == Reduce {
		r.Op = l.Ops[a.Op]
	}
	return r
}

// Alike reports whether values are combined in the same way.
func (r Reduction) Alike(other Reduction) bool {
	return r.Access == other.Access && r.Type == other.Type && r.Record == other.Record && r.Op == other.Op
}

// New returns memory for a result.
func (r Reduction) New() unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, (r.Bytes()+7)/8)))
}

// Bytes returns the size of a result.
func (r Reduction) Bytes() int { return r.Dim * r.Type.Size() }

// Begin initializes a partial result: a sum with zero, a minimum or maximum with the global.
func (r Reduction) Begin(partial, global unsafe.Pointer) {
	values := unsafe.Slice((*byte)(partial), r.Bytes())
	switch r.Access {
	case Inc:
		clear(values)
	case Reduce:
		r.Op.Begin(partial, len(values)/r.Op.Size())
	default:
		copy(values, unsafe.Slice((*byte)(global), len(values)))
	}
}

// Combine combines a result with another one.
func (r Reduction) Combine(to, from unsafe.Pointer) {
	switch {
	case r.Access == Reduce:
		r.Op.Combine(to, from, r.Bytes()/r.Op.Size())
	case r.Record != nil:
		r.Record.Add(to, from, r.Bytes()/r.Record.Size)
	default:
		combines[r.Type](r.Access, to, from, r.Dim)
	}
}

var combines = [...]func(a Access, to, from unsafe.Pointer, n int){
	Int8: combine[int8], Int16: combine[int16], Int32: combine[int32], Int64: combine[int64],
	Uint8: combine[uint8], Uint16: combine[uint16], Uint32: combine[uint32], Uint64: combine[uint64],
	Float32: combine[float32], Float64: combine[float64],
}

func combine[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64](a Access, to, from unsafe.Pointer, n int) {
	values := unsafe.Slice((*T)(to), n)
	for i, v := range unsafe.Slice((*T)(from), n) {
		switch a {
		case Inc:
			values[i] += v
		case Min:
			values[i] = min(values[i], v)
		case Max:
			values[i] = max(values[i], v)
		}
	}
}

// Add adds n values to others, leaf by leaf.
func (l *Layout) Add(to, from unsafe.Pointer, n int) {
	for i := range n {
		l.add(unsafe.Add(to, i*l.Size), unsafe.Add(from, i*l.Size))
	}
}

func (l *Layout) add(to, from unsafe.Pointer) {
	switch {
	case l.Elem != nil:
		l.Elem.Add(to, from, l.Len)
	case l.Fields != nil:
		for _, f := range l.Fields {
			f.add(unsafe.Add(to, f.Offset), unsafe.Add(from, f.Offset))
		}
	default:
		combines[l.Scalar](Inc, to, from, 1)
	}
}
