package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/sorting"
)

// keeper is what a runtime has for checkpoints.
type keeper struct {
	rt         *entity.Runtime
	places     places
	reached    bool               // a place has been: what is declared from now on is late
	changes    int                // of maps, then
	maps       map[string]uint64  // their digests, then
	diagonals  map[string]float64 // of conditions, then
	entries    map[int]*entry
	kept       []value                      // the program's own
	conditions map[string]entity.Conditions // that all ranks had at the first place
	resumed    bool                         // or there is nothing to go on from
	from       *resumption                  // what to go on from, until then

	flight  *flight // nil: none is under way
	landed  *flight // the last one, which may still remove what it replaces; nil if it does not
	begun   time.Time
	memory  func() int64     // that the machine has left, in bytes
	signals <-chan os.Signal // nil: they have their usual meaning
	ended   os.Signal        // the one that came
}

// keeperOf returns the runtime's keeper.
func keeperOf(rt *entity.Runtime) *keeper {
	k, _ := entity.Keep(rt, key{}, func() (*keeper, error) {
		return &keeper{rt: rt, entries: map[int]*entry{}, memory: available, begun: rt.OpenedAt(), resumed: rt.Config().Restart == ""}, nil
	})
	return k
}

type key struct{}

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
	var err error
	if k.maps, err = digests(k.rt); err != nil {
		return err
	}
	k.keepConditions()
	if k.diagonals, err = k.diagonalsOfConditions(); err != nil {
		return err
	}
	k.reached, k.changes = true, k.rt.MapChanges()
	if k.rt.Config().Checkpoint.Folder != "" { // from here on, signals that end a job end it at the next place
		var silence func()
		k.signals, silence = listen()
		k.rt.AtClose(func() error { silence(); return nil })
	}
	return nil
}

// update adds what the program has declared, and drops what it no longer has.
func (k *keeper) update() {
	for _, n := range k.rt.Program().All() {
		if d := n.Data.Value(); d == nil {
			delete(k.entries, n.Serial)
		} else if k.entries[n.Serial] == nil {
			k.entries[n.Serial] = &entry{Named: n, version: d.Storage().Version()}
		}
	}
}

// candidates returns what is there, in the order of declaration.
func (k *keeper) candidates() []candidate {
	var all []candidate
	for _, serial := range sorting.Keys(k.entries) {
		e := k.entries[serial]
		if d := e.Data.Value(); d != nil {
			all = append(all, candidate{e, d})
		}
	}
	return all
}

// values returns the memory of consts, of the program's own values, and of the constants of conditions, by name: ranks may keep theirs in any order.
func (k *keeper) values() []value {
	var all []value
	for _, c := range k.rt.Consts() {
		all = append(all, value{name: "const " + c.Name, form: c.Form, memory: c.Memory})
	}
	for _, v := range k.kept {
		all = append(all, value{name: "kept " + v.name, form: v.form, memory: v.memory})
	}
	for name, c := range k.conditions {
		all = append(all, constantsOf(name, c)...)
	}
	sorting.By(all, func(a, b value) int { return cmp.Compare(a.name, b.name) })
	return all
}

// watch follows the first use of all values from here on.
func (k *keeper) watch() {
	for _, c := range k.candidates() {
		k.follow(c.entry, c.data)
	}
}

// follow calls use before the values of an entry are next used. What calls it does not keep the data alive.
func (k *keeper) follow(e *entry, d *entity.Data) {
	d.Storage().BeforeUse(func(replaces bool) error { return k.use(e, replaces) })
}

// use is called before the first use of an entry's values after a place.
func (k *keeper) use(e *entry, replaces bool) error {
	if replaces {
		e.replaced, e.lost, e.deferred = true, false, false
		return nil
	}
	d := e.Data.Value()
	if d == nil { // nothing but a loop that is still cached has it
		return nil
	}
	if e.lost {
		k.follow(e, d)
		return e.withoutValues(d)
	}
	e.carried = true
	f := k.flight
	if f == nil || !f.watches {
		return nil
	}
	if why := e.unsavable(d); why != "" {
		f.refuse(why)
	}
	if e.deferred {
		e.deferred = false
		f.save(e)
	}
	return nil
}

// begin begins a checkpoint, which has all that is there if it ends the run. It is collective.
func (k *keeper) begin(to snapshot.Folder, place int, ends bool) error {
	if k.changes != k.rt.MapChanges() {
		return entity.OnAll(errors.New("op2: Checkpoint: values of maps have changed since the first Checkpoint, and checkpoints have no maps"))
	}
	if err := k.finish(); err != nil {
		return err
	}
	all := k.candidates()
	d, err := decide(k.rt, to, all, ends)
	if err != nil {
		return asFailed(to, err)
	}
	k.begun = time.Now()
	k.flight, err = begin(k.rt, to, d, &snapshot.Index{Place: place, Names: names(k.rt), Maps: k.maps, Diagonals: k.diagonals}, all, k.values(), k.memory())
	return err
}

// land ends the checkpoint under way, if there is one. It is collective.
func (k *keeper) land() error {
	f := k.flight
	if f == nil {
		return nil
	}
	k.flight = nil
	if err := f.land(); err != nil {
		return err
	}
	k.landed = f
	return nil
}

// finish waits until the last checkpoint has removed what it replaces. It is collective.
func (k *keeper) finish() error {
	f := k.landed
	if f == nil {
		return nil
	}
	k.landed = nil
	return f.finish()
}

// Settle completes the checkpoint that is under way, and lets go of what was to be read of another one, since the rows of
// this rank are going to be others. It is collective.
func Settle(rt *entity.Runtime) error {
	k := keeperOf(rt)
	if k.from != nil {
		k.from.close()
		k.from = nil
	}
	if k.flight == nil {
		return nil
	}
	k.update()
	k.flight.complete()
	return k.land()
}

// stop completes the checkpoint, and returns the error that ends the program.
func (k *keeper) stop(signal int64) error {
	name := k.flight.name()
	k.flight.complete()
	if err := k.land(); err != nil {
		return err
	}
	return entity.OnAll(&stopped{fmt.Sprintf("op2: stopped by the signal %s, after the checkpoint %s", nameOf(signal), name)})
}

// resume gives everything the values of the checkpoint that the configuration names, if that is one of the place at
// hand. It is collective.
func (k *keeper) resume(place int) error {
	from := snapshot.Folder(k.rt.Config().Restart)
	if k.from == nil {
		r, err := choose(k.rt, from, k.values(), k.maps, k.diagonals)
		if err != nil {
			return entity.OnAll(problem.Errorf("op2: restart from %s: %w", string(from), err))
		}
		k.from = r
	}
	if k.from.index.Place > place {
		return nil
	}
	if err := k.from.restore(k.candidates(), k.values(), k.conditions); err != nil {
		return problem.Errorf("op2: restart from %s: %w", string(from), problem.Bare(err))
	}
	k.from.close()
	if k.rt.Rank() == 0 {
		k.rt.Config().Say("goes on from the checkpoint " + from.Name(k.from.number) + ownValues(k.from.index))
	}
	k.resumed, k.from, k.begun = true, nil, time.Now()
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
