package op2

import (
	"reflect"
	"unsafe"
)

// NewConst declares the variable at ptr as a const: kernels read it by name. For Go kernels it must
// be the package variable of that name itself, a number or an array of numbers: loops refuse a
// kernel that clearly reads another. Its value may change between loops without any recompilation.
func NewConst[V any](rt *Runtime, name string, ptr *V) error {
	if err := rt.core().Declare("const", name); err != nil {
		return err
	}
	defer rt.core().Leave()
	return rt.core().NewConst(name, reflect.TypeFor[V](), unsafe.Pointer(ptr))
}
