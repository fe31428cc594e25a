package fromc

import (
	"embed"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-op2/op2/internal/kernel/csource"
)

// pattern returns a regular expression that is compiled on first use.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// The standard headers, as far as kernels need them, so that no C compiler is required.
//
//go:embed headers/*.h
var headers embed.FS

const headerDir = "headers"

// implicit lists the headers that kernels see without an #include, as in the generated code around
// them.
var implicit = []string{"math.h", "stdbool.h", "stdint.h"}

// headerNames lists the headers that exist, sorted.
func headerNames() (names []string) {
	list, _ := headers.ReadDir(headerDir)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// entry is one line of a header that declares or defines name.
type entry struct {
	header, name, text string
	macro, isType      bool
	uses               []string
}

var defining = pattern(`^(?:#define (\w+)[ (].*|typedef .*?(\w+);|[a-z].*?(\w+)\(.*\);)$`)

// entries returns the lines of all headers that declare or define a name.
var entries = sync.OnceValue(func() (all []entry) {
	for _, h := range headerNames() {
		text, _ := headers.ReadFile(headerDir + "/" + h)
		for line := range strings.SplitSeq(string(text), "\n") {
			if m := defining().FindStringSubmatch(line); m != nil {
				all = append(all, entry{h, m[1] + m[2] + m[3], line, m[1] != "", m[2] != "", words(line)})
			}
		}
	}
	return all
})

// words returns the identifiers in text, and what looks like them.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// library maps the names that the headers declare and define to their header.
var library = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, e := range entries() {
		if !strings.HasPrefix(e.name, "_") {
			m[e.name] = e.header
		}
	}
	return m
})

// standard returns the declarations of the standard headers.
var standard = sync.OnceValue(func() csource.Known {
	k := csource.Known{Headers: headerNames(), Macros: map[string]bool{}, Types: map[string]bool{}, Math: map[string]bool{}, Others: map[string]bool{}}
	for _, e := range entries() {
		switch {
		case library()[e.name] != e.header:
		case e.macro:
			k.Macros[e.name] = true
		case e.isType:
			k.Types[e.name] = true
		case e.header == "math.h":
			k.Math[e.name] = true
		default:
			k.Others[e.name] = true
		}
	}
	return k
})

// visible returns the lines of the implicit headers that a source needs, since parsing all of them
// takes longer than parsing a kernel. An #include of these headers then adds nothing.
//
// Needed is the transitive closure of the names in the text, over the words of each line. A word in a comment, or the
// name of a local variable, needs a line too many, which does no harm. Lines keep the order of the headers.
func visible(source string) string {
	all, places := entries(), implicitNames()
	wanted := make([]bool, len(all))
	var need func(words []string)
	need = func(words []string) {
		for _, w := range words {
			if i, ok := places[w]; ok && !wanted[i] {
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

// implicitNames returns which of the entries defines each name of the implicit headers.
var implicitNames = sync.OnceValue(func() map[string]int {
	places := map[string]int{}
	for i, e := range entries() {
		if slices.Contains(implicit, e.header) {
			places[e.name] = i
		}
	}
	return places
})
