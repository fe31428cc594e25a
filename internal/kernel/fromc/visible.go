package fromc

import (
	"strings"
	"sync"
	"unicode"
)

// implicit lists the headers that kernels see without an #include, as in the generated code around
// them.
var implicit = []string{"math.h", "stdbool.h", "stdint.h"}

// entry is one line of a header that declares or defines name.
type entry struct {
	name, text string
	uses       []string
}

var defining = pattern(`^(?:#define (\w+)[ (].*|typedef .*?(\w+);|[a-z].*?(\w+)\(.*\);)$`)

// entries returns all lines of the implicit headers, and the index that defines each name.
var entries = sync.OnceValues(func() (all []entry, byName map[string]int) {
	byName = map[string]int{}
	for _, h := range implicit {
		text, err := headers.ReadFile(headerDir + "/" + h)
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(text), "\n") {
			m := defining().FindStringSubmatch(line)
			if m == nil {
				continue
			}
			e := entry{name: m[1] + m[2] + m[3], text: line, uses: words(line)}
			byName[e.name] = len(all)
			all = append(all, e)
		}
	}
	return all, byName
})

// words returns the identifiers in text, and what looks like them.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// visible returns the lines of the implicit headers that a source needs, since parsing all of them
// takes longer than parsing a kernel. An #include of these headers then adds nothing.
//
// Needed is the transitive closure of the names in the text, over the words of each line. A word in a comment, or the
// name of a local variable, needs a line too many, which does no harm. Lines keep the order of the headers.
func visible(source string) string {
	all, byName := entries()
	wanted := make([]bool, len(all))
	var need func(words []string)
	need = func(words []string) {
		for _, w := range words {
			if i, ok := byName[w]; ok && !wanted[i] {
				wanted[i] = true
				need(all[i].uses)
			}
		}
	}
	need(words(source))
	var b strings.Builder
	b.WriteString("#define _MATH_H\n#define _STDBOOL_H\n#define _STDINT_H\n")
	for i, e := range all {
		if wanted[i] {
			b.WriteString(e.text + "\n")
		}
	}
	return b.String()
}
