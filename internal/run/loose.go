package run

import (
	"weak"

	"github.com/go-op2/op2/internal/entity"
)

// loosen returns the loose form of a loop's range and arguments; nil if parts of mixed data are among
// them.
func loosen(over entity.Range, args []entity.Arg) *loose {
	l := &loose{set: weak.Make(over.Set), subset: weak.Make(over.Subset), part: over.Subset != nil}
	for _, a := range args {
		if a.Part != nil {
			return nil
		}
		b := looseArg{a, weak.Make(a.Data), weak.Make(a.Map), weak.Make(a.Cols), [3]bool{a.Data != nil, a.Map != nil, a.Cols != nil}}
		b.Arg.Data, b.Arg.Map, b.Arg.Cols = nil, nil, nil
		l.args = append(l.args, b)
	}
	return l
}
