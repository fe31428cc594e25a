package entity

// Work is what uses the things that are declared on a runtime, which knows nothing of it: loops and chains, plans,
// and calls that wait.
type Work interface {
	// Run runs all queued calls whose results somebody can see.
	Run() error
	// Assign sets all values of a global to those with these bytes.
	Assign(g *Data, values []byte)
	// Drop drops what depends on objects that have changed or become unreachable.
	Drop(Objects)
	// Clear drops all that is cached.
	Clear()
	// Seal makes the order of the elements final, and distributes the mesh to the ranks, since something depends on it:
	// "loops have been prepared", of which that is the first.
	Seal(what, first string) error
	// End is called when the runtime is closed.
	End()
}

// idle is no work.
type idle struct{}

func (idle) Run() error                    { return nil }
func (idle) Assign(g *Data, values []byte) { copy(Overwriting[byte](g), values) }
func (idle) Drop(Objects)                  {}
func (idle) Clear()                        {}
func (idle) Seal(string, string) error     { return nil }
func (idle) End()                          {}

// Employ gives a runtime that has just been opened its work.
func (rt *Runtime) Employ(w Work) { rt.work = w }

// Work returns the runtime's work.
func (rt *Runtime) Work() Work { return rt.work }

// LetWait says that calls wait until somebody wants what they compute.
func (rt *Runtime) LetWait() { rt.lazy = true }

// Lazy reports whether loops wait until somebody wants what they compute.
func (rt *Runtime) Lazy() bool { return rt.lazy }

// Force runs all queued calls whose results somebody can see.
func (rt *Runtime) Force() error {
	if rt == nil || !rt.Opened() || rt.closed {
		return nil
	}
	return rt.work.Run()
}

// Late keeps the error of calls that ran for a verb that returns none, for the next one that does.
func (rt *Runtime) Late(err error) {
	if rt.late == nil {
		rt.late = err
	}
}

// EnterLazily enters the runtime for a call that uses values through storages alone: only the queued
// calls that it depends on run. Enter runs all of them.
func (rt *Runtime) EnterLazily() error { return rt.enter() }

// EnterDataLazily is EnterLazily for a call that uses values, which a static runtime does not have.
func (rt *Runtime) EnterDataLazily() error { return rt.refuseStatic(rt.enter()) }
