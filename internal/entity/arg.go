package entity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/callsite"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// Arg is one argument of a loop: data and how the kernel uses it.
type Arg struct {
	Kind      loop.Kind
	Access    loop.Access
	Fault     Fault
	Current   bool  // of Index: the current number instead of the declared one
	Data      *Data // of Index, the table that the number is read from; nil if there is none
	Map       *Map  // nil if direct
	Component int   // of m, or loop.All
	Op        Operation
	Single    int        // 1 more than the value of each element that it passes alone; 0: all
	Cols      *Map       // column map of a mat; m is its row map
	Counts    *Map       // of Index: the length of the element's row in a varying map instead of its number
	Extruded  *Map       // through which a loop over layers has it; Map then leads from columns to columns, nil to the column itself
	Entry     int        // of Extruded, or loop.All
	Part      *mixedPart // what it has to do with a mixed argument; nil if nothing
	LeftOut   *Arg       // what the call leaves out, if that is its kind; see leftout.go
}

// Fault is what is wrong with an argument in any loop.
type Fault uint8

// The faults. Sound is none.
const (
	Sound Fault = iota
	NilMap
	ManyMaps
	noComponent
	nilMat
	nilDat
	nilGlobal
	nilOperation
	nilMixedDat
	nilMixedMap
	Misfit // which the mixed argument describes
)

func (f Fault) String() string {
	return [...]string{"", "the map is nil, or was not made by NewMap", "it goes through several maps, one at most is possible", "components are numbered from 0",
		"the mat is nil, or was not made by NewMat", "the dat is nil, or was not made by NewDat",
		"the global is nil, or was not made by NewGlobal", "the operation is nil",
		"the mixed dat is nil, or was not made by NewMixedDat", "the mixed map is nil, or was not made by NewMixedMap",
		"it fits no loop"}[f]
}

// RuntimeOf returns the runtime of the first argument that has one; nil if there is none.
func RuntimeOf(args []Arg) *Runtime {
	for i := range args {
		if d := args[i].Data; d != nil && d.rt != nil {
			return d.rt
		}
	}
	return nil
}

// CheckDeclared returns an error if data or maps of the argument failed to be declared.
func (a *Arg) CheckDeclared(what string) error {
	var runtimes []*Runtime
	if a.Data != nil {
		runtimes = append(runtimes, a.Data.rt)
	}
	for _, m := range []*Map{a.Map, a.Cols, a.Extruded} {
		if m != nil {
			runtimes = append(runtimes, m.from.rt)
		}
	}
	return CheckDeclared(what, runtimes...)
}

// Via is the way to data from the set that a loop runs over. The zero value is the direct one.
type Via struct {
	Map       *Map
	Component int // of the map, or loop.All
	Fault     Fault
}

// Via returns the way through all components of the map at once.
func (m *Map) Via() Via {
	if m.Made() != nil {
		return Via{Fault: NilMap}
	}
	return Via{Map: m, Component: loop.All}
}

// Via returns the way through the component.
func (c *Component) Via() Via {
	switch {
	case c == nil || c.m.Made() != nil:
		return Via{Fault: NilMap}
	case c.index < 0: // -1 would be loop.All
		return Via{Map: c.m, Component: c.index, Fault: noComponent}
	}
	return Via{Map: c.m, Component: c.index}
}

// At returns the way through one component of the map.
func (m *Map) At(i int) Via { return m.Component(i).Via() }

// Index returns an argument that passes the kernel the number that the element it runs for had when
// its set was declared.
func Index() Arg { return Arg{Kind: loop.Index, Access: loop.Read} }

// CurrentIndex returns an argument that passes the kernel the number that the element has now.
func CurrentIndex() Arg { return Arg{Kind: loop.Index, Access: loop.Read, Current: true} }

// Pass returns the argument that passes a dat or a global, which may be nil or undeclared.
func Pass(kind loop.Kind, access loop.Access, d *Data, via Via) (a Arg) {
	a.Pass(kind, access, d, via)
	return a
}

