// Package trace lets a backend record a run of its program, for op2 translate -project: what loops use, the order of
// their calls, the changes that the program makes between them, and the results.
package trace

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unsafe"

	"github.com/go-op2/op2/internal/backend"
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/host"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
	"github.com/go-op2/op2/internal/translate/recording"
	"github.com/go-op2/op2/internal/tune"
)

// Of returns the driver of a backend that records where that is requested. It then runs loops one by one.
func Of(d backend.Driver) backend.Driver {
	open := d.Open
	d.Open = func(c backend.Config) (backend.Backend, error) {
		if c.Static || !recording.Requested(c.Translate) {
			return open(c)
		}
		e := &engine{dir: c.Translate, arrays: map[unsafe.Pointer]*array{}, names: map[string]int{"loops": 1, "changes": 1}, codes: map[loop.Hash]int{}, changes: map[string]int{}, lists: map[string]int{}}
		b, err := open(c)
		if err != nil {
			return nil, err
		}
		e.Backend, e.run.Plan = b, blockSize
		return e, nil
	}
	return d
}

// blockSize is the number of elements in a block of the plans, whatever machine the run is recorded on.
const blockSize = 512

// engine is an open backend that records.
type engine struct {
	backend.Backend
	dir     string
	run     recording.Run
	arrays  map[unsafe.Pointer]*array
	names   map[string]int // how many arrays and codes have each, on file systems that ignore case
	codes   map[loop.Hash]int
	changes map[string]int // where the values of changes are in their file
	lists   map[string]int // arrays of plans and tables, by kind and values
	written int            // the size of that
	err     error          // the first
}

// array is an array of the run.
type array struct {
	number int
	at     unsafe.Pointer
	last   []byte // the values after the last call that used it
	first  int    // the event before which it was used first
	set    bool   // the program changed it
}

func (a *array) values() []byte { return unsafe.Slice((*byte)(a.at), len(a.last)) }

// Prepare prepares a loop whose calls are recorded.
func (e *engine) Prepare(s backend.Spec, m backend.Memory) (backend.Runner, error) {
	p, _, err := m.NewPlan(backend.PlanRequest{BlockSize: blockSize, Boundaries: m.Boundaries})
	if err != nil {
		return nil, err
	}
	r := &runner{engine: e, spec: s, memory: m, number: -1}
	r.runs, _ = m.Runs()
	r.memory.Plan, r.memory.NewPlan = p, nil
	if r.listed, r.listing, err = list(s.Loop, &m); err != nil {
		return nil, err
	}
	s.Chosen.SIMD = tune.SIMDOff // as the recorded code is, which then rounds as the run did
	r.Runner, err = e.Backend.Prepare(s, m)
	return r, err
}

// Close leaves the recording.
func (e *engine) Close() error {
	for _, a := range e.arrays {
		if x := &e.run.Arrays[a.number]; x.Sum != nil {
			x.Sum = sumOf(x.Type, a.last)
		}
	}
	e.begin()
	switch {
	case e.err != nil: // which the program may ignore
		e.run = recording.Run{Problem: e.err.Error()}
		e.err = errors.Join(e.err, e.run.Write(e.dir))
	case len(e.run.Loops) > 0:
		e.err = e.run.Write(e.dir)
	}
	return errors.Join(e.err, e.Backend.Close())
}

// note keeps the first error of the recording, which does not end the program.
func (e *engine) note(err error) {
	if e.err == nil && err != nil {
		e.err = fmt.Errorf("the run cannot be recorded: %w", err)
	}
}

// code returns the number of a loop's code, in readable form: element by element.
func (e *engine) code(s backend.Spec, consts []unsafe.Pointer) int {
	hash := s.Hash()
	if n, known := e.codes[hash]; known {
		return n
	}
	in := codegen.Input{Loop: s.Loop, Kernel: s.Kernel, Ops: s.Ops, Options: codegen.Options{SIMD: tune.SIMDOff}}
	one, many := host.Sequential(in), host.Threads(in)
	c := recording.Code{Name: e.name(s.Kernel.Name), About: s.Kernel.Entry().Pos.String(), Sequential: one, Threads: many,
		CUDA: kernels(codegen.CUDA, s, consts), OpenCL: kernels(codegen.OpenCLC, s, consts)}
	if one.Rounds {
		c.Flags = append(c.Flags, "-ffp-contract=off")
	}
	if one.Words || s.Kernel.IsC() {
		c.Flags = append(c.Flags, "-fno-strict-aliasing")
	}
	if s.Kernel.IsC() {
		c.Flags = append(c.Flags, "-fgnu89-inline")
	}
	e.run.Codes = append(e.run.Codes, c)
	e.codes[hash] = len(e.run.Codes) - 1
	return e.codes[hash]
}

// add adds an array with its values, unless it is known.
func (e *engine) add(at unsafe.Pointer, x recording.Array) *array {
	if a := e.arrays[at]; a != nil && at != nil && len(a.last) == x.Bytes {
		return a
	}
	x.Name = e.name(x.Name)
	a := &array{number: len(e.run.Arrays), at: at, last: make([]byte, x.Bytes), first: len(e.run.Events)}
	copy(a.last, a.values())
	e.run.Arrays = append(e.run.Arrays, x)
	e.note(os.WriteFile(recording.Values(e.dir, x.Name), a.last, 0o666))
	if at != nil {
		e.arrays[at] = a
	}
	return a
}

var notInNames = regexp.MustCompile(`\W+`)

// name returns a name that no other array or code has, for files.
func (e *engine) name(s string) string {
	s = notInNames.ReplaceAllString(s, "_")
	lower := strings.ToLower(s)
	e.names[lower]++
	if n := e.names[lower]; n > 1 {
		return e.name(fmt.Sprintf("%s_%d", s, n))
	}
	return s
}

// change records new values of an array.
func (e *engine) change(a *array) {
	a.set = true
	e.run.Events = append(e.run.Events, recording.Event{Loop: -1, Array: a.number, At: e.place(a.values())})
}

// place returns where values are in the file of changes.
func (e *engine) place(values []byte) int {
	at, known := e.changes[string(values)]
	if known {
		return at
	}
	f, err := os.OpenFile(filepath.Join(e.dir, recording.Changes), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = f.Write(values)
		err = errors.Join(err, f.Close())
	}
	e.note(err)
	at, e.written = e.written, e.written+len(values)
	e.changes[string(values)] = at
	return at
}

// begin sets globals that the program changes when they are used first, too, so that a part of the run that repeats is
// the same from the first time.
func (e *engine) begin() {
	var set []*array
	for _, a := range e.arrays {
		if a.set && e.run.Arrays[a.number].Kind == loop.Global.String() {
			set = append(set, a)
		}
	}
	sorting.By(set, func(a, b *array) int { return cmp.Or(b.first-a.first, a.number-b.number) })
	for _, a := range set {
		values, err := os.ReadFile(recording.Values(e.dir, e.run.Arrays[a.number].Name))
		e.note(err)
		e.run.Events = slices.Insert(e.run.Events, a.first, recording.Event{Loop: -1, Array: a.number, At: e.place(values)})
	}
}
