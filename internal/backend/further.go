package backend

import (
	"slices"
	"sync"
)

// further holds the drivers that tests add to the library's own.
var further struct {
	sync.Mutex
	drivers []Driver
}

// Register adds a driver for tests, which can open it by name, replacing any of the same name.
func Register(d Driver) {
	further.Lock()
	defer further.Unlock()
	for i := range further.drivers {
		if further.drivers[i].Name == d.Name {
			further.drivers[i] = d
			return
		}
	}
	further.drivers = append(further.drivers, d)
}

// Unregister removes the driver of that name, if there is one.
func Unregister(name string) {
	further.Lock()
	defer further.Unlock()
	further.drivers = slices.DeleteFunc(further.drivers, func(d Driver) bool { return d.Name == name })
}

// Registered returns the drivers that tests added.
func Registered() []Driver {
	further.Lock()
	defer further.Unlock()
	return append([]Driver(nil), further.drivers...)
}
