package checkpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/store"
)

// resume gives everything the values of the checkpoint that the configuration names, if that is one of the place at
// hand. It is collective.
func (k *keeper) resume(place int) error {
	from := snapshot.Folder(k.rt.Config().Restart)
	if k.from == nil {
		r, err := k.choose(from)
		if err != nil {
			return entity.OnAll(problem.Errorf("op2: restart from %s: %w", string(from), err))
		}
		k.from = r
	}
	if k.from.index.Place > place {
		return nil
	}
	if err := k.from.restore(); err != nil {
		return err
	}
	k.from.close()
	if k.rt.Rank() == 0 {
		k.rt.Config().Say("goes on from the checkpoint " + from.Name(k.from.number) + k.where(k.from.index))
	}
	k.resumed, k.from, k.begun = true, nil, time.Now()
	return nil
}

// where describes the program's own values.
func (k *keeper) where(x *snapshot.Index) string {
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
	k      *keeper
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

// choose returns the last checkpoint that is sound, and says which ones are not. It is collective; all ranks have the
// same error.
func (k *keeper) choose(from snapshot.Folder) (*resumption, error) {
	var numbers []int
	text, err := k.tell(func() (any, error) { return from.Complete() })
	if err == nil {
		err = json.Unmarshal(text, &numbers)
	}
	switch {
	case errors.Is(err, errMissing):
		return nil, errors.New("there is no such folder")
	case err != nil:
		return nil, err
	case len(numbers) == 0:
		return nil, errors.New("the folder has no complete checkpoint")
	}
	var last error
	for _, n := range numbers {
		r := &resumption{k: k, number: n, index: &snapshot.Index{}, parts: map[int]*snapshot.Reader{}, from: from}
		if text, err = k.tell(func() (any, error) { return from.Index(n) }); err == nil {
			err = json.Unmarshal(text, r.index)
		}
		if err == nil {
			if err := k.compare(r.index); err != nil {
				return nil, fmt.Errorf("it is of another program, or of another mesh: %w", err)
			}
			err = k.agreed(r.verify())
		}
		if err == nil {
			return r, nil
		}
		r.close()
		last = err
		k.rt.WarnAsOne(fmt.Sprintf("the checkpoint %s cannot be used: %v", from.Name(n), err))
	}
	return nil, fmt.Errorf("none of its checkpoints can be used: %w", last)
}

var errMissing = errors.New("missing")

// tell returns what rank 0 finds out, as JSON, or its error, on all ranks. It is collective.
func (k *keeper) tell(find func() (any, error)) ([]byte, error) {
	var message struct {
		Found   json.RawMessage
		Error   string
		Missing bool
	}
	var text []byte
	if k.rt.Rank() == 0 {
		found, err := find()
		if err == nil {
			message.Found, err = json.Marshal(found)
		}
		if err != nil {
			message.Error, message.Missing = err.Error(), errors.Is(err, fs.ErrNotExist)
		}
		if text, err = json.Marshal(message); err != nil {
			return nil, err
		}
	}
	text, err := comm.Spread(k.rt.Comm(), 0, text)
	if err != nil {
		return nil, k.rt.Broken(err)
	}
	if err := json.Unmarshal(text, &message); err != nil {
		return nil, err
	}
	switch {
	case message.Missing:
		return nil, errMissing
	case message.Error != "":
		return nil, errors.New(message.Error)
	}
	return message.Found, nil
}

// agreed returns an error on all ranks if there is one on any.
func (k *keeper) agreed(own error) error {
	if err := k.rt.Agree(own); err != nil {
		return problem.Bare(err)
	}
	return nil
}

// verify opens this rank's share of the parts, and compares them with their check sums.
func (r *resumption) verify() error {
	for i := r.k.rt.Rank(); i < len(r.index.Parts); i += r.k.rt.Ranks() {
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

// restore gives everything its values. It is collective.
func (r *resumption) restore() error {
	k := r.k
	here := map[string]candidate{}
	for _, c := range k.candidates() {
		here[nth(c.Name, c.Nth)] = c
	}
	readers := map[*entity.Set]*rowReader{}
	there := make([]int64, len(r.index.Data)) // on all ranks, which read together
	for i, d := range r.index.Data {
		if _, is := here[nth(d.Name, d.Nth)]; is {
			there[i] = 1
		}
	}
	if err := comm.Min(k.rt.Comm(), there); err != nil {
		return k.rt.Broken(err)
	}
	for i, d := range r.index.Data {
		c, is := here[nth(d.Name, d.Nth)]
		switch {
		case !is:
		case d.State == snapshot.Unneeded || d.State == snapshot.Unsaved:
			c.lost = true
		case d.State == snapshot.Saved && there[i] == 1:
			set := c.data.Set()
			if readers[set] == nil {
				var err error
				if readers[set], err = r.rows(set, d.Set); err != nil {
					return err
				}
			}
			if err := readers[set].fill(c.data, i, d.Row); err != nil {
				return err
			}
		}
	}
	for _, v := range r.index.Values {
		if c, is := here[nth(v.Name, v.Nth)]; is {
			copy(entity.Overwriting[byte](c.data), v.Bytes)
			c.data.Storage().Filled()
		}
	}
	for _, v := range k.all() {
		for _, saved := range r.index.Values {
			// Ranks that are goroutines share variables, and do not change those that are the same.
			if saved.Name == v.name && !bytes.Equal(v.memory, saved.Bytes) {
				copy(v.memory, saved.Bytes)
			}
		}
	}
	for _, c := range k.candidates() {
		c.version = c.data.Storage().Version()
	}
	return nil
}

func nth(name string, n int) string { return fmt.Sprintf("%s, %d", name, n) }

// valueOf returns the value with these bytes, which may lie anywhere.
func valueOf[T any](data []byte) (v T) {
	into := []T{v}
	copy(store.Bytes(into), data)
	return into[0]
}
