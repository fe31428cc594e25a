package hdf5

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-op2/op2/internal/native"
)

// Library is a loaded libhdf5.
type Library struct {
	Path    string
	Version string // "1.10.8"

	native *native.Library
	functions
	parallel parallel // zero: a serial build
	narrow   bool     // identifiers have 32 bits
	take     uintptr  // a Go function that C calls: see took
	mu       sync.Mutex
	stack    []string // messages of the call that has failed, the cause first
}

// functions are those of the library.
type functions struct {
	H5open, H5get_libversion, H5Eset_auto2, H5Eclear2, H5Ewalk2                                                                     native.Function
	H5Fcreate, H5Fopen, H5Fclose                                                                                                    native.Function
	H5Gcreate2, H5Gopen2, H5Gclose, H5Lcreate_soft, H5Gget_info, H5Lget_name_by_idx, H5Lexists, H5Oopen, H5Oclose, H5Iget_type      native.Function
	H5Dcreate2, H5Dopen2, H5Dclose, H5Dread, H5Dwrite, H5Dget_space, H5Dget_type, H5Dset_extent                                     native.Function
	H5Screate, H5Screate_simple, H5Sclose, H5Sget_simple_extent_ndims, H5Sget_simple_extent_dims                                    native.Function
	H5Sselect_hyperslab, H5Sselect_none                                                                                             native.Function
	H5Acreate2, H5Aopen, H5Aexists, H5Adelete, H5Aread, H5Awrite, H5Aclose, H5Aget_type, H5Aget_space                               native.Function
	H5Pcreate, H5Pclose, H5Pset_chunk, H5Pset_deflate, H5Pset_shuffle, H5Pset_create_intermediate_group, H5Pset_link_creation_order native.Function
	H5Tcreate, H5Tcopy, H5Tinsert, H5Tclose, H5Tpack, H5Tset_size, H5Tget_size, H5Tget_class                                        native.Function
	H5Tget_sign, H5Tget_nmembers, H5Tget_member_name, H5Tget_member_type, H5Tget_super, H5free_memory                               native.Function
	H5Tarray_create2, H5Tget_array_ndims, H5Tget_array_dims2, H5Tenum_create, H5Tenum_insert                                        native.Function
	H5Tis_variable_str, H5Tconvert, H5Tequal                                                                                        native.Function
}

// parallel are further functions of parallel builds.
type parallel struct{ H5Pset_fapl_mpio, H5Pset_dxpl_mpio native.Function }

// id is an identifier of the library, hid_t, or a small result.
type id int64

// everything is H5P_DEFAULT, H5S_ALL and H5E_DEFAULT.
const everything = 0

func bind(found *native.Library) (*Library, error) {
	l := &Library{Path: found.Path, native: found}
	if err := found.Bind(&l.functions); err != nil {
		return nil, err
	}
	if path := l.H5open.LibraryPath(); path != "" {
		l.Path = path
	}
	var version [3]uint32
	l.H5get_libversion.Call(uintptr(unsafe.Pointer(&version[0])), uintptr(unsafe.Pointer(&version[1])), uintptr(unsafe.Pointer(&version[2])))
	l.Version = strings.ReplaceAll(strings.Trim(fmt.Sprint(version), "[]"), " ", ".")
	l.narrow = version[0] == 1 && version[1] < 10
	if found.Bind(&l.parallel) != nil {
		l.parallel = parallel{}
	}
	l.take = native.Callback(l.took)
	return l, l.in(func(s *session) { s.do(s.H5open) })
}

// Error is a failure inside the library.
type Error struct {
	Call string // the function that failed
	Text string // what the library says: the cause first
}

func (e *Error) Error() string { return e.Text }

// in makes calls of the library, alone, and with errors that are not printed: each thread has a switch for that.
func (l *Library) in(do func(s *session)) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.H5Eset_auto2.Call(everything, 0, 0)
	return (&session{Library: l}).within(do)
}

