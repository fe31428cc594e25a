package entity

// Work is what uses the things that are declared on a runtime, which knows nothing of it: loops and chains, plans,
// and calls that wait.
type Work interface {
	// Run runs all queued calls whose results somebody can see.
	Run() error
	// Drop drops what depends on objects that have changed or become unreachable.
	Drop(Objects)
	// Clear drops all that is cached.
	Clear()
	// Moved drops all that depends on which elements are here: other ranks own some of them now.
	Moved()
	// Seal makes the order of the elements final, and distributes the mesh to the ranks, since something depends on it:
	// "loops have been prepared", of which that is the first.
	Seal(what, first string) error
	// End is called when the runtime is closed.
	End()
}

// idle is no work.
type idle struct{}

func (idle) Run() error                { return nil }
func (idle) Drop(Objects)              {}
func (idle) Clear()                    {}
func (idle) Moved()                    {}
func (idle) Seal(string, string) error { return nil }
func (idle) End()                      {}
