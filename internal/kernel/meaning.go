package kernel

import (
	"fmt"
	"go/constant"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/loop"
	"github.com/go-op2/op2/internal/sorting"
)

// Meaning returns a text that is the same for kernels that mean the same, for loop.Hash: kernels
// that differ only in positions, comments, white space, the order of their functions, or the names
// of the kernel, of functions, types, fields, variables and consts have the same text.
//
// It is the IR, a statement per line in prefix notation. Functions, variables and consts are
// numbered in the order in which they appear, from the entry function on; structs are written out.
// Functions in another language than the entry function say so.
// What Analyze finds out is not part of it. A C kernel that the IR does not capture is represented
// by its source and the names in it.
func (k *Kernel) Meaning() string {
	m := &meaning{c: k.IsC(), funcs: map[*Func]int{}, consts: map[*Const]int{}}
	switch {
	case k.IsC() && !k.Exact:
		m.source(k)
		return m.text.String()
	case k.IsC():
		m.line("kernel c")
	default:
		m.line("kernel go")
	}
	m.number(k.Entry())
	for i := 0; i < len(m.order); i++ { // grows as functions are called
		m.function(m.order[i])
	}
	return m.text.String()
}

// meaning is the state of writing a Meaning.
type meaning struct {
	text  strings.Builder
	depth int

	c      bool // the kernel is in C
	funcs  map[*Func]int
	order  []*Func
	consts map[*Const]int

	// Of the current function.
	vars    map[*Var]int
	targets map[Stmt]int
}

func (m *meaning) line(format string, args ...any) {
	m.text.WriteString(strings.Repeat(" ", m.depth))
	fmt.Fprintf(&m.text, format, args...)
	m.text.WriteByte('\n')
}

// source writes a C kernel as its text.
func (m *meaning) source(k *Kernel) {
	m.line("kernel c text %s", k.Name)
	for _, c := range sorting.Sorted(k.Consts, ByName) {
		m.line("const %s %s", c.Name, typeMeaning(c.Type))
	}
	if k.Types != "" {
		m.line("types %s", k.Types)
	}
	m.line("%d bytes", len(k.Source))
	m.text.WriteString(k.Source)
}

// number returns the number of a function, which is new if it has not appeared before.
func (m *meaning) number(f *Func) int {
	n, ok := m.funcs[f]
	if !ok {
		n = len(m.order)
		m.funcs[f] = n
		m.order = append(m.order, f)
	}
	return n
}

// variable returns the notation for a variable of the current function.
func (m *meaning) variable(v *Var) string {
	if v == nil {
		return "none"
	}
	n, ok := m.vars[v]
	if !ok {
		n = len(m.vars)
		m.vars[v] = n
	}
	return fmt.Sprintf("v%d", n)
}

// function writes a function: its number is its place in the text.
func (m *meaning) function(f *Func) {
	m.vars, m.targets = map[*Var]int{}, map[Stmt]int{}
	for _, p := range f.Params {
		m.variable(p)
	}
	params := each(f.Params, func(p *Var) string { return typeMeaning(p.Type) })
	language := ""
	if f.C != m.c {
		language = map[bool]string{false: "go ", true: "c "}[f.C]
	}
	m.line("%sfunc (%s) (%s)", language, strings.Join(params, " "), strings.Join(each(f.Results, typeMeaning), " "))
	m.body(f.Body)
}

// body writes the statements of b, one level deeper.
func (m *meaning) body(b *Block) {
	m.depth++
	if b != nil {
		for _, s := range b.Stmts {
			m.stmt(s)
		}
	}
	m.depth--
}

func (m *meaning) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		m.line("block")
		m.body(s)
	case *Decl, *Assign:
		m.line("%s", m.simple(s))
	case *Do:
		m.line("%s", m.do(s))
	case *If:
		m.line("if %s", m.expr(s.Cond))
		m.body(s.Then)
		if s.Else != nil {
			m.line("else")
			m.depth++
			m.stmt(s.Else)
			m.depth--
		}
	case *For:
		m.targets[s] = len(m.targets)
		m.line("for l%d, %s, %s, %s", m.targets[s], m.simple(s.Init), m.expr(s.Cond), m.simple(s.Post))
		m.body(s.Body)
	case *Switch:
		m.targets[s] = len(m.targets)
		m.line("switch l%d %s", m.targets[s], m.expr(s.Tag))
		m.cases(s)
	case *Branch:
		word := "break"
		if s.Continue {
			word = "continue"
		}
		m.line("%s l%d", word, m.targets[s.Target])
	case *Print:
		m.line("print %s", s.Name)
	case *Barrier:
		m.line("%s", form("barrier", each(s.Vars, m.variable)...))
	case *Return:
		m.line("%s", form("return", each(s.Results, m.expr)...))
	default:
		panic(fmt.Sprintf("kernel: meaning of %T", s))
	}
}

