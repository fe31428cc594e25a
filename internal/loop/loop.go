// Package loop describes one parallel loop without its data: which kinds of
// argument it has, how each is accessed, and which of them share a dat or a map.
//
// A description is plain, deterministic data made of metadata alone: two loops on
// meshes of different sizes have equal descriptions, and so share generated code.
// The package knows nothing of kernels' bodies, of backends or of memory.
// Package bind builds descriptions, package fuse those of fused loops; lower, codegen and the backends read them.
package loop

import "slices"

// Access is how a kernel uses an argument.
type Access uint8

// The accesses; the contract of each is in docs/kernels.md.
const (
	Read   Access = iota + 1 // not changed
	Write                    // written completely, arrives undefined
	RW                       // read and changed
	Inc                      // arrives zeroed, what is left is added
	Min                      // the smaller of the old and the new is kept
	Max                      // the larger of the old and the new is kept
	Reduce                   // arrives as an operation's identity, what is left is combined by it
)

func (a Access) String() string {
	return [...]string{"none", "read", "write", "rw", "inc", "min", "max", "reduce"}[a]
}

// Participle returns the participle of the access: "read", "incremented".
func (a Access) Participle() string {
	return [...]string{"unused", "read", "written", "read and written", "incremented", "minimized", "maximized", "reduced"}[a]
}

// Kind is the kind of an argument.
type Kind uint8

// The kinds of argument.
const (
	Dat     Kind = iota + 1 // values on a set
	Global                  // values shared by the whole loop
	Index                   // the element's number
	Mat                     // the element's local matrix
	LeftOut                 // nothing: of a call's argument, never of a loop's
)

func (k Kind) String() string {
	return [...]string{"none", "dat", "global", "index", "mat", "left out"}[k]
}

const (
	// Direct as an argument's Map: data of the iteration set itself.
	Direct = -1
	// All as an argument's Component: every component of the map at once.
	All = -1
)

// Data is one distinct dat, global or mat of a loop.
type Data struct {
	Kind   Kind
	Type   Scalar
	Dim    int // values per element; rows of a mat's blocks
	ColDim int // columns of a mat's blocks
	// SoA reports that a dat is stored component by component on a device: value c of element e is
	// at c*elements+e.
	SoA bool
	// Fresh reports that what elements add to a dat, each to its own values, replaces what was there.
	Fresh bool
	// Value is the layout of one of the program's values, whose carrier is Type: Dim counts carriers,
	// Words of them for each value. It is nil if the values are plain scalars of Type.
	Value *Layout
	// Column is the number of elements in each column of a dat on columns, whose values Dim counts; otherwise 0.
	Column int
}

// Words returns the number of scalars of Type that one of the program's values is stored as.
func (d Data) Words() int { return d.Value.Words() }

// Record returns the layout of values that are stored as words, rather than as the scalars that they
// consist of; nil for other values.
func (d Data) Record() *Layout { return d.Value.Record() }

// Map is one distinct map of a loop.
type Map struct {
	Arity int
	// Varying says that rows have different lengths, of which Arity is the largest: negative values follow the others.
	Varying bool
}

// MaxArgs is the largest number of arguments of a loop, on every backend.
const MaxArgs = 64

// Arg is one argument, in the kernel's order.
type Arg struct {
	Kind      Kind
	Access    Access
	Data      int // index into Loop.Data; of Index, the table of numbers, or -1 if elements pass their own
	Map       int // index into Loop.Maps, or Direct; a mat's row map
	Component int // of the map, or All
	ColMap    int // a mat's column map; otherwise Direct
	Nonzeros  int // index into Loop.Nonzeros, of a mat
	Op        int // index into Loop.Ops, of Reduce
	Levels    int // 1 more than the index into Loop.Levels: those of the dat's columns that layers reach; 0: all values
	Single    int // of a dat: 1 more than the value of each element that it passes alone; 0: it passes all
	Counts    int // of Index: 1 more than the map of whose rows it passes the lengths; 0: the element's number

	// Next says that the argument is a further part of the kernel's parameter that the argument before
	// it belongs to. Otherwise it is the first, and mostly the only, part of a parameter of its own.
	Next bool
	// Rows and Cols are the shape of all values of a parameter of parts: of dats, one row; of mats, the
	// local matrix that each is a block of. They are 0 for an argument that is the whole parameter.
	Rows, Cols int
	// Offset is where the part's values begin in the parameter, in values: of dats, after the parts
	// before it; of mats, Cols for each row above the block, and the columns left of it.
	Offset int
}

// Indirect reports whether the argument reaches its data through a map.
func (a Arg) Indirect() bool { return a.Map != Direct }

