package tiling

import (
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Estimate returns the bytes that a call of the chain moves between memory and a cache, given the size
// of an element's values in each storage: loop by loop, where every loop fetches what it uses and puts
// back what it changes, and by tiles, where the whole chain does so once. The values of maps are fetched
// along with them.
func Estimate(in *Input, bytes []int) (loops, tiles int64) {
	whole := newTraffic(in)
	for l := range in.Loops {
		own := newTraffic(in)
		own.add(&in.Loops[l])
		whole.add(&in.Loops[l])
		loops += own.bytes(bytes)
	}
	return loops, whole.bytes(bytes)
}

// References returns the number of values that an inspection goes through.
func References(in *Input) (n int64) {
	for i := range in.Loops {
		l := &in.Loops[i]
		for _, a := range l.Args {
			each := 1
			if a.Map != nil && a.Component == loop.All {
				each = a.Arity
			}
			n += int64(l.Last-l.First) * int64(each)
		}
	}
	return n
}

// traffic counts the values that some loops use.
type traffic struct {
	in      *Input
	used    []int // elements of each storage, at most
	changed []int
	maps    map[*int32]int // number of values
}

func newTraffic(in *Input) *traffic {
	return &traffic{in, make([]int, len(in.Storages)), make([]int, len(in.Storages)), map[*int32]int{}}
}

// add adds the values that a loop uses: the whole of a set, unless the loop has too few elements
// for that.
func (t *traffic) add(l *Loop) {
	for _, a := range l.Args {
		elements, size := l.Last-l.First, t.in.Sets[t.in.Storages[a.Storage]]
		if a.Map != nil {
			values := unsafe.SliceData(a.Map)
			t.maps[values] = max(t.maps[values], elements*a.Arity)
			if a.Component == loop.All {
				elements *= a.Arity
			}
		}
		elements = min(elements, size)
		t.used[a.Storage] = max(t.used[a.Storage], elements)
		if a.Access != loop.Read {
			t.changed[a.Storage] = max(t.changed[a.Storage], elements)
		}
	}
}

func (t *traffic) bytes(size []int) (n int64) {
	for s := range t.used {
		n += int64(t.used[s]+t.changed[s]) * int64(size[s])
	}
	for _, values := range t.maps {
		n += 4 * int64(values)
	}
	return n
}
