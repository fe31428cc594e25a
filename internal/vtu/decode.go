package vtu

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/go-op2/op2/internal/parallel"
)

// decoder decodes the arrays of one file.
type decoder struct {
	order      binary.ByteOrder
	header     int                          // bytes of a number in a header
	decompress func(to, block []byte) error // nil: data is not compressed

	progress func(share float64) // called with the share of an array that was decoded

	appended   source // the data that offsets refer to
	appendedAt int
}

// source is encoded data. It returns its first n bytes, or as many as there are.
type source interface {
	first(n int) ([]byte, error)
	from(offset int) source
	most() int // a bound for the number of bytes
}

type raw []byte

func (r raw) first(n int) ([]byte, error) { return r[:min(n, len(r))], nil }
func (r raw) from(offset int) source      { return r[min(offset, len(r)):] }
func (r raw) most() int                   { return len(r) }

// coded is text in base64: one or more codes, each of which may end with padding.
type coded []byte

func (c coded) from(offset int) source { return c[min(offset, len(c)):] }
func (c coded) most() int              { return len(c) / 4 * 3 }

func (c coded) first(n int) ([]byte, error) {
	out := make([]byte, 0, min(n, c.most())+3)
	for len(out) < n && len(c) >= 4 {
		code := c[:min((n-len(out)+2)/3, len(c)/4)*4]
		if p := bytes.IndexByte(code, '='); p >= 0 {
			code = code[:p/4*4+4]
		}
		m, err := base64.StdEncoding.Decode(out[len(out):cap(out)], code)
		if err != nil {
			return nil, errors.New("expected base64")
		}
		out, c = out[:len(out)+m], c[len(code):]
	}
	return out[:min(n, len(out))], nil
}

// append makes the appended data known.
func (d *decoder) append(n *node) error {
	start := bytes.IndexByte(n.text, '_')
	if start < 0 || len(bytes.TrimSpace(n.text[:start])) > 0 {
		return errorAt(n.at, "AppendedData: expected data after _")
	}
	data := n.text[start+1:]
	d.appendedAt = n.textAt + start + 1
	switch encoding := n.get("encoding"); encoding {
	case "raw":
		d.appended = raw(data)
	case "", "base64":
		if end := bytes.IndexByte(data, '<'); end >= 0 {
			data = data[:end]
		}
		d.appended = coded(bytes.TrimSpace(data))
	default:
		return errorAt(n.at, "AppendedData: expected the encoding raw or base64, found %q", encoding)
	}
	return nil
}

// array decodes the array of an element, with so many tuples; -1: as many as it has.
func (d *decoder) array(n *node, tuples int) (Array, error) {
	a, t, err := typed(n)
	if err != nil {
		return a, err
	}
	for i := range min(a.Components, len(n.attributes)) {
		if name := n.get(fmt.Sprintf("ComponentName%d", i)); name != "" {
			a.Names = append(slices.Grow(a.Names, i), make([]string, i-len(a.Names))...)
			a.Names = append(a.Names, name)
		}
	}
	if tuples < 0 {
		if tuples, err = n.number("NumberOfTuples", -1); err != nil {
			return a, err
		}
	}
	want := -1
	if tuples >= 0 {
		if want = tuples * a.Components; tuples > 0 && want/tuples != a.Components {
			return a, errorAt(n.at, "array %q: too many values", a.Name)
		}
	}
	var found int
	switch format := n.get("format"); format {
	case "", "ascii":
		var read int
		a.Values, read = parseText(n.text, t)
		d.progress(1)
		if read < len(n.text) {
			return a, errorAt(n.textAt+read, "array %q: expected a value of type %s, found %.20q", a.Name, n.get("type"), word(n.text[read:]))
		}
	case "binary":
		text := bytes.TrimSpace(n.text)
		if bytes.ContainsAny(text, " \t\r\n") {
			text = bytes.Join(bytes.Fields(text), nil)
		}
		a.Values, err = d.binary(coded(text), t, want)
	case "appended":
		offset, failed := n.number("offset", 0)
		switch {
		case failed != nil:
			return a, failed
		case d.appended == nil:
			return a, errorAt(n.at, "array %q: expected appended data, found none", a.Name)
		}
		a.Values, err = d.binary(d.appended.from(offset), t, want)
	default:
		return a, errorAt(n.at, "array %q: expected the format ascii, binary or appended, found %q", a.Name, format)
	}
	if err != nil {
		return a, errorAt(n.at, "array %q: %v", a.Name, err)
	}
	if _, found, _ = typeOf(a.Values); want >= 0 && found != want {
		return a, errorAt(n.at, "array %q: expected %d values, found %d", a.Name, want, found)
	}
	return a, nil
}

// mostExpanded is how many times as long as compressed data may be what it stands for.
const mostExpanded = 1100

// mostComponents bounds the components of an array, so that sizes of tuples do not overflow.
const mostComponents = 1 << 20

// typed returns the array of an element without its values, and their type.
func typed(n *node) (a Array, t reflect.Type, err error) {
	a.Name = n.get("Name")
	if t = types[n.get("type")]; t == nil {
		return a, nil, errorAt(n.at, "array %q: %q is no type of values", a.Name, n.get("type"))
	}
	components, err := n.number("NumberOfComponents", 1)
	if err == nil && components > mostComponents {
		err = errorAt(n.at, "array %q: %d components, at most %d are possible", a.Name, components, mostComponents)
	}
	a.Components = max(components, 1)
	return a, t, err
}