// session is a run of calls of the library, up to the first that fails: those after it do nothing and return 0.
type session struct {
	*Library
	err    error
	closes []func() // what was opened
}

// within makes calls in a session of their own: what they have opened is closed, the last first.
func (s *session) within(do func(s *session)) error {
	in := &session{Library: s.Library, err: s.err}
	defer func() {
		for _, c := range slices.Backward(in.closes) {
			c()
		}
	}()
	do(in)
	return in.err
}

// fail ends the session by an error, unless it is nil or not the first.
func (s *session) fail(err error) { s.err = cmp.Or(s.err, err) }

// id calls a function that returns an identifier or a number, negative on failure.
//
//go:uintptrescapes
func (s *session) id(f native.Function, args ...uintptr) id {
	if s.err != nil {
		return 0
	}
	result := id(f.Call(args...))
	if s.narrow {
		result = id(int32(result))
	}
	if result < 0 {
		s.err = s.failure(f.Name)
		return 0
	}
	return result
}

// number calls a function that returns an int, negative on failure.
//
//go:uintptrescapes
func (s *session) number(f native.Function, args ...uintptr) int {
	if s.err != nil {
		return 0
	}
	result := int(int32(f.Call(args...)))
	if result < 0 {
		s.err = s.failure(f.Name)
		return 0
	}
	return result
}

// do calls a function that returns an int, which is negative on failure and else means nothing.
//
//go:uintptrescapes
func (s *session) do(f native.Function, args ...uintptr) { s.number(f, args...) }

// open calls a function that opens something, which the other closes at the end of the session without failing.
//
//go:uintptrescapes
func (s *session) open(close, f native.Function, args ...uintptr) id {
	opened := s.id(f, args...)
	if s.err == nil {
		s.closes = append(s.closes, func() { close.Call(uintptr(opened)) })
	}
	return opened
}

// cString returns the address of a text that ends as those of C do.
func cString(text string) unsafe.Pointer { return unsafe.Pointer(unsafe.StringData(text + "\x00")) }

// failure returns the error of the last call.
func (l *Library) failure(call string) error {
	l.stack = nil
	const upward = 0 // from the cause to the function that was called
	l.H5Ewalk2.Call(everything, upward, l.take, 0)
	l.H5Eclear2.Call(everything)
	e := &Error{Call: call, Text: call + " failed"}
	if len(l.stack) > 0 {
		e.Text = l.stack[0]
	}
	if n := len(l.stack); n > 1 && l.stack[n-1] != l.stack[0] {
		e.Text += " (" + l.stack[n-1] + ")"
	}
	return e
}

// took takes a message of the library's stack: an H5E_error2_t.
func (l *Library) took(_, entry, _ uintptr) uintptr {
	description := uintptr(48)
	if l.narrow {
		description = 32
	}
	field := entry + description
	at := **(**uintptr)(unsafe.Pointer(&field))
	if text := strings.Join(strings.Fields(native.TextAt(at)), " "); text != "" {
		l.stack = append(l.stack, text)
	}
	return 0
}

// known returns the identifier in a variable of the library, which it sets when it starts: in the first of the names that
// there is.
func (s *session) known(variables ...string) id {
	s.do(s.H5open)
	var at uintptr
	for _, name := range variables {
		if address, err := s.native.Symbol(name); err == nil && at == 0 {
			at = address
		}
	}
	switch {
	case s.err != nil:
		return 0
	case at == 0:
		s.fail(fmt.Errorf("%s lacks %s", s.Path, variables[0]))
		return 0
	case s.narrow:
		return id(**(**int32)(unsafe.Pointer(&at)))
	}
	return **(**id)(unsafe.Pointer(&at))
}

// properties creates a list of properties of a class.
func (s *session) properties(class string) id {
	of := s.known("H5P_CLS_"+class+"_ID_g", "H5P_CLS_"+class+"_g") // the second before 1.10
	return s.open(s.H5Pclose, s.H5Pcreate, uintptr(of))
}
