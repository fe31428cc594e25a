package run

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/store"
)

// Use is what a loop does with a storage.
type Use struct {
	Storage *store.Storage
	Name    string // of the data
	param   int    // number of the first argument, from 1
	Reads   bool   // the result depends on the values before
	Changes bool
	Whole   bool // it replaces all values that belong to this rank
	sets    bool // it sets values of a mat
}

// usesOf returns what a loop does with the storages of its arguments.
func usesOf(over entity.Range, args []entity.Arg) []Use {
	var uses []Use
	for n, a := range args {
		if a.Data == nil {
			continue
		}
		i := slices.IndexFunc(uses, func(u Use) bool { return u.Storage == a.Data.Storage() })
		if i < 0 {
			i = len(uses)
			uses = append(uses, Use{Storage: a.Data.Storage(), Name: a.Data.Name(), param: entity.Ordinal(args, n), Whole: true})
		}
		u := &uses[i]
		u.Reads = u.Reads || a.Access != loop.Write || a.Single > 0
		u.Changes = u.Changes || a.Access != loop.Read
		u.sets = u.sets || a.Kind == loop.Mat && a.Access == loop.Write
		u.Whole = u.Whole && a.Kind == loop.Dat && a.Access == loop.Write && a.Map == nil && a.Extruded == nil && over.Subset == nil && over.Layers.All() && a.Data.Set() == over.Set
	}
	return uses
}

// replaces reports whether all values that belong to this rank are replaced, without having been read.
func (u *Use) replaces() bool { return u.Changes && !u.Reads && u.Whole }

// wrote records a call.
func (u *Use) wrote() {
	if u.Changes {
		u.Storage.Wrote()
	}
	if u.sets {
		u.Storage.Replaced = true
	}
}
