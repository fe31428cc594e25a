package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// A mixed set, map or dat is a list of parts that loops handle as one: a kernel gets the values of
// all parts of a mixed dat in one parameter, one part after the other. Within loops there are no
// mixed arguments: each is replaced by one argument for each of its parts, which know their place in
// the parameter.

// MixedSet is a list of sets.
type MixedSet struct {
	rt    *Runtime
	parts []*Set
	name  string
}

// MixedMap is a list of maps from one set. A part that is nil leads nowhere.
type MixedMap struct {
	from  *Set
	parts []*Map
	name  string
}

// MixedData is a list of dats.
type MixedData struct {
	rt    *Runtime
	parts []*Data
	name  string
}

// NewMixedSet returns a mixed set.
func NewMixedSet(parts []*Set, name string) (*MixedSet, error) {
	what := "mixed set " + name
	if len(parts) == 0 {
		return nil, noParts(what, "set")
	}
	for i, s := range parts {
		switch {
		case s == nil || s.rt == nil:
			return nil, badPart(what, i, "is nil, or was not made by NewSet")
		case s.rt != parts[0].rt:
			return nil, twoRuntimes(what, i, s.name, s.rt, parts[0].rt)
		}
	}
	return &MixedSet{rt: parts[0].rt, parts: slices.Clone(parts), name: name}, nil
}

// NewMixedMap returns a mixed map of which at least one part is not nil.
func NewMixedMap(parts []*Map, name string) (*MixedMap, error) {
	what := "mixed map " + name
	m := &MixedMap{parts: slices.Clone(parts), name: name}
	var first *Map
	for i, p := range parts {
		switch {
		case p == nil:
			continue
		case p.Made() != nil:
			return nil, badPart(what, i, "was not made by NewMap; a part that leads nowhere is nil")
		case first == nil:
			first, m.from = p, p.from
		case p.from.rt != first.from.rt:
			return nil, twoRuntimes(what, i, p.name, p.from.rt, first.from.rt)
		case p.from != first.from:
			return nil, &problem.ShapeError{What: what, Msg: fmt.Sprintf("part %d, %s, leads from %s, %s from %s: all parts lead from one set",
				i, p.name, p.from.Besides(first.from), first.name, first.from.Besides(p.from))}
		}
	}
	if first == nil {
		return nil, noParts(what, "map")
	}
	return m, nil
}

// Mixed returns the map as a mixed map of one part; nil if there is none.
func (m *Map) Mixed() *MixedMap {
	if m.Made() != nil {
		return nil
	}
	return &MixedMap{from: m.from, parts: []*Map{m}, name: m.name}
}

// NewMixedData returns a mixed dat.
func NewMixedData(parts []*Data, name string) (*MixedData, error) {
	what := "mixed dat " + name
	if len(parts) == 0 {
		return nil, noParts(what, "dat")
	}
	for i, d := range parts {
		switch {
		case !d.Made():
			return nil, badPart(what, i, "is nil, or was not made by NewDat")
		case d.rt != parts[0].rt:
			return nil, twoRuntimes(what, i, d.name, d.rt, parts[0].rt)
		}
		if j := slices.Index(parts[:i], d); j >= 0 {
			return nil, badPart(what, i, fmt.Sprintf("is %s, as is part %d: each part is another dat", d.name, j))
		}
	}
	return &MixedData{rt: parts[0].rt, parts: slices.Clone(parts), name: name}, nil
}

func noParts(what, kind string) error {
	return &problem.ShapeError{What: what, Msg: fmt.Sprintf("at least one %s is needed", kind)}
}

func badPart(what string, i int, msg string) error {
	return fmt.Errorf("op2: %s: part %d %s", what, i, msg)
}

func twoRuntimes(what string, i int, name string, rt, first *Runtime) error {
	return badPart(what, i, fmt.Sprintf("is %s, which belongs to %s, the first to %s", name, rt.Besides(first), first.Besides(rt)))
}

// Runtime returns the runtime that the sets belong to.
func (s *MixedSet) Runtime() *Runtime { return s.rt }

// Parts returns the sets, which must not be changed.
func (s *MixedSet) Parts() []*Set { return s.parts }

// Name returns the name the mixed set was declared with.
func (s *MixedSet) Name() string { return s.name }

