package hdf5

import (
	"cmp"
	"fmt"
	"io/fs"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// SetAttribute gives a dataset or a group, "" for the file, an attribute: values of a type. It takes the place of one of
// that name.
func (f *File) SetAttribute(path, name string, of *loop.Layout, dims []uint64, values []byte) error {
	l := f.library
	return f.setAttribute(path, name, dims, func() (id, error) { return l.packed(of) }, func(attribute id) error {
		return l.with(func() (id, error) { return l.typeOf(of) }, l.H5Tclose, func(t id) error {
			return l.do(l.H5Awrite, uintptr(attribute), uintptr(t), uintptr(unsafe.Pointer(&values[0])))
		})
	})
}

// SetText gives an attribute that is text.
func (f *File) SetText(path, name, text string) error {
	l := f.library
	bytes := []byte(cmp.Or(text, "\x00")) // of its length alone, as OP2 and VTK have it
	kind := func() (id, error) { return l.text(len(bytes)) }
	return f.setAttribute(path, name, nil, kind, func(attribute id) error {
		return l.with(kind, l.H5Tclose, func(t id) error {
			return l.do(l.H5Awrite, uintptr(attribute), uintptr(t), uintptr(unsafe.Pointer(&bytes[0])))
		})
	})
}

// text returns the type of strings of that many bytes.
func (l *Library) text(size int) (id, error) {
	base, err := l.known("H5T_C_S1_g")
	if err != nil {
		return 0, err
	}
	t, err := l.id(l.H5Tcopy, uintptr(base))
	if err == nil {
		err = l.do(l.H5Tset_size, uintptr(t), uintptr(size))
	}
	return t, err
}

func (f *File) setAttribute(path, name string, dims []uint64, kind func() (id, error), write func(attribute id) error) error {
	l := f.library
	return l.in(func() error {
		return l.with(func() (id, error) { return l.object(f.id, path) }, l.H5Oclose, func(object id) error {
			is, err := l.attributed(object, name)
			if err == nil && is {
				err = l.do(l.H5Adelete, uintptr(object), uintptr(unsafe.Pointer(unsafe.StringData(name+"\x00"))))
			}
			if err != nil {
				return err
			}
			return l.with(kind, l.H5Tclose, func(t id) error {
				return l.with(func() (id, error) { return l.space(dims) }, l.H5Sclose, func(space id) error {
					create := func() (id, error) {
						return l.id(l.H5Acreate2, uintptr(object), uintptr(unsafe.Pointer(unsafe.StringData(name+"\x00"))), uintptr(t), uintptr(space), everything, everything)
					}
					return l.with(create, l.H5Aclose, write)
				})
			})
		})
	})
}

func (l *Library) attributed(object id, name string) (bool, error) {
	is, err := l.number(l.H5Aexists, uintptr(object), uintptr(unsafe.Pointer(unsafe.StringData(name+"\x00"))))
	return is > 0, err
}

// attribute does something with an attribute. The error is fs.ErrNotExist if there is none.
func (f *File) attribute(path, name string, do func(attribute id, shape Shape) error) error {
	l := f.library
	return l.in(func() error {
		if path != "" {
			if err := l.exists(f.id, path); err != nil {
				return err
			}
		}
		return l.with(func() (id, error) { return l.object(f.id, path) }, l.H5Oclose, func(object id) error {
			if is, err := l.attributed(object, name); err != nil || !is {
				if err == nil {
					err = fs.ErrNotExist
				}
				return err
			}
			open := func() (id, error) {
				return l.id(l.H5Aopen, uintptr(object), uintptr(unsafe.Pointer(unsafe.StringData(name+"\x00"))), everything)
			}
			return l.with(open, l.H5Aclose, func(attribute id) error {
				shape, err := l.shape(attribute, l.H5Aget_space, l.H5Aget_type)
				if err != nil {
					return err
				}
				return do(attribute, shape)
			})
		})
	})
}

// Attribute returns the values of an attribute, of a type that converts says it is read as, given its shape.
func (f *File) Attribute(path, name string, reads func(Shape) (*loop.Layout, error)) (values []byte, err error) {
	l := f.library
	err = f.attribute(path, name, func(attribute id, shape Shape) error {
		of, err := reads(shape)
		if err != nil {
			return err
		}
		values = make([]byte, max(1, shape.Size()*uint64(of.Size)))
		return l.with(func() (id, error) { return l.typeOf(of) }, l.H5Tclose, func(t id) error {
			return l.do(l.H5Aread, uintptr(attribute), uintptr(t), uintptr(unsafe.Pointer(&values[0])))
		})
	})
	return values, err
}

// Text returns an attribute that is text.
func (f *File) Text(path, name string) (text string, err error) {
	l := f.library
	err = f.attribute(path, name, func(attribute id, shape Shape) error {
		if shape.Type != "string" || shape.Size() != 1 {
			return fmt.Errorf("the attribute is %s, not a string", shape)
		}
		return l.with(func() (id, error) { return l.id(l.H5Aget_type, uintptr(attribute)) }, l.H5Tclose, func(stored id) error {
			if variable, err := l.number(l.H5Tis_variable_str, uintptr(stored)); err != nil || variable > 0 {
				text, err = l.variableText(attribute, stored)
				return err
			}
			bytes := make([]byte, l.H5Tget_size.Call(uintptr(stored))+1)
			return l.with(func() (id, error) { return l.text(len(bytes)) }, l.H5Tclose, func(t id) error {
				err := l.do(l.H5Aread, uintptr(attribute), uintptr(t), uintptr(unsafe.Pointer(&bytes[0])))
				text = native.Text(bytes)
				return err
			})
		})
	})
	return text, err
}

// variableText returns an attribute whose text is of any length, as h5py writes it.
func (l *Library) variableText(attribute, stored id) (string, error) {
	var at uintptr
	if err := l.do(l.H5Aread, uintptr(attribute), uintptr(stored), uintptr(unsafe.Pointer(&at))); err != nil {
		return "", err
	}
	if at == 0 {
		return "", nil
	}
	defer l.H5free_memory.Call(at)
	return native.TextAt(at), nil
}