// WholeMap reports whether the kernel gets all components of the map at once, or several levels of the element's own column.
func (a Arg) WholeMap() bool { return (a.Map != Direct || a.Levels > 0) && a.Component == All }

// Reduces reports whether the argument is a global that the loop changes.
func (a Arg) Reduces() bool { return a.Kind == Global && a.Access != Read }

// Loop describes a parallel loop: the kernel's name and its arguments, and the distinct data and
// maps that the arguments refer to, numbered in order of appearance.
type Loop struct {
	Kernel string
	Args   []Arg
	Data   []Data
	Maps   []Map

	Nonzeros []Nonzeros
	Ops      []*Op

	Layers Layers   // that each element runs, one after the other; zero: it has none
	Levels []Levels // distinct ones
}

// Layers are those of a column that a loop over columns runs.
type Layers struct {
	Of     int // those of the whole column, by which elements are numbered; 0: there are no columns
	Region Region
	// Bounds is 1 more than the index into Loop.Data of the dat with the lowest layer of each column and the one above its highest; 0:
	// each column has all layers.
	Bounds int
}

// Region is a part of each column.
type Region uint8

// The regions. The kernel gets what the layers on both sides of a facet have.
const (
	Column Region = iota
	Bottom
	Top
	Facets
)

// Of returns the first layer of the region, and the one after its last, of a column with the layers from bottom up to top.
func (r Region) Of(bottom, top int) (first, last int) {
	switch {
	case bottom >= top:
	case r == Bottom:
		top = bottom + 1
	case r == Top:
		bottom = top - 1
	case r == Facets:
		top--
	}
	return bottom, top
}

// Range returns the layers that a loop runs, without the last, of columns that have all.
func (l Layers) Range() (first, last int) { return l.Region.Of(0, l.Of) }

// Count returns the number of calls of the kernel for each element of the set; the largest number if columns vary.
func (l Layers) Count() int {
	if l.Of == 0 {
		return 1
	}
	first, last := l.Range()
	return last - first
}

// Levels are those elements of the columns of a dat that layers reach: layer l those that are l steps above the first ones.
type Levels struct {
	First []int
	Step  int
}

// Same reports whether levels are the same.
func (l Levels) Same(other Levels) bool {
	return l.Step == other.Step && slices.Equal(l.First, other.First)
}

// LevelsNo returns the number of levels, adding them if necessary.
func (l *Loop) LevelsNo(levels Levels) int {
	i := slices.IndexFunc(l.Levels, levels.Same)
	if i < 0 {
		i = len(l.Levels)
		l.Levels = append(l.Levels, levels)
	}
	return i
}

// Nonzeros describes one distinct way to the nonzeros of sparse matrices: a sparsity, and maps to
// its rows and columns.
type Nonzeros struct {
	Rows, Cols int  // maps
	Masked     bool // some elements have no nonzero in some places
	Search     bool // nonzeros are searched for in the rows, rather than looked up in a table
}

// Positions returns the number of positions that a table of nonzeros has for each element: those of all layers of its column.
func (l *Loop) Positions(n Nonzeros) int {
	return l.Maps[n.Rows].Arity * l.Maps[n.Cols].Arity * max(1, l.Layers.Of)
}

// Reads reports whether the loop needs the values of map m: a table of nonzeros replaces them.
func (l *Loop) Reads(m int) bool {
	return slices.ContainsFunc(l.Args, func(a Arg) bool {
		return a.Kind != Mat && a.Map == m || a.Kind == Mat && l.Nonzeros[a.Nonzeros].Search && (a.Map == m || a.ColMap == m)
	})
}

// Local returns the shape of the local matrix of argument a, a mat: of its own block, if it is one of
// several.
func (l *Loop) Local(a Arg) (rows, cols int) {
	d := l.Data[a.Data]
	return l.Maps[a.Map].Arity * d.Dim, l.Maps[a.ColMap].Arity * d.ColDim
}

// Dim returns the number of values per element of the data of argument a; 1 for the element's
// number.
func (l *Loop) Dim(a Arg) int {
	switch {
	case a.Kind == Index:
		return 1
	case a.Single > 0:
		return l.Data[a.Data].Words()
	}
	if a.Levels > 0 {
		return l.Data[a.Data].Dim / l.Data[a.Data].Column
	}
	return l.Data[a.Data].Dim
}

// LevelsOf returns the levels of the columns of its dat that the argument reaches; a zero for an argument that reaches all.
func (l *Loop) LevelsOf(a Arg) Levels {
	if a.Levels == 0 {
		return Levels{First: []int{0}}
	}
	return l.Levels[a.Levels-1]
}