// From returns the set that all parts lead from.
func (m *MixedMap) From() *Set { return m.from }

// Parts returns the maps, which must not be changed; nil for those that lead nowhere.
func (m *MixedMap) Parts() []*Map { return m.parts }

// Name returns the name the mixed map was declared with.
func (m *MixedMap) Name() string { return m.name }

// Made reports whether there is a mixed map, and it was declared.
func (m *MixedMap) Made() bool { return m != nil && m.from != nil }

// Runtime returns the runtime that the dats belong to.
func (d *MixedData) Runtime() *Runtime { return d.rt }

// Parts returns the dats, which must not be changed.
func (d *MixedData) Parts() []*Data { return d.parts }

// Name returns the name the mixed dat was declared with.
func (d *MixedData) Name() string { return d.name }

// Made reports whether there is a mixed dat, and it was declared.
func (d *MixedData) Made() bool { return d != nil && d.rt != nil }

// Describe returns a description for messages.
func (d *MixedData) Describe() string { return "mixed dat " + d.name }

// mixed is an argument of parts, as the program passes it.
type mixed struct {
	name    string // of the mixed dat or mat
	through string // the mixed map, or those of rows and columns; ""
	parts   []Arg  // those that are present
	Problem string // what is wrong with it in any loop; ""
	Hint    string
}

