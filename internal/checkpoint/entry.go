package checkpoint

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// entry is what the keeper knows of a dat, a global or a matrix of the program.
type entry struct {
	k *keeper
	entity.Named
	version uint64 // of a matrix, at the first place

	used     bool // since the last place
	carried  bool // it was read or changed first, after some place
	replaced bool // all values were replaced first, after some place
	lost     bool // a checkpoint had no values of it
	deferred bool // the checkpoint under way saves it if it is not replaced first
}

// update adds what the program has declared, and drops what it no longer has.
func (k *keeper) update() {
	for _, n := range k.rt.Program().All() {
		if d := n.Data.Value(); d == nil {
			delete(k.entries, n.Serial)
		} else if k.entries[n.Serial] == nil {
			k.entries[n.Serial] = &entry{k: k, Named: n, version: d.Storage().Version()}
		}
	}
}

// watch makes entries follow the first use of their values from here on.
func (k *keeper) watch() {
	for _, e := range k.entries {
		if d := e.Data.Value(); d != nil {
			e.used = false
			d.Storage().BeforeUse(e.use)
		}
	}
}

// use is called before the first use after a place.
func (e *entry) use(replaces bool) error {
	e.used = true
	if replaces {
		e.replaced, e.lost, e.deferred = true, false, false
		return nil
	}
	d := e.Data.Value()
	if d == nil { // nothing but a loop that is still cached has it
		return nil
	}
	if e.lost {
		d.Storage().BeforeUse(e.use)
		return fmt.Errorf("%s has no values: the checkpoint %s left them out, and the program reads them before it replaces them%s",
			d.Describe(), e.k.rt.Config().Restart, e.why(d))
	}
	e.carried = true
	f := e.k.flight
	if f == nil || !f.watches {
		return nil
	}
	if why := e.unsavable(d); why != "" {
		f.refuse(why)
	}
	if e.deferred {
		e.deferred = false
		return f.save(e)
	}
	return nil
}

// why explains the loss of a matrix.
func (e *entry) why(d *entity.Data) string {
	if d.Kind() == loop.Mat {
		return "\n  hint: checkpoints have no matrices: zero and assemble it in each step, or once before the first Checkpoint"
	}
	return "\n  hint: the run that made it had replaced them first; make both runs take the same steps"
}

// unsavable says why a checkpoint cannot have values that the program carries from one place to the next; "" if it can.
func (e *entry) unsavable(d *entity.Data) string {
	switch {
	case e.Late:
		return fmt.Sprintf("%s was declared after the first Checkpoint, and the program carries its values from one to the next\n  hint: declare it before", d.Describe())
	case d.Kind() == loop.Mat && e.version != d.Storage().Version():
		return fmt.Sprintf("%s has changed since the first Checkpoint, and the program carries its values from one to the next\n  hint: checkpoints have no matrices: zero and assemble it in each step, or once before the first Checkpoint", d.Describe())
	}
	return ""
}
