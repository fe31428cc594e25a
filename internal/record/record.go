// Package record stores on disk the mesh that a program declared and the loops it ran, for tools
// that inspect another program's loops: a file per runtime, in a folder. It is written while the
// program runs, and is readable even if the program did not finish.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/plan"
)

// Variable is the environment variable that names the folder.
const Variable = "OP2_RECORD"

// suffix is the ending of the files.
const suffix = ".op2record"

// format is the first value of a record; it must change with the types below.
const format = "op2 record 5"

// Mesh holds what was declared before the first loop.
type Mesh struct {
	Sets   []Set
	Maps   []Map
	Points []Points
}

// Set is a set of a mesh.
type Set struct {
	Name string
	Size int
}

// Map is a map of a mesh; sets are given by index.
type Map struct {
	Name     string
	From, To int
	Arity    int
	Values   []int32 // [From][Arity]
}

// Points holds the values of a float dat that may be coordinates: they are finite, as JSON needs.
type Points struct {
	Name   string
	Set    int
	Dim    int // 2 or 3
	Values []float64
}

// Loop is a loop when it was first prepared.
type Loop struct {
	Hash    loop.Hash // what it means
	Kernel  string
	Over    string     // set or subset, as in messages
	Set     string     // the set of the elements
	Subset  []int32    // the elements, of a loop over a subset
	Plan    plan.Input // with everything reached through maps staged; BlockSize is 0 if the backend made no plan
	Bytes   []int      // by Plan.Data: size of an element's values
	Args    []Arg      // dats and mats, which ranks exchange values for
	Reduces bool       // whether it changes globals
}

// Arg is a dat or a mat as an argument of a loop.
type Arg struct {
	Dat    int    // its number in this record, from 0; halo.NoDat for a mat
	Set    string // of the dat
	Bytes  int    // size of an element's values
	Access loop.Access
	Mapped bool // reached through a map
}

// Runtime is the record of one runtime.
type Runtime struct {
	Mesh   Mesh
	Loops  []Loop
	Chains []Chain
}

// item is a value of the stream.
type item struct {
	Mesh  *Mesh
	Loop  *Loop
	Chain *Chain
}

// Elements returns the number of elements of all sets.
func (m *Mesh) Elements() (n int) {
	for _, s := range m.Sets {
		n += s.Size
	}
	return n
}

// Writer writes a record.
type Writer struct {
	file    *os.File
	encoder *json.Encoder
}

// Create starts a record in a new file of a folder, which it creates if necessary.
func Create(dir string, m *Mesh) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, "*"+suffix)
	if err != nil {
		return nil, err
	}
	w := &Writer{f, json.NewEncoder(f)}
	if err := errors.Join(w.encoder.Encode(format), w.encoder.Encode(item{Mesh: m})); err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// Add adds a loop.
func (w *Writer) Add(l *Loop) error { return w.encoder.Encode(item{Loop: l}) }

// AddChain adds loops of a chain.
func (w *Writer) AddChain(c *Chain) error { return w.encoder.Encode(item{Chain: c}) }

// Close ends the record.
func (w *Writer) Close() error { return w.file.Close() }

// Read reads the records in a folder, in no particular order.
func Read(dir string) ([]*Runtime, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil {
		return nil, err
	}
	var all []*Runtime
	for _, path := range paths {
		r, err := readFile(path)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// readFile reads one record. If it ends in the middle of a loop, the loops before are returned.
func readFile(path string) (*Runtime, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	var is string
	if err := d.Decode(&is); err != nil || is != format {
		return nil, fmt.Errorf("%s is no record of this version of op2", path)
	}
	r := &Runtime{}
	for {
		var next item
		switch err := d.Decode(&next); {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return r, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		case next.Mesh != nil:
			r.Mesh = *next.Mesh
		case next.Loop != nil:
			r.Loops = append(r.Loops, *next.Loop)
		case next.Chain != nil:
			r.Chains = append(r.Chains, *next.Chain)
		}
	}
}
