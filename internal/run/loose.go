package run

import (
	"weak"

	"github.com/go-op2/op2/internal/entity"
)

// loosen returns the loose form of a loop's range and arguments; nil if parts of mixed data are among
// them.
func loosen(over entity.Range, args []entity.Arg) *loose {
	l := &loose{set: weak.Make(over.Set), subset: weak.Make(over.Subset), part: over.Subset != nil,
		region: over.Layers.Region, columns: weak.Make(over.Layers.Of), layered: over.Layers.Of != nil}
	for _, a := range args {
		if a.Part != nil {
			return nil
		}
		b := looseArg{a, weak.Make(a.Data), weak.Make(a.Map), weak.Make(a.Cols), weak.Make(a.Extruded), [4]bool{a.Data != nil, a.Map != nil, a.Cols != nil, a.Extruded != nil}}
		b.Arg.Data, b.Arg.Map, b.Arg.Cols, b.Arg.Extruded = nil, nil, nil, nil
		l.args = append(l.args, b)
	}
	return l
}
