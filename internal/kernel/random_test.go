package kernel

import (
	"fmt"
	"go/constant"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestAnalyzeRandom compares the claims of Analyze with executions, for many random kernels and
// inputs.
func TestAnalyzeRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	seeds := 4000
	if testing.Short() {
		seeds = 400
	}
	for seed := range seeds {
		g := newGenerator(uint64(seed))
		k := g.kernel()
		a := newAnalysis(k, nil)
		a.run()
		a.conclude()
		k.Uses = a.uses
		if err := holdsUp(g, k, a); err != "" {
			t.Fatalf("seed %d: %s\n%s\n%s", seed, err, describe(k), text(k))
		}
	}
}

// holdsUp executes k on several inputs, and returns a claim that does not hold.
func holdsUp(g *generator, k *Kernel, a *analysis) string {
	for range 4 {
		base := g.input()
		run := newRun(k, base)
		run.kernel()
		if run.stopped == tooLong {
			continue
		}
		if err := runHoldsUp(g, k, a, run, base); err != "" {
			return err
		}
		for i, u := range k.Uses {
			if u.OnlyAdds() && !onlyAdds(k, base, run, i) {
				return fmt.Sprintf("parameter %d is not only added to", i)
			}
		}
	}
	return ""
}

// onlyAdds reports whether starting from other values of parameter i only shifts its results, and
// changes nothing else.
func onlyAdds(k *Kernel, base [][]int64, run *execution, i int) bool {
	from := slices.Clone(base)
	from[i] = slices.Clone(base[i])
	for c := range from[i] {
		from[i][c] += int64(100 + c)
	}
	other := newRun(k, from)
	other.kernel()
	for j, m := range other.memory {
		for c, v := range m.v {
			if v-from[j][c] != run.memory[j].v[c]-base[j][c] {
				return false
			}
		}
	}
	return other.stopped == run.stopped
}

func runHoldsUp(g *generator, k *Kernel, a *analysis, run *execution, base [][]int64) string {
	if run.outOfRange != nil && run.outOfRange.InRange {
		return fmt.Sprintf("a subscript in line %d is out of range", run.outOfRange.Pos().Line)
	}
	for i, u := range k.Uses {
		m := run.memory[i]
		if !u.Write.Known() && !slices.Equal(m.v, base[i]) {
			return fmt.Sprintf("parameter %d is written", i)
		}
		if !u.Read.Known() && m.read {
			return fmt.Sprintf("parameter %d is read", i)
		}
		if run.stopped != "" {
			continue
		}
		for c := range m.v {
			every := len(a.frame.exits) > 0
			for _, x := range a.frame.exits {
				every = every && x.isWritten(a.params[i].bits+c)
			}
			if every && !m.written[c] {
				return fmt.Sprintf("component %d of parameter %d is not written", c, i)
			}
		}
		if g.closed && !a.gaveUp {
			if err := exact(u, m, i); err != "" {
				return err
			}
		}
	}
	return ""
}

// exact compares the claims about a kernel without unknown values with its only execution: they
// must be complete.
func exact(u Use, m *memory, i int) string {
	unset := slices.Index(m.written, false)
	if u.UnsetPos.Known() != (unset >= 0) || unset > 0 && u.Unset != unset {
		return fmt.Sprintf("parameter %d: component %d is the first not written", i, unset)
	}
	if u.Early.Known() != (m.early >= 0) || m.early >= 0 && u.EarlyAt != m.early {
		return fmt.Sprintf("parameter %d: component %d is the first read early", i, m.early)
	}
	return ""
}

// generator generates random kernels with the parameters n *int64, x *[4]int64, m *[3][2]int64 and
// s *int64, and callees f(p *[2]int64, i int64) int64 and g(p *int64). Closed ones have no
// subscript or condition that depends on data.
type generator struct {
	*rand.Rand
	closed  bool
	n       *Var
	data    []*Var // x, m, s
	scope   []*Var // local integers
	flags   []*Var // local bools
	table   *Var
	callees []*Func
	row, to *Func
	targets []Stmt
	counter int
	inRow   *Var // the pointer in a callee
}

