package algebra

import (
	"fmt"

	"github.com/go-op2/op2/internal/core"
)

// Part is one part of the rows or columns of a matrix of blocks: the values on a set.
type Part struct {
	Set *core.Set
	Dim int
}

// Here returns the number of values that belong to this rank.
func (p Part) Here() int { return p.Set.Size() * p.Dim }

// Declared returns the declared number of a row of values here.
func (p Part) Declared(row int) int {
	return int(p.Set.NumberHere(row/p.Dim))*p.Dim + row%p.Dim
}

// Where describes the place of a value, by its declared number.
func (p Part) Where(row int) string {
	if p.Dim > 1 {
		return fmt.Sprintf("value %d of element %d of %s", row%p.Dim, row/p.Dim, p.Set.Name())
	}
	return fmt.Sprintf("element %d of %s", row, p.Set.Name())
}

// Total returns the number of values here, with those of the halo.
func (p Part) Total() int { return p.Set.Total() * p.Dim }
