package fromc

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/spell"
)

var (
	located     = pattern(`^(.*?):(\d+):(\d+): (.*)$`)
	parserPlace = pattern(`( \(\w+\.go:\d+:\w+:\)|:)+$`)
	conflict    = pattern(`^(?:conflicting types for|redeclaration of|multiple definitions of) '(\w+)'.* (?:at|previous declaration at) (.*?):\d+:\d+:`)
	missing     = pattern(`^include file not found: [<"](.*)[>"]$`)
	undef       = pattern(`^undefined: (\w+)$`)
	incomplete  = pattern(`^type ((?:struct|union) \w+) \{\} has no member`)
	noMember    = pattern(`^type (?:struct|union) (\w+) \{(.*)\} has no member named (\w+)`)
	noAddress   = pattern(`^(.*): internal error: \*cc\.\w+$`)
	badNumber   = pattern(`strconv\.\w+: parsing "(.*?)": (.*)`)
	repeated    = pattern(`^redeclaration of '(\w+)' at (.*?):(\d+):(\d+)`)
	typeName    = pattern(`(?:^|[{};(,])\s*(?:(?:const|static|inline|volatile)\s+)*([A-Za-z_]\w*)\s*$`)
	// follows matches errors that follow from another one about the same expression.
	follows = pattern(`<invalid type>|^left operand shall be a modifiable lvalue`)
)

// message is one line of the parser's error: "file:line:col: text (its own place)".
type message struct {
	pos  kernel.Pos
	text string
}

// messages returns the lines of the parser's error that have a place, which is cut off, as are the parser's own places.
func messages(err error) []message {
	var out []message
	for _, line := range strings.Split(err.Error(), "\n") {
		m := located().FindStringSubmatch(line)
		if m == nil {
			continue // the parser talking about itself, after the real error
		}
		l, _ := strconv.Atoi(m[2])
		c, _ := strconv.Atoi(m[3])
		out = append(out, message{
			pos:  kernel.Pos{File: m[1], Line: l, Col: c},
			text: parserPlace().ReplaceAllString(m[4], ""),
		})
	}
	return out
}

// explain converts the parser's error to problems. After the first syntax error the parser is lost,
// and its further messages are noise; so is a message that only follows from an earlier one of the same line.
func explain(err error, in input, consts []kernel.Const) []kernel.Problem {
	var out []kernel.Problem
	lines := map[int]bool{}
	for _, m := range messages(err) {
		m = in.locate(m)
		if lines[m.pos.Line] && follows().MatchString(m.text) {
			continue
		}
		lines[m.pos.Line] = true
		out = append(out, explainOne(m, in.texts()[m.pos.File], consts))
		if strings.HasPrefix(m.text, "unexpected ") || missing().MatchString(m.text) {
			break
		}
	}
	if len(out) == 0 {
		out = noVariable(in)
	}
	if len(out) == 0 {
		out = []kernel.Problem{noPlace(err, in.file, in.texts()[in.file])}
	}
	return inOrder(out)
}

// noPlace explains an error without a position.
func noPlace(err error, file, source string) kernel.Problem {
	text := parserPlace().ReplaceAllString(strings.Split(err.Error(), "\n")[0], "")
	if n := badNumber().FindStringSubmatch(text); n != nil {
		if i := strings.Index(source, n[1]); i >= 0 {
			p := kernel.Problem{Pos: posOf(i, source, file)}
			p.Msg, p.Hint = explainNumber(n)
			return p
		}
	}
	return kernel.Problem{
		Pos: kernel.Pos{File: file},
		Msg: "the C parser gives up on this source (" + text + ")",
	}
}

// explainNumber returns the message about a match of badNumber.
func explainNumber(m []string) (msg, hint string) {
	switch text := m[1]; {
	case !strings.Contains(m[2], "out of range"):
		return fmt.Sprintf("%s is not a number", text), ""
	case strings.ContainsAny(text, ".ep") && !strings.HasPrefix(text, "0x"):
		return fmt.Sprintf("%s is too large for a double", text), "write INFINITY, if that is meant"
	default:
		return fmt.Sprintf("%s is too large for an integer", text), fmt.Sprintf("write %s.0 for a floating-point number", text)
	}
}

// locate moves a message about the text after the source, or about a header, to the cause in the
// program's files.
func (in input) locate(m message) message {
	file, source := in.file, in.texts()[in.file]
	_, expected, _ := strings.Cut(m.text, ",")
	end := len(strings.TrimRight(source, " \t\r\n"))
	switch {
	case m.pos.File == endFile:
		return message{posOf(end, source, file), "unexpected end of the source," + expected}
	case m.pos.File == file && m.pos.Line > posOf(end, source, file).Line:
		m.pos = posOf(end, source, file)
	case strings.HasPrefix(m.pos.File, headerDir+"/"):
		if i := strings.Index(source, "#include"); i >= 0 {
			return message{posOf(i, source, file), "unexpected #include," + expected}
		}
	}
	m.pos = in.origin(m.pos)
	return m
}

