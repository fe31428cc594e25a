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
	return l.open(mpi, func(s *session, access id) id {
		return s.id(s.H5Fcreate, uintptr(cString(path)), truncate, everything, uintptr(access))
	})
}

// Open opens a file that exists, to write to it or only to read it, as [Library.Create] does.
func (l *Library) Open(path string, write bool, mpi *MPI) (*File, error) {
	flags := uintptr(0)
	if write {
		flags = 1
	}
	return l.open(mpi, func(s *session, access id) id {
		return s.id(s.H5Fopen, uintptr(cString(path)), flags, uintptr(access))
	})
}

func (l *Library) open(mpi *MPI, open func(s *session, access id) id) (*File, error) {
	f := &File{library: l, shared: mpi != nil}
	return f, l.in(func(s *session) {
		access := id(everything)
		if mpi != nil {
			defer native.Guard()() // MPI loads what it accesses files with
			access = s.properties("FILE_ACCESS")
			s.do(s.parallel.H5Pset_fapl_mpio, uintptr(access), mpi.Communicator, mpi.Info)
		}
		f.id = open(s, access)
	})
}

// Close writes what is left, and closes the file. It is collective for a file that ranks have opened together.
func (f *File) Close() error {
	return f.library.in(func(s *session) { s.do(s.H5Fclose, uintptr(f.id)) })
}

// Group creates a group, whose links are in the order of their creation. Groups above it are there.
func (f *File) Group(path string) error {
	const trackedAndIndexed = 3
	return f.library.in(func(s *session) {
		list := s.properties("GROUP_CREATE")
		s.do(s.H5Pset_link_creation_order, uintptr(list), trackedAndIndexed)
		s.open(s.H5Gclose, s.H5Gcreate2, uintptr(f.id), uintptr(cString("/"+path)), everything, uintptr(list), everything)
	})
}

// Link makes a path lead to what is at another.
func (f *File) Link(path, to string) error {
	return f.library.in(func(s *session) {
		s.do(s.H5Lcreate_soft, uintptr(cString("/"+to)), uintptr(f.id), uintptr(cString("/"+path)), everything, everything)
	})
}

// Datasets returns the paths of the datasets in a group and the groups within; "" for all.
func (f *File) Datasets(group string) (paths []string, err error) {
	err = f.library.in(func(s *session) { paths = s.datasets(f.id, group, nil, 0) })
	return paths, err
}

// Kinds of objects.
const (
	groupKind   = 2
	datasetKind = 5
)

// deepest is how many groups may be within each other: links that lead back to a group above have no end.
const deepest = 32

func (s *session) datasets(file id, group string, found []string, depth int) []string {
	if depth > deepest {
		s.fail(fmt.Errorf("more than %d groups within each other, as in %s: its links may form a circle", deepest, group))
		return found
	}
	g := s.open(s.H5Gclose, s.H5Gopen2, uintptr(file), uintptr(cString("/"+group)), everything)
	var info struct { // H5G_info_t
		_     int32
		links uint64
		_     [2]int64
	}
	s.do(s.H5Gget_info, uintptr(g), uintptr(unsafe.Pointer(&info)))
	for i := uint64(0); i < info.links && s.err == nil; i++ {
		full := s.linkName(g, i)
		if group != "" {
			full = group + "/" + full
		}
		switch s.kind(file, full) {
		case datasetKind:
			found = append(found, full)
		case groupKind:
			found = s.datasets(file, full, found, depth+1)
		}
	}
	return found
}

// linkName returns the name of a link of a group, in alphabetical order.
func (s *session) linkName(group id, i uint64) string {
	const byName, ascending = 0, 0
	length := s.id(s.H5Lget_name_by_idx, uintptr(group), uintptr(cString(".")), byName, ascending, uintptr(i), 0, 0, everything)
	name := make([]byte, length+1)
	s.id(s.H5Lget_name_by_idx, uintptr(group), uintptr(cString(".")), byName, ascending, uintptr(i), uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), everything)
	return string(name[:length])
}

// kind returns the kind of what is at a path; 0 for a link that leads nowhere.
func (s *session) kind(file id, path string) (kind int) {
	_ = s.within(func(s *session) { kind = s.number(s.H5Iget_type, uintptr(s.object(file, path))) })
	return kind
}

// object opens what is at a path.
func (s *session) object(file id, path string) id {
	return s.open(s.H5Oclose, s.H5Oopen, uintptr(file), uintptr(cString("/"+path)), everything)
}
