package lanes

import (
	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/facts"
	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/tune"
)

// A divergence analysis (Coutinho, Sampaio, Pereira and Meira, "Divergence analysis and optimizations",
// PACT 2011) finds the values that differ from element to element. They spread along data dependences, to
// variables assigned from them, and along control dependences, to variables assigned under conditions that
// depend on them, until a fixed point.

// New determines how the kernel runs on packs, or why it cannot. With forms, packs have functions of
// mathematics of their own.
func New(in codegen.Input, forms bool) (*Lanes, string) {
	l := &Lanes{
		in: in, forms: forms, costs: facts.Costs(tune.DefaultCosts()),
		varying: map[*kernel.Var]bool{}, results: map[*kernel.Func][]bool{},
		split: map[kernel.Stmt]bool{}, leaves: map[*kernel.Func]bool{}, masked: map[*kernel.Func]bool{},
		home: map[*kernel.Var]Region{}, chains: map[*kernel.Switch]*kernel.If{}, tags: map[*kernel.Switch]*kernel.Var{},
		within: map[kernel.Stmt]Region{}, counted: map[*kernel.Var]span{},
	}
	if !forms {
		l.costs.Form = l.costs.Function
	}
	l.refuse(in.Kernel.IsC() && !in.Kernel.Exact, "C beyond numbers and arrays")
	if l.arguments(); l.refused != "" {
		return nil, l.refused
	}
	for _, f := range in.Kernel.Funcs {
		l.results[f] = make([]bool, len(f.Results))
		l.count(f)
	}
	// A pass adds to what varies and is split, and removes nothing, so that passes come to an end.
	for l.changed = true; l.changed && l.refused == ""; {
		l.changed = false
		for _, f := range in.Kernel.Funcs {
			l.fn = f
			l.block(f.Body, Region{})
		}
	}
	for _, f := range in.Kernel.Funcs {
		l.check(f)
	}
	if l.refused != "" {
		return nil, l.refused
	}
	l.size = max(4, l.size) // shorter vectors of smaller values, instead of more lanes
	return l, ""
}

// arguments marks the kernel's parameters, and refuses arguments that packs cannot handle.
func (l *Lanes) arguments() {
	for i, a := range l.in.Loop.Args {
		l.refuse(a.Kind == loop.Mat, "assembles a matrix")
		l.refuse(a.Counts > 0, "rows of different lengths")
		l.refuse(a.Kind != loop.Index && l.in.Loop.Type(a) == loop.Bool, "bools in memory") // which are bytes, not masks
		l.refuse(a.Indirect() && a.Access == loop.RW, "indirect rw")                        // a pack would not see its own changes
		l.refuse(a.Indirect() && a.Access == loop.Write && l.in.Loop.Ways(a.Data) > 1, "indirect write in several ways")
		if a.Kind != loop.Global || a.Access != loop.Read {
			l.varying[l.in.Param(i)] = true
		}
	}
}

func (l *Lanes) block(b *kernel.Block, r Region) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		l.stmt(s, r)
	}
}

// stmt propagates through s, in region r. The target of an assignment varies if the value does, a data
// dependence, or if the target is declared in another region, a control dependence: only some elements get to
// the assignment. An if whose condition varies is split, and each branch is a region of its own. A break or
// continue from within a region splits the loop or switch that it leaves: some elements go on there. A return
// from within a region makes all results of the function vary, and the code behind it run for some elements
// only.
func (l *Lanes) stmt(s kernel.Stmt, r Region) {
	switch s := s.(type) {
	case *kernel.Block:
		l.block(s, r)
	case *kernel.Decl:
		l.home[s.Var] = r
		l.calls(s.Init, r)
		l.gives(s.Var, s.Init)
	case *kernel.Assign:
		l.calls(s.L, r)
		l.calls(s.R, r)
		v := kernel.Root(s.L)
		l.gives(v, s.R)
		l.stores(v, r)
	case *kernel.Do:
		l.do(s, r)
	case *kernel.If:
		l.calls(s.Cond, r)
		yes, no := r, r
		if l.Each(s.Cond) {
			mark(l, l.split, kernel.Stmt(s))
			yes, no = Region{s, 0}, Region{s, 1}
		}
		l.block(s.Then, yes)
		if s.Else != nil {
			l.stmt(s.Else, no)
		}
	case *kernel.For:
		l.loop(s, r)
	case *kernel.Switch:
		l.switchCase(s, r)
	case *kernel.Branch:
		if l.within[s.Target] != r {
			mark(l, l.split, s.Target)
		}
	case *kernel.Return:
		if r != (Region{}) {
			mark(l, l.leaves, l.fn)
		}
		for i, e := range s.Results {
			l.calls(e, r)
			if !l.results[l.fn][i] && (l.Each(e) || l.leaves[l.fn]) {
				l.results[l.fn][i], l.changed = true, true
			}
			if l.results[l.fn][i] && facts.IsArray(e.Type()) {
				l.vary(kernel.Root(e))
			}
		}
	}
}

