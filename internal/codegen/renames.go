package codegen

import "github.com/go-op2/op2/internal/kernel"

// Renames are the program's names of a kernel's functions, structs and consts by those that generated
// text has for them, for messages.
func Renames(k *kernel.Kernel) map[string]string {
	p, names := newPrinter(k), map[string]string{}
	for f, name := range p.funcs {
		names[name] = f.Name
	}
	for s, name := range p.structs {
		names[name] = s.Name
	}
	for c, name := range p.consts {
		names[name] = c.Name
	}
	return names
}
