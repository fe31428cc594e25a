package fromc

import (
	"fmt"
	"strings"
	"sync"
	"weak"

	"modernc.org/cc/v4"

	"github.com/go-op2/op2/internal/kernel"
)

// parsed is a text as the parser returns it. Kernels are lowered from it one at a time.
type parsed struct {
	sync.Mutex
	ast      *cc.AST
	declared map[string]kernel.Const
	problems []kernel.Problem
}

// recent is the program's text that was parsed last, which usually holds the next kernel, too. It lasts until the
// garbage collector takes it.
var recent struct {
	sync.Mutex
	key    string
	parsed weak.Pointer[parsed]
}

// parse translates a text, or returns the translation of the call just before, of the same text.
func (in input) parse(structs string, consts []kernel.Const) *parsed {
	if in.from != nil { // for one kernel
		return in.translate(structs, consts)
	}
	words := []string{in.file, in.text, structs}
	for _, c := range consts {
		words = append(words, c.Name, fmt.Sprint(c.Type))
	}
	key := strings.Join(words, "\x00")
	recent.Lock()
	defer recent.Unlock()
	if p := recent.parsed.Value(); p != nil && recent.key == key {
		return p
	}
	p := in.translate(structs, consts)
	recent.key, recent.parsed = key, weak.Make(p)
	return p
}

// translate parses and type-checks a text. It sees the consts except those whose name it uses for a variable of its
// own. Structs is text that precedes it.
func (in input) translate(structs string, consts []kernel.Const) *parsed {
	declared := map[string]kernel.Const{}
	for _, c := range consts {
		if strings.Contains(in.text, c.Name) && kernel.IsIdentifier(c.Name) {
			declared[c.Name] = c
		}
	}
	ast, err := in.run(structs, declared, false)
	if err != nil && in.dropShadowed(declared, structs) {
		ast, err = in.run(structs, declared, false)
	}
	if err != nil {
		return &parsed{problems: explain(err, in, consts)}
	}
	return &parsed{ast: ast, declared: declared}
}

// dropShadowed removes the consts whose names the source declares as something else, and reports
// whether there are any.
func (in input) dropShadowed(declared map[string]kernel.Const, structs string) bool {
	ast, err := in.run(structs, nil, true)
	if err != nil {
		return false
	}
	n := len(declared)
	for name := range declared {
		for _, node := range ast.Scope.Nodes[name] {
			switch d := node.(type) {
			case *cc.Enumerator:
				delete(declared, name)
			case *cc.Declarator:
				if d.IsTypename() || d.IsStatic() || d.HasInitializer() || d.Type().Kind() == cc.Function {
					delete(declared, name)
				}
			}
		}
	}
	return len(declared) < n
}
