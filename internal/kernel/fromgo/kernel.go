package fromgo

import (
	"cmp"
	_ "embed"
	"go/ast"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/sorting"
)

// Kernel lowers the named function. File and line say where the compiled function is, from
// runtime.FuncForPC and FileLine of its entry; the file gives positions their name, and a line
// outside the function means that the source is not the compiled one. Line 0 is not checked. The
// lengths are those of parameters that are slices, by parameter; without them the slices are taken
// to have one value. The error is a *kernel.Error.
func (p *Package) Kernel(name, file string, line int, lengths ...[]kernel.Length) (*kernel.Kernel, error) {
	p.check()
	b := &builder{
		Package: p,
		file:    path.Base(strings.ReplaceAll(file, `\`, "/")),
		lowered: map[instance]*function{},
		names:   map[string]bool{},
		consts:  map[types.Object]*kernel.Const{},
	}
	if file == "" {
		b.file = ""
	}
	k := b.kernel(name, line, lengths)
	if len(b.problems) > 0 {
		return nil, &kernel.Error{Kernel: name, Problems: b.sorted()}
	}
	return k, nil
}

// kernel finds the function, and what it reaches; reports everything in that which kernels do not have; and
// lowers the functions, callees first. Functions that take slices are lowered at their calls, once for each
// combination of lengths.
func (b *builder) kernel(name string, line int, lengths [][]kernel.Length) *kernel.Kernel {
	decl, home := b.find(name)
	b.home = home
	if decl == nil {
		b.notFound(name, line)
		return nil
	}
	if len(b.syntax[home]) > 0 {
		b.syntaxErrors()
		return nil
	}
	if !b.onePackage() {
		return nil
	}
	b.entry = b.info.Defs[decl.Name]
	r := b.reachFrom(decl)
	if line > 0 && !b.compiledAt(decl, r.funcs, line) {
		return nil
	}
	b.kernelSignature(decl)
	b.typeErrors(r)
	for _, v := range r.vars {
		b.refuseVar(v)
	}
	for _, d := range r.funcs {
		b.refuse(d)
	}
	if len(b.problems) > 0 {
		b.syntaxErrors() // which may be why something is missing
		return nil
	}
	k := &kernel.Kernel{Name: name, File: b.file}
	for _, d := range r.funcs {
		obj := b.info.Defs[d.Name].(*types.Func)
		switch sig := obj.Signature(); {
		case d == decl:
			b.instanceOf(obj, completed(lengths, sig))
		case !slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(v *types.Var) bool { return isSlice(v.Type()) }): // others are lowered where they are called
			b.instanceOf(obj, nil)
		}
	}
	k.Funcs = b.made
	for _, s := range b.structs {
		k.Structs = append(k.Structs, s.lowered)
	}
	k.Consts = sorting.Sorted(slices.Collect(maps.Values(b.consts)), kernel.ByName)
	return k
}

// completed returns lengths for all parameters of a kernel, as many as they have levels: 1 where
// none is given. Those of a pointer say that it is left out.
func completed(lengths [][]kernel.Length, sig *types.Signature) [][]kernel.Length {
	list := make([][]kernel.Length, sig.Params().Len())
	copy(list, lengths)
	for i := range list {
		levels := sliceLevels(sig.Params().At(i).Type())
		if len(list[i]) > 0 && list[i][0] == (kernel.Length{}) {
			levels = max(levels, 1)
		}
		list[i] = append(slices.Clone(list[i]), kernel.Length{Most: 1}, kernel.Length{Most: 1})[:levels]
	}
	return list
}

// onePackage refuses sources of different packages, of which the type checker would use only the
// first.
func (b *builder) onePackage() bool {
	files := b.complete()
	first := files[0].Name
	for _, f := range files[1:] {
		if f.Name.Name != first.Name {
			return b.problem(f.Name.Pos(), "call Kernels once for the sources of each package",
				"this source is of package %s, another of package %s", f.Name.Name, first.Name)
		}
	}
	return true
}

func (b *builder) notFound(name string, line int) {
	for i, list := range b.syntax {
		if len(list) > 0 {
			b.home = i
			b.syntaxErrors()
			return
		}
	}
	p := kernel.Problem{ // the name is the compiled function's, and so right
		Pos: kernel.Pos{File: b.file, Line: line}, Msg: "the source given has no function " + name,
		Hint: "//go:embed " + cmp.Or(b.file, "the file") + ", which declares it, and give its text to op2.Kernels",
	}
	if strings.Contains(name, ".") {
		p.Msg, p.Hint = name+" is a method or a function literal", "a kernel is a top-level function of the source"
	}
	b.problems = append(b.problems, p)
}

// compiledAt checks that the line that the compiler gave to the entry of the function is one of its
// lines. It need not be the first: a small function has no prologue and starts with its first
// statement, which may even be that of an inlined function.
func (b *builder) compiledAt(decl *ast.FuncDecl, calls []*ast.FuncDecl, line int) bool {
	for _, d := range calls {
		if b.fset.Position(d.Pos()).Line <= line && line <= b.fset.Position(d.End()).Line {
			return true
		}
	}
	name := decl.Name.Name
	b.problems = append(b.problems[:0], kernel.Problem{
		Pos: b.pos(decl.Name.Pos()),
		Msg: name + " is here in the source given, but the compiled function is at line " +
			kernel.Pos{File: b.file, Line: line}.String(),
		Hint: "//go:embed the file that declares " + name + ", and rebuild",
	})
	return false
}

// Text returns the text of the named top-level function, with its comment; "" if there is none.
func (p *Package) Text(name string) string {
	p.check()
	decl, i := p.find(name)
	if decl == nil {
		return ""
	}
	file, text := p.fset.File(decl.Pos()), p.sources[i]
	from := file.Offset(decl.Pos())
	for from > 0 { // the lines of the comment, which has not been parsed
		line := strings.LastIndex(text[:from-1], "\n") + 1
		if !strings.HasPrefix(text[line:], "//") {
			break
		}
		from = line
	}
	return text[from:file.Offset(decl.End())]
}

// find returns the declaration of the named top-level function, and its source.
func (p *Package) find(name string) (decl *ast.FuncDecl, source int) {
	for i, file := range p.files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == name {
				return f, i
			}
		}
	}
	return nil, 0
}
