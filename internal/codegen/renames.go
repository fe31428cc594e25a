package codegen

import (
	"maps"

	"github.com/go-op2/op2/internal/kernel"
)

// Renames returns the program's names of everything that a kernel declares and reads, by their
// names in generated source, for messages.
func Renames(k *kernel.Kernel) map[string]string {
	p := newPrinter(k)
	if k.Captured() {
		for _, f := range k.Funcs {
			p.printFunc(f)
		}
	}
	names := maps.Clone(p.file.own)
	for s, name := range p.structs {
		names[name] = s.Name
		for own, field := range p.fields[s] {
			names[field] = own
		}
	}
	for f, name := range p.funcs {
		names[name], names[lanesName(f)] = f.Name, f.Name
	}
	for c, name := range p.consts {
		names[name] = c.Name
	}
	return names
}
