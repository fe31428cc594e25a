package op2

import "github.com/go-op2/op2/internal/backend"

// BackendOf returns the backend of a runtime.
func BackendOf(rt *Runtime) backend.Backend { return rt.core().Backend() }

// IsSoA reports whether a device stores a dat component by component.
func IsSoA(d *Dat[float64]) bool { return d.data().SoA() }

// CachedLoops returns the number of loops that the runtime caches for ParLoop.
func CachedLoops(rt *Runtime) int { return rt.core().CachedLoops() }

// CachedPlans returns the number of plans that the runtime caches.
func CachedPlans(rt *Runtime) int { return rt.core().CachedPlans() }

// What is said of misspelled variables, and those there are.
var (
	Misspelled = misspelled
	Variables  = variables
)

// Enter enters the runtime, as a call in progress does.
func Enter(rt *Runtime) error { return rt.core().Enter() }

// Leave ends what Enter began.
func Leave(rt *Runtime) { rt.core().Leave() }

// View returns another view of a dat's values, on a set with dim values for each element.
func View(d *Dat[float64], set *Set, dim int) *Dat[float64] {
	return (*Dat[float64])(d.data().View(set.core(), dim))
}

// Version counts the writes of a dat.
func Version(d *Dat[float64]) uint64 { return d.data().Storage().Version() }

// HostPart and DevicePart move the values of some elements of a dat.
func HostPart(d *Dat[float64], first, last int) error {
	return d.data().Storage().Mirror().HostPart(first, last)
}

func DevicePart(d *Dat[float64], first, last int) error {
	return d.data().Storage().Mirror().DevicePart(first, last)
}

// OnHost returns the host's values, whether or not they are valid.
func OnHost(d *Dat[float64]) []float64 { return d.values() }
