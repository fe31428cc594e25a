package codegen

import (
	"fmt"
	"slices"

	"github.com/go-op2/op2/internal/kernel"
)

// printConsts declares the consts; the wrapper gives them their values.
func (p *printer) printConsts(k *kernel.Kernel) {
	for _, c := range k.Consts {
		p.w.line("static %s;", p.decl(c.Type, p.consts[c], false))
	}
	if len(k.Consts) > 0 {
		p.w.line("")
	}
}

func (p *printer) printStructs(k *kernel.Kernel) {
	for _, s := range k.Structs {
		if !slices.Contains(p.known, s) {
			continue
		}
		p.w.open("typedef struct {")
		for _, f := range s.Fields {
			p.w.line("%s;", p.decl(f.Type, p.fields[s][f.Name], false))
		}
		p.w.close(" " + p.structs[s] + ";")
		p.w.line("")
	}
}

// printFunc prints one function, preceded by its source line.
func (p *printer) printFunc(f *kernel.Func) {
	p.fn, p.scope, p.results = f, newScope(p.file), nil
	p.labels, p.inside = map[labelKey]string{}, nil
	p.labelNames = newScope(nil)
	stored := kernel.Stored(f)
	impure := !kernel.Pure(f)

	params := p.contextParam(f)
	var copies []*kernel.Var // arrays by value that the function needs copies of
	for _, v := range f.Params {
		name := p.scope.declare(v)
		if p.device != nil && p.device.inPlace[v] && !p.eachOf(v) {
			params = append(params, p.inPlaceParam(v, name))
			continue
		}
		params = append(params, p.param(v.Type, name, !stored[v], p.eachOf(v)))
		if isArray(v.Type) && (stored[v] || impure) {
			copies = append(copies, v)
		}
	}
	result := "void"
	if outs(f) {
		for i, t := range f.Results {
			name := p.scope.fresh(fmt.Sprintf("result%d", i))
			p.results = append(p.results, name)
			params = append(params, p.param(&kernel.Pointer{Elem: t}, name, false, p.lanes != nil && p.lanes.result(f, i)))
		}
	} else if len(f.Results) == 1 {
		result = p.ctype(f.Results[0], p.lanes != nil && p.lanes.result(f, 0))
	}
	on := ""
	if p.lanes != nil && p.lanes.masked[f] {
		on = p.scope.fresh("on")
		params = append(params, p.vec.name(boolScalar)+" "+on)
	}

	p.w.source(f.Pos.Line, f.Pos.File)
	qualifiers := "static inline"
	if p.device != nil {
		qualifiers = p.device.function
	}
	p.w.line("%s %s %s(%s)", qualifiers, result, p.funcs[f], p.w.list(params))
	p.w.open("{")
	if p.device != nil {
		p.localConsts(f)
	}
	for _, v := range copies {
		arg := p.scope.vars[v]
		own := p.scope.declare(v)
		p.w.line("%s;", p.decl(v.Type, own, p.eachOf(v)))
		p.copyValues(own, arg, "sizeof "+own, v.Type)
	}
	if p.lanes != nil {
		p.beginMasks(f, on)
	}
	p.stmts(f.Body)
	if p.lanes != nil {
		p.endMasks()
	}
	p.w.close("")
	p.w.line("")
}
