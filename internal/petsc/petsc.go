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

	"github.com/ebitengine/purego"

	"github.com/go-op2/op2/internal/jit"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/signals"
)

//go:embed csrc/petsc.c
var shim string

// A Library is the PETSc that runs in this process.
type Library struct {
	Version string // "3.18.5"
	Dir     string // of the installation

	turn    turn
	symbols struct {
		message, number, option, new, values, solve, types, close uintptr
	}
	apply, monitor uintptr          // Go functions that C calls
	arguments      []unsafe.Pointer // of the last call

	mu      sync.Mutex
	solvers map[int64]*Solver // open, by id
	last    int64
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
// is a *NotFoundError, a *jit.CompileError, a *jit.NotFoundError for PETSc's compiler, an
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
		var missing *jit.NotFoundError
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
	defer signals.Save()()
	instance, err := build.Acquire() // never released
	if err != nil {
		return nil, err
	}
	l := &Library{Dir: i.Dir, solvers: map[int64]*Solver{}}
	return l, l.load(instance, world)
}

// load initializes PETSc and looks up the functions of the shim.
func (l *Library) load(instance *jit.Instance, world *Ranks) error {
	scalars, err := instance.Symbol("op2_scalars")
	if err != nil {
		return err
	}
	if kind, _, _ := purego.SyscallN(scalars); kind != 0 {
		return &UnsuitableError{l.Dir, [...]string{"", "works with complex numbers", "does not work in double precision", "has indices of 64 bits"}[kind]}
	}
	var initialize uintptr
	for _, s := range []struct {
		name string
		to   *uintptr
	}{
		{"op2_initialize", &initialize}, {"op2_thread", &l.turn.thread}, {"op2_message", &l.symbols.message}, {"op2_number", &l.symbols.number},
		{"op2_option", &l.symbols.option}, {"op2_solver_new", &l.symbols.new}, {"op2_solver_values", &l.symbols.values}, {"op2_solver_solve", &l.symbols.solve},
		{"op2_solver_types", &l.symbols.types}, {"op2_solver_close", &l.symbols.close},
	} {
		if *s.to, err = instance.Symbol(s.name); err != nil {
			return err
		}
	}
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
	if err := l.call(initialize, unsafe.Pointer(&version)); err != nil {
		return fmt.Errorf("PETSc in %s does not start: %w", l.Dir, err)
	}
	l.Version = strings.ReplaceAll(strings.Trim(fmt.Sprint(version.library), "[]"), " ", ".")
	if version.headers != version.library {
		return &UnsuitableError{l.Dir, fmt.Sprintf("has headers of version %v and a library of version %v", version.headers, version.library)}
	}
	l.apply, l.monitor = purego.NewCallback(l.applied), purego.NewCallback(l.monitored)
	return nil
}

// call calls a function of the shim that returns an error code. Calls take turns.
func (l *Library) call(f uintptr, args ...unsafe.Pointer) error {
	l.turn.take()
	defer l.turn.end()
	// C may call back into Go, whose stack can grow and move: what is stored here is on the heap.
	l.arguments = args
	words := make([]uintptr, len(args))
	for i, a := range args {
		words[i] = uintptr(a)
	}
	code, _, _ := purego.SyscallN(f, words...)
	runtime.KeepAlive(args)
	if code = uintptr(uint32(code)); code == 0 {
		return nil
	}
	text := make([]byte, 1024)
	purego.SyscallN(l.symbols.message, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	return &Error{Code: int(code), Text: line(text)}
}

// line returns a C string as a single line.
func line(text []byte) string {
	s, _, _ := strings.Cut(string(text), "\x00")
	return strings.Join(strings.Fields(s), " ")
}

// turn is a reentrant lock that admits one thread to PETSc at a time: an operator that PETSc
// applies may solve another system.
type turn struct {
	thread uintptr // the C function that returns the calling thread
	mu     sync.Mutex
	holder atomic.Uintptr
	depth  int
}

func (t *turn) take() {
	runtime.LockOSThread()
	self, _, _ := purego.SyscallN(t.thread)
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
