package fromgo

import (
	"fmt"
	"go/constant"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/loop"
)

// dump writes a kernel as text that looks like Go, with every operator in
// parentheses, every literal typed (int and float64 by their form, others by a
// suffix), and a number after the names of variables that are not the first of
// their name in a function.
func dump(k *kernel.Kernel) string {
	d := &dumper{}
	for _, c := range k.Consts {
		d.line("const %s %s", c.Name, c.Type)
	}
	for _, s := range k.Structs {
		var fields []string
		for _, f := range s.Fields {
			fields = append(fields, f.Name+" "+f.Type.String())
		}
		d.line("type %s struct{ %s }", s.Name, strings.Join(fields, "; "))
	}
	for _, f := range k.Funcs {
		d.function(f)
	}
	return d.text.String()
}

type dumper struct {
	text    strings.Builder
	depth   int
	names   map[*kernel.Var]string
	used    map[string]int
	targets map[kernel.Stmt]string
}

func (d *dumper) line(format string, args ...any) {
	d.text.WriteString(strings.Repeat("\t", d.depth))
	fmt.Fprintf(&d.text, format, args...)
	d.text.WriteByte('\n')
}

func (d *dumper) function(f *kernel.Func) {
	d.names, d.used, d.targets = map[*kernel.Var]string{}, map[string]int{}, map[kernel.Stmt]string{}
	var params []string
	for _, p := range f.Params {
		params = append(params, d.declare(p)+" "+p.Type.String())
	}
	var results []string
	for _, r := range f.Results {
		results = append(results, r.String())
	}
	head := fmt.Sprintf("func %s(%s)", f.Name, strings.Join(params, ", "))
	if len(results) > 0 {
		head += " (" + strings.Join(results, ", ") + ")"
	}
	d.block(head+" ", f.Body)
}

// declare names a variable; variables with the same name get different marks.
func (d *dumper) declare(v *kernel.Var) string {
	if d.names[v] != "" {
		return d.names[v] + "@again"
	}
	d.used[v.Name]++
	d.names[v] = v.Name
	if n := d.used[v.Name]; n > 1 {
		d.names[v] = v.Name + strconv.Itoa(n)
	}
	return d.names[v]
}

func (d *dumper) name(v *kernel.Var) string {
	if d.names[v] == "" {
		return v.Name + "@undeclared"
	}
	return d.names[v]
}

func (d *dumper) block(head string, b *kernel.Block) {
	d.line("%s{", head)
	d.body(b)
	d.line("}")
}

func (d *dumper) body(b *kernel.Block) {
	d.depth++
	for _, s := range b.Stmts {
		d.stmt(s)
	}
	d.depth--
}

func (d *dumper) stmt(s kernel.Stmt) {
	switch s := s.(type) {
	case *kernel.Block:
		d.block("", s)
	case *kernel.Decl, *kernel.Assign:
		d.line("%s", d.simple(s))
	case *kernel.Print:
		d.line("%s", s.Name)
	case *kernel.Do:
		d.line("%s", d.do(s))
	case *kernel.If:
		d.ifStmt("if ", s)
	case *kernel.For:
		d.targets[s] = fmt.Sprintf("loop%d", len(d.targets)+1)
		parts := []string{"", "", ""}
		if s.Init != nil {
			parts[0] = d.simple(s.Init)
		}
		if s.Cond != nil {
			parts[1] = d.expr(s.Cond)
		}
		if s.Post != nil {
			parts[2] = d.simple(s.Post)
		}
		d.block(fmt.Sprintf("%s: for %s; %s; %s ", d.targets[s], parts[0], parts[1], parts[2]), s.Body)
	case *kernel.Switch:
		d.switchStmt(s)
	case *kernel.Branch:
		word := "break"
		if s.Continue {
			word = "continue"
		}
		d.line("%s %s", word, d.targets[s.Target])
	case *kernel.Return:
		d.line("%s", strings.TrimSpace("return "+d.list(s.Results)))
	default:
		d.line("?%T", s)
	}
}

