package distribute

import (
	"slices"

	"github.com/go-op2/op2/internal/entity"
)

// Seal renumbers the mesh if that was asked for, and distributes it to the ranks: from now on something depends on the
// order of elements. Declared is called with the mesh in the final order, before it is distributed.
func Seal(rt *entity.Runtime, what, first string, declared func()) error {
	shared := slices.ContainsFunc(rt.Mesh().Sets, (*entity.Set).Shared)
	if len(rt.Mesh().Wanted) > 0 && !shared {
		if err := renumber(rt, rt.Mesh().Wanted, true); err != nil {
			return rt.Report(err)
		}
	}
	declared()
	if rt.Several() {
		coordinates := rt.Mesh().Coordinates
		if shared && coordinates == nil {
			coordinates = rt.Mesh().Wanted
		}
		for _, d := range slices.Concat(coordinates, rt.Mesh().Wanted) {
			d.Locates()
		}
		if err := distribute(rt, coordinates); err != nil {
			return rt.Report(err) // others may wait in the middle of it
		}
	}
	return nil
}
