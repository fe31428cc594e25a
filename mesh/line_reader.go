package mesh

import (
	"encoding/binary"
	"fmt"
	"math"
)

// piece is a part of a file that one task reads: some lines of a text, or as many records of a binary file.
type piece struct {
	start, end int // offsets
	first, n   int // the number of its first node or element, and how many
	bytes      int // of each in a binary file
}

// lineReader reads numbers from lines. ok becomes false at a word that is not a number, or at the end of a line. Of a binary
// file, it reads numbers that follow each other.
type lineReader struct {
	data []byte
	pos  int
	ok   bool

	order binary.ByteOrder // of a binary file; nil: a text
	size  int              // bytes of its integers: 4 or 8
}

// next returns the next bytes of a binary file.
func (r *lineReader) next(bytes int) []byte {
	r.pos += bytes
	return r.data[r.pos-bytes:]
}

// blanks skips the blanks between numbers of a line.
func (r *lineReader) blanks() {
	for r.pos < len(r.data) && (r.data[r.pos] == ' ' || r.data[r.pos] == '\t' || r.data[r.pos] == '\r') {
		r.pos++
	}
}

// integer reads an integer of at most 18 digits.
func (r *lineReader) integer() int64 {
	switch {
	case r.order == nil:
	case r.size == 4:
		return int64(int32(r.order.Uint32(r.next(4))))
	default:
		return int64(r.order.Uint64(r.next(8)))
	}
	r.blanks()
	start, negative := r.pos, r.pos < len(r.data) && r.data[r.pos] == '-'
	if negative {
		start++
	}
	var n int64
	at := start
	for at < len(r.data) && r.data[at]-'0' <= 9 {
		n = n*10 + int64(r.data[at]-'0')
		at++
	}
	r.pos = at
	if at == start || at-start > 18 || at < len(r.data) && !isSpace(r.data[at]) {
		r.ok = false
	}
	if negative {
		return -n
	}
	return n
}

// number reads a floating-point number; of a text a finite one.
func (r *lineReader) number() float64 {
	if r.order != nil {
		return math.Float64frombits(r.order.Uint64(r.next(8)))
	}
	r.blanks()
	start := r.pos
	for r.pos < len(r.data) && !isSpace(r.data[r.pos]) {
		r.pos++
	}
	x, ok := parseFloat(r.data[start:r.pos])
	r.ok = r.ok && ok && r.pos > start
	return x
}

// end moves to the next line, if no more is on this one.
func (r *lineReader) end() {
	if r.order != nil {
		return
	}
	r.blanks()
	switch {
	case r.pos == len(r.data):
	case r.data[r.pos] == '\n':
		r.pos++
	default:
		r.ok = false
	}
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f'
}

// quote quotes a field for an error message, shortening long ones.
func quote(field []byte) string {
	const most = 32
	if len(field) > most {
		return fmt.Sprintf("%q...", field[:most])
	}
	return fmt.Sprintf("%q", field)
}
