// Package kernel represents kernels between their source and generated code: a small typed
// intermediate representation (IR), and what can be decided on it: which parameters are read,
// written, completely written or only added to (Analyze), and whether that satisfies the access
// contract (Check).
//
// The front ends are the subpackages fromgo and fromc. The package is pure: no
// file, environment or clock.
//
// The IR is a tree with Go's meaning. The front ends turn everything whose order matters into
// statements, so that expressions have no side effects except calls, at most one of which changes
// anything; a printer may therefore use a target language with unspecified order of evaluation.
package kernel

import (
	"cmp"
	"go/constant"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/loop"
)

// Kernel is a whole kernel: its function, its callees, and the consts that they read.
type Kernel struct {
	Name    string
	Funcs   []*Func   // callees before callers; the last is the kernel itself
	Structs []*Struct // used by Funcs, inner before outer
	Consts  []*Const  // read by Funcs, sorted by name

	// Source is the text of a C kernel, emitted verbatim; it is empty for Go and for fused kernels,
	// whose Funcs are printed. File names it for positions and #line. Exact says that the Funcs of a
	// C kernel capture everything in Source, to the last bit, so that they may be printed in its
	// place.
	Source string
	File   string
	Texts  map[string]string // of a C kernel: the program's files that positions are in
	Exact  bool
	// Types declares the structs of the program that Source mentions.
	Types string
	// Unseen lists what a C kernel does with its arguments that Funcs do not capture.
	Unseen []Problem
	Locals int // bytes of a C kernel's local variables

	// LeftOut lists the parameters that a call leaves out, in order: they are not among those of the entry function.
	LeftOut []LeftOut

	// Parts lists the kernels that a fused one runs in sequence.
	Parts []*Kernel

	Uses   []Use   // of each parameter, filled by Analyze
	Strays []Stray // subscripts of a C kernel that are not known to be in range; filled by Analyze
}

// Entry returns the kernel's own function.
func (k *Kernel) Entry() *Func { return k.Funcs[len(k.Funcs)-1] }

// IsC reports whether the kernel's own function has C's meaning.
func (k *Kernel) IsC() bool { return k.Entry().C }

// Func is one function. Functions of a fused kernel may be in different languages.
type Func struct {
	Name    string
	C       bool // it has C's meaning: of subscripts, shifts, conversions, and functions of math
	Params  []*Var
	Results []Type
	Body    *Block
	Pos     Pos // of the name
	End     Pos // of the closing brace
}

// Var is a parameter or a local variable.
type Var struct {
	Name  string
	Type  Type
	Pos   Pos
	Const bool // a pointer to what C calls const
	// Slices is the number of levels at which the parameter is a slice in Go, 2 for [][]float64; its
	// type is a pointer to arrays of the lengths that they have.
	Slices int
	// Count is not 0 for a parameter that the source does not have: it points to the length of the arrays that have this Count,
	// at most Most.
	Count, Most int
}

// Const is a named value of the program that kernels read: a package variable in Go, a free
// identifier in C. Its type is a Basic or an Array of Basic.
type Const struct {
	Name string
	Type Type
	Pos  Pos // of its first use

	Of string // the package whose variable it is, where that is another one than the kernel's
}

// InGo returns how a program of the kernel's package writes the variable: "gas.Gamma".
func (c *Const) InGo() string {
	if c.Of == "" {
		return c.Name
	}
	return c.Of + "." + c.Name
}

// ByName compares consts by their names.
func ByName(c, d *Const) int { return cmp.Compare(c.Name, d.Name) }

// Type is the type of an expression, a variable or a parameter.
type Type interface {
	String() string // as in Go
}

// Basic is a scalar type.
type Basic loop.Scalar

// Array is [Len]Elem.
type Array struct {
	Len  int
	Elem Type
	// Count, unless it is 0, is that of the parameter that points to the length of the slice that the array stands for; Len is
	// the largest such length.
	Count int
}

// Struct is a struct type of the kernel's file.
type Struct struct {
	Name   string
	Fields []Var
}

// Pointer is *Elem; only parameters are pointers, and the elements of a C
// kernel's `double *x[3]`.
type Pointer struct {
	Elem Type
}

// Expr is an expression.
type Expr interface {
	Type() Type
	Pos() Pos
}

// At is the position and type that every expression has.
type At struct {
	T  Type
	At Pos
}

func (a At) Type() Type { return a.T }
func (a At) Pos() Pos   { return a.At }

