package kernel

import (
	"math/bits"
	"slices"
)

// Fault is a subscript that may be out of range, and the kernel parameters that it may be a
// subscript of.
type Fault struct {
	Pos    Pos
	Of     string // the name of the variable or const; may be empty
	Params []int
}

// Subscript returns the subscript at pos that may be out of range; if pos has no column, the one in
// its line, of an array of the given length if there are several. It is nil if it is ambiguous.
func (k *Kernel) Subscript(pos Pos, length int64) *Fault {
	found := slices.DeleteFunc(All[*Index](k), func(i *Index) bool { return i.InRange || !standsAt(pos, i.Pos()) })
	if len(found) > 1 && pos.Col == 0 {
		found = slices.DeleteFunc(found, func(i *Index) bool {
			a, ok := Elem(i.X.Type()).(*Array)
			return !ok || int64(a.Len) != length
		})
	}
	if len(found) == 0 || found[0].Pos() != found[len(found)-1].Pos() {
		return nil
	}
	i := found[0]
	f := &Fault{Pos: i.Pos(), Of: named(i)}
	for set := i.Of; set != 0; set &= set - 1 {
		f.Params = append(f.Params, bits.TrailingZeros64(set))
	}
	return f
}

// Place returns the position of a line and column in the kernel's files. A C kernel includes several: it is
// the one with an operation there.
func (k *Kernel) Place(line, col int) Pos {
	place := Pos{File: k.File, Line: line, Col: col}
	note := func(pos Pos) {
		if pos.Line == line && pos.Col == col {
			place = pos
		}
	}
	for _, s := range All[*Assign](k) {
		note(s.Pos)
	}
	for _, e := range All[Expr](k) {
		note(e.Pos())
	}
	return place
}

// Operation returns the position of the only operation in the line of pos that may divide by zero,
// or that may shift by a negative count; pos itself if there are several.
func (k *Kernel) Operation(pos Pos, shifts bool) Pos {
	operations := k.divisions()
	if shifts {
		operations = k.operations(func(op Op, _ Expr, _ bool) bool { return op == Shl || op == Shr })
	}
	found := slices.DeleteFunc(operations, func(place Pos) bool { return !standsAt(pos, place) })
	if len(found) != 1 {
		return pos
	}
	return found[0]
}

// divisions returns the positions where an integer is divided by what may be zero.
func (k *Kernel) divisions() []Pos {
	return k.operations(func(op Op, y Expr, fits bool) bool {
		return (op == Div || op == Rem) && !fits && Scalar(y.Type()).Integer() && (!Is[*Lit](y) || IsZero(y))
	})
}

// operations returns the positions of the operations for which wanted, called with the second
// operand, returns true.
func (k *Kernel) operations(wanted func(op Op, y Expr, fits bool) bool) (found []Pos) {
	for _, f := range k.Funcs {
		Walk(f.Body, func(s Stmt) {
			if s, ok := s.(*Assign); ok && wanted(s.Op, s.R, s.Fits) {
				found = append(found, s.Pos)
			}
		}, func(e Expr) {
			if e, ok := e.(*Binary); ok && wanted(e.Op, e.Y, e.Fits) {
				found = append(found, e.Pos())
			}
		})
	}
	return found
}

// named returns the name of the variable or const that contains e; "" if there is none.
func named(e Expr) string {
	switch x := Base(e).(type) {
	case *Ref:
		return x.Var.Name
	case *ConstRef:
		return x.Const.Name
	}
	return ""
}

// standsAt reports whether place is pos, or in its line if pos has no column.
func standsAt(pos, place Pos) bool {
	return pos.File == place.File && pos.Line == place.Line && (pos.Col == 0 || pos.Col == place.Col)
}