// First returns the number of scalars that an element has before those that argument a passes.
func (l *Loop) First(a Arg) int { return max(0, a.Single-1) * max(1, l.Dim(a)) }

// Type returns the type of the values of argument a.
func (l *Loop) Type(a Arg) Scalar {
	if a.Kind == Index {
		return Int64
	}
	return l.Data[a.Data].Type
}

// Arity returns the number of targets that argument a passes to the kernel: the map's arity for a
// argument through the whole map, otherwise 1, for each level.
func (l *Loop) Arity(a Arg) int { return l.PerLevel(a) * len(l.LevelsOf(a).First) }

// Covers reports whether an element reaches all values of its targets through argument a, rather than some levels of their columns.
func (l *Loop) Covers(a Arg) bool {
	switch {
	case l.Layers.Bounds > 0: // columns may have no layers
		return false
	case a.Levels == 0:
		return l.Layers.Count() > 0
	}
	levels, reached := l.LevelsOf(a), map[int]bool{}
	first, last := l.Layers.Range()
	for layer := first; layer < last; layer++ {
		for _, first := range levels.First {
			reached[first+layer*levels.Step] = true
		}
	}
	return len(reached) == l.Data[a.Data].Column
}

// WritesAll reports whether each argument that is written is written completely at the targets of an element.
func (l *Loop) WritesAll() bool {
	return !slices.ContainsFunc(l.Args, func(a Arg) bool { return a.Kind == Dat && a.Access == Write && !l.Covers(a) })
}

// PerLevel returns the number of targets in each level.
func (l *Loop) PerLevel(a Arg) int {
	if a.WholeMap() && a.Map != Direct {
		return l.Maps[a.Map].Arity
	}
	return 1
}

// Varies reports whether the kernel gets all components of a map whose rows have different lengths.
func (l *Loop) Varies(a Arg) bool { return a.WholeMap() && a.Map != Direct && l.Maps[a.Map].Varying }

// Count returns the number, from 1, of the argument that passes the lengths of a map's rows among all such; 0 if they do not vary.
func (l *Loop) Count(m int) int {
	n := 0
	for _, a := range l.Args {
		if a.Counts > 0 {
			if n++; a.Counts-1 == m {
				return n
			}
		}
	}
	return 0
}

// Values returns the number of values that argument a passes to the kernel for each element.
func (l *Loop) Values(a Arg) int {
	if a.Kind == Mat {
		rows, cols := l.Local(a)
		return rows * cols
	}
	return l.Arity(a) * l.Dim(a)
}

// Param returns the index of the kernel's parameter that argument i is, or is a part of.
func (l *Loop) Param(i int) int {
	p := i
	for _, a := range l.Args[:i+1] {
		if a.Next {
			p--
		}
	}
	return p
}

// Params returns the number of the kernel's parameters.
func (l *Loop) Params() int { return l.Param(len(l.Args)-1) + 1 }

// Part reports whether the argument is one part, maybe the only one, of a parameter of parts: the
// kernel gets these in one array.
func (a Arg) Part() bool { return a.Rows > 0 }

// Collides reports whether two elements of the iteration set may change the same value of a dat, so
// that they must not run at the same time. Reductions into globals do not count: each worker has a
// partial result. Neither do mats that are written: only the last element that writes a value
// stores it.
func (l *Loop) Collides() bool {
	return slices.ContainsFunc(l.Args, func(a Arg) bool {
		return a.Kind == Mat && a.Access == Inc || a.Kind == Dat && a.Indirect() && a.Access != Read
	})
}

// Reduces reports whether the loop reduces into some global.
func (l *Loop) Reduces() bool { return slices.ContainsFunc(l.Args, Arg.Reduces) }

// Ways returns the number of ways in which an element reaches data d.
func (l *Loop) Ways(d int) int {
	n := 0
	for _, a := range l.Args {
		if a.Data == d {
			n += l.Arity(a)
		}
	}
	return n
}

// Single reports whether some argument passes only one value of each element of data d.
func (l *Loop) Single(d int) bool {
	return slices.ContainsFunc(l.Args, func(a Arg) bool { return a.Data == d && a.Single > 0 })
}

// DataAccess returns how the loop as a whole uses data d: the access of its arguments, which all
// have the same one unless the others only read the data, or pass other values of each element: then it reads and changes the
// data, as it does where it writes only some values.
func (l *Loop) DataAccess(d int) Access {
	access, all, some := Read, Access(0), false
	for _, a := range l.Args {
		if a.Data != d {
			continue
		}
		some = some || a.Single > 0 && (a.Access == Write || all != 0 && a.Access != all)
		all = a.Access
		if a.Access != Read {
			access = a.Access
		}
	}
	if some {
		return RW
	}
	return access
}
