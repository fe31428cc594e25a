// Package native finds, binds and calls native libraries at run time, without cgo, and protects the
// program's signal handlers from them.
//
// A [Search] finds a library and says, if there is none, what it looked for; [Library.Bind] looks up
// its functions, and [Function.Call] calls one.
package native

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// A Library is a loaded library. It stays loaded for as long as the process runs, unless it is
// closed.
type Library struct {
	Path   string // as passed to the loader
	handle uintptr
}

// Open loads a library by its path, or by a name that the loader can find, with further flags of the
// platform.
func Open(path string, flags ...int) (*Library, error) {
	handle, err := load(path, flags)
	if err != nil {
		return nil, err
	}
	return &Library{path, handle}, nil
}

// Close releases the library. The loader unloads it once it has been closed as often as opened.
func (l *Library) Close() error { return unload(l.handle) }

// Symbol returns the address of a function or variable.
func (l *Library) Symbol(name string) (uintptr, error) { return symbol(l.handle, name) }

// Bind looks up functions: see [Bind].
func (l *Library) Bind(functions any) error {
	if missing := Bind(functions, l.Symbol); missing != nil {
		return fmt.Errorf("%s lacks %w", l.Path, missing)
	}
	return nil
}

// A Function is a function of C.
type Function struct {
	Name    string
	Address uintptr // 0: not bound
}

// Exists reports whether the function has been bound.
func (f Function) Exists() bool { return f.Address != 0 }

// Call calls the function: see [Call].
//
//go:uintptrescapes
func (f Function) Call(args ...uintptr) uintptr { return call(f.Address, args) }

// Call calls the function at an address with up to 15 integers and addresses, and returns its result.
// What addresses lead to in Go's memory escapes to the heap and is not moved during the call, where the
// argument itself converts the pointer.
//
//go:uintptrescapes
func Call(function uintptr, args ...uintptr) uintptr { return call(function, args) }

// LibraryPath returns the path of the library that has the function; "" if that is unknown.
func (f Function) LibraryPath() string { return pathOf(f.Address) }

// Bind looks up the functions for which a struct has fields of type Function, by their names. The
// error lists those that are missing.
func Bind(functions any, symbol func(name string) (uintptr, error)) error {
	var missing []string
	to := reflect.ValueOf(functions).Elem()
	for i := range to.NumField() {
		name := to.Type().Field(i).Name
		address, err := symbol(name)
		if err != nil {
			missing = append(missing, name)
			continue
		}
		*(*Function)(to.Field(i).Addr().UnsafePointer()) = Function{name, address}
	}
	const most = 4
	switch n := len(missing); {
	case n == 0:
		return nil
	case n > most:
		missing = append(missing[:most:most], fmt.Sprintf("and %d others", n-most))
	}
	return fmt.Errorf("%s", strings.Join(missing, ", "))
}

// Text returns the C string at the start of bytes.
func Text(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}

// Line returns the C string at the start of bytes as a single line.
func Line(b []byte) string { return strings.Join(strings.Fields(Text(b)), " ") }

// CString returns s as a C string.
func CString(s string) []byte { return append([]byte(s), 0) }

// TextAt returns the C string at an address, which is not in Go's memory; "" for NULL.
func TextAt(address uintptr) string {
	var b strings.Builder
	p := *(**byte)(unsafe.Pointer(&address))
	for ; p != nil && *p != 0; p = (*byte)(unsafe.Add(unsafe.Pointer(p), 1)) {
		b.WriteByte(*p)
	}
	return b.String()
}
