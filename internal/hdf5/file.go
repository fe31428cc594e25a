package hdf5

import (
	"fmt"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// File is an open file.
type File struct {
	library *Library
	id      id
	shared  bool // all ranks have opened it together
}

// Create creates a file, or makes an existing one empty: together with all other ranks of the MPI unless that is nil.
func (l *Library) Create(path string, mpi *MPI) (*File, error) {
	const truncate = 2
	return l.open(mpi, func(access id) (id, error) {
		return l.id(l.H5Fcreate, uintptr(unsafe.Pointer(unsafe.StringData(path+"\x00"))), truncate, everything, uintptr(access))
	})
}

// Open opens a file that exists, to write to it or only to read it, as [Library.Create] does.
func (l *Library) Open(path string, write bool, mpi *MPI) (*File, error) {
	flags := uintptr(0)
	if write {
		flags = 1
	}
	return l.open(mpi, func(access id) (id, error) {
		return l.id(l.H5Fopen, uintptr(unsafe.Pointer(unsafe.StringData(path+"\x00"))), flags, uintptr(access))
	})
}

func (l *Library) open(mpi *MPI, open func(access id) (id, error)) (*File, error) {
	f := &File{library: l, shared: mpi != nil}
	err := l.in(func() (err error) {
		if mpi == nil {
			f.id, err = open(everything)
			return err
		}
		defer native.Guard()() // MPI loads what it accesses files with
		access := func() (id, error) {
			return l.properties("FILE_ACCESS", func(list id) error {
				return l.do(l.parallel.H5Pset_fapl_mpio, uintptr(list), mpi.Communicator, mpi.Info)
			})
		}
		return l.with(access, l.H5Pclose, func(access id) error {
			f.id, err = open(access)
			return err
		})
	})
	return f, err
}

// Close writes what is left, and closes the file. It is collective for a file that ranks have opened together.
func (f *File) Close() error {
	return f.library.in(func() error { return f.library.do(f.library.H5Fclose, uintptr(f.id)) })
}

// Group creates a group, whose links are in the order of their creation. Groups above it are there.
func (f *File) Group(path string) error {
	l := f.library
	const trackedAndIndexed = 3
	return l.in(func() error {
		ordered := func(list id) error { return l.do(l.H5Pset_link_creation_order, uintptr(list), trackedAndIndexed) }
		return l.with(func() (id, error) { return l.properties("GROUP_CREATE", ordered) }, l.H5Pclose, func(list id) error {
			created, err := l.id(l.H5Gcreate2, uintptr(f.id), uintptr(unsafe.Pointer(unsafe.StringData("/"+path+"\x00"))), everything, uintptr(list), everything)
			if err == nil {
				l.close(l.H5Gclose, created)
			}
			return err
		})
	})
}

// Link makes a path lead to what is at another.
func (f *File) Link(path, to string) error {
	l := f.library
	return l.in(func() error {
		return l.do(l.H5Lcreate_soft, uintptr(unsafe.Pointer(unsafe.StringData("/"+to+"\x00"))), uintptr(f.id), uintptr(unsafe.Pointer(unsafe.StringData("/"+path+"\x00"))), everything, everything)
	})
}

// Datasets returns the paths of the datasets in a group and the groups within; "" for all.
func (f *File) Datasets(group string) (paths []string, err error) {
	err = f.library.in(func() error {
		paths, err = f.library.datasets(f.id, group, nil, 0)
		return err
	})
	return paths, err
}

// Kinds of objects.
const (
	groupKind   = 2
	datasetKind = 5
)

// deepest is how many groups may be within each other: links that lead back to a group above have no end.
const deepest = 32

func (l *Library) datasets(file id, group string, found []string, depth int) ([]string, error) {
	if depth > deepest {
		return found, fmt.Errorf("more than %d groups within each other, as in %s: its links may form a circle", deepest, group)
	}
	open := func() (id, error) {
		return l.id(l.H5Gopen2, uintptr(file), uintptr(unsafe.Pointer(unsafe.StringData("/"+group+"\x00"))), everything)
	}
	err := l.with(open, l.H5Gclose, func(g id) error {
		var info struct { // H5G_info_t
			_     int32
			links uint64
			_     [2]int64
		}
		if err := l.do(l.H5Gget_info, uintptr(g), uintptr(unsafe.Pointer(&info))); err != nil {
			return err
		}
		for i := range info.links {
			name, err := l.linkName(g, i)
			if err != nil {
				return err
			}
			full := name
			if group != "" {
				full = group + "/" + name
			}
			kind, err := l.kind(file, full)
			switch {
			case err != nil: // a link that leads nowhere
			case kind == datasetKind:
				found = append(found, full)
			case kind == groupKind:
				if found, err = l.datasets(file, full, found, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return found, err
}

// linkName returns the name of a link of a group, in alphabetical order.
func (l *Library) linkName(group id, i uint64) (string, error) {
	const byName, ascending = 0, 0
	here := []byte(".\x00")
	length, err := l.id(l.H5Lget_name_by_idx, uintptr(group), uintptr(unsafe.Pointer(&here[0])), byName, ascending, uintptr(i), 0, 0, everything)
	if err != nil {
		return "", err
	}
	name := make([]byte, length+1)
	_, err = l.id(l.H5Lget_name_by_idx, uintptr(group), uintptr(unsafe.Pointer(&here[0])), byName, ascending, uintptr(i),
		uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), everything)
	return string(name[:length]), err
}

func (l *Library) kind(file id, path string) (kind int, err error) {
	err = l.with(func() (id, error) { return l.object(file, path) }, l.H5Oclose, func(object id) error {
		kind, err = l.number(l.H5Iget_type, uintptr(object))
		return err
	})
	return kind, err
}

// object opens what is at a path.
func (l *Library) object(file id, path string) (id, error) {
	return l.id(l.H5Oopen, uintptr(file), uintptr(unsafe.Pointer(unsafe.StringData("/"+path+"\x00"))), everything)
}
