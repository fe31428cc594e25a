package mpi

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/native"
)

// A Library is a loaded MPI library.
type Library struct {
	Name    string // "Open MPI 4.1.4"
	Version string // what the library says of itself
	Path    string
	Family  launch.Family
	ABI     string // "Open MPI's", "MPICH's", "the standard"

	abi       *abi
	loaded    *native.Library
	functions functions
	world     uintptr // predefined handles
	self      uintptr
	bytes     uintptr
	returns   uintptr
	noInfo    uintptr // 0: unknown
	types     map[loop.Scalar]uintptr
	ops       map[loop.Access]uintptr
	elements  elements

	mu       sync.Mutex // of all calls
	multiple bool       // calls of several threads need not take turns
}

// functions are the MPI functions that the binding uses.
type functions struct {
	MPI_Get_library_version, MPI_Error_string, MPI_Error_class, MPI_Init_thread, MPI_Finalize           native.Function
	MPI_Initialized, MPI_Comm_rank, MPI_Comm_size, MPI_Comm_idup, MPI_Comm_free                         native.Function
	MPI_Comm_split                                                                                      native.Function
	MPI_Comm_set_errhandler, MPI_Comm_get_attr, MPI_Send_init, MPI_Recv_init, MPI_Startall, MPI_Testall native.Function
	MPI_Get_count, MPI_Request_free, MPI_Request_get_status, MPI_Issend, MPI_Irecv, MPI_Iprobe          native.Function
	MPI_Ibarrier, MPI_Iallreduce, MPI_Ibcast, MPI_Op_create, MPI_Type_contiguous, MPI_Type_commit       native.Function
	MPI_Op_free, MPI_Type_free                                                                          native.Function
}

// identifyLibrary looks up the functions and handles of a library, and identifies it.
func identifyLibrary(loaded *native.Library) (*Library, error) {
	l := &Library{Path: loaded.Path, loaded: loaded}
	if err := loaded.Bind(&l.functions); err != nil {
		return nil, err
	}
	if path := l.functions.MPI_Get_library_version.LibraryPath(); path != "" {
		l.Path = path
	}
	text := make([]byte, 16384) // at least MPI_MAX_LIBRARY_VERSION_STRING
	length := new(int32)
	l.functions.MPI_Get_library_version.Call(uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(length)))
	l.Version = native.Line(text)
	l.Name, l.Family = identify(l.Version)
	return l, l.choose()
}

// makers are patterns of the version strings of libraries, for their names and versions.
var makers = []struct {
	pattern *regexp.Regexp
	family  launch.Family
}{
	{regexp.MustCompile(`^(Open MPI) v([^ ,]*)`), launch.OpenMPI},
	{regexp.MustCompile(`(Intel\(R\) MPI Library) (\S*)`), launch.MPICH},
	{regexp.MustCompile(`(CRAY MPICH) version (\S*)`), launch.MPICH},
	{regexp.MustCompile(`(MVAPICH\d*) Version ?: *(\S*)`), launch.MPICH},
	{regexp.MustCompile(`(MPICH) Version ?: *(\S*)`), launch.MPICH},
}

// identify returns the name and the family of a library from its version string.
func identify(version string) (name string, family launch.Family) {
	for _, m := range makers {
		if found := m.pattern.FindStringSubmatch(version); found != nil {
			return found[1] + " " + found[2], m.family
		}
	}
	words := strings.Fields(version)
	return strings.Join(words[:min(4, len(words))], " "), launch.AnyMPI
}

// choose chooses the ABI of the library, and looks up its predefined handles.
func (l *Library) choose() error {
	_, err := l.loaded.Symbol(commWorld)
	switch {
	case strings.HasPrefix(filepath.Base(l.Path), "libmpi_abi"):
		l.abi = &standard
	case err == nil:
		l.abi = &openMPI
	case l.Family == launch.MPICH:
		l.abi = &mpich
	default:
		return fmt.Errorf("it is %q, which is neither Open MPI, nor derived from MPICH, nor a libmpi_abi", l.Name)
	}
	l.ABI = l.abi.name
	handle := func(name string) uintptr {
		if l.abi.handles != nil {
			return l.abi.handles[name]
		}
		address, missing := l.loaded.Symbol(name)
		if missing != nil {
			err = missing
		}
		return address
	}
	err = nil
	l.world, l.self, l.bytes, l.returns, l.noInfo = handle(commWorld), handle(commSelf), handle(typeByte), handle(errorsReturn), handle(noInfo)
	l.types, l.ops = map[loop.Scalar]uintptr{}, map[loop.Access]uintptr{}
	for scalar, name := range types {
		l.types[scalar] = handle(name)
	}
	for access, name := range ops {
		l.ops[access] = handle(name)
	}
	return err
}