func newGenerator(seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	g.closed = g.IntN(2) == 0
	g.n = newVar("n", ptr(i64))
	g.data = []*Var{
		newVar("x", ptr(arr(4, i64))), newVar("m", ptr(arr(3, arr(2, i64)))), newVar("s", ptr(i64)),
	}
	return g
}

func (g *generator) input() [][]int64 {
	in := [][]int64{make([]int64, 1), make([]int64, 4), make([]int64, 6), make([]int64, 1)}
	for _, values := range in {
		for c := range values {
			values[c] = g.Int64N(12) - 3
		}
	}
	return in
}

func (g *generator) kernel() *Kernel {
	p, i := newVar("p", ptr(arr(2, i64))), newVar("ci", i64)
	g.inRow, g.scope = p, []*Var{i}
	g.row = function("f", []*Var{p, i}, []Type{i64}, g.stmts(3)...)
	g.row.Body.Stmts = append(g.row.Body.Stmts,
		when(g.condition(), ret(g.integer(1))), ret(g.integer(2)))
	r := newVar("r", ptr(i64))
	g.inRow, g.scope = nil, nil
	g.to = function("g", []*Var{r}, nil, incr(deref(r), 1))
	if g.IntN(2) == 0 {
		g.to.Body.Stmts = append(g.to.Body.Stmts, set(deref(r), g.IntN(4)))
	}
	g.callees = []*Func{g.row, g.to}

	g.table = newVar("table", arr(3, i64))
	body := []Stmt{let(g.table, composite(arr(3, i64), g.IntN(3), g.IntN(3), g.IntN(4)))}
	body = append(body, g.stmts(4)...)
	return program(g.callees, append([]*Var{g.n}, g.data...), body...)
}

func (g *generator) stmts(depth int) []Stmt {
	scope, flags := len(g.scope), len(g.flags)
	var out []Stmt
	for range 1 + g.IntN(4) {
		out = append(out, g.stmt(depth))
	}
	g.scope, g.flags = g.scope[:scope], g.flags[:flags]
	return out
}

func (g *generator) stmt(depth int) Stmt {
	if depth == 0 {
		return g.simple()
	}
	switch g.IntN(12) {
	case 0, 1:
		s := when(g.condition(), g.stmts(depth-1)...)
		if g.IntN(2) == 0 {
			s.otherwise(g.stmts(depth - 1)...)
		}
		return s
	case 2, 3:
		return g.loop(depth)
	case 4:
		return g.choice(depth)
	case 5:
		if len(g.targets) > 0 {
			target := g.targets[g.IntN(len(g.targets))]
			_, loops := target.(*For)
			return when(g.condition(), &Branch{Continue: loops && g.IntN(2) == 0, Target: target})
		}
		if g.inRow == nil && g.IntN(3) == 0 {
			return when(g.condition(), ret())
		}
	case 6:
		if len(g.callees) > 0 {
			return g.call()
		}
	case 7:
		v, init := newVar(g.name(), i64), g.integer(2)
		g.scope = append(g.scope, v)
		return let(v, init)
	case 8:
		v, init := newVar(g.name(), flag), g.condition()
		g.flags = append(g.flags, v)
		return let(v, init)
	}
	return g.simple()
}

func (g *generator) name() string {
	g.counter++
	return fmt.Sprint("v", g.counter)
}

func (g *generator) loop(depth int) Stmt {
	i := newVar(g.name(), i64)
	var bound any = 1 + g.IntN(4)
	if g.IntN(3) == 0 {
		bound = g.integer(1)
	}
	f := upTo(i, g.IntN(2), bound)
	if g.IntN(6) == 0 {
		f.Cond = nil
	}
	g.scope = append(g.scope, i)
	g.targets = append(g.targets, f)
	f.Body = block(g.stmts(depth - 1)...)
	if f.Cond == nil {
		f.Body.Stmts = append(f.Body.Stmts, when(bin(Ge, i, 3), stopOf(f)))
	}
	g.targets = g.targets[:len(g.targets)-1]
	g.scope = g.scope[:len(g.scope)-1]
	return f
}

