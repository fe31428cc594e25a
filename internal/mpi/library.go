package mpi

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/comm"
	"github.com/go-op2/op2/internal/dl"
	"github.com/go-op2/op2/internal/launch"
	"github.com/go-op2/op2/internal/loop"
)

// A Library is a loaded MPI library.
type Library struct {
	Name    string // "Open MPI 4.1.4"
	Version string // what the library says of itself
	Path    string
	Family  launch.Family
	ABI     string // "Open MPI's", "MPICH's", "the standard"

	abi       *abi
	dl        uintptr
	functions functions
	world     uintptr // predefined handles
	self      uintptr
	bytes     uintptr
	returns   uintptr
	types     map[loop.Scalar]uintptr
	ops       map[loop.Access]uintptr
	elements  elements

	mu       sync.Mutex // of all calls
	multiple bool       // calls of several threads need not take turns
}

// functions are the MPI functions that the binding uses.
type functions struct {
	version, errorString, errorClass                                            uintptr
	init, finalize, abort, initialized                                          uintptr
	rank, size, duplicate, free, handler, attribute                             uintptr
	sendInit, receiveInit, startAll, testAll, count, freeRequest, requestStatus uintptr
	sendSync, receive, probe, barrier, reduce, broadcast                        uintptr
	newOp, newType, commitType, freeOp, freeType                                uintptr
}

// load loads a library and finds out what it is. Its own libraries may install signal handlers.
func load(path string) (*Library, error) {
	handle, err := dl.Open(path)
	if err != nil {
		return nil, err
	}
	l := &Library{Path: path, dl: handle}
	if err := l.bind(); err != nil {
		l.unload()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

func (l *Library) unload() { dl.Close(l.dl) }

// bind looks up the functions and handles.
func (l *Library) bind() error {
	f := &l.functions
	for _, f := range []struct {
		name string
		to   *uintptr
	}{
		{"Get_library_version", &f.version}, {"Error_string", &f.errorString}, {"Error_class", &f.errorClass},
		{"Init_thread", &f.init}, {"Finalize", &f.finalize}, {"Abort", &f.abort}, {"Initialized", &f.initialized},
		{"Comm_rank", &f.rank}, {"Comm_size", &f.size}, {"Comm_idup", &f.duplicate}, {"Comm_free", &f.free},
		{"Comm_set_errhandler", &f.handler}, {"Comm_get_attr", &f.attribute},
		{"Send_init", &f.sendInit}, {"Recv_init", &f.receiveInit}, {"Startall", &f.startAll}, {"Testall", &f.testAll},
		{"Get_count", &f.count}, {"Request_free", &f.freeRequest}, {"Request_get_status", &f.requestStatus},
		{"Issend", &f.sendSync}, {"Irecv", &f.receive}, {"Iprobe", &f.probe},
		{"Ibarrier", &f.barrier}, {"Iallreduce", &f.reduce}, {"Ibcast", &f.broadcast},
		{"Op_create", &f.newOp}, {"Type_contiguous", &f.newType}, {"Type_commit", &f.commitType},
		{"Op_free", &f.freeOp}, {"Type_free", &f.freeType},
	} {
		address, err := dl.Symbol(l.dl, "MPI_"+f.name)
		if err != nil {
			return fmt.Errorf("the function MPI_%s of MPI 3 is missing: %w", f.name, err)
		}
		*f.to = address
	}
	if path := dl.Path(f.version); path != "" {
		l.Path = path
	}
	text := make([]byte, 16384) // at least MPI_MAX_LIBRARY_VERSION_STRING
	length := new(int32)
	call(f.version, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(length)))
	l.Version = line(text)
	l.Name, l.Family = identify(l.Version)
	return l.choose()
}

// line returns a C string as a single line.
func line(text []byte) string {
	s, _, _ := strings.Cut(string(text), "\x00")
	return strings.Join(strings.Fields(s), " ")
}

// makers are patterns of what libraries say of themselves, with their names and versions.
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

// identify returns the name and the family of a library from what it says of itself.
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
	_, err := dl.Symbol(l.dl, commWorld)
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
		address, missing := dl.Symbol(l.dl, name)
		if missing != nil {
			err = missing
		}
		return address
	}
	err = nil
	l.world, l.self, l.bytes, l.returns = handle(commWorld), handle(commSelf), handle(typeByte), handle(errorsReturn)
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
func (l *Library) call(f uintptr, args ...uintptr) error {
	l.mu.Lock()
	code := call(f, args...)
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
	call(l.functions.errorString, uintptr(code), data(text), uintptr(unsafe.Pointer(length)))
	call(l.functions.errorClass, uintptr(code), uintptr(unsafe.Pointer(class)))
	return &Error{*class, fmt.Sprintf("%s: %s", l.Name, line(text))}
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
	err := l.call(l.functions.count, uintptr(unsafe.Pointer(&s[0])), l.bytes, uintptr(unsafe.Pointer(n)))
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
	err := l.call(l.functions.testAll, uintptr(r.n), r.at(0), uintptr(unsafe.Pointer(flag)), to)
	return *(*int32)(unsafe.Pointer(flag)) != 0, err
}

// ended reports whether a request has ended, and leaves it as it is.
func (l *Library) ended(r requests, i int) bool {
	flag := new(int32)
	request := new(uint64)
	l.mu.Lock() // another goroutine may end it
	defer l.mu.Unlock()
	copy(unsafe.Slice((*byte)(unsafe.Pointer(request)), r.size), unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(r.memory))), 8*len(r.memory))[uintptr(i)*r.size:])
	code := call(l.functions.requestStatus, l.handle(request), uintptr(unsafe.Pointer(flag)), uintptr(l.abi.ignoreStatus))
	return code == 0 && *flag != 0
}

// checkTags returns an error if the library has too few tags.
func (l *Library) checkTags() error {
	value, is := new(*int32), new(int32)
	err := l.call(l.functions.attribute, l.world, uintptr(l.abi.tagBound), uintptr(unsafe.Pointer(value)), uintptr(unsafe.Pointer(is)))
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
	_, err := dl.OpenMode(l.Path, global)
	return err
}