// Pass is the function Pass for an argument that is zero: one is large, and each call of ParLoop makes some.
func (a *Arg) Pass(kind loop.Kind, access loop.Access, d *Data, via Via) {
	a.Kind, a.Access, a.Fault, a.Data, a.Map, a.Component = kind, access, via.Fault, d, via.Map, via.Component
	if d == nil || d.rt == nil || d.whole != nil || via.Map.Extruded() {
		a.unusual()
	}
}

// unusual completes an argument that passes no data, a component of a dat, or a dat through an extruded map.
func (a *Arg) unusual() {
	switch d := a.Data; {
	case d == nil || d.rt == nil:
		fault := nilDat
		if a.Kind == loop.Global {
			fault = nilGlobal
		}
		*a = Arg{Kind: a.Kind, Access: a.Access, Fault: fault}
		return
	case d.whole != nil:
		if a.Data = d.whole; d.whole.Dim() > d.whole.Layers() {
			a.Single = 1 + d.component
		}
	}
	a.intoColumns()
}

// PassMat returns the argument that passes a mat, which may be nil, with the maps of its rows and
// columns.
func PassMat(access loop.Access, d *Data, rows, cols *Map) Arg {
	a := Arg{Kind: loop.Mat, Access: access, Data: d, Map: rows, Component: loop.All, Cols: cols}
	switch {
	case d == nil:
		a.Fault = nilMat
	case rows == nil || cols == nil:
		a.Fault = NilMap
	}
	return a
}

// Read passes a dat or a global to a kernel that does not change it.
func (d *Data) Read(via ...Via) Arg { return d.pass(loop.Read, via) }

// Write passes a dat to a kernel that writes all of it.
func (d *Data) Write(via ...Via) Arg { return d.pass(loop.Write, via) }

// RW passes a dat to a kernel that reads and changes it.
func (d *Data) RW(via ...Via) Arg { return d.pass(loop.RW, via) }

// Inc passes a dat or a global as a sum.
func (d *Data) Inc(via ...Via) Arg { return d.pass(loop.Inc, via) }

// Min passes a dat or a global as a minimum reduction.
func (d *Data) Min(via ...Via) Arg { return d.pass(loop.Min, via) }

func (d *Data) pass(access loop.Access, via []Via) Arg {
	if len(via) == 0 {
		return Pass(d.kind, access, d, Via{})
	}
	return Pass(d.kind, access, d, via[0])
}

// String returns the argument's name for messages: "q, read through edge2cell[0]".
func (a Arg) String() string {
	if a.LeftOut != nil {
		return a.LeftOut.String()
	}
	if a.Kind == loop.Index && a.Counts != nil {
		return "the length of rows of " + a.Counts.name
	}
	if a.Kind == loop.Index {
		return "the element's number"
	}
	name := "nil"
	if a.Data != nil {
		name = a.Data.name
	}
	if a.whole() {
		name = a.Part.Of.name
	}
	if a.Single > 0 {
		name = fmt.Sprintf("%s[%d]", name, a.Single-1)
	}
	s := fmt.Sprintf("%s, %s", name, a.Access.Participle())
	switch {
	case a.whole():
		return s + " through " + a.Part.Of.through
	case a.Part != nil:
		s = a.Part.Of.name + a.Part.at + ": " + s
	}
	switch {
	case a.Extruded != nil && a.Entry == loop.All:
		s += " through " + a.Extruded.name
	case a.Extruded != nil:
		s += fmt.Sprintf(" through %s[%d]", a.Extruded.name, a.Entry)
	case a.Map == nil:
	case a.Cols != nil:
		s += fmt.Sprintf(" through %s by %s", a.Map.name, a.Cols.name)
	case a.Component == loop.All && a.Fault != noComponent:
		s += " through " + a.Map.name
	default:
		s += fmt.Sprintf(" through %s[%d]", a.Map.name, a.Component)
	}
	return s
}

