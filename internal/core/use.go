package core

import (
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// use is what a loop does with a storage.
type use struct {
	storage *Storage
	name    string // of the data
	param   int    // number of the first argument, from 1
	reads   bool   // the result depends on the values before
	changes bool
	whole   bool // it replaces all values
	sets    bool // it sets values of a mat
}

// usesOf returns what a loop does with the storages of its arguments.
func usesOf(over Range, args []Arg) []use {
	var uses []use
	for n, a := range args {
		if a.data == nil {
			continue
		}
		i := slices.IndexFunc(uses, func(u use) bool { return u.storage == a.data.storage })
		if i < 0 {
			i = len(uses)
			uses = append(uses, use{storage: a.data.storage, name: a.data.name, param: ordinal(args, n), whole: true})
		}
		u := &uses[i]
		u.reads = u.reads || a.access != loop.Write
		u.changes = u.changes || a.access != loop.Read
		u.sets = u.sets || a.kind == loop.Mat && a.access == loop.Write
		u.whole = u.whole && a.kind == loop.Dat && a.access == loop.Write && a.m == nil && over.Subset == nil && over.Size() == a.data.elements()
	}
	return uses
}

// wrote records a call.
func (u *use) wrote() {
	if u.changes {
		u.storage.Wrote()
	}
	if u.sets {
		u.storage.Replaced = true
	}
}
