package hdf5

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// Shape is the shape of a dataset or an attribute.
type Shape struct {
	Dims []uint64 // none: a single value
	Type string   // see Describe
}

// ShapeOf returns the shape of values.
func ShapeOf(of *loop.Layout, dims ...uint64) Shape { return Shape{dims, Describe(of)} }

// String returns the shape as a type in Go: "[721801][2]float64".
func (s Shape) String() string {
	var text strings.Builder
	for _, n := range s.Dims {
		fmt.Fprintf(&text, "[%d]", n)
	}
	return text.String() + s.Type
}

// Equal reports whether shapes are equal.
func (s Shape) Equal(other Shape) bool {
	return s.Type == other.Type && slices.Equal(s.Dims, other.Dims)
}

// Size returns the number of values.
func (s Shape) Size() uint64 {
	n := uint64(1)
	for _, dim := range s.Dims {
		n *= dim
	}
	return n
}

// Dataset is how a dataset is stored.
type Dataset struct {
	Path    string // names with slashes between; groups are created
	Of      *loop.Layout
	Dims    []uint64
	Grows   bool   // rows can be added: see Extend
	Deflate int    // the level of compression, from 1 to 9; 0: none
	Chunk   uint64 // rows that are stored, and compressed, together; 0: all in one piece, or as many as make about a megabyte
}

// Shape returns the shape of a dataset. The error is fs.ErrNotExist if there is none of that path.
func (f *File) Shape(path string) (shape Shape, err error) {
	err = f.dataset(path, func(d id) error {
		shape, err = f.library.shape(d, f.library.H5Dget_space, f.library.H5Dget_type)
		return err
	})
	return shape, err
}

// dataset does something with a dataset.
func (f *File) dataset(path string, do func(id) error) error {
	l := f.library
	return l.in(func() error {
		if err := l.exists(f.id, path); err != nil {
			return err
		}
		open := func() (id, error) {
			return l.id(l.H5Dopen2, uintptr(f.id), uintptr(unsafe.Pointer(unsafe.StringData("/"+path+"\x00"))), everything)
		}
		return l.with(open, l.H5Dclose, do)
	})
}

// exists returns fs.ErrNotExist unless there is something at a path.
func (l *Library) exists(file id, path string) error {
	path = strings.Trim(path, "/")
	for i := range len(path) + 1 {
		if i < len(path) && path[i] != '/' {
			continue
		}
		is, err := l.number(l.H5Lexists, uintptr(file), uintptr(unsafe.Pointer(unsafe.StringData("/"+path[:i]+"\x00"))), everything)
		if err != nil {
			return err
		}
		if is == 0 {
			return fs.ErrNotExist
		}
	}
	return nil
}

// shape returns the shape of a dataset or attribute.
func (l *Library) shape(of id, space, kind native.Function) (shape Shape, err error) {
	err = l.with(func() (id, error) { return l.id(space, uintptr(of)) }, l.H5Sclose, func(s id) error {
		n, err := l.number(l.H5Sget_simple_extent_ndims, uintptr(s))
		if err != nil || n == 0 {
			return err
		}
		shape.Dims = make([]uint64, n)
		return l.do(l.H5Sget_simple_extent_dims, uintptr(s), uintptr(unsafe.Pointer(&shape.Dims[0])), 0)
	})
	if err != nil {
		return shape, err
	}
	err = l.with(func() (id, error) { return l.id(kind, uintptr(of)) }, l.H5Tclose, func(t id) error {
		shape.Type, err = l.describe(t)
		return err
	})
	return shape, err
}

// Create creates a dataset.
func (f *File) Create(d Dataset) error {
	l := f.library
	return l.in(func() error {
		return l.with(func() (id, error) { return l.packed(d.Of) }, l.H5Tclose, func(of id) error {
			return l.with(func() (id, error) { return l.extent(d) }, l.H5Sclose, func(space id) error {
				groups := func(list id) error { return l.do(l.H5Pset_create_intermediate_group, uintptr(list), 1) }
				return l.with(func() (id, error) { return l.properties("LINK_CREATE", groups) }, l.H5Pclose, func(links id) error {
					return l.with(func() (id, error) { return l.properties("DATASET_CREATE", l.storage(&d)) }, l.H5Pclose, func(storage id) error {
						created, err := l.id(l.H5Dcreate2, uintptr(f.id), uintptr(unsafe.Pointer(unsafe.StringData("/"+strings.Trim(d.Path, "/")+"\x00"))),
							uintptr(of), uintptr(space), uintptr(links), uintptr(storage), everything)
						if err == nil {
							l.close(l.H5Dclose, created)
						}
						return err
					})
				})
			})
		})
	})
}

