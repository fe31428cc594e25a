// Package fuse makes one loop of several over the same elements: one that runs the kernels in
// sequence for each element, instead of the loops one after the other.
//
// What the kernels share of an element is loaded once, handed on in registers and stored once; a
// dat that nobody else sees is not stored at all. The results are those of the loops one after the
// other, bit for bit: between kernels, barriers keep compilers from fusing the product of one with
// the sum of another. Loops whose results would differ are refused, with the reason in words.
//
// The package is pure: loops and kernels in, a loop and a kernel out. It knows nothing of backends
// or memory.
package fuse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// Fuse returns the parts as one loop, or why that is not possible. Temporary reports whether some
// data, by its number in the parts, is not used after them, so that it need not be stored; it may
// be nil.
func Fuse(parts []Part, temporary func(data int) bool) (*Fused, error) {
	if err := Legal(parts); err != nil {
		return nil, err
	}
	f := &fuser{parts: parts, temporary: temporary, fused: &Fused{Loop: &loop.Loop{}, Kernel: &kernel.Kernel{File: parts[0].Kernel.File, Exact: true}}}
	names := make([]string, len(parts))
	for i := range parts {
		f.fused.Reordered = f.fused.Reordered || slices.ContainsFunc(parts[:i], func(earlier Part) bool { return reorders(&earlier, &parts[i]) })
		f.fused.Contracts = f.fused.Contracts || parts[i].contracts()
		f.fused.Sums = f.fused.Sums || parts[i].sums()
		names[i] = parts[i].name()
		f.fused.Kernel.Parts = append(f.fused.Kernel.Parts, parts[i].Kernel)
	}
	f.fused.Loop.Kernel = strings.Join(names, "+")
	f.fused.Kernel.Name = strings.Join(names, "_")
	if err := f.collect(); err != nil {
		return nil, err
	}
	f.describe()
	if slices.ContainsFunc(f.fused.Loop.Args, func(a loop.Arg) bool { return a.Counts > 0 }) {
		return nil, fmt.Errorf("a map of theirs has rows of different lengths")
	}
	if n := len(f.fused.Loop.Args); n > loop.MaxArgs {
		return nil, fmt.Errorf("together they have %d arguments, a loop has at most %d", n, loop.MaxArgs)
	}
	f.compose()
	kernel.Analyze(f.fused.Kernel, f.shapes)
	for _, u := range f.fused.Kernel.Uses {
		if u.Opaque.Known() {
			return nil, fmt.Errorf("together their kernels are too long to analyze")
		}
	}
	return f.fused, nil
}

// collect lists the values that the kernels' parameters lead to.
func (f *fuser) collect() error {
	for i := range f.parts {
		p := &f.parts[i]
		params := p.Kernel.Entry().Params
		groups := make([][]int, len(params))
		for a := range p.Loop.Args {
			at := p.Loop.Param(a)
			groups[at] = append(groups[at], a)
		}
		passed := make([]*value, len(params))
		for at, group := range groups {
			v, err := f.value(i, group, params[at])
			if err != nil {
				return err
			}
			passed[at] = v
		}
		f.passed = append(f.passed, passed)
	}
	return nil
}

// value returns the value that some arguments, of one parameter of a part's kernel, lead to.
func (f *fuser) value(part int, args []int, param *kernel.Var) (*value, error) {
	p := &f.parts[part]
	a := p.Loop.Args[args[0]]
	t, shape := p.behind(a, param)
	for _, v := range f.values {
		if !f.joins(v, part, args) {
			continue
		}
		if !v.takes(t) {
			if a.Access == loop.Read && v.access == loop.Read {
				continue
			}
			first := &f.parts[v.part]
			return nil, fmt.Errorf("%s takes %s as %s, %s as %s", first.name(), p.nameOf(a), first.Kernel.Describe(v.param), p.name(), p.Kernel.Describe(param))
		}
		v.join(a.Access, part)
		return v, nil
	}
	v := &value{part: part, args: args, param: param, access: a.Access, last: part, t: t, shape: shape}
	v.written = a.Access != loop.Read
	f.values = append(f.values, v)
	return v, nil
}

// joins reports whether arguments of a part lead to v: the same data, by the same path, which
// nothing is added to.
func (f *fuser) joins(v *value, part int, args []int) bool {
	p, q := &f.parts[part], &f.parts[v.part]
	a, b := p.Loop.Args[args[0]], q.Loop.Args[v.args[0]]
	if len(args) > 1 || len(v.args) > 1 || a.Part() || b.Part() || a.Kind != b.Kind || !sets(a.Access) || !sets(b.Access) {
		return false
	}
	switch {
	case a.Kind == loop.Mat, a.Kind == loop.Global && a.Access != loop.Read:
		return false
	case a.Data < 0 || b.Data < 0:
		return a.Data == b.Data
	}
	return p.Data[a.Data] == q.Data[b.Data] && p.mapOf(a.Map) == q.mapOf(b.Map) && (a.Map == loop.Direct || a.Component == b.Component) &&
		a.Levels > 0 == (b.Levels > 0) && p.Loop.LevelsOf(a).Same(q.Loop.LevelsOf(b))
}

