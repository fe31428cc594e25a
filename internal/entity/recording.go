package entity

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/problem"
)

// recording is the time in which calls are recorded instead of run.
type recording struct{ refused error }

// Record calls a function of the program, whose calls the runtime's work records. It returns the function's error, or
// that of the first call that cannot be recorded.
func (rt *Runtime) Record(calls func() error) error {
	r := &recording{}
	rt.recording = r
	rt.Leave()
	defer func() { rt.recording = nil }()
	err := calls()
	if !rt.Take() {
		return problem.ErrConcurrentUse
	}
	return cmp.Or(err, r.refused)
}

// Recording reports whether calls are recorded.
func (rt *Runtime) Recording() bool { return rt.recording != nil }

// refuse returns the error for the verb at hand, which cannot be recorded; nil if nothing is.
func (r *recording) refuse() error {
	if r == nil {
		return nil
	}
	site := callsite.Find()
	err := Located(fmt.Errorf("op2: %s cannot be part of a chain\n  hint: within RecordChain, call loops, arithmetic of dats, products, conditions and Global.Set alone", site.Verb), "called", site)
	r.refused = cmp.Or(r.refused, err)
	return err
}