func (d *dumper) simple(s kernel.Stmt) string {
	switch s := s.(type) {
	case *kernel.Decl:
		init := ""
		if s.Init != nil {
			init = " = " + d.expr(s.Init)
		}
		return fmt.Sprintf("var %s %s%s", d.declare(s.Var), s.Var.Type, init)
	case *kernel.Assign:
		return fmt.Sprintf("%s %s= %s", d.expr(s.L), s.Op, d.expr(s.R))
	}
	return fmt.Sprintf("?%T", s)
}

func (d *dumper) do(s *kernel.Do) string {
	var into []string
	for _, v := range s.Into {
		if v == nil {
			into = append(into, "_")
		} else {
			into = append(into, d.name(v))
		}
	}
	call := ""
	if s.Call != nil {
		call = d.expr(s.Call)
	}
	if s.Math != nil {
		call += d.expr(s.Math)
	}
	if into == nil {
		return "do " + call
	}
	return "do " + strings.Join(into, ", ") + " = " + call
}

func (d *dumper) ifStmt(head string, s *kernel.If) {
	d.line("%s%s {", head, d.expr(s.Cond))
	d.body(s.Then)
	switch e := s.Else.(type) {
	case nil:
		d.line("}")
	case *kernel.Block:
		d.line("} else {")
		d.body(e)
		d.line("}")
	case *kernel.If:
		d.ifStmt("} else if ", e)
	}
}

func (d *dumper) switchStmt(s *kernel.Switch) {
	d.targets[s] = fmt.Sprintf("switch%d", len(d.targets)+1)
	tag := ""
	if s.Tag != nil {
		tag = d.expr(s.Tag) + " "
	}
	d.line("%s: switch %s{", d.targets[s], tag)
	for _, c := range s.Cases {
		if c.Default {
			d.line("default:")
		} else {
			d.line("case %s:", d.list(c.Values))
		}
		d.depth++
		for _, t := range c.Body.Stmts {
			d.stmt(t)
		}
		if c.Fallthrough {
			d.line("fallthrough")
		}
		d.depth--
	}
	d.line("}")
}

func (d *dumper) list(exprs []kernel.Expr) string {
	var s []string
	for _, e := range exprs {
		s = append(s, d.expr(e))
	}
	return strings.Join(s, ", ")
}

func (d *dumper) expr(e kernel.Expr) string {
	switch e := e.(type) {
	case nil:
		return "zero"
	case *kernel.Lit:
		return literalText(e)
	case *kernel.Ref:
		return d.name(e.Var)
	case *kernel.ConstRef:
		return e.Const.Name
	case *kernel.Index:
		return d.expr(e.X) + "[" + d.expr(e.I) + "]"
	case *kernel.Select:
		return d.expr(e.X) + "." + e.Field
	case *kernel.Deref:
		return "*" + d.expr(e.X)
	case *kernel.AddrOf:
		return "&" + d.expr(e.X)
	case *kernel.Unary:
		return e.Op.String() + d.expr(e.X)
	case *kernel.Binary:
		return fmt.Sprintf("(%s %s %s)", d.expr(e.X), e.Op, d.expr(e.Y))
	case *kernel.Convert:
		return fmt.Sprintf("%s(%s)", e.T, d.expr(e.X))
	case *kernel.Call:
		return fmt.Sprintf("%s(%s)", e.Func.Name, d.list(e.Args))
	case *kernel.Math:
		return fmt.Sprintf("math.%s(%s)", e.Name, d.list(e.Args))
	case *kernel.Composite:
		return fmt.Sprintf("%s{%s}", e.T, d.list(e.Elems))
	}
	return fmt.Sprintf("?%T", e)
}

func literalText(e *kernel.Lit) string {
	text := e.Value.ExactString()
	s := kernel.Scalar(e.T)
	if s.Float() {
		bits := 8 * s.Size()
		f, _ := constant.Float64Val(e.Value)
		text = strconv.FormatFloat(f, 'g', -1, bits)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
	}
	switch s {
	case loop.Int64, loop.Float64, loop.Bool:
		return text
	}
	return text + "'" + s.String()
}
