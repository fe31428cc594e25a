// Package registrytest lets tests add backends to the registry, or put others in their place.
package registrytest

import (
	"slices"
	"sync"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/backend/registry"
)

// added holds the drivers of tests.
var added struct {
	sync.Mutex
	drivers []backend.Driver
}

func init() {
	registry.Amend = func(all []backend.Driver) []backend.Driver {
		added.Lock()
		defer added.Unlock()
		for _, d := range added.drivers {
			all = put(all, d)
		}
		return all
	}
}

// Add adds a driver, in place of any of the same name.
func Add(d backend.Driver) {
	added.Lock()
	defer added.Unlock()
	added.drivers = put(added.drivers, d)
}

// Remove removes the driver of that name that was added. What it replaced is back in its place.
func Remove(name string) {
	added.Lock()
	defer added.Unlock()
	added.drivers = slices.DeleteFunc(added.drivers, func(d backend.Driver) bool { return d.Name == name })
}

// put returns the drivers with d among them.
func put(drivers []backend.Driver, d backend.Driver) []backend.Driver {
	if i := slices.IndexFunc(drivers, func(other backend.Driver) bool { return other.Name == d.Name }); i >= 0 {
		drivers[i] = d
		return drivers
	}
	return append(drivers, d)
}
