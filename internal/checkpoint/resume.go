package checkpoint

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/halo"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/store"
)

// ownValues describes the program's own values.
func ownValues(x *snapshot.Index) string {
	var parts []string
	for _, v := range x.Values {
		name, kept := strings.CutPrefix(v.Name, "kept ")
		switch {
		case !kept || len(v.Bytes) != 8:
		case v.Form == loop.Float64.String():
			parts = append(parts, fmt.Sprintf("%s %v", name, valueOf[float64](v.Bytes)))
		case v.Form == loop.Int64.String():
			parts = append(parts, fmt.Sprintf("%s %v", name, valueOf[int64](v.Bytes)))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

// resumption is a checkpoint that is read.
type resumption struct {
	rt     *entity.Runtime
	number int
	index  *snapshot.Index
	parts  map[int]*snapshot.Reader
	from   snapshot.Folder
}

func (r *resumption) close() {
	for _, p := range r.parts {
		p.Close()
	}
}

// choose returns the last checkpoint that is sound, and says which ones are not, given the program's own values and the
// digests of its maps and the diagonals of its conditions. It is collective; all ranks have the same error.
func choose(rt *entity.Runtime, from snapshot.Folder, own []value, maps map[string]uint64, diagonals map[string]float64) (*resumption, error) {
	numbers, err := fromRank0(rt, func() ([]int, error) {
		numbers, err := from.Complete()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = errors.New("there is no such folder")
		case err == nil && len(numbers) == 0:
			err = errors.New("the folder has no complete checkpoint")
		}
		return numbers, err
	})
	if err != nil {
		return nil, err
	}
	var last error
	for _, n := range numbers {
		r := &resumption{rt: rt, number: n, parts: map[int]*snapshot.Reader{}, from: from}
		if r.index, err = fromRank0(rt, func() (*snapshot.Index, error) { return from.Index(n) }); err == nil {
			if err := compare(rt, own, maps, diagonals, r.index); err != nil {
				return nil, fmt.Errorf("it is of another program, or of another mesh: %w", err)
			}
			err = rt.Agree(r.verify())
		}
		if err == nil {
			return r, nil
		}
		r.close()
		last = problem.Bare(err)
		rt.WarnAsOne(fmt.Sprintf("the checkpoint %s cannot be used: %v", from.Name(n), last))
	}
	return nil, fmt.Errorf("none of its checkpoints can be used: %w", last)
}

// verify opens this rank's share of the parts, and compares them with their check sums.
func (r *resumption) verify() error {
	for i := r.rt.Rank(); i < len(r.index.Parts); i += r.rt.Ranks() {
		p, err := r.open(i)
		if err == nil {
			err = p.Verify()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// open returns a part.
func (r *resumption) open(i int) (*snapshot.Reader, error) {
	if p := r.parts[i]; p != nil {
		return p, nil
	}
	p, err := r.from.Open(r.number, i, r.index.Parts[i])
	if err == nil {
		r.parts[i] = p
	}
	return p, err
}

// restore gives everything its values: all that is there, and the program's own. It is collective.
func (r *resumption) restore(all []candidate, own []value, conditions map[string]entity.Conditions) error {
	here := map[string]candidate{}
	for _, c := range all {
		here[nth(c.Name, c.Nth)] = c
	}
	known := map[*entity.Set]*rowReader{}
	readers := func(s *entity.Set, place int) (*rowReader, error) {
		if known[s] == nil {
			of, err := r.rows(s, place)
			if err != nil {
				return nil, err
			}
			known[s] = of
		}
		return known[s], nil
	}
	data := make([]candidate, len(r.index.Data))
	there := make([]int64, len(r.index.Data)) // on all ranks, which read together
	for i, d := range r.index.Data {
		if c, is := here[nth(d.Name, d.Nth)]; is {
			data[i], there[i] = c, 1
		}
	}
	if err := comm.Min(r.rt.Comm(), there); err != nil {
		return r.rt.Broken(err)
	}
	for i, d := range r.index.Data {
		c := data[i]
		switch {
		case c.entry == nil:
		case d.State == snapshot.Unchanged:
		case d.State != snapshot.Saved:
			c.lost = true
		case there[i] == 1:
			reader, err := readers(c.data.Set(), d.Set)
			if err != nil {
				return err
			}
			fill := reader.fill
			if c.data.Kind() == loop.Mat {
				fill, c.restored = reader.fillMat, true
			}
			if err := fill(c.data, i, d.Row); err != nil {
				return r.rt.Broken(err)
			}
		}
	}
	if err := r.restoreKept(data, there, conditions, readers); err != nil {
		return err
	}
	for _, v := range r.index.Values {
		if c, is := here[nth(v.Name, v.Nth)]; is {
			copy(entity.Overwriting[byte](c.data), v.Bytes)
			c.data.Storage().Filled()
		}
	}
	for _, v := range own {
		for _, saved := range r.index.Values {
			// Ranks that are goroutines share variables, and do not change those that are the same.
			if saved.Name == v.name && !bytes.Equal(v.memory, saved.Bytes) {
				copy(v.memory, saved.Bytes)
			}
		}
	}
	for _, c := range conditions {
		c.Restored()
	}
	for _, c := range all {
		c.version = c.data.Storage().Version()
	}
	return nil
}

// rows returns a reader for a set, which has a place among those of the index. It is collective.
func (r *resumption) rows(s *entity.Set, place int) (*rowReader, error) {
	c, of := s.Parted(), &rowReader{}
	var numbers []int64
	for i := c.Rank(); i < len(r.index.Parts); i += c.Size() {
		p, err := r.open(i)
		if err != nil {
			return nil, r.rt.Broken(err)
		}
		own, err := numbersIn(p, place)
		if err != nil {
			return nil, r.rt.Broken(err)
		}
		numbers = append(numbers, own...)
		of.parts, of.counts = append(of.parts, p), append(of.counts, len(own))
	}
	of.held = len(numbers)
	home, err := halo.NewDirectory(c, s.Name(), s.Whole(), numbers)
	if err == nil {
		of.fetcher, err = halo.NewFetcher(c, home, numbers, s.Numbers())
	}
	if err != nil {
		return nil, r.rt.Broken(err)
	}
	return of, nil
}

// valueOf returns the value with these bytes, which may lie anywhere.
func valueOf[T any](data []byte) (v T) {
	into := []T{v}
	copy(store.Bytes(into), data)
	return into[0]
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
