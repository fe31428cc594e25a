package lower

import (
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Program is one loop, lowered for a target. Locals and moves are in the order of the parameters
// that they belong to.
type Program struct {
	Kernel     string
	Params     []Param
	Locals     []Local
	Moves      []Move
	Reductions []Reduction
	Scatters   []Scatter
	Staged     []Staging
	Maps       []int // the maps whose values are read, in ascending order

	// Turn says that an element may have to see, in a copy, what another one left there: its copies
	// are loaded only when its turn to call the kernel comes.
	Turn bool
}

// Param is one parameter of the kernel and its argument.
type Param struct {
	Var   *kernel.Var
	Parts []Part
	Pass  Pass
	Place Place // what it points at, if in place
	Local int   // otherwise, the index of the local that it points at
}

// Part is the contribution of one argument of the loop to a parameter.
type Part struct {
	Arg    int
	Type   loop.Scalar
	Rows   int          // targets that the kernel gets; 1 unless it gets all of a map
	Values int          // per element
	Value  *loop.Layout // of one of the program's values, of which Type is the carrier; nil for scalars
}

// Pass is the form of an argument.
type Pass uint8

// The ways to pass values.
const (
	InPlace     Pass = iota // a pointer to a place
	InPlaceRows             // an array of pointers, to the place of each component of a map
	Own                     // a pointer to a local
	OwnRows                 // an array of pointers, to each row of a local
)

// Rows reports whether the parameter is an array of pointers.
func (p Pass) Rows() bool { return p == InPlaceRows || p == OwnRows }

// Local is a variable that the kernel works on instead of the loop's data.
type Local struct {
	Param int
	Role  Role
	Type  loop.Scalar
	Value *loop.Layout // of one of the program's values, of which Type is the carrier; nil for scalars
	Rows  int          // of an array of rows, for all components of a map or for a matrix; 0 for a single row, which may hold parts one after the other
	Dim   int          // values in each row
	Loop  bool         // lives for the whole loop, instead of for one element
	Pack  bool         // holds a value for each element of a pack
}

// Stride returns the distance in bytes between the partial results of blocks: whole cache lines, so
// that threads share none.
func (l Local) Stride() int {
	const line = 64
	return (l.Dim*l.Type.Size() + line - 1) / line * line
}

// Words returns the number of values of Type that one of the program's values is stored as.
func (l Local) Words() int { return l.Value.Words() }

// Record returns the layout of values that are stored as words of Type, which mean nothing one by
// one; nil for other values.
func (l Local) Record() *loop.Layout { return l.Value.Record() }

// Whole reports whether an operation takes values of the program's type as a whole, rather than the
// scalars that they are stored as: an operation of the program, and a sum of records.
func (l Local) Whole(op Op) bool { return op == Combine || op == Add && l.Record() != nil }

// Role is the purpose of a local. Printers name locals by it.
type Role uint8

// The roles.
const (
	Number  Role = iota // the element's number; a table that it comes from may have another type
	Value               // a global's values
	Partial             // the partial result of a reduction
	Share               // an element's contribution to a partial result
	Copy                // a copy of one place
	Copies              // copies of the places of all components of a map
	Matrix              // the element's local matrix
)

// Place is where values are, other than in a parameter's own local.
type Place struct {
	Kind      PlaceKind
	Data      int   // of the loop
	Map       int   // that leads there, or loop.Direct
	Component int   // of the map, the first if there are several
	Level     Level // of the column there
	Column    int   // of a reference: its number among the ways to Data if Shared, among the references of all arguments to be Gathered if so
	Local     int   // the partial result

	Some  bool // of the values of a row, those of one component alone
	First int  // scalars before these in the row
}

// Level is a level of the columns of a dat, which moves with the layer that runs.
type Level struct {
	Of    int // elements of each column; 0: the place is all values, or the dat has no columns
	First int // level of layer 0
	Step  int // to that of the next layer
}

// PlaceKind is the kind of a place.
type PlaceKind uint8

// The kinds of place.
const (
	Nowhere   PlaceKind = iota
	Values              // a dat's
	Global              // a global's
	ElementNo           // the element's number
	Result              // a partial result, which is a local
	Shared              // a dat's, in the copy that a block's elements share
	Gathered            // what a target gathers
)

// Move moves values between a place and a local.
type Move struct {
	Param  int
	When   When
	Do     Op
	Place  Place
	Local  int // -1 if it fills the place itself
	Offset int // where the first row begins in the local, in values: other than 0 for a part of several
	Rows   int // number of rows, from the first of the place; for a matrix, all
	Dim    int // values in each row
	Atomic bool
	By     int // of Identity and Combine: the operation, of the loop's
}

// When says when a move happens.
type When uint8

// The times, in order.
const (
	First   When = iota // before all elements
	Before              // before each call of the kernel
	After               // after each call
	Collide             // after that, where other elements may change the same place
)

// Op is the operation of a move.
type Op uint8

// The operations. The first four create what arrives, the others store what is left.
const (
	Nothing  Op = iota
	Load        // local = place
	Zero        // local = 0
	Poison      // local, or the place if there is no local, = a conspicuous value
	Identity    // local = the identity of an operation of the program
	Store       // place = local
	Add         // place += local
	Min         // place = min(place, local)
	Max         // place = max(place, local)
	Combine     // place = what an operation of the program makes of place and local
)

func (o Op) String() string {
	return [...]string{"nothing", "load", "zero", "poison", "identity", "store", "add", "min", "max", "combine"}[o]
}

// Arrives reports whether the operation creates what the kernel gets.
func (o Op) Arrives() bool { return Load <= o && o <= Identity }

// Reduction is a global that the loop changes through partial results.
type Reduction struct {
	Arg     int
	Data    int
	Local   int // the partial result
	Begin   Op  // Zero, Load from the global, or Identity
	Combine Op  // one partial result with another
	Finish  Op  // the partial result with the global
	By      int // of Identity and Combine: the operation, of the loop's
}

// Scatter adds a local matrix to a sparse one, or stores it there.
type Scatter struct {
	Param          int
	When           When
	Do             Op // Add or Store
	Atomic         bool
	Data           int
	Local          int
	Nonzeros       int // of the loop
	Map, ColMap    int // that lead to rows and columns
	Rows, Cols     int // blocks of the local matrix: the maps' arities
	Layers         int // of which the table has positions for each element; 0 without columns
	RowDim, ColDim int // of a block
	Row, Col       int // where the first block begins in the local matrix: other than 0 for a part of several
	Search         bool
	Masked         bool // some blocks are dropped
}

// Staging is a dat of which the elements of a block share a copy.
type Staging struct {
	Data int
	In   Op // how the copy is initialized: Load, Zero or Nothing
	Out  Op // how it is stored: Store, Add or Nothing
}

// LocalsOf returns the range of locals of parameter i.
func (p *Program) LocalsOf(i int) (first, end int) {
	of := func(l Local, i int) int { return l.Param - i }
	first, _ = slices.BinarySearchFunc(p.Locals, i, of)
	end, _ = slices.BinarySearchFunc(p.Locals, i+1, of)
	return first, end
}

// MovesOf returns the moves for parameter i.
func (p *Program) MovesOf(i int) []Move {
	of := func(m Move, i int) int { return m.Param - i }
	first, _ := slices.BinarySearchFunc(p.Moves, i, of)
	end, _ := slices.BinarySearchFunc(p.Moves, i+1, of)
	return p.Moves[first:end]
}

// Printer prints the parts of a program for a target.
type Printer interface {
	Declare(local int)
	Moves([]Move) // of one parameter
	HandOver(param int)
	Scatter(Scatter)
}

// Walk prints a program: the locals of each parameter, its moves, its argument, and its matrix.
func (p *Program) Walk(to Printer) {
	for i := range p.Params {
		first, end := p.LocalsOf(i)
		for l := first; l < end; l++ {
			to.Declare(l)
		}
		to.Moves(p.MovesOf(i))
		to.HandOver(i)
		for _, s := range p.Scatters {
			if s.Param == i {
				to.Scatter(s)
			}
		}
	}
}

// Whole reports whether a move is of all values of its local.
func (p *Program) Whole(m Move) bool {
	l := p.Locals[m.Local]
	return m.Rows*m.Dim == max(1, l.Rows)*l.Dim
}

// Begins returns the operation that initializes local l, Nothing if its initial values do not
// matter.
func (p *Program) Begins(l int) Op {
	for _, m := range p.Moves {
		if m.Local == l && m.Do.Arrives() {
			return m.Do
		}
	}
	return Nothing
}

// Reduction returns the reduction whose partial result local l is; nil if there is none.
func (p *Program) Reduction(l int) *Reduction {
	for i := range p.Reductions {
		if p.Reductions[i].Local == l {
			return &p.Reductions[i]
		}
	}
	return nil
}

// Collides reports whether something is stored where other elements may change the same place.
func (p *Program) Collides() bool {
	return slices.ContainsFunc(p.Moves, func(m Move) bool { return m.When == Collide }) ||
		slices.ContainsFunc(p.Scatters, func(s Scatter) bool { return s.When == Collide })
}

// Numbered reports whether anything needs the number of the element.
func (p *Program) Numbered() bool {
	asks := func(at Place) bool { return at.Kind == Values || at.Kind == ElementNo }
	return len(p.Scatters) > 0 ||
		slices.ContainsFunc(p.Params, func(p Param) bool { return asks(p.Place) }) ||
		slices.ContainsFunc(p.Moves, func(m Move) bool { return asks(m.Place) })
}
