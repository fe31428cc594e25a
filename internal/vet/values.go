package vet

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
)

// index notes what variables and fields of a file hold, what it embeds, and the consts that it declares.
func (c *checker) index(f *ast.File) {
	folder := filepath.Dir(c.Fset.Position(f.FileStart).Filename)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				var value ast.Expr
				if len(n.Rhs) == len(n.Lhs) && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) {
					value = n.Rhs[i]
				}
				c.hold(left, value)
			}
		case *ast.GenDecl:
			for _, s := range n.Specs {
				switch spec := s.(type) {
				case *ast.ValueSpec:
					c.declare(n, spec, folder)
				case *ast.TypeSpec:
					c.types[spec.Name.Name] = true
				}
			}
		case *ast.RangeStmt:
			c.hold(n.Key, nil)
			c.hold(n.Value, nil)
		case *ast.UnaryExpr:
			if n.Op == token.AND { // who has the address may set it
				c.hold(n.X, nil)
			}
		case *ast.CompositeLit:
			c.fill(n)
		case *ast.FuncType: // a call may give its parameters anything
			for _, field := range n.Params.List {
				for _, name := range field.Names {
					c.hold(name, nil)
				}
			}
		case *ast.CallExpr:
			if c.callee(n) == "NewConst" && len(n.Args) == 3 {
				name := c.text(n.Args[1])
				c.consts[name], c.open = true, c.open || name == ""
			}
		}
		return true
	})
}

// fill notes what the fields of a struct hold.
func (c *checker) fill(l *ast.CompositeLit) {
	of, isStruct := c.TypesInfo.TypeOf(l).Underlying().(*types.Struct)
	for i, e := range l.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			c.hold(pair.Key, pair.Value)
		} else if isStruct && i < of.NumFields() {
			c.holdIn(of.Field(i).Origin(), e)
		}
	}
}

// declare notes what a variable is declared with.
func (c *checker) declare(d *ast.GenDecl, s *ast.ValueSpec, folder string) {
	embedded := embeds(s.Doc, folder)
	if len(d.Specs) == 1 {
		embedded = append(embedded, embeds(d.Doc, folder)...)
	}
	for i, name := range s.Names {
		switch obj := c.TypesInfo.Defs[name]; {
		case len(embedded) > 0:
			c.texts[obj] = embedded
		case len(s.Values) == len(s.Names):
			c.hold(name, s.Values[i])
		case len(s.Values) > 0:
			c.hold(name, nil)
		}
	}
}

// embeds returns the files that a comment embeds. Patterns are of no interest: a kernel's source is a string, and so one file.
func embeds(doc *ast.CommentGroup, folder string) (files []string) {
	if doc == nil {
		return nil
	}
	for _, line := range doc.List {
		if name, ok := strings.CutPrefix(line.Text, "//go:embed "); ok {
			files = append(files, filepath.Join(folder, strings.Trim(strings.TrimSpace(name), "\"`")))
		}
	}
	return files
}

// hold notes that a variable or a field gets a value; nil if that is not known.
func (c *checker) hold(left, value ast.Expr) {
	if left == nil {
		return
	}
	if obj := c.object(left); obj != nil {
		c.holdIn(obj, value)
	}
}

// holdIn is hold for the object of a variable or a field.
func (c *checker) holdIn(obj types.Object, value ast.Expr) {
	if _, twice := c.values[obj]; twice {
		value = nil
	}
	c.values[obj] = value
}

// object returns the variable, field or function that an expression names.
func (c *checker) object(e ast.Expr) types.Object {
	var name *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		name = e
	case *ast.SelectorExpr:
		name = e.Sel
	default:
		return nil
	}
	switch obj := c.TypesInfo.ObjectOf(name).(type) {
	case *types.Var:
		return obj.Origin()
	case *types.Func:
		return obj.Origin()
	}
	return nil
}

// call returns the call whose result an expression is; nil if that is not known.
func (c *checker) call(e ast.Expr) *ast.CallExpr {
	for range longest {
		switch x := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			return x
		case *ast.Ident, *ast.SelectorExpr:
			if e = c.values[c.object(x)]; e == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// longest is how many variables a value is followed through.
const longest = 8

// text returns the string that an expression is as a constant; "" if it is none.
func (c *checker) text(e ast.Expr) string {
	if v := c.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// number returns the number that an expression is as a constant; 0 if it is none.
func (c *checker) number(e ast.Expr) int {
	if v := c.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.Int {
		n, _ := constant.Int64Val(v)
		return int(n)
	}
	return 0
}
