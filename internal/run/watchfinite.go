package run

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
)

// finiteWatch records the state of a loop's dats before a call: the arguments whose dats should
// stay finite, and those whose dats already had other values, or may have them in a halo.
type finiteWatch struct {
	finite, nonFinite []int
}

// watchFinite checks the dats of a loop that is about to run.
func (l *Loop) watchFinite(args []entity.Arg) (finiteWatch, error) {
	var w finiteWatch
	for i, a := range args {
		if a.Kind != loop.Dat || a.Data.Unwatched() || !a.Data.Floats() {
			continue
		}
		if err := a.Data.Bring(false); err != nil {
			return w, err
		}
		switch v := a.Data.NotFinite(entity.Everywhere); {
		case a.Access == loop.Read && a.Data.Set().Parts() != nil: // its halo may hold such values
			w.nonFinite = append(w.nonFinite, i)
		case v != nil && a.Access != loop.Write:
			w.nonFinite = append(w.nonFinite, i)
		case v == nil && a.Access != loop.Read && !a.Data.NonFiniteAllowed():
			w.finite = append(w.finite, i)
		}
	}
	return w, nil
}

// checkFinite returns an error for the first value that the loop has made infinite or NaN.
func (l *Loop) checkFinite(w finiteWatch, over entity.Range, args []entity.Arg) error {
	for _, i := range w.finite {
		d := args[i].Data
		if err := d.Bring(false); err != nil {
			return err
		}
		v := d.NotFinite(entity.Everywhere)
		if v == nil {
			continue
		}
		at, had := i, []int(nil) // the argument that has the element, and the loop's elements that reach it
		for _, j := range w.finite {
			if had == nil && args[j].Data == d {
				if had = having(over, args[j], v.Row); had != nil {
					at = j
				}
			}
		}
		meant, hint := "; where such values are meant, call "+d.Name()+".AllowNonFinite()", ""
		switch hint = source(w, over, args, d, had); {
		case hint != "":
		case had == nil:
			hint = "the loop has no such element among its arguments: the kernel writes outside of them"
		case args[at].Access == loop.Write && math.IsNaN(v.Value):
			hint = "the dats that it reads there were finite; what the kernel does not write is NaN under diagnostics" + meant
		default:
			hint = "the dats that it reads there were finite" + meant
		}
		d.Known(v)
		return args[at].About(problem.InLoop(v, fmt.Sprintf("%s: argument %d (%s)", l.name, entity.Ordinal(args, at), args[at]), hint))
	}
	return nil
}

// having returns the elements of a loop for which the argument has the target, an element of its
// dat.
func having(over entity.Range, a entity.Arg, target int) []int {
	var found []int
	over.Each(func(e int) {
		if slices.Contains(a.Targets(e), int32(target)) {
			found = append(found, e)
		}
	})
	return found
}

// source describes a value of one of the loop's elements that was not finite before; "" if there
// was none. Of is the dat that holds such a value now.
func source(w finiteWatch, over entity.Range, args []entity.Arg, of *entity.Data, elements []int) string {
	set := over.Set
	for _, e := range elements {
		for _, i := range w.nonFinite {
			a := args[i]
			for _, t := range a.Targets(e) {
				v := a.Data.NotFinite(int(t))
				if v == nil {
					continue
				}
				where := fmt.Sprintf("component %d of element %d", v.Col, a.Data.Set().Known(int(t)))
				if v.Field != "" {
					where = v.Field + " of " + where
				}
				text := fmt.Sprintf("%s held %v before the loop, in %s", a.Data.Besides(of), v.Value, where)
				if a.Access != loop.Read { // it may hold another value now
					text = fmt.Sprintf("%s was not finite before the loop, and holds %v in %s", a.Data.Besides(of), v.Value, where)
				}
				if a.Map != nil {
					text += fmt.Sprintf(", which element %d of %s has through %s", set.Known(e), set.Name(), a.Map.Name())
				}
				return text
			}
		}
	}
	return ""
}
