package backend

import (
	"slices"
	"sync"
)

// further are the drivers that tests have beside the library's own.
var further struct {
	sync.Mutex
	drivers []Driver
}

// Register adds a driver for tests, which can open it by its name. That of a name which is
// there already is replaced.
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

// Unregister takes the driver of that name away, if it is there.
func Unregister(name string) {
	further.Lock()
	defer further.Unlock()
	further.drivers = slices.DeleteFunc(further.drivers, func(d Driver) bool { return d.Name == name })
}

// Registered are the drivers of tests.
func Registered() []Driver {
	further.Lock()
	defer further.Unlock()
	return append([]Driver(nil), further.drivers...)
}
