package petsc

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// A System is a linear system's matrix, or an operator that can only be applied. Nothing is copied
// but what says so, and everything must stay valid as long as the solver; values may change between
// solves.
type System struct {
	On    *Ranks // the ranks that have rows of it; nil: this process alone
	Rows  int    // of this rank
	Block int    // rows that form a block; divides Rows

	// The matrix. With Fill it is in memory of PETSc, CSR has no values, and its columns are numbered
	// as [Library.Number] does, in ascending order.
	CSR
	// Fill stores the values before each solve, row by row, apart those in columns of this rank and of
	// others. It must not call PETSc.
	Fill func(inside, outside []float64)
	// Blocked means that CSR is of blocks, which are stored column by column: PETSc's BAIJ.
	Blocked bool

	// Or else the operator, y = A x, and its diagonal, if known.
	Apply    func(x, y []float64) error
	Diagonal []float64

	Parts []Part // of the unknowns of a matrix of blocks; nil: there is one
	// Blocks are the matrix, unless CSR and Fill are: [parts][parts].
	Blocks [][]Rows
	Fields []Field // the splits of the preconditioner fieldsplit
	// Schur is the matrix that the Schur complement is preconditioned with, on the unknowns of the
	// second split; absent if it is none of the program's.
	Schur Rows
}

// Part is a part of the unknowns, which follows the one before on each rank.
type Part struct {
	Rows  int // of this rank
	Block int // rows that form a block
}

// Rows is a matrix in rows of this rank, or a block of one: as the matrix of a System, or absent,
// without row offsets.
type Rows struct {
	Rows, Cols int // of this rank
	CSR
	Fill func(inside, outside []float64)
}

// Field is a split: some parts that follow each other.
type Field struct {
	First, Last    int // of the parts: [First, Last)
	Null, NearNull [][]float64
}

// CSR is rows of a matrix: row i has the columns and values [RowOffsets[i], RowOffsets[i+1]), columns
// in ascending order.
type CSR struct {
	RowOffsets []int32
	Columns    []int32
	Values     []float64
}

// Parameters are the parameters of PETSc's KSP.
type Parameters struct {
	Method, Preconditioner string // PETSc's names
	RTol, ATol, DivTol     float64
	MaxIterations, Restart int
	Guess                  bool        // start from the values in x
	Prefix                 string      // of the solver's options
	Options                string      // as on PETSc's command line, but without the prefix
	Defaults               string      // options that apply if nothing else sets them, each with a value
	NearNull               [][]float64 // near null space of the matrix; each [Rows]
	Null                   [][]float64 // null space of the matrix
	NullTransposed         bool        // which is also that of the transpose
	// Monitor is called at each iteration; an error stops the solver.
	Monitor func(iteration int, residual float64) error
}

// A Solver wraps a KSP.
type Solver struct {
	library   *Library
	system    System
	monitor   func(int, float64) error
	setup     setup
	handle    unsafe.Pointer // the C struct; nil once closed
	failed    error          // error of the program's functions, during Solve
	panicked  any
	io        solution
	residuals []float64 // of the current solve
}

// setup and solution mirror structs of the shim.
type setup struct {
	id                                      int64
	communicator                            uintptr
	rows, block, blocked                    int64
	offsets, columns, values                unsafe.Pointer
	diagonal                                unsafe.Pointer
	apply, monitor                          uintptr
	method, preconditioner, prefix, options unsafe.Pointer
	rtol, atol, divtol                      float64
	iterations, restart, guess              int64
	nearNull, null, nullTransposed          int64
	nearNullVectors, nullVectors            unsafe.Pointer
	parts, splits                           int64
	partRows, partBlocks                    unsafe.Pointer
	blocks, fields, schur                   unsafe.Pointer
	defaults                                unsafe.Pointer
}

// rows, vectorSpace and field mirror structs of the shim.
type rows struct {
	rows, cols               int64
	offsets, columns, values unsafe.Pointer
}

type vectorSpace struct {
	count   int64
	vectors unsafe.Pointer
}

type field struct {
	first, last, rows int64
	null, nearNull    vectorSpace
}

func newVectorSpace(vectors [][]float64) vectorSpace {
	return vectorSpace{int64(len(vectors)), address(slices.Concat(vectors...))}
}

// addParts describes a matrix of blocks.
func (in *setup) addParts(system *System) {
	in.parts, in.splits = int64(len(system.Parts)), int64(len(system.Fields))
	var partRows, partBlocks []int64
	for _, p := range system.Parts {
		partRows, partBlocks = append(partRows, int64(p.Rows)), append(partBlocks, int64(p.Block))
	}
	in.partRows, in.partBlocks = address(partRows), address(partBlocks)
	if system.Blocks != nil {
		var blocks []rows
		for _, row := range system.Blocks {
			for _, b := range row {
				blocks = append(blocks, b.mirror())
			}
		}
		in.blocks = address(blocks)
	}
	var fields []field
	for _, f := range system.Fields {
		n := int64(0)
		for _, p := range system.Parts[f.First:f.Last] {
			n += int64(p.Rows)
		}
		fields = append(fields, field{int64(f.First), int64(f.Last), n, newVectorSpace(f.Null), newVectorSpace(f.NearNull)})
	}
	in.fields = address(fields)
	if system.Schur.RowOffsets != nil {
		in.schur = address([]rows{system.Schur.mirror()})
	}
}