// storage returns what sets how a dataset is stored.
func (l *Library) storage(d *Dataset) func(list id) error {
	return func(list id) error {
		if len(d.Dims) == 0 || d.Deflate == 0 && d.Chunk == 0 && !d.Grows {
			return nil
		}
		chunk := slices.Clone(d.Dims)
		row := uint64(d.Of.Size)
		for i := range chunk {
			chunk[i] = max(chunk[i], 1)
			if i > 0 {
				row *= chunk[i]
			}
		}
		const megabyte = 1 << 20
		rows := cmp.Or(d.Chunk, max(megabyte/row, 1))
		if !d.Grows || d.Chunk == 0 {
			rows = min(rows, chunk[0])
		}
		chunk[0] = rows
		if err := l.do(l.H5Pset_chunk, uintptr(list), uintptr(len(chunk)), uintptr(unsafe.Pointer(&chunk[0]))); err != nil || d.Deflate == 0 {
			return err
		}
		if err := l.do(l.H5Pset_shuffle, uintptr(list)); err != nil {
			return err
		}
		return l.do(l.H5Pset_deflate, uintptr(list), uintptr(d.Deflate))
	}
}

// extent returns the dataspace of a new dataset.
func (l *Library) extent(d Dataset) (id, error) {
	if !d.Grows {
		return l.space(d.Dims)
	}
	most := slices.Clone(d.Dims)
	most[0] = math.MaxUint64 // H5S_UNLIMITED
	return l.id(l.H5Screate_simple, uintptr(len(most)), uintptr(unsafe.Pointer(&d.Dims[0])), uintptr(unsafe.Pointer(&most[0])))
}

// Extend adds room for rows to a dataset that grows, and returns the place of the first.
func (f *File) Extend(path string, rows uint64) (at uint64, err error) {
	l := f.library
	err = f.dataset(path, func(d id) error {
		shape, err := l.shape(d, l.H5Dget_space, l.H5Dget_type)
		if err != nil {
			return err
		}
		at = shape.Dims[0]
		shape.Dims[0] += rows
		return l.do(l.H5Dset_extent, uintptr(d), uintptr(unsafe.Pointer(&shape.Dims[0])))
	})
	return at, err
}

// space returns a dataspace.
func (l *Library) space(dims []uint64) (id, error) {
	const scalar = 0
	if len(dims) == 0 {
		return l.id(l.H5Screate, scalar)
	}
	return l.id(l.H5Screate_simple, uintptr(len(dims)), uintptr(unsafe.Pointer(&dims[0])), 0)
}

// Rows are those of a dataset from the first on.
type Rows struct{ First, Count uint64 }

// Rows are read and written as values that are laid out like Go's. Of a file that ranks have opened together, all transfer
// rows of a dataset at the same time, some of them perhaps none.

// Read reads rows of a dataset into memory.
func (f *File) Read(path string, of *loop.Layout, rows Rows, memory []byte) error {
	return f.transfer(path, of, rows, memory, func(t *transfer) error {
		if !t.converts {
			return t.call(t.file.library.H5Dread, t.here, memory)
		}
		values := make([]byte, t.room())
		if err := t.call(t.file.library.H5Dread, t.there, values); err != nil {
			return err
		}
		defer copy(memory, values[:len(memory)])
		return t.convert(t.there, t.here, values)
	})
}

// Write writes rows of a dataset from memory.
func (f *File) Write(path string, of *loop.Layout, rows Rows, memory []byte) error {
	return f.transfer(path, of, rows, memory, func(t *transfer) error {
		if !t.converts {
			return t.call(t.file.library.H5Dwrite, t.here, memory)
		}
		values := make([]byte, t.room())
		copy(values, memory)
		if err := t.convert(t.here, t.there, values); err != nil {
			return err
		}
		return t.call(t.file.library.H5Dwrite, t.there, values)
	})
}

// transfer is one of rows.
type transfer struct {
	file        *File
	dataset     id
	values      int
	here, there id // types in memory and in the file
	converts    bool
	from, to    id // dataspaces of memory and of the dataset, with the rows selected
}

