package hdf5

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"unsafe"

	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/rankfile"
)

// SetAttribute gives what is written under a name, or with "" the file, an attribute: a string, a value of a plain type as that
// of a dat, or a slice of such values. It takes the place of an attribute of that name.
func (f *File) SetAttribute(on, name string, v any) (err error) {
	if err := f.enterToWrite("SetAttribute"); err != nil {
		return err
	}
	defer f.rt.LeaveTogether(&err)
	defer func() { f.failed = f.failed || err != nil }()
	if text, is := v.(string); is {
		return f.file.Act(func(file *hdf5.File) error { return f.attributed(on, name, file.SetText(on, name, text)) })
	}
	of, dims, memory, err := plain(reflect.ValueOf(v))
	if err := f.rt.Agree(f.attributed(on, name, err)); err != nil {
		return err
	}
	return f.file.Act(func(file *hdf5.File) error {
		return f.attributed(on, name, file.SetAttribute(on, name, of, dims, memory))
	})
}

// Attribute reads an attribute, as SetAttribute gives it, into what a pointer leads to: a string, a value, or a slice, which
// gets the length that is needed. The error wraps [fs.ErrNotExist] if there is none of that name.
func (f *File) Attribute(on, name string, into any) (err error) {
	if err := f.enter((*entity.Runtime).Enter); err != nil {
		return err
	}
	defer f.rt.LeaveTogether(&err)
	to := reflect.ValueOf(into)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return f.attributed(on, name, fmt.Errorf("a pointer is needed, not %T", into))
	}
	type answer struct {
		Missing bool
		Text    string
		Values  []byte
	}
	a, err := rankfile.Ask(f.file, func(file *hdf5.File) (a answer, err error) {
		if to.Elem().Kind() == reflect.String {
			a.Text, err = file.Text(on, name)
		} else {
			a.Values, err = file.Attribute(on, name, func(shape hdf5.Shape) (*loop.Layout, error) { return fits(to.Elem(), shape) })
		}
		if a.Missing = errors.Is(err, fs.ErrNotExist); a.Missing {
			err = nil
		}
		return a, f.attributed(on, name, err)
	})
	switch {
	case err != nil:
		return err
	case a.Missing:
		return f.attributed(on, name, fs.ErrNotExist)
	case to.Elem().Kind() == reflect.String:
		to.Elem().SetString(a.Text)
	default:
		fill(to.Elem(), a.Values)
	}
	return nil
}

// attributed wraps an error of an attribute.
func (f *File) attributed(on, name string, err error) error {
	if err != nil && on != "" {
		name += " of " + on
	}
	if err != nil {
		err = f.wrap(fmt.Errorf("attribute %s: %w", name, err))
	}
	return err
}

// plain returns a value, or those of a slice, as they are stored.
func plain(v reflect.Value) (of *loop.Layout, dims []uint64, memory []byte, err error) {
	switch {
	case !v.IsValid():
		return nil, nil, nil, errors.New("nil is no value")
	case v.Kind() == reflect.Slice && v.Len() == 0:
		return nil, nil, nil, errors.New("an attribute has at least one value")
	case v.Kind() == reflect.Slice:
		dims = []uint64{uint64(v.Len())}
	default:
		v = reflect.Append(reflect.MakeSlice(reflect.SliceOf(v.Type()), 0, 1), v)
	}
	if of, err = loop.LayoutOf(v.Type().Elem()); err != nil {
		return nil, nil, nil, err
	}
	return of, dims, unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*of.Size), nil
}

// fits returns the layout of a value, or of those of a slice, if an attribute of that shape can be read into it.
func fits(v reflect.Value, shape hdf5.Shape) (*loop.Layout, error) {
	t := v.Type()
	several := t.Kind() == reflect.Slice
	if several {
		t = t.Elem()
	}
	of, err := loop.LayoutOf(t)
	if err != nil {
		return nil, err
	}
	if shape.Type != hdf5.Describe(of) || !several && shape.Size() != 1 {
		return nil, fmt.Errorf("it is %s, and does not fit into %s", shape, v.Type())
	}
	return of, nil
}

func fill(v reflect.Value, values []byte) {
	if v.Kind() == reflect.Slice {
		n := len(values) / int(v.Type().Elem().Size())
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		copy(unsafe.Slice((*byte)(v.UnsafePointer()), len(values)), values)
		return
	}
	copy(unsafe.Slice((*byte)(v.Addr().UnsafePointer()), len(values)), values)
}

// Datasets returns the paths of all datasets.
func (f *File) Datasets() (paths []string, err error) {
	if err := f.enter((*entity.Runtime).Enter); err != nil {
		return nil, err
	}
	defer f.rt.LeaveTogether(&err)
	return rankfile.Ask(f.file, func(file *hdf5.File) ([]string, error) {
		paths, err := file.Datasets("")
		return paths, f.wrap(err)
	})
}
