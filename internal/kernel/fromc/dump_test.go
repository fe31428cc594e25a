package fromc

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// dump writes the IR of k: functions, one statement per line. Variables with the same name are
// numbered.
func dump(k *kernel.Kernel) string {
	d := &dumper{names: map[*kernel.Var]string{}, count: map[string]int{}, labels: map[kernel.Stmt]string{}}
	for _, c := range k.Consts {
		d.line("const %s %s", c.Name, c.Type)
	}
	for _, s := range k.Structs {
		var fields []string
		for _, f := range s.Fields {
			fields = append(fields, f.Name+" "+f.Type.String())
		}
		d.line("struct %s {%s}", s.Name, strings.Join(fields, "; "))
	}
	for _, f := range k.Funcs {
		d.fun(f)
	}
	return d.b.String()
}

type dumper struct {
	b      strings.Builder
	indent int
	names  map[*kernel.Var]string
	count  map[string]int
	labels map[kernel.Stmt]string
}

func (d *dumper) line(format string, args ...any) {
	d.b.WriteString(strings.Repeat("\t", d.indent))
	fmt.Fprintf(&d.b, format, args...)
	d.b.WriteByte('\n')
}

func (d *dumper) name(v *kernel.Var) string {
	if v == nil {
		return "_"
	}
	if n, ok := d.names[v]; ok {
		return n
	}
	d.count[v.Name]++
	n := v.Name
	if c := d.count[v.Name]; c > 1 {
		n = fmt.Sprintf("%s'%d", n, c)
	}
	d.names[v] = n
	return n
}

func (d *dumper) fun(f *kernel.Func) {
	d.count = map[string]int{}
	var params []string
	for _, p := range f.Params {
		params = append(params, d.name(p)+" "+p.Type.String())
	}
	result := ""
	for _, r := range f.Results {
		result += " " + r.String()
	}
	d.line("func %s(%s)%s {", f.Name, strings.Join(params, ", "), result)
	d.stmts(f.Body.Stmts)
	d.line("}")
}

func (d *dumper) stmts(list []kernel.Stmt) {
	d.indent++
	for _, s := range list {
		d.stmt(s)
	}
	d.indent--
}

func (d *dumper) stmt(s kernel.Stmt) {
	switch s := s.(type) {
	case *kernel.Block:
		d.line("{")
		d.stmts(s.Stmts)
		d.line("}")
	case *kernel.If:
		d.ifElse("", s)
	case *kernel.For:
		d.line("%sfor %s; %s; %s {", d.label(s), d.simple(s.Init), d.expr(s.Cond), d.simple(s.Post))
		d.stmts(s.Body.Stmts)
		d.line("}")
	case *kernel.Switch:
		d.line("%sswitch %s {", d.label(s), d.expr(s.Tag))
		for _, c := range s.Cases {
			head := "case " + d.list(c.Values)
			if c.Default {
				head = strings.TrimSpace("default " + d.list(c.Values))
			}
			d.line("%s:", head)
			d.stmts(c.Body.Stmts)
			if c.Fallthrough {
				d.line("\tfallthrough")
			}
		}
		d.line("}")
	default:
		d.line("%s", d.simple(s))
	}
}

func (d *dumper) label(s kernel.Stmt) string {
	l := fmt.Sprintf("L%d", len(d.labels)+1)
	d.labels[s] = l
	return l + ": "
}

func (d *dumper) ifElse(before string, s *kernel.If) {
	d.line("%sif %s {", before, d.expr(s.Cond))
	d.stmts(s.Then.Stmts)
	switch e := s.Else.(type) {
	case *kernel.If:
		d.ifElse("} else ", e)
		return
	case *kernel.Block:
		d.line("} else {")
		d.stmts(e.Stmts)
	}
	d.line("}")
}

func (d *dumper) simple(s kernel.Stmt) string {
	switch s := s.(type) {
	case nil:
		return ""
	case *kernel.Decl:
		text := fmt.Sprintf("var %s %s", d.name(s.Var), s.Var.Type)
		if s.Init != nil {
			text += " = " + d.expr(s.Init)
		}
		return text
	case *kernel.Assign:
		return fmt.Sprintf("%s %s= %s", d.expr(s.L), s.Op, d.expr(s.R))
	case *kernel.Do:
		switch {
		case s.Call != nil:
			return d.expr(s.Call)
		case s.Math != nil:
			return d.expr(s.Math)
		}
		return d.expr(s.X)
	case *kernel.Branch:
		word := "break "
		if s.Continue {
			word = "continue "
		}
		return word + d.labels[s.Target]
	case *kernel.Return:
		return strings.TrimSpace("return " + d.list(s.Results))
	}
	return fmt.Sprintf("%T", s)
}

func (d *dumper) list(exprs []kernel.Expr) string {
	var out []string
	for _, e := range exprs {
		out = append(out, d.expr(e))
	}
	return strings.Join(out, ", ")
}

func (d *dumper) expr(e kernel.Expr) string {
	switch e := e.(type) {
	case nil:
		return ""
	case *kernel.Lit:
		return e.Value.String()
	case *kernel.Ref:
		return d.name(e.Var)
	case *kernel.ConstRef:
		return e.Const.Name
	case *kernel.Index:
		return fmt.Sprintf("%s[%s]", d.expr(e.X), d.expr(e.I))
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
	case *kernel.Opaque:
		return fmt.Sprintf("?%s(%s)", strings.TrimPrefix(e.T.String(), "invalid"), d.list(e.Parts))
	}
	return fmt.Sprintf("%T", e)
}
