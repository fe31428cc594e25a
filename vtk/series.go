package vtk

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/go-op2/op2"
	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/internal/wholefile"
	"github.com/go-op2/op2/mesh"
)

// Series is a series of results on one mesh, at increasing times. It belongs to one goroutine.
type Series struct {
	path   string // without extension
	place  string // the absolute path
	turn   int    // which series of this program at that place it is
	writer *writer
	hdf    *hdfFile // of a series in one file; nil: there is a file for each step
	steps  []vtu.Part
	last   float64    // the time of the last step
	done   chan error // gets the outcome of the step that is being written; nil: there is none
	err    error      // the first error of a step that was being written
	closed bool
	rt     *op2.Runtime // whose ranks make the series; nil: none
}

// hdfExtension is that of files in VTK's format in HDF5.
const hdfExtension = ".vtkhdf"

// turns counts the series that this program has made at each place: the last one may write there.
var turns = struct {
	sync.Mutex
	at map[string]int
}{at: map[string]int{}}

// replaced returns an error if another series has taken the place over. The caller holds the lock of turns.
func (s *Series) replaced() error {
	if turns.at[s.place] != s.turn {
		return fmt.Errorf("another series has replaced %s", s.path)
	}
	return nil
}

// NewSeries starts a series of results on a mesh. ParaView opens the file path.pvd; those of the steps are in the
// folder path. If the path ends in .vtkhdf, all steps are in that one file instead, in VTK's format in HDF5; it can be opened
// after each step, and is lost if the program is killed while it adds one. An older series of that name is replaced when the first step has been written. If this program is still
// writing it, its next Write is an error.
func NewSeries(path string, m *mesh.Mesh, options ...Option) (*Series, error) {
	path = strings.TrimRight(strings.TrimSuffix(path, ".pvd"), string(filepath.Separator))
	if base := filepath.Base(path); base == "." || base == ".." || base == string(filepath.Separator) {
		return nil, fmt.Errorf("vtk: %q is no name of a series", path)
	} else if !utf8.ValidString(base) || strings.ContainsFunc(base, unicode.IsControl) {
		return nil, fmt.Errorf("vtk: %q is no name of a series: its index, an XML file, cannot name its files", path)
	}
	c := configure(options)
	for _, p := range c.parts {
		if err := p.check(); err != nil {
			return nil, err
		}
	}
	hdf := strings.HasSuffix(path, hdfExtension)
	if hdf && (c.text || c.groups || len(c.parts) > 0) {
		return nil, fmt.Errorf("vtk: %s: a series in one file has the cells alone, and no text: without the extension, NewSeries takes the options Groups, Part and Text", path)
	}
	if c.rt.Rank() != 0 {
		return &Series{rt: c.rt, last: math.Inf(-1)}, nil
	}
	w, err := newWriter(m, &c)
	if err != nil {
		return nil, err
	}
	folder := path
	if hdf {
		if _, err := checkHDF(); err != nil {
			return nil, fmt.Errorf("vtk: %w", err)
		}
		folder = filepath.Dir(path)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, fmt.Errorf("vtk: %w", err)
	}
	place, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("vtk: %w", err)
	}
	s := &Series{path: path, place: place, writer: w, rt: c.rt, last: math.Inf(-1)}
	if hdf {
		s.hdf = &hdfFile{path: path, series: true}
	}
	turns.Lock()
	turns.at[place]++
	s.turn = turns.at[place]
	turns.Unlock()
	return s, nil
}

