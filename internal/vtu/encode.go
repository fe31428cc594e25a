package vtu

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/go-op2/op2/internal/parallel"
)

// Format says how arrays are stored.
type Format struct {
	Text       bool // as text; otherwise as appended raw data
	Compressed bool // by zlib; text is not
}

// Encoded is an array in the form that a file holds. Several files of one format can hold the same one.
type Encoded struct {
	name       string // as it stands in the file
	attributes string // of its element
	components int
	tuples     int
	data       []byte // the text, or what is appended
	err        error  // why there is none
}

// Encode returns an array in a format. [Format.Write] returns an error if its values have no type of [Scalar], or are not
// a number of whole tuples.
func (f Format) Encode(a Array) *Encoded {
	t, n, err := typeOf(a.Values)
	if err != nil {
		return &Encoded{err: fmt.Errorf("array %s: %w", a.Name, err)}
	}
	components := max(a.Components, 1)
	if n%components != 0 {
		return &Encoded{err: fmt.Errorf("array %s: %d values are not %d for each tuple", a.Name, n, components)}
	}
	name := escape(a.Name)
	var attributes strings.Builder
	fmt.Fprintf(&attributes, `type="%s" Name="%s"`, nameOf(t), name)
	if components > 1 {
		fmt.Fprintf(&attributes, ` NumberOfComponents="%d"`, components)
	}
	for i, name := range a.Names {
		fmt.Fprintf(&attributes, ` ComponentName%d="%s"`, i, escape(name))
	}
	e := &Encoded{name: name, attributes: attributes.String(), components: components, tuples: n / components}
	switch {
	case f.Text:
		e.data = appendText(nil, a.Values)
	case f.Compressed:
		// More work does next to nothing for the digits of floating-point numbers, and finds the patterns of meshes in their
		// indices.
		level := 4
		if t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32 {
			level = 1
		}
		e.data, e.err = compress(Bytes(a.Values), level)
	default:
		values := Bytes(a.Values)
		e.data = append(binary.NativeEndian.AppendUint64(make([]byte, 0, 8+len(values)), uint64(len(values))), values...)
	}
	return e
}

// blockSize is how many bytes are compressed at once: a multiple of the size of every type of values, and large
// enough that starting over in each block loses little.
const blockSize = 1 << 17

// compress returns data as blocks compressed by zlib, at a level from 1, fast, to 9, small, after a header: the number of blocks, the size of one, that of the last
// one if it is smaller, and the compressed sizes.
func compress(data []byte, level int) ([]byte, error) {
	blocks := make([][]byte, (len(data)+blockSize-1)/blockSize)
	var writers sync.Pool
	err := parallel.Each(len(blocks), func(b int) (err error) {
		z, ok := writers.Get().(*zlib.Writer)
		if !ok {
			if z, err = zlib.NewWriterLevel(io.Discard, level); err != nil {
				return err
			}
		}
		defer writers.Put(z)
		var out bytes.Buffer
		z.Reset(&out)
		_, err = z.Write(data[b*blockSize : min((b+1)*blockSize, len(data))])
		err = cmp.Or(err, z.Close())
		blocks[b] = out.Bytes()
		return err
	})
	if err != nil {
		return nil, err
	}
	size := 0
	for _, b := range blocks {
		size += 8 + len(b)
	}
	out := make([]byte, 0, 24+size)
	for _, v := range [...]int{len(blocks), blockSize, len(data) % blockSize} {
		out = binary.NativeEndian.AppendUint64(out, uint64(v))
	}
	for _, b := range blocks {
		out = binary.NativeEndian.AppendUint64(out, uint64(len(b)))
	}
	for _, b := range blocks {
		out = append(out, b...)
	}
	return out, nil
}
