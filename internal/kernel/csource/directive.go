package csource

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

// group is a conditional group of lines.
type group struct {
	active, taken, outer bool
}

// maxIncludes limits how deep files include others.
const maxIncludes = 64

// file processes a file.
func (p *preprocessor) file(name, text string) {
	p.texts[name] = text
	p.depth++
	defer func() { p.depth-- }()
	tokens := p.modern(scan(name, text))
	groups := []group{{active: true, outer: true}}
	for i := 0; i < len(tokens); {
		end := i + 1
		for end < len(tokens) && !tokens[end].first {
			end++
		}
		line := tokens[i:end]
		i = end
		switch {
		case !line[0].is("#"):
			if groups[len(groups)-1].active {
				p.run = append(p.run, line...)
			}
		case len(line) > 1:
			groups = p.directive(line[1], line[2:], groups)
		}
	}
	p.flush()
}

// modern removes what newer C and C++ may write without a change of meaning: [[attributes]], and marks
// between digits.
func (p *preprocessor) modern(tokens []token) (out []token) {
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.kind == number && strings.Contains(t.text, "'") {
			t.text, p.changed = strings.ReplaceAll(t.text, "'", ""), true
		}
		if t.is("[") && i+1 < len(tokens) && tokens[i+1].is("[") {
			if end := closing(tokens, i); end > 0 && tokens[end-1].is("]") {
				if i, p.changed = end, true; t.first && end+1 < len(tokens) {
					tokens[end+1].first = true
				}
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// flush expands the text since the last directive: calls of macros may extend over lines, but not over
// directives.
func (p *preprocessor) flush() {
	p.out = append(p.out, p.expand(p.run)...)
	p.run = nil
}

// directive follows one, and returns the groups that its next line is in.
func (p *preprocessor) directive(what token, line []token, groups []group) []group {
	top := &groups[len(groups)-1]
	switch what.text {
	case "if", "ifdef", "ifndef":
		g := group{outer: top.active}
		if g.outer {
			p.flush()
			g.active = p.holds(what.text, line)
			g.taken = g.active
		}
		return append(groups, g)
	case "elif", "else":
		top.active = top.outer && !top.taken && (what.text == "else" || p.condition(line))
		top.taken = top.taken || top.active
		return groups
	case "endif":
		if len(groups) > 1 {
			groups = groups[:len(groups)-1]
		}
		return groups
	}
	if !top.active {
		return groups
	}
	p.flush()
	switch what.text {
	case "define":
		p.define(line)
	case "undef":
		if len(line) > 0 {
			delete(p.macros, line[0].text)
		}
	case "include":
		p.include(what, line)
	case "pragma":
		if len(line) > 0 && line[0].is("once") {
			p.once[what.pos.File] = true
		}
	case "error":
		p.problem(what, "", "%s", strings.Trim(quote(line), `"`))
	}
	return groups
}

func (p *preprocessor) holds(what string, line []token) bool {
	if what == "if" {
		return p.condition(line)
	}
	return len(line) > 0 && p.defined(line[0].text) == (what == "ifdef")
}

// include includes a file of the program, or notes a standard header.
func (p *preprocessor) include(what token, line []token) {
	if len(line) > 0 && line[0].kind == word {
		line = p.expand(line)
	}
	if len(line) == 0 {
		return
	}
	name := strings.Trim(line[0].text, `"`)
	if line[0].is("<") {
		name = ""
		for _, t := range line[1:] {
			if t.is(">") {
				break
			}
			name += t.text
		}
	} else if found, text := p.find(path.Dir(what.pos.File), name); len(found) > 1 {
		p.missing = append(p.missing, kernel.Problem{Pos: line[0].pos, Msg: fmt.Sprintf("%s is several files: %s", name, strings.Join(found, ", ")), Hint: fmt.Sprintf("name its folder: #include %q", found[0])})
		return
	} else if len(found) == 1 {
		if p.once[found[0]] {
			return
		}
		if p.depth > maxIncludes {
			p.problem(what, "guard it: #ifndef, #define, #endif", "%s includes itself", name)
			return
		}
		p.file(found[0], text)
		return
	}
	if of, ok := strings.CutPrefix(name, "c"); ok && slices.Contains(p.known.Headers, of+".h") { // cmath
		name, p.changed = of+".h", true
	}
	switch {
	case slices.Contains(p.headers, name):
	case slices.Contains(p.known.Headers, name):
		p.headers = append(p.headers, name)
	case strings.HasSuffix(name, ".h") || line[0].kind == literal:
		p.missing = append(p.missing, p.absent(line[0], name))
	default: // of C++
		p.changed = true
	}
}

// absent describes a file that is included and not there.
func (p *preprocessor) absent(named token, name string) kernel.Problem {
	if p.files != nil && named.kind == literal {
		return kernel.Problem{Pos: named.pos, Msg: fmt.Sprintf("%s is not among the files", name), Hint: "embed it, too"}
	}
	hint := "these are there: " + strings.Join(p.known.Headers, ", ")
	if named.kind == literal {
		hint += "; ckernel.Files includes files of your own"
	}
	return kernel.Problem{Pos: named.pos, Msg: fmt.Sprintf("there is no header %s for kernels", name), Hint: hint}
}

// find looks for an included file in the including file's folder, in those above it, and then for the
// only file of that name. If several files have the name, it returns them and no text.
func (p *preprocessor) find(dir, name string) (found []string, text string) {
	if p.files == nil {
		return nil, ""
	}
	for {
		file := path.Join(dir, name)
		if b, err := fs.ReadFile(p.files, file); err == nil {
			return []string{file}, string(b)
		}
		if dir == "." || dir == "/" {
			break
		}
		dir = path.Dir(dir)
	}
	_ = fs.WalkDir(p.files, ".", func(file string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix("/"+file, "/"+name) {
			found = append(found, file)
		}
		return nil
	})
	if len(found) != 1 {
		return found, ""
	}
	b, err := fs.ReadFile(p.files, found[0])
	if err != nil {
		return nil, ""
	}
	return found, string(b)
}
