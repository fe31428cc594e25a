package run

import "github.com/go-op2/op2/internal/entity"

// With lazy evaluation, calls wait until somebody wants what they compute. What they wait in is above
// this package: an engine asks its Queue at each call, a storage its Waiter whenever its values are used.

// Queue decides when the calls of a runtime run.
type Queue interface {
	// Call takes the call of a loop that is ready, unless it is to run at once.
	Call(l *Loop) (waits bool, err error)
	// CallWith takes the call of a loop for which a global has the values with these bytes, which it may
	// keep. It is called only with lazy evaluation.
	CallWith(l *Loop, g *entity.Data, values []byte) error
	// Assign is CallWith for the assignment alone.
	Assign(g *entity.Data, values []byte)

	// Run runs all calls whose results somebody can see.
	Run() error
	// Before runs the calls that must run before a loop that does not wait. It returns an error if values
	// that the loop uses were not computed.
	Before(l *Loop) error
	// Admit returns an error if loops, computed one after another, depend on values that were not
	// computed. Those all of which they replace then count as computed.
	Admit(loops ...*Loop) error

	// Drop drops what depends on objects that have become unreachable, and calls whose results nobody
	// can see any more.
	Drop(objects entity.Objects)
	// DropChains drops the chains that it has made of repeated calls.
	DropChains()
}

// atOnce is the queue without lazy evaluation: nothing waits.
type atOnce struct{}

func (atOnce) Call(*Loop) (bool, error)                   { return false, nil }
func (atOnce) CallWith(*Loop, *entity.Data, []byte) error { return nil }
func (atOnce) Assign(*entity.Data, []byte)                {}
func (atOnce) Run() error                                 { return nil }
func (atOnce) Before(*Loop) error                         { return nil }
func (atOnce) Admit(...*Loop) error                       { return nil }
func (atOnce) Drop(entity.Objects)                        {}
func (atOnce) DropChains()                                {}
