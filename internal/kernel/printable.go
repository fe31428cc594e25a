package kernel

import (
	"fmt"
	"slices"
)

// Rounds reports whether k converts a float to the type that it already has: in Go that rounds it,
// so that a product before and a sum after are not fused. Compilers for other languages have no
// such construct within a function, and must round everywhere.
func (k *Kernel) Rounds() bool {
	return slices.ContainsFunc(k.Funcs, func(f *Func) bool {
		return !f.C && slices.ContainsFunc(All[*Convert](f.Body), func(c *Convert) bool { return Scalar(c.T).Float() && Scalar(c.T) == Scalar(c.X.Type()) })
	})
}

// Truncates reports whether k converts floats to integers, and integers to floats. Without traps, GCC takes both for one
// function that keeps the sign of zero.
func (k *Kernel) Truncates() bool {
	var to, from bool
	for _, c := range All[*Convert](k) {
		to = to || Scalar(c.X.Type()).Float() && Scalar(c.T).Integer()
		from = from || Scalar(c.X.Type()).Integer() && Scalar(c.T).Float()
	}
	return to && from || k.IsC() && !k.Exact // of which Funcs may be only a part
}

// Alternates reports whether k multiplies floats, adds some and subtracts others. GCC then fuses
// products and sums, also where it must not, if it vectorizes a loop or straight-line code.
func (k *Kernel) Alternates() bool {
	var found [Rem + 1]bool
	note := func(op Op, t Type) {
		switch {
		case !Scalar(t).Float():
		case op == Neg:
			found[Sub] = true
		case op <= Rem:
			found[op] = true
		}
	}
	for _, a := range All[*Assign](k) {
		note(a.Op, a.L.Type())
	}
	for _, b := range All[*Binary](k) {
		note(b.Op, b.T)
	}
	for _, u := range All[*Unary](k) {
		note(u.Op, u.T)
	}
	return found[Add] && found[Sub] && found[Mul] || k.IsC() && !k.Exact // of which Funcs may be only a part
}

// Captured reports whether the kernel's functions capture everything it does. Other kernels, in C,
// are compiled as they stand.
func (k *Kernel) Captured() bool {
	return (!k.IsC() || k.Exact) && !k.opaque().Known()
}

// opaque returns the position of the first expression that the IR cannot express.
func (k *Kernel) opaque() Pos {
	for _, o := range All[*Opaque](k) {
		if o.Pos().Known() {
			return o.Pos()
		}
	}
	return Pos{}
}

// Beyond describes the part of a C kernel that the IR does not capture: its position, or the types
// that the IR replaces by others.
func (k *Kernel) Beyond() string {
	at := k.opaque()
	if len(k.Unseen) > 0 {
		at = k.Unseen[0].Pos
	}
	if at.Known() {
		return fmt.Sprintf("C beyond numbers and arrays, in %s", at)
	}
	return "C beyond numbers and arrays: long double, or a char that is neither signed nor unsigned"
}