// part is what an argument has to do with a mixed one: of which it is a part, or which it is as a
// whole if its placement is zero.
type part struct {
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

// Expand returns the arguments of a loop with the parts of mixed ones in their place. Those with
// something wrong stay, for the loop to report.
func Expand(args []Arg) []Arg {
	if !slices.ContainsFunc(args, func(a Arg) bool { return a.whole() }) {
		return args
	}
	var list []Arg
	for _, a := range args {
		if a.whole() && a.Fault == Sound {
			list = append(list, a.Part.Of.parts...)
		} else {
			list = append(list, a)
		}
	}
	return list
}

// Ordinal returns the number that argument i of a loop, or what it is a part of, has for the program,
// which counts from 1.
func Ordinal(args []Arg, i int) int {
	n := i + 1
	for j := range args[:i+1] {
		if args[j].Placement().Next {
			n--
		}
	}
	return n
}

// OfParam returns the argument that parameter p is passed, as the program passes it.
func OfParam(args []Arg, p int) (a Arg, found bool) {
	for i, a := range args {
		if Ordinal(args, i) == p+1 {
			if a.Part != nil {
				a.Part = &part{Of: a.Part.Of}
			}
			return a, true
		}
	}
	return a, false
}

// NamesOf returns the names of arguments for messages, by parameter.
func NamesOf(args []Arg) []string {
	var names []string
	for {
		a, found := OfParam(args, len(names))
		if !found {
			return names
		}
		names = append(names, a.String())
	}
}

// PassMixed returns the argument that passes the parts of a mixed dat to which the parts of the mixed
// map lead.
func PassMixed(access loop.Access, d *MixedData, m *MixedMap) Arg {
	return passMixed(access, d, m, func(p *Data, via Via) Arg { return Pass(loop.Dat, access, p, via) })
}

// PassMixedReduce returns the argument that reduces the parts of a mixed dat by an operation, as PassReduce does.
func PassMixedReduce(d *MixedData, m *MixedMap, op *userkernel.Kernel, identity []byte) Arg {
	return passMixed(loop.Reduce, d, m, func(p *Data, via Via) Arg { return PassReduce(loop.Dat, p, via, op, identity) })
}

func passMixed(access loop.Access, d *MixedData, m *MixedMap, pass func(p *Data, via Via) Arg) Arg {
	switch {
	case !d.Made():
		return Arg{Kind: loop.Dat, Access: access, Fault: nilMixedDat}
	case !m.Made():
		return Arg{Kind: loop.Dat, Access: access, Fault: nilMixedMap}
	case d.rt.failed != nil || m.from.rt.failed != nil: // which the loop reports
		return pass(d.parts[0], Via{Map: m.parts[0], Component: loop.All})
	}
	x := &mixed{name: d.name, through: m.name}
	if len(d.parts) != len(m.parts) {
		return x.misfit(loop.Dat, access, fmt.Sprintf("%s has %s, %s %d", d.name, problem.Count(len(d.parts), "part"), m.name, len(m.parts)),
			"part i of the map leads to the set of part i of the dat, or is nil")
	}
	n := 0
	for i, p := range d.parts {
		if via := m.parts[i]; via != nil {
			a := pass(p, via.Via())
			a.Part = &part{Of: x, at: fmt.Sprintf("[%d]", i), Placement: Placement{Next: n > 0, Offset: n}}
			n += via.arity * p.dim
			x.parts = append(x.parts, a)
		}
	}
	for _, a := range x.parts {
		a.Part.Rows, a.Part.Cols = 1, n
	}
	return Arg{Kind: loop.Dat, Access: access, Part: &part{Of: x}}
}

// MixedBlocks are the blocks of a mat, for PassMixedMat.
type MixedBlocks struct {
	Name             string
	Mats             [][]*Data // by parts of the rows and columns; nil where there is none
	RowDims, ColDims []int     // of the blocks of each part
	Runtime          *Runtime
}

// PassMixedMat returns the argument that passes a mat through mixed maps: the kernel gets the local
// matrix of all blocks. It has rows and columns for each part of the mixed maps that is not nil; what the
// kernel leaves where a block is absent is dropped.
func PassMixedMat(access loop.Access, b MixedBlocks, rows, cols *MixedMap) Arg {
	switch {
	case b.Runtime == nil:
		return Arg{Kind: loop.Mat, Access: access, Fault: nilMat}
	case !rows.Made() || !cols.Made():
		return Arg{Kind: loop.Mat, Access: access, Fault: nilMixedMap}
	case b.Runtime.failed != nil: // which the loop reports
		m := InertMixedMap(b.Runtime, b.Name)
		return Arg{Kind: loop.Mat, Access: access, Map: m.parts[0], Component: loop.All, Cols: m.parts[0]}
	}
	for _, m := range []*MixedMap{rows, cols} {
		if m.from.rt.failed != nil { // which the loop reports
			return Arg{Kind: loop.Mat, Access: access, Map: m.parts[0], Component: loop.All, Cols: m.parts[0]}
		}
	}
	x := &mixed{name: b.Name, through: rows.name + " by " + cols.name}
	for _, side := range []struct {
		m    *MixedMap
		what string
		dims []int
	}{{rows, "rows", b.RowDims}, {cols, "columns", b.ColDims}} {
		if len(side.m.parts) != len(side.dims) {
			return x.misfit(loop.Mat, access, fmt.Sprintf("the %s of %s have %s, %s has %d", side.what, b.Name, problem.Count(len(side.dims), "part"), side.m.name, len(side.m.parts)), "")
		}
	}
	row, height := starts(rows, b.RowDims)
	col, width := starts(cols, b.ColDims)
	for i := range b.Mats {
		for j, d := range b.Mats[i] {
			r, c := rows.parts[i], cols.parts[j]
			if d == nil || r == nil || c == nil {
				continue
			}
			a := PassMat(access, d, r, c)
			a.Part = &part{Of: x, at: fmt.Sprintf("[%d][%d]", i, j),
				Placement: Placement{Next: len(x.parts) > 0, Offset: row[i]*width + col[j], Rows: height, Cols: width}}
			x.parts = append(x.parts, a)
		}
	}
	if len(x.parts) == 0 {
		return x.misfit(loop.Mat, access, fmt.Sprintf("%s has no mat where the parts of %s and %s lead", b.Name, rows.name, cols.name), "")
	}
	return Arg{Kind: loop.Mat, Access: access, Part: &part{Of: x}}
}

// starts returns where each part of a side of a local matrix begins, and the length of the side.
func starts(m *MixedMap, dims []int) (at []int, n int) {
	for i, p := range m.parts {
		at = append(at, n)
		if p != nil {
			n += p.arity * dims[i]
		}
	}
	return at, n
}

// misfit returns a mixed argument that fits no loop.
func (x *mixed) misfit(kind loop.Kind, access loop.Access, msg, hint string) Arg {
	x.Problem, x.Hint = msg, hint
	return Arg{Kind: kind, Access: access, Fault: Misfit, Part: &part{Of: x}}
}