// explainOne rephrases a message for authors of kernels.
func explainOne(m message, source string, consts []kernel.Const) kernel.Problem {
	p := kernel.Problem{Pos: m.pos, Msg: m.text}
	if h := missing().FindStringSubmatch(m.text); h != nil {
		p.Msg = fmt.Sprintf("there is no header %s for kernels", h[1])
		p.Hint = "these are there: " + strings.Join(headerNames(), ", ")
		return p
	}
	if u := undef().FindStringSubmatch(m.text); u != nil {
		p.Hint = hintUndefined(u[1], source, consts)
		return p
	}
	if t := incomplete().FindStringSubmatch(m.text); t != nil {
		p.Msg = fmt.Sprintf("%s is not defined", t[1])
		return p
	}
	if n := noMember().FindStringSubmatch(m.text); n != nil {
		p.Msg, p.Hint = fmt.Sprintf("%s has no field %s", n[1], n[3]), hintField(n[3], n[2])
		return p
	}
	if n := noAddress().FindStringSubmatch(m.text); n != nil {
		p.Msg, p.Hint = n[1]+" has no address: it is a value", "store it in a variable first"
		return p
	}
	if n := badNumber().FindStringSubmatch(m.text); n != nil {
		p.Msg, p.Hint = explainNumber(n)
		return p
	}
	if r := repeated().FindStringSubmatch(m.text); r != nil {
		line, _ := strconv.Atoi(r[3])
		col, _ := strconv.Atoi(r[4])
		p.Pos = kernel.Pos{File: r[2], Line: line, Col: col}
		p.Msg = fmt.Sprintf("%s is declared twice, first in line %d", r[1], m.pos.Line)
		return p
	}
	if c := conflict().FindStringSubmatch(m.text); c != nil {
		if h, ok := library()[c[1]]; ok && (c[2] == preludeFile || strings.HasPrefix(c[2], headerDir+"/")) {
			p.Msg = fmt.Sprintf("%s is a function of <%s>, with another type", c[1], h)
			p.Hint = "give it another name"
		} else if c[2] == preludeFile {
			p.Msg, p.Hint = redeclared(c[1])
		}
		return p
	}
	if strings.HasPrefix(m.text, "invalid operands: struct") {
		p.Hint = "C has no operators for structs: write a function"
	}
	if t := unknownType(m, source); t != "" {
		p.Msg = fmt.Sprintf("undefined type: %s", t)
		if h, ok := library()[t]; ok {
			p.Hint = fmt.Sprintf("#include <%s>", h)
		}
	}
	return p
}

// hintField suggests one of a struct's fields, given as "name type; name type".
func hintField(name, fields string) string {
	var names []string
	for field := range strings.SplitSeq(fields, "; ") {
		field, _, _ = strings.Cut(field, " ")
		names = append(names, field)
	}
	return cmp.Or(spell.Question(name, names), "it has "+strings.Join(names, ", "))
}

// redeclared returns the message about a declaration of a const.
func redeclared(name string) (msg, hint string) {
	return fmt.Sprintf("%s is registered with op2.NewConst and declared here once more", name),
		"remove the declaration: kernels see registered consts without one"
}

// unknownType returns the name in place of a type, if that is why the parser failed. C is not context-free: the parser
// takes a name for a type only if it is declared as one, and otherwise stops at what comes next, so that the
// name stands in front of where it failed.
func unknownType(m message, source string) string {
	if !strings.HasPrefix(m.text, "unexpected identifier") && !strings.HasPrefix(m.text, "unexpected '*'") {
		return ""
	}
	lines := strings.Split(source, "\n")
	if m.pos.Line > len(lines) || m.pos.Col > len(lines[m.pos.Line-1]) {
		return ""
	}
	before := typeName().FindStringSubmatch(lines[m.pos.Line-1][:m.pos.Col-1])
	if before == nil || slices.Contains(declaredNames(source), before[1]) {
		return ""
	}
	return before[1]
}

// hintUndefined suggests what an unknown identifier may have been meant to be.
func hintUndefined(name, source string, consts []kernel.Const) string {
	if h, ok := library()[name]; ok {
		return fmt.Sprintf("#include <%s>", h)
	}
	var known []string
	for _, c := range consts {
		known = append(known, c.Name)
	}
	for _, w := range declaredNames(source) {
		if w != name {
			known = append(known, w)
		}
	}
	return cmp.Or(spell.Question(name, known), fmt.Sprintf("a value of the program is registered with op2.NewConst(rt, %q, &%s)", name, name))
}

// declaredNames guesses the names that a source declares: identifiers after a type or a *. The source has no syntax tree, since
// parsing it has failed; a name too many costs a worse hint.
func declaredNames(source string) []string {
	var names []string
	for _, m := range declarators().FindAllStringSubmatch(source, -1) {
		names = append(names, m[1])
	}
	return names
}

var declarators = pattern(`(?:\b(?:double|float|int|long|unsigned|char|short|bool|size_t|void|u?int(?:8|16|32|64)_t|restrict|const)\b[ \t]*|\*[ \t]*|#define[ \t]+)([A-Za-z_]\w*)`)

// noVariable finds assignments to values other than variables. The parser only reports that something
// went wrong.
func noVariable(in input) (problems []kernel.Problem) {
	defer func() {
		if recover() != nil {
			problems = nil
		}
	}()
	cfg, sources := in.configure("", nil)
	ast, err := cc.Parse(cfg, sources)
	if err != nil || ast == nil {
		return nil
	}
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		nodes(l.ExternalDeclaration, func(n cc.Node) {
			if target := changed(n); target != nil && !isLvalue(target) {
				problems = append(problems, kernel.Problem{
					Pos: in.origin(at(target)),
					Msg: fmt.Sprintf("%s is no variable, and is assigned to", cc.NodeSource(target)),
				})
			}
		})
	}
	return problems
}
