package hdf5

import (
	"cmp"
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
	err = f.library.in(func(s *session) {
		_, shape = s.dataset(f.id, path)
	})
	return shape, err
}

// dataset opens a dataset, and returns its shape.
func (s *session) dataset(file id, path string) (id, Shape) {
	s.exists(file, path)
	d := s.open(s.H5Dclose, s.H5Dopen2, uintptr(file), uintptr(cString("/"+path)), everything)
	return d, s.shape(d, s.H5Dget_space, s.H5Dget_type)
}

// exists fails with fs.ErrNotExist unless there is something at a path.
func (s *session) exists(file id, path string) {
	path = strings.Trim(path, "/")
	for i := range len(path) + 1 {
		if i == len(path) || path[i] == '/' {
			if s.number(s.H5Lexists, uintptr(file), uintptr(cString("/"+path[:i])), everything) == 0 {
				s.fail(fs.ErrNotExist)
			}
		}
	}
}

// shape returns the shape of a dataset or attribute.
func (s *session) shape(of id, space, kind native.Function) (shape Shape) {
	extent := s.open(s.H5Sclose, space, uintptr(of))
	if n := s.number(s.H5Sget_simple_extent_ndims, uintptr(extent)); n > 0 {
		shape.Dims = make([]uint64, n)
		s.do(s.H5Sget_simple_extent_dims, uintptr(extent), uintptr(unsafe.Pointer(&shape.Dims[0])), 0)
	}
	shape.Type = s.describe(s.open(s.H5Tclose, kind, uintptr(of)))
	return shape
}

// Create creates a dataset.
func (f *File) Create(d Dataset) error {
	return f.library.in(func(s *session) {
		of, space, links := s.packed(d.Of), s.extent(d), s.properties("LINK_CREATE")
		s.do(s.H5Pset_create_intermediate_group, uintptr(links), 1)
		storage := s.storage(&d)
		s.open(s.H5Dclose, s.H5Dcreate2, uintptr(f.id), uintptr(cString("/"+strings.Trim(d.Path, "/"))), uintptr(of), uintptr(space), uintptr(links), uintptr(storage), everything)
	})
}

