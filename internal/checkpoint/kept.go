package checkpoint

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/comm"
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

// restoreKept gives matrices back what was kept beside them, given the data that all ranks have. It is collective.
func (r *resumption) restoreKept(data []candidate, there []int64, conditions map[string]entity.Conditions, readers func(*entity.Set, int) (*rowReader, error)) error {
	known := make([]int64, len(r.index.Beside))
	for i, k := range r.index.Beside {
		if conditions[k.By] != nil && (!k.OfValues || r.index.Data[k.Datum].State == snapshot.Saved) {
			known[i] = there[k.Datum]
		}
	}
	if err := comm.Min(r.rt.Comm(), known); err != nil {
		return r.rt.Broken(err)
	}
	for i, k := range r.index.Beside {
		if known[i] == 0 {
			continue
		}
		d := data[k.Datum].data
		reader, err := readers(d.Set(), k.Set)
		if err != nil {
			return err
		}
		own := entity.Kept{By: k.By, Role: k.Role, OfValues: k.OfValues, Scale: k.Scale, Replaced: k.Replaced, Size: k.Size}
		err = d.Beside().Restore(own, conditions[k.By], func(lengths []int32, units []byte) error {
			return reader.fillUnits(units, ragged{d, lengths, nil, "values of " + k.By, k.Size}, lengthsOfKept(i), unitsOfKept(i))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// keepConditions names the conditions that all ranks have, and keeps them alive: what was kept on behalf of others is in
// no checkpoint.
func (k *keeper) keepConditions() {
	k.conditions = map[string]entity.Conditions{}
	for name, c := range k.rt.Conditions {
		if _, is := k.maps[name]; is {
			c.SetName(name)
			k.conditions[name] = c
		}
	}
}

// diagonalsOfConditions returns the diagonals of conditions by name, those of rank 0 on all. It is collective.
func (k *keeper) diagonalsOfConditions() (map[string]float64, error) {
	return fromRank0(k.rt, func() (map[string]float64, error) {
		own := map[string]float64{}
		for name, c := range k.conditions {
			own[name] = c.Diagonal()
		}
		return own, nil
	})
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
