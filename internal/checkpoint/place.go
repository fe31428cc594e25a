package checkpoint

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/snapshot"
)

// Place is called by the program at the place where checkpoints are made, and where later runs go on. It begins a
// checkpoint in a folder; with "" in that of the configuration, if one is due. It is collective.
func Place(rt *entity.Runtime, folder string) error {
	c, k := rt.Config(), keeperOf(rt)
	if folder == "" && c.Checkpoint.Folder == "" && k.resumed && k.flight == nil {
		return nil
	}
	at := k.places.number()
	if err := k.reach(); err != nil {
		return err
	}
	if !k.resumed {
		if err := k.resume(at); err != nil || !k.resumed {
			return err
		}
		k.watch()
		return nil // a checkpoint of what has just been read is of no use
	}
	k.update()
	k.flight.complete()
	asked, err := k.agree(folder == "")
	if err != nil {
		return err
	}
	begins := folder != "" || asked.due || asked.signal != 0
	if begins || !asked.writing {
		if err := k.land(); err != nil {
			return err
		}
	}
	if begins {
		if err := k.begin(snapshot.Folder(cmp.Or(folder, c.Checkpoint.Folder)), at, asked.signal != 0); err != nil {
			return err
		}
	}
	if asked.signal != 0 {
		return k.stop(asked.signal)
	}
	k.watch()
	return nil
}

// asked is what ranks want at a place.
type asked struct {
	due, writing bool
	signal       int64
}

// agree returns what the ranks want together. The time is that of rank 0.
func (k *keeper) agree(timed bool) (asked, error) {
	if k.signals != nil && k.ended == nil {
		select {
		case k.ended = <-k.signals:
		default:
		}
	}
	wants := []int64{0, 0, signalNumber(k.ended)}
	if every := k.rt.Config().Checkpoint.Every; timed && every > 0 && k.rt.Rank() == 0 && time.Since(k.begun) >= every {
		wants[0] = 1
	}
	if k.flight.writing() {
		wants[1] = 1
	}
	if err := comm.Max(k.rt.Comm(), wants); err != nil {
		return asked{}, k.rt.Broken(err)
	}
	return asked{wants[0] != 0, wants[1] != 0, wants[2]}, nil
}

// Keep makes checkpoints have the value of a plain type that a pointer leads to.
func Keep(rt *entity.Runtime, name string, pointer any) error {
	k, what := keeperOf(rt), "op2: Keep: "+name
	if k.reached {
		return fmt.Errorf("%s: the first Checkpoint has been already\n  hint: call Keep before", what)
	}
	if slices.ContainsFunc(k.kept, func(v value) bool { return v.name == name }) {
		return fmt.Errorf("%s: there is a value of that name already", what)
	}
	v, err := valueAt(name, pointer)
	if err != nil {
		return err
	}
	k.kept = append(k.kept, v)
	return nil
}

// Close completes the checkpoint that is under way, unless the runtime of another rank is closed for an error.
func Close(rt *entity.Runtime) error {
	k := keeperOf(rt)
	if !k.resumed && (k.from != nil || !k.reached) {
		rt.WarnAsOne(fmt.Sprintf("the program has not gone on from the checkpoint in %s: it never came to the Checkpoint that made it", rt.Config().Restart))
	}
	if k.flight == nil && k.landed == nil || rt.Meet() != nil {
		return nil
	}
	if err := Settle(rt); err != nil {
		return err
	}
	return k.finish()
}