func (m *meaning) cases(s *Switch) {
	for _, c := range s.Cases {
		words := []string{"case"}
		if c.Default {
			words = append(words, "default")
		}
		if c.Fallthrough {
			words = append(words, "fallthrough")
		}
		m.line("%s", form(strings.Join(words, " "), each(c.Values, m.expr)...))
		m.body(c.Body)
	}
}

// simple returns a declaration or an assignment on one line; "none" for nil.
func (m *meaning) simple(s Stmt) string {
	switch s := s.(type) {
	case *Decl:
		init := m.expr(s.Init) // it does not see the variable
		return fmt.Sprintf("var %s %s %s", m.variable(s.Var), typeMeaning(s.Var.Type), init)
	case *Assign:
		return fmt.Sprintf("%s= %s %s", s.Op, m.expr(s.L), m.expr(s.R))
	}
	return "none"
}

func (m *meaning) do(s *Do) string {
	e := s.X
	switch {
	case s.Call != nil:
		e = s.Call
	case s.Math != nil:
		e = s.Math
	}
	into := each(s.Into, m.variable) // numbered before those in the expression
	return form("do "+m.expr(e), into...)
}

// form returns a word and its operands.
func form(word string, of ...string) string {
	return strings.Join(append([]string{word}, of...), " ")
}

// expr returns the notation for an expression; "none" for nil. Its type follows from it.
func (m *meaning) expr(e Expr) string {
	switch e := e.(type) {
	case nil:
		return "none"
	case *Lit:
		return litMeaning(e)
	case *Ref:
		return m.variable(e.Var)
	case *ConstRef:
		n, ok := m.consts[e.Const]
		if !ok {
			n = len(m.consts)
			m.consts[e.Const] = n
		}
		return fmt.Sprintf("c%d:%s", n, typeMeaning(e.Const.Type))
	}
	return "(" + m.compound(e) + ")"
}

// compound prints an expression like expr, for places in parentheses.
func (m *meaning) compound(e Expr) string {
	switch e := e.(type) {
	case *Index:
		return form("at", m.expr(e.X), m.expr(e.I))
	case *Select:
		return form("field "+fieldMeaning(e), m.expr(e.X))
	case *Deref:
		return form("*", m.expr(e.X))
	case *AddrOf:
		return form("&", m.expr(e.X))
	case *Unary:
		return form(e.Op.String(), m.expr(e.X))
	case *Binary:
		return form(e.Op.String(), m.expr(e.X), m.expr(e.Y))
	case *Convert:
		return form(typeMeaning(e.T), m.expr(e.X))
	case *Call:
		return form(fmt.Sprintf("f%d", m.number(e.Func)), each(e.Args, m.expr)...)
	case *Math:
		return form(e.Name, each(e.Args, m.expr)...)
	case *Composite:
		return form("composite "+typeMeaning(e.T), each(e.Elems, m.expr)...)
	}
	panic(fmt.Sprintf("kernel: meaning of %T", e))
}

// litMeaning returns the value and type of a literal. Floats are exact, in hexadecimal.
func litMeaning(e *Lit) string {
	value := ""
	switch t := Scalar(e.T); {
	case t.Float():
		f, _ := constant.Float64Val(e.Value)
		value = strconv.FormatFloat(f, 'x', -1, 64)
	case t == loop.Bool:
		value = strconv.FormatBool(constant.BoolVal(e.Value))
	default:
		value = constant.ToInt(e.Value).ExactString()
	}
	return value + ":" + typeMeaning(e.T)
}

func fieldMeaning(e *Select) string {
	s := Elem(e.X.Type()).(*Struct)
	return strconv.Itoa(slices.IndexFunc(s.Fields, func(f Var) bool { return f.Name == e.Field }))
}

// typeMeaning returns a type without names.
func typeMeaning(t Type) string {
	switch t := t.(type) {
	case *Array:
		return fmt.Sprintf("[%d]%s", t.Len, typeMeaning(t.Elem))
	case *Pointer:
		return "*" + typeMeaning(t.Elem)
	case *Struct:
		fields := each(t.Fields, func(f Var) string { return typeMeaning(f.Type) })
		return "struct{" + strings.Join(fields, " ") + "}"
	}
	return t.String()
}
