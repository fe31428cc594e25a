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
	hint := "the run that made it had replaced them first; make both runs take the same steps"
	if d.Kind() == loop.Mat {
		hint = "checkpoints have no matrices: zero and assemble it in each step, or once before the first Checkpoint"
	}
	return fmt.Errorf("%s has no values: the checkpoint %s left them out, and the program reads them before it replaces them\n  hint: %s",
		d.Describe(), d.Runtime().Config().Restart, hint)
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
