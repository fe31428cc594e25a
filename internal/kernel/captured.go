package kernel

import "fmt"

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
