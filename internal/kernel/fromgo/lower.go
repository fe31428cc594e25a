package fromgo

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/sorting"
)

// lower lowers a function, with these lengths of the slices among its parameters. Callees that take
// no slices have been lowered.
func (b *builder) lower(d *ast.FuncDecl, lengths [][]kernel.Length) *function {
	obj := b.info.Defs[d.Name].(*types.Func)
	l := &lowerer{
		builder: b,
		decl:    d,
		fn:      &kernel.Func{Name: b.funcName(obj), Pos: b.pos(d.Name.Pos()), End: b.pos(d.Body.Rbrace)},
		vars:    map[types.Object]*kernel.Var{},
		views:   map[types.Object]kernel.Expr{},
		counts:  map[int]*kernel.Var{},
		missing: map[types.Object]bool{},
	}
	l.signature(obj.Signature(), lengths)
	l.nameResults(obj.Signature())
	body := l.Block(func() { l.list(d.Body.List) })
	l.fn.Body = &kernel.Block{Stmts: append(l.Collect(func() { l.declareResults(body) }), body.Stmts...)}
	return &function{Func: l.fn, pure: kernel.Pure(l.fn), stored: kernel.Stored(l.fn)}
}

// signature creates the parameters, of which the receiver of a method is the first one.
func (l *lowerer) signature(sig *types.Signature, lengths [][]kernel.Length) {
	if r := sig.Recv(); r != nil {
		v := &kernel.Var{Name: r.Name(), Type: l.typ(r.Type()), Pos: l.pos(r.Pos())}
		if v.Name == "" || v.Name == "_" {
			v.Name = "receiver"
		}
		l.vars[r] = v
		l.fn.Params = append(l.fn.Params, v)
	}
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		v := &kernel.Var{Name: paramName(p, i), Pos: l.pos(p.Pos()), Slices: sliceLevels(p.Type())}
		if v.Slices > 0 {
			v.Type = &kernel.Pointer{Elem: l.arrayFor(p.Type(), lengths[i])}
		} else {
			v.Type = l.typ(p.Type())
		}
		l.vars[p] = v
		l.missing[p] = i < len(lengths) && len(lengths[i]) > 0 && lengths[i][0] == kernel.Length{}
		l.fn.Params = append(l.fn.Params, v)
	}
	l.countParams(lengths)
	for i := range sig.Results().Len() {
		l.fn.Results = append(l.fn.Results, l.typ(sig.Results().At(i).Type()))
	}
}

func (l *lowerer) nameResults(sig *types.Signature) {
	for i := range sig.Results().Len() {
		r := sig.Results().At(i)
		if r.Name() == "" {
			return
		}
		v := l.variable(r)
		if v.Name == "_" {
			v.Name = "result"
		}
		l.results = append(l.results, v)
	}
}

// declareResults declares the named results that the body uses: compilers warn about others.
func (l *lowerer) declareResults(body *kernel.Block) {
	used := map[*kernel.Var]bool{}
	for _, do := range kernel.All[*kernel.Do](body) {
		for _, v := range do.Into {
			used[v] = true
		}
	}
	for _, r := range kernel.All[*kernel.Ref](body) {
		used[r.Var] = true
	}
	for _, v := range l.results {
		if used[v] {
			l.Emit(&kernel.Decl{Var: v, Pos: v.Pos})
		}
	}
}

// countParams adds a parameter for each count among the lengths, in their order.
func (l *lowerer) countParams(lengths [][]kernel.Length) {
	for _, n := range slices.Concat(lengths...) {
		if n.Count > 0 && l.counts[n.Count] == nil {
			l.counts[n.Count] = &kernel.Var{Name: fmt.Sprintf("len%d", n.Count), Type: &kernel.Pointer{Elem: integer}, Pos: l.fn.Pos, Count: n.Count, Most: n.Most}
		}
	}
	l.fn.Params = append(l.fn.Params, sorting.Sorted(slices.Collect(maps.Values(l.counts)), func(v, w *kernel.Var) int { return v.Count - w.Count })...)
}

// instanceOf lowers the function for these lengths of its parameters, unless that has been done.
func (b *builder) instanceOf(obj types.Object, lengths [][]kernel.Length) *function {
	key := instance{obj, fmt.Sprint(lengths)}
	if b.lowered[key] == nil {
		f := b.lower(b.funcs[obj], lengths)
		b.lowered[key] = f
		b.made = append(b.made, f.Func)
	}
	return b.lowered[key]
}
