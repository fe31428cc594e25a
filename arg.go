package op2

import (
	"fmt"

	"github.com/go-op2/op2/internal/core"
	"github.com/go-op2/op2/internal/loop"
)

// Arg is one argument of a loop: data and how the kernel uses it. Args are made by the methods of
// Dat, Global and Mat that are named for the accesses, and by Index.
type Arg struct {
	kind      loop.Kind
	access    loop.Access
	fault     argFault
	data      *data // nil for Index
	m         *Map  // nil if direct
	component int   // of m, or loop.All
	cols      *Map  // column map of a mat; m is its row map
}

// argFault is what is wrong with an argument in any loop.
type argFault uint8

const (
	sound argFault = iota
	nilMap
	manyMaps
	noComponent
	nilMat
	nilDat
	nilGlobal
)

func (f argFault) String() string {
	return [...]string{"", "the map is nil, or was not made by NewMap", "it goes through several maps, one at most is possible", "components are numbered from 0",
		"the mat is nil, or was not made by NewMat", "the dat is nil, or was not made by NewDat",
		"the global is nil, or was not made by NewGlobal"}[f]
}

// data is a view of a storage: what dats, globals and mats have in common.
type data struct {
	kind   loop.Kind
	rt     *Runtime
	set    *Set // nil for a global; row set of a mat
	dim    int  // for a mat: rows of a block
	scalar loop.Scalar
	name   string
	identity
	storage *core.Storage
	layout  Layout // 0: as the runtime's option says

	sparsity       *Sparsity                     // of a mat
	unrolled       *data                         // of a mat: the values one by one; nil until loops need it
	anyValue       bool                          // of a dat: infinity and NaN are allowed
	zeroedRows     bool                          // of a mat: by ZeroRows
	firstNonFinite func(element int) *ValueError // finds a value that is not finite, in a mat, or in one element or everywhere in a dat, on the host; nil for others
}

// view returns another view of the storage, initially the same.
func (d *data) view() data {
	v := *d
	v.identity = 0
	return v
}

// describe returns a description for messages: "dat q on cells".
func (d *data) describe() string {
	if d.kind == loop.Dat {
		return fmt.Sprintf("dat %s on %s", d.name, d.set.name)
	}
	return d.kind.String() + " " + d.name
}

// checkDeclared returns an error if data or maps of the argument failed to be declared.
func (a *Arg) checkDeclared(what string) error {
	var runtimes []*Runtime
	if a.data != nil {
		runtimes = append(runtimes, a.data.rt)
	}
	for _, m := range []*Map{a.m, a.cols} {
		if m != nil {
			runtimes = append(runtimes, m.from.rt)
		}
	}
	return checkDeclared(what, runtimes...)
}

// Index returns an argument that passes the kernel the number of the element it runs for, as a *int
// (in C, as an int or int64_t pointer).
func Index() Arg { return Arg{kind: loop.Index, access: loop.Read} }

// arg returns an argument of that kind with data d, which may be nil or undeclared, accessed
// through via.
func (d *data) arg(kind loop.Kind, access loop.Access, via []Via) Arg {
	a := Arg{kind: kind, access: access, data: d}
	switch {
	case d == nil || d.rt == nil:
		a.data, a.fault = nil, nilDat
		if kind == loop.Global {
			a.fault = nilGlobal
		}
	case len(via) == 0:
	case len(via) == 1 && via[0] != nil:
		a.m, a.component = via[0].via()
		if a.m.made() != nil {
			a.m = nil
			a.fault = nilMap
		} else if c, ok := via[0].(*Component); ok && c.index < 0 { // -1 would be loop.All
			a.fault = noComponent
		}
	case len(via) == 1:
		a.fault = nilMap
	case len(via) > 1:
		a.fault = manyMaps
	}
	return a
}

func (m *Map) via() (*Map, int) { return m, loop.All }

func (c *Component) via() (*Map, int) {
	if c == nil {
		return nil, 0
	}
	return c.m, c.index
}

// String returns the argument's name for messages: "q, read through edge2cell[0]".
func (a Arg) String() string {
	if a.kind == loop.Index {
		return "the element's number"
	}
	name := "nil"
	if a.data != nil {
		name = a.data.name
	}
	s := fmt.Sprintf("%s, %s", name, accessWord[a.access])
	switch {
	case a.m == nil:
	case a.cols != nil:
		s += fmt.Sprintf(" through %s by %s", a.m.name, a.cols.name)
	case a.component == loop.All && a.fault != noComponent:
		s += " through " + a.m.name
	default:
		s += fmt.Sprintf(" through %s[%d]", a.m.name, a.component)
	}
	return s
}

var accessWord = map[loop.Access]string{
	loop.Read: "read", loop.Write: "written", loop.RW: "read and written",
	loop.Inc: "incremented", loop.Min: "minimized", loop.Max: "maximized",
}