func (b *Rows) mirror() rows {
	r := rows{int64(b.Rows), int64(b.Cols), address(b.RowOffsets), address(b.Columns), address(b.Values)}
	if b.Fill != nil {
		r.values = nil
	}
	return r
}

type solution struct {
	b, x                unsafe.Pointer
	keep, symmetric     int64
	iterations, reason  int64
	reasonName, failure [64]byte
	unused              [512]byte
	setUp               float64 // seconds
}

// NewSolver creates a solver. The caller must have validated the system: C trusts its indices.
func (l *Library) NewSolver(system System, p Parameters) (*Solver, error) {
	s := &Solver{library: l, system: system, monitor: p.Monitor}
	l.mu.Lock()
	l.last++
	s.setup.id = l.last
	l.solvers[s.setup.id] = s
	l.mu.Unlock()

	in := &s.setup
	in.rows, in.block = int64(system.Rows), int64(system.Block)
	in.method, in.preconditioner = text(p.Method), text(p.Preconditioner)
	in.prefix, in.options = text(p.Prefix), p.options()
	in.defaults = text(p.Defaults)
	in.addParts(&system)
	in.rtol, in.atol, in.divtol = p.RTol, p.ATol, p.DivTol
	in.iterations, in.restart = int64(p.MaxIterations), int64(p.Restart)
	if p.Guess {
		in.guess = 1
	}
	in.nearNull, in.nearNullVectors = int64(len(p.NearNull)), address(slices.Concat(p.NearNull...))
	in.null, in.nullVectors = int64(len(p.Null)), address(slices.Concat(p.Null...))
	if p.NullTransposed {
		in.nullTransposed = 1
	}
	in.monitor = l.monitor
	if system.Apply != nil {
		in.apply, in.diagonal = l.apply, address(system.Diagonal)
	} else {
		in.offsets, in.columns, in.values = address(system.RowOffsets), address(system.Columns), address(system.Values)
	}
	if system.Fill != nil {
		in.values = nil
	}
	if system.Blocked {
		in.blocked = 1
	}
	if system.On != nil {
		in.communicator = system.On.Communicator
	}
	if err := s.open(); err != nil {
		l.forget(s)
		return nil, err
	}
	return s, nil
}

// Option returns the value of an option that a solver with these parameters would have, from its own
// options or those of the process; "" if it is not set. The name is without a dash.
func (l *Library) Option(p Parameters, name string) (string, error) {
	o := struct {
		prefix, options, name unsafe.Pointer
		value                 [128]byte
	}{prefix: text(p.Prefix), options: p.options(), name: text("-" + name)}
	err := l.call(l.op2_option, uintptr(unsafe.Pointer(&o)))
	return native.Line(o.value[:]), err
}

// options returns the options as PETSc reads them.
func (p *Parameters) options() unsafe.Pointer {
	return text(strings.Join(strings.Fields(p.Options), " "))
}

// Number returns the number of the first row of this rank, which has that many, among those of all
// ranks. It is collective.
func (l *Library) Number(on *Ranks, rows int) (first int, err error) {
	n := struct {
		communicator     uintptr
		rows, first, all int64
	}{communicator: on.Communicator, rows: int64(rows)}
	if err := l.call(l.op2_number, uintptr(unsafe.Pointer(&n))); err != nil {
		return 0, err
	}
	if n.all > math.MaxInt32 {
		return 0, fmt.Errorf("%d rows on all ranks, PETSc numbers up to %d", n.all, math.MaxInt32)
	}
	return int(n.first), nil
}

func (s *Solver) open() error {
	return s.library.call(s.library.op2_solver_new, uintptr(unsafe.Pointer(&s.setup)), uintptr(unsafe.Pointer(&s.handle)))
}

// reopen recreates PETSc's objects, which are unusable after a solve that ended in an error.
func (s *Solver) reopen() error {
	err := s.library.call(s.library.op2_solver_close, uintptr(s.handle))
	s.handle = nil
	if err != nil {
		return err
	}
	return s.open()
}

func text(s string) unsafe.Pointer { return unsafe.Pointer(unsafe.StringData(s + "\x00")) }

