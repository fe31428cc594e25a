package checkpoint

import (
	"fmt"
	"os"
	"time"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/snapshot"
)

// keeper is what a runtime has for checkpoints.
type keeper struct {
	rt      *entity.Runtime
	places  places
	reached bool // a place has been: what is declared from now on is late
	changes int  // of maps, then
	entries map[int]*entry
	values  []value     // the program's own
	resumed bool        // or there is nothing to go on from
	from    *resumption // what to go on from, until then

	flight  *flight // nil: none is under way
	begun   time.Time
	memory  func() int64   // that the machine has left, in bytes
	signals chan os.Signal // nil: they have their usual meaning
	ended   os.Signal      // the one that came
}

// of returns the runtime's keeper.
func of(rt *entity.Runtime) *keeper {
	k, _ := entity.Keep(rt, key{}, func() (*keeper, error) {
		return &keeper{rt: rt, entries: map[int]*entry{}, memory: available, begun: rt.OpenedAt(), resumed: rt.Config().Restart == ""}, nil
	})
	return k
}

type key struct{}

// Place is called by the program at the place where checkpoints are made, and where later runs go on. It begins a
// checkpoint in a folder; with "" in that of the configuration, if one is due. It is collective.
func Place(rt *entity.Runtime, folder string) error {
	c, k := rt.Config(), of(rt)
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
	if err := k.land(begins || !asked.writing); err != nil {
		return err
	}
	if begins {
		if err := k.begin(orFolder(folder, c.Checkpoint.Folder), at, asked.signal != 0); err != nil {
			return err
		}
	}
	if asked.signal != 0 {
		return k.stop(asked.signal)
	}
	k.watch()
	return nil
}

func orFolder(folder, standard string) snapshot.Folder {
	if folder == "" {
		folder = standard
	}
	return snapshot.Folder(folder)
}

// reach makes names final at the first place.
func (k *keeper) reach() error {
	if k.reached {
		return nil
	}
	if err := k.rt.Seal("a checkpoint may be made", "Checkpoint"); err != nil {
		return err
	}
	k.update()
	k.rt.Program().End()
	k.reached, k.changes = true, k.rt.MapChanges()
	if k.rt.Config().Checkpoint.Folder != "" { // from here on, signals that end a job end it at the next place
		k.signals = listen()
		k.rt.AtClose(func() error { silence(k.signals); return nil })
	}
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
			silence(k.signals)
		default:
		}
	}
	wants := []int64{0, 0, number(k.ended)}
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

// Close completes the checkpoint that is under way, unless the runtime of another rank is closed for an error.
func Close(rt *entity.Runtime) error {
	k := of(rt)
	if !k.resumed && (k.from != nil || !k.reached) {
		rt.WarnAsOne(fmt.Sprintf("the program has not gone on from the checkpoint in %s: it never came to the Checkpoint that made it", rt.Config().Restart))
	}
	if k.flight == nil || rt.Meet() != nil {
		return nil
	}
	k.update()
	k.flight.complete()
	return k.land(true)
}

// stop completes the checkpoint, and returns the error that ends the program.
func (k *keeper) stop(signal int64) error {
	name := k.flight.name()
	k.flight.complete()
	if err := k.land(true); err != nil {
		return err
	}
	return entity.OnAll(&stopped{fmt.Sprintf("op2: stopped by the signal %s, after the checkpoint %s", nameOf(signal), name)})
}

// places numbers the places of a program where it calls Checkpoint, in the order in which it reaches them.
type places struct {
	known map[callsite.Calls]int
	at    map[string]int
}

// number returns that of the place at hand.
func (p *places) number() int {
	var calls callsite.Calls
	calls.Capture()
	if n, is := p.known[calls]; is {
		return n
	}
	if p.known == nil {
		p.known, p.at = map[callsite.Calls]int{}, map[string]int{}
	}
	at := calls.Site().At
	if _, is := p.at[at]; !is {
		p.at[at] = len(p.at)
	}
	p.known[calls] = p.at[at]
	return p.at[at]
}
