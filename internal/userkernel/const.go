package userkernel

import (
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Const is a const as a kernel reads it: a variable of the program.
type Const struct {
	Name   string
	InGo   string // the variable as the program writes it: "gas.Gamma"
	Layout *loop.Layout
	Ptr    unsafe.Pointer
}

// TypeOf returns the type as a kernel sees it; nil if it cannot.
func TypeOf(t reflect.Type) kernel.Type {
	l, err := loop.LayoutOf(t)
	if err != nil {
		return nil
	}
	return kernel.TypeOf(l)
}
