package hdf5

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/loop"
)

// Thing is what a file holds under a name: an [op2.Set], [op2.Map], [op2.Subset], [op2.Dat] or [op2.Global], a [Value], or one
// of these under another name, [As].
type Thing interface {
	Name() string
	Err() error
}

// As returns a thing under another name: a path with slashes, of which all but the last part are groups.
func As(name string, t Thing) Thing { return named{name, t} }

type named struct {
	name string
	Thing
}

func (n named) Name() string { return n.name }

// Value returns the variable at ptr as a thing: a const, or what else the program needs to go on, of a plain type as that of a
// dat. An array is stored as that many values. All ranks read it, and rank 0 writes it.
func Value[V any](name string, ptr *V) Thing {
	v := value{name: name, dim: 1}
	of, err := loop.LayoutOf(reflect.TypeFor[V]())
	switch {
	case err != nil:
		v.err = fmt.Errorf("op2: value %s: %w", name, err)
	case ptr == nil:
		v.err = fmt.Errorf("op2: value %s: the pointer is nil", name)
	default:
		v.of, v.memory = of, unsafe.Slice((*byte)(unsafe.Pointer(ptr)), of.Size)
		if of.Elem != nil {
			v.of, v.dim = of.Elem, of.Len
		}
	}
	return v
}

type value struct {
	name   string
	of     *loop.Layout
	dim    int
	memory []byte
	err    error
}

func (v value) Name() string { return v.name }
func (v value) Err() error   { return v.err }

// core returns what a thing is: an *entity.Set, *entity.Map, *entity.Subset or *entity.Data, or a value; nil for nil.
func core(t Thing) any {
	switch t := t.(type) {
	case nil:
		return nil
	case named:
		return core(t.Thing)
	case value:
		return t
	case *op2.Set:
		return (*entity.Set)(t)
	case *op2.Map:
		return (*entity.Map)(t)
	case *op2.Subset:
		return (*entity.Subset)(t)
	}
	// Of dats and globals, any type is possible.
	data := reflect.TypeFor[*entity.Data]()
	if v := reflect.ValueOf(t); v.CanConvert(data) {
		return v.Convert(data).Interface()
	}
	return fmt.Sprintf("%T", t)
}

// made returns why things cannot be read or written.
func (f *File) made(things []Thing) error {
	for i, t := range things {
		if t == nil || reflect.ValueOf(t).Kind() == reflect.Pointer && reflect.ValueOf(t).IsNil() {
			return fmt.Errorf("thing %d is nil", i)
		}
		if err := t.Err(); err != nil {
			return err
		}
		for part := range strings.SplitSeq(t.Name(), "/") {
			if part == "." || part == ".." {
				return fmt.Errorf("%q is no name in a file: %s stands for nothing there", t.Name(), part)
			}
		}
		var rt *entity.Runtime
		switch c := core(t).(type) {
		case *entity.Set:
			rt = c.Runtime()
		case *entity.Map:
			rt = c.From().Runtime()
		case *entity.Subset:
			rt = c.Of().Runtime()
		case *entity.Data:
			rt = c.Runtime()
		case value:
			continue
		default:
			return fmt.Errorf("%s is a %s, of which files hold none", t.Name(), c)
		}
		if rt != f.rt {
			return fmt.Errorf("%s is of %s, the file of %s", t.Name(), rt.Besides(f.rt), f.rt.Besides(rt))
		}
	}
	return nil
}
