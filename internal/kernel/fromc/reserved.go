package fromc

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
)

var own = pattern(`\b(?:op2|OP2)_\w*`)

// reserved refuses names with the prefixes of generated code.
func reserved(in input) []kernel.Problem {
	var list []kernel.Problem
	at := kernel.Pos{File: in.file}
	for i, line := range strings.Split(bare(in.text), "\n") {
		if _, err := fmt.Sscanf(line, "#line %d", &at.Line); err == nil && in.from != nil {
			_, at.File, _ = strings.Cut(strings.Split(in.text, "\n")[i], `"`)
			at.File, at.Line = strings.TrimSuffix(at.File, `"`), at.Line-1
			continue
		}
		at.Line++
		for _, found := range own().FindAllStringIndex(line, -1) {
			at.Col = found[0] + 1
			list = append(list, kernel.Problem{
				Pos:  in.origin(at),
				Msg:  fmt.Sprintf("%s: names that begin with op2_ are reserved for generated code", line[found[0]:found[1]]),
				Hint: "give it another name",
			})
		}
	}
	return list
}

// bare returns source with blanks in place of comments and literals.
func bare(source string) string {
	out := []byte(source)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
	}
	end := func(from int, mark string) int {
		if n := strings.Index(source[from:], mark); n >= 0 {
			return from + n
		}
		return len(source)
	}
	for i := 0; i < len(source); i++ {
		from := i
		switch {
		case strings.HasPrefix(source[i:], "//"):
			i = end(i, "\n")
		case strings.HasPrefix(source[i:], "/*"):
			i = min(end(i+2, "*/")+2, len(source))
		case source[i] == '"' || source[i] == '\'':
			for i++; i < len(source) && source[i] != source[from] && source[i] != '\n'; i++ {
				if source[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(source))
		default:
			continue
		}
		blank(from, i)
		i--
	}
	return string(out)
}
