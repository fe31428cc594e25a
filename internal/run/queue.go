package run

import "github.com/go-op2/op2/internal/entity"

// With lazy evaluation, calls wait until somebody wants what they compute. What they wait in is above
// this package: an engine asks its Queue at each call, a storage its Waiter whenever its values are used.

// Queue decides when the calls of a runtime run.
type Queue interface {
	// Add takes an operation, whose loop is ready, unless it is to run at once.
	Add(o Operation) (waits bool, err error)

	// Run runs all calls whose results somebody can see.
	Run() error
	// Before runs the calls that must run before an operation that does not wait. It returns an error if
	// values that it uses were not computed.
	Before(o Operation) error
	// Admit returns an error if operations, run one after another, depend on values that were not
	// computed. Those all of which they replace then count as computed.
	Admit(operations ...Operation) error

	// Drop drops what depends on objects that have become unreachable, and calls whose results nobody
	// can see any more.
	Drop(objects entity.Objects)
	// DropChains drops the chains that it has made of repeated calls.
	DropChains()
}

// atOnce is the queue without lazy evaluation: nothing waits.
type atOnce struct{}

func (atOnce) Add(Operation) (bool, error) { return false, nil }
func (atOnce) Run() error                  { return nil }
func (atOnce) Before(Operation) error      { return nil }
func (atOnce) Admit(...Operation) error    { return nil }
func (atOnce) Drop(entity.Objects)         {}
func (atOnce) DropChains()                 {}
