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
	return f.setAttribute(path, name, dims, func(s *session) id { return s.packed(of) }, func(s *session) id { return s.typeOf(of) }, values)
}

// SetText gives an attribute that is text.
func (f *File) SetText(path, name, text string) error {
	bytes := []byte(cmp.Or(text, "\x00")) // of its length alone, as OP2 and VTK have it
	kind := func(s *session) id { return s.text(len(bytes)) }
	return f.setAttribute(path, name, nil, kind, kind, bytes)
}

// text returns the type of strings of that many bytes.
func (s *session) text(size int) id {
	t := s.open(s.H5Tclose, s.H5Tcopy, uintptr(s.known("H5T_C_S1_g")))
	s.do(s.H5Tset_size, uintptr(t), uintptr(size))
	return t
}

// setAttribute gives an attribute, whose values have one type in the file and one in memory.
func (f *File) setAttribute(path, name string, dims []uint64, stored, here func(s *session) id, values []byte) error {
	return f.library.in(func(s *session) {
		object := s.object(f.id, path)
		if s.attributed(object, name) {
			s.do(s.H5Adelete, uintptr(object), uintptr(cString(name)))
		}
		t, space := stored(s), s.space(dims)
		attribute := s.open(s.H5Aclose, s.H5Acreate2, uintptr(object), uintptr(cString(name)), uintptr(t), uintptr(space), everything, everything)
		t = here(s)
		s.do(s.H5Awrite, uintptr(attribute), uintptr(t), uintptr(unsafe.Pointer(unsafe.SliceData(values))))
	})
}

func (s *session) attributed(object id, name string) bool {
	return s.number(s.H5Aexists, uintptr(object), uintptr(cString(name))) > 0
}

// attribute does something with an attribute. The error is fs.ErrNotExist if there is none.
func (f *File) attribute(path, name string, do func(s *session, attribute id, shape Shape)) error {
	return f.library.in(func(s *session) {
		if path != "" {
			s.exists(f.id, path)
		}
		object := s.object(f.id, path)
		if !s.attributed(object, name) {
			s.fail(fs.ErrNotExist)
		}
		attribute := s.open(s.H5Aclose, s.H5Aopen, uintptr(object), uintptr(cString(name)), everything)
		if shape := s.shape(attribute, s.H5Aget_space, s.H5Aget_type); s.err == nil {
			do(s, attribute, shape)
		}
	})
}

// Attribute returns the values of an attribute, of a type that converts says it is read as, given its shape.
func (f *File) Attribute(path, name string, reads func(Shape) (*loop.Layout, error)) (values []byte, err error) {
	err = f.attribute(path, name, func(s *session, attribute id, shape Shape) {
		of, err := reads(shape)
		if s.fail(err); err != nil {
			return
		}
		values = make([]byte, max(1, shape.Size()*uint64(of.Size)))
		t := s.typeOf(of)
		s.do(s.H5Aread, uintptr(attribute), uintptr(t), uintptr(unsafe.Pointer(&values[0])))
	})
	return values, err
}

// Text returns an attribute that is text.
func (f *File) Text(path, name string) (text string, err error) {
	err = f.attribute(path, name, func(s *session, attribute id, shape Shape) {
		if shape.Type != "string" || shape.Size() != 1 {
			s.fail(fmt.Errorf("the attribute is %s, not a string", shape))
			return
		}
		stored := s.open(s.H5Tclose, s.H5Aget_type, uintptr(attribute))
		if s.number(s.H5Tis_variable_str, uintptr(stored)) > 0 {
			text = s.variableText(attribute, stored)
			return
		}
		bytes := make([]byte, s.number(s.H5Tget_size, uintptr(stored))+1)
		t := s.text(len(bytes))
		s.do(s.H5Aread, uintptr(attribute), uintptr(t), uintptr(unsafe.Pointer(&bytes[0])))
		text = native.Text(bytes)
	})
	return text, err
}

// variableText returns an attribute whose text is of any length, as h5py writes it.
func (s *session) variableText(attribute, stored id) string {
	var at uintptr
	if s.do(s.H5Aread, uintptr(attribute), uintptr(stored), uintptr(unsafe.Pointer(&at))); s.err != nil || at == 0 {
		return ""
	}
	defer s.H5free_memory.Call(at)
	return native.TextAt(at)
}