func (g *generator) choice(depth int) Stmt {
	s := choose(g.integer(2))
	g.targets = append(g.targets, s)
	for v := range 1 + g.IntN(3) {
		c := is(v, g.stmts(depth-1)...)
		c.Fallthrough = g.IntN(4) == 0
		s.Cases = append(s.Cases, c)
	}
	if g.IntN(2) == 0 {
		s.Cases = slices.Insert(s.Cases, g.IntN(len(s.Cases)+1), otherwise(g.stmts(depth-1)...))
	}
	s.Cases[len(s.Cases)-1].Fallthrough = false
	g.targets = g.targets[:len(g.targets)-1]
	return s
}

func (g *generator) call() Stmt {
	if g.IntN(2) == 0 {
		return do(call(g.to, addr(g.place())))
	}
	c := call(g.row, addr(at(g.data[1], g.integer(1))), g.integer(1))
	if len(g.scope) > 0 {
		return &Do{Call: c, Into: []*Var{g.scope[g.IntN(len(g.scope))]}}
	}
	return do(c)
}

// simple stores to data, or to a local variable that is not a loop counter.
func (g *generator) simple() Stmt {
	if g.inRow == nil && g.IntN(8) == 0 {
		a := newVar(g.name(), arr(2, i64))
		row := at(g.data[1], g.integer(1))
		if g.IntN(2) == 0 {
			return block(let(a, row))
		}
		return set(row, composite(arr(2, i64), g.value(1), g.value(1)))
	}
	l := g.place()
	switch g.IntN(3) {
	case 0:
		return set(l, g.value(2))
	case 1:
		return decr(l, g.value(1))
	}
	return incr(l, g.value(1))
}

// place returns a scalar lvalue in a parameter.
func (g *generator) place() Expr {
	if g.inRow != nil {
		return at(g.inRow, g.integer(1))
	}
	switch g.IntN(3) {
	case 0:
		return at(g.data[0], g.integer(2))
	case 1:
		return at(g.data[1], g.integer(1), g.integer(1))
	}
	return deref(g.data[2])
}

// value returns any integer expression.
func (g *generator) value(depth int) Expr {
	if g.IntN(3) == 0 {
		return g.place()
	}
	return g.integer(depth)
}

// integer returns an expression for subscripts and conditions.
func (g *generator) integer(depth int) Expr {
	switch n := g.IntN(9); {
	case n == 0 && g.table != nil:
		return at(g.table, g.integer(0))
	case n <= 1 && !g.closed && g.inRow == nil:
		return deref(g.n)
	case n <= 4 && len(g.scope) > 0:
		return ref(g.scope[g.IntN(len(g.scope))])
	case n <= 6 || depth == 0:
		return lit(g.IntN(4))
	case n == 7:
		ops := []Op{And, Rem, Shr}
		return bin(ops[g.IntN(len(ops))], g.integer(depth-1), 1+g.IntN(3))
	}
	ops := []Op{Add, Sub, Mul, Or, Xor, AndNot, And}
	return bin(ops[g.IntN(len(ops))], g.integer(depth-1), g.integer(depth-1))
}

func (g *generator) condition() Expr {
	if len(g.flags) > 0 && g.IntN(4) == 0 {
		return ref(g.flags[g.IntN(len(g.flags))])
	}
	switch g.IntN(6) {
	case 0:
		return not(g.condition())
	case 1:
		return bin([]Op{LAnd, LOr}[g.IntN(2)], g.condition(), g.condition())
	}
	if !g.closed && g.IntN(4) == 0 {
		return bin(Lt, g.place(), g.IntN(6))
	}
	return bin(Eq+Op(g.IntN(6)), g.integer(2), g.integer(1))
}

// execution is one run of a kernel whose parameters and variables are all int64.
type execution struct {
	k          *Kernel
	memory     []*memory
	vars       map[*Var]place
	steps      int
	stopped    string
	outOfRange *Index
	result     int64
}

const (
	tooLong = "too long"
	panics  = "panics"
)

// memory is an array of values; place is where in it something begins.
type memory struct {
	v       []int64
	written []bool
	read    bool
	early   int // the first component read before it was written; or -1
}

type place struct {
	*memory
	at int
}

// outcome says how a statement ends.
type outcome struct {
	branch *Branch
	ret    bool
}

var onwards = outcome{}

func newMemory(v []int64) *memory { return &memory{v: v, written: make([]bool, len(v)), early: -1} }

