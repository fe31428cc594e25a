package checkpoint

import (
	"encoding/json"
	"errors"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/snapshot"
)

// Ranks may differ in what is still reachable, as Go's collector runs when it likes, and in what has been used first,
// as a program may read its rank's values on some ranks alone. Rank 0 decides for all what a checkpoint has.

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
}

type decided struct {
	Serial int
	State  snapshot.State
	Later  bool // it is saved only if it is read first
}

// decide returns what the checkpoint has, which all data must have if it ends the run. It is collective.
func decide(rt *entity.Runtime, to snapshot.Folder, all []candidate, ends bool) (decision, error) {
	own := make([]report, len(all))
	for i, c := range all {
		own[i] = report{c.Serial, c.carried, c.replaced, c.lost, ""}
		if c.carried && ends { // there is no next step, which would show
			own[i].Unsavable = c.unsavable(c.data)
		}
	}
	ranks, err := comm.Collect(rt.Comm(), own)
	if err != nil {
		return decision{}, rt.Broken(err)
	}
	return fromRank0(rt, func() (d decision, err error) {
		if d.Entries, err = combine(ranks, all, ends); err == nil {
			d.Number, err = to.New()
		}
		return d, err
	})
}

// combine decides from the reports of all ranks, given what rank 0 has.
func combine(ranks [][]report, all []candidate, ends bool) ([]decided, error) {
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
	var entries []decided
	for _, c := range all {
		r, one := reports[c.Serial], decided{Serial: c.Serial, State: snapshot.Saved}
		switch {
		case r.Unsavable != "":
			return nil, errors.New(r.Unsavable)
		case c.Late || count[c.Serial] < len(ranks):
			continue
		case r.Lost:
			one.State = snapshot.Unneeded
		case c.unchanged(c.data):
			one.State = snapshot.Unchanged
		case c.data.Kind() != loop.Global:
			one.Later = r.Replaced && !r.Carried && !ends
		}
		entries = append(entries, one)
	}
	return entries, nil
}

// fromRank0 returns what rank 0 finds, or its error, on all ranks. It is collective.
func fromRank0[T any](rt *entity.Runtime, find func() (T, error)) (found T, err error) {
	var message struct {
		Found T
		Error string
	}
	var text []byte
	if rt.Rank() == 0 {
		if message.Found, err = find(); err != nil {
			message.Error = err.Error()
		}
		if text, err = json.Marshal(message); err != nil {
			return found, err
		}
	}
	if text, err = comm.Spread(rt.Comm(), 0, text); err != nil {
		return found, rt.Broken(err)
	}
	if err = json.Unmarshal(text, &message); err == nil && message.Error != "" {
		err = errors.New(message.Error)
	}
	return message.Found, err
}
