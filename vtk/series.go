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
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/rankfile"
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
	pieces bool     // there is one for each rank
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
	if s.rt.Rank() == 0 && turns.at[s.place] != s.turn {
		return fmt.Errorf("another series has replaced %s", s.path)
	}
	return nil
}

// NewSeries starts a series of results on a mesh. ParaView opens the file path.pvd; those of the steps, .vtu, are in the
// folder path. Either ending of the path changes nothing. If the path ends in .vtkhdf, all steps are in that one file instead, in VTK's format in HDF5; it can be opened
// after each step, and is lost if the program is killed while it adds one. If the path ends in .pvtu, each step is a file
// that lists the pieces of the ranks, a .vtm with [Groups] and [Part]: see [On]. An older series of that name is replaced when the
// first step has been written. If this program is still writing it, its next Write is an error.
func NewSeries(path string, m *mesh.Mesh, options ...Option) (*Series, error) {
	path, pieces := strings.CutSuffix(path, pieceExtension)
	path = strings.TrimSuffix(strings.TrimSuffix(path, ".pvd"), ".vtu")
	path = strings.TrimRight(path, string(filepath.Separator))
	if base := filepath.Base(path); base == "." || base == ".." || base == string(filepath.Separator) {
		return nil, fmt.Errorf("vtk: %q is no name of a series", path)
	} else if !utf8.ValidString(base) || strings.ContainsFunc(base, unicode.IsControl) {
		return nil, fmt.Errorf("vtk: %q is no name of a series: its index, an XML file, cannot name its files", path)
	}
	hdf := strings.HasSuffix(path, hdfExtension)
	c := configure(options)
	if hdf && c.text {
		return nil, fmt.Errorf("vtk: %s: files in HDF5 have no text: without the extension, NewSeries takes the option Text", path)
	}
	w, err := writerOn(c.rt, m, &c, pieces, hdf)
	if err != nil {
		return nil, err
	}
	s := &Series{path: path, pieces: pieces, writer: w, rt: c.rt, last: math.Inf(-1)}
	if hdf {
		s.hdf = &hdfFile{path: path, series: true}
	}
	if w != nil {
		if err := w.together(s.start); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// start makes the folder of a series, and makes it the one that may write there.
func (s *Series) start() error {
	folder := s.path
	if s.hdf != nil {
		if err := rankfile.Check(s.writer.rt); err != nil {
			return fmt.Errorf("vtk: %w", problem.Bare(err))
		}
		folder = filepath.Dir(s.path)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("vtk: %w", err)
	}
	place, err := filepath.Abs(s.path)
	if err != nil {
		return fmt.Errorf("vtk: %w", err)
	}
	if s.rt.Rank() != 0 {
		return nil
	}
	s.place = place
	turns.Lock()
	turns.at[place]++
	s.turn = turns.at[place]
	turns.Unlock()
	return nil
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
	if n := runtimeOf(fields).Ranks(); s.rt == nil && n > 1 {
		return fmt.Errorf("vtk: fields are on %d ranks: NewSeries needs the option vtk.On(rt)", n)
	}
	if s.writer == nil {
		s.last = t
		return give(fields)
	}
	return s.writer.together(func() error { return s.begin(t, fields) })
}

// begin prepares a step, and begins to write it. What ranks write together into one file is written at once, since they
// send each other messages for it.
func (s *Series) begin(t float64, fields []Field) error {
	step, err := s.writer.prepare(fields)
	if err != nil {
		return err
	}
	turns.Lock()
	err = s.replaced()
	turns.Unlock()
	if err == nil && s.pieces && s.rt.Rank() == 0 {
		err = s.writer.beginPieces(s.step())
	}
	if err != nil {
		err = fmt.Errorf("vtk: %w", err)
	}
	if err := s.writer.agree(err); err != nil {
		return err
	}
	s.last = t
	if s.hdf != nil && s.writer.piece != nil {
		if err := s.hdf.write(s.writer, t, step); err != nil {
			s.err = fmt.Errorf("vtk: %w", err)
		}
		return s.err
	}
	done := make(chan error, 1)
	s.done = done
	go func() { done <- s.writeStep(t, step) }()
	return nil
}

// step returns the path of the step that is written, without extension.
func (s *Series) step() string {
	return filepath.Join(s.path, fmt.Sprintf("%s_%06d", filepath.Base(s.path), len(s.steps)))
}

// Close waits until the last step has been written and returns the first error that Write has not returned.
func (s *Series) Close() error {
	err := s.wait()
	s.closed = true
	return err
}

// wait waits for the step that is being written. After an error it returns that.
func (s *Series) wait() error {
	if s.done == nil {
		return s.err
	}
	done := s.done
	s.done = nil
	err := s.writer.together(func() error { return <-done })
	if err == nil && s.pieces {
		err = s.writer.together(s.listPieces)
	}
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("vtk: %w", err)
	}
	return s.err
}

// listPieces writes the file that lists the pieces of the step that all ranks have written, and then the index.
func (s *Series) listPieces() error {
	path := s.step()
	s.steps = append(s.steps, vtu.Part{File: filepath.Base(s.path) + "/" + filepath.Base(s.writer.listName(path)), Time: s.last})
	if s.rt.Rank() != 0 {
		return nil
	}
	if err := s.writer.writePieces(path); err != nil {
		return err
	}
	return s.writeIndex()
}

// writeStep writes the files of a step and then the index that lists it, or only this rank's piece.
func (s *Series) writeStep(t float64, step *step) error {
	if s.hdf != nil {
		return s.hdf.write(s.writer, t, step)
	}
	time := vtu.Array{Name: "TimeValue", Values: []float64{t}}
	if s.pieces {
		return s.writer.writePiece(s.step(), step, time)
	}
	file, err := s.writer.write(s.step(), step, time)
	if err != nil {
		return err
	}
	s.steps = append(s.steps, vtu.Part{File: filepath.Base(s.path) + "/" + file, Time: t})
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

// WriteFile writes results on a mesh to a file, whose name ends in .vtu, in .pvtu for one that lists pieces, or, for VTK's
// format in HDF5, in .vtkhdf, and creates its folder. The file appears, or takes the place of one that was there, only when it is complete; one
// that lists pieces is gone while these are replaced. The library of HDF5 is found at run time; the error wraps
// [op2.ErrUnavailable] where it is missing. On several ranks it is collective if there are fields of dats: as for a series
// with [On], ranks write their pieces, or rank 0 gets the values of dats from all, and writes; then the others need no mesh.
func WriteFile(path string, m *mesh.Mesh, fields ...Field) error {
	extension := filepath.Ext(path)
	base := strings.TrimSuffix(path, extension)
	pieces, hdf := extension == pieceExtension, extension == hdfExtension
	if !pieces && !hdf && extension != ".vtu" {
		return fmt.Errorf("vtk: %s: results on a mesh are VTU files, or VTKHDF: name it %s.vtu", path, base)
	}
	w, err := writerOn(runtimeOf(fields), m, &config{}, pieces, hdf)
	if err != nil {
		return err
	}
	if w == nil {
		return give(fields)
	}
	return w.together(func() error { return w.writeFile(path, base, fields) })
}

// writeFile writes a file at a path, which is base and the extension.
func (w *writer) writeFile(path, base string, fields []Field) error {
	step, err := w.prepare(fields)
	if err != nil {
		return err
	}
	err = os.MkdirAll(filepath.Dir(path), 0o777)
	switch filepath.Ext(path) {
	case pieceExtension:
		if err == nil && w.ranks.Rank() == 0 {
			err = w.beginPieces(base)
		}
		if err = w.agree(err); err == nil {
			err = w.agree(w.writePiece(base, step))
		}
		if err == nil && w.ranks.Rank() == 0 {
			err = w.writePieces(base)
		}
	case hdfExtension:
		if err = w.agree(err); err == nil {
			err = (&hdfFile{path: path}).write(w, 0, step)
		}
	default:
		if err == nil {
			_, err = w.write(base, step)
		}
	}
	if err != nil {
		return fmt.Errorf("vtk: %w", err)
	}
	return nil
}
