package fromc

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

var (
	located  = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)
	origin   = regexp.MustCompile(`( \(\w+\.go:\d+:\w+:\)|:)+$`)
	conflict = regexp.MustCompile(`^(?:conflicting types for|redeclaration of|multiple definitions of) '(\w+)'.* (?:at|previous declaration at) (.*?):\d+:\d+:`)
	missing  = regexp.MustCompile(`^include file not found: [<"](.*)[>"]$`)
	undef    = regexp.MustCompile(`^undefined(?: type name)?: (\w+)$`)
)

// message is one line of the parser's error: "file:line:col: text (its own place)".
type message struct {
	pos  kernel.Pos
	text string
}

func messages(err error) []message {
	var out []message
	for _, line := range strings.Split(err.Error(), "\n") {
		m := located.FindStringSubmatch(line)
		if m == nil {
			continue // the parser talking about itself, after something it did say
		}
		l, _ := strconv.Atoi(m[2])
		c, _ := strconv.Atoi(m[3])
		out = append(out, message{
			pos:  kernel.Pos{File: m[1], Line: l, Col: c},
			text: origin.ReplaceAllString(m[4], ""),
		})
	}
	return out
}

// dropShadowed takes those consts away which the source has a different variable or
// function of the same name for, and reports whether there was one.
func dropShadowed(declared map[string]kernel.Const, err error) bool {
	dropped := false
	for _, line := range strings.Split(err.Error(), "\n") {
		m := located.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if c := conflict.FindStringSubmatch(m[4]); c != nil && c[2] == preludeFile {
			if _, ok := declared[c[1]]; ok {
				delete(declared, c[1])
				dropped = true
			}
		}
	}
	return dropped
}

// explain turns the parser's error into problems. After the first error of syntax the
// parser is lost, and what it says is noise.
func explain(err error, file, source string, consts []kernel.Const) []kernel.Problem {
	var out []kernel.Problem
	for _, m := range messages(err) {
		if strings.Contains(m.text, "<invalid type>") && len(out) > 0 {
			continue
		}
		out = append(out, explainOne(m, source, consts))
		if strings.HasPrefix(m.text, "unexpected ") || missing.MatchString(m.text) || strings.HasPrefix(m.text, "undefined type name") {
			break
		}
	}
	if len(out) == 0 {
		text := origin.ReplaceAllString(strings.Split(err.Error(), "\n")[0], "")
		out = []kernel.Problem{{
			Pos: kernel.Pos{File: file},
			Msg: "the C parser gives up on this source (" + text + ")",
		}}
	}
	return inOrder(out)
}

func explainOne(m message, source string, consts []kernel.Const) kernel.Problem {
	p := kernel.Problem{Pos: m.pos, Msg: m.text}
	if h := missing.FindStringSubmatch(m.text); h != nil {
		p.Msg = fmt.Sprintf("there is no header %s for kernels", h[1])
		p.Hint = "these are there: " + strings.Join(headerNames(), ", ")
		return p
	}
	if u := undef.FindStringSubmatch(m.text); u != nil {
		p.Hint = hintUndefined(u[1], source, consts)
		if strings.HasPrefix(m.text, "undefined type name") {
			p.Msg = "undefined type: " + u[1]
			p.Hint = ""
		}
		return p
	}
	if c := conflict.FindStringSubmatch(m.text); c != nil {
		if h, ok := library()[c[1]]; ok && (c[2] == preludeFile || strings.HasPrefix(c[2], headerDir+"/")) {
			p.Msg = fmt.Sprintf("%s is a function of <%s>, with another type", c[1], h)
			p.Hint = "give it another name"
		}
	}
	return p
}

// hintUndefined says what an unknown identifier may have been meant to be.
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
	if best := closest(name, known); best != "" {
		return fmt.Sprintf("did you mean %s?", best)
	}
	return fmt.Sprintf("a value of the program is registered with op2.NewConst(rt, %q, &%s)", name, name)
}

// declaredNames guesses what a source declares: identifiers after a type or a *.
func declaredNames(source string) []string {
	var names []string
	for _, m := range declarators.FindAllStringSubmatch(source, -1) {
		names = append(names, m[1])
	}
	return names
}

var declarators = regexp.MustCompile(`(?:\b(?:double|float|int|long|unsigned|char|short|bool|size_t|void|u?int(?:8|16|32|64)_t|restrict|const)\b[ \t]*|\*[ \t]*|#define[ \t]+)([A-Za-z_]\w*)`)

// closest is the candidate that name is most likely a slip of, or "".
func closest(name string, candidates []string) string {
	best, limit := "", max(1, len(name)/3)+1
	for _, c := range slices.Compact(slices.Sorted(slices.Values(candidates))) {
		if d := distance(name, c); d < limit && d < len(name) {
			best, limit = c, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, change or swap.
func distance(a, b string) int {
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev2, prev, row = prev, row, prev2
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := prev[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(prev[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