func newRun(k *Kernel, in [][]int64) *execution {
	r := &execution{k: k, vars: map[*Var]place{}}
	for i, v := range k.Entry().Params {
		r.memory = append(r.memory, newMemory(slices.Clone(in[i])))
		r.vars[v] = place{r.memory[i], 0}
	}
	return r
}

type stopped struct{ why string }

func (r *execution) kernel() {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stopped:
			r.stopped = p.why
		default:
			panic(p)
		}
	}()
	r.block(r.k.Entry().Body)
}

func (r *execution) block(b *Block) outcome {
	for _, s := range b.Stmts {
		if o := r.stmt(s); o != onwards {
			return o
		}
	}
	return onwards
}

func (r *execution) stmt(s Stmt) outcome {
	if r.steps++; r.steps > 2000 {
		panic(stopped{tooLong})
	}
	switch s := s.(type) {
	case *Block:
		return r.block(s)
	case *Decl:
		p := place{newMemory(make([]int64, Count(s.Var.Type))), 0}
		r.assign(p, s.Init)
		r.vars[s.Var] = p
	case *Assign:
		p := r.place(s.L)
		if s.Op == None {
			r.assign(p, s.R)
			break
		}
		old := p.get()
		p.set(arith(s.Op, old, r.value(s.R)))
	case *Do:
		v := r.value(s.Call)
		if len(s.Into) > 0 {
			r.vars[s.Into[0]].set(v)
		}
	case *If:
		if r.value(s.Cond) != 0 {
			return r.block(s.Then)
		}
		if s.Else != nil {
			return r.stmt(s.Else)
		}
	case *For:
		return r.loop(s)
	case *Switch:
		return r.choice(s)
	case *Branch:
		return outcome{branch: s}
	case *Return:
		for _, x := range s.Results {
			r.result = r.value(x)
		}
		return outcome{ret: true}
	}
	return onwards
}

func (r *execution) loop(s *For) outcome {
	if s.Init != nil {
		r.stmt(s.Init)
	}
	for s.Cond == nil || r.value(s.Cond) != 0 {
		o := r.block(s.Body)
		switch {
		case o.branch != nil && o.branch.Target == Stmt(s):
			if !o.branch.Continue {
				return onwards
			}
		case o != onwards:
			return o
		}
		if s.Post != nil {
			r.stmt(s.Post)
		}
	}
	return onwards
}

func (r *execution) choice(s *Switch) outcome {
	tag := r.value(s.Tag)
	chosen := -1
	for i, c := range s.Cases {
		for _, v := range c.Values {
			if chosen < 0 && r.value(v) == tag {
				chosen = i
			}
		}
	}
	if chosen < 0 {
		chosen = slices.IndexFunc(s.Cases, func(c *Case) bool { return c.Default })
	}
	for ; chosen >= 0; chosen++ {
		o := r.block(s.Cases[chosen].Body)
		if o.branch != nil && o.branch.Target == Stmt(s) {
			return onwards
		}
		if o != onwards || !s.Cases[chosen].Fallthrough {
			return o
		}
	}
	return onwards
}

func (r *execution) assign(p place, e Expr) {
	if c, ok := e.(*Composite); ok {
		var values []int64
		for _, x := range c.Elems {
			values = append(values, r.value(x))
		}
		for i, v := range values {
			place{p.memory, p.at + i}.set(v)
		}
		return
	}
	if n := Count(e.Type()); n > 1 {
		from := r.place(e)
		for i := range n {
			place{p.memory, p.at + i}.set(place{from.memory, from.at + i}.get())
		}
		return
	}
	p.set(r.value(e))
}

func (p place) set(v int64) {
	p.v[p.at] = v
	p.written[p.at] = true
}

func (p place) get() int64 {
	p.read = true
	if !p.written[p.at] && p.early < 0 {
		p.early = p.at
	}
	return p.v[p.at]
}

func (r *execution) place(e Expr) place {
	switch e := e.(type) {
	case *Ref:
		return r.vars[e.Var]
	case *Deref:
		return r.place(e.X)
	case *AddrOf:
		return r.place(e.X)
	case *Index:
		p := r.place(e.X)
		i := r.value(e.I)
		array := Elem(e.X.Type()).(*Array)
		if i < 0 || i >= int64(array.Len) {
			r.outOfRange = e
			panic(stopped{panics})
		}
		return place{p.memory, p.at + int(i)*Count(array.Elem)}
	}
	panic("no place")
}

