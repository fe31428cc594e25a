package fromc

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

// unit is one source being lowered.
type unit struct {
	name      string
	in        input
	functions map[string]*cc.FunctionDefinition
	variables map[string]*cc.InitDeclarator // file-scope variables
	declared  map[string]kernel.Const       // registered, and visible
	used      map[string]*kernel.Const
	structs   map[string]*kernel.Struct
	order     []*kernel.Struct
	lowered   map[string]*callee
	funcs     []*kernel.Func
	problems  []kernel.Problem
	untracked []kernel.Problem // what is not tracked
	locals    int64            // bytes of local variables
	inexact   bool             // the IR uses other types than the source
}

// callee is a function that has been lowered.
type callee struct {
	def  *cc.FunctionDefinition
	fun  *kernel.Func // nil if the IR cannot express it
	pure bool         // a call changes nothing
}

func newUnit(name string, in input, ast *cc.AST, declared map[string]kernel.Const) *unit {
	u := &unit{
		name:      name,
		in:        in,
		functions: map[string]*cc.FunctionDefinition{},
		variables: map[string]*cc.InitDeclarator{},
		declared:  declared,
		used:      map[string]*kernel.Const{},
		structs:   map[string]*kernel.Struct{},
		lowered:   map[string]*callee{},
	}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		u.collect(l.ExternalDeclaration)
	}
	return u
}

// collect adds a declaration at file scope. Of several declarations of a variable, C's tentative definitions
// (C99 6.9.2), the one with an initializer counts.
func (u *unit) collect(d *cc.ExternalDeclaration) {
	switch d.Case {
	case cc.ExternalDeclarationFuncDef:
		def := d.FunctionDefinition.Declarator
		if old := u.functions[def.Name()]; old != nil {
			u.problem(def, "leave one of them, or give them different names", "%s is defined twice, first in line %d", def.Name(), old.Declarator.Position().Line)
		}
		u.functions[def.Name()] = d.FunctionDefinition
	case cc.ExternalDeclarationDecl:
		if d.Declaration.Case != cc.DeclarationDecl {
			return
		}
		for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			v := l.InitDeclarator
			name := v.Declarator.Name()
			if v.Declarator.IsTypename() || v.Declarator.Type().Kind() == cc.Function || ours(v.Declarator) {
				continue
			}
			if old := u.variables[name]; old == nil || old.Initializer == nil {
				u.variables[name] = v
			}
		}
	}
}

// ours reports whether d was declared before the first line of the source.
func ours(d *cc.Declarator) bool {
	file := d.Position().Filename
	return file == preludeFile || strings.HasPrefix(file, headerDir+"/")
}

// problem records a mistake at n.
func (u *unit) problem(n cc.Node, hint, format string, args ...any) {
	u.problems = append(u.problems, kernel.Problem{Pos: u.at(n), Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// at returns the position of n in the program's files.
func (u *unit) at(n cc.Node) kernel.Pos { return u.in.origin(at(n)) }
