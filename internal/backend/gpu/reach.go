package gpu

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/loop"
)

// reach holds the transposed maps of a loop that gathers: for each target the references that lead
// to it, in ascending order of element and column.
type reach struct {
	data       int
	offsets    []int32 // [targets+1]
	references []int32 // element times number of columns, plus column
}

// newReach transposes the maps through which a loop changes its only dat, as a sparse matrix in compressed
// rows is transposed: count the references of each target, sum the counts, and place the references.
func newReach(l *loop.Loop, m *backend.Memory) (*reach, error) {
	type column struct {
		values           []int32
		arity, component int
	}
	r := &reach{data: -1}
	var columns []column
	for _, a := range l.Args {
		if a.Kind != loop.Dat || a.Access == loop.Read {
			continue
		}
		r.data = a.Data
		arity := l.Maps[a.Map].Arity
		values := unsafe.Slice((*int32)(m.Maps[a.Map]), m.SetSize*arity)
		first := a.Component
		if a.WholeMap() {
			first = 0
		}
		for c := range l.Arity(a) {
			columns = append(columns, column{values, arity, first + c})
		}
	}
	n := m.Last - m.First
	if n*len(columns) > math.MaxInt32 || m.SetSize*len(columns) > math.MaxInt32 {
		return nil, misfit(fmt.Sprintf("%d references are more than can be numbered", n*len(columns)))
	}
	element := func(place int) int {
		if m.Subset != nil {
			return int(m.Subset[place])
		}
		return place
	}
	r.offsets = make([]int32, m.Elements[r.data]+1)
	for place := m.First; place < m.Last; place++ {
		for _, c := range columns {
			r.offsets[c.values[element(place)*c.arity+c.component]+1]++
		}
	}
	for t := range r.offsets[1:] {
		r.offsets[t+1] += r.offsets[t]
	}
	r.references = make([]int32, n*len(columns))
	next := append([]int32(nil), r.offsets...)
	for place := m.First; place < m.Last; place++ {
		for i, c := range columns {
			e := element(place)
			t := c.values[e*c.arity+c.component]
			r.references[next[t]] = int32(e*len(columns) + i)
			next[t]++
		}
	}
	return r, nil
}
