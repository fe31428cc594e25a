package hdf5

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/hdf5"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/rankfile"
	"github.com/go-op2/op2/internal/spell"
)

// found is what a file has under a name.
type found struct {
	Missing bool
	Shape   hdf5.Shape
	Others  []string // datasets, if it is missing
}

// look returns what the file has under a name.
func (f *File) look(name string) (found, error) {
	return rankfile.Ask(f.file, func(file *hdf5.File) (found found, err error) {
		found.Shape, err = file.Shape(name)
		if errors.Is(err, fs.ErrNotExist) {
			found.Missing = true
			found.Others, err = file.Datasets("")
		}
		return found, f.wrap(err)
	})
}

// shape returns the shape of the dataset of something. What describes it: "dat q on cells".
func (f *File) shape(what, name string) (hdf5.Shape, error) {
	there, err := f.look(name)
	if err != nil || !there.Missing {
		return there.Shape, err
	}
	e := &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has no dataset %q%s", f.path, name, spell.DidYouMean(name, there.Others))}
	if n := len(there.Others); n > 0 {
		const most = 20
		e.Hint = "it has " + strings.Join(there.Others[:min(n, most)], ", ")
		if n > most {
			e.Hint += fmt.Sprintf(" and %d others", n-most)
		}
	}
	return hdf5.Shape{}, e
}

// check returns an error unless the dataset of something has a shape that is wanted: also one without the dimension of a dim
// of 1.
func (f *File) check(what, name string, want hdf5.Shape) error {
	shape, err := f.shape(what, name)
	if err != nil || same(shape, want) {
		return err
	}
	return f.differs(what, shape, want)
}

// same reports whether values of a shape are those of another one.
func same(a, b hdf5.Shape) bool {
	return a.Type == b.Type && slices.Equal(trimmed(a.Dims), trimmed(b.Dims))
}

// trimmed returns dimensions without those of length 1 at the end, but for the first.
func trimmed(dims []uint64) []uint64 {
	for len(dims) > 1 && dims[len(dims)-1] == 1 {
		dims = dims[:len(dims)-1]
	}
	if len(dims) == 0 {
		return []uint64{1}
	}
	return dims
}

func (f *File) differs(what string, shape, want hdf5.Shape) error {
	return &problem.ShapeError{What: what, Msg: fmt.Sprintf("%s has it as %s, the program as %s", f.path, shape, want)}
}
