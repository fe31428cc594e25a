package petsc

import (
	_ "embed"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/native"
)

//go:embed csrc/petsc.c
var shim string

// A Library is the PETSc that runs in this process.
type Library struct {
	Version string // "3.18.5"
	Dir     string // of the installation

	turn turn
	functions
	apply, monitor uintptr // Go functions that C calls

	mu      sync.Mutex
	solvers map[int64]*Solver // open, by id
	last    int64
}

// functions are those of the shim.
type functions struct {
	op2_thread, op2_message, op2_number, op2_option, op2_solver_new, op2_solver_values native.Function
	op2_solver_solve, op2_solver_types, op2_solver_close                               native.Function
}

// process holds the process's only PETSc: MPI, which it needs, can be initialized only once.
var process struct {
	sync.Mutex
	library *Library
}

// An Error is a failure inside PETSc.
type Error struct {
	Code int    // PETSc's error code
	Text string // message of the innermost function
}

func (e *Error) Error() string { return e.Text }

// Ranks are processes that solve systems together.
type Ranks struct {
	Communicator uintptr // MPI_Comm
	Rank, Size   int
	MPI          string // the library: "Open MPI" or "MPICH"; "" if it is neither
}

// Open finds PETSc, compiles the shim, loads and initializes it; later calls return the same
// Library. The first call's ranks, nil for this process alone, become PETSC_COMM_WORLD. The error
// is a *native.NotFoundError, for PETSc or its compiler, a *jit.CompileError, an
// *UnsuitableError, or an *OtherMPIError.
func Open(config jit.Config, world *Ranks) (*Library, error) {
	process.Lock()
	defer process.Unlock()
	if process.library == nil {
		l, err := start(config, world)
		if err != nil {
			return nil, err
		}
		process.library = l
	}
	return process.library, nil
}

// An UnsuitableError reports an installed PETSc that cannot be used.
type UnsuitableError struct {
	Dir, Reason string
}

func (e *UnsuitableError) Error() string {
	return fmt.Sprintf("the PETSc in %s %s; double precision, real numbers and indices of 32 bits are needed\n"+
		"  hint: PETSC_DIR chooses another installation", e.Dir, e.Reason)
}

// An OtherMPIError reports an installed PETSc that was built with another MPI library than the
// ranks use.
type OtherMPIError struct {
	Dir, PETSc, Ranks string
}

func (e *OtherMPIError) Error() string {
	return fmt.Sprintf("the PETSc in %s was built with %s, the ranks use %s\n"+
		"  hint: start the program with the mpirun of %s, or choose another installation by PETSC_DIR", e.Dir, e.PETSc, e.Ranks, e.PETSc)
}

func start(config jit.Config, world *Ranks) (*Library, error) {
	i, err := Find()
	if err != nil {
		return nil, err
	}
	if world != nil && world.MPI != "" && i.MPI != "" && world.MPI != i.MPI {
		return nil, &OtherMPIError{i.Dir, i.MPI, world.MPI}
	}
	config.CC, config.CFlags = i.Compiler, nil
	builder, err := jit.New(config)
	if err != nil {
		var missing *native.NotFoundError
		if errors.As(err, &missing) {
			missing.Hint = "PETSc in " + i.Dir + " was built with it, and is called through it; PETSC_DIR chooses another installation"
		}
		return nil, err
	}
	flags := append([]string{"-std=gnu11", "-O2", "-fvisibility=hidden", "-DOP2_PETSC=" + i.digest}, i.Flags...)
	build := builder.Start(jit.Unit{Name: "petsc", Source: shim, Flags: flags})
	if err := build.Wait(); err != nil {
		return nil, err
	}
	defer native.Guard()()
	instance, err := build.Acquire() // never released
	if err != nil {
		return nil, err
	}
	l := &Library{Dir: i.Dir, solvers: map[int64]*Solver{}}
	return l, l.load(instance, world)
}

// load initializes PETSc and looks up the functions of the shim.
func (l *Library) load(instance *jit.Instance, world *Ranks) error {
	var kind struct{ op2_scalars native.Function }
	var starting struct{ op2_initialize native.Function }
	if err := native.Bind(&kind, instance.Symbol); err != nil {
		return fmt.Errorf("the shim of PETSc lacks %w", err)
	}
	if unsuitable := kind.op2_scalars.Call(); unsuitable != 0 {
		return &UnsuitableError{l.Dir, [...]string{"", "works with complex numbers", "does not work in double precision", "has indices of 64 bits"}[unsuitable]}
	}
	for _, functions := range []any{&starting, &l.functions} {
		if err := native.Bind(functions, instance.Symbol); err != nil {
			return fmt.Errorf("the shim of PETSc lacks %w", err)
		}
	}
	l.turn.thread = l.op2_thread
	var version struct {
		communicator     uintptr
		rank, size       int64
		launched         int64
		headers, library [3]int64
	}
	if world != nil {
		version.communicator, version.rank, version.size = world.Communicator, int64(world.Rank), int64(world.Size)
	}
	if _, is := launch.Detect(); is {
		version.launched = 1
	}
	if err := l.call(starting.op2_initialize, uintptr(unsafe.Pointer(&version))); err != nil {
		return fmt.Errorf("PETSc in %s does not start: %w", l.Dir, err)
	}
	l.Version = strings.ReplaceAll(strings.Trim(fmt.Sprint(version.library), "[]"), " ", ".")
	if version.headers != version.library {
		return &UnsuitableError{l.Dir, fmt.Sprintf("has headers of version %v and a library of version %v", version.headers, version.library)}
	}
	l.apply, l.monitor = native.Callback(l.applied), native.Callback(l.monitored)
	return nil
}

// call calls a function of the shim that returns an error code. Calls take turns.
//
//go:uintptrescapes
func (l *Library) call(f native.Function, args ...uintptr) error {
	l.turn.take()
	defer l.turn.end()
	code := int32(f.Call(args...))
	if code == 0 {
		return nil
	}
	text := make([]byte, 1024)
	l.op2_message.Call(uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	return &Error{Code: int(code), Text: native.Line(text)}
}

// turn is a reentrant lock that admits one thread to PETSc at a time: an operator that PETSc
// applies may solve another system.
type turn struct {
	thread native.Function // that returns the calling thread
	mu     sync.Mutex
	holder atomic.Uintptr
	depth  int
}

func (t *turn) take() {
	runtime.LockOSThread()
	self := t.thread.Call()
	if t.holder.Load() != self {
		t.mu.Lock()
		t.holder.Store(self)
	}
	t.depth++
}

func (t *turn) end() {
	t.depth--
	if t.depth == 0 {
		t.holder.Store(0)
		t.mu.Unlock()
	}
	runtime.UnlockOSThread()
}