func (r *execution) value(e Expr) int64 {
	switch e := e.(type) {
	case *Lit:
		v, _ := constant.Int64Val(e.Value)
		return v
	case *Ref, *Index, *Deref:
		return r.place(e).get()
	case *Unary:
		return 1 - r.value(e.X)
	case *Binary:
		x := r.value(e.X)
		if e.Op == LAnd && x == 0 || e.Op == LOr && x != 0 {
			return x
		}
		return arith(e.Op, x, r.value(e.Y))
	case *Call:
		return r.call(e)
	}
	panic("no value")
}

func (r *execution) call(c *Call) int64 {
	args := make([]place, len(c.Args))
	for i, p := range c.Func.Params {
		if _, pointer := p.Type.(*Pointer); pointer {
			args[i] = r.place(c.Args[i])
		} else {
			args[i] = place{newMemory([]int64{r.value(c.Args[i])}), 0}
		}
	}
	for i, p := range c.Func.Params {
		r.vars[p] = args[i]
	}
	r.block(c.Func.Body)
	return r.result
}

func arith(op Op, x, y int64) int64 {
	truth := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch op {
	case Add:
		return x + y
	case Sub:
		return x - y
	case Mul:
		return x * y
	case Rem:
		return x % y
	case And, LAnd:
		return x & y
	case Or, LOr:
		return x | y
	case Xor:
		return x ^ y
	case AndNot:
		return x &^ y
	case Shr:
		return x >> y
	case Eq:
		return truth(x == y)
	case Ne:
		return truth(x != y)
	case Lt:
		return truth(x < y)
	case Le:
		return truth(x <= y)
	case Gt:
		return truth(x > y)
	case Ge:
		return truth(x >= y)
	}
	panic("no operator " + op.String())
}

// text returns k as something like Go, with line numbers.
func text(k *Kernel) string {
	var out strings.Builder
	for _, f := range k.Funcs {
		fmt.Fprintf(&out, "func %s\n", f.Name)
		Walk(f.Body, func(s Stmt) {
			switch s := s.(type) {
			case *Decl:
				fmt.Fprintf(&out, "%d: %s := %s\n", s.Pos.Line, s.Var.Name, exprText(s.Init))
			case *Assign:
				fmt.Fprintf(&out, "%d: %s %s= %s\n", s.Pos.Line, exprText(s.L), s.Op, exprText(s.R))
			case *If:
				fmt.Fprintf(&out, "%d: if %s\n", s.Pos.Line, exprText(s.Cond))
			case *For:
				cond := ""
				if s.Cond != nil {
					cond = exprText(s.Cond)
				}
				fmt.Fprintf(&out, "%d: for %s\n", s.Pos.Line, cond)
			case *Switch:
				fmt.Fprintf(&out, "%d: switch %s\n", s.Pos.Line, exprText(s.Tag))
			case *Do:
				fmt.Fprintf(&out, "%d: %s\n", s.Pos.Line, exprText(s.Call))
			case *Branch:
				fmt.Fprintf(&out, "%d: branch (continue %t)\n", s.Pos.Line, s.Continue)
			case *Return:
				fmt.Fprintf(&out, "%d: return\n", s.Pos.Line)
			}
		}, nil)
	}
	return out.String()
}

func exprText(e Expr) string {
	list := func(es []Expr) string {
		var parts []string
		for _, e := range es {
			parts = append(parts, exprText(e))
		}
		return strings.Join(parts, ", ")
	}
	switch e := e.(type) {
	case *Lit:
		return e.Value.String()
	case *Ref:
		return e.Var.Name
	case *Index:
		return exprText(e.X) + "[" + exprText(e.I) + "]"
	case *Deref:
		return "*" + exprText(e.X)
	case *AddrOf:
		return "&" + exprText(e.X)
	case *Unary:
		return "!" + exprText(e.X)
	case *Binary:
		return "(" + exprText(e.X) + " " + e.Op.String() + " " + exprText(e.Y) + ")"
	case *Composite:
		return "{" + list(e.Elems) + "}"
	case *Call:
		return e.Func.Name + "(" + list(e.Args) + ")"
	}
	return "?"
}
