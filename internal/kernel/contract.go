package kernel

import (
	"fmt"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// Check compares the results of Analyze with the access of each argument, and returns the
// violations of the contract, in order of position. Shapes are those passed to Analyze.
//
// An argument that is read must not be written; one that is written must be written completely, and
// not be read before. The other accesses allow everything: what they pass to the kernel is defined,
// and whatever the kernel leaves is used. What cannot be decided is allowed.
func Check(k *Kernel, access []loop.Access, shapes []Shape) []Problem {
	found := checkStrays(k)
	params := k.Entry().Params
	for i, v := range params[:min(len(params), len(access), len(k.Uses))] {
		var shape Shape
		if i < len(shapes) {
			shape = shapes[i]
		}
		switch access[i] {
		case loop.Read:
			found = append(found, checkRead(v, k.Uses[i], shape)...)
		case loop.Write:
			found = append(found, checkWrite(v, k.Uses[i], shape)...)
		}
	}
	sorting.By(found, ByPlace)
	return found
}

func checkRead(v *Var, use Use, shape Shape) []Problem {
	if !use.Write.Known() {
		return nil
	}
	p := Problem{Pos: use.Write, Msg: fmt.Sprintf("%s is written, but passed with Read", v.Name)}
	switch {
	case shape.Number:
		p.Msg = fmt.Sprintf("%s is written, but it is the element's number", v.Name)
		p.Hint = "copy it to a local variable first"
	case shape.Global:
		p.Hint = "pass it with Inc, Min or Max, or copy it to a local variable first"
	default:
		p.Hint = "pass it with Write, RW or Inc, or copy it to a local variable first"
	}
	return []Problem{p}
}

func checkWrite(v *Var, use Use, shape Shape) []Problem {
	var found []Problem
	otherwise, unchanged := "RW", "Read"
	if shape.Matrix { // which has neither
		otherwise, unchanged = "Inc", "Inc"
	}
	if use.Early.Known() {
		name := v.Name
		if use.EarlyAt >= 0 {
			name = component(v, use.EarlyAt, shape)
		}
		found = append(found, Problem{
			Pos:  use.Early,
			Msg:  fmt.Sprintf("%s is read before it is written, but %s is passed with Write", name, v.Name),
			Hint: "write it first, or pass it with " + otherwise,
		})
	}
	switch {
	case !use.UnsetPos.Known():
	case shape.RowCount > 0 && use.Write.Known(): // a row may be short
	case !use.Write.Known():
		found = append(found, Problem{
			Pos:  use.UnsetPos,
			Msg:  fmt.Sprintf("%s is not written, but passed with Write", v.Name),
			Hint: "write every component, or pass it with " + unchanged,
		})
	default:
		found = append(found, Problem{
			Pos: use.UnsetPos,
			Msg: fmt.Sprintf("%s is not written on the path that ends here, but %s is passed with Write",
				component(v, use.Unset, shape), v.Name),
			Hint: "write every component on every path, or pass it with " + otherwise,
		})
	}
	return found
}

// Component returns the source notation for scalar number offset of the pointee of a Go kernel's parameter
// points to: "q[1].Rho".
func Component(v *Var, offset int) string { return component(v, offset, Shape{Rows: 1, Cols: 1}) }

// component returns the source notation for scalar number offset of v's pointee.
func component(v *Var, offset int, shape Shape) string {
	t := v.Type
	switch elem := Elem(t).(type) {
	case *Array, *Struct:
		t = elem
	case Basic:
		if shape.Rows*shape.Cols*shape.scalars() <= 1 {
			return "*" + v.Name
		}
	}
	name := v.Name + subscripts(t, offset, shape.Cols*shape.scalars())
	if _, named := t.(*Struct); !named && !shape.Matrix {
		name += inPart(offset, shape.Parts)
	}
	return name
}

// inPart says which of several parts scalar number offset is in.
func inPart(offset int, parts []Part) string {
	for _, p := range parts {
		n := p.Rows * p.Cols * p.scalars()
		if offset < n {
			return ", in " + p.Name
		}
		offset -= n
	}
	return ""
}

// subscripts returns the subscripts of scalar number offset in a value of type t, where cols is the
// number of values behind a pointer.
func subscripts(t Type, offset, cols int) string {
	var elem Type
	switch t := t.(type) {
	case *Array:
		elem = t.Elem
	case *Pointer:
		elem = t.Elem
	case *Struct:
		for _, f := range t.Fields {
			if n := Count(f.Type); offset >= n {
				offset -= n
				continue
			}
			return "." + f.Name + subscripts(f.Type, offset, cols)
		}
		return ""
	default:
		return ""
	}
	stride := Count(elem)
	if _, row := elem.(*Pointer); row {
		stride = cols
	}
	if stride <= 0 {
		return ""
	}
	return fmt.Sprintf("[%d]", offset/stride) + subscripts(elem, offset%stride, cols)
}