// Operation is an operation of the program that combines two values, as an argument names it: a
// kernel with two parameters, and the bytes of its identity.
type Operation struct {
	Kernel   *userkernel.Kernel
	Identity string
}

// PassReduce returns the argument that reduces a dat or a global by an operation, whose identity has
// these bytes.
func PassReduce(kind loop.Kind, d *Data, via Via, op *userkernel.Kernel, identity []byte) Arg {
	a := Pass(kind, loop.Reduce, d, via)
	if a.Fault == Sound && a.Data.rt.failed == nil {
		identity = slices.Clone(identity)
		a.Data.storage.ClearPadding(identity)
	}
	a.Op = Operation{op, string(identity)}
	if a.Fault == Sound && op == nil {
		a.Fault = nilOperation
	}
	return a
}

// CombinesWhole reports whether the argument combines values other than scalar by scalar: by an
// operation of the program, or records.
func (a *Arg) CombinesWhole() bool {
	return a.Access == loop.Reduce || a.Access == loop.Inc && a.Kind != loop.Mat && a.Data.Record() != nil
}

// Way returns the name of the map that the argument goes through; "the column" without one, of several levels.
func (a *Arg) Way() string {
	switch {
	case a.Extruded != nil:
		return a.Extruded.name
	case a.Map != nil:
		return a.Map.name
	}
	return "the column"
}

// Targets returns the elements of its dat that the argument has for an element of the set.
func (a *Arg) Targets(element int) []int32 {
	if a.Map == nil {
		return []int32{int32(element)}
	}
	all := a.Map.values[element*a.Map.arity : (element+1)*a.Map.arity]
	if a.Component == loop.All {
		return all
	}
	return all[a.Component : a.Component+1]
}

// mixed is an argument of parts, as the program passes it.
type mixed struct {
	name    string // of the mixed dat or mat
	through string // the mixed map, or those of rows and columns; ""
	parts   []Arg  // those that are present
	Problem string // what is wrong with it in any loop; ""
	Hint    string
}

// mixedPart is what an argument has to do with a mixed one: of which it is a part, or which it is as a
// whole if its placement is zero.
type mixedPart struct {
	Of *mixed
	at string // the part's subscript: "[1]", of a mat "[1][0]"
	Placement
}

// Placement says where the values of a part are in its parameter; see loop.Arg.
type Placement struct {
	Next       bool
	Offset     int
	Rows, Cols int
}

// Placement returns where the values of an argument are in its parameter; zero unless it is a part.
func (a *Arg) Placement() Placement {
	if a.Part == nil {
		return Placement{}
	}
	return a.Part.Placement
}

// whole reports whether the argument is a mixed one, before its parts replace it.
func (a *Arg) whole() bool { return a.Part != nil && a.Part.Rows == 0 }

// About adds to an error of an argument where its data and its maps were declared.
func (a *Arg) About(err error) error {
	if a.LeftOut != nil {
		return a.LeftOut.About(err)
	}
	var places []string
	note := func(name string, at callsite.Calls) {
		if s := at.Site(); s.At != "" {
			places = append(places, name+" was declared at "+s.At)
		}
	}
	if a.Data != nil {
		note(a.Data.name, a.Data.site)
	}
	switch {
	case a.Extruded != nil:
		note(a.Extruded.name, a.Extruded.site)
	case a.Map != nil:
		note(a.Map.name, a.Map.site)
	}
	if a.Cols != nil && a.Cols != a.Map {
		note(a.Cols.name, a.Cols.site)
	}
	if err == nil || len(places) == 0 {
		return err
	}
	return problem.Errorf("%w\n  %s", err, strings.Join(places, ", "))
}

// intoColumns makes an argument through an extruded map one on columns.
func (a *Arg) intoColumns() {
	m := a.Map
	if !m.Extruded() {
		return
	}
	a.Map, a.Extruded, a.Entry = m.levels.columns, m, a.Component
	if a.Component != loop.All {
		a.Component = max(0, a.Component) % m.perLevel()
	}
}
