package entity

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/problem"
	"github.com/go-op2/op2/internal/userkernel"
)

// misfit returns a mixed argument that fits no loop.
func (x *mixed) misfit(kind loop.Kind, access loop.Access, msg, hint string) Arg {
	x.Problem, x.Hint = msg, hint
	return Arg{Kind: kind, Access: access, Fault: Misfit, Part: &mixedPart{Of: x}}
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
			a.Part = &mixedPart{Of: x, at: fmt.Sprintf("[%d]", i), Placement: Placement{Next: n > 0, Offset: n}}
			if n += via.arity * p.dim; via.Extruded() { // it leads to single levels of columns
				n += via.arity * (p.dim/p.Layers() - p.dim)
			}
			x.parts = append(x.parts, a)
		}
	}
	for _, a := range x.parts {
		a.Part.Rows, a.Part.Cols = 1, n
	}
	return Arg{Kind: loop.Dat, Access: access, Part: &mixedPart{Of: x}}
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
			a.Part = &mixedPart{Of: x, at: fmt.Sprintf("[%d][%d]", i, j),
				Placement: Placement{Next: len(x.parts) > 0, Offset: row[i]*width + col[j], Rows: height, Cols: width}}
			x.parts = append(x.parts, a)
		}
	}
	if len(x.parts) == 0 {
		return x.misfit(loop.Mat, access, fmt.Sprintf("%s has no mat where the parts of %s and %s lead", b.Name, rows.name, cols.name), "")
	}
	return Arg{Kind: loop.Mat, Access: access, Part: &mixedPart{Of: x}}
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

// Expand returns the arguments of a loop with the parts of mixed ones in their place, and after them those that
// pass the lengths of rows, and those that are left out. Those with something wrong stay, for the loop to report.
func Expand(args []Arg) []Arg {
	for i := range args {
		if args[i].expands() {
			return expandAll(args)
		}
	}
	return args // as each call of ParLoop does it
}

// expands reports whether the argument is not alone what it passes, in the place where it is.
func (a *Arg) expands() bool {
	return a.LeftOut != nil || a.whole() || a.Map != nil && a.Map.varying || a.Cols != nil && a.Cols.varying
}

func expandAll(args []Arg) []Arg {
	args, missing := SplitLeftOut(lastLeftOut(args))
	if len(missing) == 0 {
		return expand(args)
	}
	return append(slices.Clip(expand(args)), missing...)
}

func expand(args []Arg) []Arg {
	if !slices.ContainsFunc(args, func(a Arg) bool { return a.whole() }) {
		return withCounts(args)
	}
	var list []Arg
	for _, a := range args {
		if a.whole() && a.Fault == Sound {
			list = append(list, a.Part.Of.parts...)
		} else {
			list = append(list, a)
		}
	}
	return withCounts(list)
}