type (
	// Lit is a constant; its value fits its type exactly.
	Lit struct {
		At
		Value constant.Value
	}

	// Ref is a variable or parameter.
	Ref struct {
		At
		Var *Var
	}

	// ConstRef is a const.
	ConstRef struct {
		At
		Const *Const
	}

	// Index is X[I]; X is an array, a pointer to one or, in C, a pointer.
	Index struct {
		At
		X, I Expr
		// InRange is set by Analyze if I is proven to be within the array.
		InRange bool
		// Of is a bit set of the kernel parameters that X may refer to; set by Analyze.
		Of uint64
		// There is the number of values that X may be indexed to in C, and Before the number of those
		// before the one that it leads to. Analyze sets both if they are always the same; otherwise
		// they are 0.
		There, Before int64
	}

	// Select is X.Field; X is a struct or a pointer to one.
	Select struct {
		At
		X     Expr
		Field string
		// Walked says, in C, that a pointer that starts in the field moves, perhaps on into the next ones.
		Walked bool
	}

	// Deref is *X.
	Deref struct {
		At
		X Expr
	}

	// AddrOf is &X, only as an argument of a Call or, in C, as a part of an Opaque.
	AddrOf struct {
		At
		X Expr
	}

	// Unary is Op X.
	Unary struct {
		At
		Op Op
		X  Expr
		// Fits is as in Binary.
		Fits bool
	}

	// Binary is X Op Y. Both have the same type, except for shifts.
	Binary struct {
		At
		Op   Op
		X, Y Expr
		// Fits is set by Analyze if a sum, difference or product of signed integers is proven not
		// to wrap, or an integer divisor to be neither 0 nor -1.
		Fits bool
	}

	// Convert is T(X) between scalars.
	Convert struct {
		At
		X Expr
	}

	// Call is a call of a function of the kernel with at most one result.
	Call struct {
		At
		Func *Func
		Args []Expr
	}

	// Math is a call of a function of Go's package math, by its Go name, or of the builtins min and
	// max (of any number of arguments of one type).
	Math struct {
		At
		Name string
		Args []Expr
	}

	// Composite is the value of an array or a struct, element by element; a nil element is zero.
	Composite struct {
		At
		Elems []Expr
	}

	// Opaque is an expression of a C kernel that the IR cannot express. Its parts are evaluated;
	// its effect on the pointees among them is unknown.
	//
	// Stores is the part through which it certainly stores, if one is known.
	Opaque struct {
		At
		Parts  []Expr
		Stores Expr
		// Reach is a place that must exist.
		Reach *Index
	}
)

// Op is an operator.
type Op uint8

// The operators; None in an Assign is plain assignment.
const (
	None Op = iota
	Add
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	AndNot
	Shl
	Shr
	LAnd
	LOr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Neg
	Not  // of bool
	Flip // of the bits, ^x
)

var spellings = []string{"", "+", "-", "*", "/", "%", "&", "|", "^", "&^", "<<", ">>",
	"&&", "||", "==", "!=", "<", "<=", ">", ">=", "-", "!", "^"}

// String returns the operator in Go.
func (o Op) String() string { return spellings[o] }

// BinaryOp returns the binary operator that a text stands for in Go or in C, or that of an assignment; None for "=".
func BinaryOp(text string) Op {
	for _, text := range []string{text, strings.TrimSuffix(text, "=")} {
		if i := slices.Index(spellings[:Neg], text); i >= 0 {
			return Op(i)
		}
	}
	return None
}

// Compares reports whether o yields a bool from two values.
func (o Op) Compares() bool { return Eq <= o && o <= Ge }

// Stmt is a statement.
type Stmt interface {
	stmt()
}

type (
	// Block is a list of statements with its own scope.
	Block struct {
		Stmts []Stmt
	}

	// Decl declares a variable; without Init it is zero.
	Decl struct {
		Var  *Var
		Init Expr
		Pos  Pos
	}

	// Assign is L Op= R. In C, R may be a float64 while L is a float32: the sum is then computed in
	// the larger type, and rounded.
	Assign struct {
		L   Expr
		Op  Op
		R   Expr
		Pos Pos
		// Fits is as in Binary.
		Fits bool
	}

	// Do is a call for its effects. Into receives its results, if there are several or the result
	// is an array; results whose entry is nil are dropped.
	Do struct {
		Call *Call  // or
		Math *Math  // Frexp, Modf, Sincos, Lgamma
		X    Expr   // or any other expression (C only)
		Into []*Var // declared before
		Pos  Pos
	}

	// If is if/else; Else is nil, *Block or *If.
	If struct {
		Cond Expr
		Then *Block
		Else Stmt
		Pos  Pos
	}

	// For is a loop; Init, Cond and Post may be nil.
	For struct {
		Init Stmt // *Decl or *Assign
		Cond Expr
		Post Stmt // *Assign
		Body *Block
		Pos  Pos
	}

	// Switch runs the first case that has a value equal to Tag, or the default.
	// A nil Tag stands for true.
	Switch struct {
		Tag   Expr
		Cases []*Case
		Pos   Pos
	}

	// Branch leaves (or continues) Target, a *For or *Switch around it.
	Branch struct {
		Continue bool
		Target   Stmt
		Pos      Pos
	}

	// Print is the call of a function that prints, in a Go kernel. The output is not modeled:
	// printing reads its arguments only for people, and changes nothing.
	Print struct {
		Name string // "println", "fmt.Printf"
		Pos  Pos
	}

	// Barrier keeps what follows from depending on how the floats in variables came about: they are
	// values as memory holds them, rounded, and nothing computed from them before is known.
	Barrier struct {
		Vars []*Var
	}

	// Return ends the function.
	Return struct {
		Results []Expr
		Pos     Pos
	}
)

// Case is one case of a Switch; Default has no Values.
type Case struct {
	Values      []Expr
	Default     bool
	Body        *Block
	Fallthrough bool // continues with the next case's body
}

func (*Block) stmt()   {}
func (*Decl) stmt()    {}
func (*Assign) stmt()  {}
func (*Do) stmt()      {}
func (*If) stmt()      {}
func (*For) stmt()     {}
func (*Switch) stmt()  {}
func (*Branch) stmt()  {}
func (*Print) stmt()   {}
func (*Barrier) stmt() {}
func (*Return) stmt()  {}
