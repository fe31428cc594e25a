package fromc

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/spell"
)

// lower lowers the kernel's function and all that it calls. The IR stands for the source, and can be printed instead of
// it, if no Opaque is left and no type was replaced by another: Exact.
func (u *unit) lower() *kernel.Kernel {
	def := u.functions[u.name]
	if def == nil {
		u.notFound()
		return nil
	}
	u.checkKernel(def)
	if len(u.problems) > 0 {
		return nil
	}
	u.reach(def, nil)
	k := &kernel.Kernel{Funcs: u.funcs, Structs: u.order, Exact: !u.inexact && !slices.ContainsFunc(u.funcs, func(f *kernel.Func) bool { return kernel.Has[*kernel.Opaque](f.Body) }), Unseen: inOrder(u.untracked), Locals: int(u.locals)}
	k.Consts = slices.SortedFunc(maps.Values(u.used), kernel.ByName)
	if !k.Captured() {
		u.refuseStructs(k.Consts)
	}
	return k
}

// refuseStructs refuses consts that hold structs in a kernel that is compiled as it stands: its source may declare
// their types itself, after the consts.
func (u *unit) refuseStructs(consts []*kernel.Const) {
	for _, c := range consts {
		if kernel.HoldsStructs(c.Type) {
			u.problems = append(u.problems, kernel.Problem{Pos: c.Pos, Msg: fmt.Sprintf("the const %s holds structs, which C that op2 does not understand cannot read", c.Name),
				Hint: "pass it as an argument: a global that is read"})
		}
	}
}

func (u *unit) notFound() {
	names := slices.Sorted(maps.Keys(u.functions))
	p := kernel.Problem{
		Pos: kernel.Pos{File: u.in.file},
		Msg: fmt.Sprintf("the source defines no function %s", u.name),
	}
	if len(names) > 0 {
		p.Hint = cmp.Or(spell.Question(u.name, names), "it defines "+strings.Join(names, ", "))
	}
	u.problems = append(u.problems, p)
}

// reach lowers def after everything that it calls, depth first: u.funcs is in topological order, callees
// first and the kernel last. Path is the chain of calls from the kernel; a function that is in it calls
// itself.
func (u *unit) reach(def *cc.FunctionDefinition, path []string) {
	name := def.Declarator.Name()
	path = append(path, name)
	for _, id := range identifiers(def.CompoundStatement) {
		d, ok := id.ResolvedTo().(*cc.Declarator)
		if !ok || !atFileScope(d) {
			continue
		}
		if d.Type().Kind() == cc.Function || d.IsSynthetic() {
			u.reachCallee(id, d, path)
		} else {
			u.reachVariable(id, d)
		}
	}
	u.inexact = u.inexact || replacesTypes(def)
	u.locals += localBytes(def)
	c := u.function(def)
	u.lowered[name] = c
	if c.fun != nil {
		u.funcs = append(u.funcs, c.fun)
	}
}

// reachCallee lowers a function that is used, unless it has been, or is one of ours. A function that is being lowered is on
// the path: a cycle of calls, which is refused.
func (u *unit) reachCallee(id *cc.PrimaryExpression, d *cc.Declarator, path []string) {
	name := id.Token.SrcStr()
	def := u.functions[name]
	if ends, ok := programEnds[name]; ok && def == nil {
		u.problem(id, "add to a global that is passed with Inc, and look at it after the loop", "%s ends the whole program", ends)
		return
	}
	switch {
	case def != nil && u.lowered[name] != nil:
	case def != nil && slices.Contains(path, name):
		through := ""
		if path[len(path)-1] != name {
			through = ", through " + path[len(path)-1]
		}
		u.problem(id, "devices have no stack for recursion: write a loop", "%s calls itself%s", name, through)
	case def != nil:
		u.reach(def, path)
	case ours(d):
	default:
		hint := "define it in the source of the kernel"
		others := slices.DeleteFunc(slices.Sorted(maps.Keys(u.functions)), func(other string) bool { return other == u.name })
		if h, ok := library()[name]; ok {
			hint = fmt.Sprintf("#include <%s>", h)
		} else {
			hint = cmp.Or(spell.Question(name, append(others, slices.Sorted(maps.Keys(library()))...)), hint)
		}
		u.problem(id, hint, "undefined function: %s", name)
	}
}

// programEnds lists the functions that end the program, and how kernels call them.
var programEnds = map[string]string{"abort": "abort", "exit": "exit", "__assert_fail": "assert"}

// localBytes returns the size of the local variables of def, as if all existed at the same time, without padding.
func localBytes(def *cc.FunctionDefinition) (bytes int64) {
	nodes(def.CompoundStatement, func(n cc.Node) {
		i, ok := n.(*cc.InitDeclarator)
		if !ok {
			return
		}
		if d := i.Declarator; !d.IsTypename() && !d.IsExtern() && !d.IsStatic() && d.Type().Kind() != cc.Function {
			bytes += max(0, d.Type().Size())
		}
	})
	return bytes
}

// reachVariable records the use of a file-scope variable or of a const.
func (u *unit) reachVariable(id *cc.PrimaryExpression, d *cc.Declarator) {
	name := id.Token.SrcStr()
	own := u.variables[name]
	c, registered := u.declared[name]
	switch {
	case own == nil && registered:
		if u.used[name] == nil {
			c.Pos = u.at(id)
			if t := u.value(d.Type()); t != nil { // with the structs of the source
				c.Type = t
			}
			u.used[name] = &c
		}
	case own == nil && d.IsExtern() && !ours(d):
		u.undefinedVariable(d)
	case own == nil || own.Initializer != nil || own.Declarator.IsStatic():
		u.inexact = u.inexact || own != nil && replacesTypes(own)
	case registered:
		msg, hint := redeclared(name)
		u.problem(own.Declarator, hint, "%s", msg)
	case own.Declarator.IsExtern():
		u.undefinedVariable(own.Declarator)
	}
}

func (u *unit) undefinedVariable(d *cc.Declarator) {
	hint := fmt.Sprintf("a value of the program is registered with op2.NewConst(rt, %q, &%s), and not declared", d.Name(), d.Name())
	u.problem(d, hint, "%s is declared extern, but never defined", d.Name())
}
