package op2

import "github.com/go-op2/op2/internal/backend"

// BackendOf returns the backend of a runtime.
func BackendOf(rt *Runtime) backend.Backend { return rt.backend }

// IsSoA reports whether a device stores a dat component by component.
func IsSoA(d *Dat[float64]) bool { return d.soa() }

// CachedLoops returns the number of loops that the runtime caches for ParLoop.
func CachedLoops(rt *Runtime) int { return len(rt.loops.order) }

// CachedPlans returns the number of plans that the runtime caches.
func CachedPlans(rt *Runtime) int { return rt.plans.Stats().Plans }

// What is said of misspelled variables, and those there are.
var (
	Misspelled = misspelled
	Variables  = variables
)

// Enter enters the runtime, as a call in progress does.
func Enter(rt *Runtime) error { return rt.enter() }

// Leave ends what Enter began.
func Leave(rt *Runtime) { rt.leave() }

// View returns another view of a dat's values, on a set with dim values for each element.
func View(d *Dat[float64], set *Set, dim int) *Dat[float64] {
	v := &Dat[float64]{data: d.view()}
	v.set, v.dim = set, dim
	return v
}

// Version counts the writes of a dat.
func Version(d *Dat[float64]) uint64 { return d.storage.Version() }

// HostPart and DevicePart move the values of some elements of a dat.
func HostPart(d *Dat[float64], first, last int) error {
	return d.storage.Mirror().HostPart(first, last)
}

func DevicePart(d *Dat[float64], first, last int) error {
	return d.storage.Mirror().DevicePart(first, last)
}

// OnHost returns the host's values, whether or not they are valid.
func OnHost(d *Dat[float64]) []float64 { return d.values() }
