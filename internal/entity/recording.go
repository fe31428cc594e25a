package entity

import (
	"cmp"
	"fmt"

	"github.com/go-op2/op2/internal/callsite"
)

// recording is the time in which calls are recorded instead of run.
type recording struct{ refused error }

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
