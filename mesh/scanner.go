package mesh

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
)

const (
	maxLine   = 64 << 10 // bytes; far more than any line needs, so that a binary file is not read into memory
	maxFields = 4        // that a line of the format has
)

// scanner splits a text into lines and lines into fields. It does not allocate per line, and
// exposes the words of the file only through fields, which stay valid until the next line.
type scanner struct {
	file   string
	in     *bufio.Reader
	line   int // the number of the current line, from 1
	fields [maxFields][]byte
	found  int   // how many fields the line has; may exceed maxFields
	err    error // the first error of lines
}

func newScanner(r io.Reader, file string) *scanner {
	return &scanner{file: file, in: bufio.NewReaderSize(r, maxLine)}
}

// next moves to the next line that is not blank. At the end of the text it returns io.EOF, and the
// current line is the one after the last.
func (s *scanner) next() error {
	for {
		line, err := s.in.ReadSlice('\n')
		s.line++
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(line) > 0:
			if s.split(line); s.found > 0 {
				return nil
			}
		case errors.Is(err, io.EOF):
			return io.EOF
		case errors.Is(err, bufio.ErrBufferFull):
			return s.errorf("expected a line of at most %d bytes, found a longer one", maxLine)
		default:
			return fmt.Errorf("mesh: %s:%d: %w", s.file, s.line, err)
		}
	}
}

// split finds the fields of a line. The end of a line, with or without carriage return, counts as space.
func (s *scanner) split(line []byte) {
	s.found = 0
	for k := 0; ; {
		for k < len(line) && isSpace(line[k]) {
			k++
		}
		if k == len(line) {
			return
		}
		start := k
		for k < len(line) && !isSpace(line[k]) {
			k++
		}
		if s.found < maxFields {
			s.fields[s.found] = line[start:k]
		}
		s.found++
	}
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f'
}

// coordinate returns field k of the line as a finite number.
func (s *scanner) coordinate(k int) (float64, error) {
	x, ok := parseFloat(s.fields[k])
	if !ok {
		return 0, s.errorf("expected a finite coordinate, found %s", quote(s.fields[k]))
	}
	return x, nil
}

// count returns field k of the line as a number of things called what.
func (s *scanner) count(k int, what string) (int, error) {
	n, ok := parseInt(s.fields[k])
	if !ok || n < 0 || n > math.MaxInt32 {
		return 0, s.errorf("expected a count of %s from 0 to %d, found %s", what, math.MaxInt32, quote(s.fields[k]))
	}
	return int(n), nil
}

// index returns field k of the line as the index of one of limit things, each called what.
func (s *scanner) index(k int, what string, limit int) (int32, error) {
	n, ok := parseInt(s.fields[k])
	if !ok || n < 0 || n >= int64(limit) {
		return 0, s.errorf("expected a %s index in [0,%d), found %s", what, limit, quote(s.fields[k]))
	}
	return int32(n), nil
}

func (s *scanner) errorf(format string, args ...any) error {
	return &FormatError{File: s.file, Line: s.line, Msg: fmt.Sprintf(format, args...)}
}

// quote quotes a field for an error message, shortening long ones.
func quote(field []byte) string {
	const most = 32
	if len(field) > most {
		return fmt.Sprintf("%q...", field[:most])
	}
	return fmt.Sprintf("%q", field)
}
