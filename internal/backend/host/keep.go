package host

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/codegen/text"
	"github.com/go-op2/op2/internal/kernel"
)

var lineDirective = regexp.MustCompile(`(?m)^#line (\d+) "([^"]*)"$`)

// keep writes the source of a program to the requested folder, with those of C kernels next to
// it, and returns the program whose #line directives refer to it.
func (e *engine) keep(p *codegen.Program, k *kernel.Kernel) (*codegen.Program, error) {
	if q := e.kept[p.Text]; q != nil {
		return q, nil
	}
	dir, err := filepath.Abs(e.keepSource)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return nil, fmt.Errorf("the generated source cannot be kept: %w", err)
	}
	base := p.Symbol
	if n := e.named[base]; n > 0 {
		base = fmt.Sprintf("%s_%d", base, n+1)
	}
	e.named[p.Symbol]++
	files := map[string]string{"wrap_" + k.Name + ".c": filepath.Join(dir, base+".c")}
	sources := map[string]string{} // of C kernels, by their files in #line directives
	for _, part := range slices.Concat(k.Parts, []*kernel.Kernel{k}) {
		switch other, known := sources[part.File]; {
		case part.Source == "" || part.Source == other:
		case known: // another kernel of that name: whose lines they are is not known
			delete(files, part.File)
		default:
			name := base
			if part != k {
				name += "_" + text.Stem(part.Name)
			}
			sources[part.File], files[part.File] = part.Source, filepath.Join(dir, name+"_kernel.c")
		}
	}
	q := *p
	q.Text = lineDirective.ReplaceAllStringFunc(p.Text, func(line string) string {
		m := lineDirective.FindStringSubmatch(line)
		if path := files[m[2]]; path != "" {
			return fmt.Sprintf("#line %s %q", m[1], path)
		}
		return line
	})
	texts := map[string]string{filepath.Join(dir, base+".c"): q.Text}
	for file, source := range sources {
		if path := files[file]; path != "" {
			texts[path] = source
		}
	}
	for path, text := range texts {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, fmt.Errorf("the generated source cannot be kept: %w", err)
		}
	}
	e.kept[p.Text] = &q
	return &q, nil
}