// loop splits a loop that elements leave at different times. Its condition varies, or it has none, and
// elements return from the function at different times: the loop must then end when no element is left. A
// counter that the loop declares belongs to the region inside, where it is stepped, so that this alone does
// not make it vary.
func (l *Lanes) loop(s *kernel.For, r Region) {
	if s.Cond != nil && l.Each(s.Cond) || s.Cond == nil && l.leaves[l.fn] {
		mark(l, l.split, kernel.Stmt(s))
	}
	inside := r
	if l.split[s] {
		inside = Region{s, 0}
	}
	l.within[s] = inside
	if d, ok := s.Init.(*kernel.Decl); ok {
		l.stmt(d, inside)
	} else if s.Init != nil {
		l.stmt(s.Init, r)
	}
	l.calls(s.Cond, inside)
	l.block(s.Body, inside)
	if s.Post != nil {
		l.stmt(s.Post, inside)
	}
}

// switchCase treats a switch in which elements take different cases as a chain of ifs.
func (l *Lanes) switchCase(s *kernel.Switch, r Region) {
	l.calls(s.Tag, r)
	l.within[s] = r
	if s.Tag != nil && l.Each(s.Tag) {
		mark(l, l.split, kernel.Stmt(s))
	}
	for _, c := range s.Cases {
		for _, v := range c.Values {
			l.calls(v, r)
			if l.Each(v) {
				mark(l, l.split, kernel.Stmt(s))
			}
		}
	}
	if !l.split[s] {
		for _, c := range s.Cases {
			l.block(c.Body, r)
		}
		return
	}
	l.within[s] = Region{s, 0}
	chain := l.chain(s)
	if v := l.tags[s]; v != nil {
		l.home[v] = r
		l.gives(v, s.Tag)
	}
	if chain != nil {
		l.stmt(chain, Region{s, 0})
	}
}

// chain returns a switch as ifs; nil if it has no cases. It refuses one with a case that falls
// through.
func (l *Lanes) chain(s *kernel.Switch) *kernel.If {
	if chain, ok := l.chains[s]; ok {
		return chain
	}
	l.refuse(facts.FallsThrough(s), "fallthrough")
	tag, own := facts.Tag(s)
	l.tags[s], l.chains[s] = own, facts.Ifs(s, tag)
	return l.chains[s]
}

// do propagates through a call for its effects: its results vary if those of the function do.
func (l *Lanes) do(s *kernel.Do, r Region) {
	if s.X != nil {
		l.calls(s.X, r)
	}
	if s.Call == nil {
		return
	}
	l.calls(s.Call, r)
	for i, v := range s.Into {
		if v == nil {
			continue
		}
		if l.Result(s.Call.Func, i) {
			l.vary(v)
		}
		l.stores(v, r)
	}
}

// gives records that v, or a part of it, gets the value of e.
func (l *Lanes) gives(v *kernel.Var, e kernel.Expr) {
	if v == nil || e == nil {
		return
	}
	if l.Each(e) {
		l.vary(v)
	}
	if facts.IsArray(e.Type()) && !facts.IsComposite(e) {
		l.varyTogether(v, kernel.Root(e))
	}
}

// varyTogether makes two variables vary if one does: their arrays are copied as a whole, or they share
// memory. Vectors and scalars have different layouts, which neither a copy nor a pointer may mix.
func (l *Lanes) varyTogether(v, w *kernel.Var) {
	if v != nil && w != nil && l.varying[v] != l.varying[w] {
		l.vary(v)
		l.vary(w)
	}
}

// stores records that v is changed in region r: unless that is where it was declared, only some
// elements change it.
func (l *Lanes) stores(v *kernel.Var, r Region) {
	if v != nil && r != l.home[v] {
		l.vary(v)
	}
}

// calls propagates through the calls in e: from arguments to parameters, and from side effects to masks. A function is
// analyzed once for all of its calls: a parameter varies if it does in one of them. A function with side effects
// gets a mask if some call of it is one of some elements only, which may follow from the mask of its caller.
func (l *Lanes) calls(e kernel.Expr, r Region) {
	for _, c := range kernel.All[*kernel.Call](e) {
		stored := kernel.Stored(c.Func)
		for i, p := range c.Func.Params {
			v := kernel.Root(c.Args[i])
			switch {
			case kernel.Is[*kernel.Pointer](p.Type):
				l.varyTogether(p, v)
				if stored[p] {
					l.stores(v, r)
				}
			case facts.IsArray(p.Type):
				l.gives(p, c.Args[i])
			case l.Each(c.Args[i]):
				l.vary(p)
			}
		}
		if !kernel.Pure(c.Func) && (r != (Region{}) || l.leaves[l.fn] || l.masked[l.fn]) {
			mark(l, l.masked, c.Func)
		}
	}
}

// vary records that v differs from element to element.
func (l *Lanes) vary(v *kernel.Var) {
	if v != nil && !l.varying[v] {
		l.varying[v], l.changed = true, true
	}
}

// mark records something that makes others vary.
func mark[K comparable](l *Lanes, m map[K]bool, key K) {
	if !m[key] {
		m[key], l.changed = true, true
	}
}
