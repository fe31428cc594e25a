package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/snapshot"
)

// landed is what a rank says of its part.
type landed struct {
	Part    snapshot.Part
	Saved   []bool
	Error   string
	Refused string
}

// land ends the checkpoint: it counts if all ranks have written their parts. It is collective.
func (f *flight) land() error {
	<-f.ended
	own := landed{Part: f.part, Saved: f.saved, Refused: f.refused}
	if err := cmp.Or(f.err, f.failed); err != nil {
		own.Error = err.Error()
	}
	ranks, err := comm.Collect(f.rt.Comm(), own)
	if err != nil {
		return f.rt.Broken(err)
	}
	if _, err := fromRank0(f.rt, func() (struct{}, error) { return struct{}{}, f.commit(ranks) }); err != nil {
		return asFailed(f.to, err)
	}
	if f.rt.Rank() == 0 {
		f.pruned = make(chan error, 1)
		go func() { f.pruned <- f.to.Prune(f.number) }()
	}
	return nil
}

// finish waits until the checkpoints that this one replaces are gone. It is collective.
func (f *flight) finish() error {
	if _, err := fromRank0(f.rt, func() (struct{}, error) { return struct{}{}, <-f.pruned }); err != nil {
		return asFailed(f.to, err)
	}
	return nil
}

// asFailed returns the error of a checkpoint that all ranks return.
func asFailed(to snapshot.Folder, err error) error {
	return entity.OnAll(problem.Errorf("op2: checkpoint in %s: %w", string(to), err))
}

// commit makes the checkpoint count, from what the ranks say of their parts, or removes it.
func (f *flight) commit(ranks []landed) error {
	err := f.combine(ranks)
	if err == nil {
		err = f.to.Commit(f.number, f.index)
	}
	if err != nil {
		return errors.Join(err, f.to.Remove(f.number))
	}
	if c := f.rt.Config(); c.Figures {
		bytes := int64(0)
		for _, p := range f.index.Parts {
			bytes += p.Bytes
		}
		c.Say(fmt.Sprintf("checkpoint %s: %s in %v", f.name(), problem.Count(int(bytes), "byte"), time.Since(f.began).Round(time.Millisecond)))
	}
	return nil
}

// combine completes the index. The error says why the checkpoint cannot count.
func (f *flight) combine(ranks []landed) error {
	for rank, l := range ranks {
		switch {
		case l.Error != "" && len(ranks) > 1:
			return fmt.Errorf("rank %d: %s", rank, l.Error)
		case l.Error != "":
			return errors.New(l.Error)
		case l.Refused != "":
			return errors.New(l.Refused)
		}
		f.index.Parts = append(f.index.Parts, l.Part)
	}
	for i := range f.index.Data {
		d := &f.index.Data[i]
		saved := 0
		for _, l := range ranks {
			if l.Saved[i] {
				saved++
			}
		}
		switch {
		case d.State != snapshot.Saved:
		case saved == 0:
			d.State = snapshot.Unneeded
		case saved < len(ranks):
			return fmt.Errorf("some ranks read values of %s, which others had replaced: all ranks use data alike, or the next checkpoint has it", d.Name)
		}
	}
	return nil
}
