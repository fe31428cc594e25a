package hdf5

import (
	"errors"
	"fmt"
	"os"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/entity"
	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/rankfile"
)

// File is an open file. It belongs to the goroutine of its runtime.
type File struct {
	rt      *entity.Runtime
	path    string
	file    *rankfile.File
	writes  bool
	deflate int
	failed  bool // a call that writes
	closed  bool
}

// Option is an option of [Create] and [Append].
type Option func(*File)

// Compress compresses the datasets that are written, at a level from 1, fast, to 9, small. Rows are compressed in chunks of
// about a megabyte.
func Compress(level int) Option { return func(f *File) { f.deflate = level } }

// Create creates a file. It appears at path, or takes the place of one that was there, when Close has succeeded, and not if
// a call has failed before.
func Create(rt *op2.Runtime, path string, options ...Option) (*File, error) {
	return open(rt, path, true, options, func(f *File) (*rankfile.File, error) { return rankfile.Create(f.rt, path, f.wrap) })
}

// Append opens a file to which things are written, and from which they are read; without one, it creates it. What is
// written under a name that the file has replaces the values there, and must have their type and shape.
func Append(rt *op2.Runtime, path string, options ...Option) (*File, error) {
	_, missing := os.Stat(path)
	if there, err := rt.AnyRank(missing == nil); err != nil {
		return nil, err
	} else if !there {
		return Create(rt, path, options...)
	}
	return open(rt, path, true, options, func(f *File) (*rankfile.File, error) { return rankfile.Open(f.rt, path, true, f.wrap) })
}

// Open opens a file to read it.
func Open(rt *op2.Runtime, path string) (*File, error) {
	return open(rt, path, false, nil, func(f *File) (*rankfile.File, error) { return rankfile.Open(f.rt, path, false, f.wrap) })
}

func open(runtime *op2.Runtime, path string, writes bool, options []Option, start func(*File) (*rankfile.File, error)) (_ *File, err error) {
	rt := (*entity.Runtime)(runtime)
	if err := rt.Enter(); err != nil {
		return nil, err
	}
	defer rt.LeaveTogether(&err)
	f := &File{rt: rt, path: path, writes: writes}
	for _, o := range options {
		if o != nil {
			o(f)
		}
	}
	if f.deflate < 0 || f.deflate > 9 {
		return nil, f.wrap(fmt.Errorf("Compress: expected a level from 1 to 9, found %d", f.deflate))
	}
	if f.file, err = start(f); err != nil {
		return nil, err
	}
	return f, nil
}

// Close writes what is left, and closes the file.
func (f *File) Close() (err error) {
	if err := f.enter((*entity.Runtime).Enter); err != nil {
		return err
	}
	defer f.rt.LeaveTogether(&err)
	f.closed = true
	return f.file.Close(f.failed)
}

// enter enters the runtime of a file that is open.
func (f *File) enter(enter func(*entity.Runtime) error) error {
	if f == nil {
		return entity.Called(errors.New("op2: the file is nil"))
	}
	if err := enter(f.rt); err != nil {
		return err
	}
	if f.closed {
		f.rt.Leave()
		return entity.Called(f.wrap(errors.New("the file is closed")))
	}
	return nil
}

// enterToWrite enters the runtime for a call that changes the file.
func (f *File) enterToWrite(what string) error {
	err := f.enter((*entity.Runtime).EnterData)
	if err == nil && !f.writes {
		f.rt.Leave()
		err = entity.Called(f.wrap(fmt.Errorf("%s: the file is open for reading alone", what)))
	}
	return err
}

// wrap returns an error of this package that names the file.
func (f *File) wrap(err error) error {
	if err == nil {
		return nil
	}
	var native *hdf5.Error
	if path := (*os.PathError)(nil); errors.As(err, &path) && !errors.As(err, &native) {
		return problem.Errorf("op2: hdf5: %w", problem.Bare(err))
	}
	return problem.Errorf("op2: hdf5: %s: %w", f.path, problem.Bare(err))
}