// isLocal reports whether a value needs no memory: all parts reach it directly, the first writes it,
// and nobody sees it afterwards.
func (f *fuser) isLocal(v *value) bool {
	p := &f.parts[v.part]
	a := p.Loop.Args[v.args[0]]
	if f.temporary == nil || a.Kind != loop.Dat || !p.own(a) || v.access != loop.Write || a.Part() || !f.temporary(p.Data[a.Data]) {
		return false
	}
	for _, other := range f.values {
		q := &f.parts[other.part]
		for _, b := range other.args {
			if d := q.Loop.Args[b].Data; other != v && d >= 0 && q.Data[d] == p.Data[a.Data] {
				return false
			}
		}
	}
	return true
}

// describe makes the fused loop's description of all values that are in memory.
func (f *fuser) describe() {
	out := f.fused
	out.Loop.Layers = f.parts[0].Loop.Layers
	for _, v := range f.values {
		p := &f.parts[v.part]
		if f.isLocal(v) {
			v.own = &kernel.Var{Name: v.param.Name}
			out.Local = append(out.Local, p.Data[p.Loop.Args[v.args[0]].Data])
			continue
		}
		v.of = &kernel.Var{Name: v.param.Name, Slices: v.param.Slices}
		f.shapes = append(f.shapes, v.shape)
		for _, n := range v.args {
			a := p.Loop.Args[n]
			if sets(a.Access) && len(v.args) == 1 {
				a.Access = v.access
			}
			if a.Kind != loop.Index || a.Data >= 0 {
				a.Data = f.data(v.part, a.Data)
			}
			if a.Levels > 0 {
				out.Loop.Data[a.Data].Column = p.Loop.Data[p.Loop.Args[n].Data].Column
				a.Levels = 1 + out.Loop.LevelsNo(p.Loop.LevelsOf(a))
			}
			if a.Map != loop.Direct {
				a.Map = f.mapNo(v.part, a.Map)
			}
			if a.ColMap != loop.Direct {
				a.ColMap = f.mapNo(v.part, a.ColMap)
			}
			if a.Kind == loop.Mat {
				a.Nonzeros = f.nonzeros(v.part, a.Nonzeros)
			}
			if a.Access == loop.Reduce {
				a.Op = f.op(v.part, a.Op)
			}
			out.Loop.Args = append(out.Loop.Args, a)
			out.Args = append(out.Args, Origin{v.part, n})
		}
	}
	if bounds := out.Loop.Layers.Bounds; bounds > 0 {
		out.Loop.Layers.Bounds = 1 + f.data(0, bounds-1)
	}
}

// data returns the number of a part's data in the fused loop, adding it if necessary.
func (f *fuser) data(part, d int) int {
	return number(f, &f.fused.Data, Origin{part, d}, func(p *Part) []int { return p.Data }, &f.fused.Loop.Data, func(l *loop.Loop) loop.Data { return l.Data[d] })
}

// mapNo does so for maps.
func (f *fuser) mapNo(part, m int) int {
	return number(f, &f.fused.Maps, Origin{part, m}, func(p *Part) []int { return p.Maps }, &f.fused.Loop.Maps, func(l *loop.Loop) loop.Map { return l.Maps[m] })
}

// nonzeros does so for ways to nonzeros.
func (f *fuser) nonzeros(part, e int) int {
	return number(f, &f.fused.Nonzeros, Origin{part, e}, func(p *Part) []int { return p.Nonzeros }, &f.fused.Loop.Nonzeros, func(l *loop.Loop) loop.Nonzeros {
		own := l.Nonzeros[e]
		own.Rows, own.Cols = f.mapNo(part, own.Rows), f.mapNo(part, own.Cols)
		return own
	})
}

// number returns the place in a list of the fused loop of an element with a number; if it is new, it adds
// its origin and the element itself, which describe takes from the loop of its part.
func number[T any](f *fuser, origins *[]Origin, new Origin, numbers func(*Part) []int, list *[]T, describe func(*loop.Loop) T) int {
	of := func(o Origin) int { return numbers(&f.parts[o.Part])[o.Index] }
	at := slices.IndexFunc(*origins, func(o Origin) bool { return of(o) == of(new) })
	if at < 0 {
		at = len(*origins)
		*origins, *list = append(*origins, new), append(*list, describe(f.parts[new.Part].Loop))
	}
	return at
}

// op does so for operations.
func (f *fuser) op(part, n int) int {
	op := f.parts[part].Loop.Ops[n]
	at := slices.Index(f.fused.Loop.Ops, op)
	if at < 0 {
		at = len(f.fused.Loop.Ops)
		f.fused.Loop.Ops = append(f.fused.Loop.Ops, op)
		f.fused.Ops = append(f.fused.Ops, f.parts[part].Ops[n])
	}
	return at
}