// Write adds a step at time t, which must be later than the one before. It copies the values and writes them while
// the program goes on: the error may be that of the step before. The series can be opened after each step that has
// been written, also if the program is stopped.
//
// Where the program has changed [mesh.Mesh.Points] since the step before, or gives [Points], the nodes move.
//
// It is an error if fields do not have a value for each node or cell, or share a name; then nothing is written, and
// the series can be continued.
func (s *Series) Write(t float64, fields ...Field) error {
	if s.closed {
		return errors.New("vtk: the series is closed")
	}
	if err := s.wait(); err != nil {
		return err
	}
	if math.IsNaN(t) || math.IsInf(t, 0) {
		return fmt.Errorf("vtk: a step at time %v", t)
	}
	if t <= s.last {
		return fmt.Errorf("vtk: a step at time %v after one at %v", t, s.last)
	}
	if s.rt == nil && ranks(fields) > 1 {
		return fmt.Errorf("vtk: fields are on %d ranks: NewSeries needs the option vtk.On(rt)", ranks(fields))
	}
	if s.rt.Rank() != 0 {
		s.last = t
		return give(fields)
	}
	step, err := s.writer.prepare(fields)
	if err != nil {
		return err
	}
	turns.Lock()
	err = s.replaced()
	turns.Unlock()
	if err != nil {
		return fmt.Errorf("vtk: %w", err)
	}
	s.last = t
	s.done = make(chan error, 1)
	go func() { s.done <- s.writeStep(t, step) }()
	return nil
}

// Close waits until the last step has been written and returns the first error that Write has not returned.
func (s *Series) Close() error {
	err := s.wait()
	s.closed = true
	return err
}

// wait waits for the step that is being written. After an error it returns that.
func (s *Series) wait() error {
	if s.done != nil {
		if err := <-s.done; err != nil && s.err == nil {
			s.err = fmt.Errorf("vtk: %w", err)
		}
		s.done = nil
	}
	return s.err
}

// writeStep writes the files of a step and then the index that lists it.
func (s *Series) writeStep(t float64, step *step) error {
	if s.hdf != nil {
		return s.hdf.write(s.writer, t, step)
	}
	base := filepath.Base(s.path)
	name := fmt.Sprintf("%s_%06d", base, len(s.steps))
	time := vtu.Array{Name: "TimeValue", Values: []float64{t}}
	file, err := s.writer.write(filepath.Join(s.path, name), step, time)
	if err != nil {
		return err
	}
	s.steps = append(s.steps, vtu.Part{File: base + "/" + file, Time: t})
	return s.writeIndex()
}

// writeIndex writes the list of all steps.
func (s *Series) writeIndex() error {
	turns.Lock()
	defer turns.Unlock()
	if err := s.replaced(); err != nil {
		return err
	}
	return wholefile.Write(s.path+".pvd", func(w io.Writer) error { return vtu.WriteSeries(w, s.steps) })
}

// WriteFile writes results on a mesh to a file, whose name ends in .vtu or, for VTK's format in HDF5, in .vtkhdf, and creates its
// folder. The file appears, or takes the place of one that was there, only when it is complete. The library of HDF5 is
// found at run time; the error wraps [op2.ErrUnavailable] where it is missing. On several ranks it is collective if there are fields of dats: rank 0
// gets their values from all, and writes; the others need no mesh.
func WriteFile(path string, m *mesh.Mesh, fields ...Field) error {
	base, found := strings.CutSuffix(path, ".vtu")
	hdf := strings.HasSuffix(path, hdfExtension)
	if !found && !hdf {
		return fmt.Errorf("vtk: %s: results on a mesh are VTU files, or VTKHDF: name it %s.vtu", path, strings.TrimSuffix(path, filepath.Ext(path)))
	}
	if follows(fields) {
		return give(fields)
	}
	w, err := newWriter(m, &config{})
	if err != nil {
		return err
	}
	step, err := w.prepare(fields)
	if err != nil {
		return err
	}
	err = os.MkdirAll(filepath.Dir(path), 0o777)
	switch {
	case err != nil:
	case hdf:
		err = (&hdfFile{path: path}).write(w, 0, step)
	default:
		_, err = w.write(base, step)
	}
	if err != nil {
		return fmt.Errorf("vtk: %w", err)
	}
	return nil
}
