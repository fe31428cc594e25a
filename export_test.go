package op2

import "github.com/go-op2/op2/internal/backend"

// Register adds a driver to the registry, as the last that auto would take.
func Register(d backend.Driver) { drivers = append([]backend.Driver{d}, drivers...) }

// CheckPlans proves every plan, as OP2_DIAGS does, without filling anything with NaN.
func CheckPlans() Option { return func(c *config) { c.checkPlans = true } }

// BackendOf is the backend that a runtime opened.
func BackendOf(rt *Runtime) backend.Backend { return rt.backend }

// IsSoA reports whether a device is to have a dat component by component.
func IsSoA(d *Dat[float64]) bool { return d.soa() }
