package run

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
)

// Run runs a task, after the waiting calls that it depends on, unless calls are recorded.
func (t Task) Run(rt *entity.Runtime) error {
	if rt.Lazy() {
		return t.runLazily(rt)
	}
	return t.Do()
}

// runLazily is Run with a list of calls. It is apart, as t then escapes.
func (t Task) runLazily(rt *entity.Runtime) error {
	u := t.Uses()
	for _, d := range u.Reads {
		t.uses = append(t.uses, Use{Storage: d.Storage(), Name: d.Name(), Reads: true})
	}
	for _, d := range u.Changes {
		t.uses = append(t.uses, Use{Storage: d.Storage(), Name: d.Name(), Reads: true, Changes: true})
	}
	for _, d := range u.Replaces {
		t.uses = append(t.uses, Use{Storage: d.Storage(), Name: d.Name(), Changes: true, Whole: true})
	}
	t.Site.Capture()
	if waits, err := engineOf(rt).queue.Add(Operation{Task: &t}); waits || err != nil {
		return err
	}
	return t.Do()
}

// Operate enters the runtime for a verb that is a task, which it runs or puts into a list.
func Operate(rt *entity.Runtime, prepare func() (Task, error)) error {
	return rt.Operate(func() error {
		t, err := prepare()
		if err != nil {
			return err
		}
		return t.Run(rt)
	})
}

// Run runs an operation whose loop is ready.
func (o *Operation) Run() error {
	if o.Task != nil {
		return o.Task.Do()
	}
	if o.Set != nil {
		o.Set.To(o.Set.Storage())
	}
	if o.Loop == nil {
		return nil
	}
	return o.Loop.Compute()
}

func newAssignment(g *entity.Data, values []byte) *Assignment {
	return &Assignment{[1]Use{{Storage: g.Storage(), Name: g.Name(), Changes: true, Whole: true}}, slices.Clone(values)}
}
