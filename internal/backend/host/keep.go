package host

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/kernel"
)

var lineDirective = regexp.MustCompile(`(?m)^#line (\d+) "([^"]*)"$`)

// keep writes the source of a program to the requested folder, with that of a C kernel next to it,
// and returns the program whose #line directives refer to it.
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
	if k.IsC() {
		files[k.File] = filepath.Join(dir, base+"_kernel.c")
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
	if k.IsC() {
		texts[files[k.File]] = k.Source
	}
	for path, text := range texts {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, fmt.Errorf("the generated source cannot be kept: %w", err)
		}
	}
	e.kept[p.Text] = &q
	return &q, nil
}
