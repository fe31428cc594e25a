package kernel

import "github.com/go-op2/op2/internal/loop"

// Shape describes the values behind a parameter: Rows targets, as many as the map has (1 unless all
// of them are passed at once), of Cols values each; or an element's local matrix.
type Shape struct {
	Rows, Cols int
	Matrix     bool
	Number     bool // the element's number
	Global     bool
	LeftOut    bool         // the call leaves the argument out: there are none
	Value      *loop.Layout // of each value; nil for plain scalars
	// Counts of the parameters that lead to the lengths of rows, and of those of a matrix; 0 if they do not vary.
	RowCount, ColCount int
	Parts              []Part // of a parameter of parts: what it consists of, one after the other; of matrices, blocks in any place
}

// Part is one part of the values behind a parameter.
type Part struct {
	Name string // of the dat
	Shape
}

// ShapeOf returns the shape of the values of a loop's argument; of a part of one, of that alone.
func ShapeOf(l *loop.Loop, a loop.Arg) Shape {
	if a.Kind == loop.Mat {
		rows, cols := l.Local(a)
		return Shape{Rows: rows, Cols: cols, Matrix: true, RowCount: l.Count(a.Map), ColCount: l.Count(a.ColMap)}
	}
	shape := Shape{Rows: l.Arity(a), Cols: l.Dim(a), Number: a.Kind == loop.Index, Global: a.Kind == loop.Global}
	if a.WholeMap() && a.Map != loop.Direct {
		shape.RowCount = l.Count(a.Map)
	}
	if a.Kind != loop.Index {
		d := l.Data[a.Data]
		shape.Cols, shape.Value = l.Dim(a)/d.Words(), d.Value
	}
	return shape
}

// scalars returns the number of scalars in each value.
func (s Shape) scalars() int {
	if s.Value == nil {
		return 1
	}
	return Count(TypeOf(s.Value))
}

const (
	// unrollBudget is the number of statements up to which loops are executed iteration by
	// iteration; each loop may use up half of the remaining budget.
	unrollBudget = 100_000
	// stepLimit is the number of statements at which the analysis gives up.
	stepLimit = 2 * unrollBudget
)

// Analyze fills in k.Uses, one for each parameter of the kernel, and sets InRange of each Index
// that is proven to be within its array whenever it is executed, and Fits of arithmetic that never
// wraps. Shapes holds one shape for each parameter; it may be nil for a Go kernel, whose types
// contain the lengths.
//
// Analyze is an abstract interpretation of the kernel over intervals of its integers (P. and R. Cousot,
// "Abstract interpretation", POPL 1977). Where a condition is not decided, it follows both branches.
// A loop is executed iteration by iteration as long as its condition is decided; from then on the
// intervals are widened until they hold in every further iteration. It assumes that two parameters
// never share memory.
func Analyze(k *Kernel, shapes []Shape) {
	a := newAnalysis(k, shapes)
	k.Strays = nil
	a.run()
	a.conclude()
	k.Uses = a.uses
}

// analysis is the abstract execution of one kernel.
type analysis struct {
	k      *Kernel
	c      bool // the current function is in C
	params []param
	uses   []Use

	vars   map[*Var]*variable
	consts map[*Const]*variable
	ranges []interval // every value of each slot

	states
	s       *state // the current state; nil where execution never arrives
	frame   *frame
	targets []*target

	jumps     int                 // executed so far
	address   *Index              // only its address is taken
	there     map[*Index]interval // the valid subscripts, in C
	steps     int
	limit     int // of steps while loops are executed iteration by iteration
	gaveUp    bool
	failed    map[*Index]bool // seen out of range
	wrapped   map[*bool]bool  // Fits of what was seen to wrap
	somewhere Pos             // for what has no position of its own
}

// param is a parameter of the kernel.
type param struct {
	bits  int // first bit in state.written
	total int // number of values
	cols  int // values per row
	room  int // number of bits: total, or more if its type promises more
}

// variable is a local variable or a parameter of some function, or a const.
type variable struct {
	slot    int // first slot in state.values; -1 if its value is not tracked
	count   int // number of scalars
	pointer bool
	moves   bool     // a pointer that is assigned to
	target  location // what a pointer points to
	of      *Const   // that it stands for, if any
}

// frame is a function being executed.
type frame struct {
	entry   bool // the kernel's own function
	targets int  // number of the analysis' targets outside the function
	exits   []exit
	results []interval // of its scalar results, over the returns so far
}

// exit is a place where a function returns, and the state there.
type exit struct {
	pos Pos
	*state
}

