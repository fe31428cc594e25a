package gpu

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/lists"
	"github.com/go-op2/op2/internal/loop"
)

// reach holds the transposed maps of a loop that gathers: for each target the references that lead
// to it, in ascending order of element and column.
type reach struct {
	data       int
	offsets    []int32 // [targets+1]
	references []int32 // element times number of columns, plus column
}

// newReach transposes the maps through which a loop changes its only dat.
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
	r.offsets, r.references = lists.Sort[int32](m.Elements[r.data], func(add func(target, reference int32)) {
		for place := m.First; place < m.Last; place++ {
			e := place
			if m.Subset != nil {
				e = int(m.Subset[place])
			}
			for i, c := range columns {
				add(c.values[e*c.arity+c.component], int32(e*len(columns)+i))
			}
		}
	})
	return r, nil
}