// call calls a function that returns an error code. Calls take turns.
//
//go:uintptrescapes
func (l *Library) call(f native.Function, args ...uintptr) error {
	l.mu.Lock()
	code := int32(f.Call(args...))
	l.mu.Unlock()
	if code == 0 {
		return nil
	}
	return l.error(code)
}

// An Error is a failure inside MPI.
type Error struct {
	Class int32 // MPI's error class
	Text  string
}

func (e *Error) Error() string { return e.Text }

func (l *Library) error(code int32) error {
	text := make([]byte, 4096) // at least MPI_MAX_ERROR_STRING
	length, class := new(int32), new(int32)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.functions.MPI_Error_string.Call(uintptr(code), data(text), uintptr(unsafe.Pointer(length)))
	l.functions.MPI_Error_class.Call(uintptr(code), uintptr(unsafe.Pointer(class)))
	return &Error{*class, fmt.Sprintf("%s: %s", l.Name, native.Line(text))}
}

// A status describes a message that has come or may be received.
type status []byte

func (l *Library) newStatuses(n int) []byte { return make([]byte, n*l.abi.status) }

func (l *Library) statusOf(statuses []byte, i int) status {
	return status(statuses[i*l.abi.status : (i+1)*l.abi.status])
}

func (s status) field(at int) int { return int(*(*int32)(unsafe.Pointer(&s[at]))) }

// length returns the bytes of the message.
func (l *Library) length(s status) (int, error) {
	n := new(int32)
	err := l.call(l.functions.MPI_Get_count, uintptr(unsafe.Pointer(&s[0])), l.bytes, uintptr(unsafe.Pointer(n)))
	return int(*n), err
}

// handle returns a handle that MPI has written.
func (l *Library) handle(at *uint64) uintptr {
	if l.abi.handle == 4 {
		return uintptr(*(*uint32)(unsafe.Pointer(at)))
	}
	return uintptr(*at)
}

// requests are handles of requests, in memory that MPI writes, and a flag.
type requests struct {
	memory []uint64
	size   uintptr // of a handle
	n      int
}

func (l *Library) newRequests(n int) requests {
	return requests{make([]uint64, n+1), uintptr(l.abi.handle), n}
}

// at returns the address of a request, which is not moved.
func (r requests) at(i int) uintptr {
	return uintptr(unsafe.Pointer(unsafe.SliceData(r.memory))) + uintptr(i)*r.size
}

// test reports whether all requests have ended, and then describes them in statuses, if not nil.
func (l *Library) test(r requests, statuses []byte) (bool, error) {
	if r.n == 0 {
		return true, nil
	}
	flag := &r.memory[r.n]
	*flag = 0
	to := uintptr(l.abi.ignoreStatus)
	if statuses != nil {
		to = data(statuses)
	}
	err := l.call(l.functions.MPI_Testall, uintptr(r.n), r.at(0), uintptr(unsafe.Pointer(flag)), to)
	return *(*int32)(unsafe.Pointer(flag)) != 0, err
}

// ended reports whether a request has ended, and leaves it as it is.
func (l *Library) ended(r requests, i int) bool {
	flag := new(int32)
	request := new(uint64)
	l.mu.Lock() // another goroutine may end it
	defer l.mu.Unlock()
	copy(unsafe.Slice((*byte)(unsafe.Pointer(request)), r.size), unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(r.memory))), 8*len(r.memory))[uintptr(i)*r.size:])
	code := int32(l.functions.MPI_Request_get_status.Call(l.handle(request), uintptr(unsafe.Pointer(flag)), uintptr(l.abi.ignoreStatus)))
	return code == 0 && *flag != 0
}

// checkTags returns an error if the library has too few tags.
func (l *Library) checkTags() error {
	value, is := new(*int32), new(int32)
	err := l.call(l.functions.MPI_Comm_get_attr, l.world, uintptr(l.abi.tagBound), uintptr(unsafe.Pointer(value)), uintptr(unsafe.Pointer(is)))
	if err != nil {
		return err
	}
	if *is == 0 || int(**value) < consensusTag(1, comm.MaxTag) {
		return fmt.Errorf("%s has too few tags for messages: %d are needed", l.Name, consensusTag(1, comm.MaxTag)+1)
	}
	return nil
}

// data returns the address of bytes, which are not on a stack.
func data(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// openGlobal makes the symbols of the library visible to the plug-ins that Open MPI loads.
func (l *Library) openGlobal() error {
	if l.abi != &openMPI {
		return nil
	}
	_, err := native.Open(l.Path, native.Global)
	return err
}
