package mesh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// piece is a part of a file that one task reads: some lines of a text, or as many records of a binary file.
type piece struct {
	start, end int // offsets
	first, n   int // the number of its first node or element, and how many
}

// cut moves past n lines of a text file, or records of each bytes of a binary one, and returns them in pieces. They
// hold the things called what, of which the first one has the number first.
func (g *gmshReader) cut(n, first, each int, what string) []piece {
	var pieces []piece
	for done := 0; done < n && g.err == nil; done += g.options.pieceLength {
		p := piece{start: g.pos, first: first + done, n: min(n-done, g.options.pieceLength)}
		if g.binary {
			g.take(p.n*each, what)
		} else {
			g.passLines(p.n, done, n, what)
		}
		p.end = g.pos
		pieces = append(pieces, p)
	}
	return pieces
}

// passLines moves past lines lines, after done of total.
func (f *fileReader) passLines(lines, done, total int, what string) {
	for i := range lines {
		if f.pos == len(f.data) || f.data[f.pos] == '$' {
			f.fail(f.pos, "expected %d %s, found %s after %d", total, what, f.lineAt(f.pos), done+i)
			return
		}
		if end := bytes.IndexByte(f.data[f.pos:], '\n'); end >= 0 {
			f.pos += end + 1
		} else {
			f.pos = len(f.data)
		}
	}
}

// rest moves to the next line of a text, past one that has been read to its end.
func (f *fileReader) rest() {
	at := f.pos
	if line := bytes.TrimSpace(f.line()); len(line) > 0 {
		f.fail(at, "expected the end of the line, found %s", quote(line))
	}
}

// countLine reads a line that holds nothing but the number of things that follow, each of at least each bytes. In
// version 2.2 it is text in binary files, too.
func (f *fileReader) countLine(what string, each int) int {
	at := f.spaces()
	n, err := strconv.ParseInt(string(bytes.TrimSpace(f.line())), 10, 64)
	if f.err != nil {
		return 0
	}
	if err != nil || n < 0 || n > math.MaxInt32 || n > int64(len(f.data)-f.pos)/int64(each) {
		f.fail(at, "expected the number of %s, for which the rest of the file has room, found %s", what, f.lineAt(at))
		return 0
	}
	return int(n)
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

// reader returns a reader of a piece, whose integers have so many bytes in a binary file.
func (f *fileReader) reader(p piece, size int) lineReader {
	return lineReader{data: f.data, pos: p.start, ok: true, order: f.order, size: size}
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