// storage returns the properties that say how a dataset is stored.
func (s *session) storage(d *Dataset) id {
	list := s.properties("DATASET_CREATE")
	if len(d.Dims) == 0 || d.Deflate == 0 && d.Chunk == 0 && !d.Grows {
		return list
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
	s.do(s.H5Pset_chunk, uintptr(list), uintptr(len(chunk)), uintptr(unsafe.Pointer(&chunk[0])))
	if d.Deflate > 0 {
		s.do(s.H5Pset_shuffle, uintptr(list))
		s.do(s.H5Pset_deflate, uintptr(list), uintptr(d.Deflate))
	}
	return list
}

// extent returns the dataspace of a new dataset.
func (s *session) extent(d Dataset) id {
	if !d.Grows {
		return s.space(d.Dims)
	}
	most := slices.Clone(d.Dims)
	most[0] = math.MaxUint64 // H5S_UNLIMITED
	return s.open(s.H5Sclose, s.H5Screate_simple, uintptr(len(most)), uintptr(unsafe.Pointer(&d.Dims[0])), uintptr(unsafe.Pointer(&most[0])))
}

// Extend adds room for rows to a dataset that grows, and returns the place of the first.
func (f *File) Extend(path string, rows uint64) (at uint64, err error) {
	err = f.library.in(func(s *session) {
		d, shape := s.dataset(f.id, path)
		if s.err != nil {
			return
		}
		at = shape.Dims[0]
		shape.Dims[0] += rows
		s.do(s.H5Dset_extent, uintptr(d), uintptr(unsafe.Pointer(&shape.Dims[0])))
	})
	return at, err
}

// space returns a dataspace.
func (s *session) space(dims []uint64) id {
	const scalar = 0
	if len(dims) == 0 {
		return s.open(s.H5Sclose, s.H5Screate, scalar)
	}
	return s.open(s.H5Sclose, s.H5Screate_simple, uintptr(len(dims)), uintptr(unsafe.Pointer(&dims[0])), 0)
}

// Rows are those of a dataset from the first on.
type Rows struct{ First, Count uint64 }

// Rows are read and written as values that are laid out like Go's. Of a file that ranks have opened together, all transfer
// rows of a dataset at the same time, some of them perhaps none.

// Read reads rows of a dataset into memory.
func (f *File) Read(path string, of *loop.Layout, rows Rows, memory []byte) error {
	return f.transfer(path, of, rows, memory, func(t *transfer) {
		if !t.converts {
			t.call(t.H5Dread, t.here, memory)
			return
		}
		values := make([]byte, t.room())
		t.call(t.H5Dread, t.there, values)
		t.convert(t.there, t.here, values)
		copy(memory, values[:len(memory)])
	})
}

// Write writes rows of a dataset from memory.
func (f *File) Write(path string, of *loop.Layout, rows Rows, memory []byte) error {
	return f.transfer(path, of, rows, memory, func(t *transfer) {
		if !t.converts {
			t.call(t.H5Dwrite, t.here, memory)
			return
		}
		values := make([]byte, t.room())
		copy(values, memory)
		t.convert(t.here, t.there, values)
		t.call(t.H5Dwrite, t.there, values)
	})
}

// transfer is one of rows.
type transfer struct {
	*session
	file        *File
	dataset     id
	values      int
	here, there id // types in memory and in the file
	converts    bool
	from, to    id // dataspaces of memory and of the dataset, with the rows selected
}

// transfer calls do with a transfer of rows. Where ranks transfer together, values have to be converted before, since the
// library does not compress them otherwise.
func (f *File) transfer(path string, of *loop.Layout, rows Rows, memory []byte, do func(*transfer)) error {
	return f.library.in(func(s *session) {
		d, shape := s.dataset(f.id, path)
		count := slices.Clone(shape.Dims)
		if len(count) > 0 {
			if count[0] = rows.Count; rows.First+rows.Count > shape.Dims[0] {
				s.fail(fmt.Errorf("rows %d to %d are not within %s", rows.First, rows.First+rows.Count, shape))
			}
		}
		values := (Shape{Dims: count}).Size()
		if needed := values * uint64(of.Size); needed != uint64(len(memory)) {
			s.fail(fmt.Errorf("%d rows of %s have %d bytes, of %s in memory, not %d", rows.Count, shape, needed, Describe(of), len(memory)))
		}
		if s.err != nil || values == 0 && !f.shared {
			return
		}
		t := &transfer{session: s, file: f, dataset: d, values: int(values), here: s.typeOf(of), there: s.open(s.H5Tclose, s.H5Dget_type, uintptr(d))}
		t.converts = s.number(s.H5Tequal, uintptr(t.here), uintptr(t.there)) == 0 && f.shared
		t.from = s.space(count)
		if t.to = s.selected(shape.Dims, rows, t.from); s.err == nil {
			do(t)
		}
	})
}

// room returns the bytes of the values in the larger of the types.
func (t *transfer) room() int {
	return t.values * max(t.number(t.H5Tget_size, uintptr(t.here)), t.number(t.H5Tget_size, uintptr(t.there)))
}

// convert converts values in place.
func (t *transfer) convert(from, to id, values []byte) {
	if t.values > 0 {
		background := make([]byte, len(values))
		t.do(t.H5Tconvert, uintptr(from), uintptr(to), uintptr(t.values), uintptr(unsafe.Pointer(&values[0])), uintptr(unsafe.Pointer(&background[0])), everything)
	}
}

// call reads or writes values of a type.
func (t *transfer) call(f native.Function, of id, values []byte) {
	if len(values) == 0 {
		values = make([]byte, 1) // of which none is used
	}
	list := t.properties("DATASET_XFER")
	if t.file.shared {
		const collective = 1
		t.do(t.parallel.H5Pset_dxpl_mpio, uintptr(list), collective)
	}
	t.do(f, uintptr(t.dataset), uintptr(of), uintptr(t.from), uintptr(t.to), uintptr(list), uintptr(unsafe.Pointer(&values[0])))
}

// selected returns the dataspace of a dataset in which the rows are selected. Of no rows, here gets an empty selection, too.
func (s *session) selected(dims []uint64, rows Rows, here id) id {
	space := s.space(dims)
	switch {
	case len(dims) == 0:
	case (Shape{Dims: dims}).Size() == 0 || rows.Count == 0:
		s.do(s.H5Sselect_none, uintptr(here))
		s.do(s.H5Sselect_none, uintptr(space))
	default:
		const set = 0
		first, count := make([]uint64, len(dims)), slices.Clone(dims)
		first[0], count[0] = rows.First, rows.Count
		s.do(s.H5Sselect_hyperslab, uintptr(space), set, uintptr(unsafe.Pointer(&first[0])), 0, uintptr(unsafe.Pointer(&count[0])), 0)
	}
	return space
}