func newAnalysis(k *Kernel, shapes []Shape) *analysis {
	a := &analysis{k: k, vars: map[*Var]*variable{}, consts: map[*Const]*variable{}, there: map[*Index]interval{}, limit: unrollBudget}
	entry := k.Entry()
	a.somewhere = entry.Pos
	if !a.somewhere.Known() {
		a.somewhere = Pos{File: k.File, Line: 1}
	}
	for _, f := range k.Funcs {
		a.declare(f)
	}
	a.c = entry.C
	bits := 0
	for i, v := range entry.Params {
		p := newParam(v.Type)
		if i < len(shapes) && a.c {
			p.cols = shapes[i].Cols * shapes[i].scalars()
			p.total = shapes[i].Rows * p.cols
		}
		p.bits = bits
		a.params = append(a.params, p)
		here := location{root: i}
		here.size = a.count(Elem(v.Type), here)
		p.room = max(p.total, here.size)
		a.params[i] = p
		bits += p.room
		if bound := a.vars[v]; !bound.moves {
			bound.target = here
		}
	}
	a.uses = make([]Use, len(a.params))
	a.s = &state{
		values:  append([]interval(nil), a.ranges...),
		written: make([]uint64, (bits+63)/64),
		blurred: make([]bool, len(a.params)),
	}
	return a
}

func newParam(t Type) param {
	p := param{total: Count(t), cols: Count(t)}
	if array, ok := Elem(t).(*Array); ok {
		if row, ok := array.Elem.(*Array); ok {
			p.cols = Count(row)
		}
	}
	return p
}

// declare finds the variables of f, and those among them that cannot be tracked.
func (a *analysis) declare(f *Func) {
	a.c = f.C
	for _, v := range f.Params {
		a.variable(v, true)
	}
	Walk(f.Body, func(s Stmt) {
		withdraw(s)
		switch s := s.(type) {
		case *Decl:
			a.variable(s.Var, false)
		case *Assign:
			if v := a.vars[Root(s.L)]; v != nil && a.isPointer(s.L.Type()) {
				v.moves = v.pointer
			}
		}
	}, func(e Expr) {
		withdraw(e)
		switch e := e.(type) {
		case *Index:
			e.Of = 0
		case *Opaque:
			Walk(&Do{X: e}, nil, a.lose)
		case *AddrOf:
			if a.c {
				a.lose(e.X)
			}
		}
	})
}

// variable allocates slots for the value of v.
func (a *analysis) variable(v *Var, parameter bool) {
	b := &variable{slot: -1, count: Count(v.Type)}
	a.vars[v] = b
	if Is[*Pointer](v.Type) || Is[*Array](v.Type) && parameter && a.c {
		b.pointer = true
		b.moves = !parameter
		b.target = location{root: nowhere}
		return
	}
	n := followed(v.Type, a.c)
	if n == 0 {
		return
	}
	b.slot = len(a.ranges)
	for range n {
		a.ranges = append(a.ranges, rangeOf(Leaf(v.Type)))
	}
}

// lose stops tracking the variable that contains the lvalue e.
func (a *analysis) lose(e Expr) {
	if v := a.vars[Root(e)]; v != nil {
		v.slot = -1
	}
}

func (a *analysis) run() {
	entry := a.k.Entry()
	for i, v := range entry.Params {
		if a.vars[v].moves {
			a.escape(location{root: i}, entry.Pos)
		}
	}
	a.frame = &frame{entry: true}
	a.block(entry.Body)
	a.leave(entry.End)
}

// conclude records which components the kernel leaves unwritten, and withdraws claims that cannot
// be made.
func (a *analysis) conclude() {
	for i := range a.uses {
		use, p := &a.uses[i], &a.params[i]
		if a.gaveUp {
			use.Opaque = a.somewhere
		}
		if use.Opaque.Known() {
			use.Early, use.EarlyAt = Pos{}, 0
			continue
		}
		a.concludeUnset(use, p, i)
	}
	if !a.gaveUp {
		return
	}
	for _, node := range All[any](a.k) {
		withdraw(node)
	}
}

// withdraw takes back the claims that a subscript is in range and how many values there are, or that arithmetic fits.
func withdraw(node any) {
	switch n := node.(type) {
	case *Assign:
		n.Fits = false
	case *Index:
		n.InRange, n.There, n.Before = false, 0, 0
	case *Unary:
		n.Fits = false
	case *Binary:
		n.Fits = false
	}
}

func (a *analysis) concludeUnset(use *Use, p *param, number int) {
	for c := range p.total {
		if isBlank(a.k.Entry().Params[number].Type, c) {
			continue
		}
		for _, x := range a.frame.exits {
			if !x.blurred[number] && !x.isWritten(p.bits+c) {
				use.Unset = c
				a.note(&use.UnsetPos, location{}, x.pos)
				return
			}
		}
	}
}
