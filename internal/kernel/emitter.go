package kernel

// Emitter collects the statements that a front end lowers source to. Expressions of the IR have no side effects: what
// an expression of the source changes is emitted while it is lowered, before the statement that uses its value.
type Emitter struct {
	Out []Stmt // of the current list
}

// Emit appends statements to the current list.
func (e *Emitter) Emit(s ...Stmt) { e.Out = append(e.Out, s...) }

// Collect returns the statements that do emits.
func (e *Emitter) Collect(do func()) []Stmt {
	before := e.Out
	e.Out = nil
	do()
	stmts := e.Out
	e.Out = before
	return stmts
}

// Block returns the statements that do emits, with their own scope.
func (e *Emitter) Block(do func()) *Block { return &Block{Stmts: e.Collect(do)} }

// Temporary declares a variable that the source does not have; init may be nil.
func (e *Emitter) Temporary(name string, t Type, init Expr, pos Pos) *Var {
	v := &Var{Name: name, Type: t, Pos: pos}
	e.Emit(&Decl{Var: v, Init: init, Pos: pos})
	return v
}

// Hoist stores the value of x in a temporary.
func (e *Emitter) Hoist(name string, x Expr) *Ref {
	return NewRef(e.Temporary(name, x.Type(), x, x.Pos()), x.Pos())
}
