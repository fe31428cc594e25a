package fromgo

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-op2/op2/internal/kernel"
)

// refusals are sources of a kernel k, on line 3 of its file, and the error.
var refusals = []struct{ name, source, want string }{
	{"go statement", `func k(p *float64) { go f(p) }; func f(p *float64) {}`, `
k.go:3:22: a go statement
  hint: a kernel is the work for one element; the loop runs the elements in parallel`},
	{"defer", `func k(p *float64) { defer f(p) }; func f(p *float64) {}`, `
k.go:3:22: a defer statement
  hint: write the call where the function ends`},
	{"select", `func k(p *float64) { select {} }`, `
k.go:3:22: a select statement
  hint: a kernel is the work for one element; the loop runs the elements in parallel`},
	{"goto", `func k(p *float64) { goto end; end: }`, `
k.go:3:22: a goto statement
  hint: write a loop, or a labeled break or continue`},
	{"channels", `func k(p *float64) { c := make(chan float64); c <- 1; *p = <-c }`, `
k.go:3:27: a call of make
  hint: use an array, of the greatest length if it varies: var a [n]float64
k.go:3:47: a send to a channel
  hint: a kernel is the work for one element; the loop runs the elements in parallel
k.go:3:60: a receive from a channel
  hint: a kernel is the work for one element, without communication`},
	{"type switch", `func k(p *float64) { var x any = *p; switch x.(type) {} }`, `
k.go:3:28: an interface, any
  hint: use a numeric type
k.go:3:38: a type switch
  hint: types are fixed in a kernel: write one function for each`},
	{"type assertion", `func k(p *float64) { var x any = *p; *p = x.(float64) }`, `
k.go:3:28: an interface, any
  hint: use a numeric type
k.go:3:43: a type assertion
  hint: types are fixed in a kernel: use a numeric type`},
	{"function literal", `func k(p *float64) { f := func() {}; f() }`, `
k.go:3:27: a function literal
  hint: write a top-level function in the same file, and call it`},
	{"function value", `func f() {}; func k(p *float64) { g := f; g() }`, `
k.go:3:40: a function as a value
  hint: call top-level functions by their names`},
	{"function parameter", `func k(p *float64) { call(f) }; func f() {}; func call(g func()) { g() }`, `
k.go:3:27: a function as a value
  hint: call top-level functions by their names
k.go:3:56: parameter g is a function as a value
  hint: call top-level functions by their names`},
	{"math function value", `func k(p *float64) { f := math.Sqrt; *p = f(*p) }`, `
k.go:3:27: a function as a value
  hint: call top-level functions by their names`},
	{"slice", `func k(p *[4]float64) { s := p[1:3]; s[0] = 1 }`, `
k.go:3:30: a part of an array as a slice
  hint: give a function the whole array, and the first index`},
	{"slice of itself", `type tree []struct{ kids tree }; func k(p *float64) { var t tree; *p = float64(len(t)) }`, `
k.go:3:61: a slice, tree
  hint: use an array of numbers`},
	{"slices of slices", `func k(p *float64) { var t [][]float64; var u [][2]float64; *p = float64(len(t) + len(u)) }`, `
k.go:3:28: a slice, [][]float64
  hint: use an array of numbers
k.go:3:47: a slice, [][2]float64
  hint: use an array, [n][2]float64`},
	{"slice literal", `func k(p *float64) { for i, x := range []float64{1, 2} { *p += x * float64(i) } }`, `
k.go:3:40: a slice, []float64
  hint: use an array, [n]float64`},
	{"make and append", `func k(p *float64) { s := make([]float64, 3); s = append(s, 1); *p = s[0] }`, `
k.go:3:27: a call of make
  hint: use an array, of the greatest length if it varies: var a [n]float64
k.go:3:51: a call of append
  hint: slices have fixed lengths: use an array of the greatest length, and a count`},
	{"new", `func k(p *float64) { q := new(float64); *p = *q }`, `
k.go:3:27: a call of new
  hint: declare a variable, var x float64, and give &x to a function`},
	{"map", `func k(p *float64) { m := map[int]float64{}; m[1] = *p }`, `
k.go:3:27: a map, map[int]float64
  hint: use an array`},
	{"string", `func k(p *float64) { s := "hello"; if s == "x" { *p = 1 } }`, `
k.go:3:27: a string
  hint: kernels compute with numbers: use an int for a choice`},
	{"panic", `func k(p *float64) { if *p < 0 { panic("negative") } }`, `
k.go:3:34: a call of panic
  hint: let the kernel set a flag in a Global, and look at it after the loop`},
	{"what is printed", `func k(p *float64) { println(map[int]int{}, "a"); n, _ := fmt.Println("b"); *p = float64(n) }`, `
k.go:3:30: a map, map[int]int
  hint: use an array
k.go:3:59: fmt.Println is not available to kernels
  hint: of Go's packages, kernels have math, and fmt's Print, Printf and Println: write the function in the kernel's file`},
	{"parts of slices", `func k(p *[2]float64, x []float64) { var a [2]float64; f(a[:1]); f(p[1:]); f(x[:1:1]); f((x)[0:]) }; func f(s []float64) { s[0] = 1 }`, `
k.go:3:58: a part of an array as a slice
  hint: give a function the whole array, &a, and the first index
k.go:3:68: a part of an array as a slice
  hint: give a function the whole array, and the first index
k.go:3:78: a part of a slice
  hint: give a function the whole slice, and the first index
k.go:3:90: a part of a slice
  hint: give a function the whole slice, and the first index`},
	{"slices that are made or changed", `func k(x []float64, y [][]float64) { x = y[0]; y[0] = x; var z = x; z = x; w, z := z, x; for _, z = range y {}; _ = w }`, `
k.go:3:38: an assignment to the slice itself
  hint: assign to its values: copy(x, y), or x[i] = y[i]; or give it a new name, z := y
k.go:3:48: an assignment to the slice itself
  hint: assign to its values: copy(x, y), or x[i] = y[i]; or give it a new name, z := y
k.go:3:69: an assignment to the slice itself
  hint: assign to its values: copy(x, y), or x[i] = y[i]; or give it a new name, z := y
k.go:3:79: an assignment to the slice itself
  hint: assign to its values: copy(x, y), or x[i] = y[i]; or give it a new name, z := y
k.go:3:97: an assignment to the slice itself
  hint: assign to its values: copy(x, y), or x[i] = y[i]; or give it a new name, z := y`},
	{"slices as values", `type s struct { v []float64 }; func k(x []float64) { a := s{x}; y := append(x, 1); b := [1][]float64{x}; _ = f(x); type vec []float64; _ = vec(x); _, _, _ = a, b, y }; func f(x []float64) []float64 { return x }`, `
k.go:3:59: a slice, []float64 as a field
  hint: use an array, [n]float64
k.go:3:70: a call of append
  hint: slices have fixed lengths: use an array of the greatest length, and a count
k.go:3:89: a slice, []float64
  hint: use an array, [n]float64
k.go:3:140: a conversion of a slice
  hint: declare the parameter with the type that it is used as
k.go:3:189: a result is a slice, []float64
  hint: use an array, [n]float64
k.go:3:208: a slice as a result
  hint: give the function the slice that it is to fill`},
	{"slices of too many levels", `func k(x [][][]float64, s []string, p *[]float64, q [][2][2]float64, b []bool) { f(x); g(v{}) }; type v []v; func f(x [][][]float64) {}; func g(y v) {}`, `
k.go:3:8: parameter x of kernel k is a slice of three levels, [][][]float64
  hint: use []T, or [][]T through a whole map
k.go:3:25: parameter s is a string
  hint: kernels compute with numbers: use an int for a choice
k.go:3:37: parameter p is a slice, []float64
  hint: use an array, [n]float64
k.go:3:90: a slice, v
  hint: use an array of numbers
k.go:3:117: parameter x is a slice, [][][]float64
  hint: use at most two levels, [][]T
k.go:3:145: parameter y is a slice, v
  hint: use an array of numbers`},
	{"copy and clear", `func k(x []float64, y [][]float64) { n := copy(x, y[0]); y[0][0] = float64(n); copy(y, y); clear(y); var m map[int]int; clear(m) }`, `
k.go:3:43: the result of copy
  hint: call it as a statement: len says how much there is
k.go:3:80: a call of copy for slices of slices
  hint: call it for each row
k.go:3:92: a call of clear for slices of slices
  hint: call it for each row
k.go:3:108: a map, map[int]int
  hint: use an array`},
	{"method expressions", `type v struct{ x float64 }; func (a v) norm() float64 { return a.x }; func (a *v) grow() { a.x++ }; func k(p *v) { p.x = v.norm(*p); (*v).grow(p); f := v.norm; _ = f }`, `
k.go:3:122: method norm of a type instead of a value
  hint: call it of a value, as x.norm()
k.go:3:134: method grow of a type instead of a value
  hint: call it of a value, as x.grow()
k.go:3:153: method norm of a type instead of a value
  hint: call it of a value, as x.norm()`},
	{"switch on a complex number", `func k(p *complex64) { switch *p { case 1i: *p = 0 } }`, `
k.go:3:31: a switch on a complex64
  hint: switch on a number in it`},
	{"uintptr", `func k(p *float64) { x := uintptr(1 + *p); *p = float64(x) }`, `
k.go:3:27: a uintptr
  hint: use uint64`},
	{"pointer variable", `func k(p *[2]float64) { q := &p[0]; *q = 1 }`, `
k.go:3:30: a pointer in a variable
  hint: only parameters are pointers: use them directly, or copy the value`},
	{"pointer declared", `func k(p *[2]float64) { var q *float64 = &p[0]; *q = 1 }`, `
k.go:3:31: a pointer
  hint: only parameters are pointers: use the value itself, or an index into an array
k.go:3:42: a pointer in a variable
  hint: only parameters are pointers: use them directly, or copy the value`},
	{"pointer assigned", `func k(p, q *float64) { p = q; *p = 1 }`, `
k.go:3:25: an assignment to the pointer itself
  hint: assign to what it points to, *p = ..., or use another parameter`},
	{"pointer compared", `func k(p, q *float64) { if p == q { *p = 1 }; f(p, nil) }; func f(p, q *float64) { if p != nil { *p = 2 } }`, `
k.go:3:30: a comparison of pointers
  hint: say by a bool or a number what is to be known
k.go:3:52: nil
  hint: kernels have no nil: use a bool or a number to say that something is missing
k.go:3:89: a comparison of pointers
  hint: say by a bool or a number what is to be known`},
	{"nil", `func k(p *float64) { f(nil) }; func f(p *float64) {}`, `
k.go:3:24: nil
  hint: kernels have no nil: use a bool or a number to say that something is missing`},
	{"pointer result", `func k(p *float64) { *at(p) = 1 }; func at(p *float64) *float64 { return p }`, `
k.go:3:56: a result is a pointer
  hint: only parameters are pointers: use the value itself, or an index into an array
k.go:3:74: a pointer as a result
  hint: return the value itself`},
	{"pointer in a struct", `type s struct{ p *float64 }; func k(p *float64) { x := s{p}; *x.p = 1 }`, `
k.go:3:56: a pointer as a field
  hint: only parameters are pointers: use the value itself, or an index into an array`},
	{"pointer to a pointer", `func k(p *float64) { f(&p) }; func f(p **float64) { **p = 1 }`, `
k.go:3:24: a pointer
  hint: only parameters are pointers: use the value itself, or an index into an array
k.go:3:38: parameter p is a pointer
  hint: only parameters are pointers: use the value itself, or an index into an array
k.go:3:55: a pointer
  hint: only parameters are pointers: use the value itself, or an index into an array`},
	{"composite address", `type s struct{ x float64 }; func k(p *float64) { f(&s{*p}) }; func f(s *s) {}`, `
k.go:3:52: the address of a composite literal
  hint: declare a variable with this value, and give its address`},
	{"pointer conversion", `type v [2]float64; func k(p *[2]float64) { f((*v)(p)) }; func f(p *v) {}`, `
k.go:3:46: a conversion of a pointer
  hint: declare the parameter with the type that it is used as`},
	{"method", `type v [2]float64; func (a v) len() float64 { return a[0] }; func k(p *[2]float64) { v := v(*p); p[0] = v.len(); f := v.len; f() }`, `
k.go:3:119: method len as a value
  hint: write a top-level function, and give it the receiver as an argument`},
	{"method of what is not a number", `type m map[int]int; func (a *m) set() { (*a)[0] = 1 }; type g[T any] struct { x T }; func (a g[T]) get() T { return a.x }
func k(p *float64) { var x m; x.set(); *p = g[float64]{}.get() }`, `
k.go:3:26: the receiver of set is a map, m
  hint: use an array
k.go:3:41: a map, m
  hint: use an array
k.go:4:28: a map, m
  hint: use an array
k.go:4:45: a call of method get
  hint: write a top-level function, and give it the receiver as an argument`},
	{"recursion", `func k(p *float64) { *p = fac(*p) }; func fac(x float64) float64 { if x < 1 { return 1 }; return x * fac(x-1) }`, `
k.go:3:102: recursion: fac calls fac
  hint: kernels cannot recurse: write a loop`},
	{"mutual recursion", `func k(p *float64) { a(p) }; func a(p *float64) { b(p) }; func b(p *float64) { if *p > 0 { a(p) } }`, `
k.go:3:92: recursion: a calls b calls a
  hint: kernels cannot recurse: write a loop`},
	{"kernel recursion", `func k(p *float64) { k(p) }`, `
k.go:3:22: recursion: k calls k
  hint: kernels cannot recurse: write a loop`},
	{"generic", `func k(p *float64) { *p = sq(*p) + sq[float64](2) }; func sq[T float64|float32](x T) T { return x * x }`, `
k.go:3:59: sq has type parameters
  hint: write it for one type`},
	{"generic kernel", `func k[T float64](p *T) { *p = 1 }`, `
k.go:3:6: k has type parameters
  hint: write it for one type`},
	{"generic type", `type pair[T any] struct{ a, b T }; func k(p *float64) { var x pair[float64]; *p = x.a }`, `
k.go:3:63: a generic type, pair[float64]
  hint: use a type without type parameters`},
	{"variadic", `func k(p *float64) { *p = sum(1, 2) }; func sum(x ...float64) float64 { return x[0] }`, `
k.go:3:49: sum takes any number of arguments
  hint: declare one parameter for each argument, or an array`},
	{"array comparison", `func k(p *[65]float64) { a := *p; if a == *p { p[0] = 1 } }`, `
k.go:3:40: a comparison of arrays of more than 64 values, [65]float64
  hint: compare their elements in a loop`},
	{"struct comparison", `type s struct{ x [9][9]int; y int }; func k(p *int) { a := s{y: *p}; if a != (s{}) { *p = 1 } }`, `
k.go:3:75: a comparison of structs of more than 64 values, s
  hint: compare their elements in a loop`},
	{"switch on an array", `func k(p *[2]float64) { switch *p { case [2]float64{}: p[0] = 1 } }`, `
k.go:3:32: a switch on a [2]float64
  hint: switch on a number in it`},
	{"package variable changed", `var total float64; var list [3]int; func k(p *float64) { total += *p; list[1]++; for list[2] = range 3 {} }`, `
k.go:3:58: the package variable total is changed
  hint: make it an argument of the loop, a Global
k.go:3:71: the package variable list is changed
  hint: make it an argument of the loop, a Global
k.go:3:86: the package variable list is changed
  hint: make it an argument of the loop, a Global`},
	{"package variable changed by a function", `var q [2]float64; func k(p *float64) { f(&q) }; func f(q *[2]float64) { q[0] = 1 }`, `
k.go:3:42: the package variable q is changed by f
  hint: make it an argument of the loop, a Global`},
	{"package variable of a struct", `type s struct{ x float64 }; var par s; var names []string; var debug bool; func k(p *float64) { *p = par.x; if debug { *p = float64(len(names)) } }`, `
k.go:3:137: package variable names has type []string
  hint: use an array of numbers`},
	{"package variable of unknown type", `var gam = other.Gam(); func k(p *float64) { *p = gam }`, `
k.go:3:50: the type of package variable gam is not known
  hint: declare it with its type, as in var gam float64`},
	{"other package", `func k(p *float64) { _ = fmt.Sprint(*p); *p = rand.Float64() }`, `
k.go:3:26: fmt.Sprint is not available to kernels
  hint: of Go's packages, kernels have math, and fmt's Print, Printf and Println: write the function in the kernel's file
k.go:3:47: rand.Float64 is not available to kernels
  hint: write func randFloat64 in this package, in a file whose text op2.Kernels gets, too: op2.Kernels(source, helpers)`},
	{"missing in math", `func k(p *float64) { *p = math.J0(*p) + math.Pow10(2) + math.Sqr(*p) + math.Whatever(1) }`, `
k.go:3:27: math.J0 is not available to kernels
  hint: C99 has no Bessel functions: compute it before the loop
k.go:3:41: math.Pow10 is not available to kernels
  hint: use math.Pow(10, float64(n))
k.go:3:62: undefined: math.Sqr
  hint: did you mean math.Sqrt?
k.go:3:77: undefined: math.Whatever
  hint: package math has no Whatever`},
	{"undefined", `const gamma = 1.4; func k(p *float64) { *p = gama * missing; lenght := 2.0; *p = length }`, `
k.go:3:46: undefined: gama
  hint: did you mean gamma?
k.go:3:53: undefined: missing
  hint: give the source of the file that declares missing to op2.Kernels as well
k.go:3:62: declared and not used: lenght
k.go:3:82: undefined: length
  hint: did you mean lenght?`},
	{"type error", `func k(p *float64, n *int) { *p = *n; x := 1; return 1 }`, `
k.go:3:35: cannot use *n (variable of type int) as float64 value in assignment
k.go:3:39: declared and not used: x
k.go:3:54: too many return values, have (number), want ()`},
	{"type error elsewhere", `func k(p *float64) { *p = f() }; func f() float64 { return "a" }; func g() int { return "b" }`, `
k.go:3:60: cannot use "a" (untyped string constant) as float64 value in return statement`},
	{"error in a constant", `const c = missing + 1; func k(p *float64) { *p = c }`, `
k.go:3:11: undefined: missing
  hint: give the source of the file that declares missing to op2.Kernels as well`},
	{"no body", `func k(p *float64) { f(p) }; func f(p *float64)`, `
k.go:3:35: function f has no body
  hint: write it in Go`},
	{"result", `func k(p *float64) float64 { return *p }`, `
k.go:3:20: kernel k has a result
  hint: give what it computes to a parameter, *T or *[n]T`},
	{"no parameters", `func k() {}`, `
k.go:3:6: kernel k has no parameters
  hint: add one pointer for each argument of the loop`},
	{"value parameters", `func k(p float64, q []float64, n int, a [3]float64) {}`, `
k.go:3:8: parameter p of kernel k is no pointer but a float64
  hint: declare it as *float64
k.go:3:32: parameter n of kernel k is no pointer but an int
  hint: declare it as *int
k.go:3:39: parameter a of kernel k is no pointer but a [3]float64
  hint: declare it as *[3]float64`},
	{"string parameter", `type s struct{ x float64; names [2]string }; func k(p *string, q *[2]s, r *[]float64) {}`, `
k.go:3:53: parameter p is a string
  hint: kernels compute with numbers: use an int for a choice
k.go:3:64: parameter q is a string as a field
  hint: kernels compute with numbers: use an int for a choice
k.go:3:73: parameter r is a slice, []float64
  hint: use an array, [n]float64`},
	{"variadic kernel", `func k(p ...*float64) {}`, `
k.go:3:8: k takes any number of arguments
  hint: declare one parameter for each argument, or an array`},
	{"empty array", `func k(p *[0]float64) { var a [0]int; for range a { } }`, `
k.go:3:8: parameter p is an array of no elements
  hint: give the array a length of at least 1
k.go:3:31: an array of no elements
  hint: give the array a length of at least 1`},
	{"empty struct", `func k(p *float64) { for range [3]struct{}{} { *p++ }; var s struct{}; _ = s }`, `
k.go:3:32: a struct without fields
  hint: leave it out
k.go:3:62: a struct without fields
  hint: leave it out`},
	{"large array", `func k(p *float64) { var a [1 << 40]float64; a[0] = *p; *p = a[1] }`, `
k.go:3:28: an array of more than 1048576 values
  hint: use a smaller array, or a dat`},
	{"interface", `func k(p *float64) { var e error; if e != nil { *p = 1 } }`, `
k.go:3:28: an interface, error
  hint: use a numeric type
k.go:3:43: nil
  hint: kernels have no nil: use a bool or a number to say that something is missing`},
	{"at most ten", `func k(p *float64) { a1(); a2(); a3(); a4(); a5(); a6(); a7(); a8(); a9(); b1(); b2(); b3() }`, `
k.go:3:22: undefined: a1
  hint: give the source of the file that declares a1 to op2.Kernels as well
k.go:3:28: undefined: a2
  hint: give the source of the file that declares a2 to op2.Kernels as well
k.go:3:34: undefined: a3
  hint: give the source of the file that declares a3 to op2.Kernels as well
k.go:3:40: undefined: a4
  hint: give the source of the file that declares a4 to op2.Kernels as well
k.go:3:46: undefined: a5
  hint: give the source of the file that declares a5 to op2.Kernels as well
k.go:3:52: undefined: a6
  hint: give the source of the file that declares a6 to op2.Kernels as well
k.go:3:58: undefined: a7
  hint: give the source of the file that declares a7 to op2.Kernels as well
k.go:3:64: undefined: a8
  hint: give the source of the file that declares a8 to op2.Kernels as well
k.go:3:70: undefined: a9
  hint: give the source of the file that declares a9 to op2.Kernels as well
k.go:3:76: undefined: b1
  hint: give the source of the file that declares b1 to op2.Kernels as well`},
	{"unknown type", `func k(p *float64, q *other.T) { x := *q; _ = x }`, `
k.go:3:20: the type of this is not known
  hint: give the source that declares it to op2.Kernels as well`},
	{"local generic type", `func k(p *float64) { type t[T any] struct{ x T } }`, `
k.go:3:27: t has type parameters
  hint: write it for one type`},
	{"unsafe", `func k(p *float64) { q := unsafe.Pointer(p); _ = q; n := unsafe.Sizeof(*p); _ = n }`, `
k.go:3:27: unsafe.Pointer is not available to kernels
  hint: of Go's packages, kernels have math, and fmt's Print, Printf and Println: write the function in the kernel's file
k.go:3:58: unsafe.Sizeof is not available to kernels
  hint: of Go's packages, kernels have math, and fmt's Print, Printf and Println: write the function in the kernel's file`},
	{"labelled", `func k(p *float64) { for { break nowhere } }`, `
k.go:3:34: invalid break label nowhere`},
	{"unused", `func k(p *float64) { x := 1.0 }`, `
k.go:3:22: declared and not used: x`},
	{"missing return", `func k(p *float64) { *p = f(1) }; func f(x float64) float64 { if x > 1 { return 2 } }`, `
k.go:3:85: missing return`},
	{"constant overflow", `func k(p *int8) { *p = 300; *p = 1 << 7 }`, `
k.go:3:24: cannot use 300 (untyped int constant) as int8 value in assignment (overflows)
k.go:3:34: cannot use 1 << 7 (untyped int constant 128) as int8 value in assignment (overflows)`},
	{"out of range", `func k(p *[3]float64) { p[3] = 1 }`, `
k.go:3:27: invalid argument: index 3 out of bounds [0:3]`},
	{"division by zero", `func k(p *int) { *p = 1 / 0 }`, `
k.go:3:27: invalid operation: division by zero`},
	{"pointers swapped", `func k(p, q *float64) { _ = p; p, q = q, p; *p = 1 }`, `
k.go:3:32: an assignment to the pointer itself
  hint: assign to what it points to, *p = ..., or use another parameter
k.go:3:35: an assignment to the pointer itself
  hint: assign to what it points to, *p = ..., or use another parameter`},
	{"slice of strings", `func k(p *float64) { var s []string; *p = float64(len(s)) }`, `
k.go:3:28: a slice, []string
  hint: use an array of numbers`},
	{"constants of another package", `func k(p *float64) { *p = other.Const + float64(other.N); other.V = 1 }`, `
k.go:3:27: other.Const is not available to kernels
  hint: let package example.org/other export its source by op2.ExportSource, or set a number of this package from it before the loop, and declare that: var otherConst float64, and op2.NewConst(rt, "otherConst", &otherConst)
k.go:3:49: other.N is not available to kernels
  hint: let package example.org/other export its source by op2.ExportSource, or set a number of this package from it before the loop, and declare that: var otherN float64, and op2.NewConst(rt, "otherN", &otherN)
k.go:3:59: other.V is not available to kernels
  hint: let package example.org/other export its source by op2.ExportSource, or set a number of this package from it before the loop, and declare that: var otherV float64, and op2.NewConst(rt, "otherV", &otherV)`},
}

func TestRefusals(t *testing.T) {
	head := "package p\nimport (\"math\"; \"math/rand\"; \"fmt\"; \"unsafe\"; \"example.org/other\")\n"
	for _, test := range refusals {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse(head+test.source).Kernel("k", "dir/k.go", 3)
			var e *kernel.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if got := strings.TrimPrefix(err.Error(), "kernel k: "); got != strings.TrimPrefix(test.want, "\n") {
				t.Errorf("got\n%s\nwant%s", got, test.want)
			}
		})
	}
}
