// Package rankfile is files in HDF5 that the ranks of a runtime read and write: all of them together where the library has been
// built with their MPI; otherwise each reads by itself, and rank 0 writes for all. It knows no sets and no dats: its callers are
// package hdf5, and package vtk for results.
package rankfile

import (
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/wholefile"
)

// File is an open file. All its methods are collective.
type File struct {
	rt     *entity.Runtime // nil: there is one rank
	path   string
	wrap   func(error) error // gives errors the words of the caller
	file   *hdf5.File        // nil on ranks for which rank 0 reads and writes
	every  bool              // each rank has opened the file
	shared bool              // and all together
	begun  *wholefile.File   // on rank 0, of a new file
}

// Check returns an error, on all ranks, if there is no library.
func Check(rt *entity.Runtime) error {
	_, _, err := library(rt)
	return err
}

// Create creates a file. It appears at path, or takes the place of one that was there, with Finish.
func Create(rt *entity.Runtime, path string, wrap func(error) error) (*File, error) {
	return begin(&File{rt: rt, path: path, wrap: wrap}, func(f *File, l *hdf5.Library, mpi *hdf5.MPI) (err error) {
		if f.rank() == 0 {
			f.begun, err = wholefile.Begin(f.path)
		}
		if err := f.agree(f.wrap(err)); err != nil {
			return err
		}
		name := ""
		if f.begun != nil {
			name = f.begun.Name
		}
		if f.rt != nil {
			if name, _, err = f.rt.Tell(f.begun != nil, name); err != nil {
				return err
			}
		}
		return f.openOn(f.shared, func() (err error) {
			f.file, err = l.Create(name, mpi)
			return err
		})
	})
}

// Open opens a file that there is, to write to it or to read it alone.
func Open(rt *entity.Runtime, path string, writes bool, wrap func(error) error) (*File, error) {
	return begin(&File{rt: rt, path: path, wrap: wrap}, func(f *File, l *hdf5.Library, mpi *hdf5.MPI) error {
		return f.openOn(f.shared || !writes, func() (err error) {
			f.file, err = l.Open(path, writes, mpi)
			return err
		})
	})
}

func begin(f *File, start func(*File, *hdf5.Library, *hdf5.MPI) error) (*File, error) {
	l, mpi, err := library(f.rt)
	if err != nil {
		return nil, err
	}
	f.shared = mpi != nil
	if err := start(f, l, mpi); err != nil {
		if f.begun != nil {
			f.begun.Discard()
		}
		return nil, err
	}
	return f, nil
}

// openOn opens the file on every rank, or on rank 0 alone. If that fails on any rank, it is open on none.
func (f *File) openOn(every bool, open func() error) (err error) {
	if f.every = every || f.ranks() == 1; f.every || f.rank() == 0 {
		err = open()
	}
	agreed := f.agree(f.wrap(err))
	if agreed != nil && err == nil && f.file != nil && !f.shared {
		_ = f.file.Close() // the others fail
	}
	return agreed
}

// Close writes what is left, and closes the file. A new one appears then, unless something has failed.
func (f *File) Close(failed bool) (err error) {
	if f.file != nil {
		err = f.file.Close()
	}
	err = f.agree(f.wrap(err))
	if f.begun == nil {
		return err
	}
	if err != nil || failed {
		f.begun.Discard()
		return err
	}
	return f.wrap(f.begun.Finish())
}

func (f *File) rank() int {
	if f.rt == nil {
		return 0
	}
	return f.rt.Rank()
}

func (f *File) ranks() int {
	if f.rt == nil {
		return 1
	}
	return f.rt.Ranks()
}

// agree returns the error of all ranks.
func (f *File) agree(err error) error {
	if f.rt == nil {
		return err
	}
	return f.rt.Agree(err)
}
