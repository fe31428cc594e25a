package op2

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/loop"
)

// AllowNonFinite has diagnostics accept infinity and NaN in the dat, where they mean something:
// infinity as a distance not known yet, say.
func (d *Dat[T]) AllowNonFinite() {
	if d.made() == nil {
		d.anyValue = true
	}
}

// finiteWatch is what diagnostics know of a loop's dats before a call: those that are to stay
// finite, and what was not finite already.
type finiteWatch struct {
	finite []int // arguments
	before string
}

// watchFinite looks at the dats of a loop that is about to run.
func (l *Loop) watchFinite(args []Arg) (finiteWatch, error) {
	var w finiteWatch
	for i, a := range args {
		if a.kind != loop.Dat || a.data.strange == nil || a.data.anyValue || !a.data.scalar.Float() ||
			slices.ContainsFunc(args[:i], func(b Arg) bool { return b.data == a.data }) {
			continue
		}
		if err := a.data.bring(false); err != nil {
			return w, err
		}
		switch v := a.data.strange(); {
		case v != nil && a.access != loop.Write && w.before == "":
			w.before = fmt.Sprintf("%s held %v before the loop, in component %d of element %d", a.data.name, v.Value, v.Col, v.Row)
		case v == nil && a.access != loop.Read:
			w.finite = append(w.finite, i)
		}
	}
	return w, nil
}

// checkFinite returns an error for the first value that the loop has made infinite or NaN.
func (l *Loop) checkFinite(w finiteWatch, args []Arg) error {
	for _, i := range w.finite {
		d := args[i].data
		if err := d.bring(false); err != nil {
			return err
		}
		if v := d.strange(); v != nil {
			v.What = fmt.Sprintf("%s: argument %d (%s)", l.name, i+1, args[i])
			switch meant := "; where such values are meant, call " + d.name + ".AllowNonFinite()"; {
			case w.before != "":
				v.hint = w.before
			case args[i].access == loop.Write && math.IsNaN(v.Value):
				v.hint = "what the kernel does not write is NaN under diagnostics" + meant
			default:
				v.hint = "what it reads was finite" + meant
			}
			return v
		}
	}
	return nil
}
