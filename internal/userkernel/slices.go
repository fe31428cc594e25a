package userkernel

import (
	"fmt"
	"reflect"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// sliceElem returns the number of levels at which t is a slice, and the type of its elements.
func sliceElem(t reflect.Type) (levels int, elem reflect.Type) {
	for t.Kind() == reflect.Slice && levels < 3 {
		t = t.Elem()
		levels++
	}
	return levels, t
}

// lengths returns the lengths of the parameters that are slices, for arguments of the given shapes.
func (k *Kernel) lengths(shapes []kernel.Shape) [][]kernel.Length {
	if k.function == nil { // an instance, whose slices are of scalars
		var list [][]kernel.Length
		for _, s := range shapes {
			list = append(list, []kernel.Length{{Most: s.Rows * s.Cols}})
		}
		return list
	}
	t := reflect.TypeOf(k.function)
	list := make([][]kernel.Length, t.NumIn())
	for i := range min(len(list), len(shapes)) {
		levels, elem := sliceElem(t.In(i))
		if levels == 0 && !shapes[i].LeftOut {
			continue
		}
		var of kernel.Type = kernel.Basic(loop.Invalid) // refused elsewhere
		if l, err := loop.LayoutOf(elem); err == nil {
			of = kernel.TypeOf(l)
		}
		list[i] = kernel.SliceLengths(levels, of, shapes[i])
	}
	return list
}

// sameSlice returns an error if a parameter of the function, which is of type t, or that of its
// source is a slice, and the other is not the same.
func sameSlice(k *Kernel, ir *kernel.Kernel, p *kernel.Var, t reflect.Type) error {
	levels, elem := sliceElem(t)
	source := kernel.Elem(p.Type)
	for range p.Slices {
		source = source.(*kernel.Array).Elem
	}
	compiled := TypeOf(elem)
	if levels == p.Slices && (compiled == nil || kernel.Same(compiled, source)) {
		return nil
	}
	return k.differs(fmt.Sprintf("its parameter %s is a %s, that of its source a %s", p.Name, t, ir.Describe(p)), nil)
}

// newArgument returns memory for the values behind parameter p: as a pointer, and as an argument of
// type t, which is the pointer or a slice.
func newArgument(t reflect.Type, p *kernel.Var) (memory, arg reflect.Value) {
	if p.Slices == 0 {
		memory = reflect.New(t.Elem())
		return memory, memory
	}
	memory = reflect.New(arrayOf(t, kernel.Elem(p.Type)))
	return memory, sliceOf(t, memory.Elem())
}

// arrayOf returns the Go type of the array a that a slice of type t shows.
func arrayOf(t reflect.Type, a kernel.Type) reflect.Type {
	if t.Kind() != reflect.Slice {
		return t
	}
	array := a.(*kernel.Array)
	return reflect.ArrayOf(array.Len, arrayOf(t.Elem(), array.Elem))
}

// sliceOf returns a slice of type t that shows an array.
func sliceOf(t reflect.Type, array reflect.Value) reflect.Value {
	if t.Elem().Kind() != reflect.Slice {
		return array.Slice(0, array.Len()).Convert(t)
	}
	rows := reflect.MakeSlice(t, array.Len(), array.Len())
	for i := range array.Len() {
		rows.Index(i).Set(sliceOf(t.Elem(), array.Index(i)))
	}
	return rows
}