// transfer calls do with a transfer of rows. Where ranks transfer together, values have to be converted before, since the
// library does not compress them otherwise.
func (f *File) transfer(path string, of *loop.Layout, rows Rows, memory []byte, do func(*transfer) error) error {
	l := f.library
	return f.dataset(path, func(d id) error {
		shape, err := l.shape(d, l.H5Dget_space, l.H5Dget_type)
		if err != nil {
			return err
		}
		count := slices.Clone(shape.Dims)
		if len(count) > 0 {
			if count[0] = rows.Count; rows.First+rows.Count > shape.Dims[0] {
				return fmt.Errorf("rows %d to %d are not within %s", rows.First, rows.First+rows.Count, shape)
			}
		}
		values := (Shape{Dims: count}).Size()
		if needed := values * uint64(of.Size); needed != uint64(len(memory)) {
			return fmt.Errorf("%d rows of %s have %d bytes, of %s in memory, not %d", rows.Count, shape, needed, Describe(of), len(memory))
		}
		if values == 0 && !f.shared {
			return nil
		}
		t := transfer{file: f, dataset: d, values: int(values)}
		return l.with(func() (id, error) { return l.typeOf(of) }, l.H5Tclose, func(here id) error {
			return l.with(func() (id, error) { return l.id(l.H5Dget_type, uintptr(d)) }, l.H5Tclose, func(there id) error {
				same, err := l.number(l.H5Tequal, uintptr(here), uintptr(there))
				if err != nil {
					return err
				}
				t.here, t.there, t.converts = here, there, f.shared && same == 0
				return l.with(func() (id, error) { return l.space(count) }, l.H5Sclose, func(from id) error {
					return l.with(func() (id, error) { return l.selected(shape.Dims, rows, from) }, l.H5Sclose, func(to id) error {
						t.from, t.to = from, to
						return do(&t)
					})
				})
			})
		})
	})
}

// room returns the bytes of the values in the larger of the types.
func (t *transfer) room() int {
	l := t.file.library
	return t.values * int(max(l.H5Tget_size.Call(uintptr(t.here)), l.H5Tget_size.Call(uintptr(t.there))))
}

// convert converts values in place.
func (t *transfer) convert(from, to id, values []byte) error {
	if t.values == 0 {
		return nil
	}
	l, background := t.file.library, make([]byte, len(values))
	return l.do(l.H5Tconvert, uintptr(from), uintptr(to), uintptr(t.values), uintptr(unsafe.Pointer(&values[0])), uintptr(unsafe.Pointer(&background[0])), everything)
}

// call reads or writes values of a type.
func (t *transfer) call(f native.Function, of id, values []byte) error {
	if len(values) == 0 {
		values = make([]byte, 1) // of which none is used
	}
	l := t.file.library
	return l.with(t.file.transferring, l.H5Pclose, func(list id) error {
		return l.do(f, uintptr(t.dataset), uintptr(of), uintptr(t.from), uintptr(t.to), uintptr(list), uintptr(unsafe.Pointer(&values[0])))
	})
}

// selected returns the dataspace of a dataset in which the rows are selected. Of no rows, here gets an empty selection, too.
func (l *Library) selected(dims []uint64, rows Rows, here id) (id, error) {
	space, err := l.space(dims)
	if err != nil || len(dims) == 0 {
		return space, err
	}
	if (Shape{Dims: dims}).Size() == 0 || rows.Count == 0 {
		return space, errors.Join(l.do(l.H5Sselect_none, uintptr(here)), l.do(l.H5Sselect_none, uintptr(space)))
	}
	const set = 0
	first, count := make([]uint64, len(dims)), slices.Clone(dims)
	first[0], count[0] = rows.First, rows.Count
	return space, l.do(l.H5Sselect_hyperslab, uintptr(space), set, uintptr(unsafe.Pointer(&first[0])), 0, uintptr(unsafe.Pointer(&count[0])), 0)
}

// transferring returns the properties of a transfer, in which ranks take part together where they have opened the file so.
func (f *File) transferring() (id, error) {
	l := f.library
	return l.properties("DATASET_XFER", func(list id) error {
		if !f.shared {
			return nil
		}
		const collective = 1
		return l.do(l.parallel.H5Pset_dxpl_mpio, uintptr(list), collective)
	})
}
