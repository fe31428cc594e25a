package checkpoint

import (
	"fmt"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// entry is what is known of a dat, a global or a matrix of the program.
type entry struct {
	entity.Named
	version uint64 // of a matrix, at the first place

	restored bool // a matrix has had the values of a checkpoint
	carried  bool // it was read or changed first, after some place
	replaced bool // all values were replaced first, after some place
	lost     bool // a checkpoint had no values of it
	deferred bool // the checkpoint under way saves it if it is not replaced first
}

// candidate is an entry whose data is there, and stays so.
type candidate struct {
	*entry
	data *entity.Data
}

// withoutValues is the error of reading what a checkpoint left out.
func (e *entry) withoutValues(d *entity.Data) error {
	return fmt.Errorf("%s has no values: the checkpoint %s left them out, and the program reads them before it replaces them\n  hint: the run that made it had replaced them first; make both runs take the same steps",
		d.Describe(), d.Runtime().Config().Restart)
}

// unchanged reports whether this is a matrix that a later run has, too, when it comes to the first place.
func (e *entry) unchanged(d *entity.Data) bool {
	return d.Kind() == loop.Mat && !e.restored && e.version == d.Storage().Version()
}

// unsavable says why a checkpoint cannot have values that the program carries from one place to the next; "" if it can.
func (e *entry) unsavable(d *entity.Data) string {
	switch {
	case e.Late:
		return fmt.Sprintf("%s was declared after the first Checkpoint, and the program carries its values from one to the next\n  hint: declare it before", d.Describe())
	case d.Kind() == loop.Mat && !e.unchanged(d) && d.Beside().Unsaved() != "":
		return fmt.Sprintf("%s has changed since the first Checkpoint, %s have been applied to it, and the program carries it from one to the next\n  hint: declare the conditions before the first Checkpoint, and keep them: checkpoints then have what they took out", d.Describe(), d.Beside().Unsaved())
	}
	return ""
}