// address returns the address of the first value, and never nil, which has another meaning.
func address[T any](s []T) unsafe.Pointer {
	if cap(s) == 0 {
		if s == nil {
			return nil
		}
		return unsafe.Pointer(new([8]byte))
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}

var errClosed = errors.New("the solver is closed")

// An Outcome is PETSc's result of a solve.
type Outcome struct {
	Iterations int
	Reason     string // the name of PETSc's constant, such as CONVERGED_RTOL
	Converged  bool
	Residuals  []float64 // norms, starting with that of the initial guess
	Failure    string    // of the preconditioner, such as FACTOR_NUMERIC_ZEROPIVOT
	Unused     string    // options that PETSc did not use

	SetUp time.Duration // time to build the preconditioner
}

// SetSymmetric declares the matrix symmetric or not, which is the default.
func (s *Solver) SetSymmetric(symmetric bool) {
	s.io.symmetric = 0
	if symmetric {
		s.io.symmetric = 1
	}
}

// Solve solves A x = b. With keep, it reuses the preconditioner of the last solve. Failure to
// converge is not an error here.
func (s *Solver) Solve(x, b []float64, keep bool) (Outcome, error) {
	if s.handle == nil {
		return Outcome{}, errClosed
	}
	s.io.b, s.io.x = unsafe.Pointer(unsafe.SliceData(b)), unsafe.Pointer(unsafe.SliceData(x))
	s.residuals = nil
	s.io.keep = 0
	if keep {
		s.io.keep = 1
	}
	s.failed, s.panicked = nil, nil
	if err := s.fill(); err != nil {
		return Outcome{}, err
	}
	err := s.library.call(s.library.op2_solver_solve, uintptr(s.handle), uintptr(unsafe.Pointer(&s.io)))
	s.io.b, s.io.x = nil, nil
	if err != nil {
		return Outcome{}, s.recover(err)
	}
	return Outcome{
		Iterations: int(s.io.iterations), Reason: native.Line(s.io.reasonName[:]), Converged: s.io.reason > 0,
		Residuals: s.residuals, Failure: native.Line(s.io.failure[:]), Unused: native.Line(s.io.unused[:]),
		SetUp: time.Duration(s.io.setUp * float64(time.Second)),
	}, nil
}

// fill stores the values of matrices in PETSc's memory.
func (s *Solver) fill() error {
	if err := s.fillOne(-1, s.system.Fill); err != nil {
		return err
	}
	n := len(s.system.Parts)
	for i, row := range s.system.Blocks {
		for j, b := range row {
			if err := s.fillOne(i*n+j, b.Fill); err != nil {
				return err
			}
		}
	}
	return s.fillOne(n*n, s.system.Schur.Fill)
}

// fillOne stores the values of a block, of the matrix itself, -1, or of that beside the blocks.
func (s *Solver) fillOne(which int, fill func(inside, outside []float64)) error {
	if fill == nil {
		return nil
	}
	values := struct {
		which int64
		at    [2]*float64
		count [2]int64
	}{which: int64(which)}
	if err := s.library.call(s.library.op2_solver_values, uintptr(s.handle), uintptr(unsafe.Pointer(&values))); err != nil {
		return err
	}
	fill(unsafe.Slice(values.at[0], values.count[0]), unsafe.Slice(values.at[1], values.count[1]))
	return nil
}

// recover makes the solver usable again after an error, and returns the error: the program's own,
// if one of its functions failed.
//
// On several ranks PETSc's objects can be created again only if all ranks have the error, which
// they have if a function of the program failed: it fails on all ranks.
func (s *Solver) recover(err error) error {
	var again error
	if s.system.On == nil || s.failed != nil {
		again = s.reopen()
	} else {
		s.handle = nil
	}
	if s.panicked != nil {
		panic(s.panicked)
	}
	if s.failed != nil {
		err = s.failed
	}
	if again != nil {
		err = errors.Join(err, again)
	}
	return err
}

// typesLength is the size of the buffer for the shim.
const typesLength = 128

// Types returns the method and the preconditioner, which options may have changed.
func (s *Solver) Types() (string, error) {
	buffer := make([]byte, typesLength)
	err := s.library.call(s.library.op2_solver_types, uintptr(s.handle), uintptr(unsafe.Pointer(&buffer[0])))
	return native.Line(buffer), err
}

// Close destroys PETSc's objects. A second Close does nothing.
func (s *Solver) Close() error {
	if s.handle == nil {
		return nil
	}
	err := s.library.call(s.library.op2_solver_close, uintptr(s.handle))
	s.handle = nil
	s.library.forget(s)
	return err
}

func (l *Library) forget(s *Solver) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.solvers, s.setup.id)
}

// applied applies the operator of a solver, called by C; it returns 0 to continue.
func (l *Library) applied(id int64, x, y *float64) int64 {
	return l.guarded(id, func(s *Solver) error {
		return s.system.Apply(unsafe.Slice(x, s.system.Rows), unsafe.Slice(y, s.system.Rows))
	})
}

// monitored reports an iteration, called by C.
func (l *Library) monitored(id, iteration int64, norm *float64) int64 {
	return l.guarded(id, func(s *Solver) error {
		s.residuals = append(s.residuals, *norm)
		if s.monitor == nil {
			return nil
		}
		return s.monitor(int(iteration), *norm)
	})
}

// guarded calls a function of the program. It holds back errors and panics until C, whose frames
// must not be jumped over, has returned.
func (l *Library) guarded(id int64, f func(*Solver) error) (stop int64) {
	l.mu.Lock()
	s := l.solvers[id]
	l.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			s.panicked, stop = p, 1
		}
	}()
	if s.failed = f(s); s.failed != nil {
		return 1
	}
	return 0
}
