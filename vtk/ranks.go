package vtk

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

// Fields of dats on several ranks: rank 0 writes, the others give it their values.

// runtime returns the runtime of a field's dats; nil if there are none.
func (f *Field) runtime() *op2.Runtime {
	for _, s := range f.sources {
		if s.set != nil {
			return (*op2.Runtime)((*entity.Set)(s.set).Runtime())
		}
	}
	return nil
}

// ranks returns the number of ranks that fields are on.
func ranks(fields []Field) int {
	n := 1
	for i := range fields {
		n = max(n, fields[i].runtime().Ranks())
	}
	return n
}

// follows reports whether fields are of a rank that gives its values to rank 0.
func follows(fields []Field) bool {
	for i := range fields {
		if fields[i].runtime().Rank() != 0 {
			return true
		}
	}
	return false
}

// give gives the values of this rank to rank 0.
func give(fields []Field) error {
	for _, f := range fields {
		for _, s := range f.sources {
			if s.set == nil {
				continue
			}
			if _, _, err := s.values(f.part, 0); err != nil {
				return fmt.Errorf("vtk: field %q: %s: %w", f.name, s.what, err)
			}
		}
	}
	return nil
}
