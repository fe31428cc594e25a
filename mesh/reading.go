package mesh

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
)

// ReadOption is an option of [ReadGmsh], [ReadVTU] and [ReadFile].
type ReadOption func(*reading)

// WithProgress calls f with the part that is done, from 0 to 1, while a file is read: never less than before, and from
// one goroutine at a time.
func WithProgress(f func(done float64)) ReadOption {
	return func(r *reading) { r.report = f }
}

// reading holds the options of reading a file, and how much of it is done.
type reading struct {
	report      func(float64) // nil: none
	pieceLength int           // the most nodes or elements that one task reads

	mu    sync.Mutex
	done  float64
	share float64 // of the file that was parsed
}

// readShare is the part of the time that reading the bytes of a file takes; the rest is for interpreting
// them.
const readShare = 0.25

func readOptions(options []ReadOption) *reading {
	r := &reading{pieceLength: 1 << 14}
	for _, o := range options {
		if o != nil {
			o(r)
		}
	}
	return r
}

// progress reports the part that is done.
func (r *reading) progress(done float64) {
	if r.report != nil && done > r.done {
		r.done = done
		r.report(done)
	}
}

// parsed adds to the share of the file that was parsed. It may be called from several goroutines.
func (r *reading) parsed(share float64) {
	if r.report == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.share = min(r.share+share, 1)
	r.progress(readShare + (1-readShare)*r.share)
}

// readAll reads r to its end, and returns its bytes and its name.
func (o *reading) readAll(r io.Reader) (data []byte, name string, err error) {
	name = nameOf(r)
	var size int64
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
	}
	var b bytes.Buffer
	b.Grow(int(min(size, math.MaxInt32)) + bytes.MinRead)
	for {
		n, err := io.CopyN(&b, r, 4<<20)
		if size > 0 {
			o.progress(readShare * min(float64(b.Len())/float64(size), 1))
		}
		if err == io.EOF || err == nil && n == 0 {
			return b.Bytes(), name, nil
		}
		if err != nil {
			return nil, "", fmt.Errorf("mesh: %s: %w", name, err)
		}
	}
}

// nameOf returns the name of the file that r reads, for errors.
func nameOf(r io.Reader) string {
	if named, ok := r.(interface{ Name() string }); ok {
		return named.Name()
	}
	return "input"
}

// FormatError reports where a mesh file violates its format.
type FormatError struct {
	File   string // the name of the file, or "input" where it has none
	Line   int    // the line, counted from 1; 0 in a binary file
	Offset int64  // the byte, counted from 0, in a binary file
	Msg    string // what was expected and what was found
}

// Error returns "mesh: FILE:LINE: expected this, found that", or, in a binary file,
// "mesh: FILE: byte OFFSET: expected this, found that".
func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("mesh: %s: byte %d: %s", e.File, e.Offset, e.Msg)
	}
	return fmt.Sprintf("mesh: %s:%d: %s", e.File, e.Line, e.Msg)
}
