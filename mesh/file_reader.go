package mesh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// fileReader is a file in Gmsh's format and the place that has been read up to. Its methods read the values of either a
// text or a binary file. The first failure stays in err; after it they return zeros.
type fileReader struct {
	name   string
	data   []byte
	pos    int
	last   int // offset of the value that was read last
	binary bool
	order  binary.ByteOrder // of a binary file
	err    error
}

// fail keeps the first error, at an offset.
func (f *fileReader) fail(at int, format string, args ...any) {
	if f.err == nil {
		f.err = f.errorAt(at, format, args...)
	}
}

// errorAt returns an error that names the line of an offset, or the offset itself in a binary file.
func (f *fileReader) errorAt(at int, format string, args ...any) error {
	e := &FormatError{File: f.name, Msg: fmt.Sprintf(format, args...)}
	if f.binary {
		e.Offset = int64(at)
	} else {
		e.Line = 1 + bytes.Count(f.data[:at], []byte("\n"))
	}
	return e
}

// lineAt returns the quoted line that begins at an offset.
func (f *fileReader) lineAt(at int) string {
	line, _, _ := bytes.Cut(f.data[at:], []byte("\n"))
	if len(line) == 0 && at == len(f.data) {
		return "the end of the file"
	}
	return quote(bytes.TrimRight(line, "\r "))
}

// spaces skips spaces and ends of lines, and returns the offset of the next word.
func (f *fileReader) spaces() int {
	for f.pos < len(f.data) && isSpace(f.data[f.pos]) {
		f.pos++
	}
	return f.pos
}

// line returns the rest of the line, and moves to the next one.
func (f *fileReader) line() []byte {
	line, _, found := bytes.Cut(f.data[f.pos:], []byte("\n"))
	f.pos += len(line)
	if found {
		f.pos++
	}
	return line
}

// section moves into the next section and returns its name; "" at the end of the file.
func (f *fileReader) section() string {
	at := f.spaces()
	if f.err != nil || at == len(f.data) {
		return ""
	}
	line := bytes.TrimSpace(f.line())
	if len(line) < 2 || line[0] != '$' || bytes.HasPrefix(line, []byte("$End")) {
		f.fail(at, "expected the beginning of a section, such as $Nodes, found %s", f.lineAt(at))
		return ""
	}
	return string(line[1:])
}

// end moves out of a section that has been read.
func (f *fileReader) end(name string) {
	if f.err != nil {
		return
	}
	at := f.spaces()
	if want := "$End" + name; string(bytes.TrimSpace(f.line())) != want {
		f.fail(at, "expected %s, found %s", want, f.lineAt(at))
	}
}

// skip moves out of a section that is not read.
func (f *fileReader) skip(name string) {
	end := "$End" + name
	i := bytes.Index(f.data[f.pos:], []byte("\n"+end))
	if bytes.HasPrefix(f.data[f.pos:], []byte(end)) {
		i = 0
	}
	if i < 0 {
		f.fail(len(f.data), "expected %s, found the end of the file", end)
		return
	}
	f.pos += i
	f.spaces()
	f.line()
}

// take returns the next bytes of a binary file.
func (f *fileReader) take(n int, what string) []byte {
	if f.err == nil && n > len(f.data)-f.pos {
		f.fail(len(f.data), "expected %s, found the end of the file", what)
	}
	if f.err != nil {
		return nil
	}
	f.last = f.pos
	f.pos += n
	return f.data[f.last:f.pos]
}

// value reads a value, of so many bytes in a binary file.
func (f *fileReader) value(what string, size int, read func(r *lineReader)) {
	at := f.pos
	switch {
	case f.binary && f.take(size, what) == nil, f.err != nil:
		return
	case !f.binary:
		at = f.spaces()
		f.last = at
	}
	r := f.reader(piece{start: at}, size)
	read(&r)
	if f.pos = r.pos; !r.ok {
		f.fail(f.last, "expected %s, found %s", what, f.wordAt(f.last))
	}
}

// integer reads an integer of 32 bits.
func (f *fileReader) integer(what string) int32 {
	var n int64
	f.value(what, 4, func(r *lineReader) {
		n = r.integer()
		r.ok = r.ok && n == int64(int32(n))
	})
	if f.err != nil {
		return 0
	}
	return int32(n)
}

// size reads how many things follow. If each is not 0, it is the least number of bytes that each of them takes: a
// number that the rest of the file has no room for is an error, so that it costs no memory.
func (f *fileReader) size(what string, each int) int {
	var n int64
	f.value("the number of "+what, 8, func(r *lineReader) { n = r.integer() })
	if f.err == nil && (n < 0 || each > 0 && n > int64(len(f.data)-f.pos)/int64(each)) {
		f.fail(f.last, "expected the number of %s, for which the rest of the file has room, found %d", what, n)
	}
	if f.err != nil {
		return 0
	}
	return int(n)
}

// number reads a floating-point number.
func (f *fileReader) number(what string) (x float64) {
	f.value(what, 8, func(r *lineReader) { x = r.number() })
	return x
}

// wordAt returns the quoted word that begins at an offset.
func (f *fileReader) wordAt(at int) string {
	if at == len(f.data) {
		return "the end of the file"
	}
	word, _, _ := bytes.Cut(f.data[at:], []byte("\n"))
	return quote(bytes.Fields(word)[0])
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

// reader returns a reader of a piece, whose integers have so many bytes in a binary file.
func (f *fileReader) reader(p piece, size int) lineReader {
	return lineReader{data: f.data, pos: p.start, ok: true, order: f.order, size: size}
}
