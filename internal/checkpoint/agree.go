package checkpoint

import (
	"encoding/json"
	"errors"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/snapshot"
	"github.com/go-op2/op2/internal/sorting"
)

// Ranks may differ in what is still reachable, as Go's collector runs when it likes, and in what has been used first,
// as a program may read its rank's values on some ranks alone. Rank 0 decides for all what a checkpoint has.

// candidate is an entry whose data is there, and stays so.
type candidate struct {
	*entry
	data *entity.Data
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

// report is what a rank says of an entry.
type report struct {
	Serial                  int
	Carried, Replaced, Lost bool
	Unsavable               string
}

// decision is what rank 0 decides.
type decision struct {
	Entries []decided
	Number  int
	Refused string // why there is no checkpoint; "" if there is one
}

type decided struct {
	Serial int
	State  snapshot.State
	Later  bool // it is saved only if it is read first
}

// decide returns what the checkpoint has, which all data must have if it ends the run. It is collective.
func (k *keeper) decide(to snapshot.Folder, all []candidate, ends bool) (d decision, err error) {
	own := make([]report, len(all))
	for i, c := range all {
		own[i] = report{c.Serial, c.carried, c.replaced, c.lost, ""}
		if c.carried && ends { // there is no next step, which would show
			own[i].Unsavable = c.unsavable(c.data)
		}
	}
	ranks, err := comm.Collect(k.rt.Comm(), own)
	if err != nil {
		return d, k.rt.Broken(err)
	}
	var text []byte
	if k.rt.Rank() == 0 {
		if d = combine(ranks, all, ends); d.Refused == "" {
			if d.Number, err = to.New(); err != nil {
				d = decision{Refused: err.Error()}
			}
		}
		if text, err = json.Marshal(d); err != nil {
			return d, err
		}
	}
	if text, err = comm.Spread(k.rt.Comm(), 0, text); err != nil {
		return d, k.rt.Broken(err)
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, err
	}
	if d.Refused != "" {
		return d, errors.New(d.Refused)
	}
	return d, nil
}

// combine decides from the reports of all ranks, given what rank 0 has.
func combine(ranks [][]report, all []candidate, ends bool) (d decision) {
	reports, count := map[int]report{}, map[int]int{}
	for _, of := range ranks {
		for _, r := range of {
			before, is := reports[r.Serial]
			r.Carried, r.Lost = r.Carried || before.Carried, r.Lost || before.Lost
			r.Replaced = r.Replaced && (!is || before.Replaced)
			if r.Unsavable == "" {
				r.Unsavable = before.Unsavable
			}
			reports[r.Serial] = r
			count[r.Serial]++
		}
	}
	for _, c := range all {
		r, one := reports[c.Serial], decided{Serial: c.Serial, State: snapshot.Saved}
		changed := c.data.Kind() == loop.Mat && c.version != c.data.Storage().Version()
		switch {
		case r.Unsavable != "":
			d.Refused = r.Unsavable
		case c.Late || count[c.Serial] < len(ranks):
			continue
		case c.data.Kind() == loop.Mat && (changed || r.Lost):
			one.State = snapshot.Unsaved
		case c.data.Kind() == loop.Mat:
			one.State = snapshot.Unchanged
		case r.Lost:
			one.State = snapshot.Unneeded
		case c.data.Kind() == loop.Dat:
			one.Later = r.Replaced && !r.Carried && !ends
		}
		d.Entries = append(d.Entries, one)
	}
	return d
}
