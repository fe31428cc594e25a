package checkpoint

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/store"
)

// What conditions have taken out of matrices, and the right-hand sides that they were last applied to, are saved as a matrix
// is: as the number of units of each row, and these. The index says which conditions of which matrix they belong to.

func lengthsOfKept(i int) string { return fmt.Sprintf("lengths of kept %d", i) }
func unitsOfKept(i int) string   { return fmt.Sprintf("units of kept %d", i) }

// handKept hands over what is kept beside matrices.
func (f *flight) handKept() error {
	for i, c := range f.entries {
		if c.data.Kind() != loop.Mat {
			continue
		}
		list, err := c.data.Beside().Kept(f.index.Data[i].State == snapshot.Saved)
		if err != nil {
			return err
		}
		for _, k := range list {
			at := len(f.index.Beside)
			f.index.Beside = append(f.index.Beside, snapshot.Beside{Datum: i, Set: f.place(c.data.Set()), By: k.By, Role: k.Role, Scale: k.Scale, OfValues: k.OfValues, Replaced: k.Replaced, Size: k.Size})
			if !c.data.Set().Among() && f.rt.Rank() != 0 { // which has the same
				k.Lengths, k.Units = nil, nil
			}
			f.kept = append(f.kept, block{name: lengthsOfKept(at), bytes: store.Bytes(k.Lengths)}, block{name: unitsOfKept(at), bytes: k.Units})
		}
	}
	return nil
}

// constantsOf returns the values of conditions that the program may change. The conditions may be unreachable in another run.
func constantsOf(name string, c entity.Conditions) (list []value) {
	for i, memory := range c.Constants() {
		what := "the diagonal of " + name
		if i > 0 {
			what = strings.Replace(name, "conditions", fmt.Sprintf("value %d of conditions", i), 1)
		}
		list = append(list, value{name: what, form: fmt.Sprintf("%d bytes", len(memory)), memory: memory, optional: true})
	}
	return list
}