// word returns the start of a text up to the next space.
func word(text []byte) []byte {
	if end := bytes.IndexFunc(text, func(r rune) bool { return r < 128 && isSpace(byte(r)) }); end >= 0 {
		return text[:end]
	}
	return text
}

// binary decodes the values of an array from binary data: want of them, or any number if want is
// -1.
func (d *decoder) binary(from source, t reflect.Type, want int) (any, error) {
	if from.most() == 0 && want <= 0 { // VTK writes nothing at all for no values
		return Make(t, 0), nil
	}
	read := d.plain
	if d.decompress != nil {
		read = d.compressed
	}
	var values any
	each := int(t.Size())
	err := read(from, func(size int) ([]byte, error) {
		if size%each != 0 || want >= 0 && size/each != want {
			return nil, fmt.Errorf("expected %d values of %d bytes, found %d bytes", want, each, size)
		}
		values = Make(t, size/each)
		return Bytes(values), nil
	})
	if err != nil {
		return nil, err
	}
	if d.order.Uint16([]byte{0, 1}) != binary.NativeEndian.Uint16([]byte{0, 1}) {
		swapBytes(Bytes(values), each)
	}
	return values, nil
}

// swapBytes reverses the bytes of each value.
func swapBytes(data []byte, size int) {
	for size > 1 && len(data) > 0 {
		slices.Reverse(data[:size])
		data = data[size:]
	}
}

var errShort = errors.New("the data ends too early")

// numbers returns n numbers of a header, the first of which is number skip.
func (d *decoder) numbers(from source, skip, n int) ([]int, error) {
	if skip+n > from.most()/d.header {
		return nil, errShort
	}
	data, err := from.first((skip + n) * d.header)
	if err != nil {
		return nil, err
	}
	if len(data) < (skip+n)*d.header {
		return nil, errShort
	}
	out := make([]int, n)
	for i := range out {
		at := data[(skip+i)*d.header:]
		var v uint64
		if d.header == 4 {
			v = uint64(d.order.Uint32(at))
		} else {
			v = d.order.Uint64(at)
		}
		if v > min(1<<48, math.MaxInt) {
			return nil, fmt.Errorf("%d is no size", v)
		}
		out[i] = int(v)
	}
	return out, nil
}

// plain decodes data that is not compressed: its size, and the bytes, for which room is asked.
func (d *decoder) plain(from source, room func(size int) ([]byte, error)) error {
	size, err := d.numbers(from, 0, 1)
	if err != nil {
		return err
	}
	if size[0] > from.most() {
		return errShort
	}
	data, err := from.first(d.header + size[0])
	if err != nil {
		return err
	}
	if len(data) < d.header+size[0] {
		return errShort
	}
	to, err := room(size[0])
	copy(to, data[d.header:])
	d.progress(1)
	return err
}

// compressed decodes compressed blocks: their number, the size of each, that of the last one if it is smaller, the
// compressed sizes, and the blocks.
func (d *decoder) compressed(from source, room func(size int) ([]byte, error)) error {
	head, err := d.numbers(from, 0, 3)
	if err != nil {
		return err
	}
	blocks, each, last := head[0], head[1], head[2]
	ends, err := d.ends(from, blocks, each, last)
	if err != nil {
		return err
	}
	end := ends[blocks]
	data, err := from.first(end)
	if err != nil {
		return err
	}
	if len(data) < end {
		return errShort
	}
	// No method compresses data to a thousandth: a larger size is wrong, and must not be allocated.
	most := min(mostExpanded*int64(len(data)), math.MaxInt)
	total := int64(0)
	if blocks > 0 && int64(blocks-1) <= most/int64(each) {
		if total = int64(blocks) * int64(each); last > 0 {
			total -= int64(each - last)
		}
	}
	if blocks > 0 && (total == 0 || total > most) {
		return fmt.Errorf("%d blocks of %d bytes in %d compressed ones are impossible", blocks, each, len(data))
	}
	to, err := room(int(total))
	if err != nil {
		return err
	}
	return parallel.Each(blocks, func(b int) error {
		err := d.decompress(to[b*each:min((b+1)*each, len(to))], data[ends[b]:ends[b+1]])
		d.progress(1 / float64(blocks))
		return err
	})
}

// ends returns where compressed blocks end, given their number, the size of each, and that of the last one; the first one
// starts at ends[0].
func (d *decoder) ends(from source, blocks, each, last int) (ends []int, err error) {
	if blocks > from.most() || blocks > 0 && (each == 0 || last > each) {
		return nil, errors.New("expected the sizes of blocks")
	}
	sizes, err := d.numbers(from, 3, blocks)
	if err != nil {
		return nil, err
	}
	ends = make([]int, blocks+1)
	ends[0] = (3 + blocks) * d.header
	for b, size := range sizes {
		if ends[b+1] = ends[b] + size; size > from.most() || ends[b+1] > from.most() {
			return nil, errShort
		}
	}
	return ends, nil
}

// inflate decompresses a block of zlib.
func inflate(to, block []byte) error {
	z, err := zlib.NewReader(bytes.NewReader(block))
	if err != nil {
		return fmt.Errorf("a block is not compressed by zlib: %w", err)
	}
	if _, err := io.ReadFull(z, to); err != nil {
		return fmt.Errorf("a compressed block: %w", err)
	}
	if n, _ := z.Read(make([]byte, 1)); n > 0 {
		return errors.New("a compressed block is longer than it says")
	}
	return nil
}
