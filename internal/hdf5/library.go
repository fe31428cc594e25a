package hdf5

import (
	"fmt"
	"runtime"
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
	return l, l.in(func() error { return l.do(l.H5open) })
}

// Error is a failure inside the library.
type Error struct {
	Call string // the function that failed
	Text string // what the library says: the cause first
}

func (e *Error) Error() string { return e.Text }

// in does something with the library, alone, and with errors that are not printed: each thread has a switch for that.
func (l *Library) in(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.H5Eset_auto2.Call(everything, 0, 0)
	return f()
}

// id calls a function that returns an identifier or a number, negative on failure.
//
//go:uintptrescapes
func (l *Library) id(f native.Function, args ...uintptr) (id, error) {
	result := id(f.Call(args...))
	if l.narrow {
		result = id(int32(result))
	}
	if result < 0 {
		return result, l.failure(f.Name)
	}
	return result, nil
}

// number calls a function that returns an int, negative on failure.
//
//go:uintptrescapes
func (l *Library) number(f native.Function, args ...uintptr) (int, error) {
	result := int(int32(f.Call(args...)))
	if result < 0 {
		return result, l.failure(f.Name)
	}
	return result, nil
}

// do calls a function that returns an int, which is negative on failure and else means nothing.
//
//go:uintptrescapes
func (l *Library) do(f native.Function, args ...uintptr) error {
	_, err := l.number(f, args...)
	return err
}

// close closes something that was opened, whose close does not fail.
func (l *Library) close(f native.Function, of id) { f.Call(uintptr(of)) }

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
func (l *Library) known(variables ...string) (id, error) {
	if err := l.do(l.H5open); err != nil {
		return 0, err
	}
	var at uintptr
	for _, name := range variables {
		if address, err := l.native.Symbol(name); err == nil && at == 0 {
			at = address
		}
	}
	if at == 0 {
		return 0, fmt.Errorf("%s lacks %s", l.Path, variables[0])
	}
	if l.narrow {
		return id(**(**int32)(unsafe.Pointer(&at))), nil
	}
	return **(**id)(unsafe.Pointer(&at)), nil
}

// properties creates a list of properties of a class; set sets them.
func (l *Library) properties(class string, set func(list id) error) (id, error) {
	of, err := l.known("H5P_CLS_"+class+"_ID_g", "H5P_CLS_"+class+"_g") // the second before 1.10
	if err != nil {
		return 0, err
	}
	list, err := l.id(l.H5Pcreate, uintptr(of))
	if err != nil {
		return 0, err
	}
	if err := set(list); err != nil {
		l.close(l.H5Pclose, list)
		return 0, err
	}
	return list, nil
}

// with calls f with something that open returns, and closes it.
func (l *Library) with(open func() (id, error), close native.Function, f func(id) error) error {
	opened, err := open()
	if err != nil {
		return err
	}
	defer l.close(close, opened)
	return f(opened)
}
