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
	"strings"

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

// window is some of the tuples of an array of a piece.
type window struct {
	before   int // tuples of the pieces before
	size, hi int // negative: those that the array has
	lo       int
}

// source is encoded data.
type source interface {
	slice(at, n int) ([]byte, error) // n bytes at a place, or as many of them as there are
	from(offset int) source
	most() int // a bound for the number of bytes
}

type rawBytes []byte

func (r rawBytes) slice(at, n int) ([]byte, error) { return r[min(at, len(r)):min(at+n, len(r))], nil }
func (r rawBytes) from(offset int) source          { return r[min(offset, len(r)):] }
func (r rawBytes) most() int                       { return len(r) }

// coded is text in base64: one or more codes, each of which may end with padding.
type coded []byte

func (c coded) from(offset int) source { return c[min(offset, len(c)):] }
func (c coded) most() int              { return len(c) / 4 * 3 }

func (c coded) slice(at, n int) ([]byte, error) {
	end := at + n
	out := make([]byte, 0, min(end, c.most())+3)
	for len(out) < end && len(c) >= 4 {
		code := c[:min((end-len(out)+2)/3, len(c)/4)*4]
		if p := bytes.IndexByte(code, '='); p >= 0 {
			code = code[:p/4*4+4]
		}
		m, err := base64.StdEncoding.Decode(out[len(out):cap(out)], code)
		if err != nil {
			return nil, errors.New("expected base64")
		}
		out, c = out[:len(out)+m], c[len(code):]
	}
	return rawBytes(out).slice(at, n)
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
		d.appended = rawBytes(data)
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

// array decodes the array of an element, with its tuples in a window. Of text, that is all of them.
func (d *decoder) array(n *node, w window) (Array, error) {
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
	if w == allTuples {
		if w.size, err = n.number("NumberOfTuples", -1); err != nil {
			return a, err
		}
		w.hi = w.size
	}
	if w.hi >= 0 {
		if w.hi > 0 && w.hi*a.Components/w.hi != a.Components {
			return a, errorAt(n.at, "array %q: too many values", a.Name)
		}
		w.lo, w.hi = w.lo*a.Components, w.hi*a.Components
	}
	if w.size >= 0 {
		w.size *= a.Components
	}
	switch format := n.get("format"); format {
	case "", "ascii":
		var read int
		a.Values, read = parseText(n.text, t)
		d.progress(1)
		if read < len(n.text) {
			return a, errorAt(n.textAt+read, "array %q: expected a value of type %s, found %.20q", a.Name, n.get("type"), firstWord(n.text[read:]))
		}
	case "binary":
		text := bytes.TrimSpace(n.text)
		if bytes.ContainsAny(text, " \t\r\n") {
			text = bytes.Join(bytes.Fields(text), nil)
		}
		a.Values, err = d.binary(coded(text), t, w)
	case "appended":
		offset, failed := n.number("offset", 0)
		switch {
		case failed != nil:
			return a, failed
		case d.appended == nil:
			return a, errorAt(n.at, "array %q: expected appended data, found none", a.Name)
		}
		a.Values, err = d.binary(d.appended.from(offset), t, w)
	default:
		return a, errorAt(n.at, "array %q: expected the format ascii, binary or appended, found %q", a.Name, format)
	}
	if err != nil {
		return a, errorAt(n.at, "array %q: %v", a.Name, err)
	}
	if _, found, _ := typeOf(a.Values); w.hi >= 0 && found != w.hi-w.lo {
		return a, errorAt(n.at, "array %q: expected %d values, found %d", a.Name, w.hi-w.lo, found)
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

// firstWord returns the start of a text up to the next space.
func firstWord(text []byte) []byte {
	if end := bytes.IndexFunc(text, func(r rune) bool { return r < 128 && isSpace(byte(r)) }); end >= 0 {
		return text[:end]
	}
	return text
}

// binary decodes a window of the values of an array from binary data.
func (d *decoder) binary(from source, t reflect.Type, w window) (any, error) {
	if from.most() == 0 && w.size <= 0 { // VTK writes nothing at all for no values
		return Make(t, 0), nil
	}
	read := d.plain
	if d.decompress != nil {
		read = d.compressed
	}
	var values any
	each := int(t.Size())
	err := read(from, func(size int) (at int, to []byte, err error) {
		n := size / each
		if size%each != 0 || w.size >= 0 && n != w.size || w.hi > n {
			return 0, nil, fmt.Errorf("expected %d values of %d bytes, found %d bytes", max(w.size, w.hi), each, size)
		}
		if w.hi < 0 {
			w.hi = n
		}
		values = Make(t, w.hi-w.lo)
		return w.lo * each, Bytes(values), nil
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

// take returns n bytes at a place.
func take(from source, at, n int) ([]byte, error) {
	data, err := from.slice(at, n)
	if err == nil && len(data) < n {
		err = errShort
	}
	return data, err
}

// numbers returns n numbers of a header, the first of which is number skip.
func (d *decoder) numbers(from source, skip, n int) ([]int, error) {
	if skip+n > from.most()/d.header {
		return nil, errShort
	}
	data, err := take(from, skip*d.header, n*d.header)
	if err != nil {
		return nil, err
	}
	out := make([]int, n)
	for i := range out {
		at := data[i*d.header:]
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

// cut returns where a window begins in so many bytes of data, and the memory for it.
type cut func(size int) (at int, to []byte, err error)

// plain decodes data that is not compressed: its size, and the bytes.
func (d *decoder) plain(from source, window cut) error {
	size, err := d.numbers(from, 0, 1)
	if err != nil {
		return err
	}
	if size[0] > from.most()-d.header {
		return errShort
	}
	at, to, err := window(size[0])
	if err != nil {
		return err
	}
	data, err := take(from, d.header+at, len(to))
	copy(to, data)
	d.progress(1)
	return err
}

// compressed decodes compressed blocks: their number, the size of each, that of the last one if it is smaller, the
// compressed sizes, and the blocks.
func (d *decoder) compressed(from source, window cut) error {
	head, err := d.numbers(from, 0, 3)
	if err != nil {
		return err
	}
	blocks, each, last := head[0], head[1], head[2]
	ends, err := d.ends(from, blocks, each, last)
	if err != nil {
		return err
	}
	data, err := take(from, 0, ends[blocks])
	if err != nil {
		return err
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
	at, to, err := window(int(total))
	if err != nil || len(to) == 0 {
		return err
	}
	first := at / each
	return parallel.Each((at+len(to)-1)/each+1-first, func(i int) error {
		b := first + i
		lo, hi := b*each-at, min((b+1)*each, int(total))-at
		var block []byte
		if lo >= 0 && hi <= len(to) {
			block = to[lo:hi]
		} else {
			block = make([]byte, hi-lo)
		}
		err := d.decompress(block, data[ends[b]:ends[b+1]])
		copy(to[max(lo, 0):], block[max(-lo, 0):]) // of the window, if that has a part of the block
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

// newDecoder returns a decoder of the arrays of a file.
func newDecoder(root *node) (*decoder, error) {
	if root.name != "VTKFile" {
		return nil, errorAt(root.at, "expected <VTKFile>, found <%.40s>", root.name)
	}
	d := &decoder{order: binary.LittleEndian, header: 4, progress: func(float64) {}}
	switch order := root.get("byte_order"); order {
	case "", "LittleEndian":
	case "BigEndian":
		d.order = binary.BigEndian
	default:
		return nil, errorAt(root.at, "expected the byte order LittleEndian or BigEndian, found %q", order)
	}
	switch header := root.get("header_type"); header {
	case "", "UInt32":
	case "UInt64":
		d.header = 8
	default:
		return nil, errorAt(root.at, "expected headers of type UInt32 or UInt64, found %q", header)
	}
	switch c := root.get("compressor"); c {
	case "":
	case "vtkZLibDataCompressor":
		d.decompress = inflate
	case "vtkLZ4DataCompressor":
		d.decompress = unLZ4
	default:
		return nil, errorAt(root.at, "data compressed by %s: save the file again with zlib or LZ4", strings.TrimPrefix(c, "vtk"))
	}
	if a := root.child("AppendedData"); a != nil {
		if err := d.append(a); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// limit sets the window to what the piece has of a range over all pieces.
func (w *window) limit(lo, hi int) {
	w.lo = min(max(lo-w.before, 0), w.size)
	w.hi = max(min(hi-w.before, w.size), w.lo)
}

// allTuples is the window of all tuples that an array has.
var allTuples = window{size: -1, hi: -1}
