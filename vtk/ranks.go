package vtk

import (
	"fmt"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
)

// Fields of dats on several ranks: ranks write pieces, or rank 0 writes and the others give it their values.

// runtime returns the runtime of a field's dats; nil if there are none.
func (f *Field) runtime() *op2.Runtime {
	for _, s := range f.sources {
		if s.set != nil {
			return (*op2.Runtime)((*entity.Set)(s.set).Runtime())
		}
	}
	return nil
}

// runtimeOf returns the runtime of the dats of fields; nil if there are none.
func runtimeOf(fields []Field) *op2.Runtime {
	for i := range fields {
		if rt := fields[i].runtime(); rt != nil {
			return rt
		}
	}
	return nil
}

// give gives the values of this rank to rank 0.
func give(fields []Field) error {
	for _, f := range fields {
		if f.invalid != nil {
			return fmt.Errorf("vtk: field %q: %w", f.name, f.invalid)
		}
		for _, s := range f.sources {
			if s.set == nil {
				continue
			}
			if _, _, err := s.values(f.part, 0, nil); err != nil {
				return fmt.Errorf("vtk: field %q: %s: %w", f.name, s.what, err)
			}
		}
	}
	return nil
}
