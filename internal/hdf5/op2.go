package hdf5

import (
	"math"
	"unsafe"

	"github.com/go-op2/op2/internal/loop"
)

// Table is a dataset as OP2 has it: rows of values, with attributes that say what they are.
type Table struct {
	Dataset
	Size int64 // the attribute "size": of the set that a map leads from, of a dat's element in bytes; negative: none
	Dim  int   // the attribute "dim": values in a row; 0: neither this one nor "type"
}

// SetTable returns how a set is stored: as its number of elements.
func SetTable(name string, size int64) Table {
	return Table{Dataset: Dataset{Path: name, Of: Numbers(integer(size)), Dims: []uint64{1}}, Size: -1}
}

// MapTable returns how a map is stored, from so many elements to a set of targets.
func MapTable(name string, size int64, arity int, targets int64) Table {
	return Table{Dataset{Path: name, Of: Numbers(integer(targets)), Dims: []uint64{uint64(size), uint64(arity)}}, size, arity}
}

// DatTable returns how a dat is stored, with dim values for each of so many elements.
func DatTable(name string, of *loop.Layout, size int64, dim int) Table {
	return Table{Dataset{Path: name, Of: of, Dims: []uint64{uint64(size), uint64(dim)}}, int64(dim * of.Size), dim}
}

// ConstTable returns how a const or a global is stored.
func ConstTable(name string, of *loop.Layout, dim int) Table {
	return Table{Dataset{Path: name, Of: of, Dims: []uint64{uint64(dim)}}, -1, dim}
}

// integer returns the smaller type of integers that has a number.
func integer(n int64) loop.Scalar {
	if n > math.MaxInt32 {
		return loop.Int64
	}
	return loop.Int32
}

// Numbers returns the layout of numbers.
func Numbers(s loop.Scalar) *loop.Layout {
	return &loop.Layout{Name: s.String(), Size: s.Size(), Align: s.Size(), Scalar: s}
}

// typeTexts are OP2's names of types, and for other numbers those of C.
var typeTexts = map[loop.Scalar]string{
	loop.Float64: "double", loop.Float32: "float", loop.Int32: "int", loop.Int64: "long",
	loop.Int16: "short", loop.Int8: "signed char", loop.Uint64: "unsigned long", loop.Uint32: "unsigned int", loop.Uint16: "unsigned short",
	loop.Uint8: "unsigned char",
}

// CreateTable creates the dataset of a table and its attributes.
func (f *File) CreateTable(t Table) error {
	if err := f.Create(t.Dataset); err != nil || t.Dim == 0 {
		return err
	}
	if t.Size >= 0 {
		if err := f.SetInteger(t.Path, "size", t.Size); err != nil {
			return err
		}
	}
	if err := f.SetInteger(t.Path, "dim", int64(t.Dim)); err != nil {
		return err
	}
	text, known := typeTexts[t.Of.Scalar]
	if !known {
		text = Describe(t.Of)
	}
	return f.SetText(t.Path, "type", text)
}

// SetInteger gives an attribute that is one integer, of 32 bits where that is enough.
func (f *File) SetInteger(path, name string, n int64) error {
	of := Numbers(integer(n)) // of which the first bytes of n are the value
	return f.SetAttribute(path, name, of, []uint64{1}, unsafe.Slice((*byte)(unsafe.Pointer(&n)), of.Size))
}
