package mpi

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/native"
)

// process holds the process's only MPI.
var process struct {
	sync.Mutex
	library *Library
	users   int // Comms and Retain
	started bool
	ended   bool
	err     error         // why it cannot start
	finish  chan struct{} // closed to finalize MPI on the thread that has initialized it
	done    chan error
	kept    []any // what calls of MPI may still write to
}

// installed returns the library that works with the launcher of the process, or that OP2_MPI_LIBRARY
// names. It does not initialize MPI. The error is a *native.NotFoundError if there is none.
func installed() (*Library, error) {
	if process.library == nil {
		defer native.Guard()()
		l, _ := launch.Detect()
		library, err := find(l)
		if err != nil {
			return nil, err
		}
		process.library = library
	}
	return process.library, nil
}

// ErrEnded is returned by Open when MPI has been finalized.
var ErrEnded = errors.New("MPI has ended with the last Close, and cannot start again in this process" +
	"\n  hint: open the next runtime before the last one is closed")

// retain starts MPI unless it runs, and keeps it until end.
func retain() (*Library, error) {
	process.Lock()
	defer process.Unlock()
	l, err := installed()
	switch {
	case err != nil:
		return nil, err
	case process.ended:
		return nil, ErrEnded
	case process.err != nil:
		return nil, process.err
	case !process.started:
		if err := l.start(); err != nil {
			process.err = err
			return nil, err
		}
		process.started = true
	}
	process.users++
	return l, nil
}

// keep keeps memory that MPI may write to for as long as the process lives.
func keep(memory any) {
	process.Lock()
	defer process.Unlock()
	process.kept = append(process.kept, memory)
}

// end ends a use of MPI. With the last one, MPI is finalized, which waits for all ranks, if
// finalize is true.
func end(finalize bool) error {
	process.Lock()
	defer process.Unlock()
	if process.users--; process.users > 0 || !finalize {
		return nil
	}
	process.ended = true
	close(process.finish)
	return <-process.done
}

// Retain keeps MPI running between one Comm and the next, until the function it returns is called,
// which finalizes MPI unless it is still used.
func Retain() (release func() error, err error) {
	if _, err := retain(); err != nil {
		return nil, err
	}
	return sync.OnceValue(func() error { return end(true) }), nil
}

// start initializes MPI on a thread that finalizes it as well, and checks that it has found the
// other ranks.
func (l *Library) start() error {
	launched, is := launch.Detect()
	if !is {
		defer alone()()
	}
	process.finish, process.done = make(chan struct{}), make(chan error)
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // until the process ends
		err := l.initialize()
		started <- err
		if err != nil {
			return
		}
		<-process.finish
		l.freeElements()
		process.done <- l.call(l.functions.MPI_Finalize)
	}()
	if err := <-started; err != nil {
		return err
	}
	size := new(int32)
	if err := l.call(l.functions.MPI_Comm_size, l.world, uintptr(unsafe.Pointer(size))); err != nil {
		return err
	}
	if *size == 1 && launched.Ranks > 1 {
		close(process.finish)
		<-process.done
		return &MismatchError{launched, l}
	}
	return nil
}

// A MismatchError reports that the processes of a job do not find each other, because the library
// is not that of the launcher.
type MismatchError struct {
	Launch  launch.Launch
	Library *Library
}

func (e *MismatchError) Error() string {
	hint := "start the program with the launcher of the library, or set " + Variable + " to the library of the launcher"
	if os.Getenv(Variable) != "" {
		hint = Variable + " names the library; unset it, or set it to the library of the launcher"
	}
	return fmt.Sprintf("%s has started %d processes, but %s (%s) sees this one alone: it does not belong to the launcher\n  hint: %s",
		e.Launch.Launcher, e.Launch.Ranks, e.Library.Name, e.Library.Path, hint)
}

// initialize calls MPI_Init_thread. Handlers of signals stay those of the program.
func (l *Library) initialize() error {
	defer native.Guard()()
	if err := l.openGlobal(); err != nil {
		return err
	}
	running, provided := new(int32), new(int32)
	if err := l.call(l.functions.MPI_Initialized, uintptr(unsafe.Pointer(running))); err != nil || *running != 0 {
		return err
	}
	// Calls from here take turns, but other libraries may call MPI at the same time.
	if err := l.call(l.functions.MPI_Init_thread, 0, 0, uintptr(l.abi.multiple), uintptr(unsafe.Pointer(provided))); err != nil {
		return fmt.Errorf("%s does not start: %w", l.Name, err)
	}
	if int(*provided) < l.abi.serialized {
		return fmt.Errorf("%s (%s) does not support calls from several threads in turn, MPI_THREAD_SERIALIZED", l.Name, l.Path)
	}
	l.multiple = int(*provided) == l.abi.multiple
	for _, c := range []uintptr{l.world, l.self} { // self has errors without a communicator, since MPI 4
		if err := l.call(l.functions.MPI_Comm_set_errhandler, c, l.returns); err != nil {
			return err
		}
	}
	return nil
}

// alone keeps an Open MPI that no launcher has started from looking for others, in networks or
// shared memory. What it sets in the environment is removed by the function it returns, since it
// is not meant for programs that this one starts.
func alone() (restore func()) {
	var set []string
	for name, value := range map[string]string{
		"OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self", "OMPI_MCA_osc": "^ucx,rdma",
		"OMPI_MCA_orte_create_session_dirs": "0",
	} {
		if _, is := os.LookupEnv(name); !is {
			os.Setenv(name, value)
			set = append(set, name)
		}
	}
	return func() {
		for _, name := range set {
			os.Unsetenv(name)
		}
	}
}
