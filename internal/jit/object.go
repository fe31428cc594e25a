package jit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// An Object is a compiled unit that is not linked.
type Object struct {
	Image []byte // the relocatable file
	Stack string // what -fstack-usage says
}

// Object compiles u to a relocatable file, for any processor that flags name. It is not kept in the cache. The error
// is a *CompileError.
func (b *Builder) Object(u Unit) (o Object, err error) {
	name := fileName(u.Name)
	args := append(slices.Clone(b.compiler.Args), "-c", "-fstack-usage", "-I.", "-o", name+".o", name+".c")
	args = append(append(args, u.Flags...), b.cflags...)
	err = b.do(b.ctx, task{
		unit: u, args: args,
		private: func(string) []string { return nil },
		collect: func(dir string) error {
			if o.Image, err = os.ReadFile(filepath.Join(dir, name+".o")); err != nil {
				return fmt.Errorf("%s reports success but wrote no object; is it a C compiler?", b.compiler.Path)
			}
			su, _ := os.ReadFile(filepath.Join(dir, name+".su")) // there is none of a unit without functions
			o.Stack = string(su)
			return nil
		},
	})
	return o, err
}
