package core

import (
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// Use is what a loop does with a storage.
type Use struct {
	Storage *Storage
	Name    string // of the data
	param   int    // number of the first argument, from 1
	Reads   bool   // the result depends on the values before
	Changes bool
	Whole   bool // it replaces all values
	sets    bool // it sets values of a mat
}

// usesOf returns what a loop does with the storages of its arguments.
func usesOf(over Range, args []Arg) []Use {
	var uses []Use
	for n, a := range args {
		if a.data == nil {
			continue
		}
		i := slices.IndexFunc(uses, func(u Use) bool { return u.Storage == a.data.storage })
		if i < 0 {
			i = len(uses)
			uses = append(uses, Use{Storage: a.data.storage, Name: a.data.name, param: ordinal(args, n), Whole: true})
		}
		u := &uses[i]
		u.Reads = u.Reads || a.access != loop.Write
		u.Changes = u.Changes || a.access != loop.Read
		u.sets = u.sets || a.kind == loop.Mat && a.access == loop.Write
		u.Whole = u.Whole && a.kind == loop.Dat && a.access == loop.Write && a.m == nil && over.Subset == nil && over.Size() == a.data.elements()
	}
	return uses
}

// wrote records a call.
func (u *Use) wrote() {
	if u.Changes {
		u.Storage.Wrote()
	}
	if u.sets {
		u.Storage.Replaced = true
	}
}
